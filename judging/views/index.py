"""The list of debates: live, upcoming, concluded; search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, IntegerField, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from debates import selectors
from debates.models import Debate
from debates.types import Format, Status
from judging.formats.criterion import results
from judging.formats.criterion.scoreboard import kept_initial
from scoring.models import Evaluation
from scoring.rubrics import category_weights
from scoring.rules.overall import Overall
from scoring.types import Instrument

# The index: which debates are listed, in which order, and what they came to.


PER_PAGE = 20
LONGEST_QUERY = 100
GROUPS: Mapping[str, frozenset[Status]] = {
    "live": frozenset({Status.RUNNING, Status.PAUSED, Status.AWAITING_REVIEW, Status.CONCLUDING}),
    "upcoming": frozenset({Status.DRAFT, Status.SCHEDULED}),
    "concluded": frozenset({Status.CONCLUDED, Status.FAILED, Status.CANCELLED}),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the index: its overall, of how many criteria of how many, or in a word why it is ``without`` one."""

    debate: Debate
    group: str
    overall: Overall | None
    without: str
    scored: int = 0
    criteria: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the index, and how many debates each group holds under the same search."""

    page: Page[Any]
    lines: Sequence[Listed]
    counts: Mapping[str, int]
    query: str
    chosen: str

    @property
    def total(self) -> int:
        """Return how many debates the search found."""
        return sum(self.counts.values())


def listing(*, query: str, group: str, page: str) -> Listing:
    """Return one page of the public debates: live, then upcoming, then concluded, each newest first.

    Shape: ``query`` is looked for in titles; ``group`` is a key of ``GROUPS``, or anything else for all; a ``page``
    that does not exist is the nearest one.
    """
    words = query.replace("\x00", "").strip()[:LONGEST_QUERY]
    matching = selectors.listed_debates()
    matching = matching.filter(title__icontains=words) if words else matching
    ordered = matching.annotate(place=place()).order_by("place", "-id")
    chosen = ordered.filter(status__in=GROUPS[group]) if group in GROUPS else ordered
    found = Paginator(chosen, PER_PAGE).get_page(page)
    debates = list(found.object_list)
    scores = evaluations_of(debates=debates)
    lines = [listed(one, evaluations=scores.get(one.pk, ())) for one in debates]
    chosen_group = group if group in GROUPS else ""
    return Listing(page=found, lines=lines, counts=counted(matching), query=words, chosen=chosen_group)


def listed(debate: Debate, *, evaluations: Sequence[Evaluation]) -> Listed:
    """Return the line of one debate; initial scores that were kept because no verdict counts are no result.

    A format without one overall score has nothing to be without; its page says what it came to.
    """
    if debate.format != Format.CRITERION.value:
        return Listed(debate, group_of(debate), overall=None, without="")
    scored = [one for one in evaluations if one.final_score is not None]
    if any(not kept_initial(evaluation=one) for one in scored):
        whole, group = overall_of(debate, evaluations=evaluations), group_of(debate)
        return Listed(debate, group, overall=whole, without="", scored=len(scored), criteria=len(evaluations))
    return Listed(debate, group_of(debate), overall=None, without="no verdicts" if scored else "not evaluated")


def place() -> Case:
    """Return the position of a debate's group as a database expression."""
    return Case(
        *(When(status__in=statuses, then=Value(number)) for number, statuses in enumerate(GROUPS.values())),
        output_field=IntegerField(),
    )


def group_of(debate: Debate) -> str:
    """Return the group that a debate is listed in."""
    return next(name for name, statuses in GROUPS.items() if debate.status in statuses)


def counted(debates: QuerySet[Debate]) -> dict[str, int]:
    """Return how many debates there are in each group."""
    counts = dict.fromkeys(GROUPS, 0)
    for number, count in debates.annotate(place=place()).order_by().values_list("place").annotate(Count("pk")):
        counts[list(GROUPS)[number]] = count
    return counts


def evaluations_of(*, debates: Sequence[Debate]) -> dict[int, list[Evaluation]]:
    """Return the evaluations of criterion debates, in one query: {debate: evaluations}."""
    played = [one.pk for one in debates if one.format == Format.CRITERION.value and "rubric" in one.parameters]
    rows: dict[int, list[Evaluation]] = {}
    for row in Evaluation.objects.filter(debate__in=played, instrument=Instrument.CRITERION.value).order_by("pk"):
        rows.setdefault(row.debate_id, []).append(row)
    return rows


def overall_of(debate: Debate, *, evaluations: Sequence[Evaluation]) -> Overall:
    """Return what one debate comes to with these evaluations."""
    finals: dict[int, Decimal] = {one.pk: one.final_score for one in evaluations if one.final_score is not None}
    weights = category_weights(criteria=debate.parameters["rubric"]["criteria"])
    return results.summed(evaluations=evaluations, scores=finals, weights=weights)


# The front page.


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Public debates, found by title and by how far they are."""
    asked = request.GET
    found = listing(query=asked.get("q", ""), group=asked.get("show", ""), page=asked.get("page", ""))
    return render(request, "debates/index.html", {"listing": found, "query": found.query})
