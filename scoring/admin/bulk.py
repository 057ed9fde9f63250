"""One action on many scores: chosen in the list, looked at on a page, done whole or not at all."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.options import IS_POPUP_VAR, IncorrectLookupParameters
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone

from debates.admin import Acting, Closed, ReasonForm, StaffRequest
from debates.errors import DomainError, Invalid
from debates.idempotent_forms import done_once, once_field
from debates.services.idempotency import RequestRecord, in_one_transaction
from scoring.admin import formatting
from scoring.admin.actions import HeldField
from scoring.enums import BulkAction, EntryKind, HeldChoice
from scoring.models import Evaluation, RescoreSet
from scoring.services import bulk, conflicts, rescore
from scoring.services.actions import action_of
from scoring.services.bulk import CAP, BulkOrder, Line, Rows

Scores = QuerySet[Evaluation]
TITLES = {
    BulkAction.FREEZE: "Freeze scores",
    BulkAction.UNFREEZE: "Unfreeze scores",
    BulkAction.ROLLBACK: "Roll scores back to their opening",
}
LABELS = {
    "freeze_selected": (BulkAction.FREEZE, "Freeze the selected scores"),
    "unfreeze_selected": (BulkAction.UNFREEZE, "Unfreeze the selected scores"),
    "roll_back_selected": (BulkAction.ROLLBACK, "Roll the selected scores back to their opening"),
}
"""What the list offers."""
VERBS = {BulkAction.FREEZE: "Freeze all", BulkAction.UNFREEZE: "Unfreeze all", BulkAction.ROLLBACK: "Roll back all"}
"""What it offers for every score that it shows."""
STAGE, LEAVE_OUT, LOOK_AGAIN = "_stage", "_leave_out", "_look_again"


class AsSeenForm(ReasonForm):
    """A reason, and which versions of scores whoever acts was looking at: in one field, so that thousands fit."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200_000)

    def clean_seen(self) -> dict[int, int | None]:
        """Return {evaluation: moderation version}."""
        return dict(rows_of(self.cleaned_data["seen"]))


class BulkForm(ReasonForm):
    """Which scores, with the versions shown; in one field, so that 500 of them fit into a request."""

    rows = forms.CharField(widget=forms.HiddenInput, max_length=20_000)
    once = once_field()

    def clean_rows(self) -> Rows:
        return rows_of(self.cleaned_data["rows"])


class BulkUnfreezeForm(BulkForm):
    """The same, and what becomes of what was held, one choice for all."""

    choice = HeldField()
    field_order = ("choice", "reason", "note")


def closed_together(*, by: User, evaluations: Sequence[Evaluation], kind: EntryKind) -> Closed | None:
    """Say what hinders one act on several scores, if anything does."""
    return next((Closed(why.message) for why in conflicts.hindered(by=by, evaluations=evaluations, kind=kind)), None)


def rows_of(text: str) -> Rows:
    """Read (score, version) pairs from "12:3,15:0"."""
    try:
        return [(int(pk), int(seen)) for pk, seen in (row.split(":") for row in text.split(",") if row)]
    except ValueError:
        raise forms.ValidationError("The chosen scores could not be read. Choose them in the list again.") from None


def text_of(rows: Rows) -> str:
    return ",".join(f"{pk}:{seen}" for pk, seen in rows)


def versions(scores: Iterable[Evaluation]) -> str:
    """Return the versions of scores as whoever acts sees them, for the hidden field."""
    return text_of([(score.pk, score.moderation_version) for score in scores])


def as_they_are(rows: Rows) -> Rows:
    """Return the same scores with the versions that they have now; one that is not there keeps what was shown."""
    now = dict(Evaluation.objects.filter(pk__in=[pk for pk, _ in rows]).values_list("pk", "moderation_version"))
    return [(pk, now.get(pk, seen)) for pk, seen in rows]


class BulkAdmin(Acting[Evaluation]):
    """The list's actions, and the page that asks before anything is done."""

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer what somebody may do."""
        if IS_POPUP_VAR in request.GET:
            return {}
        return {
            name: (partial(BulkAdmin._chosen, action=action), name, label)
            for name, (action, label) in LABELS.items()
            if may(request, action)
        }

    def _chosen(self, request: StaffRequest, chosen: Scores, *, action: BulkAction) -> HttpResponse | None:
        rows = list(chosen.order_by("pk").values_list("pk", "moderation_version")[: CAP + 1])
        if len(rows) > CAP:
            message = f"{chosen.count()} scores are chosen; at most {CAP} can be acted on at once. Nothing was done."
            self.message_user(request, f"{message} Narrow the list down first.", messages.ERROR)
            return None
        able, left_out = bulk.without_conflicts(rows=rows, by=request.user)
        for left in left_out:
            scores = f"{left.number} score{'' if left.number == 1 else 's'} of \u201c{left.debate.title}\u201d"
            self.message_user(request, f"Left out: {scores}. {left.why}", messages.WARNING)
        if not able:
            return None
        form = form_of(action)(initial={"rows": text_of(able)})
        return self._asked(request, action=action, form=form, rows=able)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Offer what can be done to every score of the list, as far as one act reaches."""
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        whole = [
            (f"{self.address(f'bulk_{action.value}')}{query}", verb)
            for action, verb in VERBS.items()
            if may(request, action)
        ]
        return super().changelist_view(request, {"whole_list": whole, "cap": CAP, **(extra_context or {})})

    def get_urls(self) -> list[Any]:
        own = [
            path(
                f"bulk/{action.value}/",
                self.admin_site.admin_view(partial(self.bulk_view, action=action)),
                name=self._named(f"bulk_{action.value}"),
            )
            for action in BulkAction
        ]
        return [*own, *super().get_urls()]

    def _list(self, request: HttpRequest) -> HttpResponseRedirect:
        address = self.address("changelist")
        query = request.GET.urlencode()
        return HttpResponseRedirect(f"{address}?{query}" if query else address)

    def bulk_view(self, request: StaffRequest, *, action: BulkAction) -> HttpResponse:
        """Do one action to many scores, stage it, leave out the scores that refuse, or look at them as they are now."""
        if not (self.has_view_permission(request) and may(request, action)):
            raise PermissionDenied
        if request.method != "POST":
            return self._whole_list(request, action=action)
        form = form_of(action)(request.POST)
        sound = form.is_valid()
        rows: Rows = form.cleaned_data.get("rows", [])
        try:
            if LEAVE_OUT in request.POST and rows:
                return self._fewer(request, action=action, rows=rows)
            if LOOK_AGAIN in request.POST and rows:
                return self._anew(request, action=action, rows=as_they_are(rows))
            if sound:
                return self._done(request, action=action, cleaned_data=form.cleaned_data)
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        return self._asked(request, action=action, form=form, rows=rows)

    def _whole_list(self, request: StaffRequest, *, action: BulkAction) -> HttpResponse:
        """Ask about every score of the list, as the address narrows it down."""
        try:
            chosen = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return self._list(request)
        return self._chosen(request, chosen, action=action) or self._list(request)

    def _fewer(self, request: StaffRequest, *, action: BulkAction, rows: Rows) -> HttpResponse:
        choice = HeldChoice.APPLY if action is BulkAction.UNFREEZE else None
        lines = bulk.preview(action=action, rows=compared(request, action, rows), choice=choice, by=request.user)
        refusing = {line.evaluation_id for line in lines if line.refusal}
        able = [(pk, seen) for pk, seen in rows if pk not in refusing]
        if not able:
            self.message_user(request, "None of the chosen scores is left; nothing was done.", messages.WARNING)
            return self._list(request)
        return self._anew(request, action=action, rows=able)

    def _anew(self, request: StaffRequest, *, action: BulkAction, rows: Rows) -> HttpResponse:
        form = form_of(action)(initial={**request.POST.dict(), "rows": text_of(rows)})
        return self._asked(request, action=action, form=form, rows=rows)

    def _done(self, request: StaffRequest, *, action: BulkAction, cleaned_data: dict[str, Any]) -> HttpResponse:
        now = timezone.now()
        choice = HeldChoice(cleaned_data["choice"]) if "choice" in cleaned_data else None
        why = {"reason": cleaned_data["reason"], "note": cleaned_data["note"]}
        if STAGE in request.POST:
            meant = {"action": action, "rows": cleaned_data["rows"], "by": request.user, "choice": choice, **why}
            to = partial(reverse, f"{self.admin_site.name}:scoring_rescoreset_change")

            def stage(record: RequestRecord | None) -> RescoreSet:
                staged = rescore.stage.once(record, now=now, **meant)
                self.log_addition(request, staged, "staged")  # type: ignore[arg-type]  # a set, staged from the list of scores
                return staged

            with in_one_transaction():
                goes_to, now_done = done_once(request, stage, answer=lambda staged: to(args=[staged.pk]))
            message = f"Staged {len(cleaned_data['rows'])} scores. Nothing has moved yet."
            self.message_user(request, message if now_done else "This was staged already.", messages.SUCCESS)
            return HttpResponseRedirect(goes_to)
        rows = compared(request, action, cleaned_data["rows"])
        order = BulkOrder(action=action, rows=rows, by=request.user, choice=choice, **why)
        with in_one_transaction():
            done = bulk.act(order=order, now=now)
            logged = Evaluation.objects.filter(pk__in=[result.evaluation.pk for result in done])
            said = f"{action.value} of {len(done)} scores at once"
            LogEntry.objects.log_actions(request.user.pk, logged, CHANGE, said)
        self.message_user(request, f"{TITLES[action]}: done, {len(done)} of {len(done)}.", messages.SUCCESS)
        return self._list(request)

    def _asked(self, request: StaffRequest, *, action: BulkAction, form: forms.Form, rows: Rows) -> HttpResponse:
        columns, problem = columns_of(action=action, rows=compared(request, action, rows), by=request.user)
        lines: Sequence[Line] = next(iter(columns.values()), ())
        cells = zip(*columns.values(), strict=True)
        table = [(line, own, *beside(action, line)) for line, own in zip(lines, cells, strict=True)]
        context = {
            "title": TITLES[action],
            "columns": columns,
            "table": table,
            "voids": any(void for *_, void in table),
            "freezes": action is not BulkAction.ROLLBACK,
            "refusing": [line for line in lines if line.refusal],
            "able": sum(line.refusal is None for line in lines),
            "written": form["reason"].value() or form["note"].value(),
            "number": len(lines),
            "staging": STAGE in request.POST,
            "problem": problem,
            "query": request.GET.urlencode(),
            "address": self.address(f"bulk_{action.value}"),
            "list_address": self._list(request).url,
        }
        return self.page_response(request, "admin/scoring/evaluation/bulk.html", form=form, **context)


def compared(request: HttpRequest, action: BulkAction, rows: Rows) -> Rows:
    """Return scores with the versions to compare: a freeze wins over what was done since, and only staging asks."""
    versioned = action_of(action).versioned or STAGE in request.POST
    return rows if versioned else [(pk, None) for pk, _ in rows]


def may(request: HttpRequest, action: BulkAction) -> bool:
    return request.user.has_perm(action_of(action).permission)


def form_of(action: BulkAction) -> type[BulkForm]:
    return BulkUnfreezeForm if action is BulkAction.UNFREEZE else BulkForm


def beside(action: BulkAction, line: Line) -> tuple[str, str]:
    """Return how a score would freeze or thaw, and what would become void with it; nothing where it would refuse."""
    if line.preview is None:
        return "", ""
    void = formatting.void(override=line.preview.override_dropped, asked=line.preview.approval_voided)
    return formatting.frost(action=action, score=line.evaluation), void


def columns_of(*, action: BulkAction, rows: Rows, by: User) -> tuple[dict[str, Sequence[Line]], str]:
    """Return what would become of the scores, a column with its title for each choice; or why it cannot be shown."""
    choices: dict[str, HeldChoice | None] = {"then": None}
    if action is BulkAction.UNFREEZE:
        choices = {"if applied": HeldChoice.APPLY, "if discarded": HeldChoice.DISCARD}
    try:
        return {
            title: bulk.preview(action=action, rows=rows, choice=choice, by=by) for title, choice in choices.items()
        }, ""
    except Invalid as refusal:
        return {}, refusal.message
