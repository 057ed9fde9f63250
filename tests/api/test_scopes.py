"""Every operation tried by every role: the table says who is the least that gets in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from debates.models import Delivery, Participant
from scoring import groups
from tests import factories, playing, rows_in_every_table
from tests.api import path_rows
from tests.api.clients import Api
from tests.judging.formats.panel.seats import PERSON, waits
from tests.module_fixtures import nested

pytestmark = pytest.mark.django_db
MANY = {
    "action": "freeze",
    "reason": factories.REASON,
    "evaluations": [{"evaluation": "00000000-0000-4000-8000-000000000000"}],
}
ROLES = ("nobody", "person", groups.AUDITOR, groups.MODERATOR, groups.SENIOR, "superuser")
LEAST: Mapping[str, str] = {
    "nobody": """
        challenges consensuses debates events all_events one_debate result evaluations one_evaluation facts judge_scores
        participants one_participant reports one_report result_schema rounds one_round rubrics one_rubric
        rubric_versions index one_score_change
        score_changes subjects one_subject threads one_thread turns one_turn verdicts one_verdict
        awaited_turns one_awaited_turn
        response_evaluations one_response_evaluation effects states standings score_account_document moderation_log
        appeals one_appeal
    """,
    "person": """
        api_keys revoke_api_key deliveries redeliver take_seat webhooks one_webhook disable_webhook
        enable_webhook rotate_secret update_webhook delete_webhook test_webhook declare_conflict withdraw_conflict
        file_appeal
    """,
    groups.AUDITOR: """
        alerts one_alert approvals one_approval preview_action figures rescore_sets one_rescore_set reviews
        one_review conflicts one_conflict undo
    """,
    groups.MODERATOR: """
        add_remark remarks handle_alert handle_alerts freeze unfreeze lift override strike reinstate bulk
        stage_rescore_set
        export_evaluations export_events export_ledger export_transcripts export_verdicts claim_review release_review
        settle_review register_webhook pause_debate resume_debate replace_judge
        claim_appeal release_appeal decide_appeal
    """,
    groups.SENIOR: """
        approve refuse create_debate start_debate stop_debate cancel_debate
        complete_debate complete_thread post_round rerun_debate retry_synthesis roll_back_debate roll_back
        apply_rescore_set cancel_rescore_set store_rubric invite change_visibility move_deadline
    """,
}
"""The least role that gets in, and where. A role of the desk may do all that those before it may.

Undo asks inside for the permission of what is undone: the last act on a score may be any.
"""
OF_ANOTHER: Mapping[str, tuple[str, ...]] = {
    "one_webhook": ROLES[2:],
    **dict.fromkeys(
        (
            "redeliver",
            "disable_webhook",
            "enable_webhook",
            "rotate_secret",
            "update_webhook",
            "delete_webhook",
            "test_webhook",
        ),
        ROLES[4:],
    ),
    "revoke_api_key": (),
}
"""Who besides its owner gets in to what belongs to somebody: the desk sees webhooks, and seniors may change them."""
OF_ONE: Mapping[str, list[str]] = {
    "speak": ["seated"], "give_ballot": ["seated"], "ballot_paper": ["seated"], "withdraw_appeal": [],
}  # fmt: skip
"""What one person alone may do, whatever else somebody may: who sits there; who appealed, which is none of these."""


@pytest.fixture
def callers() -> Mapping[str, Api]:
    made = {"nobody": Api(), "person": Api(factories.person("person"))}
    for name in (groups.AUDITOR, groups.MODERATOR, groups.SENIOR):
        user = factories.person(name)
        user.groups.add(Group.objects.get(name=name))
        made[name] = Api(type(user).objects.get(pk=user.pk))
    return {**made, "superuser": Api(factories.moderator("root")), "seated": Api(factories.person("seated"))}


def operations() -> Iterator[tuple[str, str, str]]:
    """Every operation: its name, method and address."""
    paths: Any = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    for path, methods in paths.items():
        for method, about in methods.items():
            if not path.endswith("/schema/"):
                yield about["operationId"], method.upper(), path


def address(path: str, *, whose: User | None = None) -> str:
    """An address of something that is there, in a public debate; of what belongs to somebody, theirs."""
    return path.removeprefix("/api/v1").format(**path_rows.names(path, whose=whose))


def status(api: Api, method: str, path: str, *, whose: User | None = None) -> int:
    """What somebody is answered; without another owner they ask about what is their own."""
    body = MANY if path.endswith(("/bulk/", "/rescore-sets/")) else {}
    at = address(path, whose=whose or api.owner)
    with nested():
        answer = api.get(at) if method == "GET" else api.post(at, body, method=method, If_Match='"0"')
        transaction.set_rollback(method == "DELETE")  # what comes next is about the same row
    return int(answer.status_code)


def gets_in(api: Api, method: str, path: str, *, whose: User | None = None) -> bool:
    """Whether somebody is let in; every row is there, so that what is not found is kept from them."""
    return status(api, method, path, whose=whose) not in {401, 403, 404}


def test_every_operation_lets_in_who_it_should_and_nobody_less(callers):
    waits([], sits=[PERSON])
    debate = rows_in_every_table.one("first")
    for api in callers.values():
        if api.owner:
            rows_in_every_table.told_outside(debate, api.owner)
    playing.debate(playing.script([[playing.ruling("1")]]))
    Participant.objects.filter(awaited__isnull=False).update(user=User.objects.get(username="seated"))
    found = {}
    for name, method, path in operations():
        if name in OF_ONE:
            assert [role for role in callers if gets_in(callers[role], method, path)] == OF_ONE[name]
            continue
        inside = [role for role in ROLES if gets_in(callers[role], method, path)]
        assert inside == list(ROLES[ROLES.index(inside[0]) :]), (name, inside)
        found[name] = inside[0]

    wanted = {name: role for role, names in LEAST.items() for name in names.split()}
    assert found == wanted


def test_what_belongs_to_somebody_is_theirs_and_not_there_for_a_stranger(callers):
    alice = Api(factories.person("alice"))
    rows_in_every_table.told_outside(rows_in_every_table.one("first"), alice.owner)
    Delivery.objects.update(state="delivered", due_at=None, settled_at=timezone.now())

    own, others = {}, {}
    for name, method, path in operations():
        if path_rows.resource(path) in path_rows.OWNED and "{id}" in path:
            own[name] = status(alice, method, path)
            others[name] = tuple(role for role in ROLES if gets_in(callers[role], method, path, whose=alice.owner))
            assert status(callers["person"], method, path, whose=alice.owner) == 404, name

    assert own == {**dict.fromkeys(OF_ANOTHER, 200), "delete_webhook": 204}
    assert others == OF_ANOTHER


def test_what_went_wrong_with_a_debate_is_told_to_its_creator_and_to_moderators():
    alice = factories.person("alice")
    words = "The synthesis failed: model x at 10.0.0.7 says quota"
    made = factories.debate(status="failed", problem=words, stop_reason=words, created_by=alice)
    desk = [factories.person(one, permissions=[one]) for one in ("debates.change_debate", "scoring.view_alert")]

    def told(person: User | None) -> set[str]:
        api = Api(person)
        [listed] = api.get("/debates/").json()["results"]
        shown = api.get(f"/debates/{made.public_id}/").json()
        return {one[name] for one in (shown, listed) for name in ("problem", "stop_reason")}

    assert [told(one) for one in (alice, *desk)] == [{words}] * 3
    assert [told(one) for one in (None, factories.person("bob", permissions=["debates.view_debate"]))] == [{""}] * 2
