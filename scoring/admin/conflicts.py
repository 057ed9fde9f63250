"""Conflicts of interest in the admin: what was declared, by whom and why; and withdrawing it. And ballots, whose seal
somebody may break who has the right and is no party.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from debates.admin import Acting, Closed, Outcome, Page, ReasonForm, StaffRequest
from debates.models import Ballot
from debates.printable import clock
from debates.selectors import rounds_judged
from scoring.models import Conflict, ReplacedJudge
from scoring.services import conflicts


class WithdrawPage(Page[Conflict]):
    name, title, form_class = "withdraw", "Withdraw", ReasonForm
    says = "The declaration stays on record, and so does that it was withdrawn. From then on it keeps nobody out."

    def may(self, request: StaffRequest, row: Conflict) -> bool:
        return row.by.user_id == request.user.pk or request.user.has_perm(conflicts.DECLARES)

    def moderates(self, request: StaffRequest, row: Conflict) -> bool:
        """A party withdraws only what is about them."""
        return row.person_id != request.user.pk

    def closed(self, request: StaffRequest, row: Conflict) -> Closed | None:
        if row.withdraws_id is not None:
            return Closed("This row says that a declaration was withdrawn; it is withdrawn no further.")
        if hasattr(row, "withdrawal"):
            return Closed(f"{row.withdrawal.by} has withdrawn this at {row.withdrawal.at:%Y-%m-%d %H:%M} UTC.")
        if row.person_id == request.user.pk and row.by.user_id != request.user.pk:
            return Closed("Somebody else declared this about you, so somebody else withdraws it.")
        return None

    def act(self, *, request: StaffRequest, row: Conflict, cleaned_data: Mapping[str, Any]) -> Outcome:
        conflicts.withdraw(conflict_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(told="The declaration is withdrawn; both stay on record.", logged="withdrawn")


@admin.register(Conflict)
class ConflictAdmin(Acting[Conflict]):
    kept_because = "It says who was kept out of moderating a debate, from when on and why."
    about = "Who was declared to have an interest in a debate. Declare one on the page of the debate."
    pages = (WithdrawPage(),)
    list_display = ("id", "debate", "person", "by", "stands", "at")
    list_select_related = ("withdrawal",)
    search_fields = ("public_id", "debate__title", "person__username", "by__name")

    def named(self, row: Conflict) -> str:
        return f"{row.person} in {row.debate.title}"

    @admin.display(description="what")
    def stands(self, row: Conflict) -> str:
        if row.withdraws_id is not None:
            return "withdraws"
        return "withdrawn" if hasattr(row, "withdrawal") else "stands"


class BreakSealPage(Page[Ballot]):
    name, title, form_class, grave = "break", "Break the seal", ReasonForm, True
    says = (
        "You read this ballot before its round closes, and nobody else does. Everybody hears at once that its seal was "
        "broken, whose it is, and why: it stands in the events of the debate and in the log of moderation, for good."
    )

    def may(self, request: StaffRequest, row: Ballot) -> bool:
        return request.user.has_perm(conflicts.BREAKS)

    def closed(self, request: StaffRequest, row: Ballot) -> Closed | None:
        why = conflicts.seal_stands_not(ballot=row, by=request.user)
        return Closed(why) if why else None

    def act(self, *, request: StaffRequest, row: Ballot, cleaned_data: Mapping[str, Any]) -> Outcome:
        conflicts.break_seal(ballot_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(
            told="The seal is broken. What the ballot says stands below, for you alone.", logged="seal broken"
        )


@admin.register(Ballot)
class BallotAdmin(Acting[Ballot]):
    """That a ballot is there, and to who broke its seal alone what it says: it will be a report, a ruling or marks."""

    kept_because = "It says that a judge has judged; it is sealed until its round closes."
    pages = (BreakSealPage(),)
    list_display = ("participant", "round", "number", "at")
    list_select_related = ("round__thread",)
    search_fields = ("public_id", "participant__name", "round__thread__debate__title")
    hidden = ("answer",)
    extra = ("seals", "struck")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ballot]:
        """Leave the words in the database, and from whoever judges there that others have given one: it is sealed."""
        sealed = Q(about=None, round__in=rounds_judged(by=request.user))
        return super().get_queryset(request).exclude(sealed & ~Q(participant__user=request.user.pk)).defer("answer")

    def named(self, row: Ballot) -> str:
        return f"Ballot of {row.participant.name}"

    def get_fieldsets(self, request: HttpRequest, obj: Ballot | None = None) -> list[Any]:
        """Show what it says to who broke its seal, and to nobody else."""
        unsealed = obj is not None and conflicts.reads(ballot=obj, by=request.user)
        own = [("What it says", {"fields": ["says"]})] if unsealed else []
        return [*own, *super().get_fieldsets(request, obj)]

    def get_readonly_fields(self, request: HttpRequest, obj: Ballot | None = None) -> list[Any]:
        return [*super().get_readonly_fields(request, obj), "says"]

    @admin.display(description="seal broken")
    def seals(self, row: Ballot) -> str:
        """Say who broke its seal, and why: that is public."""
        broken = row.broken_seals.select_related("by", "because").order_by("pk")
        return "; ".join(f"by {seal.by}, {clock(seal.at)}: {seal.because}" for seal in broken) or "by nobody"

    @admin.display(description="struck")
    def struck(self, row: Ballot) -> str:
        """Say whether it counts no more because its judge was replaced."""
        replaced = ReplacedJudge.objects.select_related("by", "because").filter(judge=row.participant_id).first()
        return f"by {replaced.by}, {clock(replaced.at)}: {replaced.because}" if replaced else "by nobody"

    @admin.display(description="answer")
    def says(self, row: Ballot) -> str:
        answer = json.dumps(json.loads(row.answer), indent=2, ensure_ascii=False) if row.answer else ""
        return format_html("<pre>{}</pre>", answer)
