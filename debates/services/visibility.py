"""Who may read a debate, changed after it was created."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from debates import stream
from debates.errors import NotFound
from debates.models import Debate
from debates.services.rights import Asker, may_conduct
from debates.types import News, Visibility


@transaction.atomic(durable=True)
def change(*, debate_id: int, by: Asker, visibility: Visibility, now: datetime) -> Debate:
    """Let more people read a debate, or fewer; nothing happens where it is so already.

    Whoever follows it live and may not read it any more is sent away before the event of this is sent.

    Raises: ``NotFound``, ``NotPermitted``.
    Source: docs/reference/stream.md, "Who may follow what".
    """
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
    may_conduct(by=by, debate=debate)
    if debate.visibility == visibility.value:
        return debate
    debate.visibility = visibility.value
    debate.save(update_fields=["visibility"])
    stream.append(debate_id=debate.pk, news=[News("debate:visibility", {"visibility": visibility.value})], now=now)
    return debate
