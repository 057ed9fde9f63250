"""The log of moderation: what persons did to scores, newest first, of all debates that somebody may find, or of one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from debates.models import Debate
from debates.selectors import Visitor, findable_debates
from judging.engine.appeals import DECIDED, SHOWN
from judging.engine.score_account import ENTRIES, ShownEntry, appeals_about, shown_entry
from scoring.enums import ActorKind
from scoring.models import Appeal, ScoreChange


def acts_of_persons(*, visitor: Visitor, debate: Debate | None = None) -> QuerySet[ScoreChange]:
    """Return the entries that persons wrote: of one debate, which the visitor may read, or of those they may find.

    The index ``entry_of_a_person`` has them alone, and only their ids are read: so a page of a long log is quick, and
    what its lines show is read of these lines alone.
    """
    entries = ScoreChange.objects.exclude(actor_kind=ActorKind.ENGINE.value).only("pk")
    if debate is not None:
        return entries.filter(evaluation__debate=debate)
    return entries.filter(evaluation__debate__in=findable_debates(visitor=visitor).values("pk"))


def lines_of(entries: Sequence[ScoreChange]) -> list[ShownEntry]:
    """Return entries as the log shows them: what they rest on stands in the account of each."""
    read = ScoreChange.objects.select_related(*ENTRIES).in_bulk([entry.pk for entry in entries])
    rows = [read[entry.pk] for entry in entries]
    appeals = appeals_about(rows)
    return [shown_entry(row, facts={}, appeals=appeals) for row in rows]


def decided_appeals(*, visitor: Visitor, debate: Debate | None = None) -> QuerySet[Appeal]:
    """Return the appeals that were decided: of one debate, which the visitor may read, or of those they may find."""
    rows = Appeal.objects.filter(DECIDED).select_related(*SHOWN)
    if debate is not None:
        return rows.filter(debate=debate)
    return rows.filter(debate__in=findable_debates(visitor=visitor).values("pk"))
