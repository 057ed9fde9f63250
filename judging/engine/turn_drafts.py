"""Drafts of turns: what somebody who sits there is writing is kept until it is said, on all their devices."""

from __future__ import annotations

from datetime import datetime

from debates.errors import NotAllowedNow
from debates.models import Participant, Turn, TurnDraft
from debates.selectors import Visitor
from debates.services.idempotency import UseCase
from debates.types import Role
from judging.engine import ballots
from judging.engine.human_turns import own_seat
from judging.errors import NotYourTurn
from judging.formats import spec

LONGEST, LONGEST_BALLOT = 32_000, 400_000


class SavedElsewhere(NotAllowedNow):
    """Another device has saved since."""

    code = "saved_elsewhere"


@UseCase
def save(*, seat_id: int, by: Visitor, text: str, seen: int, now: datetime) -> TurnDraft | None:
    """Keep what is written for a seat, in place of what was kept before; nothing where it is empty.

    Shape: ``seen`` is the key of the draft that these words go on from, 0 where there was none.
    Raises: ``NotFound``, ``NotPermitted`` for somebody else's seat; ``Invalid`` for what cannot be stored;
    ``SavedElsewhere``; ``NotAllowedNow`` for what was said last, or for a ballot that is not awaited.
    """
    seat = own_seat(seat_id=seat_id, by=by)
    Participant.objects.select_for_update(no_key=True, of=("self",)).get(pk=seat.pk)
    draft = TurnDraft.objects.filter(participant=seat).first()
    last = Turn.objects.filter(participant=seat).order_by("-pk").first()
    if last is not None and last.text and last.text == "\n".join(text.splitlines()).strip():
        raise NotAllowedNow("This was said already; no draft of it is kept.")
    judges = seat.role == Role.JUDGE.value
    if judges and not ballots.awaits(seat=seat):
        raise NotYourTurn("No ballot of yours is awaited; no draft of it is kept.")
    if (draft.pk if draft else 0) != seen and (draft.text if draft else "") != text:
        raise SavedElsewhere("This draft was changed on another device since.")
    words = spec.text_of(text, name="draft", longest=LONGEST_BALLOT if judges else LONGEST) if text.strip() else ""
    TurnDraft.objects.filter(participant=seat).delete()
    return TurnDraft.objects.create(participant=seat, text=words, saved_at=now) if words else None
