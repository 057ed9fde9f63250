"""What a page shows of a criterion debate: headline, scoreboard, transcript with rulings in place;
and what the facts behind a score rest on.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, OuterRef

from debates.models import Ballot, Debate, Participant, Round, Turn
from debates.rules import OVER
from debates.types import Role, TurnKind
from judging.formats.criterion import scoreboard
from judging.formats.criterion.scoreboard import Row
from judging.formats.criterion.state import CriterionThreadState
from judging.formats.shared_fields import SITS
from judging.formats.state import Acting, Ask, Await, Brief, Step, Together
from judging.models import Call, Challenge, Defence, Verdict
from judging.pages import participants
from judging.pages import transcript as transcript_pages
from judging.pages.parts import Page, Part, named
from judging.pages.transcript import FactWords, Statement
from judging.types import Outcome, Purpose, Reply, Winner
from scoring.models import Evaluation, Fact


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict as it is shown, and whether it counts towards the score as it stands."""

    verdict: Verdict
    counts: str


@dataclass(frozen=True, slots=True)
class ChallengeExchange:
    """One challenge in one round: what was put, what was answered, what was ruled. Each may be missing."""

    challenge: Challenge
    put: Turn | None
    answer: Turn | None
    ruling: Ruling | None

    @property
    def conceded(self) -> bool:
        return self.answer is not None and self.answer.defence.reply == Reply.CONCEDE


@dataclass(frozen=True, slots=True)
class PlayedRound:
    round: Round
    exchanges: Sequence[ChallengeExchange]

    @property
    def adjustment(self) -> Decimal | None:
        """Return the sum of the round's adjustments, before any cap; nothing without a verdict."""
        rulings = [exchange.ruling.verdict.fact.amount for exchange in self.exchanges if exchange.ruling]
        return sum(rulings, Decimal(0)) if rulings else None


@dataclass(frozen=True, slots=True)
class Run:
    """One time that a criterion was played from its initial score."""

    number: int
    rounds: Sequence[PlayedRound]


@dataclass(frozen=True, slots=True)
class Chapter:
    """One criterion's part of the transcript, the run that its score rests on first, and then the newest."""

    row: Row
    runs: Sequence[Run]

    @property
    def current(self) -> Run | None:
        """Return the run that the score rests on."""
        return self.runs[0] if self.runs else None

    @property
    def others(self) -> Sequence[Run]:
        return self.runs[1:]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything that was said in a debate, found by round and by (challenge label, round)."""

    rounds: Mapping[int, Sequence[Round]]
    challenges: Mapping[tuple[int, int], Sequence[Challenge]]
    turns: Mapping[tuple[int, str], Turn]
    verdicts: Mapping[tuple[int, int], Verdict]


def transcript(*, rows: Sequence[Row]) -> list[Chapter]:
    """Return the chapters about some criteria of a debate, in a number of queries that does not grow with them."""
    shelf = everything(threads=[row.thread.pk for row in rows])
    return [Chapter(row=row, runs=runs_of(row, shelf=shelf)) for row in rows]


def everything(*, threads: Sequence[int]) -> Shelf:
    """Return what was said in some threads: four queries, or none without a thread."""
    rounds: dict[int, list[Round]] = {}
    rows = Round.objects.filter(thread__in=threads).select_related("thread").order_by("run_number", "number")
    of_round = {"thread": OuterRef("thread"), "run_number": OuterRef("run_number"), "round_number": OuterRef("number")}
    calls = Call.objects.filter(**of_round, purpose__in=(Purpose.CHALLENGE, Purpose.PRESS), outcome=Outcome.USED)
    ballots = Ballot.objects.filter(round=OuterRef("pk"))
    for round_ in rows.annotate(has_ballot=Exists(ballots), is_challenged=Exists(calls)):
        rounds.setdefault(round_.thread_id, []).append(round_)
    challenges: dict[tuple[int, int], list[Challenge]] = {}
    for put in Challenge.objects.filter(thread__in=threads).order_by("pk"):
        challenges.setdefault((put.thread_id, put.run_number), []).append(put)
    turns = Turn.objects.filter(thread__in=threads, round__isnull=False).select_related("defence", "participant")
    verdicts = Verdict.objects.filter(round__thread__in=threads).select_related("fact", "call")
    return Shelf(
        rounds=rounds,
        challenges=challenges,
        turns={(turn.round_id or 0, turn.slot): turn for turn in turns},
        verdicts={(verdict.round_id, verdict.challenge_id): verdict for verdict in verdicts.defer("call__raw_answer")},
    )


def runs_of(row: Row, *, shelf: Shelf) -> list[Run]:
    """Return the runs of one criterion: at first the one of its score, which may be rolled back, then the newest."""
    rounds = shelf.rounds.get(row.thread.pk, ())
    current = row.evaluation.run_number if row.evaluation else 0
    numbers = sorted({round_row.run_number for round_row in rounds}, key=lambda run: (run != current, -run))
    return [
        Run(
            number=number,
            rounds=list(
                played(row, [round_row for round_row in rounds if round_row.run_number == number], shelf=shelf)
            ),
        )
        for number in numbers
    ]


def played(row: Row, rounds: Iterable[Round], *, shelf: Shelf) -> Iterable[PlayedRound]:
    """Return the rounds of one run in order. What was conceded in one is not open in the next."""
    conceded: set[int] = set()
    for round_row in rounds:
        challenges = shelf.challenges.get((row.thread.pk, round_row.run_number), ())
        exchanges = [
            exchange(put, round_=round_row, row=row, shelf=shelf) for put in challenges if put.pk not in conceded
        ]
        conceded |= {exchange.challenge.pk for exchange in exchanges if exchange.conceded}
        yield PlayedRound(round=round_row, exchanges=exchanges)


def exchange(challenge: Challenge, *, round_: Round, row: Row, shelf: Shelf) -> ChallengeExchange:
    verdict = shelf.verdicts.get((round_.pk, challenge.pk))
    counts = counts_as(verdict.fact, evaluation=row.evaluation, waits=row.waits) if verdict else ""
    return ChallengeExchange(
        challenge=challenge,
        put=shelf.turns.get((round_.pk, f"{TurnKind.CHALLENGE.value}:{challenge.label}")),
        answer=shelf.turns.get((round_.pk, f"{TurnKind.DEFENCE.value}:{challenge.label}")),
        ruling=Ruling(verdict, counts=counts) if verdict else None,
    )


def counts_as(fact: Fact, *, evaluation: Evaluation | None, waits: bool = False) -> str:
    """Say how a fact stands towards the score: counted, held, yet to count, not counted, or of another run.

    Shape: ``waits`` says that what is not counted yet will be when its thread ends.
    """
    if evaluation is None or fact.run_number < evaluation.run_number:
        return "earlier run"
    if fact.run_number > evaluation.run_number:
        return "later run"
    if fact.pk in evaluation.basis:
        return "counted"
    if fact.pk in evaluation.held:
        return "held"
    return "counts at the end" if waits else "not counted"


DOING: Mapping[Purpose, str] = {
    Purpose.CHALLENGE: "The red team looks for challenges to",
    Purpose.PRESS: "The red team presses its challenges to",
    Purpose.DEFEND: "The evaluator answers the challenges to",
    Purpose.JUDGE: "The arbiter rules on",
}


def acting(*, brief: Brief, board: CriterionThreadState, step: Step) -> Acting:
    """Return who acts on which criterion; where a ruling is asked for several times, it is one."""
    match step:
        case Ask() as ask:
            pass
        case Together(asks):
            ask = asks[0]
        case Await():
            rules = SITS[brief.voices[Role.JUDGE].kind]
            return Acting(f"The arbiter, {rules}, is to rule on {board.key}", after(brief, board))
        case _:
            return Acting(f"The round of {board.key} ends")
    following = after(brief, board)
    if ask.purpose is Purpose.DEFEND:
        following = "the arbiter rules"
    elif ask.purpose is not Purpose.JUDGE:
        following = "the evaluator answers"
    return Acting(f"{DOING[ask.purpose]} {board.key}", following)


def after(brief: Brief, board: CriterionThreadState) -> str:
    return f"round {board.number + 1}" if board.number < brief.rounds else f"{board.key} is done"


# The parts of a criterion debate's page: scores in several views, the latest words, a chapter for each criterion.


KINDS = ("challenge", "defence", "verdict")
SCORES = ("score:", "criterion:", "round:", "debate:")


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    """Return the page of a criterion debate; what was said is read for the chapters that are asked for alone."""
    board = scoreboard.scoreboard(debate=debate)
    rows = [row for row in board.rows if only is None or row.anchor in only]
    chapters = transcript(rows=rows)
    parts = named(
        Part("overall", "debates/_overall.html", stirred_by=SCORES),
        Part("latest", "debates/_latest.html", stirred_by=()),
        Part("synthesis", "debates/_synthesis.html", stirred_by=("synthesis:", "debate:", "score:", "criterion:")),
        Part("scoreboard", "debates/_scoreboard.html", stirred_by=SCORES),
        Part("progression", "debates/_progression.html", stirred_by=SCORES),
        *(line(row) for row in board.rows),
        *(chapter(criterion_chapter) for criterion_chapter in chapters),
    )
    return Page(
        layout="debates/criterion.html",
        parts=parts,
        values={
            "board": board,
            "chapters": [(line(criterion_chapter.row), chapter(criterion_chapter)) for criterion_chapter in chapters],
            "synthesis": transcript_pages.newest(debate=debate),
            "choices": transcript_pages.choices(
                kinds=KINDS, criteria={row.card["code"]: row.card["name"] for row in board.rows}
            ),
            "shows_latest": debate.status not in OVER,
            "latest": transcript_pages.latest(debate=debate) if shows_latest(debate, only=only) else [],
        },
    )


def shows_latest(debate: Debate, *, only: Collection[str] | None) -> bool:
    """Say whether the latest words are asked for, of a debate that has not ended."""
    return debate.status not in OVER and (only is None or "latest" in only)


def line(row: Row) -> Part:
    name, code = f"line-{row.thread.position}", row.card["code"]
    return Part(name, "debates/_line.html", stirred_by=SCORES, about=code, shown=row)


def chapter(criterion_chapter: Chapter) -> Part:
    return Part(
        criterion_chapter.row.anchor,
        "debates/_chapter.html",
        stirred_by=("turn:", "verdict:", "round:", "thread:", "score:", "criterion:", "debate:"),
        about=criterion_chapter.row.card["code"],
        when_open=True,
        shown=criterion_chapter,
    )


RULED: Mapping[str, str] = {
    Winner.EVALUATOR.value: "the evaluator prevails",
    Winner.RED_TEAM.value: "the red team prevails",
    Winner.DRAW.value: "a draw",
}


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what was said about facts of a debate, in at most four queries."""
    rows = list(
        Verdict.objects.filter(pk__in=facts)
        .select_related("challenge__turn__participant", "round", "fact")
        .order_by("pk")
    )
    if not rows:
        return {}
    rounds = {row.round_id for row in rows}
    turns = Turn.objects.filter(round__in=rounds, slot__startswith=f"{TurnKind.CHALLENGE.value}:").select_related(
        "participant"
    )
    pressed = {(turn.round_id, turn.slot): turn for turn in turns}
    defences = Defence.objects.filter(round__in=rounds).select_related("turn__participant")
    answers = {(defence.round_id, defence.challenge_id): defence for defence in defences}
    people = Participant.objects.filter(debate__threads__rounds=rows[0].round_id)
    arbiter = participants.arbiter_name(people)
    return {row.pk: _of(row, pressed=pressed, answers=answers, arbiter=arbiter) for row in rows}


def _of(
    row: Verdict,
    *,
    pressed: Mapping[tuple[int | None, str], Turn],
    answers: Mapping[tuple[int, int], Defence],
    arbiter: str,
) -> FactWords:
    put = pressed.get((row.round_id, f"{TurnKind.CHALLENGE.value}:{row.challenge.label}"), row.challenge.turn)
    said = [Statement("challenge", put.participant.name, put.text, f"turn-{put.public_id}")]
    answer = answers.get((row.round_id, row.challenge_id))
    if answer is not None:
        kind = "concession" if answer.reply == Reply.CONCEDE.value else "defence"
        said.append(Statement(kind, answer.turn.participant.name, answer.turn.text, f"turn-{answer.turn.public_id}"))
    ruled = Statement("ruling", arbiter, row.reasoning, f"verdict-{row.fact.public_id}", RULED[row.winner])
    quotes = [row.challenge.quote] if row.challenge.quote else []
    return FactWords(f"Verdict on {row.challenge.label}, round {row.round.number}", [*said, ruled], quotes)
