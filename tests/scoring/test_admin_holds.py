"""Nothing gets past the desk: no path moves a frozen score. That every page asks for a right, ``matrix.txt`` says."""

import ast
from pathlib import Path

import pytest
from django.contrib import admin
from django.core.management import CommandError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from scoring.admin.actions import PAGES
from scoring.constraint_errors import guard_of
from scoring.enums import EntryKind
from scoring.errors import DomainError
from scoring.services.actions import ACTIONS
from tests import acts, factories
from tests.api.clients import Api
from tests.judging.moderation_paths import Scene, by_api, by_command, by_service
from tests.moderators import address, client_of, of_score, send, state, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
ROOT = Path(__file__).resolve().parents[2]
DOORS = {"service": by_service, "API": by_api, "command": by_command}


def test_no_list_is_edited_in_place():
    assert [one for one in admin.site._registry.values() if one.list_editable] == []


def test_rows_of_scores_are_updated_nowhere_but_in_services():
    scores = {
        "Evaluation",
        "ScoreChange",
        "Fact",
        "Alert",
        "Appeal",
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


@pytest.mark.parametrize("kind", [kind for kind in ACTIONS if kind is not EntryKind.UNFREEZE])
@pytest.mark.parametrize("door", DOORS)
def test_no_act_moves_a_frozen_score_by_service_api_or_command_and_its_refusal_names_the_freeze(frozen, kind, door):
    before, carol = state(frozen), factories.moderator("carol")
    scene = Scene(carol, carol, frozen.debate, frozen, client_of(carol), Api(carol))
    named = "P1 Problem clarity is frozen since .* Unfreeze it first."

    with pytest.raises((DomainError, CommandError, AssertionError), match=named) as caught:
        DOORS[door](kind)(scene)

    if door == "service":
        assert caught.value.code == "frozen"
    if door == "API":
        status, told = caught.value.args[0]
        assert (status, told["code"]) == (409, "frozen")
    assert state(frozen) == before


@pytest.mark.parametrize("page", [one.name for one in PAGES if not one.name.startswith("unfreeze")])
def test_no_page_moves_a_frozen_score(frozen, page):
    before = state(frozen)

    told = send(client_of(factories.moderator("bob")), page, frozen, value="2", facts=frozen.basis, target=1)

    assert "Nothing was changed." in told
    assert ("Unfreeze it first." in told) is (page != "reinstate"), "nothing is struck that could be reinstated"
    assert state(frozen) == before


def test_no_bulk_action_but_unfreeze_moves_a_frozen_score(frozen):
    before = state(frozen)
    client = client_of(factories.moderator("bob"))
    form = {"rows": f"{frozen.pk}:{frozen.moderation_version}", "reason": factories.REASON}

    for action in ("freeze", "rollback"):
        told = words(client.post(address("scoring_evaluation", f"bulk_{action}"), form))
        assert "Nothing was done, because 1 of 1 refuse: P1 Problem clarity: P1 Problem clarity is frozen" in told

    assert state(frozen) == before


def test_no_form_field_moves_a_frozen_score(frozen):
    before = state(frozen)

    fields = {"override_score": "2", "frozen_at": ""}
    answer = client_of(factories.moderator("bob")).post(of_score("change", frozen), fields)

    assert answer.status_code == 403
    assert state(frozen) == before


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
