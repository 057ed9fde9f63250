"""What a criterion debate has come to: its options, what was said on each challenge, repeated rulings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.db.models import F

from debates.models import Ballot, Debate, Thread, Turn
from debates.types import Role, TurnKind
from judging.formats import repeated
from judging.formats.criterion import parsing
from judging.formats.criterion.parsing import Assessed, Ruled
from judging.formats.repeated import ONE, KeptReadings, Recomputed, RepeatedTable
from judging.formats.state import Ask, Await, Brief, Close, Finish, Step, ThreadState
from judging.models import Call, Challenge, Verdict
from judging.rules import fairness
from judging.rules.fairness import Place
from judging.types import (
    WHY_UNABLE,
    EarlierRuling,
    Exchange,
    NotAssessed,
    Outcome,
    Purpose,
    Reply,
    Severity,
    Unable,
    Winner,
)


@dataclass(frozen=True, slots=True)
class Point:
    """One challenge on the board, with what was said about it in every round of this run."""

    id: int
    label: str
    persona: str
    severity: Severity
    quote: str
    said: tuple[tuple[int, str, str], ...]
    put_turn: int | None = None
    reply: Reply | None = None
    conceded: bool = False
    rulings: tuple[EarlierRuling, ...] = ()


@dataclass(frozen=True, slots=True)
class CriterionThreadState(ThreadState):
    """One criterion at one round: its score, its challenges, and what was asked in this round already.

    ``ruled`` are the rulings that there are, where an exchange gets several. Where somebody rules from a seat,
    ``ballot`` is what they gave in this round, and ``forfeited`` says that they gave nothing in time.
    """

    evaluation_id: int
    initial: Decimal
    value: Decimal
    points: tuple[Point, ...] = ()
    done: frozenset[Purpose] = field(default_factory=frozenset)
    ruled: frozenset[Place] = field(default_factory=frozenset)
    ballot: str = ""
    forfeited: bool = False

    @property
    def open(self) -> tuple[Point, ...]:
        """Return the challenges that nobody has conceded in an earlier round."""
        return tuple(point for point in self.points if not point.conceded)

    @property
    def put(self) -> tuple[Point, ...]:
        """Return the challenges that were put in this round; the red team may let an open one lie."""
        return tuple(point for point in self.open if point.put_turn is not None)


# What a criterion debate reads: its options, its criteria, and what has been said about each challenge.


CHALLENGER, EVALUATOR = "challenger", "evaluator"
ASSESSING = (Purpose.ASSESS.value, Purpose.ASSESS_SEVERAL.value)


@dataclass(frozen=True, slots=True)
class CriterionOptions:
    """How a criterion debate is played, as it was created."""

    personas: tuple[str, ...]
    challenges_per_criterion: int
    at_end: bool


def options_of(brief: Brief) -> CriterionOptions:
    play = brief.parameters["play"]
    return CriterionOptions(
        personas=tuple(play["personas"]),
        challenges_per_criterion=play["challenges_per_criterion"],
        at_end=play["score_updates"] == "at_end",
    )


def per_assessment(parameters: Mapping[str, Any]) -> int:
    """Return how many criteria one question of the evaluator is about before play."""
    return int(parameters["play"].get("criteria_per_assessment", 1))


def assessments(*, debate_id: int) -> Mapping[str, tuple[Decimal, Decimal]]:
    """Return the assessments that were given so far: {criterion: (score, confidence)}."""
    return {
        key: (assessment.score, assessment.confidence)
        for key, assessment in evaluator_answers(debate_id=debate_id).items()
        if isinstance(assessment, Assessed)
    }


def evaluator_answers(*, debate_id: int) -> Mapping[str, Assessed | NotAssessed]:
    """Return what the evaluator answered so far before play, by criterion; an erased answer tells nothing.

    Where one was assessed twice, by two workers who divided the criteria in other ways, the first answer holds.
    """
    calls = Call.objects.filter(
        debate_id=debate_id, thread__isnull=False, purpose__in=ASSESSING, outcome=Outcome.USED.value
    )
    answers: dict[str, Assessed | NotAssessed] = {}
    rows = calls.exclude(raw_answer="").order_by("-id")
    for key, answer, criteria in rows.values_list("thread__key", "raw_answer", "parameters__criteria"):
        answers |= parsing.assessments(answer, codes=criteria) if criteria else {key: parsing.assessment(answer)}
    return answers


def declined(*, debate_id: int) -> Mapping[str, NotAssessed]:
    answers = evaluator_answers(debate_id=debate_id)
    keys = (
        Thread.objects.filter(debate_id=debate_id, key__in=answers).order_by("position").values_list("key", flat=True)
    )
    return {key: answer for key in keys if isinstance(answer := answers[key], NotAssessed)}


def not_assessed(*, debate: Debate) -> Mapping[str, NotAssessed]:
    """Return the criteria that have no score because the evaluator could not assess them, and why, as it is shown.

    Where the answer was erased, the code that the thread ended with says it.
    """
    threads = Thread.objects.filter(debate=debate, ended_because__in=list(Unable)).order_by("position")
    ended = dict(threads.values_list("key", "ended_because"))
    answers = declined(debate_id=debate.pk) if ended else {}
    return {key: answers.get(key) or NotAssessed(Unable(code), WHY_UNABLE[Unable(code)]) for key, code in ended.items()}


def points_of(*, thread_id: int, run: int, number: int) -> tuple[Point, ...]:
    """Return the challenges of a thread's run with everything said about them up to a round."""
    rows = list(Challenge.objects.filter(thread_id=thread_id, run_number=run).select_related("turn"))
    if not rows:
        return ()
    rows_said = Turn.objects.filter(round__thread_id=thread_id, round__run_number=run)
    rows_said = rows_said.exclude(kind=TurnKind.JUDGEMENT.value)
    said: dict[str, list[tuple[int, str, str]]] = {row.label: [] for row in rows}
    replies: dict[str, tuple[int, Reply]] = {}
    put: dict[str, int] = {}
    for turn in rows_said.select_related("round", "defence").order_by("id"):
        kind, _, label = turn.slot.partition(":")
        at = turn.round.number if turn.round else 0
        said[label].append((at, CHALLENGER if kind == TurnKind.CHALLENGE.value else EVALUATOR, turn.text))
        if kind == TurnKind.DEFENCE.value:
            replies[label] = (at, Reply(turn.defence.reply))
        elif at == number:
            put[label] = turn.pk
    ruled = rulings_of(thread_id=thread_id, run=run, number=number)
    points = []
    for row in rows:
        at, reply = replies.get(row.label, (0, None))
        point = Point(
            id=row.pk,
            label=row.label,
            persona=row.persona,
            severity=Severity(row.severity),
            quote=row.quote,
            said=tuple(said[row.label]),
            put_turn=put.get(row.label),
            reply=reply if at == number else None,
            conceded=reply is Reply.CONCEDE and at < number,
            rulings=tuple(ruled.get(row.label, ())),
        )
        points.append(point)
    return tuple(points)


def rulings_of(*, thread_id: int, run: int, number: int) -> Mapping[str, Sequence[EarlierRuling]]:
    """Return what was ruled on each challenge of a thread's run before a round, by its label, oldest first."""
    ruled: dict[str, list[EarlierRuling]] = {}
    if number == 1:
        return ruled
    verdicts = Verdict.objects.filter(round__thread_id=thread_id, round__run_number=run, round__number__lt=number)
    for verdict in verdicts.select_related("round", "challenge", "fact").order_by("round__number"):
        ruling = EarlierRuling(verdict.round.number, Winner(verdict.winner), verdict.fact.amount, verdict.reasoning)
        ruled.setdefault(verdict.challenge.label, []).append(ruling)
    return ruled


def exchange_of(point: Point, *, purpose: Purpose) -> Exchange:
    """Return an exchange as whoever is asked sees it: earlier rulings are for the arbiter."""
    return Exchange(
        label=point.label,
        persona=point.persona,
        severity=point.severity,
        quote=point.quote,
        said=point.said,
        reply=point.reply,
        rulings=point.rulings if purpose is Purpose.JUDGE else (),
    )


# What several rulings on one exchange come to, and what is kept of each.


@dataclass(frozen=True, slots=True)
class AgreedRuling:
    """What counts of an exchange, by which call unless it was a ballot, and what is kept of the single rulings."""

    ruled: Ruled
    call: Call | None
    kept: KeptReadings


def ruling(*, brief: Brief, board: CriterionThreadState) -> Step:
    """Return how answers come to be ruled on: an engine is asked; who rules from a seat is waited for.

    Without a ruling in time the thread ends like one whose arbiter cannot be read.
    """
    judge = brief.voices.get(Role.JUDGE)
    if judge is None:
        return repeated.step(asks(brief=brief, board=board))
    if board.ballot:
        return Close()
    if board.forfeited:
        why = f"{judge.name} gave no ruling on {board.key}."
        return Finish("judge_failed", partial=True, alert=why)
    return Await(judge.id, TurnKind.JUDGEMENT, brief.parameters["play"]["ballot_seconds"])


def with_ballot(*, board: CriterionThreadState, thread: Thread) -> CriterionThreadState:
    """Return a board with what became of the rulings that were awaited in its round, if any were."""
    here = {"round__thread": thread, "round__run_number": board.run, "round__number": board.number}
    ballot = Ballot.objects.filter(**here).values_list("answer", flat=True).last()
    if ballot is not None:
        return replace(board, ballot=ballot)
    return replace(board, forfeited=Turn.objects.filter(**here, kind=TurnKind.JUDGEMENT.value).exists())


def only(*, ruled: Sequence[Ruled], call: Call | None) -> list[AgreedRuling]:
    """Return the rulings of an arbiter that is asked once."""
    return [AgreedRuling(ruling, call, ONE) for ruling in ruled]


def asks(*, brief: Brief, board: CriterionThreadState) -> tuple[Ask, ...]:
    """Return the question for a ruling as often as it is still to be put. Pure."""
    options = fairness.of(brief.parameters)
    return repeated.asks(ask=Ask(Purpose.JUDGE, Role.ARBITER), fairness=options, had=board.ruled)


def with_rulings(*, board: CriterionThreadState, thread: Thread) -> CriterionThreadState:
    judgements = repeated.had(thread=thread, number=board.number)
    return replace(
        board, ruled=frozenset(place for purpose, _, _, place in judgements if purpose == Purpose.JUDGE.value)
    )


def agreed(*, board: CriterionThreadState, labels: Collection[str]) -> list[AgreedRuling]:
    """Return what all rulings of a round come to, one for each exchange, with the reasoning of the nearest."""
    judged = repeated.judgements(
        board=board, read=lambda _, text: parsing.verdicts(text, labels=labels), purpose=Purpose.JUDGE.value
    )
    calls = {place: call for place, (call, _) in judged.items()}
    by_label = {place: {ruled.label: ruled for ruled in rulings} for place, (_, rulings) in judged.items()}
    return [_agreed({place: rulings[label] for place, rulings in by_label.items()}, calls) for label in labels]


def _agreed(rulings: Mapping[Place, Ruled], calls: Mapping[Place, Call]) -> AgreedRuling:
    rows = {
        place: {"adjustment": ruling.adjustment, "impact": ruling.impact, "confidence": ruling.confidence}
        for place, ruling in rulings.items()
    }
    won, agreed = fairness.verdict(
        judgements={place: (ruling.winner.value, rows[place]) for place, ruling in rulings.items()}
    )
    place = fairness.nearest(
        judgements={place: ruling.adjustment for place, ruling in rulings.items()}, to=agreed.numbers["adjustment"]
    )
    kept = {place: {"winner": ruling.winner.value, **rows[place]} for place, ruling in rulings.items()}
    return AgreedRuling(
        ruled=replace(
            rulings[place],
            winner=Winner(won),
            adjustment=agreed.numbers["adjustment"],
            impact=agreed.numbers["impact"],
            confidence=agreed.numbers["confidence"],
        ),
        call=calls[place],
        kept=KeptReadings(tuple(repeated.kept(kept)), agreed.spread, agreed.flipped),
    )


RULED = ("adjustment", "impact", "confidence")


def recompute(row: Verdict) -> Recomputed:
    """Return what the single rulings of a verdict come to, and what it says that they came to."""
    winners = {Place(reading["swapped"], reading["reading"]): reading["winner"] for reading in row.readings}
    won, agreed = fairness.verdict(
        judgements={place: (winners[place], ruled) for place, ruled in repeated.numbers_of(row, RULED).items()}
    )
    fact = row.fact
    says = {"adjustment": fact.amount, "impact": fact.impact, "confidence": fact.weight}
    expected, stored = repeated.compared(row, agreed, says)
    return {**expected, "winner": won}, {**stored, "winner": row.winner}


OF_ITS_RUN = {"fact__run_number": F("fact__evaluation__run_number")}
TABLES = (RepeatedTable("verdict", Verdict, debate="fact__evaluation__debate", recompute=recompute, counts=OF_ITS_RUN),)
