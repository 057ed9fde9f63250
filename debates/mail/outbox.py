"""The outbox: mail is written down in the transaction of what it is about, and handed over once that is committed."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db.models import Value
from django.db.models.functions import Least

from debates.models import Mail
from debates.types import MailKind


def due(
    *,
    kind: MailKind,
    about: object,
    now: datetime,
    people: Iterable[int] = (),
    address: str = "",
    secret: str = "",
    debate_id: int | None = None,
    at: datetime | None = None,
    after: timedelta = timedelta(0),
) -> None:
    """Have people written to about something, ``at`` a later time or else ``after`` a while, unless they were before.

    Shape: ``people`` are ids of users; ``address`` is for who has no account, ``secret`` what only this mail may say,
    as the path of a link; both are forgotten once it is sent. Call it in the transaction of what it is
    about: it is sent once that is committed. Nothing is written where the site sends no mail.
    """
    if not settings.MAIL_IS_SENT:
        return
    due_at = Value(at) if at else Least(Value(now), TransactionNow()) + Value(after)  # a clock may be ahead
    common: dict[str, Any] = {
        "kind": kind.value,
        "about": str(about),
        "debate_id": debate_id,
        "due_at": due_at,
        "next_attempt_at": due_at,
    }
    rows = [Mail(**common, person_id=person, secret=secret) for person in dict.fromkeys(people)]
    if address:
        rows.append(Mail(**common, address=address, secret=secret))
    if rows:
        Mail.objects.bulk_create(rows, ignore_conflicts=True)
