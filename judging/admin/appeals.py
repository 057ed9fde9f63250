"""Appeals: the queue of those that wait, what each is about, and the pages to take one on, give it back and decide."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.utils import timezone

from debates.admin import Closed, Outcome, StaffRequest, filled_in
from debates.errors import DomainError
from judging.admin.reviews import ClaimingPage, QueueAdmin, ReleasingPage, Working
from judging.engine import appeals, score_account
from judging.engine.appeals import AppealDecision, Remedy, against
from judging.engine.reviews import held_now_by, is_held
from scoring import selectors
from scoring.admin import bulk
from scoring.admin.actions import look
from scoring.admin.filters import YesNo
from scoring.enums import AppealState, EntryKind
from scoring.errors import NeedsSecondPerson
from scoring.models import Appeal, Evaluation
from scoring.models.appeal import WAITING
from scoring.services import conflicts, previews
from scoring.services.previews import Preview

DONE = "done"
"""The choice of whoever has acted for the appeal already."""


class Appealed(Working[Appeal]):
    template = "admin/judging/appeal_act.html"
    service, key = appeals, "appeal_id"
    decides = True

    def closed(self, request: StaffRequest, row: Appeal) -> Closed | None:
        """Who acted decides nothing, and gives back what they hold."""
        if self.decides and row.waits and appeals.acted(appeal=row, by=request.user):
            return Closed(appeals.ACTED)
        return super().closed(request, row)

    def context(self, *, request: StaffRequest, row: Appeal, form: forms.Form) -> dict[str, Any]:
        return shown(row)


class ClaimAppealPage(ClaimingPage[Appeal], Appealed):
    leads_to = "scoring_appeal_decide"


class ReleaseAppealPage(ReleasingPage[Appeal], Appealed):
    decides = False


class AppealDecisionForm(bulk.AsSeenForm):
    """What is decided, by which act where it is allowed, and why."""

    outcome = forms.TypedChoiceField(
        coerce=AppealState,
        widget=forms.RadioSelect,
        choices=[
            (AppealState.DISMISSED.value, "Dismiss it: what it is against stands"),
            (AppealState.ALLOWED.value, "Allow it, by the act below"),
            (AppealState.MOOT.value, "Find it moot: what it is against was voided meanwhile"),
        ],
    )


class DecideAppealPage(Appealed):
    name, title, previews = "decide", "Decide", True
    says = (
        "The words of the appeal and your reason are public from then on; your note is not. Both sides are told. Where"
        " it is allowed, the act is written in the same step, under the reason code appeal."
    )

    def closed(self, request: StaffRequest, row: Appeal) -> Closed | None:
        """Only who holds it decides it."""
        if shut := super().closed(request, row):
            return shut
        mine = held_now_by(row, by=request.user, now=timezone.now())
        return None if mine else Closed(appeals.CLAIM_FIRST, instead="claim")

    def form(self, request: StaffRequest, row: Appeal, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        """Offer the acts that can remedy what the appeal is about."""
        scores = scores_of(row)
        form = AppealDecisionForm(data, initial={**initial, **self.seen(request, row)})
        acts = [
            ("", "---"),
            *appeals.remedies(row, by=request.user).items(),
            (DONE, "An act that I took for it already"),
        ]
        form.fields["act"] = forms.ChoiceField(required=False, choices=acts, label="Act, where you allow it")
        if len(scores) > 1:
            form.fields["score"] = forms.TypedChoiceField(
                required=False, coerce=int, empty_value=None, choices=[("", "---"), *((s.pk, named(s)) for s in scores)]
            )
        form.fields["value"] = forms.CharField(
            required=False, max_length=40, help_text="Where you set the score by hand.",
            widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 8, "autocomplete": "off"}),
        )  # fmt: skip
        form.fields["entry"] = forms.IntegerField(
            required=False, min_value=1, help_text="The number of the entry, where you acted already."
        )
        form.order_fields(["outcome", "act", "score", "value", "entry", "reason", "note"])
        return form

    def context(self, *, request: StaffRequest, row: Appeal, form: forms.Form) -> dict[str, Any]:
        """Show what the act that is chosen would change, or why it would be refused."""
        context, given = super().context(request=request, row=row, form=form), filled_in(form)
        scores = scores_of(row)
        context["frozen"] = against(row).evaluation is None and all(score.frozen_at for score in scores)
        lost = conflicts.lost_by_name(by=request.user, evaluations=scores, kind=EntryKind.OVERRIDE)
        context["lost"] = lost.message if lost else ""
        remedy = remedy_in(row, given)
        if remedy is None or remedy.intent is None or given.get("outcome") is not AppealState.ALLOWED:
            return context
        score = Evaluation.objects.get(pk=remedy.evaluation_id)
        outcome: Preview | DomainError
        try:
            outcome = previews.preview(evaluation_id=score.pk, intent=remedy.intent, by=request.user.pk)
            if outcome.second_person_because:
                outcome = NeedsSecondPerson(outcome.second_person_because + appeals.FIRST_ASK)
        except DomainError as refusal:
            outcome = refusal
        return context | {"looks": [look(score, "What this act changes", outcome)]}

    def moved(self, row: Appeal, *, form: forms.Form) -> str:
        """Compare versions where it is allowed by an act on a score, or by one that is no choice now."""
        given = filled_in(form)
        score = score_in(row, given)
        acts = "act" in form.errors or (given.get("outcome") is AppealState.ALLOWED and given["act"] not in {"", DONE})
        seen = given.get("seen", {}).get(score.pk) if score and acts else None
        if score is None or seen is None or seen == score.moderation_version:
            return ""
        return f"{score}: {selectors.who_moved_it(evaluation=score, seen=seen)}"

    def seen(self, request: StaffRequest, row: Appeal) -> Mapping[str, str]:
        return {"seen": bulk.versions(scores_of(row))}

    def act(self, *, request: StaffRequest, row: Appeal, cleaned_data: Mapping[str, Any]) -> Outcome:
        decision = AppealDecision(
            by=request.user,
            outcome=cleaned_data["outcome"],
            reason=cleaned_data["reason"],
            note=cleaned_data["note"],
            remedy=remedy_in(row, cleaned_data) if cleaned_data["outcome"] is AppealState.ALLOWED else None,
        )
        self.claim_again(request, row)
        appeals.decide(appeal_id=row.pk, decision=decision, now=timezone.now())
        return Outcome(
            told=f"The appeal is {appeals.ENDED[cleaned_data['outcome']]}.", logged=cleaned_data["outcome"].value
        )


def remedy_in(row: Appeal, cleaned_data: Mapping[str, Any]) -> Remedy | None:
    score, act = score_in(row, cleaned_data), cleaned_data.get("act")
    if not act or score is None:
        return None
    if act == DONE:
        return Remedy(score.pk, entry=cleaned_data.get("entry"))
    intent = appeals.intent_for(row, EntryKind(act), value=cleaned_data.get("value"))
    return Remedy(score.pk, intent=intent, seen=cleaned_data.get("seen", {}).get(score.pk))


def score_in(row: Appeal, cleaned_data: Mapping[str, Any]) -> Evaluation | None:
    """Return the score on which an appeal is allowed: the chosen one, or the only one."""
    scores = scores_of(row)
    return scores[0] if len(scores) == 1 else next((s for s in scores if s.pk == cleaned_data.get("score")), None)


def named(score: Evaluation) -> str:
    return f"{score} (frozen: unfreeze it before you set it by hand)" if score.frozen_at else str(score)


def scores_of(row: Appeal) -> list[Evaluation]:
    """Return the score that an appeal is about; of a result all scores of its debate."""
    evaluation = against(row).evaluation
    return [evaluation] if evaluation else list(Evaluation.objects.filter(debate=row.debate_id).order_by("pk"))


def shown(row: Appeal) -> dict[str, Any]:
    """Return what a page shows of an appeal: what it is against in words, and the evidence as it was frozen."""
    what = against(row)
    entry = score_account.shown_entries(debate=row.debate, entries=[what.entry])[0] if what.entry else None
    return {
        "what": what,
        "entry": entry,
        "facts": entry.facts
        if entry
        else score_account.shown_facts(debate=row.debate, facts=[what.fact.pk])
        if what.fact
        else (),
        "voided": appeals.voided(what, result_at=row.result_at) if row.waits else "",
        "not_dismissed": appeals.NOT_DISMISSED,
        "ended": appeals.how_it_ended(row),
        "held": is_held(row, now=timezone.now()),
    }


def kept_off(request: StaffRequest, row: Appeal) -> str:
    """Say why whoever looks does not decide an appeal that waits, though they may decide others."""
    if not row.waits or not request.user.has_perm(appeals.PERMISSION):
        return ""
    try:
        appeals.may_decide(appeal=row, by=request.user)
    except DomainError as refusal:
        return refusal.message
    return ""


class WaitingAppealsFilter(YesNo):
    title, parameter_name = "waiting", "is_waiting"
    holds = WAITING


@admin.register(Appeal)
class AppealAdmin(QueueAdmin[Appeal]):
    kept_because = "It says who appealed against what, and what was decided."
    about = "Appeals against entries, rulings and results. Somebody decides who did not act on it and is no party."
    pages = (ClaimAppealPage(), ReleaseAppealPage(), DecideAppealPage())
    list_display = ("id", "debate", "against_what", "ground", "state_shown", "held_until", "filed_at")
    list_filter = (WaitingAppealsFilter, "state", "ground")
    list_select_related = ("entry__evaluation", "fact__evaluation", "claimed_by")
    search_fields = ("public_id", "debate__title", "appellant__name")
    change_form_template = "admin/judging/appeal_change_form.html"

    def get_queryset(self, request: Any) -> QuerySet[Appeal]:
        related = ("debate__subject", "entry__evaluation", "fact__evaluation", "because", "decided_because__note")
        return super().get_queryset(request).select_related(*related, "claimed_by", "decided_by", "act__evaluation")

    def named(self, row: Appeal) -> str:
        return f"Appeal {row.pk}: {self.against_what(row)} in {row.debate.title}"

    def desk(self, request: StaffRequest, row: Appeal) -> dict[str, Any]:
        return shown(row) | {"kept_off": kept_off(request, row)}

    @admin.display(description="against")
    def against_what(self, row: Appeal) -> str:
        evaluation = against(row).evaluation
        return f"{row.about} of {evaluation}" if evaluation else "the result"
