"""Mail at the desk: what became of each, and sending again what is uncertain or was refused."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from debates.admin.action_pages import Acting, Closed, Outcome, Page, StaffRequest
from debates.models import Mail
from debates.selectors import rounds_judged
from debates.services import mail_delivery
from debates.types import MailKind


class SendAgainPage(Page[Mail]):
    """Sends a mail once more; whoever got the first gets two."""

    name, title = "again", "Send again"
    says = "It is written anew, as things stand now. If the first one arrived, the person gets two."

    def may(self, request: StaffRequest, row: Mail) -> bool:
        return request.user.has_perm(mail_delivery.PERMISSION)

    def closed(self, request: StaffRequest, row: Mail) -> Closed | None:
        if row.state not in mail_delivery.AGAIN:
            return Closed(f"This mail is {row.state}.")
        return None if row.person_id else Closed("Its address is forgotten. Have it asked for anew.")

    def act(self, *, request: StaffRequest, row: Mail, cleaned_data: Mapping[str, Any]) -> Outcome:
        mail_delivery.send_again(mail_id=row.pk, by=request.user, now=timezone.now())
        return Outcome(told=f"{row} is sent again.", logged="sent again")


@admin.register(Mail)
class MailAdmin(Acting[Mail]):
    kept_because = "It says who was written to about what."
    pages = (SendAgainPage(),)
    hidden = ("address", "secret")
    about = "Who is written to about what, and what became of it. Its words are found when it is sent, and not kept."
    list_display = (
        "id",
        "kind",
        "person",
        "debate",
        "state",
        "attempts",
        "problem",
        "due_at",
        "next_attempt_at",
        "settled_at",
    )
    list_filter = ("state", "kind")
    search_fields = ("public_id", "person__username", "about")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        """Keep from whoever judges what the others there are asked by mail: what is withdrawn tells of a ballot."""
        asked = Q(kind__in=[MailKind.TURN.value, MailKind.REMINDER.value])
        judged = Q(debate__threads__rounds__in=rounds_judged(by=request.user))
        rows = super().get_queryset(request)
        return rows.exclude(pk__in=Mail.objects.filter(asked & judged).exclude(person=request.user.pk).values("pk"))
