"""A worker's look at the outbox, within the transaction of a test."""

from datetime import datetime

from django.utils import timezone

from debates import mail_backend
from debates.services import mail_delivery


def send_due(*, now: datetime | None = None) -> None:
    """Hand over what is due now, or at another moment."""
    line, at = mail_backend.opened(), now or timezone.now()
    for mail_id in mail_delivery.waiting(now=at):
        if message := mail_delivery.claim(mail_id=mail_id, now=at):
            mail_delivery.record(mail_id=mail_id, outcome=mail_backend.hand_over(line, message), now=at)
