"""``verify_ledger`` looks behind every fact: whoever takes a judgement away, or turns a verdict round, is found."""

import pytest
from django.db import connection

from debates.models import Turn
from judging.models import Call, Challenge, JudgeReport, JudgeScore, ResponseEvaluation, Standing, Verdict
from scoring import verify
from scoring.models import Evaluation, Fact
from tests import factories, playing
from tests.judging.formats.open.playing import played as played_open
from tests.judging.formats.panel.play import AGREEING, alone
from tests.judging.formats.panel.play import played as played_panel
from tests.playing import ruling, script
from tests.scoring.history import sql

pytestmark = pytest.mark.django_db


def ruled():
    """A criterion debate of two rounds, each with one ruling for the evaluator."""
    debate = playing.debate(script([[ruling("1")]] * 2), rounds=2)
    playing.work()
    return debate


def found_after(change, model, debate=None):
    """Return what the proof finds after a change that no guard sees; every guard is on again afterwards."""
    table = model._meta.db_table
    sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    sql(change)
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", [table])
        for (name,) in cursor.fetchall():
            sql(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
    faults = verify.verify(debate_id=debate.pk if debate else None).faults
    return [str(fault) for fault in faults if not fault.row]  # rows that are not as sealed: tests/judging/sealed


@pytest.mark.parametrize(
    ("play", "model", "called"),
    [
        pytest.param(ruled, Verdict, "verdict", id="a verdict"),
        pytest.param(lambda: played_open(exchanges=2), ResponseEvaluation, "response evaluation", id="marks"),
        pytest.param(lambda: played_panel(alone(*AGREEING)), JudgeScore, "judge's score", id="a judge's score"),
        pytest.param(lambda: played_open(exchanges=2), Standing, "standing", id="a standing"),
    ],
)
def test_a_judgement_that_is_gone_is_found_at_the_entry_that_counts_it(play, model, called):
    play()
    assert verify.verify().faults == ()
    row = model.objects.exclude(fact=None).select_related("fact__evaluation").order_by("fact").last()
    entry = row.fact.evaluation.entries.filter(facts__contains=[row.fact_id]).order_by("sequence").first()

    told = found_after(f"DELETE FROM {model._meta.db_table} WHERE fact_id = {row.fact_id}", model)

    place = f"evaluation {row.fact.evaluation.public_id}, entry {entry.sequence}"
    assert f"{place}: the {called} that fact {row.fact.public_id} was taken from is gone" in told


@pytest.mark.parametrize(
    ("play", "model", "called", "changed", "change"),
    [
        pytest.param(
            ruled, Verdict, "verdict", Challenge,
            "UPDATE judging_challenge SET thread_id = (SELECT min(id) FROM debates_thread)"
            " WHERE id = (SELECT challenge_id FROM judging_verdict WHERE fact_id = {fact})",
            id="a ruling on what was challenged in another thread",
        ),
        pytest.param(
            lambda: played_open(exchanges=2), ResponseEvaluation, "response evaluation", Turn,
            "UPDATE debates_turn SET participant_id = (SELECT min(id) FROM debates_participant WHERE role = 'arbiter')"
            " WHERE id = (SELECT turn_id FROM judging_responseevaluation WHERE fact_id = {fact})",
            id="marks of somebody else",
        ),
        pytest.param(
            lambda: played_panel(alone(*AGREEING)), JudgeScore, "judge's score", JudgeScore,
            "UPDATE judging_judgescore SET key = 'another' WHERE fact_id = {fact}", id="a score of another criterion",
        ),
        pytest.param(
            lambda: played_panel(alone(*AGREEING)), JudgeScore, "judge's score", JudgeReport,
            "UPDATE judging_judgereport SET participant_id = (SELECT min(id) FROM debates_participant)"
            " WHERE id = (SELECT report_id FROM judging_judgescore WHERE fact_id = {fact})",
            id="a score of another judge",
        ),
        pytest.param(
            lambda: played_open(exchanges=2), Standing, "standing", Standing,
            "UPDATE judging_standing SET participant_id = (SELECT min(id) FROM debates_participant)"
            " WHERE fact_id = {fact}",
            id="where somebody else stands",
        ),
    ],
)  # fmt: skip
def test_a_judgement_of_another_account_is_found_at_the_entry_that_counts_it(play, model, called, changed, change):
    arbiter = factories.arbiter(factories.debate())
    factories.thread(arbiter.debate)
    play()
    assert verify.verify().faults == ()
    row = model.objects.exclude(fact=None).select_related("fact__evaluation").order_by("fact").last()
    entry = row.fact.evaluation.entries.filter(facts__contains=[row.fact_id]).order_by("sequence").first()

    told = found_after(change.format(fact=row.fact_id), changed)

    place = f"evaluation {row.fact.evaluation.public_id}, entry {entry.sequence}"
    assert (
        f"{place}: the {called} that fact {row.fact.public_id} was taken from is of another account, round or judge"
        in told
    )


@pytest.mark.parametrize(
    ("play", "model", "holder", "what"),
    [
        pytest.param(ruled, Verdict, "judging_verdict", "the verdict of fact {fact}", id="a verdict"),
        pytest.param(
            lambda: played_open(exchanges=2), ResponseEvaluation, "judging_responseevaluation",
            "the marks of response {row}", id="marks",
        ),
        pytest.param(
            lambda: played_panel(alone(*AGREEING)), JudgeScore, "judging_judgereport", "the score of fact {fact}",
            id="a judge's score",
        ),
    ],
)  # fmt: skip
def test_a_number_that_names_no_answer_is_found(play, model, holder, what):
    play()
    row = model.objects.exclude(fact=None).select_related("fact__evaluation").order_by("fact").last()

    told = found_after(f"UPDATE {holder} SET call_id = NULL", JudgeReport if model is JudgeScore else model)

    named = what.format(fact=row.fact.public_id, row=getattr(row, "public_id", ""))
    assert any(f"{named} rest" in fault and fault.endswith("on no answer") for fault in told)


def test_a_verdict_that_was_turned_round_is_found():
    debate = ruled()
    row = Verdict.objects.order_by("fact").last()

    told = found_after(f"UPDATE judging_verdict SET winner = 'draw' WHERE fact_id = {row.fact_id}", Verdict, debate)

    what = f"the verdict of fact {row.fact.public_id} names another winner: expected evaluator, found draw"
    assert f"evaluation {Evaluation.objects.get().public_id}, entry 3: {what}" in told


@pytest.mark.slow
def test_one_debate_is_looked_behind_apart():
    first, second = ruled(), ruled()
    fact = Verdict.objects.order_by("fact").first().fact_id

    told = found_after(f"DELETE FROM judging_verdict WHERE fact_id = {fact}", Verdict, second)

    assert told == []
    assert {fault.row for fault in verify.verify(debate_id=first.pk).faults} == {"", f"verdict {fact}"}


@pytest.mark.parametrize("debates", ["of all", "of its own"])
def test_a_verdict_that_its_arbiter_did_not_answer_is_found(debates):
    debate = ruled()
    row = Verdict.objects.select_related("fact__evaluation").order_by("fact").last()

    told = found_after(
        f"UPDATE scoring_fact SET amount = 2 WHERE id = {row.fact_id}",
        Fact,
        debate if debates == "of its own" else None,
    )

    what = f"the verdict of fact {row.fact.public_id} is not what its arbiter answered"
    said = "expected evaluator, 1, 0, 1, found evaluator, 2, 0, 1"
    assert f"evaluation {row.fact.evaluation.public_id}, entry 3: {what}: {said}" in told


def test_verdicts_whose_challenges_changed_places_are_found():
    playing.debate(script([[ruling("1"), ruling("-1", challenge="C2")]]), rounds=1)
    playing.work()
    first, second = Verdict.objects.order_by("fact")

    told = found_after(
        "UPDATE judging_challenge SET label = 'C3' WHERE label = 'C1';"
        "UPDATE judging_challenge SET label = 'C1' WHERE label = 'C2';"
        "UPDATE judging_challenge SET label = 'C2' WHERE label = 'C3'",
        Challenge,
    )

    for row in (first, second):
        assert any(f"the verdict of fact {row.fact.public_id} is not what its arbiter answered" in one for one in told)


def test_a_score_that_its_judge_did_not_answer_is_found():
    played_panel(alone(*AGREEING))
    row = JudgeScore.objects.select_related("fact__evaluation").order_by("fact").last()

    told = found_after(f"UPDATE judging_judgescore SET given = 1.5 WHERE fact_id = {row.fact_id}", JudgeScore)

    what = f"the score of fact {row.fact.public_id} is not what its judge answered"
    assert [one for one in told if what in one] == [
        f"evaluation {row.fact.evaluation.public_id}, entry 1: {what}: expected 3.5, 1.5, found 1.5, 3.5"
    ]


def test_an_erased_answer_tells_nothing_of_its_verdicts():
    ruled()

    told = found_after("UPDATE judging_call SET raw_answer = ''", Call)

    assert told == []
