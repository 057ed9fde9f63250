"""The case of a score: everything that a moderator needs of it on one page, and what can be done, from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils import timezone

from debates import selectors
from debates.admin import StaffRequest
from debates.admin.action_pages import CAME_FROM, InlineAction
from debates.errors import DomainError
from debates.form_fields import LinesField
from debates.idempotent_forms import done_once, once_field
from debates.models import Debate
from debates.rules import SEES_DESK
from debates.services import rights
from debates.services.idempotency import RequestRecord, in_one_transaction
from debates.types import LONGEST_REASON
from judging.engine import appeals
from judging.formats.registry import format_of
from judging.pages import transcript
from judging.pages.transcript import ShownFact
from scoring.admin.alerts import PAGES as ALERT_PAGES
from scoring.admin.scores import EvaluationAdmin
from scoring.enums import AlertState, ApprovalState
from scoring.models import Alert, Appeal, Approval, Evaluation, Fact, Remark
from scoring.services import cases

KEYS: Mapping[str, str] = {
    "freeze": "f", "unfreeze": "u", "override": "o", "lift": "l", "strike": "s", "reinstate": "e",
}  # fmt: skip
"""Actions whose forms stand on the page itself, with the key that opens each; the others are a link away."""
REMARK = "r"
ANSWERS: Mapping[str, str] = {page.name: "" for page in ALERT_PAGES}
HOLD_UP = ("pause", "resume")


class RemarkForm(forms.Form):
    """What to tell the other moderators."""

    text = LinesField(
        max_length=LONGEST_REASON,
        label="Remark",
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text="For moderators alone: no public page, document, stream, export or mail has it.",
    )
    once = once_field()


@dataclass(frozen=True, slots=True)
class CaseFact:
    """What a fact rests on, and whether it counts."""

    shown: ShownFact
    state: str


admin.site.unregister(Evaluation)


@admin.register(Evaluation)
class CaseDesk(EvaluationAdmin):
    """A score, and its case: the page on which a moderator works on it."""

    change_form_template = "admin/judging/score.html"

    def get_urls(self) -> list[Any]:
        own = (("case", self.case_view), ("remark", self.remark_view), ("assign", self.assign_view))
        addresses = [
            path(f"<path:object_id>/{name}/", self.admin_site.admin_view(view), name=self._named(name))
            for name, view in own
        ]
        return [*addresses, *super().get_urls()]

    def case_of(self, request: HttpRequest, object_id: str) -> Evaluation:
        """Return the score at an address: by its key, or by the id under which the world knows it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, object_id, None if object_id.isdigit() else "public_id")
        if row is None:
            raise Http404
        return row

    def case_view(self, request: StaffRequest, object_id: str) -> HttpResponse:
        return self._shown_case(request, self.case_of(request, object_id), remark=RemarkForm())

    def remark_view(self, request: StaffRequest, object_id: str) -> HttpResponse:
        """Tell the other moderators something; read without words, it is the page of the case."""
        row = self.case_of(request, object_id)
        form = RemarkForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            meant = {"evaluation_id": row.pk, "by": request.user, "text": form.cleaned_data["text"]}

            def say(record: RequestRecord | None) -> Remark:
                said = cases.remark.once(record, now=timezone.now(), **meant)
                self.log_change(request, row, "remarked on the case")
                return said

            try:
                here = f"{self.address('case', row.pk)}#remarks"
                with in_one_transaction():
                    return HttpResponseRedirect(done_once(request, say, answer=lambda _: here)[0])
            except DomainError as refusal:
                form.add_error(None, refusal.message)
        return self._shown_case(request, row, remark=form)

    def assign_view(self, request: StaffRequest, object_id: str) -> HttpResponse:
        """Give the case to somebody, or to nobody."""
        row = self.case_of(request, object_id)
        if request.method == "POST":
            try:
                username = forms.CharField(required=False).clean(request.POST.get("username", ""))
                with in_one_transaction():
                    case = cases.assign(evaluation_id=row.pk, by=request.user, username=username, now=timezone.now())
                    whom = f"account {case.person_id}" if case else "nobody"  # an erasure leaves no name to be found
                    self.log_change(request, row, f"case given to {whom}")
            except forms.ValidationError as error:
                self.message_user(request, " ".join(error.messages), messages.ERROR)
            except DomainError as refusal:
                self.message_user(request, refusal.message, messages.ERROR)
        return HttpResponseRedirect(self.address("case", row.pk))

    def _shown_case(self, request: StaffRequest, row: Evaluation, *, remark: forms.Form) -> HttpResponse:
        after = next_case(evaluation=row, by=request.user)
        readable = selectors.visible_debates(visitor=request.user).filter(pk=row.debate_id)
        works = request.user.has_perm(cases.WORKS_ON_CASES) and readable.exists()
        refused, sees_alerts = self.refused(request, row), request.user.has_perm(SEES_DESK)
        assigned = getattr(row, "assignment", None)
        context = {
            **self.desk(request, row),
            "original": row,
            "debate": row.debate,
            "title": f"Case: {self.named(row)}",
            "refused": refused.message if refused else "",
            "exchanges": exchanges(row),
            "question": question_of(row),
            "actions": self.inline(request, row, names=KEYS, opened=("unfreeze",)),
            "offers": self.elsewhere(request, row),
            "alerts": self.alert_actions(request, row) if sees_alerts and not refused else [],
            "hold_up": [] if refused else hold_up(request, row.debate),
            "appeals": appeals_about(row) if request.user.has_perm(appeals.SEES_ALL) else (),
            "remarks": cases.remarks_for(request.user).filter(evaluation=row),
            "remark_form": remark if works and not refused else None,
            "remark_key": REMARK,
            "assigned": assigned.person if assigned else None,
            "mine": assigned is not None and assigned.person_id == request.user.pk,
            "moderators": moderators() if works and not refused else (),
            "works": works,
            "next_case": self.address("case", after.pk) if after else "",
            "here": self.address("case", row.pk),
            "remark_address": self.address("remark", row.pk),
            "assign_address": self.address("assign", row.pk),
        }
        return self.page_response(request, "admin/judging/case.html", **context)

    def elsewhere(self, request: StaffRequest, row: Evaluation) -> list[tuple[str, str]]:
        """Return the actions that have no form here: address, with the way back, and title."""
        own = self.address("case", row.pk)
        return [
            (f"{self.address(page.name, row.pk)}?{CAME_FROM}={own}", page.called(request, row))
            for page in self.pages
            if page.name not in KEYS and self.offered(request, row, page=page)
        ]

    def alert_actions(self, request: StaffRequest, row: Evaluation) -> list[tuple[Alert, list[InlineAction]]]:
        """Return the open alerts of the score and of its whole debate, each with what can be answered."""
        own = Q(evaluation=row) | Q(debate=row.debate_id, evaluation=None)
        alerts = Alert.objects.filter(own, state=AlertState.OPEN.value).select_related("debate", "evaluation")
        admin_of_alerts: Any = self.admin_site.get_model_admin(Alert)
        return [(alert, admin_of_alerts.inline(request, alert, names=ANSWERS)) for alert in alerts.order_by("-pk")[:10]]


def hold_up(request: StaffRequest, debate: Debate) -> list[tuple[str, str]]:
    """Return how whoever asks may pause the debate or let it go on: address and title."""
    desk: Any = admin.site.get_model_admin(Debate)
    pages = [page for page in desk.pages if page.name in HOLD_UP and desk.offered(request, debate, page=page)]
    return [(desk.address(page.name, debate.pk), page.called(request, debate)) for page in pages]


def exchanges(evaluation: Evaluation) -> list[CaseFact]:
    """Return what each fact of a score rests on, newest first: the passage, what was said, and the ruling."""
    facts = list(Fact.objects.filter(evaluation=evaluation).select_related("round", "participant").order_by("-pk"))
    debate = evaluation.debate
    words = format_of(debate.format).fact_statements(facts=[fact.pk for fact in facts])
    subject = debate.subject.text if debate.subject else ""
    states = dict.fromkeys(evaluation.basis, "counts") | dict.fromkeys(evaluation.held, "held")
    return [
        CaseFact(shown_fact, states.get(shown_fact.fact.pk, "does not count"))
        for shown_fact in transcript.shown_facts(facts=facts, words=words, subject=subject)
    ]


def appeals_about(evaluation: Evaluation) -> list[Appeal]:
    """Return the appeals against entries and rulings of a score, and against the result of its debate, newest first."""
    own = Q(entry__evaluation=evaluation) | Q(fact__evaluation=evaluation)
    result = Q(debate=evaluation.debate_id, entry=None, fact=None)
    related = ("entry", "fact", "appellant", "because", "decided_by", "decided_because__note")
    return list(Appeal.objects.filter(own | result).select_related(*related).order_by("-pk")[:20])


def question_of(evaluation: Evaluation) -> Mapping[str, str]:
    """Return the criterion of a score as its rubric has it: the question, and what is high and low."""
    rubric = evaluation.debate.parameters.get("rubric") or {}
    return next((card for card in rubric.get("criteria", ()) if card["code"] == evaluation.key), {})


def next_case(*, evaluation: Evaluation, by: User) -> Evaluation | None:
    """Return the next score with something open that nobody else has: after this one, or from the beginning again.

    Nothing is open to somebody in a debate in which they are a party, nor what they asked for themselves.
    """
    asked = Approval.objects.filter(state=ApprovalState.WAITING.value).exclude(requested_by__user=by)
    waits = Q(alerts__state=AlertState.OPEN.value) | Q(approvals__in=asked)
    free = Q(assignment=None) | Q(assignment__person=by)
    rows = Evaluation.objects.filter(waits, free, debate__in=selectors.visible_debates(visitor=by))
    others = rows.order_by("pk").distinct()
    halves = others.filter(pk__gt=evaluation.pk), others.filter(pk__lt=evaluation.pk)
    return next(filter(None, (rights.first_moderated(rows=half, by=by) for half in halves)), None)


def moderators() -> QuerySet[User]:
    """Return who may work on cases."""
    [app, codename] = cases.WORKS_ON_CASES.split(".")
    holds = Q(is_superuser=True) | Q(user_permissions__codename=codename, user_permissions__content_type__app_label=app)
    holds |= Q(groups__permissions__codename=codename, groups__permissions__content_type__app_label=app)
    return User.objects.filter(holds, is_active=True, is_staff=True).distinct().order_by("username")
