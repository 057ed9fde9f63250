"""A panel at one round: what each judge said so far, read from the database or from the answers of this round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from debates.models import Ballot, Participant, Thread
from debates.types import Kind, Role, TurnKind
from judging.formats import repeated
from judging.formats.panel import deliberation, parsing
from judging.formats.panel.deliberation import Body
from judging.formats.panel.results import bar_of
from judging.formats.state import Ask, Await, Brief, ThreadState, Voice
from judging.models import Call, JudgeReport
from judging.rules import fairness, quotes
from judging.rules.fairness import Place
from judging.rules.quotes import Source
from judging.types import Bench, Gap, Item, NotAssessed, Outcome, Purpose, Stand


@dataclass(frozen=True, slots=True)
class PanelThreadState(ThreadState):
    """One panel at one round.

    Shape: ``judges`` are the participants in their order; ``sections`` are those of closed rounds, by participant and
    round; ``answers`` are the raw answers of this round by participant and by which of several judgements they are,
    ``calls`` the calls that brought them, where it was no ballot; ``silent`` could not be read in this round. ``ended``
    says as a code why the thread ends with this round, once that is known.
    """

    judges: tuple[int, ...] = ()
    sections: Mapping[int, Mapping[int, Body]] = field(default_factory=dict)
    answers: Mapping[int, Mapping[Place, str]] = field(default_factory=dict)
    calls: Mapping[int, Mapping[Place, int]] = field(default_factory=dict)
    silent: frozenset[int] = frozenset()
    ended: str = ""


def read_board(*, thread: Thread, number: int) -> PanelThreadState:
    judges = Participant.objects.filter(debate_id=thread.debate_id, role=Role.JUDGE.value, replacement=None)
    closed = JudgeReport.objects.filter(
        round__thread=thread, round__run_number=thread.run_number, round__number__lt=number, readable=True
    )
    sections: dict[int, dict[int, Body]] = {}
    for seat, played, body in closed.values_list("participant_id", "round__number", "body"):
        sections.setdefault(seat, {})[played] = body
    board = PanelThreadState.of(
        thread, number=number, judges=tuple(judges.order_by("position").values_list("pk", flat=True)), sections=sections
    )
    return heard(board)


def heard(board: PanelThreadState) -> PanelThreadState:
    """Return a board with everything that was answered in its round so far, whoever asked."""
    about = {"thread_id": board.thread_id, "run_number": board.run}
    used = Call.objects.filter(**about, round_number=board.number, outcome=Outcome.USED.value)
    answers: dict[int, dict[Place, str]] = {}
    calls: dict[int, dict[Place, int]] = {}
    for call in used.order_by("swapped", "reading"):
        place = Place(call.swapped, call.reading)
        answers.setdefault(call.participant_id, {})[place] = call.raw_answer
        calls.setdefault(call.participant_id, {})[place] = call.pk
    of_round = {f"round__{name}": value for name, value in about.items()}
    ballots = Ballot.objects.filter(**of_round, round__number=board.number).order_by("number")  # the last one counts
    answers |= {seat: {Place(): answer} for seat, answer in ballots.values_list("participant_id", "answer")}
    mute = JudgeReport.objects.filter(**of_round, round__number=board.number, readable=False)
    return replace(board, answers=answers, calls=calls, silent=frozenset(mute.values_list("participant_id", flat=True)))


def seats(brief: Brief) -> list[Voice]:
    return [voice for voice in brief.everybody if voice.role is Role.JUDGE]


def waiting(brief: Brief, board: PanelThreadState) -> tuple[Ask, ...]:
    """Return what is still to be asked of engines in this round: at first of all, then of those with an analysis.

    Each is asked as often as the debate wants; with one answer that could not be had, a judge is asked no more.
    """
    options = fairness.of(brief.parameters)
    purpose = Purpose.ARGUE if board.number else Purpose.ANALYSE
    return tuple(
        ask
        for participant_id in _unheard(brief, board)
        if brief.speaker(participant_id).kind is Kind.ENGINE
        for ask in repeated.asks(
            ask=Ask(purpose, Role.JUDGE, participant_id), fairness=options, had=board.answers.get(participant_id, ())
        )
    )


def awaited(brief: Brief, board: PanelThreadState) -> tuple[Await, ...]:
    """Return whose ballots are still awaited in this round: they are given once, by people and programs."""
    seconds = brief.parameters["panel"]["ballot_seconds"]
    return tuple(
        Await(participant_id, TurnKind.REPORT, seconds)
        for participant_id in _unheard(brief, board)
        if brief.speaker(participant_id).kind is not Kind.ENGINE
    )


def _unheard(brief: Brief, board: PanelThreadState) -> list[int]:
    """Return who has a word in this round and has not had all of it, in the order of their seats."""
    speaking = [judge for judge in board.judges if board.number == 0 or judge in board.sections]
    return [
        judge
        for judge in speaking
        if judge not in board.silent and len(board.answers.get(judge, ())) < judgements(brief, brief.speaker(judge))
    ]


def judgements(brief: Brief, seat: Voice) -> int:
    """Return how often a judge is heard in a round: an engine as often as the debate wants, anybody else once."""
    return fairness.of(brief.parameters).judgements if seat.kind is Kind.ENGINE else 1


def spoken(brief: Brief, board: PanelThreadState) -> list[Voice]:
    """Return who has been heard in this round as often as the debate wants, in the order of their seats."""
    return [
        voice
        for voice in seats(brief)
        if voice.id not in board.silent and len(board.answers.get(voice.id, ())) >= judgements(brief, voice)
    ]


@lru_cache(maxsize=16)
def source_of(subject: str) -> Source:
    """Return a subject ready for looking quotes up in it; kept, because every judge quotes the same.

    Our own lines between files are no words of theirs, and no quote reaches from one file into the next.
    """
    return quotes.source(quotes.own_words(subject, fill="\0"))


def stand_of(brief: Brief, board: PanelThreadState, seat: Voice) -> Stand:
    """Return where a judge stands after the rounds that are closed."""
    said = board.sections[seat.id]
    return deliberation.stand(judge=seat.name, sections=[said[number] for number in sorted(said)])


def names_in(brief: Brief, board: PanelThreadState) -> dict[str, str]:
    """Return what judges are called in a debate round, to everybody alike, by their names; first who is shown first."""
    stands = [stand_of(brief, board, voice) for voice in seats(brief) if voice.id in board.sections]
    if bar_of(brief.parameters).policy.hide_names:
        return deliberation.lettered(stands)
    return {stand.judge: stand.judge for stand in stands}


def peers(brief: Brief, board: PanelThreadState, seat: Voice) -> list[Stand]:
    """Return where the others stand who could be read in the round before."""
    before = board.number - 1
    others = [voice for voice in seats(brief) if voice.id != seat.id and before in board.sections.get(voice.id, {})]
    return [stand_of(brief, board, voice) for voice in others]


def gaps_of(brief: Brief, board: PanelThreadState, seat: Voice, *, others: Sequence[Stand]) -> tuple[Gap, ...]:
    """Return what a judge has to talk about in a debate round, with the others as they are called there."""
    held = bar_of(brief.parameters)
    before = board.number - 1
    sections = [board.sections.get(voice.id, {}).get(before) for voice in seats(brief)]
    check = deliberation.check(bar=held, sections=sections, debate_round=before)
    own = stand_of(brief, board, seat)
    return deliberation.gaps(
        own=own,
        others=others,
        codes=deliberation.to_debate(check=check, bar=held),
        allowed=held.policy.criterion_spread,
    )


def bench_of(brief: Brief, board: PanelThreadState, seat: Voice) -> Bench:
    """Return everything one judge may read in a round; in round 0 nobody sees anybody."""
    kept = brief.parameters["panel"]
    alone = board.number == 0
    position = [voice.id for voice in seats(brief)].index(seat.id)
    names = {} if alone else names_in(brief, board)
    standing = {stand.judge: stand for stand in peers(brief, board, seat)}
    others = tuple(deliberation.stand_as(standing[name], names) for name in names if name in standing)
    return Bench(
        title=brief.title,
        subject=brief.subject,
        task=kept["task"],
        items=items_of(brief.parameters),
        judge=names.get(seat.name, seat.name),
        strategy=kept["strategies"][position],
        round=board.number,
        rounds=bar_of(brief.parameters).policy.debate_rounds,
        own=None if alone else deliberation.stand_as(stand_of(brief, board, seat), names),
        others=others,
        gaps=() if alone else gaps_of(brief, board, seat, others=others),
        confidence=bar_of(brief.parameters).policy.confidence,
    )


def items_of(parameters: Mapping[str, Any]) -> tuple[Item, ...]:
    """Return the criteria as judges see them; what does not apply is not shown to them."""
    held = bar_of(parameters)
    rows: Sequence[Mapping[str, Any]] = parameters["rubric"]["criteria"]
    return tuple(
        Item(
            code=row["code"],
            name=row["name"],
            question=row["question"],
            high=row["high"],
            low=row["low"],
            share=held.shares[row["code"]],
        )
        for row in rows
        if row["code"] in held.applying
    )


def section_of(brief: Brief, board: PanelThreadState, seat: Voice, text: str) -> dict[str, Any]:
    held = bar_of(brief.parameters)
    within = source_of(brief.subject)
    expected = parsing.Answering(seat.kind is not Kind.ENGINE, held.policy.confidence)
    if board.number == 0:
        analysis = parsing.analysis(text, codes=held.applying, expected=expected)
        if isinstance(analysis, NotAssessed):
            return deliberation.declined(analysis)
        return deliberation.of_analysis(analysis=analysis, within=within, shares=held.shares)
    others = peers(brief, board, seat)
    gaps = gaps_of(brief, board, seat, others=others)
    names = {letter: name for name, letter in names_in(brief, board).items()}
    other_names = {stand.judge for stand in others}
    judges = [letter for letter, name in names.items() if name in other_names]
    argued = parsing.argued(text, codes=[gap.code for gap in gaps], judges=judges, expected=expected)
    return deliberation.of_argument(
        argued=deliberation.argued_as(argued, names),
        own=stand_of(brief, board, seat),
        gaps=gaps,
        within=within,
        shares=held.shares,
    )
