"""``verify_ledger`` finds whoever changed a ballot, or what came of it, behind the guards."""

import json

import pytest

from debates.models import Ballot, Debate
from judging.models import JudgeReport, JudgeScore
from tests import playing
from tests.judging.formats.open.test_verify import lie, proved, told_of
from tests.judging.formats.panel.play import APART, THERE, answer
from tests.judging.formats.panel.seats import PERSON, SCRIPT, give, sit, waits
from tests.judging.formats.panel.small_panel import analysis, argument, section

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
MOVED = argument(section("design", "3.5", THERE))


@pytest.fixture
def report():
    """The newest report of a panel: of a person, who was moved by a quote in the second round."""
    said = [answer(number, 0, analysis(*APART[number - 1])) for number in (1, 2)]
    said += [answer(number, 1, argument(section("design", "4", THERE))) for number in (1, 2)]
    debate = waits(said, sits=(SCRIPT, SCRIPT, PERSON))
    ida = sit(debate, 3, "ida")
    for ballot in (analysis(*APART[2]), MOVED):
        give(debate, 3, ida, ballot)
        playing.work()
    assert proved() == []
    newest = JudgeReport.objects.latest("pk")
    assert (newest.participant.name, newest.round.number, newest.body["scores"]["design"]) == ("Judge 3", 1, "3.5")
    return newest


def test_a_lie_about_what_a_ballot_came_to_is_named_field_by_field(report):
    body = report.body
    [row] = body["sections"]

    def says(**change):
        return {"body": {**body, **change}}

    assert not told_of([
        (JudgeReport, says(scores={"design": "5", "tests": "4"}), "scores.design is not what its ballot says"),
        (JudgeReport, says(overall="4.6"), "overall is not what its ballot says: expected 3.7, found 4.6"),
        (JudgeReport, says(accepts=False), "accepts is not what its ballot says: expected True, found False"),
        (JudgeReport, says(agrees_with=["Judge 1"]), "agrees_with is not what its ballot says"),
        (JudgeReport, says(sections=[{**row, "because": "I was paid."}]), "sections[0].because is not what its ballot"),
        (JudgeScore, {"given": "1"}, "given of tests is not what its ballot says: expected 4, found 1"),
        (JudgeScore, {"wanted": "2"}, "wanted of tests is not what its ballot says: expected None, found 2"),
        (JudgeScore, {"quotes_found": 7}, "quotes_found of tests is not what its ballot says: expected 0, found 7"),
        (Ballot, {"answer": json.dumps(argument(section("design", "1", THERE)))}, "scores.design is not what its"),
        (Ballot, {"answer": "{}"}, "of Judge 3 is not in its ballot (sections"),
        (Ballot, {"about": report.turn}, "of Judge 3 rests on no ballot"),
    ])  # fmt: skip
    assert proved() == []


def test_what_is_told_of_a_ballot_names_debate_and_report(report):
    [told] = lie(JudgeReport, body={**report.body, "accepts": False})

    assert told.startswith(f"debate {report.debate.public_id}: the report {report.public_id} of Judge 3: accepts")


@pytest.mark.parametrize("document", [[], "x", 3, {"kind": []}, {"criteria": [3]}])
def test_a_document_that_is_none_of_ours_is_a_fault_of_its_debate_and_no_crash(report, document):
    for model, column in ((JudgeReport, "body"), (Debate, "parameters")):
        found = lie(model, **{column: document})
        assert any(str(report.debate.public_id) in one for one in found), (model, found)


def test_a_ballot_that_was_erased_tells_nothing(report):
    assert lie(Ballot, answer="") == []
