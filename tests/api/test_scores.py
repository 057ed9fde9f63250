"""Scores through the API: read as they are and were, moderated with a version, done once."""

import threading
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring import selectors
from scoring.models import Evaluation, Fact, ScoreChange
from tests import acts, factories
from tests.api.clients import Api, code_of

pytestmark = pytest.mark.django_db
NOW = timezone.now
NOBODY = "00000000-0000-4000-8000-000000000000"
BECAUSE = {"reason": factories.REASON}


@pytest.fixture
def evaluation() -> Evaluation:
    made = factories.criterion(initial="6")
    factories.count(made, "1", "0.5")
    return made


@pytest.fixture
def alice() -> Api:
    return Api(factories.moderator())


def at(evaluation: Evaluation, action: str = "") -> str:
    return f"/evaluations/{evaluation.public_id}/{action}"


def seen(api: Api, evaluation: Evaluation) -> dict[str, str]:
    return {"If_Match": api.get(at(evaluation)).headers["ETag"]}


def test_a_score_is_shown_with_exact_numbers_and_its_facts(evaluation):
    told = Api().get(at(evaluation)).json()

    assert (told["initial"], told["computed"], told["override"], told["final"]) == ("6.00", "7.50", None, "7.50")
    assert [(one["amount"], one["state"], one["round"]) for one in told["facts"]] == [
        ("1.00", "counted", 1),
        ("0.50", "counted", 1),
    ]
    assert (told["state"], told["version"], told["moderation_version"]) == ("scored", 2, 0)


@pytest.mark.django_db(transaction=True)
def test_a_round_that_counts_while_a_score_is_read_is_in_all_of_the_answer_or_in_none(evaluation, monkeypatch):
    facts_with_state = selectors.facts_with_state

    def count() -> None:
        factories.count(evaluation, "0.5", number=2)
        connection.close()

    def late(**options):
        thread = threading.Thread(target=count)
        thread.start()
        thread.join()
        return facts_with_state(**options)

    monkeypatch.setattr(selectors, "facts_with_state", late)
    told = Api().get(at(evaluation)).json()

    assert (told["version"], [fact["state"] for fact in told["facts"]]) == (2, ["counted", "counted"])
    assert Evaluation.objects.get().version == 3


def test_what_is_not_evaluated_is_null_and_says_so():
    told = Api().get(at(factories.criterion())).json()

    assert (told["final"], told["computed"], told["state"], told["value"]) == (None, None, "unevaluated", "6.00")


def test_a_score_is_read_as_it_was(evaluation, alice):
    alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "3"}, **seen(alice, evaluation))
    entries = list(evaluation.entries.order_by("sequence"))

    opened = alice.get(at(evaluation), as_of_entry=1).json()
    played = alice.get(at(evaluation), as_of=entries[1].at.isoformat()).json()
    now = alice.get(at(evaluation)).json()

    assert [one["value"] for one in (opened, played, now)] == ["6.00", "7.50", "3.00"]
    assert [one["moderation_version"] for one in (opened, played, now)] == [0, 0, 3]
    alice.post(at(evaluation, "freeze/"), BECAUSE)
    frozen = alice.get(at(evaluation), as_of_entry=4).json()
    assert [one["last_score_update"] for one in (opened, frozen)] == [None, now["last_score_update"]]
    assert (opened["facts"], [one["state"] for one in played["facts"]]) == ([], ["counted", "counted"])
    assert code_of(alice.get(at(evaluation), as_of="2001-01-01T00:00:00Z")) == (404, "not_found")


def test_the_ledger_is_listed_with_reasons_for_all_and_names_for_those_who_may_view_it(evaluation, alice):
    alice.post(at(evaluation, "freeze/"), BECAUSE)

    mine = alice.get("/score-changes/", evaluation=str(evaluation.public_id)).json()["results"]
    theirs = Api().get("/score-changes/", evaluation=str(evaluation.public_id)).json()["results"]

    assert [one["kind"] for one in mine] == ["opened", "round", "freeze"]
    assert (mine[2]["actor"], mine[2]["reason"], mine[2]["actor_kind"]) == ("alice", factories.REASON, "api")
    assert (theirs[2]["actor"], theirs[2]["role"], theirs[2]["reason"]) == (None, "an administrator", factories.REASON)
    assert mine[1]["facts"] == [str(one) for one in evaluation.facts.order_by("pk").values_list("public_id", flat=True)]
    assert mine[1]["previous_hash"] == mine[0]["hash"]


@pytest.mark.parametrize(
    ("action", "body", "value"),
    [("override", {"value": "3.25"}, "3.25"), ("rollback", {"target": 1}, "6.00"), ("strike", {"facts": 1}, "7.00")],
)
def test_an_action_moves_the_score_and_answers_with_it(evaluation, alice, action, body, value):
    if "facts" in body:
        body = {"facts": [str(evaluation.facts.latest("pk").public_id)]}

    answer = alice.post(at(evaluation, f"{action}/"), {**BECAUSE, **body}, **seen(alice, evaluation))

    assert answer.status_code == 200
    assert answer.json()["evaluation"]["value"] == value
    assert [(one["kind"], one["sequence"]) for one in answer.json()["entries"]] == [(action, 3)]
    assert answer.headers["ETag"].startswith('"3-')


@pytest.mark.parametrize(("action", "body"), [("override", {"value": "6.5"}), ("freeze", {})])
def test_the_entry_that_an_action_answers_with_is_the_one_that_is_read_later(evaluation, alice, action, body):
    answer = alice.post(at(evaluation, f"{action}/"), {**BECAUSE, **body}, **seen(alice, evaluation))

    [entry] = answer.json()["entries"]
    assert (entry["computed_before"], entry["confidence_before"]) == ("7.50", "0.50")
    assert entry == alice.get(f"/score-changes/{entry['id']}/").json()


def test_a_whole_story_of_moderation(evaluation, alice):
    def act(action: str, body=None):
        answer = alice.post(at(evaluation, f"{action}/"), {**BECAUSE, **(body or {})}, **seen(alice, evaluation))
        assert answer.status_code == 200, answer.json()
        return answer.json()["evaluation"]["value"]

    fact = {"facts": [str(evaluation.facts.earliest("pk").public_id)]}
    values = [
        act("strike", fact), act("reinstate", fact), act("override", {"value": "9"}), act("lift"), act("freeze"),
        act("unfreeze", {"held": "apply", "then": {"value": "2"}}),
    ]  # fmt: skip

    assert values == ["6.50", "7.50", "9.00", "7.50", "7.50", "2.00"]
    assert set(
        ScoreChange.objects.filter(evaluation=evaluation, sequence__gt=2).values_list("actor_kind", flat=True)
    ) == {"api"}


def test_an_action_without_a_version_is_told_to_name_one(evaluation, alice):
    assert code_of(alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "3"})) == (428, "version_needed")


@pytest.mark.parametrize("tag", ["*", "3", '"x"', '"1", "2"', ""])
def test_a_version_that_is_none_is_refused(evaluation, alice, tag):
    answer = alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "3"}, If_Match=tag)

    assert code_of(answer) == (400, "bad_version")


def test_an_action_on_a_state_that_is_gone_says_who_changed_it(evaluation, alice):
    bob = Api(factories.moderator("bob"))
    looked = seen(bob, evaluation)
    alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "3"}, **seen(alice, evaluation))

    answer = bob.post(at(evaluation, "override/"), {**BECAUSE, "value": "4"}, **looked)

    assert code_of(answer) == (412, "stale")
    assert "alice" in answer.json()["detail"]


def test_a_round_counted_meanwhile_does_not_make_an_action_stale_and_a_weak_tag_is_as_good(evaluation, alice):
    looked = seen(alice, evaluation)["If_Match"]
    factories.count(evaluation, "0.5")

    answer = alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "3"}, If_Match=f"W/{looked}")

    assert answer.status_code == 200


def test_freezing_needs_no_version(evaluation, alice):
    assert alice.post(at(evaluation, "freeze/"), BECAUSE).json()["evaluation"]["frozen_at"] is not None


@pytest.mark.parametrize(
    ("tag", "told"),
    [
        pytest.param('"7"', (412, "stale"), id="one that is gone"),
        pytest.param("*", (400, "bad_version"), id="one that is none"),
        pytest.param('"0"', (200, None), id="the one it is"),
    ],
)
def test_a_freeze_that_names_a_version_is_checked_against_it(evaluation, alice, tag, told):
    answer = alice.post(at(evaluation, "freeze/"), BECAUSE, If_Match=tag)

    evaluation.refresh_from_db()
    assert (answer.status_code, answer.json().get("code")) == told
    assert (evaluation.frozen_at is not None) == (answer.status_code == 200)


@pytest.mark.parametrize(
    ("action", "body", "told"),
    [
        ("override", {"value": "11"}, (422, "out_of_range")),
        ("override", {"value": "3.123"}, (422, "out_of_range")),
        ("override", {"value": "lots"}, (422, "not_a_number")),
        ("override", {"value": 0.7}, (400, "invalid")),
        ("override", {}, (400, "invalid")),
        ("override", {"value": "3", "reason": "short"}, (422, "invalid")),
        ("override", {"value": "3", "reason": "half a \ud800 character, at least"}, (400, "invalid")),
        ("override", {"value": "3", "reason": "a NUL \x00 in a long reason"}, (400, "invalid")),
        ("lift", {}, (422, "invalid")),
        ("unfreeze", {"held": "apply"}, (409, "not_allowed_now")),
        ("unfreeze", {"held": "apply", "then": {"value": "2", "target": 1}}, (400, "invalid")),
        ("strike", {"facts": [NOBODY]}, (422, "invalid")),
        ("rollback", {"target": 2}, (422, "invalid")),
        ("rollback", {"target": 10**9}, (400, "invalid")),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(evaluation, alice, action, body, told):
    answer = alice.post(at(evaluation, f"{action}/"), {**BECAUSE, **body}, **seen(alice, evaluation))

    assert code_of(answer) == told
    assert evaluation.entries.count() == 2


@pytest.mark.parametrize(
    ("action", "body", "pointer"),
    [
        ("strike", {"facts": [NOBODY]}, "/facts/0"),
        ("unfreeze", {"held": "apply", "then": {"facts": [NOBODY]}}, "/then/facts/0"),
    ],
)
def test_a_ruling_that_is_none_of_this_score_is_pointed_to_also_in_a_further_step(
    evaluation, alice, action, body, pointer
):
    [fault] = alice.post(at(evaluation, f"{action}/"), {**BECAUSE, **body}, **seen(alice, evaluation)).json()["errors"]

    assert (fault["pointer"], fault["detail"]) == (pointer, f"facts: {NOBODY} is no fact of this score.")


@pytest.mark.parametrize(
    ("action", "body", "pointer"),
    [
        ("override", {"value": "11"}, "/value"),
        ("override", {"value": "lots"}, "/value"),
        ("strike", {"facts": ["held"]}, "/facts"),
        ("rollback", {"target": 99}, "/target"),
    ],
)
def test_an_input_that_a_score_refuses_is_pointed_to_also_in_a_further_step_and_its_preview(
    evaluation, alice, action, body, pointer
):
    acts.freeze(order=factories.order(evaluation, alice.owner, seen=None), now=NOW())
    factories.count(evaluation, "1", number=2)
    held = Fact.objects.get(pk__in=Evaluation.objects.get().held)
    body = {"facts": [str(held.public_id)]} if "facts" in body else body
    free = {**BECAUSE, "held": "discard"}

    refused = alice.post(at(evaluation, "unfreeze/"), {**free, "then": body}, **seen(alice, evaluation))
    shown = alice.post(at(evaluation, "preview/"), {"action": "unfreeze", "held": "discard", "then": body})
    alice.post(at(evaluation, "unfreeze/"), free, **seen(alice, evaluation))
    alone = alice.post(at(evaluation, f"{action}/"), {**BECAUSE, **body}, **seen(alice, evaluation))

    pointers = [[fault["pointer"] for fault in answer.json().get("errors", [])] for answer in (refused, shown, alone)]
    assert pointers == [[f"/then{pointer}"], [f"/then{pointer}"], [pointer]]


@pytest.mark.parametrize(
    ("action", "body", "name"),
    [
        ("undo", {"value": "7"}, "value"),
        ("undo", {"facts": [NOBODY]}, "facts"),
        ("undo", {"target": 1}, "target"),
        ("undo", {"then": {"value": "2"}}, "then"),
        ("freeze", {"value": "7"}, "value"),
        ("freeze", {"entry": 1}, "entry"),
        ("freeze", {"alone": True}, "alone"),
    ],
)
def test_a_preview_takes_nothing_that_means_nothing_to_its_action(evaluation, alice, action, body, name):
    acts.override(order=factories.order(evaluation, alice.owner), value="7", now=NOW())

    refused = alice.post(at(evaluation, "preview/"), {"action": action, **body})

    assert code_of(refused) == (422, "invalid")
    [fault] = refused.json()["errors"]
    assert (fault["pointer"], fault["detail"]) == (f"/{name}", f"{action} takes no {name}.")
    usual = {"action": action, "facts": [], "alone": False}
    assert alice.post(at(evaluation, "preview/"), usual).status_code == 200


@pytest.mark.parametrize("action", ["lift", "override_lifted"])
def test_a_preview_knows_an_action_by_its_address_and_by_the_kind_of_its_entry(evaluation, alice, action):
    acts.override(order=factories.order(evaluation, alice.owner), value="7", now=NOW())

    answer = alice.post(at(evaluation, "preview/"), {"action": action})

    assert (answer.status_code, answer.json()["then"]["value"]) == (200, answer.json()["then"]["computed"])


def test_a_body_that_is_no_object_is_refused(evaluation, alice):
    assert code_of(alice.post(at(evaluation, "freeze/"), ["a list"])) == (400, "invalid")
    broken = alice.client.post(
        f"/api/v1{at(evaluation, 'freeze/')}", "{", content_type="application/json", headers=alice.headers
    )
    assert code_of(broken) == (400, "parse_error")


def test_a_preview_shows_both_sides_and_writes_nothing(evaluation, alice):
    told = alice.post(at(evaluation, "preview/"), {"action": "rollback", "target": 1}).json()

    assert (told["now"]["value"], told["then"]["value"]) == ("7.50", "6.00")
    assert told["entries_undone"] == [2]
    assert len(told["facts_out"]) == 2
    assert evaluation.entries.count() == 2


def test_an_unfreeze_with_a_further_step_is_looked_at_as_one_change(evaluation, alice, settings):
    acts.freeze(order=factories.order(evaluation, User.objects.get(username="alice")), now=NOW())
    asked = {"action": "unfreeze", "held": "apply", "then": {"value": "1"}}

    told = alice.post(at(evaluation, "preview/"), asked).json()
    strange = alice.post(at(evaluation, "preview/"), {**asked, "action": "freeze"})
    settings.SECOND_PERSON_FROM = Decimal(2)
    too_far = alice.post(at(evaluation, "preview/"), asked)

    assert (told["then"]["value"], told["then"]["frozen"]) == ("1.00", False)
    assert code_of(strange) == (422, "invalid")
    assert code_of(too_far) == (409, "needs_second_person")
    assert evaluation.entries.count() == 3


def test_a_preview_names_the_request_that_would_become_void(evaluation, alice, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    freeze = {"action": "freeze"}
    assert alice.post(at(evaluation, "preview/"), freeze).json()["approval_voided"] is None
    asked = alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "1"}, **seen(alice, evaluation)).json()

    told = alice.post(at(evaluation, "preview/"), freeze).json()

    assert told["approval_voided"] == {"id": asked["id"], "value": "1.00"}


def test_an_entry_says_who_approved_it_in_which_role_and_why(evaluation, alice, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    asked = alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "1"}, **seen(alice, evaluation)).json()
    Api(factories.moderator("bob")).post(f"/approvals/{asked['id']}/approve/", {"reason": "I have read it, too."})

    def approved(api):
        return [entry["approved_by"] for entry in api.get("/moderation/").json()["results"]]

    due = {"role": "an administrator", "name": None, "by_organiser": False, "reason": "I have read it, too."}
    assert approved(Api()) == [due]
    settings.NAME_MODERATORS = True
    assert [row["name"] for row in approved(Api())] == ["bob"]
    acts.lift(order=factories.order(evaluation, User.objects.get(username="alice")), now=NOW())
    assert [row and row["name"] for row in approved(Api())] == [None, "bob"]


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": "freeze-1"}], ids=["once", "under a key"])
def test_an_entry_that_made_a_request_void_was_approved_by_nobody(headers, evaluation, alice, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "1"}, **seen(alice, evaluation))

    frozen = alice.post(at(evaluation, "freeze/"), BECAUSE, **seen(alice, evaluation), **headers)

    assert (frozen.status_code, evaluation.entries.get(kind="freeze").approval.state) == (200, "void")
    [listed] = Api().get("/moderation/").json()["results"]
    assert (listed["kind"], listed["approved_by"]) == ("freeze", None)


def test_a_large_override_waits_for_somebody_else(evaluation, alice, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    bob = Api(factories.moderator("bob"))

    asked = alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "1"}, **seen(alice, evaluation))
    own = alice.post(f"/approvals/{asked.json()['id']}/approve/", BECAUSE)
    done = bob.post(f"/approvals/{asked.json()['id']}/approve/", BECAUSE)

    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    assert code_of(own) == (403, "same_person")
    assert (done.status_code, done.json()["evaluation"]["value"]) == (200, "1.00")
    assert [one["state"] for one in bob.get("/approvals/", state="approved").json()["results"]] == ["approved"]


def test_a_request_is_refused_by_who_may_approve_alone_and_taken_back_by_who_asked_whatever_rights_they_have(
    evaluation, alice, settings
):
    settings.SECOND_PERSON_FROM = Decimal(2)
    readers = {}
    for name in ("approve_override", "view_approval", "override_evaluation"):
        person = factories.person(name)
        person.user_permissions.add(Permission.objects.get(codename=name))
        readers[name] = Api(person)

    def ask() -> str:
        asked = alice.post(at(evaluation, "override/"), {**BECAUSE, "value": "1"}, **seen(alice, evaluation))
        return f"/approvals/{asked.json()['id']}/refuse/"

    waiting = ask()
    seeing, unseeing = (readers[name].post(waiting, BECAUSE) for name in ("view_approval", "override_evaluation"))
    refused = readers["approve_override"].post(waiting, BECAUSE)
    again = ask()
    User.objects.filter(pk=alice.owner.pk).update(is_superuser=False, is_staff=False)
    taken_back = alice.post(again, BECAUSE)

    assert (code_of(seeing), code_of(unseeing)) == ((403, "not_permitted"), (404, "not_found"))
    assert (refused.status_code, refused.json()["state"]) == (200, "refused")
    assert (taken_back.status_code, taken_back.json()["state"]) == (200, "refused")


def test_many_scores_are_frozen_at_once_or_none_is(alice):
    one, two = factories.criterion(), factories.criterion()
    rows = [{"evaluation": str(each.public_id)} for each in (one, two)]

    done = alice.post("/evaluations/bulk/", {**BECAUSE, "action": "freeze", "evaluations": rows})
    again = alice.post("/evaluations/bulk/", {**BECAUSE, "action": "freeze", "evaluations": rows})

    assert [each["frozen_at"] is not None for each in done.json()["evaluations"]] == [True, True]
    assert code_of(again) == (409, "bulk_refused")
    assert {each["code"] for each in again.json()["refused"]} == {"frozen"}
    assert set(again.json()["refused"][0]) == {"evaluation", "name", "code", "why"}


def test_a_rescore_set_is_staged_and_applied_or_cancelled_whole(evaluation, alice):
    rows = [{"evaluation": str(evaluation.public_id), "seen": 0}]
    body = {**BECAUSE, "action": "rollback", "evaluations": rows}

    first = alice.post("/rescore-sets/", body).json()
    cancelled = alice.post(f"/rescore-sets/{first['id']}/cancel/", BECAUSE).json()
    second = alice.post("/rescore-sets/", body).json()
    applied = alice.post(f"/rescore-sets/{second['id']}/apply/").json()

    assert (first["lines"][0]["value_before"], first["lines"][0]["value_after"]) == ("7.50", "6.00")
    assert (cancelled["state"], applied["state"]) == ("cancelled", "applied")
    assert alice.get(at(evaluation)).json()["value"] == "6.00"


def test_the_entries_of_a_rescore_set_carry_the_code_that_was_given_with_its_reason(evaluation, alice):
    body = {"action": "freeze", "evaluations": [{"evaluation": str(evaluation.public_id)}], **BECAUSE}

    coded = alice.post("/rescore-sets/", {**body, "reason_code": "data_error"}).json()
    plain = alice.post("/rescore-sets/", body).json()
    alice.post(f"/rescore-sets/{coded['id']}/apply/")

    assert (coded["reason_code"], plain["reason_code"]) == ("data_error", "")
    assert evaluation.entries.get(kind="freeze").reason_code == "data_error"


def test_a_rescore_set_is_applied_without_the_scores_that_are_left_out(evaluation, alice):
    other = factories.criterion(evaluation.debate, key="P9", initial="6")
    factories.count(other, "1")
    rows = [{"evaluation": str(one.public_id), "seen": 0} for one in (evaluation, other)]
    kept = alice.post("/rescore-sets/", {**BECAUSE, "action": "rollback", "evaluations": rows}).json()
    acts.freeze(order=factories.order(other, factories.moderator("bob"), seen=None), now=timezone.now())

    refused = alice.post(f"/rescore-sets/{kept['id']}/apply/")
    strange = alice.post(f"/rescore-sets/{kept['id']}/apply/", {"leave_out": [kept["id"]]})
    [named] = refused.json()["refused"]
    applied = alice.post(f"/rescore-sets/{kept['id']}/apply/", {"leave_out": [named["evaluation"]]}).json()

    assert (refused.status_code, strange.status_code) == (409, 422)
    assert (applied["state"], applied["left_out"]) == ("applied", [str(other.public_id)])
    assert alice.get(at(other)).json()["value"] == "7.00"


def test_a_rescore_set_with_a_score_of_a_debate_that_one_may_not_read_is_not_there(evaluation, alice):
    bob = Api(factories.person("bob", permissions=["view_rescoreset", "freeze_evaluation"]))
    hidden = factories.criterion()
    hidden.debate.visibility = "private"
    hidden.debate.save()
    sets = []
    for scores in ([evaluation], [evaluation, hidden]):
        rows = [{"evaluation": str(one.public_id)} for one in scores]
        sets.append(alice.post("/rescore-sets/", {**BECAUSE, "action": "freeze", "evaluations": rows}).json()["id"])
    mine, theirs = (f"/rescore-sets/{kept}/" for kept in sets)

    lists = [[row["id"] for row in api.get("/rescore-sets/").json()["results"]] for api in (alice, bob)]
    asked = [bob.get(theirs), bob.post(f"{theirs}apply/"), bob.post(f"{theirs}cancel/", BECAUSE)]
    strange = bob.post(f"{mine}apply/", {"leave_out": [str(hidden.public_id)]})

    assert lists == [sets[::-1], sets[:1]]
    assert [code_of(answer) for answer in asked] == [(404, "not_found")] * 3
    assert strange.json()["detail"] == f"leave_out: this set has no {hidden.public_id}."
    assert (bob.get(mine).status_code, bob.post(f"{mine}apply/").status_code) == (200, 200)
    assert alice.post(f"{theirs}cancel/", BECAUSE).status_code == 200


def test_a_rescore_set_with_a_score_of_an_unlisted_debate_is_listed(alice):
    row = factories.criterion()
    row.debate.visibility = "unlisted"
    row.debate.save()

    body = {**BECAUSE, "action": "freeze", "evaluations": [{"evaluation": str(row.public_id)}]}
    staged = alice.post("/rescore-sets/", body).json()["id"]

    assert [kept["id"] for kept in alice.get("/rescore-sets/").json()["results"]] == [staged]


def test_the_list_of_scores_costs_the_same_for_one_row_and_for_many(alice):
    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            assert alice.get("/evaluations/").status_code == 200
        return len(counted)

    factories.criterion()
    queries()  # notes the use of the key
    few = queries()
    for _ in range(4):
        factories.count(factories.criterion(), "1")

    assert queries() == few
