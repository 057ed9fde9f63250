"""A judge against labels of people: texts are read as a debate has them read, and nothing of it is written down."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from django.conf import settings

from debates.errors import Invalid
from debates.types import Kind, Role
from judging.engine import attempt
from judging.engine.attempt import Question, Unanswered
from judging.engine.calls import CallResult
from judging.engine.creation import check_providers
from judging.engine.judgement_cache import Withheld
from judging.errors import AnswerRejected
from judging.formats.criterion.parsing import Assessed
from judging.formats.criterion.spec import CriterionSpec, chosen_criteria
from judging.formats.panel.deliberation import DECLINED, exact_overall
from judging.formats.panel.results import bar_of
from judging.formats.panel.spec import PanelSpec
from judging.formats.panel.state import PanelThreadState
from judging.formats.registry import format_of
from judging.formats.spec import LONGEST_SUBJECT
from judging.formats.state import Ask, Brief, Voice
from judging.rules import calibration, text_probes
from judging.rules.calibration import (
    Labelled,
    LabelledPair,
    LabelledText,
    PairFigures,
    ProbeFigure,
    RatedPair,
    RatedText,
    TextFigures,
    preferred,
)
from judging.rules.quotes import header
from judging.rules.text_probes import Expected
from judging.types import Permit, Purpose, Unable

# How one text is read: by which questions, and what their answers come to.

SPENT = "The limit of calls was reached."
SIDES = ("first", "second")
TITLE = "Text"
EQUAL = "label: they are all equal, in every group, so there is nothing to compare."


class Reader(Protocol):
    """Has one subject judged by as many questions as ``parts``."""

    @property
    def brief(self) -> Brief: ...

    @property
    def parts(self) -> int: ...

    def question(self, *, subject: str, part: int, attempt: int) -> Question:
        """Return what to ask about a subject."""
        ...

    def scores(self, answers: Sequence[Any]) -> Sequence[Fraction] | Unable:
        """Return what all answers come to: a score, one for each of two texts, or why nothing is judged."""
        ...


def permitted() -> Permit:
    """Let a call be made that has waited for room: its budget was counted when it began to wait."""
    return Permit.ASK


@dataclass(frozen=True, slots=True)
class PanelReader:
    """The first judges of a panel, each alone; the mean of their overalls counts.

    Shape: ``parts`` is how many of them; ``sides`` has them score two texts at once.
    """

    brief: Brief
    parts: int
    sides: bool = False

    @property
    def judges(self) -> Sequence[Voice]:
        return [voice for voice in self.brief.everybody if voice.role is Role.JUDGE][: self.parts]

    def question(self, *, subject: str, part: int, attempt: int) -> Question:
        voice, brief = self.judges[part], replace(self.brief, subject=subject)
        format_, ask = format_of(brief.format), Ask(Purpose.ANALYSE, Role.JUDGE, voice.id)
        board = PanelThreadState(
            thread_id=0, key="", run=1, fence=0, number=0, round_id=0, judges=tuple(judge.id for judge in self.judges)
        )
        return Question(
            request=format_.request(brief=brief, board=board, ask=ask, attempt=attempt),
            voice=voice,
            read=lambda text: self._with_both(format_.read(brief=brief, board=board, ask=ask, text=text)),
            permit=permitted,
        )

    def scores(self, answers: Sequence[Any]) -> Sequence[Fraction] | Unable:
        sections = [section for section in answers if section["kind"] != DECLINED]
        if not sections:
            return Unable(answers[0]["reason"])
        shares = bar_of(self.brief.parameters).shares
        return [
            sum((exact_overall(of_side(section, side), shares) for section in sections), Fraction(0)) / len(sections)
            for side in (SIDES if self.sides else ("",))
        ]

    def _with_both(self, section: Any) -> Any:
        """Refuse an answer about two texts in which one of them has no score at all."""
        if self.sides and section["kind"] != DECLINED:
            for side in SIDES:
                if not of_side(section, side):
                    raise AnswerRejected(f"criteria: at least one of the {side} text needs a score.")
        return section


@dataclass(frozen=True, slots=True)
class CriterionReader:
    """The evaluator's first scores of a criterion debate; their mean by weight counts.

    Where several criteria go into one question, one that its answer lacks counts in no mean.
    """

    brief: Brief

    @property
    def at_once(self) -> int:
        return format_of(self.brief.format).assessed_together(brief=self.brief)

    @property
    def criteria(self) -> Sequence[Mapping[str, str]]:
        criteria: Sequence[Mapping[str, str]] = self.brief.parameters["rubric"]["criteria"]
        return criteria

    @property
    def parts(self) -> int:
        return -(-len(self.criteria) // self.at_once)

    def question(self, *, subject: str, part: int, attempt: int) -> Question:
        brief, format_ = replace(self.brief, subject=subject), format_of(self.brief.format)
        keys = [row["code"] for row in self.criteria[part * self.at_once : (part + 1) * self.at_once]]
        ask, request = format_.assessment(brief=brief, keys=keys, attempt=attempt)
        return Question(
            request=request,
            voice=brief.voice(ask),
            read=lambda text: format_.read_assessment(brief=brief, keys=keys, text=text),
            permit=permitted,
        )

    def scores(self, answers: Sequence[Any]) -> Sequence[Fraction] | Unable:
        by_code: dict[str, Any] = {code: answer for part in answers for code, answer in part.items()}
        assessed = [
            (Fraction(row["weight"]), Fraction(answer.score))
            for row in self.criteria
            if isinstance(answer := by_code.get(row["code"]), Assessed)
        ]
        if not assessed:
            reason: Unable = next(iter(by_code.values())).reason
            return reason
        weighted = sum((weight * score for weight, score in assessed), start=Fraction(0))
        return [weighted / sum(weight for weight, _ in assessed)]


def of_side(section: Mapping[str, Any], side: str) -> Mapping[str, Decimal]:
    """Return what one of two texts that are shown together got, by criterion; without a side all there is."""
    end = f" {side}" if side else ""
    return {code: Decimal(score) for code, score in section["scores"].items() if code.endswith(end)}


# Who reads: a panel or a criterion debate as it would be created, of which nothing is written.


def reader_of(spec: PanelSpec | CriterionSpec, *, judges: int = 1, sides: bool = False) -> Reader:
    """Return the judge that a debate of this kind would have.

    Shape: of a panel its first ``judges``; ``sides`` has them score two texts in one question.

    Raises: ``Invalid`` and its kin, naming the field.
    """
    if isinstance(spec, CriterionSpec):
        rows = chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)
        return CriterionReader(brief_of(replace(spec, rubric={**spec.rubric, "criteria": rows})))
    rubric = two_sided(spec.rubric) if sides else spec.rubric
    return PanelReader(brief_of(replace(spec, rubric=rubric)), parts=judges, sides=sides)


def brief_of(spec: PanelSpec | CriterionSpec) -> Brief:
    """Return what a debate of a spec would be played from.

    Raises: ``Invalid`` and its kin, naming the field.
    """
    format_ = format_of(spec.format)
    draft = format_.draft(spec=spec, by=None)
    check_providers(format_=format_, spec=spec, draft=draft, scripted=bool(spec.script))
    everybody = tuple(
        Voice(position, Role(row.role), row.name, row.provider, row.model, Kind(row.kind))
        for position, row in enumerate(draft.participants, start=1)
    )
    return Brief(
        debate_id=0,
        public_id="",
        format=spec.format,
        title=TITLE,
        subject="",
        rounds=draft.rounds,
        parameters={"score": spec.score.snapshot(), "fairness": spec.fairness.snapshot(), **draft.parameters},
        voices={voice.role: voice for voice in reversed(everybody)},
        everybody=everybody,
        has_limit=False,
        script=spec.script,
    )


def two_sided(rubric: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rubric that asks everything of the first of two texts, and everything of the second."""
    criteria = [
        {
            **row,
            "code": f"{row['code']} {side}",
            "name": f"{row['name']}, {side} text",
            "question": f"Of the {side} text alone: {row['question']}",
        }
        for side in SIDES
        for row in rubric["criteria"]
    ]
    return {**rubric, "criteria": criteria}


def together(first: str, second: str) -> str:
    """Return two texts as one subject, each under its name."""
    return "\n\n".join(f"{header(side)}\n\n{text}" for side, text in zip(SIDES, (first, second), strict=True))


# What is to be asked, known before anybody is.


@dataclass(frozen=True, slots=True)
class Plan:
    """What a calibration reads.

    Shape: ``alone`` are texts that are read each by itself, ``pairs`` those that are shown together, in this order;
    ``probed`` are texts in other words, by probe.
    """

    rows: Labelled
    seed: int
    alone: Sequence[str]
    pairs: Sequence[tuple[str, str]]
    probed: Sequence[tuple[str, Mapping[tuple[Expected, str], str]]]

    @property
    def readings(self) -> Sequence[str]:
        """Every subject that has to be read by itself, each once."""
        return list(dict.fromkeys([*self.alone, *(other for _, ways in self.probed for other in ways.values())]))

    def calls(self, *, parts: int) -> int:
        """Return how many calls it takes if nothing fails."""
        return parts * (len(self.readings) + len(self.pairs))


def plan(rows: Labelled, *, both_ways: bool, sample: int | None, probed: int, seed: int) -> Plan:
    """Return what to read of some rows: a sample of them where one is asked for, and some texts in other words.

    Raises: ``Invalid`` where texts with numbers are to be shown in pairs, or a pair is too long to be, or all labels
    are equal.
    """
    chosen = [rows[at] for at in calibration.drawn_rows(sample or len(rows), of=len(rows), seed=seed)]
    labels = {(row.group, row.label) for row in chosen if isinstance(row, LabelledText)}
    if labels and len(labels) == len({group for group, _ in labels}):
        raise Invalid(EQUAL)
    texts = list(dict.fromkeys(text for row in chosen for text in texts_of(row)))
    tried = [texts[at] for at in calibration.drawn_rows(probed, of=len(texts), seed=seed)]
    return Plan(
        rows=chosen,  # type: ignore[arg-type]  # they are of one kind, as the rows of the file are
        seed=seed,
        alone=list(dict.fromkeys([*([] if both_ways else texts), *tried])),
        pairs=list(dict.fromkeys(shown_together(chosen))) if both_ways else [],
        probed=[(text, ways_of(text)) for text in tried],
    )


def texts_of(row: LabelledText | LabelledPair) -> Sequence[str]:
    return [row.text] if isinstance(row, LabelledText) else [row.first, row.second]


def shown_together(rows: Sequence[LabelledText | LabelledPair]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if isinstance(row, LabelledText):
            raise Invalid("both-ways: only pairs can be shown together; these are texts with numbers.")
        if len(together(row.first, row.second)) > LONGEST_SUBJECT:
            raise Invalid(f"both-ways: a pair has more than {LONGEST_SUBJECT} characters together.")
        yield row.first, row.second
        yield row.second, row.first


def ways_of(text: str) -> Mapping[tuple[Expected, str], str]:
    return {
        (expected, name): other
        for expected in Expected
        for name, other in text_probes.altered(text, expected=expected).items()
        if len(other) <= LONGEST_SUBJECT
    }


# Asking: through the loop by which debates ask, counted here, written nowhere.


@dataclass(slots=True)
class Tally:
    """What asking has taken so far, counted from several threads. ``most`` is how many calls may be made."""

    most: int | None = None
    begun: int = 0
    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    answered_by: set[str] = field(default_factory=set)
    prompts: set[tuple[str, int, str]] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def begin(self) -> None:
        """Count a call that is about to be made.

        Raises: ``Withheld`` where no more may be.
        """
        with self.lock:
            if self.most is not None and self.begun >= self.most:
                raise Withheld(Permit.SPENT)
            self.begun += 1

    def end(self, answered: CallResult, *, usable: bool) -> None:
        with self.lock:
            self.calls += 1
            self.failed += not usable
            prompt = answered.request.prompt
            self.prompts.add((prompt.name, prompt.version, prompt.digest))
            if (completion := answered.completion) is not None:
                self.tokens_in += completion.tokens_in
                self.tokens_out += completion.tokens_out
                self.cost += completion.cost
                self.answered_by.add(completion.model)


@dataclass(frozen=True, slots=True)
class ReadingAsker:
    """Asks for one part of one reading, and keeps the answer in memory alone."""

    reader: Reader
    subject: str
    part: int
    tally: Tally
    lost: ClassVar[str] = "call"

    def begin(self, *, attempt: int, now: datetime) -> Question:
        self.tally.begin()
        return self.reader.question(subject=self.subject, part=self.part, attempt=attempt)

    def record(self, *, answered: CallResult, answer: Any, now: datetime) -> list[Any]:
        self.tally.end(answered, usable=True)
        return [answer]

    def record_failure(self, *, answered: CallResult, last: bool, now: datetime) -> None:
        self.tally.end(answered, usable=False)


@dataclass(frozen=True, slots=True)
class SubjectReading:
    """What reading a subject came to: scores, a problem, or why the judge judges nothing."""

    scores: Sequence[Fraction] = ()
    problem: str = ""
    unable: Unable | None = None


async def read_subject(reader: Reader, subject: str, *, tally: Tally) -> SubjectReading:
    """Have every part of a subject judged, one after another; one that cannot be had leaves it without a score."""
    answers: list[Any] = []
    for part in range(reader.parts):
        answer = await attempt.ask(ReadingAsker(reader, subject, part, tally))
        if isinstance(answer, Unanswered):
            return SubjectReading(problem=SPENT if answer.permit is Permit.SPENT else answer.problem)
        answers += answer
    outcome = reader.scores(answers)
    return SubjectReading(unable=outcome) if isinstance(outcome, Unable) else SubjectReading(scores=outcome)


async def read_all(
    readings: Sequence[tuple[Reader, str]], *, tally: Tally, tell: Callable[[int, int], object]
) -> list[SubjectReading]:
    """Have every subject read, several at once; ``tell`` hears how many of how many are.

    Raises: ``Invalid`` where nothing comes of the first one: it would be no different with the others.
    """
    room = asyncio.Semaphore(settings.ROUNDS_AT_ONCE)
    done = 0

    async def read(reader: Reader, subject: str) -> SubjectReading:
        nonlocal done
        async with room:
            outcome = await read_subject(reader, subject, tally=tally)
        done += 1
        tell(done, len(readings))
        return outcome

    first = await read(*readings[0])
    if first.problem:
        raise Invalid(f"The judge gave nothing for the first text, so no other was asked for: {first.problem}")
    return [first, *await asyncio.gather(*(read(reader, subject) for reader, subject in readings[1:]))]


# What it came to.


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """Who judged, and by what: enough to do it again."""

    format: str
    criteria: Sequence[str]
    judges: int
    provider: str
    model: str
    answered_by: Sequence[str]
    prompts: Sequence[tuple[str, int, str]]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A judge beside the labels of people. Nothing in it was written to the database.

    Shape: ``unread`` counts subjects that got no answer by why, ``not_assessed`` those that the judge says it cannot
    judge, by the code of why; rows with one of either count in no figure.
    """

    judge: JudgeCard
    rows: int
    seed: int
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    cost: Decimal
    unread: Mapping[str, int]
    not_assessed: Mapping[str, int]
    texts: TextFigures | None
    pairs: PairFigures | None
    probes: Sequence[ProbeFigure]

    @property
    def is_empty(self) -> bool:
        """Say whether nothing could be compared."""
        return self.pairs is None and (self.texts is None or not self.texts.texts)


def calibrate(
    *, reader: Reader, paired: Reader | None, planned: Plan, most_calls: int | None, tell: Callable[[int, int], object]
) -> Calibration:
    """Have a judge read what was planned, and return how it stands beside the labels.

    Shape: ``paired`` reads pairs that are shown together, where any are planned.
    Raises: ``Invalid`` where the first reading gives nothing.
    """
    tally = Tally(most=most_calls)
    alone = [(reader, text) for text in planned.readings]
    both = [(paired, together(*pair)) for pair in planned.pairs if paired is not None]
    # The loop ends before the resampling, which takes minutes: in a loop an interruption would wait for the end of it.
    reads = asyncio.run(read_all([*alone, *both], tally=tally, tell=tell))
    of_text = dict(zip(planned.readings, reads[: len(alone)], strict=True))
    of_pair = dict(zip(planned.pairs, reads[len(alone) :], strict=True))
    rated = [row for row in (rated_of(row, of_text, of_pair) for row in planned.rows) if row is not None]
    texts = [row for row in rated if isinstance(row, RatedText)]
    pairs = [row for row in rated if isinstance(row, RatedPair)]
    labelled = [*(of_text[text] for text in planned.alone), *of_pair.values()]  # a wording of a probe is no row
    unread = Counter(outcome.problem for outcome in labelled if outcome.problem)
    unable = Counter(outcome.unable for outcome in labelled if outcome.unable is not None)
    of_texts = calibration.of_texts(texts, seed=planned.seed) if texts else None
    return Calibration(
        judge=card_of(reader, tally),
        rows=len(planned.rows),
        seed=planned.seed,
        calls=tally.calls,
        failed=tally.failed,
        tokens_in=tally.tokens_in,
        tokens_out=tally.tokens_out,
        cost=tally.cost,
        unread=dict(unread),
        not_assessed={code.value: times for code, times in unable.items()},
        texts=of_texts,
        pairs=calibration.of_pairs(pairs, seed=planned.seed) if pairs else None,
        probes=probe_figures(planned, of_text),
    )


def card_of(reader: Reader, tally: Tally) -> JudgeCard:
    brief = reader.brief
    voice = next(voice for voice in brief.everybody if voice.role in {Role.JUDGE, Role.EVALUATOR})
    return JudgeCard(
        format=brief.format,
        criteria=[row["code"] for row in brief.parameters["rubric"]["criteria"]],
        judges=reader.parts if isinstance(reader, PanelReader) else 1,
        provider=voice.provider,
        model=voice.model,
        answered_by=sorted(tally.answered_by),
        prompts=sorted(tally.prompts),
    )


def rated_of(
    row: LabelledText | LabelledPair,
    of_text: Mapping[str, SubjectReading],
    of_pair: Mapping[tuple[str, str], SubjectReading],
) -> RatedText | RatedPair | None:
    """Return a row with what the judge gave it; nothing where it could not be read."""
    if isinstance(row, LabelledText):
        scores = of_text[row.text].scores
        return RatedText(row.label, scores[0], words_in(row.text), row.group) if scores else None
    length = preferred(words_in(row.first), words_in(row.second))
    if (row.first, row.second) not in of_pair:
        first, second = of_text[row.first].scores, of_text[row.second].scores
        judge = preferred(first[0], second[0]) if first and second else None
        return RatedPair(row.preferred, judge, length, row.group) if judge else None
    straight, turned = of_pair[row.first, row.second].scores, of_pair[row.second, row.first].scores
    if not straight or not turned:
        return None
    judge = preferred(straight[0] + turned[1], straight[1] + turned[0])
    return RatedPair(row.preferred, judge, length, row.group, (preferred(*straight), preferred(turned[1], turned[0])))


def words_in(text: str) -> int:
    return len(text.split())


def probe_figures(planned: Plan, of_text: Mapping[str, SubjectReading]) -> list[ProbeFigure]:
    """Return what each probe did to the scores of the texts that it changes."""
    changes: dict[tuple[Expected, str], list[Fraction]] = {}
    for text, ways in planned.probed:
        for probe, other in ways.items():
            before, after = of_text[text].scores, of_text[other].scores
            if before and after:
                changes.setdefault(probe, []).append(after[0] - before[0])
    return [
        calibration.of_probe(changes[expected, name], name=name, expected=expected)
        for expected in Expected
        for name in text_probes.PROBES[expected]
        if (expected, name) in changes
    ]
