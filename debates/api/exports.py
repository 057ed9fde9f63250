"""Exports of the event: what was said, and the log."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from debates import selectors
from debates.api.exporting import Export, Row
from debates.models import Event, Turn


class ExportTranscripts(Export):
    """Export everything that was said, oldest first."""

    name = "transcripts"
    columns = ("debate", "thread", "run", "round", "role", "speaker", "kind", "slot", "at", "text")

    queryset = Turn.objects.select_related("debate", "thread", "round", "participant").only(
        *("debate__public_id", "thread__key", "round__run_number", "round__number"),
        *("participant__role", "participant__name", "kind", "slot", "at", "text"),
    )

    def line(self, row: Any) -> Row:
        return {
            "debate": str(row.debate.public_id),
            "thread": row.thread.key if row.thread else None,
            "run": row.round.run_number if row.round else None,
            "round": row.round.number if row.round else None,
            "role": row.participant.role,
            "speaker": row.participant.name,
            "kind": row.kind,
            "slot": row.place,
            "at": row.at.isoformat(),
            "text": row.text,
        }


class ExportEvents(Export):
    """Export the logs of debates: ids and numbers, those that are for who asks."""

    name = "events"
    columns = ("debate", "seq", "type", "at", "data")

    def get_queryset(self) -> QuerySet[Event]:
        """Those for moderators go to who may see alerts."""
        rows = selectors.readable_events(visitor=self.person).filter(debate__in=self.debates())
        return rows.select_related("debate").only("debate__public_id", "seq", "type", "at", "data")

    def line(self, row: Any) -> Row:
        debate = str(row.debate.public_id)
        return {"debate": debate, "seq": row.seq, "type": row.type, "at": row.at.isoformat(), "data": row.data}
