"""Alerts: what a moderator should look at, and the pages on which one answers them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import Acting, Closed, Outcome, Page, ReadOnly, ReasonForm, StaffRequest
from debates.admin.read_only import shortened
from scoring.admin import evidence, formatting
from scoring.enums import AlertState
from scoring.models import Alert
from scoring.services import alerts


class Handling(Page[Alert]):
    """An answer to an alert."""

    form_class = ReasonForm
    template = "admin/scoring/alert_act.html"
    state: AlertState

    def may(self, request: StaffRequest, row: Alert) -> bool:
        return request.user.has_perm("scoring.handle_alert")

    def closed(self, request: StaffRequest, row: Alert) -> Closed | None:
        if self.state in alerts.HANDLED_NEXT[AlertState(row.state)]:
            return None
        return Closed(alerts.handled_already(row), instead="dismiss")

    def context(self, *, request: StaffRequest, row: Alert, form: Any) -> dict[str, Any]:
        return told(row)

    def act(self, *, request: StaffRequest, row: Alert, given: Mapping[str, Any]) -> Outcome:
        done = alerts.handle(alert_id=row.pk, by=request.user, state=self.state, now=timezone.now(), **given)
        told = format_html("The alert {} is {}.", done.code.replace("_", " "), done.state)
        return Outcome(told=told, logged=done.state)


def told(row: Alert) -> dict[str, Any]:
    return {
        "meaning": evidence.MEANINGS.get(row.code, ""),
        "shortly": evidence.shortly(row).removesuffix("."),
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


@admin.register(Alert)
class AlertAdmin(Acting[Alert], ReadOnly[Alert]):
    linked_by = ("evaluation__id__exact",)
    kept_because = "An alert is acknowledged or dismissed, with a reason."
    pages = (Acknowledge(), Dismiss())
    list_display = ("what", "severity_shown", "state_shown", "times", "evidence_shortly", "where", "at")
    list_filter = ("state", "severity", "code")
    list_select_related = ("debate", "evaluation", "handled_by")
    search_fields = ("code", "public_id", "debate__title", "evaluation__key", "evaluation__name", "handled_by__name")
    about = "What the engine noticed. Search for words of an alert, a criterion, a debate, or who answered."
    ordering = ("-id",)
    hidden = ("evidence", "facts_digest", "again")
    change_form_template = "admin/scoring/alert_change_form.html"

    def desk(self, request: StaffRequest, row: Alert) -> dict[str, Any]:
        states = [(f"severity-{row.severity}", row.severity), (f"alert-{row.state}", row.state)]
        return {**told(row), "states": states}

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
        debate = self._link("debates_debate", alert.debate_id, shortened(alert.debate.title, longest=48))
        if alert.evaluation is None:
            return format_html("{} (whole debate)", debate)
        score = self._link("scoring_evaluation", alert.evaluation_id, alert.evaluation)
        return format_html('{}<br><span class="quiet">{}</span>', score, debate)

    def _link(self, model: str, pk: int | None, text: object) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse(f"{self.admin_site.name}:{model}_change", args=[pk]), text)

    @admin.display(description="evidence")
    def evidence_shortly(self, alert: Alert) -> str:
        return evidence.shortly(alert)
