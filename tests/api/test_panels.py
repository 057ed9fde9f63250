"""Panels through the API: asked for, played, read, and what they came to."""

import jsonschema
import pytest
from django.utils import timezone

from debates.models import Debate
from debates.types import Visibility
from judging.engine import lifecycle
from judging.formats.panel.spec import typed
from judging.models import JudgeReport, Review
from judging.rules.consensus import Policy
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.judging.formats.panel.play import AGREEING, APART, alone, drafted, panel, played, stays

pytestmark = pytest.mark.django_db
WANTED = {
    "format": "panel",
    "title": "A cache",
    "subject": "The cache is warm after 40 ms. The tests run in CI. Nobody has measured the rest.",
    "task": "Make it fast.",
    "criteria": [{"name": "design", "weight": "60"}, {"name": "Testing", "weight": "40"}],
}


@pytest.fixture(autouse=True)
def _one_attempt(settings):
    settings.PROVIDER_RETRIES = 0


@pytest.fixture
def alice() -> Api:
    return Api(factories.person("alice", permissions=["debates.add_debate"]))


def test_a_panel_is_created_started_and_read_to_its_end(alice):
    made = alice.post("/debates/", {**WANTED, "rounds": 1, "policy": {"spread": "0.25"}, "limits": {"calls": 40}})
    address = f"/debates/{made.json()['id']}/"

    started = alice.post(f"{address}start/").json()
    playing.work()
    told = alice.get(f"{address}result/").json()

    assert (made.status_code, made.json()["format"], started["status"]) == (201, "panel", "running")
    assert (told["policy"]["spread"], told["policy"]["debate_rounds"]) == ("0.25", 1)
    assert [(one["code"], one["share"]) for one in told["criteria"]] == [("design", "0.60"), ("testing", "0.40")]
    assert [one["strategy"] for one in told["judges"]] == ["logic", "dialectic", "rhetoric"]
    assert told["outcome"] is not None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"format": "poem"}, (400, "invalid"), id="no such format"),
        pytest.param({"task": ""}, (400, "invalid"), id="no task"),
        pytest.param({"template": "code"}, (422, "invalid"), id="two sets of criteria"),
        pytest.param({"criteria": [{"name": "design", "weight": "0"}]}, (422, "out_of_range"), id="no weight"),
        pytest.param({"criteria": [{"name": "a", "weight": "1"}] * 2}, (422, "invalid"), id="a criterion twice"),
        pytest.param({"judges": [{}] * 10}, (400, "invalid"), id="ten judges"),
        pytest.param({"judges": [{"provider": "oracle"}] * 2}, (422, "invalid"), id="no such provider"),
        pytest.param({"judges": [{"strategy": "mood"}] * 2}, (400, "invalid"), id="no such way of reading"),
        pytest.param({"policy": {"quorum": 4}}, (422, "invalid"), id="a quorum nobody can reach"),
        pytest.param({"policy": {"spread": "9"}}, (422, "out_of_range"), id="a spread off the scale"),
        pytest.param({"rounds": 4}, (400, "invalid"), id="four rounds"),
        pytest.param({"not_applicable": {"looks": "No."}}, (422, "invalid"), id="what does not apply is none"),
        pytest.param({"policy": {"mood": "good"}}, (400, "unknown_field"), id="a term that is none"),
        pytest.param({"script": [{"say": "No."}]}, (400, "invalid"), id="a script of nothing"),
    ],
)  # fmt: skip
def test_a_panel_that_cannot_be_is_refused_and_leaves_nothing(alice, change, told):
    assert code_of(alice.post("/debates/", {**WANTED, **change})) == told
    assert Debate.objects.count() == 0


@pytest.mark.parametrize(("named", "codes"), [({"rubric": "small"}, ["P1"]), ({"template": "documentation"}, None)])
def test_what_is_judged_is_typed_packaged_or_stored(alice, named, codes):
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    body = {name: value for name, value in WANTED.items() if name != "criteria"}

    made = alice.post("/debates/", {**body, **named}).json()

    rows = Debate.objects.get(public_id=made["id"]).parameters["rubric"]["criteria"]
    assert [row["code"] for row in rows] == (codes or ["accuracy", "completeness", "clarity", "usability"])


def test_a_concluded_panel_gives_initial_scores_to_who_may_read_it(alice):
    rubric_store.store(snapshot={**typed("design:60,tests:40"), "slug": "small"}, by=None)
    open_to_all, private = (played(alone(*AGREEING), visibility=one) for one in (Visibility.PUBLIC, Visibility.PRIVATE))
    wanted = {"title": "A cache", "subject": "The tests run in CI.", "rubric": "small"}

    made = alice.post("/debates/", {**wanted, "panel": str(open_to_all.public_id)})
    refused = alice.post("/debates/", {**wanted, "panel": str(private.public_id)})

    kept = Debate.objects.get(public_id=made.json()["id"]).parameters
    assert kept["initial"] == {"design": ["8.13", "0.88"], "tests": ["7.38", "0.88"]}
    assert code_of(refused) == (404, "not_found")


@pytest.mark.parametrize("answers", [alone(*APART), alone(None, None, None)], ids=["scored", "by nobody"])
def test_a_settlement_points_to_the_decision_that_it_refuses(answers):
    debate = played(answers, policy=Policy(debate_rounds=0))
    ruth = Api(factories.moderator("ruth"))
    row = Review.objects.get(debate=debate)
    review = f"/reviews/{row.public_id}/"
    ruth.post(f"{review}claim/")
    decided = {code: {"value": "3", "reason": "Judge 2 missed it.", "seen": 0} for code in row.disputed}
    decided["design"]["value"] = "9"

    refused = ruth.post(f"{review}settle/", {"decisions": decided})

    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/decisions/design/value"]


def settled() -> Debate:
    """A panel that did not agree after a debate round, and that a person settled."""
    held = [stays(judge, 1, design=score) for judge, (score, _) in enumerate(APART, start=1)]
    debate = played([*alone(*APART), *held], policy=Policy(debate_rounds=1))
    ruth = Api(factories.moderator("ruth"))
    review = f"/reviews/{Review.objects.get(debate=debate).public_id}/"
    assert ruth.post(f"{review}claim/").json()["waiting"] is True
    decided = {"design": {"value": "4.5", "reason": "Judge 2 missed the second page.", "seen": 0}}
    assert ruth.post(f"{review}settle/", {"decisions": decided}).json()["state"] == "settled"
    assert ruth.get(review).json()["waiting"] is False
    playing.work()
    return debate


def test_reports_scores_and_consensus_are_read_round_by_round():
    debate, api = settled(), Api()
    of = {"debate": str(debate.public_id)}

    reports = api.get("/reports/", round=1, **of).json()["results"]
    scores = api.get("/judge-scores/", key="design", **of).json()["results"]
    found = api.get("/consensuses/", **of).json()["results"]

    assert [(one["judge"], one["readable"], one["body"]["kind"]) for one in reports] == [
        (f"Judge {at}", True, "debate") for at in (1, 2, 3)
    ]
    assert api.get(f"/reports/{reports[0]['id']}/").json() == reports[0]
    assert [(one["round"], one["judge"], one["score"], one["counts"]) for one in scores] == [
        (played, f"Judge {at}", score, played == 1)
        for played in (0, 1)
        for at, score in ((1, "5.00"), (2, "2.00"), (3, "4.00"))
    ]
    assert [(one["round"], one["agreed"], one["reason_code"], one["overall"]) for one in found] == [
        (0, False, "spread", "3.80"),
        (1, False, "spread", "3.80"),
    ]
    assert found[1]["policy"]["spread"] == "0.50"


def test_reports_of_a_private_panel_are_there_for_nobody_else():
    debate = played(alone(*AGREEING), visibility=Visibility.PRIVATE)
    of = {"debate": str(debate.public_id)}
    report, moderator = JudgeReport.objects.filter(debate=debate)[0].public_id, Api(factories.moderator())

    for path in ("/reports/", "/judge-scores/", "/consensuses/"):
        assert Api().get(path, **of).json()["results"] == []
        assert moderator.get(path, **of).json()["results"] != []
    assert code_of(Api().get(f"/reports/{report}/")) == (404, "not_found")


@pytest.mark.slow
@pytest.mark.parametrize("make", [settled, lambda: played(alone(("4", "3"), None, None)), lambda: panel([])])
def test_the_result_document_is_what_its_schema_says(make):
    debate = make()
    schema = Api().get("/results/schemas/panel/").json()

    told = Api().get(f"/debates/{debate.public_id}/result/").json()

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(told, schema)
    assert told["debate"]["format"] == "panel"


def test_a_panel_is_held_again_under_the_name_of_the_first():
    people = [factories.person(name, permissions=["debates.add_debate"]) for name in ("alice", "bob")]
    alice, bob = map(Api, people)
    first = played(alone(("4", "5"), ("4.5", "5"), ("4", "5")), visibility=Visibility.PRIVATE)
    first.created_by = people[0]
    first.save(update_fields=["created_by"])
    wanted = {**WANTED, "repeat_of": str(first.public_id)}

    made = alice.post("/debates/", wanted)
    running = alice.post("/debates/", {**WANTED, "repeat_of": made.json()["id"]})
    hidden = bob.post("/debates/", wanted)
    other = alice.post("/debates/", {"format": "open", "motion": "Wells are deep.", "preset": "classic_clash",
                                     "repeat_of": str(first.public_id)})  # fmt: skip

    assert (made.json()["repeat_of"], alice.get("/debates/").json()["results"][-1]["repeat_of"]) == (
        str(first.public_id),
        None,
    )
    assert (code_of(running), running.json()["detail"]) == (
        (422, "invalid"),
        "repeat_of: only a debate that has ended is held again; this one is draft.",
    )
    assert code_of(hidden) == code_of(other) == (404, "not_found")
    assert hidden.json()["detail"] == f"repeat_of: there is no panel {first.public_id}."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("earlier", "later", "told_to"),
    [
        ("public", "public", ["nobody", "bob", "alice", "ruth"]),
        ("private", "public", ["alice", "ruth"]),
        ("private", "unlisted", ["alice", "ruth"]),
        ("unlisted", "public", ["alice", "ruth"]),
        ("unlisted", "unlisted", ["nobody", "bob", "alice", "ruth"]),
    ],
)
def test_what_a_panel_repeats_is_told_to_those_alone_who_may_read_that(client, earlier, later, told_to):
    alice, bob, ruth = factories.person("alice"), factories.person("bob"), factories.moderator("ruth")
    answers = alone(("4", "5"), ("4.5", "5"), ("4", "5"))
    first = played(answers)
    second = drafted(answers, visibility=Visibility(later), repeat_of=str(first.public_id))
    Debate.objects.filter(pk=first.pk).update(created_by=alice, visibility=earlier)
    lifecycle.start(debate_id=second.pk, by=None, now=timezone.now())
    playing.work()
    seen: dict[str, list[str]] = {"the API": [], "its pages": []}

    for name, person in {"nobody": None, "bob": bob, "alice": alice, "ruth": ruth}.items():
        shown = Api(person).get(f"/debates/{second.public_id}/").json()["repeat_of"]
        if shown is not None:
            assert shown == str(first.public_id)
            seen["the API"].append(name)
        client.logout()
        if person:
            client.force_login(person)
        pages = [client.get(f"/debates/{second.public_id}/{page}").content.decode() for page in ("", "result/")]
        links = {f'href="/debates/{first.public_id}/"' in page for page in pages}
        assert len(links) == 1
        if links == {True}:
            seen["its pages"].append(name)
        others = [f"/debates/{second.public_id}/{page}" for page in ("result.json", "parts/?of=heading")]
        assert not any(str(first.public_id) in client.get(other).content.decode() for other in others)

    assert seen == {"the API": told_to, "its pages": told_to}


def test_a_public_panel_does_not_tell_the_address_of_an_unlisted_one():
    alice = Api(factories.person("alice", permissions=["debates.add_debate"]))
    first = played(alone(("4", "5"), ("4.5", "5"), ("4", "5")), visibility=Visibility.UNLISTED)
    wanted = {**WANTED, "repeat_of": str(first.public_id)}

    refused, made = alice.post("/debates/", wanted), alice.post("/debates/", {**wanted, "visibility": "unlisted"})

    assert (code_of(refused), made.status_code) == ((422, "invalid"), 201)
    assert "repeat_of: it is unlisted" in refused.json()["detail"]


def test_a_panel_is_not_rerun():
    judged = played(alone(("4", "5"), ("4.5", "5"), ("4", "5")))

    refused = Api(factories.moderator()).post(f"/debates/{judged.public_id}/rerun/", {"reason": factories.REASON})

    assert code_of(refused) == (409, "not_allowed_now")
    assert refused.json()["detail"] == "A debate of format panel is not rerun; a new one repeats it."
