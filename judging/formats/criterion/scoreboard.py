"""The scoreboard of a criterion debate, and how each score came to where it stands."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from itertools import chain
from typing import Any

from debates.decimals import two_places
from debates.models import Debate, Thread
from debates.types import ENDED, ThreadStatus
from judging.formats import repeated
from judging.formats.base import Summary
from judging.formats.criterion import results
from judging.formats.criterion.state import TABLES, not_assessed
from judging.types import NotAssessed, are_unable
from scoring.enums import EntryKind, HeldChoice
from scoring.models import Evaluation, ScoreChange
from scoring.rules.overall import Overall
from scoring.services import moderation_effect
from scoring.services.moderation_effect import ModerationEffect
from scoring.types import Instrument

# How a score went, round by round, read from the entries of its ledger. Values only.


class StepState(StrEnum):
    """What a round did to a score."""

    COUNTED = "counted"
    HELD = "held"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class EntryLine:
    """What a journey reads of one entry."""

    sequence: int
    kind: str
    round: int | None
    score: Decimal | None
    held_choice: str = ""
    target: int | None = None
    facts: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One round of a journey: the computed score after it, where it counted."""

    state: StepState
    score: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Journey:
    """The rounds of the newest run that still stand, and whether the score fell back to where it began."""

    steps: Mapping[int, Step] = field(default_factory=dict)
    fell_back: bool = False


def journey(*, lines: Iterable[EntryLine]) -> Journey:
    """Return where a ledger has led: a rerun starts anew, a rollback takes back every round after its target.

    Shape: ``lines`` are all entries of one evaluation, in order.
    """
    now = Journey()
    past: dict[int, Journey] = {}
    rounds: dict[int, int] = {}
    for line in lines:
        if line.round:
            rounds |= dict.fromkeys(line.facts, line.round)
        if line.kind == EntryKind.ROLLBACK:
            now = gone_back(past.get(line.target or 0, Journey()))
        else:
            now = after(now, line, moved={rounds[fact] for fact in line.facts if fact in rounds})
        past[line.sequence] = now
    return now


def gone_back(target: Journey) -> Journey:
    """Return a journey after a rollback: what was held at its target is left out."""
    return replace(target, steps={**target.steps, **dict.fromkeys(held_in(target.steps), Step(StepState.DISCARDED))})


def after(now: Journey, line: EntryLine, *, moved: Collection[int]) -> Journey:
    """Return a journey after one more entry that is no rollback; ``moved`` are the rounds of its facts."""
    steps, fell_back = now.steps, now.fell_back
    match line.kind:
        case EntryKind.ROUND:
            steps, fell_back = {**steps, line.round or 0: Step(StepState.COUNTED, line.score)}, False
        case EntryKind.HELD:
            steps = {**steps, line.round or 0: Step(StepState.HELD)}
        case EntryKind.FREEZE:
            steps = {**steps, **dict.fromkeys(moved, Step(StepState.HELD))}
        case EntryKind.UNFREEZE:
            steps = released(steps, line)
        case EntryKind.REINSTATE:
            steps = counting(steps, rounds=moved, score=line.score)
        case EntryKind.FALLBACK:
            fell_back = True
        case EntryKind.RERUN:
            steps, fell_back = {}, False
    return Journey(steps, fell_back)


def released(steps: Mapping[int, Step], line: EntryLine) -> dict[int, Step]:
    """Return the steps after an unfreeze: what was held counts, or is discarded."""
    held = held_in(steps)
    if line.held_choice == HeldChoice.DISCARD:
        return {**steps, **dict.fromkeys(held, Step(StepState.DISCARDED))}
    return counting(steps, rounds=held, score=line.score)


def held_in(steps: Mapping[int, Step]) -> list[int]:
    return [number for number, step in steps.items() if step.state is StepState.HELD]


def counting(steps: Mapping[int, Step], *, rounds: Collection[int], score: Decimal | None) -> dict[int, Step]:
    """Return the steps once some rounds count: the score is that of the last round which counts, if it is among them.

    What counts already, and only lacked single verdicts, stays as it is.
    """
    counted = {number: step for number, step in steps.items() if step.state is StepState.COUNTED}
    more = dict.fromkeys(set(rounds) - set(counted), Step(StepState.COUNTED))
    last = max({**counted, **more}, default=0)
    return {**steps, **more, **({last: Step(StepState.COUNTED, score)} if last in more else {})}


# The scoreboard of a criterion debate: every criterion with its journey and its state, by category.


READ = (
    "evaluation_id", "sequence", "kind", "round__number", "computed_after", "held_choice", "target_sequence", "facts",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Badge:
    """A state in one word, and in one sentence."""

    word: str
    means: str


@dataclass(frozen=True, slots=True)
class Row:
    """One criterion. ``evaluation`` is missing where nothing was ever assessed."""

    thread: Thread
    card: Mapping[str, str]
    evaluation: Evaluation | None
    fell_back: bool
    steps: Sequence[Step | None]
    unable: NotAssessed | None = None
    effect: ModerationEffect | None = None

    @property
    def anchor(self) -> str:
        """Return the fragment under which the transcript of this criterion is found."""
        return f"criterion-{self.thread.position}"

    @property
    def waits(self) -> bool:
        """Tell whether what is ruled on it counts when its thread ends, and not before."""
        at_end = self.thread.debate.parameters["play"]["score_updates"] == "at_end"
        return at_end and self.thread.status not in ENDED

    @property
    def final(self) -> Decimal | None:
        final: Decimal | None = self.evaluation.final_score if self.evaluation else None
        return final

    @property
    def moved(self) -> Decimal | None:
        """Return by how much the score stands above its initial value; nothing while it is not evaluated."""
        if self.evaluation is None or self.final is None:
            return None
        return self.final - self.evaluation.initial_score

    @property
    def kept_initial(self) -> bool:
        return self.evaluation is not None and results.kept_initial(evaluation=self.evaluation)

    @property
    def settled(self) -> bool:
        """Say whether play of this criterion has ended."""
        return ThreadStatus(self.thread.status) in ENDED

    @property
    def badges(self) -> list[Badge]:
        """Return the badges of the score, the most surprising last."""
        if self.unable is not None:
            return [Badge("not assessed", f"{self.unable.why} {self.unable.helps}")]
        if self.evaluation is None:
            return [Badge("not evaluated", "This criterion was not assessed, so it has no score.")]
        own, why = [], self.thread.ended_because.replace("_", " ") or "no reason recorded"
        if self.final is None:
            own.append(Badge("not evaluated", "Nothing has been counted yet; the initial score is no result."))
        if self.thread.status == ThreadStatus.PARTIAL:
            own.append(Badge("partial", f"Play ended early: {why}. The rounds played count."))
        if self.kept_initial:
            said = f"No verdict counted ({why})" if self.fell_back else "No verdict counts any more"
            own.append(Badge("no verdicts", f"{said}: the initial score is kept."))
        return own + moderated(evaluation=self.evaluation, what="verdict", effect=self.effect)


@dataclass(frozen=True, slots=True)
class Group:
    """A category: its criteria and its means before and after, where there are any."""

    name: str
    before: str | None
    after: str | None
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Everything about the scores of one debate as they are now; ``without`` is the overall had no person moved any."""

    groups: Sequence[Group]
    rounds: Sequence[int]
    numbers: Mapping[str, Any]
    without: Overall | None
    fairness: Mapping[str, Any] | None

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]

    @property
    def unable(self) -> Mapping[NotAssessed, Sequence[Row]]:
        """Return the criteria that could not be assessed, by why."""
        rows: dict[NotAssessed, list[Row]] = {}
        for row in self.rows:
            if row.unable is not None:
                rows.setdefault(row.unable, []).append(row)
        return rows

    @property
    def judged(self) -> bool:
        """Say whether any score is more than the initial one, kept."""
        return results.has_result(evaluations=[row.evaluation for row in self.rows if row.evaluation])

    @property
    def strengths(self) -> list[Row]:
        return self.by_final(self.numbers["strengths"])[::-1]

    @property
    def weaknesses(self) -> list[Row]:
        return self.by_final(self.numbers["weaknesses"])

    def by_final(self, codes: Collection[str]) -> list[Row]:
        """Return some criteria by their scores, the lowest first, equal ones from the end of the rubric."""
        rows = [row for row in self.rows[::-1] if row.card["code"] in codes]
        return sorted(rows, key=lambda row: row.final or Decimal(0))


def moderated(*, evaluation: Evaluation, what: str, effect: ModerationEffect | None = None) -> list[Badge]:
    """Return what moderators did to a score; ``what`` it is computed from."""
    badges = []
    without = f" {moved_words(effect)}" if effect is not None and effect.moved else ""
    if without and evaluation.override_score is None:
        badges.append(Badge("moved by a person", f"A moderator changed what counts.{without}"))
    if evaluation.override_score is not None:
        badges.append(
            Badge("overridden", f"A moderator set this score; the computed score is kept underneath.{without}")
        )
    if evaluation.frozen_at is not None:
        badges.append(Badge("frozen", "A moderator stopped this score from moving."))
    if evaluation.held:
        badges.append(Badge("held", held(len(evaluation.held), what=what)))
    return badges


def moved_words(effect: ModerationEffect) -> str:
    if effect.without is None:
        return "Without a moderator's act there would be no score."
    return f"Without a moderator's act it would stand at {two_places(effect.without)}."


def held(count: int, *, what: str) -> str:
    if count == 1:
        return f"1 {what} arrived while frozen and does not count for now."
    return f"{count} {what}s arrived while frozen and do not count for now."


def scoreboard(*, debate: Debate) -> Scoreboard:
    """Return the scoreboard of a criterion debate, in a number of queries that does not grow with it."""
    threads = list(debate.threads.order_by("position"))
    evaluations = Evaluation.objects.filter(debate=debate, instrument=Instrument.CRITERION.value).defer("head_hash")
    by_thread = {evaluation.thread_id: evaluation for evaluation in evaluations}
    moved = moderation_effect.moved(evaluations=by_thread.values())
    went = journeys(debate=debate)
    cards = {card["code"]: card for card in debate.parameters["rubric"]["criteria"]}
    rounds = range(1, debate.rounds + 1)
    unable = not_assessed(debate=debate)
    rows = []
    for thread in threads:
        evaluation = by_thread.get(thread.pk)
        path = went.get(evaluation.pk, Journey()) if evaluation else Journey()
        rows.append(
            Row(
                thread=thread,
                card=cards[thread.key],
                evaluation=evaluation,
                fell_back=path.fell_back,
                steps=[path.steps.get(number) for number in rounds],
                unable=unable.get(thread.key),
                effect=moved.get(evaluation.pk) if evaluation else None,
            )
        )
    numbers = results.numbers(debate=debate)
    return Scoreboard(
        groups=grouped(rows, categories=numbers["categories"]),
        rounds=rounds,
        numbers=numbers,
        without=without_moderation(debate, evaluations=list(by_thread.values()), moved=moved) if moved else None,
        fairness=repeated.of_debate(debate=debate, tables=TABLES),
    )


def grouped(rows: Sequence[Row], *, categories: Sequence[Mapping[str, Any]]) -> list[Group]:
    """Return the criteria by category, leaving out the categories of which nothing is played."""
    groups = [
        Group(
            name=category["category"],
            before=category["before"],
            after=category["after"],
            rows=[row for row in rows if row.card["category"] == category["category"]],
        )
        for category in categories
    ]
    return [group for group in groups if group.rows]


def journeys(*, debate: Debate) -> dict[int, Journey]:
    """Return how every score of a debate went: {evaluation: journey}."""
    entries = ScoreChange.objects.filter(evaluation__debate=debate).order_by("evaluation_id", "sequence")
    lines: dict[int, list[EntryLine]] = {}
    for entry in entries.select_related("round").only(*READ):
        line = EntryLine(
            sequence=entry.sequence,
            kind=entry.kind,
            round=entry.round.number if entry.round else None,
            score=entry.computed_after,
            held_choice=entry.held_choice,
            target=entry.target_sequence,
            facts=entry.facts,
        )
        lines.setdefault(entry.evaluation_id, []).append(line)
    return {evaluation: journey(lines=entry_lines) for evaluation, entry_lines in lines.items()}


def summaries(*, debates: Sequence[Debate]) -> dict[int, Summary]:
    """Return what criterion debates came to, in one query; initial scores that no verdict has moved are no result."""
    evaluations = evaluations_of(debates=debates)
    moved = moderation_effect.moved(evaluations=chain.from_iterable(evaluations.values()))
    return {
        debate.pk: summary_of(debate, evaluations=evaluations.get(debate.pk, ()), moved=moved) for debate in debates
    }


def summary_of(debate: Debate, *, evaluations: Sequence[Evaluation], moved: Mapping[int, ModerationEffect]) -> Summary:
    scored = [evaluation for evaluation in evaluations if evaluation.final_score is not None]
    finals = {evaluation.pk: evaluation.final_score for evaluation in scored}
    if results.has_result(evaluations=scored):
        whole = results.overall_of(debate=debate, evaluations=evaluations, scores=finals, judged=True)
        by_persons = any(evaluation.pk in moved for evaluation in evaluations)
        without = without_moderation(debate, evaluations=evaluations, moved=moved) if by_persons else None
        return Summary(
            overall=whole,
            scored=len(scored),
            criteria=len(evaluations),
            moved=by_persons,
            unmoderated=without.score if without else None,
        )
    if debate.partial and are_unable(debate.partial_reason.split(", ")):
        return Summary(without="not assessed")
    return Summary(without="no verdicts" if scored else "not evaluated")


def evaluations_of(*, debates: Sequence[Debate]) -> dict[int, list[Evaluation]]:
    """Return the evaluations of criterion debates, in one query: {debate: evaluations}."""
    played = [debate.pk for debate in debates if "rubric" in debate.parameters]
    rows: dict[int, list[Evaluation]] = {}
    for row in Evaluation.objects.filter(debate__in=played, instrument=Instrument.CRITERION.value).order_by("pk"):
        rows.setdefault(row.debate_id, []).append(row)
    return rows


def without_moderation(
    debate: Debate, *, evaluations: Sequence[Evaluation], moved: Mapping[int, ModerationEffect]
) -> Overall:
    """Return the overall of a debate as it would be had no person moved a score."""
    scores = {row.pk: moved[row.pk].without if row.pk in moved else row.final_score for row in evaluations}
    known = {pk: score for pk, score in scores.items() if score is not None}
    return results.summed(debate=debate, evaluations=evaluations, scores=known)
