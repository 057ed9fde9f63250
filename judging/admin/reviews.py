"""Reviews: the queue of what only a person can decide, and the pages to take one on, give it back and settle it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from types import ModuleType
from typing import Any, TypeVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from debates.admin import Acting, ActionForm, Closed, Outcome, Page, StaffRequest
from debates.admin.action_pages import note_field
from debates.form_fields import LinesField
from debates.printable import clock
from debates.types import LONGEST_REASON
from judging.engine import reviews
from judging.engine.reviews import Decision, held_by, held_by_another, held_now_by, is_held, scores_of, who_holds
from judging.formats.panel import deliberation
from judging.formats.panel.parsing import NOT_APPLICABLE
from judging.models import JudgeReport, Review
from judging.models.judgements import REVIEW_WAITS
from judging.types import ReviewState
from scoring import selectors
from scoring.admin import bulk, formatting
from scoring.admin.filters import YesNo
from scoring.admin.formatting import shown
from scoring.enums import EntryKind
from scoring.models import Appeal, Evaluation, Fact, ScoreChange
from scoring.types import Instrument

UNREADABLE = "could not be read, and abstains"
UNABLE = "says that it cannot judge this, and abstains"


Queued = TypeVar("Queued", bound=Review | Appeal)


class Working(Page[Queued]):
    """What is done with what waits in a queue for a person, who claims it first: with a review, an appeal.

    Shape: ``service`` is the module of what may be done with it, ``key`` how its services call its id.
    """

    service: ModuleType
    key: str

    def may(self, request: StaffRequest, row: Queued) -> bool:
        return request.user.has_perm(self.service.PERMISSION)

    def moderates(self, request: StaffRequest, row: Queued) -> bool:
        return True

    def closed(self, request: StaffRequest, row: Queued) -> Closed | None:
        """What is decided is decided for ever, what was cancelled waits no more, what somebody else holds is theirs."""
        if over := self.service.how_it_ended(row):
            return Closed(over)
        return Closed(who_holds(row)) if held_by_another(row, by=request.user, now=timezone.now()) else None

    def claim_again(self, request: StaffRequest, row: Queued) -> None:
        """Claim anew what lapsed while somebody wrote, so that their words are not lost; say who else holds it now."""
        now = timezone.now()
        if not held_now_by(row, by=request.user, now=now):
            self.service.claim(**{self.key: row.pk}, by=request.user, now=now)


class ClaimingPage(Working[Queued]):
    """Shape: ``leads_to`` is the page on which what was claimed is decided."""

    name, title = "claim", "Claim"
    says = "It is yours for 30 minutes; claiming it again gives another 30."
    leads_to: str

    def called(self, request: StaffRequest, row: Queued) -> str:
        """Who holds it renews the claim."""
        return "Renew" if held_now_by(row, by=request.user, now=timezone.now()) else self.title

    def act(self, *, request: StaffRequest, row: Queued, cleaned_data: Mapping[str, Any]) -> Outcome:
        done = self.service.claim(**{self.key: row.pk}, by=request.user, now=timezone.now())
        message = f"It is yours until {clock(done.lease_until, pattern='%H:%M')}."
        decide = reverse(f"{formatting.SITE}:{self.leads_to}", args=[row.pk])
        return Outcome(told=message, logged="claimed", goes_to=decide)


class ReleasingPage(Working[Queued]):
    name, title = "release", "Give back"
    says = "Somebody else can take it on."

    def moderates(self, request: StaffRequest, row: Queued) -> bool:
        """Who became a party gives back what they hold."""
        return False

    def closed(self, request: StaffRequest, row: Queued) -> Closed | None:
        mine = held_by(row, by=request.user)
        return super().closed(request, row) or (None if mine else Closed(self.service.NOT_HELD))

    def act(self, *, request: StaffRequest, row: Queued, cleaned_data: Mapping[str, Any]) -> Outcome:
        self.service.release(**{self.key: row.pk}, by=request.user)
        return Outcome(told="Given back to the queue.", logged="given back")


class QueueAdmin(Acting[Queued]):
    """Where what waits for a person stands, and who holds it; a lease that has ended holds nobody off."""

    @admin.display(description="state", ordering="state")
    def state_shown(self, row: Queued) -> SafeString:
        lapsed = row.state == ReviewState.CLAIMED and not is_held(row, now=timezone.now())
        called = f"{self.opts.model_name}-{row.state}"
        return formatting.badges([("review-open", "lease ended") if lapsed else (called, row.state)])

    @admin.display(description="held by")
    def held_until(self, row: Queued) -> str:
        if not is_held(row, now=timezone.now()):
            return "-"
        return f"{row.claimed_by} until {clock(row.lease_until, pattern='%H:%M')}"


class Reviewing(Working[Review]):
    template = "admin/judging/review_act.html"
    service, key = reviews, "review_id"

    def context(self, *, request: StaffRequest, row: Review, form: forms.Form) -> dict[str, Any]:
        return {"disputes": disputes(row)}


class Settling(Reviewing):
    """What leads to a settlement: closed to whom that is refused, whoever holds the review."""

    def closed(self, request: StaffRequest, row: Review) -> Closed | None:
        if shut := super().closed(request, row):
            return shut
        refusal = reviews.kept_off(review=row, by=request.user)
        return Closed(refusal.message) if refusal else None


class ClaimPage(ClaimingPage[Review], Settling):
    leads_to = "judging_review_settle"


class ReleasePage(ReleasingPage[Review], Reviewing):
    """Nothing to fill in."""


CLAIM = ClaimPage()


class SettlePage(Settling):
    name, title = "settle", "Settle"
    says = "Every criterion in dispute gets the value that you decide on, each with its own reason, all in one step."

    def closed(self, request: StaffRequest, row: Review) -> Closed | None:
        """Only who holds it settles it, and no score of it that is frozen."""
        if shut := super().closed(request, row):
            return shut
        if not held_now_by(row, by=request.user, now=timezone.now()):
            return Closed(reviews.CLAIM_FIRST, instead="claim")
        return bulk.closed_together(by=request.user, evaluations=scores_of(row), kind=EntryKind.OVERRIDE)

    def form(self, request: StaffRequest, row: Review, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = ActionForm(data, initial={**self.seen(request, row)})
        for code in row.disputed:
            form.fields[f"seen:{code}"] = forms.IntegerField(required=False, widget=forms.HiddenInput)
            form.fields[f"value:{code}"] = forms.CharField(
                max_length=40,
                label=f"{code}: value",
                help_text="From 1 to 5, at most 2 places.",
                widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 8, "autocomplete": "off"}),
            )
            form.fields[f"reason:{code}"] = LinesField(
                min_length=10,
                max_length=LONGEST_REASON,
                label=f"{code}: reason",
                widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
            )
            form.fields[f"note:{code}"] = note_field(label=f"{code}: internal note", rows=1)
        return form

    def seen(self, request: StaffRequest, row: Review) -> Mapping[str, str]:
        return {f"seen:{score.key}": str(score.moderation_version) for score in scores_of(row)}

    def act(self, *, request: StaffRequest, row: Review, cleaned_data: Mapping[str, Any]) -> Outcome:
        decisions = {
            code: Decision(**{name: cleaned_data[f"{name}:{code}"] for name in ("value", "reason", "note", "seen")})
            for code in row.disputed
        }
        self.claim_again(request, row)
        reviews.settle(review_id=row.pk, by=request.user, decisions=decisions, now=timezone.now())
        return Outcome(told=f"Settled: {', '.join(row.disputed)}.", logged="settled")


@dataclass(frozen=True, slots=True)
class JudgeOpinion:
    """What one judge gave, and said; ``report`` is the key of its newest report."""

    judge: str
    score: str
    text: str
    report: int | None = None


@dataclass(frozen=True, slots=True)
class DisputedCriterion:
    """One criterion in dispute: what it asks, where it stands, and the judges side by side."""

    code: str
    name: str
    evaluation: Evaluation | None
    opinions: Sequence[JudgeOpinion]
    asks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SettledCriterion:
    """What was decided about one criterion, why, and the entry that says so."""

    code: str
    value: str
    entry: ScoreChange


def settled(review: Review) -> list[SettledCriterion]:
    """Return what was decided about each criterion of a review, in one query; nothing while it is unsettled."""
    rows = ScoreChange.objects.filter(
        evaluation__in=scores_of(review), sequence__in=[decision["entry"] for decision in review.decisions.values()]
    )
    entries = {(row.evaluation.key, row.sequence): row for row in rows.select_related("evaluation", "reason")}
    return [
        SettledCriterion(code, shown(Decimal(decision["value"])), entries[code, decision["entry"]])
        for code, decision in sorted(review.decisions.items(), key=lambda decided: review.disputed.index(decided[0]))
    ]


def disputes(review: Review) -> list[DisputedCriterion]:
    """Return what is in dispute, with every judge's score and words side by side, in four queries."""
    evaluations = {evaluation.key: evaluation for evaluation in scores_of(review)}
    facts = Fact.objects.filter(
        evaluation__in=list(evaluations.values()), run_number=review.run_number, round__number=review.round_number
    )
    struck = selectors.struck(debates=[review.debate_id], instrument=Instrument.PANEL)
    judged = list(facts.select_related("participant", "evaluation").order_by("pk"))
    reports = JudgeReport.objects.filter(
        debate=review.debate_id, round__run_number=review.run_number, round__number__lte=review.round_number
    )
    ordered = reports.order_by("participant__position", "-round__number", "pk")
    said = list(ordered.select_related("participant", "turn", "round"))
    rubric = review.debate.parameters.get("rubric") or {}
    asked = {card["code"]: card for card in rubric.get("criteria", ())}
    return [
        DisputedCriterion(
            code=code,
            name=evaluations[code].name if code in evaluations else "no readable judge has scored it",
            evaluation=evaluations.get(code),
            asks=asked.get(code, {}),
            opinions=opinions(
                code=code, judged=[fact for fact in judged if fact.evaluation.key == code], said=said, struck=struck
            ),
        )
        for code in review.disputed
    ]


def opinions(
    *, code: str, judged: Sequence[Fact], said: Sequence[JudgeReport], struck: Collection[int]
) -> list[JudgeOpinion]:
    """Return what each judge gave one criterion and last said about it; who says that it does not apply, and who could
    not be read, is there, too.

    Shape: ``said`` are the reports of all rounds up to the newest, of each judge the newest first. In a debate round a
    judge speaks only to some criteria; on the others it stands by what it said before.
    """
    newest: dict[int, JudgeReport] = {}
    words: dict[int, str] = {}
    for report in said:
        newest.setdefault(report.participant_id, report)
        words[report.participant_id] = words.get(report.participant_id) or words_on(code=code, report=report)
    heard = [
        JudgeOpinion(
            judge=fact.participant.name if fact.participant else "a judge",
            score=shown(fact.amount) + (" (struck)" if fact.pk in struck else ""),
            text=words.get(fact.participant_id or 0, ""),
            report=newest[fact.participant_id].pk if fact.participant_id in newest else None,
        )
        for fact in judged
    ]
    scoring = {fact.participant_id for fact in judged}
    left_out = [
        JudgeOpinion(judge=report.participant.name, score="does not apply", text=words[judge], report=report.pk)
        for judge, report in newest.items()
        if report.readable and judge not in scoring
    ]
    silent = [report for report in newest.values() if not report.readable]
    return [*heard, *left_out] + [
        JudgeOpinion(
            judge=report.participant.name, score="-", text=UNABLE if report.body else UNREADABLE, report=report.pk
        )
        for report in silent
    ]


def words_on(*, code: str, report: JudgeReport) -> str:
    """Return what a judge said about one criterion, with what it quoted; the whole report where it is no section."""
    if not isinstance(report.body, dict) or "kind" not in report.body:
        return report.turn.text if report.turn else ""
    row = next((row for row in deliberation.rows_of(report.body) if row["criterion"] == code), {})
    left_out = report.body.get(NOT_APPLICABLE, {}).get(code)
    words = [str(row[name]) for name in ("reasoning", "defence", "because") if row.get(name)]
    words += [left_out] if left_out else []
    quotes = [f"\u201c{quote}\u201d" for quote in deliberation.found_quotes(report.body, code)]
    return " ".join([*words, *quotes])


def kept_off(request: StaffRequest, row: Review) -> str:
    """Say why whoever looks does not settle a review that waits, though they are no party and may settle others."""
    if reviews.how_it_ended(row) or not request.user.has_perm(reviews.PERMISSION):
        return ""
    refusal = reviews.kept_off(review=row, by=request.user)
    return refusal.message if refusal else ""


class WaitingFilter(YesNo):
    title, parameter_name = "waits for a person", "is_waiting"
    holds = REVIEW_WAITS


@admin.register(Review)
class ReviewAdmin(QueueAdmin[Review]):
    kept_because = "It says what a person was asked to decide, and what was decided."
    pages = (CLAIM, ReleasePage(), SettlePage())
    list_display = ("id", "debate", "reason_code", "round_number", "criteria", "state_shown", "held_until", "opened_at")
    list_filter = (WaitingFilter, "state", "reason_code")
    list_select_related = ("claimed_by", "settled_by")
    search_fields = ("public_id", "debate__title", "claimed_by__name")
    change_form_template = "admin/judging/review_change_form.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.claim_oldest_view)
        return [path("claim_oldest/", view, name=self._named("claim_oldest")), *super().get_urls()]

    def claim_oldest_view(self, request: StaffRequest) -> HttpResponse:
        """Claim the review that has waited longest, of those that one may take on, and lead to where it is settled."""
        if request.method != "POST":
            return HttpResponseRedirect(f"{self.address('changelist')}?is_waiting=yes")
        if not request.user.has_perm(reviews.PERMISSION):
            raise PermissionDenied
        tried: Review | None = None
        while row := reviews.longest_waiting(by=request.user, now=timezone.now()):
            answer = self.act_view(request, str(row.pk), page=CLAIM)
            if answer.status_code == HTTPStatus.FOUND or row == tried:
                return answer
            tried = row  # somebody else was quicker
        self.message_user(request, "No review waits that you may take on.", messages.WARNING)
        return HttpResponseRedirect(reverse(f"{self.admin_site.name}:index"))

    def named(self, row: Review) -> str:
        return f"Review {row.pk}: {row.reason_code.replace('_', ' ')} in {row.debate.title}"

    def desk(self, request: StaffRequest, row: Review) -> dict[str, Any]:
        return {
            "disputes": disputes(row),
            "settled": settled(row),
            "held": is_held(row, now=timezone.now()),
            "cancelled": reviews.CANCELLED if reviews.was_cancelled(row) else "",
            "kept_off": kept_off(request, row),
        }

    @admin.display(description="in dispute")
    def criteria(self, review: Review) -> str:
        return ", ".join(review.disputed)

    @admin.display(description="state", ordering="state")
    def state_shown(self, row: Review) -> SafeString:
        if reviews.was_cancelled(row):
            return formatting.badges([("review-cancelled", "debate cancelled")])
        return super().state_shown(row)
