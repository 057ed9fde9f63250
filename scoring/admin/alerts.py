"""Alerts: what a moderator should look at, and the pages on which one answers them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.options import IS_POPUP_VAR
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import Acting, Closed, Outcome, Page, ReasonForm, StaffRequest
from debates.admin.read_only import shortened
from debates.errors import DomainError
from debates.services import rights
from debates.services.idempotency import in_one_transaction
from scoring.admin import evidence, formatting
from scoring.admin.bulk import LEAVE_OUT
from scoring.admin.formatting import link
from scoring.enums import AlertState
from scoring.models import Alert
from scoring.services import alerts


class AnswerForm(ReasonForm):
    """A reason, and how many times the alert had come when whoever answers looked at it."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)


class Handling(Page[Alert]):
    """An answer to an alert."""

    form_class = AnswerForm
    template = "admin/scoring/alert_act.html"
    state: AlertState

    def may(self, request: StaffRequest, row: Alert) -> bool:
        return request.user.has_perm("scoring.handle_alert")

    def moderates(self, request: StaffRequest, row: Alert) -> bool:
        return True

    def closed(self, request: StaffRequest, row: Alert) -> Closed | None:
        if self.state in alerts.HANDLED_NEXT[AlertState(row.state)]:
            return None
        return Closed(alerts.handled_already(row), instead="reopen" if row.state == AlertState.DISMISSED else "dismiss")

    def seen(self, request: StaffRequest, row: Alert) -> Mapping[str, str]:
        return {"seen": str(row.times)}

    def context(self, *, request: StaffRequest, row: Alert, form: Any) -> dict[str, Any]:
        return told(row)

    def act(self, *, request: StaffRequest, row: Alert, cleaned_data: Mapping[str, Any]) -> Outcome:
        about = {**cleaned_data, "seen": {row.pk: cleaned_data["seen"]}}
        [done] = alerts.handle(alert_ids=[row.pk], by=request.user, state=self.state, now=timezone.now(), **about)
        message = format_html("The alert {} is {}.", done.code.replace("_", " "), done.state)
        return Outcome(told=message, logged=done.state)


def told(row: Alert) -> dict[str, Any]:
    return {
        "meaning": evidence.MEANINGS.get(row.code, ""),
        "sentence": evidence.sentence(row.code, row.evidence).removesuffix("."),
        "evidence": evidence.parts(row),
        "again": [
            (datetime.fromisoformat(again["at"]), evidence.sentence(row.code, again["evidence"])) for again in row.again
        ],
    }


class Acknowledge(Handling):
    name, title, state = "acknowledge", "Acknowledge", AlertState.ACKNOWLEDGED
    says = "You have seen it. It leaves the queue, and can be dismissed later."


class Dismiss(Handling):
    name, title, state = "dismiss", "Dismiss", AlertState.DISMISSED
    says = "There is nothing in it. It is not raised again for the same facts."


class Reopen(Handling):
    name, title, state = "reopen", "Reopen", AlertState.OPEN
    says = "It waits in the queue again. What was answered before stays on record."


class ManyForm(ReasonForm):
    """Which alerts, and how many times each had come, in one field, so that 500 of them fit into a request; and why."""

    rows = forms.CharField(widget=forms.HiddenInput, max_length=10_000)

    def clean_rows(self) -> dict[int, int | None]:
        """Read {alert: times} from "12:3,15:1"."""
        rows = [row.partition(":") for row in self.cleaned_data["rows"].split(",")]
        try:
            return {int(pk): int(times) if times else None for pk, _, times in rows}
        except ValueError:
            message = "The chosen alerts could not be read. Choose them in the list again."
            raise forms.ValidationError(message) from None


PAGES: Sequence[Handling] = (Acknowledge(), Dismiss(), Reopen())


class ManyAlerts(Acting[Alert]):
    """The list's actions: one answer to many alerts, for one reason, given on a page of its own."""

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        if not request.user.has_perm("scoring.handle_alert") or IS_POPUP_VAR in request.GET:
            return {}
        return {
            f"{page.name}_selected": (
                partial(ManyAlerts._chosen, page=page),
                f"{page.name}_selected",
                f"{page.title} the selected alerts",
            )
            for page in PAGES
        }

    def get_urls(self) -> list[Any]:
        own = [
            path(
                f"many/{page.name}/",
                self.admin_site.admin_view(partial(self.many_view, page=page)),
                name=self._named(f"many_{page.name}"),
            )
            for page in PAGES
        ]
        return [*own, *super().get_urls()]

    def _chosen(self, request: StaffRequest, chosen: QuerySet[Alert], *, page: Handling) -> HttpResponse | None:
        """Ask why, about the chosen alerts that the answer is open to; say which it is not."""
        rows = list(chosen.order_by("pk")[: alerts.MOST + 1])
        if len(rows) > alerts.MOST:
            message = (
                f"{chosen.count()} alerts are chosen; at most {alerts.MOST} are answered at once. Nothing was done."
            )
            self.message_user(request, message, messages.ERROR)
            return None
        open_to = [row for row in rows if page.closed(request, row) is None]
        kept_out = rights.refused(by=request.user, debates=[row.debate_id for row in open_to])
        able = [row for row in open_to if row.debate_id not in kept_out]
        for why, left in (("stand otherwise", len(rows) - len(open_to)), ("are not yours", len(open_to) - len(able))):
            if left:
                self.message_user(request, f"Left out: {left} of {len(rows)}, which {why}.", messages.WARNING)
        if not able:
            return None
        form = ManyForm(initial={"rows": text_of(able)})
        return self._asked(request, page=page, form=form, rows=able)

    def many_view(self, request: StaffRequest, *, page: Handling) -> HttpResponse:
        if not (self.has_view_permission(request) and request.user.has_perm("scoring.handle_alert")):
            raise PermissionDenied
        form = ManyForm(request.POST)
        back = HttpResponseRedirect(self.address("changelist"))
        if request.method != "POST":
            return back
        sound = form.is_valid()
        seen = form.cleaned_data.get("rows", {})
        if LEAVE_OUT in request.POST and seen:
            return self._fewer(request, page=page, seen=seen) or back
        if sound:
            why = {"reason": form.cleaned_data["reason"], "note": form.cleaned_data["note"], "seen": seen}
            try:
                with in_one_transaction():
                    now = timezone.now()
                    done = alerts.handle(alert_ids=seen, by=request.user, state=page.state, now=now, **why)
                    LogEntry.objects.log_actions(request.user.pk, done, CHANGE, f"{page.name}, {len(done)} at once")
            except DomainError as refusal:
                form.add_error(None, refusal.message)
                form.data = {**request.POST.dict(), "rows": text_of(read(seen))}
            else:
                self.message_user(request, f"{page.title}: done, {len(done)} of {len(done)}.", messages.SUCCESS)
                return back
        return self._asked(request, page=page, form=form, rows=read(seen))

    def _fewer(self, request: StaffRequest, *, page: Handling, seen: Mapping[int, int | None]) -> HttpResponse | None:
        """Ask about those that do not refuse, with what was written; say so where all do."""
        rows = read(seen)
        refusing = refusals(request, rows, page=page)
        able = [row for row in rows if row.pk not in refusing]
        if not able:
            self.message_user(request, "None of the chosen alerts is left; nothing was done.", messages.WARNING)
            return None
        form = ManyForm(initial={**request.POST.dict(), "rows": text_of(able)})
        return self._asked(request, page=page, form=form, rows=able)

    def _asked(self, request: StaffRequest, *, page: Handling, form: ManyForm, rows: Sequence[Alert]) -> HttpResponse:
        refusing = refusals(request, rows, page=page)
        context = {
            "title": f"{page.title} {len(rows)} alert{'' if len(rows) == 1 else 's'}",
            "page": page,
            "lines": [(row, evidence.shortly(row), refusing.get(row.pk, "")) for row in rows],
            "refusing": len(refusing),
            "able": len(rows) - len(refusing),
            "address": self.address(f"many_{page.name}"),
            "back": self.address("changelist"),
        }
        return self.page_response(request, "admin/scoring/alerts_many.html", form=form, **context)


def text_of(rows: Iterable[Alert]) -> str:
    return ",".join(f"{row.pk}:{row.times}" for row in rows)


def read(ids: Collection[int]) -> list[Alert]:
    return list(Alert.objects.filter(pk__in=ids).select_related("debate", "evaluation", "handled_by").order_by("pk"))


def refusals(request: StaffRequest, rows: Sequence[Alert], *, page: Handling) -> dict[int, str]:
    """Return why alerts are not answered like this now, or not by whoever asks; nothing of the others."""
    kept_out = rights.refused(by=request.user, debates=[row.debate_id for row in rows])
    parties = {row.pk: kept_out[row.debate_id].message for row in rows if row.debate_id in kept_out}
    return parties | {row.pk: closed.why for row in rows if (closed := page.closed(request, row))}


@admin.register(Alert)
class AlertAdmin(ManyAlerts):
    linked_by = ("evaluation__id__exact",)
    kept_because = "An alert is acknowledged or dismissed, with a reason."
    pages = PAGES
    list_display = ("what", "severity_shown", "state_shown", "times", "evidence_shortly", "where", "at")
    list_filter = ("state", "severity", "code")
    list_select_related = ("debate", "evaluation", "handled_by")
    search_fields = ("code", "public_id", "debate__title", "evaluation__key", "evaluation__name", "handled_by__name")
    about = "What the engine noticed. Search for words of an alert, a criterion, a debate, or who answered."
    hidden = ("evidence", "facts_digest", "again")
    change_form_template = "admin/scoring/alert_change_form.html"

    def desk(self, request: StaffRequest, row: Alert) -> dict[str, Any]:
        states = [(f"severity-{row.severity}", row.severity), (f"alert-{row.state}", row.state)]
        answers = row.answers.select_related("by", "because__note")
        return {**told(row), "states": states, "answers": answers}

    def named(self, row: Alert) -> str:
        return f"{row.code.replace('_', ' ')}: {row.evaluation or row.debate.title}"

    @admin.display(description="alert", ordering="code")
    def what(self, alert: Alert) -> str:
        return alert.code.replace("_", " ")

    @admin.display(description="severity", ordering="severity")
    def severity_shown(self, alert: Alert) -> SafeString:
        return formatting.badges([(f"severity-{alert.severity}", alert.severity)])

    @admin.display(description="state", ordering="state")
    def state_shown(self, alert: Alert) -> SafeString:
        return formatting.badges([(f"alert-{alert.state}", alert.state)])

    @admin.display(description="where", ordering="debate")
    def where(self, alert: Alert) -> SafeString:
        """Return the way to the score, or to the debate where the alert is about all of it."""
        debate = link("debates_debate", alert.debate_id, shortened(alert.debate.title, longest=48))
        if alert.evaluation is None:
            return format_html("{} (whole debate)", debate)
        score = link("scoring_evaluation", alert.evaluation_id, alert.evaluation)
        return format_html('{}<br><span class="quiet">{}</span>', score, debate)

    @admin.display(description="evidence")
    def evidence_shortly(self, alert: Alert) -> str:
        return evidence.shortly(alert)
