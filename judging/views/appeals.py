"""Appealing against an entry, a ruling or a result; the page of an appeal, on which it can be taken back; and the
appeals that were decided."""

import json
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from debates.api.paging import BadCursor, Order, page_of
from debates.errors import DomainError
from debates.form_fields import LinesField
from debates.models import Debate
from debates.selectors import one_moment
from debates.types import LONGEST_REASON
from debates.unsaved_text import ReturnsUnsavedText
from judging.engine import appeals, score_account
from judging.engine.appeals import SHOWN, Against
from judging.engine.score_account import ENTRIES
from judging.formats.forms import FormPage
from judging.views.debate import known, visible_debate
from judging.views.score_account import PER_PAGE
from scoring.enums import AppealGround
from scoring.models import Appeal, Fact, ScoreChange

LAST_DECIDED_FIRST = Order("id", descending=True, first="decided_at")
GROUNDS = {
    AppealGround.FACT_WRONG: "A fact is wrong",
    AppealGround.RULE_MISAPPLIED: "A rule was misapplied",
    AppealGround.PASSAGE_MISREAD: "A passage was misread",
    AppealGround.PROCEDURE: "The procedure was not kept",
    AppealGround.CONFLICT_OF_INTEREST: "Somebody who acted has a conflict of interest",
    AppealGround.OTHER: "Something else",
}


class AppealForm(forms.Form):
    ground = forms.TypedChoiceField(
        label="On which ground", coerce=AppealGround, widget=forms.RadioSelect,
        choices=[(ground.value, words) for ground, words in GROUNDS.items()],
    )  # fmt: skip
    words = LinesField(
        label="Why", min_length=10, max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 6}),
        help_text=f"10 to {LONGEST_REASON} characters. Whoever may read the debate reads them once it is decided.",
    )  # fmt: skip


class FileAppeal(ReturnsUnsavedText, LoginRequiredMixin, FormPage[AppealForm]):
    """What is appealed against, with what it rests on; and the form."""

    template_name, form_class = "debates/file_appeal.html", AppealForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            self.what = named(visible_debate(request, known(request), kwargs["address"]), **kwargs)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: AppealForm) -> HttpResponse:
        """File it; what the service refuses is said next to the button."""
        what = self.what
        try:
            filed = appeals.file(
                debate_id=what.debate.pk,
                by=known_person(self.request),
                entry_id=what.entry.pk if what.entry else None,
                fact_id=what.fact.pk if what.fact else None,
                now=timezone.now(),
                **form.cleaned_data,
            )
        except DomainError as refusal:
            return self.refused(form, refusal.message)
        return redirect("appeal", what.debate.public_id, filed.public_id)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        what = self.what
        closed = appeals.refusal(what=what, by=known_person(self.request), now=timezone.now())
        rows = score_account.shown_entries(debate=what.debate, entries=[what.entry]) if what.entry else []
        alone = [what.fact.pk] if what.fact else []
        own = {
            "what": what,
            "debate": what.debate,
            "row": rows[0] if rows else None,
            "facts": rows[0].facts if rows else score_account.shown_facts(debate=what.debate, facts=alone),
            "until": appeals.closes_at(what),
            "closed": closed.message if closed and "refused" not in kwargs else "",
            "back": back(what),
        }
        return super().get_context_data(**{"refused": "", **own, **kwargs})


def named(
    debate: Debate, *, score: UUID | None = None, entry: int | None = None, fact: UUID | None = None, **_more: Any
) -> Against:
    """Return what an address names; whoever may not read the debate learns no more than that there is none."""
    if score is not None:
        rows = ScoreChange.objects.select_related(*ENTRIES).filter(evaluation__debate=debate)
        row = rows.filter(evaluation__public_id=score, sequence=entry or 0).first()
        if row is None:
            raise Http404("This score has no such entry.")
        return Against(debate, entry=row)
    if fact is not None:
        ruling = Fact.objects.select_related("evaluation").filter(evaluation__debate=debate, public_id=fact).first()
        if ruling is None:
            raise Http404("There is no such ruling in this debate.")
        return Against(debate, fact=ruling)
    return Against(debate)


def back(what: Against) -> str:
    if what.evaluation is None:
        return reverse("result", args=[what.debate.public_id])
    return reverse("score-account", args=[what.debate.public_id, what.evaluation.public_id])


def known_person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- whoever is signed in
    return request.user


@require_safe
def appeal(request: HttpRequest, address: UUID, number: UUID) -> HttpResponse:
    """An appeal: what it is against and what became of it; its words once it is decided, or to whose it is."""
    with one_moment():
        return appeal_page(request, address, number)


def appeal_page(
    request: HttpRequest, address: UUID, number: UUID, *, refused: str = "", status: int = 200
) -> HttpResponse:
    row = appeal_at(request, address, number)
    values = {
        "shown": appeals.shown_appeal(row, by=request.user),
        "debate": row.debate,
        "mine": row.person_id == request.user.pk,
        "desk": request.user.is_authenticated and request.user.is_staff and request.user.has_perm(appeals.SEES_ALL),
        "evidence": json.dumps(row.evidence, indent=2),
        "refused": refused,
    }
    return render(request, "debates/appeal.html", values, status=status)


def appeal_at(request: HttpRequest, address: UUID, number: UUID) -> Appeal:
    visitor = known(request)
    debate = visible_debate(request, visitor, address)
    rows = Appeal.objects.filter(appeals.seen_by(visitor), debate=debate).select_related(*SHOWN)
    row = rows.filter(public_id=number).first()
    if row is None:
        raise Http404("There is no such appeal in this debate.")
    return row


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, address: UUID, number: UUID) -> HttpResponse:
    """Take one's own appeal back; whoever had to sign in again first comes by GET, and is back at the button."""
    if request.method != "POST":
        return redirect("appeal", address, number)
    row = appeal_at(request, address, number)
    try:
        appeals.withdraw(appeal_id=row.pk, by=known_person(request), now=timezone.now())
    except DomainError as refusal:
        return appeal_page(request, address, number, refused=refusal.message, status=HTTPStatus.CONFLICT)
    return redirect("appeal", address, number)


@require_safe
def list_appeals(request: HttpRequest, address: UUID | None = None) -> HttpResponse:
    """The appeals that were decided in one debate, or in those that whoever looks may find."""
    debate = visible_debate(request, known(request), address) if address else None
    with one_moment():
        rows = score_account.decided_appeals(visitor=known(request), debate=debate)
        try:
            page = page_of(rows, cursor=request.GET.get("after") or None, size=PER_PAGE, order=LAST_DECIDED_FIRST)
        except BadCursor as error:
            raise Http404("There is no such page of appeals.") from error
        values = {"appeals": [appeals.shown_appeal(row) for row in page.rows], "after": page.after, "debate": debate}
        return render(request, "debates/appeals.html", values)
