"""Debates that judge everything several times: what counts, what is kept, what is told, what it costs."""

from decimal import Decimal

import jsonschema
import pytest
from django.test import Client

from debates.models import Event
from judging.formats.criterion import parsing
from judging.formats.open import parsing as open_parsing
from judging.formats.panel import parsing as panel_parsing
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.models import Call, Effect, JudgeScore, ResponseEvaluation, Verdict
from judging.rules.fairness import Fairness
from scoring import verify
from scoring.models import Alert, Evaluation
from tests import playing
from tests.judging.formats.open.playing import played
from tests.judging.formats.open.scripts import FAIR, marks, script
from tests.judging.formats.open.test_verify import unguarded
from tests.judging.formats.panel import play as panels
from tests.judging.formats.panel.small_panel import analysis

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("proof")]
D = Decimal
BOTH, THRICE = Fairness(swap=True), Fairness(repeats=3)


def events(debate, kind):
    return [one.data for one in Event.objects.filter(debate=debate, type=kind).order_by("seq")]


def result(debate, what):
    """Return what the result of a debate says about its single judgements, having held it against its schema."""
    document = format_of(debate.format).result_document(debate=debate)
    jsonschema.validate(document, format_of(debate.format).result_schema())
    return {name: value for row in document["fairness"]["judged"] if row["what"] == what
            for name, value in row.items() if name != "what"}  # fmt: skip


def page(debate):
    return Client().get(f"/debates/{debate.public_id}/").content.decode()


def evaluate(answer, **when):
    return {"purpose": "evaluate", "thread": "Mira", **when, "answer": answer}


def test_a_response_is_judged_in_both_orders_and_the_mean_counts():
    first, other = marks("20", "15", "20", "20"), marks("10", "14.99", "20", "20")
    debate = played(
        provider="scripted",
        script=script(evaluate(first, swapped=False), evaluate(other, swapped=True)),
        exchanges=1,
        fairness=BOTH,
    )

    row = ResponseEvaluation.objects.get(turn__debate=debate, turn__participant__name="Mira")
    assert (row.steel_manning, row.self_critique, row.fact.amount) == (D("15.00"), D("15.00"), D("70.00"))
    assert (row.flipped, row.spread) == (True, D("10.01"))
    assert [(one["swapped"], one["reading"], one["steel_manning"]) for one in row.readings] == [
        (False, 1, "20"),
        (True, 1, "10"),
    ]
    assert Evaluation.objects.get(debate=debate, instrument="adherence", name="Mira").final_score == 70
    told = events(debate, "response:evaluated")[0]
    assert (told["judgements"], told["spread"], told["flipped"]) == (2, "10.01", True)
    assert Call.objects.filter(debate=debate, purpose="evaluate", outcome="used").count() == 4
    assert result(debate, "response") == {
        "judged": 2, "flipped": 1, "meanSpread": "5.01", "largestSpread": "10.01",
    }  # fmt: skip
    assert "Responses: 1 of 2 came to another end in the other order; the single judgements lie 5.01" in page(debate)
    assert '2 judgements, 10.01 apart</span> <span class="badge badge-held">orders differ</span>' in page(debate)


def test_the_judge_is_shown_the_response_first_in_the_other_order():
    debate = played(provider="scripted", script=script(), exchanges=1, fairness=BOTH)

    places = Call.objects.filter(debate=debate, purpose="evaluate").values_list("about", "swapped", "reading")
    assert set(places) == {(name, swapped, 1) for name in ("Mira", "Konrad") for swapped in (False, True)}


def test_judgements_that_are_asked_for_one_after_the_other_are_each_asked_for_once():
    debate = played(exchanges=1, effects="judge", judge_concurrency=1, fairness=Fairness(swap=True, repeats=3))

    assert not Alert.objects.filter(debate=debate).exists()
    assert {one.state for one in ResponseEvaluation.objects.filter(turn__debate=debate)} == {"scored"}
    assert {one.source for one in Effect.objects.filter(turn__debate=debate)} == {"judge"}
    assert Call.objects.filter(debate=debate, purpose__in=["evaluate", "influence"]).count() == 24


def test_one_judgement_that_cannot_be_had_fails_them_all_once(settings):
    settings.PROVIDER_RETRIES = 0
    broken = evaluate({**FAIR, "honesty": {"score": "high"}}, reading=2)
    debate = played(provider="scripted", script=script(broken), exchanges=1, fairness=THRICE)

    states = dict(
        ResponseEvaluation.objects.filter(turn__debate=debate).values_list("turn__participant__name", "state")
    )
    assert (debate.status, states) == ("concluded", {"Mira": "failed", "Konrad": "scored"})
    assert Alert.objects.filter(debate=debate, code="judge_failed").count() == 1


def test_what_a_response_does_is_weighed_several_times_too():
    def weighs(share, swapped):
        effect = {"listener": "Konrad", "persuasion": share, "attack": "0", "evidence": "0.2"}
        about = {"purpose": "influence", "thread": "Mira", "swapped": swapped}
        return {**about, "answer": {"effects": [effect]}}

    konrads = {"listener": "Mira", "persuasion": "0.1", "attack": "0", "evidence": "0"}
    debate = played(
        provider="scripted",
        script=script(
            weighs("0.5", False),
            weighs("0.8", True),
            {"purpose": "influence", "thread": "Konrad", "answer": {"effects": [konrads]}},
        ),
        exchanges=1,
        effects="judge",
        judging="off",
        fairness=BOTH,
    )

    effect = Effect.objects.get(turn__debate=debate, speaker__name="Mira")
    assert (effect.persuasion, effect.evidence, effect.spread, effect.flipped) == (D("0.65"), D("0.2"), D("0.3"), True)
    assert len(effect.readings) == 2
    assert result(debate, "effect")["largestSpread"] == "0.30"
    assert "2 judgements, 0.30 apart" in page(debate)


def test_a_judge_who_sees_no_names_is_answered_by_name():
    debate = played(exchanges=1, fairness=Fairness(blind_names=True))

    rows = ResponseEvaluation.objects.filter(turn__debate=debate)
    assert {one.state for one in rows} == {"scored"}
    assert all("Speaker" not in str(one.grounds) for one in rows)
    assert {one.readings == [] and one.spread is None for one in rows} == {True}
    assert "Judges saw labels instead of names." in page(debate)


def test_what_a_judge_notes_changes_no_label_before_the_other_questions_are_answered():
    def weighs(speaker, label):
        effect = {"listener": label, "persuasion": "0.5", "attack": "0", "evidence": "0.2"}
        return {"purpose": "influence", "thread": speaker, "answer": {"effects": [effect]}}

    noted = marks("20", "15", "20", "20")
    noted["honesty"]["notes"] = "It gives the other speaker a fair hearing."
    debate = played(
        provider="scripted",
        script=script(weighs("Mira", "Speaker B"), weighs("Konrad", "Speaker A"), fairness=noted),
        exchanges=1,
        effects="judge",
        judge_concurrency=3,
        fairness=Fairness(swap=True, blind_names=True),
    )

    assert {one.source for one in Effect.objects.filter(turn__debate=debate)} == {"judge"}
    assert not Alert.objects.filter(debate=debate).exists()


def judge(verdict, **when):
    return {"purpose": "judge", **when, "answer": {"verdicts": [verdict]}}


def criterion(*first, **options):
    rest = playing.script([[playing.ruling("1")]])
    debate = playing.debate([*first, *rest], rounds=1, **options)
    playing.work()
    debate.refresh_from_db()
    return debate


def test_an_arbiter_that_rules_otherwise_in_the_other_order_moves_the_score_by_the_mean():
    debate = criterion(
        judge(playing.ruling("2", "0.2"), swapped=False),
        judge(playing.ruling("-1", "-0.1"), swapped=True),
        fairness=BOTH,
    )

    verdict = Verdict.objects.get(fact__evaluation__debate=debate)
    assert (verdict.winner, verdict.fact.amount, verdict.fact.impact) == ("evaluator", D("0.5"), D("0.05"))
    assert (verdict.flipped, verdict.spread) == (True, D(3))
    assert [one["winner"] for one in verdict.readings] == ["evaluator", "red_team"]
    assert Evaluation.objects.get(debate=debate).final_score == D("6.5")
    assert (debate.status, debate.partial) == ("concluded", False)
    [told] = events(debate, "verdict:issued")
    assert (told["flipped"], told["spread"], told["adjustment"]) == (True, "3.00", "0.50")
    assert result(debate, "verdict")["flipped"] == 1
    assert "2 judgements, 3.00 apart" in page(debate)


def test_whoever_changes_what_several_judgements_came_to_is_found():
    debate = criterion(fairness=THRICE)
    rows = list(Verdict.objects.values_list("winner", "spread", "pk"))

    with unguarded(Verdict):
        Verdict.objects.update(winner="draw", spread=1)
    told = [str(fault) for fault in verify.verify(debate_id=debate.pk).faults if not fault.row]
    with unguarded(Verdict):
        for winner, spread, key in rows:
            Verdict.objects.filter(pk=key).update(winner=winner, spread=spread)

    assert [one.partition(": verdict")[0] for one in told] == ["no evaluation"] * 2
    assert [one.partition("is not what its judgements come to: ")[2] for one in told] == [
        "expected 0, found 1.000000",
        "expected evaluator, found draw",
    ]


def counted_calls(monkeypatch, module, name):
    """Count how often an answer is parsed; return the texts."""
    parse, texts = getattr(module, name), []

    def counting(text, **about):
        texts.append(text)
        return parse(text, **about)

    monkeypatch.setattr(module, name, counting)
    return texts


@pytest.mark.parametrize(
    ("play", "module", "name", "purpose"),
    [
        pytest.param(lambda: criterion(fairness=THRICE), parsing, "verdicts", "judge", id="rulings"),
        pytest.param(criterion, parsing, "verdicts", "judge", id="one ruling"),
        pytest.param(
            lambda: panels.played(panels.alone(*panels.AGREEING)), panel_parsing, "analysis", "analyse", id="a panel"
        ),
        pytest.param(
            lambda: panels.played(panels.alone(*panels.AGREEING), fairness=THRICE),
            panel_parsing, "analysis", "analyse", id="a panel in which each reads three times",
        ),
        pytest.param(
            lambda: played(provider="scripted", script=script(), exchanges=1, fairness=THRICE, judge_concurrency=3),
            open_parsing, "judged", "evaluate", id="responses",
        ),
    ],
)  # fmt: skip
def test_an_answer_is_parsed_once_by_the_job_that_asked_for_it(monkeypatch, play, module, name, purpose):
    texts = counted_calls(monkeypatch, module, name)

    debate = play()

    assert (debate.status, len(texts)) == ("concluded", Call.objects.filter(debate=debate, purpose=purpose).count())


def test_of_three_rulings_the_middle_one_counts():
    debate = criterion(judge(playing.ruling("3"), reading=1), judge(playing.ruling("-2"), reading=2), fairness=THRICE)

    verdict = Verdict.objects.get(fact__evaluation__debate=debate)
    assert (verdict.winner, verdict.fact.amount, verdict.spread, verdict.flipped) == ("evaluator", D(1), D(5), None)
    assert result(debate, "verdict")["flipped"] is None


def test_every_judgement_counts_against_the_budget():
    debate = criterion(fairness=Fairness(swap=True, repeats=3), limits=Limits(calls=7))

    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "budget_spent")
    assert not Verdict.objects.filter(fact__evaluation__debate=debate).exists()


def test_a_panel_judge_reads_in_both_orders():
    answers = [
        {"thread": "Judge 1", "round": 0, "swapped": True, "answer": analysis("2", "4")},
        *panels.alone(("4", "4"), ("3", "4"), ("3", "4")),
    ]
    debate = panels.played(answers, fairness=BOTH)

    one = JudgeScore.objects.get(report__debate=debate, report__participant__name="Judge 1", key="design")
    assert (one.fact.amount, one.spread, one.flipped) == (D(3), D(2), True)
    assert JudgeScore.objects.filter(report__debate=debate, flipped=False).count() == 5
    told = [one for one in events(debate, "panel:report") if one["flips"]]
    assert [(one["flips"], one["judgements"]) for one in told] == [(["design"], 2)]
    assert Call.objects.filter(debate=debate, purpose="analyse").count() == 6
    assert result(debate, "score")["flipped"] == 1
    assert "2 judgements, 2.00 apart" in page(debate)
    assert debate.status == "concluded"
