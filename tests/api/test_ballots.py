"""Ballots through the API: a program reads what it judges, gives its ballot once, and is refused with a reason."""

import json
from pathlib import Path

import jsonschema
import pytest

from debates.models import AwaitedTurn, Ballot, Participant
from debates.services import seats
from debates.types import Visibility
from judging.models import Consensus
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.judging import arbiter_seats
from tests.judging.formats.open import test_judging_seats as open_seats
from tests.judging.formats.panel.play import APART, THERE, answer, moves
from tests.judging.formats.panel.seats import PERSON, PROGRAM, SCRIPT, awaited, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import SUBJECT, analysis, argument, section
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


def panel(first=PROGRAM, **options):
    said = [answer(judge, 0, analysis(*APART[judge - 1])) for judge in (2, 3)]
    said += [answer(2, 1, moves(2, 1, THERE, design="4")["answer"]), moves(3, 1, THERE, design="4")]
    return waits(said, sits=(first, SCRIPT, SCRIPT), **options)


def at(debate):
    return f"/awaited-turns/{awaited(debate, 1).public_id}/ballot/"


@pytest.mark.slow
def test_a_program_judges_two_rounds_to_a_result():
    debate = panel()
    api = Api(sit(debate, 1, "bot"), scopes=["read", "write"])
    paper = api.get(at(debate)).json()
    said = {"answer": analysis(*APART[0])}

    first, again = (api.post(at(debate), said, Idempotency_Key="once") for _ in range(2))
    unkeyed = api.post(at(debate), said)
    after = api.get(at(debate)).json()
    playing.work()
    second = api.get(at(debate)).json()["bench"]
    given = api.post(at(debate), {"answer": argument(section("design", "4", THERE))})
    playing.work()

    assert (paper["bench"]["subject"], paper["bench"]["round"], paper["given"]) == (SUBJECT, 0, None)
    assert [row["code"] for row in paper["bench"]["criteria"]] == ["design", "tests"]
    assert (first.status_code, again.status_code, unkeyed.status_code) == (201, 201, 201)
    assert first.json() == again.json() == unkeyed.json()
    assert (after["bench"], after["given"]["criteria"][0]["score"]) == (None, "5")
    assert second["disagreements"] == [
        {"criterion": "design", "own_score": "5.00", "others": [{"judge": "Judge 2", "score": "2.00"}]}
    ]
    assert [one["judge"] for one in second["others"]] == ["Judge 2", "Judge 3"]
    assert given.status_code == 201
    assert Consensus.objects.latest("pk").agreed


def test_what_is_no_ballot_is_refused_with_a_reason():
    debate = panel(visibility=Visibility.PRIVATE)
    person = sit(debate, 1, "bot")
    api, said = Api(person), {"answer": analysis(*APART[0])}

    assert code_of(Api(factories.moderator("root")).post(at(debate), said)) == (403, "not_permitted")
    assert code_of(Api(factories.moderator("rita")).get(at(debate))) == (403, "not_permitted")
    assert code_of(Api(factories.person("bob")).get(at(debate))) == (404, "not_found")
    assert code_of(Api().post(at(debate), said)) == (401, "not_authenticated")
    assert code_of(Api(person, scopes=["read"]).post(at(debate), said)) == (403, "missing_scope")
    assert code_of(api.post(at(debate), {"answer": {}})) == (422, "invalid")
    [fault] = api.post(at(debate), {"answer": analysis("1", "7")}).json()["errors"]
    assert fault["pointer"] == "/answer/criteria/1/score"
    assert fault["detail"].startswith("criteria, 2: score must be ")
    assert code_of(api.post(at(debate), {"answer": "4"})) == (400, "invalid")
    assert code_of(api.post(at(debate).replace("ballot", "speak"), {"text": "I find it good."})) == (
        409, "not_allowed_now",
    )  # fmt: skip
    assert not Ballot.objects.exists()
    assert api.post(at(debate), said).status_code == 201
    assert code_of(api.post(at(debate), {"answer": analysis("1", "1")})) == (409, "ballot_given")


def test_numbers_in_a_ballot_stay_exact():
    debate = panel()
    said = analysis(*APART[0])
    said["criteria"][0]["score"] = 4.35

    Api(sit(debate, 1, "bot")).post(at(debate), {"answer": said})

    assert '"score": 4.35}' in Ballot.objects.get().answer


def test_a_seat_of_a_judge_is_named_in_the_request_that_made_it():
    debate = panel()

    shown = Api(factories.moderator("root")).get(f"/participants/{seat_of(debate, 1).public_id}/").json()

    assert (shown["kind"], shown["role"]) == ("external", "judge")


def paper(person):
    """The ballot that is awaited from somebody, as they read it: it is what its schema says."""
    schemas = json.loads(
        (Path(__file__).parents[2] / "docs" / "reference" / "openapi.json").read_text(encoding="utf-8")
    )
    row = AwaitedTurn.objects.filter(participant__user=person).latest("id")
    answer = Api(person).get(f"/awaited-turns/{row.public_id}/ballot/")
    assert answer.status_code == 200
    whole = {**schemas, "$ref": "#/components/schemas/BallotPaper"}
    jsonschema.Draft202012Validator(whole, format_checker=jsonschema.FormatChecker()).validate(answer.json())
    return answer.json()


@pytest.mark.parametrize("kind", ["human", "external"])
def test_an_arbiter_reads_what_they_rule_on_in_every_round(kind):
    debate = arbiter_seats.waits(arbiter=kind)
    person = arbiter_seats.sit(debate)
    papers = []

    for verdicts in arbiter_seats.ROUNDS:
        papers.append(paper(person)["ruling"])
        arbiter_seats.rule(debate, person, verdicts)
        playing.work()

    assert [(row["round"], [len(one["said"]) for one in row["exchanges"]]) for row in papers] == [(1, [2, 2]), (2, [4])]
    assert [(row["round"], row["by"]) for row in papers[1]["exchanges"][0]["said"]] == [
        (1, "challenger"), (1, "evaluator"), (2, "challenger"), (2, "evaluator"),
    ]  # fmt: skip
    assert all(row["text"] for row in papers[1]["exchanges"][0]["said"])
    assert paper(person)["ruling"] is None


@pytest.mark.parametrize("first", [PERSON, PROGRAM], ids=["human", "external"])
def test_a_judge_of_a_panel_reads_what_they_judge_in_every_round(first):
    debate = panel(first)
    person = sit(debate, 1, "ada")
    papers = [paper(person)["bench"]]

    Api(person).post(at(debate), {"answer": analysis(*APART[0])})
    playing.work()
    papers.append(paper(person)["bench"])

    assert [(row["round"], len(row["others"])) for row in papers] == [(0, 0), (1, 2)]


@pytest.mark.parametrize("kind", ["human", "external"])
def test_both_judges_of_an_open_debate_read_what_they_judge(kind):
    debate = open_seats.waits(evaluator=kind, persuasion_judge=kind)
    people = [factories.person(name) for name in ("ada", "bob")]
    for person, name in zip(people, ("Evaluator", "Judge of persuasion"), strict=True):
        seat = Participant.objects.get(debate=debate, role="judge", name=name)
        seats.take(invitation=seats.invite(participant_id=seat.pk, by=None), by=person)

    papers = [paper(person)["response"] for person in people]

    assert [row["purpose"] for row in papers] == ["evaluate", "influence"]
