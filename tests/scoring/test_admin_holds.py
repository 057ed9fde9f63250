"""Nothing gets past the desk: every page asks for a right, and no path moves a frozen score."""

import ast
import re
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from scoring.admin.actions import PAGES
from scoring.constraint_errors import guard_of
from scoring.errors import DomainError
from tests import acts, factories, rows_in_every_table
from tests.addresses import addresses
from tests.moderators import address, client_of, of_score, send, state
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
ROOT = Path(__file__).resolve().parents[2]
OPEN_TO_ANY_STAFF = {"index", "logout", "password_change", "password_change_done", "jsi18n", "app_list", "view_on_site"}
SENDS_AWAY = {"login", "autocomplete"}


def filled(route):
    """An address with a row of the right kind in it, if there is one; a number of nothing else."""
    models = admin.site._registry
    model = next((m for m in models if route.startswith(f"admin/{m._meta.app_label}/{m._meta.model_name}/")), None)
    row = model._default_manager.order_by("pk").first() if model else None
    path = route.replace("<path:object_id>", str(row.pk if row else 1)).replace("<id>", "1")
    return "/" + path


def rows_of_other_apps():
    """One row in each table of the admin that is not ours."""
    alice = factories.moderator("alice")
    LogEntry.objects.log_actions(alice.pk, [alice], CHANGE, "changed")
    EmailAddress.objects.create(user=alice, email="alice@example.org")
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={})
    Group.objects.get_or_create(name="A group")


def guarded():
    """The addresses that need a right, each with a row in it."""
    for route, name in ((one.route, one.name) for one in addresses() if one.route.startswith("admin/")):
        if name in OPEN_TO_ANY_STAFF | SENDS_AWAY or ("<path:object_id>" in route and not name) or "(?P" in route:
            continue
        if "<" in route.replace("<path:object_id>", "").replace("<id>", ""):
            continue
        yield filled(route)


def test_there_are_many_addresses_to_guard():
    rows_in_every_table.one("first")
    rows_of_other_apps()
    names = set(guarded())

    assert len(names) > 100
    assert sum("/scoring/evaluation/" in one for one in names) > 12


def test_every_address_of_the_admin_refuses_somebody_without_rights():
    rows_in_every_table.one("first")
    rows_of_other_apps()
    bob = client_of(factories.person("bob"))

    found = {path: (bob.get(path).status_code, bob.post(path).status_code) for path in guarded()}

    asked = {path for path, codes in found.items() if codes == (302, 302)}
    assert {re.sub(r"\d+", "1", path) for path in asked} == {
        "/admin/auth/user/1/password/",
        "/admin/mfa/authenticator/1/delete/",
    }, "who they are, first of all"
    assert {path: codes for path, codes in found.items() if codes not in {(403, 403), (301, 403), (302, 302)}} == {}


def test_every_address_of_the_admin_sends_a_visitor_and_whoever_is_no_staff_to_sign_in():
    rows_in_every_table.one("first")
    rows_of_other_apps()
    nobody, reader = Client(), client_of(User.objects.create_user("reader"))

    found = {
        path: {(one.get(path).status_code, one.post(path).status_code) for one in (nobody, reader)}
        for path in guarded()
    }

    assert {path: codes for path, codes in found.items() if codes - {(302, 302), (301, 302)}} == {}


def test_no_list_is_edited_in_place():
    assert [one for one in admin.site._registry.values() if one.list_editable] == []


def test_rows_of_scores_are_updated_nowhere_but_in_services():
    scores = {
        "Evaluation",
        "ScoreChange",
        "Fact",
        "Alert",
        "Approval",
        "RescoreSet",
        "Review",
        "entries",
        "evaluations",
    }
    files = [one for app in ("config", "debates", "scoring", "judging") for one in (ROOT / app).rglob("*.py")]
    outside = [one for one in files if not {"services", "engine"} & set(one.parts) and "migrations" not in one.parts]

    found = [
        f"{file.name}:{call.lineno}"
        for file in outside
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        and call.func.attr in {"update", "bulk_update", "bulk_create", "delete"}
        and scores & {name for node in ast.walk(call.func.value) for name in _names(node)}
    ]  # fmt: skip

    assert len(outside) > 50
    assert found == []


def _names(node):
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, ast.Attribute):
        yield node.attr


# -- a frozen score does not move ------------------------------------------------------------------------------------


@pytest.fixture
def frozen():
    """A score under an override, frozen by Alice."""
    score, alice = factories.criterion(), factories.moderator()
    factories.count(score, "1")
    acts.override(order=factories.order(score, alice), value="8", now=NOW)
    acts.freeze(order=factories.order(score, alice), now=NOW)
    score.refresh_from_db()
    return score


def values(evaluation):
    return state(evaluation)[:5]


def test_the_engine_does_not_move_a_frozen_score(frozen):
    before = values(frozen)

    factories.count(frozen, "3")

    assert values(frozen) == before
    assert len(frozen.held) == 1


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda order, _: acts.override(order=order, value="2", now=NOW), id="override"),
        pytest.param(lambda order, _: acts.override(order=order, value="2", now=NOW), id="request"),
        pytest.param(lambda order, _: acts.lift(order=order, now=NOW), id="lift"),
        pytest.param(lambda order, one: acts.strike(order=order, facts=one.basis, now=NOW), id="strike"),
        pytest.param(lambda order, one: acts.reinstate(order=order, facts=one.basis, now=NOW), id="reinstate"),
        pytest.param(lambda order, _: acts.roll_back(order=order, target=1, now=NOW), id="roll back"),
    ],
)
def test_no_service_moves_a_frozen_score(frozen, act):
    before = state(frozen)

    with pytest.raises(DomainError) as caught:
        act(factories.order(frozen, factories.moderator("bob")), frozen)

    assert caught.value.code == "frozen"
    assert state(frozen) == before


@pytest.mark.parametrize("page", [one.name for one in PAGES if not one.name.startswith("unfreeze")])
def test_no_page_moves_a_frozen_score(frozen, page):
    before = state(frozen)

    send(client_of(factories.moderator("bob")), page, frozen, value="2", facts=frozen.basis, target=1)

    assert state(frozen) == before


def test_no_bulk_action_but_unfreeze_moves_a_frozen_score(frozen):
    before = state(frozen)
    client = client_of(factories.moderator("bob"))
    form = {"rows": f"{frozen.pk}:{frozen.moderation_version}", "reason": factories.REASON}

    for action in ("freeze", "rollback"):
        client.post(address("scoring_evaluation", f"bulk_{action}"), form)

    assert state(frozen) == before


def test_no_form_field_moves_a_frozen_score(frozen):
    before = state(frozen)

    client_of(factories.moderator("bob")).post(of_score("change", frozen), {"override_score": "2", "frozen_at": ""})

    assert state(frozen) == before


@pytest.mark.parametrize(
    "words",
    [
        ["override", "--value", "2"],
        ["lift"],
        ["strike", "--facts"],
        ["reinstate", "--facts"],
        ["rollback", "--to", "1"],
    ],
    ids=lambda words: words[0],
)
def test_no_command_moves_a_frozen_score(frozen, words):
    before = state(frozen)
    named = {"--as": "bob", "--reason": factories.REASON, "--seen": str(frozen.moderation_version)}
    facts = [str(frozen.facts.get().public_id)] if "--facts" in words else []
    factories.moderator("bob")

    with pytest.raises(CommandError, match="frozen"):
        call_command("moderate", *command([*words, *facts], frozen, named))

    assert state(frozen) == before


def command(words, evaluation, named):
    return [words[0], str(evaluation.public_id), *words[1:], *(part for pair in named.items() for part in pair)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE scoring_evaluation SET override_score = 2 WHERE id = %s",
        "UPDATE scoring_evaluation SET computed_score = 2 WHERE id = %s",
        "UPDATE scoring_evaluation SET frozen_at = NULL WHERE id = %s",
        "UPDATE scoring_evaluation SET basis = '{}' WHERE id = %s",
    ],
)
def test_no_statement_moves_a_frozen_score(frozen, statement):
    before = state(frozen)

    with pytest.raises(IntegrityError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, [frozen.pk])

    assert guard_of(caught.value) is not None
    assert state(frozen) == before
