"""Exports of the event: what was said, and the log."""

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Case, F, Func, QuerySet, TextField, Value, When
from django.db.models.lookups import In

from debates import rules, selectors
from debates.api.exporting import Export, connection_given_back
from debates.models import Debate, Event, Turn
from debates.models.thread import NAMED_PLACES

KIND = Func(F("slot"), Value(":"), Value(1), function="split_part", output_field=TextField())
PLACE = Case(When(In(KIND, sorted(NAMED_PLACES)), then="slot"), default=KIND, output_field=TextField())
"""As ``Turn.place``."""


class ExportTranscripts(Export):
    """Export everything that was said, oldest first."""

    name, queryset = "transcripts", Turn.objects.all()
    columns = {
        "debate": "debate__public_id",
        "thread": "thread__key",
        "run": "round__run_number",
        "round": "round__number",
        "role": "participant__role",
        "speaker": "participant__name",
        "kind": "kind",
        "slot": PLACE,
        "at": "at",
        "text": "text",
        "turn": "public_id",
        "participant": "participant__public_id",
        "answers": "answers__public_id",
    }


class ExportEvents(Export):
    """Export the logs of debates: ids and numbers, those that are for who asks."""

    name = "events"
    columns = {"debate": "debate__public_id", "seq": "seq", "type": "type", "at": "at", "data": "data"}

    def get_queryset(self) -> QuerySet[Event]:
        """Those for moderators go to who may see alerts."""
        return selectors.readable_events(visitor=self.person).filter(debate__in=self.debates())

    def readable(self) -> frozenset[int | str]:
        """Return beside the debates what lets somebody read more than is public of them: a part in one, the desk."""
        parts = Debate.objects.filter(selectors.concerns(self.person)).values_list("pk", flat=True)
        with connection_given_back(DEFAULT_DB_ALIAS):
            own = {f"part in {pk}" for pk in parts}
            desk = {"desk"} if self.person.has_perm(rules.SEES_DESK) else set()
        return super().readable() | own | desk
