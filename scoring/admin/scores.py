"""Evaluations: the list that moderators work through, and the page of each score."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import StaffRequest
from debates.admin.read_only import shortened
from debates.decimals import signed
from debates.rules import SEES_DEBATES, SEES_DESK
from debates.selectors import visible_debates
from scoring import selectors
from scoring.admin import actions, charts, formatting, timeline
from scoring.admin.bulk import BulkAdmin
from scoring.admin.filters import (
    AlertsFilter,
    ChangedFilter,
    CriterionFilter,
    DebateFilter,
    FrozenFilter,
    OverriddenFilter,
    StateFilter,
)
from scoring.admin.formatting import shown
from scoring.admin.undo import UndoPage
from scoring.enums import AlertState, ApprovalState
from scoring.models import Alert, Evaluation, ScoreChange
from scoring.rules.instruments import range_of
from scoring.types import Instrument

OPEN_ALERTS = (
    Alert.objects.filter(evaluation=OuterRef("pk"), state=AlertState.OPEN.value)
    .order_by()
    .values("evaluation")
    .annotate(number=Count("pk"))
    .values("number")
)


class AsOfForm(forms.Form):
    """A moment or a sequence, one of the two."""

    sequence = forms.IntegerField(required=False, min_value=1, max_value=2_147_483_647, label="After entry")
    moment = forms.DateTimeField(
        required=False, label="Or at", widget=forms.DateTimeInput(attrs={"placeholder": "2026-03-01 14:30", "size": 18})
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["moment"].help_text = f"{timezone.get_current_timezone_name()}, such as 2026-03-01 14:30."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and (cleaned.get("sequence") is None) == (cleaned.get("moment") is None):
            raise forms.ValidationError("Give the number of an entry or a moment, one of the two.")
        if not self.errors and cleaned["moment"] is not None and cleaned["moment"] > timezone.now():
            raise forms.ValidationError("That moment has not come yet. The page of the score shows how it stands now.")
        return cleaned


SEES_LEDGER = "scoring.view_scorechange"


@admin.register(Evaluation)
class EvaluationAdmin(BulkAdmin):
    kept_because = "A score is kept with its whole ledger."
    pages = (*actions.PAGES, UndoPage())
    list_display = (
        "name_shown", "state", "final", "change", "initial", "computed", "alerts_open",
    )  # fmt: skip
    list_filter = (
        StateFilter, FrozenFilter, OverriddenFilter, AlertsFilter, ChangedFilter, "instrument", DebateFilter,
        CriterionFilter,
    )  # fmt: skip
    list_select_related = ("debate",)
    search_fields = ("key", "name", "public_id", "debate__title")
    hidden = ("head_hash",)
    extra = ("head_hash", "ledger")
    change_form_template = "admin/scoring/evaluation/change_form.html"
    show_facets = admin.ShowFacets.NEVER

    def get_queryset(self, request: HttpRequest) -> QuerySet[Evaluation]:
        rows = super().get_queryset(request).annotate(alerts_open=Coalesce(Subquery(OPEN_ALERTS), 0))
        sees_all = request.user.has_perm(SEES_DEBATES)
        return rows if sees_all else rows.filter(debate__in=visible_debates(visitor=request.user))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        sees_alerts = request.user.has_perm(SEES_DESK)
        return [name for name in super().get_list_display(request) if sees_alerts or name != "alerts_open"]

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        sees_alerts = request.user.has_perm(SEES_DESK)
        return [filter_ for filter_ in super().get_list_filter(request) if sees_alerts or filter_ is not AlertsFilter]

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.as_of_view)
        return [path("<path:object_id>/as_of/", view, name=self._named("as_of")), *super().get_urls()]

    def named(self, row: Evaluation) -> str:
        return formatting.named(row)

    def desk(self, request: StaffRequest, row: Evaluation) -> dict[str, Any]:
        waiting = row.approvals.filter(state=ApprovalState.WAITING.value).select_related("requested_by")
        open_alerts = row.alerts.filter(state=AlertState.OPEN.value)
        shut = row.frozen_at is not None or self.refused(request, row) is not None
        may = set() if shut else {page.name for page in self.pages if page.may(request, row)}
        return {
            "states": formatting.states(row),
            "ground": timeline.ground(evaluation=row),
            **self.course(request, row, until=row.version),
            "open_alerts": open_alerts.order_by("-pk")[:20] if request.user.has_perm(SEES_DESK) else (),
            "waiting": list(waiting),
            "as_of_form": AsOfForm(),
            "may_strike": "strike" in may,
            "may_roll_back": "roll_back" in may,
        }

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Name who acted, as the ledger does, only to who may see that."""
        if not request.user.has_perm(SEES_LEDGER):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    def as_of_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        form = AsOfForm(request.GET or None)
        if form.is_valid() and (form.cleaned_data["sequence"] or 0) > row.version:
            form.add_error("sequence", f"This score has {row.version} entr{'y' if row.version == 1 else 'ies'}.")
        entry = selectors.as_of(evaluation=row, **form.cleaned_data) if form.is_valid() else None
        context = {
            "original": row,
            "title": "As it was",
            "subtitle": self.named(row),
            "entry": entry,
            "too_early": form.is_bound and form.is_valid() and entry is None,
            **(self.past(request, row, entry) if entry else {}),
        }
        return self.page_response(request, "admin/scoring/evaluation/as_of.html", form=form, **context)

    def past(self, request: HttpRequest, row: Evaluation, entry: ScoreChange) -> dict[str, Any]:
        return {
            "basis": timeline.rows(evaluation=row, ids=entry.basis),
            "held_then": timeline.rows(evaluation=row, ids=entry.held),
            **self.course(request, row, until=entry.sequence),
        }

    def course(self, request: HttpRequest, row: Evaluation, *, until: int) -> dict[str, Any]:
        low, high = range_of(Instrument(row.instrument))
        newest = list(timeline.newest_first(row).filter(sequence__lte=until)[: charts.MOST])
        return {
            "chart": charts.chart(entries=newest[::-1], low=low, high=high),
            "newest": newest[: timeline.LAST],
            "void": timeline.void(evaluation=row, until=until),
            "ledger_address": self.ledger_address(row),
            "sees_ledger": request.user.has_perm(SEES_LEDGER),
        }

    def ledger_address(self, row: Evaluation) -> str:
        address = reverse(f"{self.admin_site.name}:scoring_scorechange_changelist")
        return f"{address}?evaluation__id__exact={row.pk}"

    @admin.display(description="evaluation", ordering="key")
    def name_shown(self, row: Evaluation) -> SafeString:
        """Return code and name, how the title of its debate begins, and the scale where it is not the usual one."""
        scale = "" if row.instrument == Instrument.CRITERION else f" ({row.instrument})"
        return format_html(
            '{}<span class="quiet below">{}{}</span>', row, shortened(row.debate.title, longest=40), scale
        )

    @admin.display(ordering="initial_score")
    def initial(self, row: Evaluation) -> str:
        return shown(row.initial_score)

    @admin.display(ordering="computed_score")
    def computed(self, row: Evaluation) -> str:
        return shown(row.computed_score)

    @admin.display(ordering="final_score")
    def final(self, row: Evaluation) -> str:
        return "not evaluated" if row.final_score is None else shown(row.final_score)

    @admin.display(ordering=F("final_score") - F("initial_score"))
    def change(self, row: Evaluation) -> str:
        if row.final_score is None:
            return "-"
        return signed(row.final_score - row.initial_score)

    @admin.display
    def state(self, row: Evaluation) -> SafeString:
        return formatting.badges(formatting.states(row))

    @admin.display(description="alerts")
    def alerts_open(self, row: Evaluation) -> SafeString | str:
        number: int = row.alerts_open  # type: ignore[attr-defined]  # annotated above
        if not number:
            return "-"
        address = reverse(f"{self.admin_site.name}:scoring_alert_changelist")
        query = f"state__exact=open&evaluation__id__exact={row.pk}"
        return format_html('<a href="{}?{}">{} open</a>', address, query, number)

    @admin.display
    def ledger(self, row: Evaluation) -> str:
        return format_html('<a href="{}">{} entries</a>', self.ledger_address(row), row.version)
