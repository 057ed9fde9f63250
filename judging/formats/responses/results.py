"""What a batch of responses came to: the result document, and what pages show of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.core.paginator import Page as PaperPage
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.utils.http import urlencode

from debates.decimals import in_places
from debates.models import Debate, Turn
from debates.types import Role
from judging.formats.base import Summary
from judging.formats.open import page as open_page
from judging.formats.open import results as open_results
from judging.formats.open.page import ResponseFairness, fairness
from judging.formats.responses.play import BATCH, framework_of, number_of, slot_of
from judging.heuristics.subjects import foreign
from judging.models import ResponseEvaluation
from judging.pages.participants import document_head, judged_by
from judging.pages.parts import Page, Part, named
from judging.pages.transcript import FactWords
from judging.rules import adherence, frameworks
from judging.rules.adherence import PLACES, Accountability, Marks, Violation
from judging.rules.fairness import MARKS
from judging.types import OFFLINE, Judgement
from scoring.models import Evaluation
from scoring.rules import numbers
from scoring.services import moderation_effect
from scoring.services.moderation_effect import ModerationEffect
from scoring.services.previews import Figures, finals_with

RESPONSE = "response:"
PER_PAGE = 50
NEWEST, MOST_SPEAKERS = 20, 30


@dataclass(frozen=True, slots=True)
class Line:
    """One response as tables list it: its number, whose it is, and what it came to, if it was judged.

    Shape: ``due`` is what the arbiter of a debate would interject about; nothing where the judgement was struck.
    """

    number: int
    id: str
    speaker: str
    framework: str
    state: str
    final: Decimal | None
    marks: Marks | None
    due: Violation | None


def lines(*, debate: Debate, numbers: Collection[int] | None = None) -> list[Line]:
    """Return every response of a batch, or those of some numbers, in the order of the file: one query, and no words."""
    batch, judged = debate.parameters[BATCH], "response_evaluation"
    of_row = [f"{judged}__{name}" for name in ("state", *MARKS, "violations", "fact")]
    of_account = [f"{judged}__fact__evaluation__{name}" for name in ("final_score", "basis")]
    columns = ("slot", "participant__name", *of_account, *of_row)
    rows = responses(debate)
    if numbers is not None:
        rows = rows.filter(slot__in=[slot_of(number) for number in numbers])
    every = []
    for slot, speaker, final, basis, state, *own_marks, fact in rows.values_list(*columns):
        number = number_of(slot)
        marks = Marks(*own_marks) if state == Judgement.SCORED else None
        counted = marks if fact in (basis or ()) else None
        due = adherence.interjection(accountability=Accountability(batch["accountability"]), marks=counted)
        own = framework_of(debate.parameters, number)
        every.append(Line(number, batch["ids"][number - 1], speaker, own, state or "", final, marks, due))
    return sorted(every, key=lambda line: line.number)


def responses(debate: Debate) -> QuerySet[Turn]:
    return Turn.objects.filter(debate=debate, round=None, slot__startswith=RESPONSE)


def called(framework: str) -> str:
    """Return a framework as people call it; one in own words is as it says itself."""
    known = frameworks.frameworks().get(framework)
    return known.name if known else framework


# -- for programs ----------------------------------------------------------------------------------------------------


def numbers_of(every: Sequence[Line]) -> dict[str, Any]:
    """Return what a batch comes to.

    Shape: decimals are strings, null where nothing was scored. The means are of final scores; one that was struck is
    not ``scored`` any more.
    """
    states = Counter(line.state for line in every)
    return {
        "overall": None,
        "responses": {
            "given": len(every),
            **{state.value: states[state.value] for state in Judgement},
            Judgement.SCORED.value: sum(line.final is not None for line in every),
            "left": states[""],
        },
        "mean": mean_of(every),
        "interjections": sum(line.due is not None for line in every),
        "speakers": means_by(every, [line.speaker for line in every], "name"),
        "frameworks": means_by(every, [line.framework for line in every], "framework"),
    }


def mean_of(some: Sequence[Line]) -> str | None:
    finals = [line.final for line in some if line.final is not None]
    return in_places(numbers.half_up(numbers.mean(finals), places=PLACES)) if finals else None


def means_by(every: Sequence[Line], groups: Sequence[str], name: str) -> list[dict[str, Any]]:
    grouped: dict[str, list[Line]] = {}
    for line, group in zip(every, groups, strict=True):
        grouped.setdefault(group, []).append(line)
    return [
        {
            name: group,
            "responses": len(some),
            "scored": sum(line.final is not None for line in some),
            "mean": mean_of(some),
        }
        for group, some in grouped.items()
    ]


def document(*, debate: Debate) -> dict[str, Any]:
    """Return the result document of a batch.

    Source: docs/reference/responses.md#the-result
    """
    every = lines(debate=debate)
    return {
        **document_head(debate=debate, motion=debate.motion),
        **numbers_of(every),
        "rows": [row_of(shown_line) for shown_line in shown_lines(debate=debate, some=every)],
        "judgedBy": [row for row in judged_by(debate=debate) if row["role"] == "arbiter"],
        "synthesis": None,
    }


def row_of(shown_line: ShownLine) -> dict[str, Any]:
    line, row, evaluation = shown_line.line, shown_line.row, shown_line.evaluation
    return {
        "id": line.id,
        "turn": str(shown_line.turn.public_id),
        "speaker": line.speaker,
        "framework": line.framework,
        "state": line.state or None,
        "evaluation": str(evaluation.public_id) if evaluation else None,
        "total": in_places(line.marks.total) if line.marks else None,
        "override": in_places(evaluation.override_score) if evaluation else None,
        "final": in_places(line.final),
        "frozen": bool(evaluation and evaluation.frozen_at),
        "marks": {
            dimension.name: {"mark": in_places(dimension.mark), "quality": dimension.word}
            for dimension in shown_line.dimensions
        },
        "attempted": {
            "steel_manning": row.steel_attempted if row else None,
            "self_critique": row.critique_attempted if row else None,
        },
        "quick": {
            "steel_manning": row.quick_steel_manning if row else None,
            "self_critique": row.quick_self_critique if row else None,
        },
        "violations": [
            fault
            for dimension in shown_line.dimensions
            if dimension.name == "consistency"
            for fault in dimension.faults
        ],
        "issues": list(row.issues) if row else [],
        "requiresInterjection": bool(row and row.requires_interjection),
        "interjection": line.due.value if line.due else None,
        "known": bool(row and row.from_cache),
    }


# -- for people ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line with its words and its account, and whether the offline judge judges it."""

    line: Line
    turn: Turn
    fairness: ResponseFairness | None
    offline: bool
    effect: ModerationEffect | None = None

    @property
    def row(self) -> ResponseEvaluation | None:
        return self.fairness.row if self.fairness else None

    @property
    def evaluation(self) -> Evaluation | None:
        return self.row.fact.evaluation if self.row and self.row.fact else None

    @property
    def dimensions(self) -> Sequence[open_results.Dimension]:
        return self.fairness.dimensions if self.fairness else ()

    @property
    def framework(self) -> str:
        return called(self.line.framework)

    @property
    def unread_language(self) -> str:
        """Return the language in which a response is that its judge does not read; empty where it reads it."""
        return foreign(self.turn.text) if self.offline and self.line.marks else ""

    @property
    def unread_framework(self) -> bool:
        """Tell whether a response argues from own words, which its judge does not read."""
        own = self.line.framework not in {"", *frameworks.frameworks()}
        return own and self.offline and self.line.marks is not None

    @property
    def badges(self) -> list[Any]:
        account = open_page.Account(self.evaluation, effect=self.effect)
        return account.badges


def shown_lines(*, debate: Debate, some: Sequence[Line]) -> list[ShownLine]:
    """Return some lines with their words and accounts, in a fixed number of queries."""
    slots = [slot_of(line.number) for line in some]
    rows = responses(debate).filter(slot__in=slots).select_related("participant", "answers__participant")
    turns = {number_of(turn.slot): turn for turn in rows}
    judged = open_page.evaluations(list(turns.values()))
    accounts = [row.fact.evaluation for row in judged.values() if row.fact]
    moved = moderation_effect.moved(evaluations=accounts)
    offline = is_offline(debate)
    rows_shown = []
    for line in some:
        turn = turns[line.number]
        row = judged.get(turn.pk)
        effect = moved.get(row.fact.evaluation_id) if row and row.fact else None
        rows_shown.append(ShownLine(line, turn, fairness(row) if row else None, offline, effect))
    return rows_shown


SORTS: Mapping[str, Any] = {
    "number": lambda line: line.number,
    "id": lambda line: line.id,
    "speaker": lambda line: line.speaker.casefold(),
    "framework": lambda line: called(line.framework).casefold(),
    "total": lambda line: line.final,
    **{name: (lambda line, name=name: getattr(line.marks, name) if line.marks else None) for name in MARKS},
    "interjection": lambda line: list(Violation).index(line.due) if line.due else None,
}
"""By what a table can be sorted; what is not known stands last."""
HEADS = (
    ("id", "Response"), ("speaker", "Speaker"), ("framework", "Framework"), ("total", "Adherence"),
    ("steel_manning", "Steel-manning"), ("self_critique", "Self-critique"), ("consistency", "Consistency"),
    ("honesty", "Honesty"), ("interjection", "Would interject"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: where it leads to, and how the table is sorted by it, as ARIA says it."""

    title: str
    address: str
    sorted: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class ResponseListing:
    """A page of a table of responses."""

    rows: Sequence[ShownLine]
    page: PaperPage[Line]
    heads: Sequence[Head]
    only_due: bool


def listing(*, debate: Debate, every: Sequence[Line], query: Mapping[str, str]) -> ResponseListing:
    """Return the page of a table that a reader asks for: how sorted, which of them, and where they are."""
    way, sort = query.get("sort", "").startswith("-"), query.get("sort", "").lstrip("-")
    sort = sort if sort in SORTS else "number"
    due = query.get("only") == "interjection"
    chosen = [line for line in every if line.due] if due else list(every)
    known = [line for line in chosen if SORTS[sort](line) is not None]
    unknown = [line for line in chosen if SORTS[sort](line) is None]
    ordered = [*sorted(known, key=SORTS[sort], reverse=way), *unknown]
    page = Paginator(ordered, PER_PAGE).get_page(query.get("page"))
    only = {"only": "interjection"} if due else {}
    heads = [
        Head(
            title,
            f"?{urlencode({'sort': name if sort == name and way else f'-{name}' if sort == name else name, **only})}",
            ("descending" if way else "ascending") if sort == name else "",
            name in {"total", *MARKS},
        )
        for name, title in HEADS
    ]
    return ResponseListing(shown_lines(debate=debate, some=list(page)), page, heads, due)


def is_offline(debate: Debate) -> bool:
    return debate.participants.filter(role=Role.ARBITER.value, provider=OFFLINE).exists()


def outcome(every: Sequence[Line], *, debate: Debate) -> dict[str, Any]:
    comes_to = numbers_of(every)
    by_framework = [{**row, "called": called(row["framework"])} for row in comes_to["frameworks"]]
    speakers = comes_to["speakers"]
    return {
        **comes_to,
        "offline": is_offline(debate),
        "frameworks": by_framework,
        "speakers": speakers[:MOST_SPEAKERS],
        "more_speakers": max(0, len(speakers) - MOST_SPEAKERS),
    }


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    """Return the page of a batch: what it came to so far, and what was judged last; the whole table is its result.

    Shape: with ``only``, no more is read than what these parts show.
    """
    values: dict[str, Any] = {"batch": debate.parameters[BATCH]}
    if only is None or "outcome" in only:
        values["outcome"] = outcome(lines(debate=debate), debate=debate)
    if only is None or "newest" in only:
        values["newest"] = shown_lines(debate=debate, some=newest(debate))
    return Page(
        layout="debates/responses.html",
        parts=named(
            Part("outcome", "debates/_responses_outcome.html", stirred_by=("response:", "score:", "debate:")),
            Part("newest", "debates/_responses_newest.html", stirred_by=("response:", "score:", "debate:")),
        ),
        values=values,
    )


def newest(debate: Debate) -> list[Line]:
    """Return the responses that were judged last, the newest first; before any was, the first of the batch.

    Of a small batch that is over all are returned, in their order.
    """
    judged = ResponseEvaluation.objects.filter(turn__debate=debate).order_by("-pk")[:NEWEST]
    places = {number_of(slot): at for at, slot in enumerate(judged.values_list("turn__slot", flat=True))}
    if not places or (debate.is_over and len(debate.parameters[BATCH]["ids"]) <= NEWEST):
        return lines(debate=debate, numbers=range(1, NEWEST + 1))
    return sorted(lines(debate=debate, numbers=places), key=lambda line: places[line.number])


def result_page(*, debate: Debate, query: Mapping[str, str]) -> dict[str, Any]:
    every = lines(debate=debate)
    return {
        "outcome": outcome(every, debate=debate),
        "batch": debate.parameters[BATCH],
        "listing": listing(debate=debate, every=every, query=query),
    }


def summaries(*, debates: Sequence[Debate]) -> dict[int, Summary]:
    """Return how many responses of how many were judged, of batches in a list of debates."""
    rows = ResponseEvaluation.objects.filter(turn__debate__in=debates).exclude(state=Judgement.FAILED.value)
    judged = dict(rows.order_by().values_list("turn__debate").annotate(Count("pk")))
    acted = {row.pk: row for row in Evaluation.objects.filter(debate__in=debates, moderation_version__gt=0)}
    by_persons = {acted[pk].debate_id for pk in moderation_effect.moved(evaluations=acted.values())}
    return {
        debate.pk: Summary(
            headline=f"{judged.get(debate.pk, 0)} of {len(debate.parameters[BATCH]['ids'])} judged",
            moved=debate.pk in by_persons,
        )
        for debate in debates
        if BATCH in debate.parameters
    }


def comes_to(*, debate: Debate, foreseen: Mapping[int, Figures]) -> dict[str, str]:
    """Return the mean of the final scores, with some as foreseen."""
    finals = finals_with(foreseen, Evaluation.objects.filter(debate=debate))
    known = [final for final in finals.values() if final is not None]
    mean = numbers.half_up(numbers.mean(known), places=PLACES) if known else None
    return {"Mean of the batch": str(mean) if mean is not None else "none yet"}


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what was said about facts: the response, and why it has its marks."""
    evaluations = ResponseEvaluation.objects.filter(fact__in=facts).values_list("fact_id", "fact__evaluation__name")
    names = dict(evaluations)
    return {
        fact: replace(words, title=f"Response {names[fact]}")
        for fact, words in open_page.statements(facts=facts).items()
    }
