"""Alerts: what a moderator should look at, and the pages on which one answers them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from debates.admin import Acting, Outcome, Page, ReadOnly, ReasonForm
from scoring.admin import words
from scoring.kinds import AlertState
from scoring.models import Alert
from scoring.services import alerts

MEANINGS: Mapping[str, str] = {
    "extreme_verdict": "A single round moved the score by 3 points or more.",
    "extreme_net": "All verdicts together moved the score by more than 3 points.",
    "net_capped": "The verdicts add up to more than the cap lets count.",
    "large_change": "The score changed by more than half of what it was.",
    "contradiction": "Two rounds in a row went clearly in opposite directions.",
    "one_sided": "More than 80 % of the verdicts of this debate went one way.",
    "uniform_extreme": "All verdicts of this thread sit at the same limit.",
    "no_effect": "The debate ended, and no score differs from where it began.",
    "winner_sign_mismatch": "A verdict names one side as winner and moves the score the other way.",
    "injection_suspected": "A turn tries to tell the judge what to do.",
    "judge_failed": "The judge's answer could not be read, not even when asked again.",
}


class Handling(Page[Alert]):
    """An answer to an alert."""

    form_class = ReasonForm
    template = "admin/scoring/alert_act.html"
    state: AlertState
    from_states: tuple[AlertState, ...] = (AlertState.OPEN,)

    def may(self, request: HttpRequest, row: Alert) -> bool:
        """There is one permission for both answers."""
        return request.user.has_perm("scoring.handle_alert")

    def makes_sense(self, row: Alert) -> bool:
        """What is dismissed is done with."""
        return row.state in self.from_states

    def context(self, *, request: HttpRequest, row: Alert, form: Any) -> dict[str, Any]:
        """Return what the alert is about."""
        return {"meaning": MEANINGS.get(row.code, ""), "evidence": evidence_of(row)}

    def act(self, *, request: HttpRequest, row: Alert, given: Mapping[str, Any]) -> Outcome:
        """Answer it."""
        assert isinstance(request.user, User)  # noqa: S101 -- the admin lets nobody else in
        done = alerts.handle(
            alert_id=row.pk, by=request.user, state=self.state, reason=given["reason"], now=timezone.now()
        )
        told = format_html("The alert {} is {}.", done.code.replace("_", " "), done.state)
        return Outcome(told=told, logged=done.state)


class Acknowledge(Handling):
    name, title, state = "acknowledge", "Acknowledge", AlertState.ACKNOWLEDGED
    says = "You have seen it. It leaves the queue, and can be dismissed later."


class Dismiss(Handling):
    name, title, state = "dismiss", "Dismiss", AlertState.DISMISSED
    from_states = (AlertState.OPEN, AlertState.ACKNOWLEDGED)
    says = "There is nothing in it. It is not raised again for the same facts."


def evidence_of(alert: Alert) -> list[tuple[str, str]]:
    """Return the numbers that an alert rests on, in words."""
    return [(name.replace("_", " "), _written(value)) for name, value in alert.evidence.items()]


def _written(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value) or "none"
    return "none" if value is None else str(value)


@admin.register(Alert)
class AlertAdmin(Acting[Alert], ReadOnly[Alert]):
    kept_because = "An alert is acknowledged or dismissed, with a reason."
    pages = (Acknowledge(), Dismiss())
    list_display = ("what", "severity_shown", "state_shown", "debate", "score", "evidence_shortly", "handled_by", "at")
    list_filter = ("state", "severity", "code")
    list_select_related = ("debate", "evaluation", "handled_by")
    search_fields = ("public_id", "debate__title", "evaluation__key")
    ordering = ("-id",)
    hidden = ("evidence", "facts_digest")
    extra = ("meaning", "evidence_shown")
    change_form_template = "admin/acted_on.html"

    @admin.display(description="alert", ordering="code")
    def what(self, alert: Alert) -> str:
        """Return the code in words."""
        return alert.code.replace("_", " ")

    @admin.display(description="severity", ordering="severity")
    def severity_shown(self, alert: Alert) -> SafeString:
        """Return how grave it is."""
        return words.badges([(f"severity-{alert.severity}", alert.severity)])

    @admin.display(description="state", ordering="state")
    def state_shown(self, alert: Alert) -> SafeString:
        """Return whether somebody has answered it."""
        return words.badges([(f"alert-{alert.state}", alert.state)])

    @admin.display(description="score", ordering="evaluation")
    def score(self, alert: Alert) -> SafeString | str:
        """Return the way to the score, where the alert is about one."""
        if alert.evaluation is None:
            return "whole debate"
        address = reverse(f"{self.admin_site.name}:scoring_evaluation_change", args=[alert.evaluation_id])
        return format_html('<a href="{}">{}</a>', address, alert.evaluation)

    @admin.display(description="evidence")
    def evidence_shortly(self, alert: Alert) -> str:
        """Return the numbers on one line."""
        return "; ".join(f"{name} {value}" for name, value in evidence_of(alert)[:3]) or "-"

    @admin.display(description="what it means")
    def meaning(self, alert: Alert) -> str:
        """Return what the code means."""
        return MEANINGS.get(alert.code, "-")

    @admin.display(description="evidence")
    def evidence_shown(self, alert: Alert) -> SafeString | str:
        """Return the numbers that the alert rests on."""
        rows = format_html_join("", "<tr><th scope='row'>{}</th><td>{}</td></tr>", evidence_of(alert))
        return format_html("<table>{}</table>", rows) if rows else "-"
