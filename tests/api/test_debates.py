"""Debates through the API: found by those who may, created, conducted, played elsewhere, and what they came to."""

import json
from pathlib import Path
from urllib.parse import quote

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates import event_log
from debates.models import Debate, Participant
from debates.types import Audience, News
from judging.engine import external_play, lifecycle
from judging.engine.calls import ERASED_BEFORE
from judging.engine.external_play import PartRejected
from judging.models import Call, Verdict
from scoring import verify
from scoring.models import Actor, Evaluation, ScoreChange
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.judging.erasure.erase import erase

pytestmark = pytest.mark.django_db
BECAUSE = {"reason": factories.REASON}
WANTED = {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small", "rounds": 2}
FIRST = {"P1": {"score": "6", "confidence": "0.5"}, "P2": {"score": "4.5"}}


@pytest.fixture
def alice() -> Api:
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    return Api(factories.person("alice", permissions=["debates.add_debate"]))


def ruling(adjustment: str, impact: str = "0.1", challenge: str = "C1", **more: str) -> dict[str, str]:
    return playing.ruling(adjustment, impact, challenge=challenge, **more)


def a_round(number: int, *verdicts: dict[str, str], **more) -> dict[str, object]:
    """A round in which every verdict answers a defence."""
    raised = [{"persona": "skeptic", "severity": "significant", "text": f"Why {one['challenge']}?"} for one in verdicts]
    defences = [{"challenge": one["challenge"], "reply": "defend", "text": "Because."} for one in verdicts]
    first = {"challenges": raised} if number == 1 else {}
    return {"number": number, **first, "defences": defences, "verdicts": list(verdicts), **more}


def elsewhere(api: Api, **more) -> str:
    """The address of a started debate that is conducted elsewhere."""
    made = api.post("/debates/", {**WANTED, "conducted_by": "external", "initial": FIRST, **more})
    assert made.status_code == 201, made.json()
    address = f"/debates/{made.json()['id']}/"
    assert api.post(f"{address}start/").json()["status"] == "running"
    return address


def test_a_debate_is_created_started_and_conducted(alice):
    made = alice.post("/debates/", {**WANTED, "initial": FIRST, "limits": {"calls": 10, "money": "1.5"}}).json()
    address = f"/debates/{made['id']}/"

    plain = [alice.post(f"{address}{action}/").json()["status"] for action in ("start", "pause", "resume")]
    statuses = [made["status"], *plain, alice.post(f"{address}stop/", BECAUSE).json()["status"]]

    assert statuses == ["draft", "running", "paused", "running", "concluding"]
    assert made["limits"] == {"money": "1.50", "tokens": None, "calls": 10}
    assert alice.get("/evaluations/", debate=made["id"]).json()["results"][1]["initial"] == "6.00"
    assert code_of(alice.post(f"{address}start/")) == (409, "not_allowed_now")


def test_a_debate_may_have_several_criteria_assessed_by_one_question(alice):
    made = alice.post("/debates/", {**WANTED, "criteria_per_assessment": 2}).json()

    assert Debate.objects.get(public_id=made["id"]).parameters["play"]["criteria_per_assessment"] == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rubric": "nothing"}, (404, "not_found")),
        ({"rounds": 9}, (400, "invalid")),
        ({"criteria_per_assessment": 11}, (400, "invalid")),
        ({"criteria": ["X9"]}, (422, "invalid")),
        ({"initial": {"P1": {"score": "6"}}}, (422, "invalid")),
        ({"initial": {"P1": {"score": "11"}, "P2": {"score": "1"}}}, (422, "out_of_range")),
        ({"provider": "oracle"}, (422, "invalid")),
        ({"limits": {"money": "0"}}, (422, "out_of_range")),
        ({"conducted_by": "external"}, (422, "invalid")),
        ({"conducted_by": "external", "initial": FIRST, "limits": {"calls": 1}}, (422, "invalid")),
        ({"conducted_by": "external", "initial": FIRST, "personas": ["skeptic"]}, (422, "invalid")),
        ({"conducted_by": "external", "initial": FIRST, "criteria_per_assessment": 2}, (422, "invalid")),
        ({"title": ""}, (400, "invalid")),
    ],
)
def test_a_debate_that_cannot_be_is_refused_and_leaves_nothing(alice, change, told):
    assert code_of(alice.post("/debates/", {**WANTED, **change})) == told
    assert Debate.objects.count() == 0


def test_a_new_debate_says_what_judging_it_in_both_orders_will_cost(alice):
    made = alice.post("/debates/", {**WANTED, "initial": FIRST, "fairness": {"swap": True, "repeats": 3}})
    once = alice.post("/debates/", {**WANTED, "initial": FIRST})
    even = alice.post("/debates/", {**WANTED, "fairness": {"repeats": 2}})

    assert made.json()["cost"] == {"calls": 33, "extra_calls": 20, "extra_tokens": None, "extra_money": None}
    assert once.json()["cost"] == {"calls": 13, "extra_calls": 0, "extra_tokens": 0, "extra_money": "0.00"}
    assert (even.status_code, "repeats" in str(even.json())) == (400, True)


def test_creating_takes_the_permission_and_conducting_the_creator(alice):
    bob = Api(factories.person("bob"))
    address = f"/debates/{alice.post('/debates/', WANTED).json()['id']}/"

    assert code_of(bob.post("/debates/", WANTED)) == (403, "not_permitted")
    assert code_of(Api().post("/debates/", WANTED)) == (401, "not_authenticated")
    assert code_of(bob.post(f"{address}start/")) == (403, "not_permitted")


def test_a_private_debate_is_there_for_its_creator_its_participants_and_who_may_view_debates():
    alice, bob, carol = (factories.person(name) for name in ("alice", "bob", "carol"))
    seer = factories.person("seer", permissions=["debates.view_debate"])
    made = factories.debate(visibility="private", created_by=alice)
    Participant.objects.create(debate=made, role="chair", kind="human", name="Bob", user=bob)
    factories.count(factories.criterion(made), "1")
    paths = [
        f"/debates/{made.public_id}/", f"/debates/{made.public_id}/events/", f"/debates/{made.public_id}/result/",
        f"/evaluations/{Evaluation.objects.get().public_id}/", f"/threads/{made.threads.get().public_id}/",
        f"/subjects/{made.subject.public_id}/",
    ]  # fmt: skip
    lists = [
        "/debates/",
        "/evaluations/",
        "/score-changes/",
        "/facts/",
        "/threads/",
        "/rounds/",
        "/participants/",
        "/subjects/",
    ]

    def seen(person) -> tuple[set[int], set[bool]]:
        api = Api(person)
        return (
            {api.get(path).status_code for path in paths if "result" not in path},
            {bool(api.get(path).json()["results"]) for path in lists},
        )

    assert [seen(one) for one in (alice, bob, seer)] == [({200}, {True})] * 3
    assert [seen(one) for one in (carol, None)] == [({404}, {False})] * 2


def test_an_unlisted_debate_is_read_by_who_names_it_and_found_in_no_list():
    made = factories.debate(visibility="unlisted")
    factories.criterion(made)
    api = Api()

    assert api.get(f"/debates/{made.public_id}/").status_code == 200
    assert len(api.get("/evaluations/", debate=str(made.public_id)).json()["results"]) == 1
    assert [api.get(path).json()["results"] for path in ("/debates/", "/evaluations/")] == [[], []]
    assert code_of(api.get("/evaluations/", debate="")) == (400, "invalid")


def test_events_are_read_after_a_number_and_only_by_those_they_are_for():
    made = factories.debate()
    handled = News("alert:handled", {"alert": str(made.public_id), "state": "dismissed"}, Audience.MODERATORS)
    news = [News("debate:paused", {}), handled, News("debate:resumed", {})]
    event_log.append(debate_id=made.pk, news=news, now=timezone.now())
    path = f"/debates/{made.public_id}/events/"

    everybody = Api().get(path).json()
    moderator = Api(factories.moderator()).get(path, after=1, limit=1).json()
    later = Api().get(path, after=3).json()

    assert ([one["seq"] for one in everybody["events"]], everybody["through"], everybody["head"]) == ([1, 3], 3, 3)
    assert ([one["seq"] for one in moderator["events"]], moderator["through"]) == ([2], 2)
    assert (later["events"], later["through"]) == ([], 3)


def test_a_debate_that_is_played_elsewhere_is_scored_here(alice):
    address = elsewhere(alice)

    first = alice.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1.5"), ruling("-0.25", "-0.1", "C2")))
    second = alice.post(
        f"{address}threads/P1/rounds/",
        {**a_round(2, ruling("0.5")), "presses": [{"challenge": "C1", "text": "Still why?"}]},
    )
    early = alice.post(f"{address}threads/P2/complete/")
    done = alice.post(f"{address}complete/", {"summary": "It holds."})

    assert (first.status_code, first.json()["value"], first.json()["confidence"]) == (201, "7.25", "0.50")
    assert (second.json()["value"], second.json()["complete"]) == ("7.75", True)
    assert (early.json()["final"], early.json()["state"]) == ("4.50", "scored")
    assert (done.json()["status"], done.json()["partial"]) == ("concluded", True)
    assert alice.get(f"{address}result/").json()["synthesis"] == "It holds."
    assert ProcrastinateJob.objects.count() == 0
    assert set(Call.objects.values_list("provider", flat=True)) == {"external"}


def test_what_is_open_may_be_answered_elsewhere_without_being_pressed_anew(alice):
    rounds = f"{elsewhere(alice)}threads/P1/rounds/"

    alice.post(rounds, a_round(1, ruling("1.5")))
    second = alice.post(rounds, a_round(2, ruling("0.5")))

    assert (second.status_code, second.json()["value"]) == (201, "8.00")


@pytest.mark.parametrize("code", ["UX/UI", "a/rounds", "complete", "two\nlines"])
def test_a_criterion_is_played_elsewhere_whatever_its_code(alice, code):
    rubric_store.store(snapshot={**playing.rubric("P1", code), "slug": "other"}, by=None)
    address = elsewhere(alice, rubric="other", initial={"P1": {"score": "6"}, code: {"score": "4.5"}})

    first = alice.post(f"{address}threads/{quote(code)}/rounds/", a_round(1, ruling("1.5")))
    second = alice.post(f"{address}threads/{quote(code, safe='')}/rounds/", a_round(2))
    early = alice.post(f"{address}threads/P1/complete/")

    assert (first.status_code, first.json()["key"], first.json()["value"]) == (201, code, "6.00")
    assert (second.status_code, second.json()["complete"]) == (201, True)
    assert (early.status_code, early.json()["key"]) == (200, "P1")


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        pytest.param({"verdicts": [ruling("3.5")]}, "answer_rejected", "/verdicts/0/adjustment",
                     id="an adjustment outside its limits"),
        pytest.param({"verdicts": [ruling("1", "0.4")]}, "answer_rejected", "/verdicts/0/impact",
                     id="an impact outside its limits"),
        pytest.param({"verdicts": [ruling("1.005")]}, "answer_rejected", "/verdicts/0/adjustment",
                     id="too many places"),
        pytest.param({"verdicts": [ruling("much")]}, "answer_rejected", "/verdicts/0/adjustment", id="no number"),
        pytest.param({"verdicts": [ruling("1", challenge="C9")]}, "answer_rejected", "/verdicts/0/challenge",
                     id="an unknown challenge"),
        pytest.param({"verdicts": [ruling("1"), ruling("1")]}, "answer_rejected", "/verdicts/1/challenge",
                     id="a challenge judged twice"),
        pytest.param({"verdicts": []}, "invalid", "/verdicts", id="a defence without a verdict"),
        pytest.param({"defences": []}, "invalid", "/verdicts", id="a verdict without a defence"),
        pytest.param({"challenges": []}, "answer_rejected", "/defences/0/challenge", id="no challenge"),
        pytest.param({"challenges": [], "defences": [], "verdicts": []}, "invalid", "/challenges", id="nothing"),
        pytest.param({"presses": [{"challenge": "C1", "text": "?"}]}, "invalid", "/presses", id="a press in round 1"),
        pytest.param({"challenges": [{"persona": "skeptic", "text": "Why?"}] * 4}, "invalid", "/challenges",
                     id="more challenges than are put"),
        pytest.param({"challenges": [{"persona": "oracle", "text": "Why?"}]}, "answer_rejected",
                     "/challenges/0/persona", id="a strange persona"),
        pytest.param({"challenges": [{"persona": "skeptic", "text": "\u200b"}]}, "answer_rejected",
                     "/challenges/0/text", id="a challenge that nobody sees"),
        pytest.param({"verdicts": [{**ruling("1"), "reasoning": "\u2800"}]}, "answer_rejected",
                     "/verdicts/0/reasoning", id="a reason that nobody sees"),
    ],
)  # fmt: skip
def test_a_round_is_checked_like_the_engines_and_of_a_bad_one_only_the_failed_judgement_is_kept(
    alice, change, code, pointer
):
    address = elsewhere(alice)

    answer = alice.post(f"{address}threads/P1/rounds/", {**a_round(1, ruling("1")), **change}, Idempotency_Key="1")

    kept = [(call.outcome, call.problem) for call in Call.objects.all()]
    assert code_of(answer) == (422, code)
    assert [fault["pointer"] for fault in answer.json()["errors"]] == [pointer]
    assert (Verdict.objects.count(), ScoreChange.objects.filter(kind="round").count()) == (0, 0)
    assert kept == ([("rejected", answer.json()["detail"])] if code == "answer_rejected" else [])


def test_a_challenge_that_cannot_be_used_is_named_by_its_place(alice):
    address, good = elsewhere(alice), {"persona": "skeptic", "text": "Why?"}

    answer = alice.post(
        f"{address}threads/P1/rounds/",
        {**a_round(1, ruling("1")), "challenges": [good, good, {"persona": "oracle", "text": "Why?"}]},
    )

    assert answer.json()["detail"].startswith("challenges, 3: persona must be one of ")


@pytest.mark.slow
def test_a_part_that_is_refused_is_kept_without_words_where_they_were_erased_meanwhile(alice):
    debate = Debate.objects.get(public_id=elsewhere(alice).split("/")[2])
    challenge = {"persona": "skeptic", "severity": "minor", "text": "Why?"}
    posted = external_play.Posted(number=1, challenges=[{**challenge, "persona": "Bob Quillon"}])
    with pytest.raises(PartRejected) as refused:
        external_play.post_round(debate_id=debate.pk, key="P1", by=alice.owner, posted=posted, now=timezone.now())
    lifecycle.cancel(debate_id=debate.pk, by=alice.owner, now=timezone.now())
    erase(debate, factories.person("root", superuser=True))

    call = external_play.keep_rejected(refused=refused.value, by=alice.owner, now=timezone.now())

    assert (call.outcome, call.raw_answer, call.problem) == ("rejected", "", ERASED_BEFORE)


def test_rounds_come_in_order_to_a_running_debate_that_is_conducted_elsewhere(alice):
    address = elsewhere(alice)
    here = f"/debates/{alice.post('/debates/', {**WANTED, 'initial': FIRST}).json()['id']}/"
    rounds = f"{address}threads/P1/rounds/"
    alice.post(rounds, a_round(1, ruling("1")))

    assert code_of(alice.post(rounds, a_round(1, ruling("1")))) == (409, "not_allowed_now")
    assert code_of(alice.post(f"{here}threads/P1/rounds/", a_round(1, ruling("1")))) == (409, "not_allowed_now")
    assert code_of(alice.post(f"{address}threads/X/rounds/", a_round(1, ruling("1")))) == (404, "not_found")
    assert code_of(alice.post(f"{address}threads/%00/rounds/", a_round(1, ruling("1")))) == (404, "not_found")
    alice.post(f"{address}complete/")
    assert code_of(alice.post(rounds, a_round(2, ruling("1")))) == (409, "not_allowed_now")
    assert code_of(alice.post(f"{address}complete/")) == (409, "not_allowed_now")


def test_a_round_that_arrives_while_its_score_is_frozen_is_held(alice):
    address = elsewhere(alice)
    moderator = Api(factories.moderator("bob"))
    score = Evaluation.objects.get(key="P1").public_id
    moderator.post(f"/evaluations/{score}/freeze/", BECAUSE)

    told = alice.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1"))).json()

    assert (told["value"], told["facts_held"], told["facts_counted"]) == ("6.00", 1, 0)


@pytest.mark.parametrize("concluded", [True, False])
def test_the_result_document_is_what_its_schema_says(alice, concluded):
    address = elsewhere(alice)
    alice.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1.5")))
    if concluded:
        alice.post(f"{address}complete/", {"summary": "It holds."})
    schema = Api().get("/results/schemas/criterion/").json()

    jsonschema.Draft202012Validator.check_schema(schema)
    document = alice.get(f"{address}result/").json()
    jsonschema.validate(document, schema)
    jsonschema.validate({**document, "added": "later"}, schema)

    kept = json.loads(
        (Path(__file__).parents[2] / "judging" / "formats" / "documents" / "criterion.schema.json").read_text()
    )
    jsonschema.validate(document, kept)
    assert (kept["additionalProperties"], schema["additionalProperties"]) == (False, True)
    assert schema == {**kept, **{name: schema[name] for name in ("additionalProperties", "properties")}}
    assert code_of(Api().get("/results/schemas/nothing/")) == (404, "not_found")


def test_the_ledger_of_a_debate_that_was_played_elsewhere_proves_right(alice):
    address = elsewhere(alice)
    alice.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1.5")))
    alice.post(f"{address}complete/")

    call_command("verify_ledger")


def test_a_debate_is_rerun_and_rolled_back_by_those_who_may(alice):
    address = elsewhere(alice)
    alice.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1.5")))
    alice.post(f"{address}complete/")
    moderator = Api(factories.moderator("bob"))
    score = Evaluation.objects.get(key="P1")
    rows = [{"evaluation": str(score.public_id), "seen": seen} for seen in (98, score.moderation_version)]

    twice = [moderator.post(f"{address}{act}/", {**BECAUSE, "evaluations": rows}) for act in ("rollback", "rerun")]
    back = moderator.post(f"{address}rollback/", BECAUSE)
    again = moderator.post(f"{address}rerun/", {**BECAUSE, "criteria": ["P1"]})

    assert code_of(alice.post(f"{address}rerun/", BECAUSE)) == (403, "not_permitted")
    assert {answer.json()["detail"] for answer in twice} == {f"evaluations: {score.public_id} is named more than once."}
    assert (back.status_code, again.status_code) == (200, 200)
    assert again.json()["status"] == "running"
    assert Evaluation.objects.get(key="P1").run_number == 2


def test_a_debate_that_is_conducted_elsewhere_is_concluded_at_once_when_it_is_stopped(alice):
    address = elsewhere(alice)

    stopped = alice.post(f"{address}stop/", BECAUSE).json()

    assert (stopped["status"], stopped["partial"]) == ("concluded", True)
    assert alice.post(f"{address}complete/", {"summary": "Too late."}).status_code == 409
    scores = alice.get("/evaluations/", debate=stopped["id"]).json()["results"]
    assert [one["final"] for one in scores] == [one["initial"] for one in scores]


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


def test_a_list_asks_the_same_of_the_database_however_many_debates_it_shows():
    bob, queries = Api(factories.person("bob")), []
    for _ in range(3):
        factories.debate()
    bob.get("/debates/")

    for size in (1, 3):
        with CaptureQueriesContext(connection) as seen:
            assert len(bob.get("/debates/", page_size=size).json()["results"]) == size
        queries.append(len(seen))

    assert queries[0] == queries[1]


def test_who_posted_rulings_is_named_and_moderates_none_of_their_debate(alice):
    permissions = ["debates.change_debate", "debates.view_debate", "scoring.override_evaluation"]
    mona = Api(factories.person("mona", permissions=permissions))
    address = elsewhere(alice)

    posted = [
        mona.post(f"{address}threads/P1/rounds/", a_round(1, ruling("4"))).status_code,
        mona.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1"))).status_code,
        mona.post(f"{address}threads/P2/rounds/", a_round(1, ruling("1"))).status_code,
    ]
    score = Evaluation.objects.get(key="P1")
    version = f'"{score.moderation_version}"'
    override = mona.post(f"/evaluations/{score.public_id}/override/", {**BECAUSE, "value": "9"}, If_Match=version)

    assert posted == [422, 201, 201]
    assert {Actor.objects.get(pk=call.parameters["posted_by"]).user for call in Call.objects.all()} == {mona.owner}
    assert code_of(override) == (403, "conflict_of_interest")
    assert "posted rulings of this debate" in override.json()["detail"]
    assert code_of(mona.post(f"{address}pause/")) == (403, "conflict_of_interest")
    assert mona.post(f"{address}complete/", {}).status_code == 200
    assert not verify.verify().faults


@pytest.mark.parametrize("letter", ["a", "\u0436", "\U0001f600"])
def test_a_round_within_its_limits_is_read_in_whatever_letters(alice, letter):
    address = elsewhere(alice, challenges_per_criterion=10)
    challenge = {"persona": "skeptic", "text": 8_000 * letter, "quote": 4_000 * letter}

    answer = alice.post(f"{address}threads/P1/rounds/", {"number": 1, "challenges": 10 * [challenge]})

    assert answer.status_code == 201
    assert len(json.loads(Call.objects.get().raw_answer)["challenges"][9]["text"]) == 8_000


def test_a_rejected_round_that_is_sent_again_is_one_unusable_answer(alice):
    address = f"{elsewhere(alice)}threads/P1/rounds/"
    bad = a_round(1, ruling("4"))

    for body in (bad, bad, a_round(1, ruling("5")), bad):
        assert code_of(alice.post(address, body, Idempotency_Key="the-same")) == (422, "answer_rejected")

    assert Call.objects.filter(outcome="rejected").count() == 2


def test_no_more_is_kept_of_a_round_than_it_can_have(alice):
    verdicts = [ruling("1", challenge=f"C{number}") for number in range(11)]

    answer = alice.post(f"{elsewhere(alice)}threads/P1/rounds/", {"number": 1, "verdicts": verdicts})

    assert (answer.status_code, Call.objects.count()) == (400, 0)
