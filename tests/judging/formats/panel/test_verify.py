"""``verify_ledger`` finds whoever changed a ballot, or what came of it, behind the guards."""

import json
from decimal import Decimal
from uuid import uuid4

import pytest

from debates.models import Ballot, Debate, Participant, Round
from judging.models import Consensus, JudgeReport, JudgeScore
from tests import playing
from tests.judging.formats.open.test_verify import lie, proved, told_of, unguarded
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


def test_a_lie_about_what_a_panel_came_to_is_named_field_by_field(report):
    row = Consensus.objects.latest("pk")
    found, policy = row.found, row.policy
    assert (row.overall, row.recommendation, found["reason"]) == (Decimal("3.9"), "needs_revision", "")

    assert not told_of([
        (Consensus, {"overall": "1"}, ": overall is not what its judges gave: expected 3.9, found 1"),
        (Consensus, {"recommendation": "pass"}, ": recommendation is not what its judges gave: expected needs_"),
        (Consensus, {"agreed": False, "reason_code": "spread"}, ": agreed is not what its judges gave: expected True"),
        (Consensus, {"found": {**found, "overall": "1"}}, ": found.overall is not what its judges gave"),
        (Consensus, {"found": {**found, "disputed": ["tests"]}}, ": found.disputed is not what its judges gave"),
        (Consensus, {"found": {**found, "means": {}}}, ": found.means.design is not what its judges gave"),
        (Consensus, {"found": {}}, " cannot be found again ('reasons')"),
        (Consensus, {"policy": {**policy, "quorum": 1}}, ": policy.quorum is not what its judges gave: expected 2"),
        (JudgeReport, {"body": {**report.body, "accepts": False}}, ": agreed is not what its judges gave"),
    ])  # fmt: skip
    assert proved() == []


def test_a_panel_that_came_to_something_in_a_round_that_nobody_played_is_named(report):
    row = Consensus.objects.latest("pk")
    with unguarded(Round), unguarded(Consensus):
        row.round.pk, row.round.number, row.round.public_id = None, 7, uuid4()
        row.round.save(force_insert=True)
        row.pk, row.round, row.public_id = None, row.round, uuid4()
        row.save(force_insert=True)

    debate = f"debate {report.debate.public_id}: the consensus {row.public_id}"
    assert f"{debate}: found.counted is not what its judges gave: expected 0, found 3" in proved()


def test_a_judge_who_was_added_later_had_no_part_in_what_was_found(report):
    with unguarded(Participant):
        Participant.objects.create(debate=report.debate, role="judge", name="Judge 4", position=9, provider="scripted")

    assert proved() == []


def test_what_is_told_of_a_ballot_names_debate_and_report(report):
    told, *_ = lie(JudgeReport, body={**report.body, "accepts": False})

    assert told.startswith(f"debate {report.debate.public_id}: the report {report.public_id} of Judge 3: accepts")


@pytest.mark.parametrize("document", [[], "x", 3, {"kind": []}, {"criteria": [3]}])
def test_a_document_that_is_none_of_ours_is_a_fault_of_its_debate_and_no_crash(report, document):
    for model, column in ((JudgeReport, "body"), (Debate, "parameters")):
        found = lie(model, **{column: document})
        assert any(str(report.debate.public_id) in one for one in found), (model, found)


def test_a_ballot_that_was_erased_tells_nothing(report):
    assert lie(Ballot, answer="") == []
