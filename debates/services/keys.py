"""API keys: issued once, recognised by a digest, revoked for good."""

import logging
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from debates import selectors
from debates.errors import Invalid, NotAllowedNow, NotFound, NotPermitted
from debates.models import ApiKey, IdempotencyKey
from debates.models.access import SHOWN, digest_of
from debates.printable import Fields, clock
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, permitted
from debates.types import Scope

log = logging.getLogger(__name__)
BEGINS = "moot_"
ANSWERS_LAST = timedelta(days=3)
LAST_YEAR = 9998
LONGEST_NAME = 80
NOTED_EVERY = timedelta(minutes=1)


@UseCase
def issue(
    *, owner: User, by: Asker, name: str, scopes: Sequence[str], now: datetime, expires_at: datetime | None = None
) -> tuple[ApiKey, str]:
    """Make a key and return it with its text, which is shown now and never again.

    Shape: whoever asks is its owner, but for the operator of the machine, who makes keys for anybody.
    Raises: ``NotPermitted``; ``Invalid`` for no name or a long one, no or unknown scopes, or an expiry that is over.
    Source: docs/reference/api.md, "Keys".
    """
    permitted(by=by, permission="debates.add_apikey")
    if by is not None and by != owner:
        raise NotPermitted("A key acts in the name of its owner, so one makes keys for oneself alone.")
    known = [scope.value for scope in Scope]
    strange = sorted(set(scopes) - set(known))
    if strange:
        raise Invalid(f"There is no scope {', '.join(map(repr, strange))}; the scopes are {', '.join(known)}.")
    if not name.strip() or not scopes:
        raise Invalid(f"A key needs a name, and one or more of the scopes {', '.join(known)}.")
    if len(name.strip()) > LONGEST_NAME:
        raise Invalid(f"The name of a key has at most {LONGEST_NAME} characters; got {len(name.strip())}.")
    if expires_at is not None and expires_at <= now:
        raise Invalid("expires_at must lie in the future.")
    if expires_at is not None and expires_at.year > LAST_YEAR:
        raise Invalid(f"expires_at must lie before the end of {LAST_YEAR}; without it a key does not expire.")
    text = BEGINS + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        owner=owner,
        name=name.strip(),
        prefix=text[:SHOWN],
        digest=digest_of(text),
        scopes=[scope for scope in known if scope in scopes],
        created_at=now,
        expires_at=expires_at,
    )
    log.info(Fields("api key issued", key=key.prefix, owner=owner.pk, scopes=key.scopes))
    return key, text


@UseCase
def revoke(*, key_id: int, by: Asker, now: datetime) -> ApiKey:
    """Revoke a key: its next request is refused.

    Raises: ``NotFound`` unless it is one's own, or one may change keys; ``NotAllowedNow`` once it is revoked.
    """
    key = ApiKey.objects.select_for_update(no_key=True, of=("self",)).filter(pk=key_id).first()
    if key is None or not (by is None or key.owner_id == by.pk or by.has_perm("debates.change_apikey")):
        raise NotFound("There is no such key.")
    if key.revoked_at is not None:
        raise NotAllowedNow(f"This key was revoked at {clock(key.revoked_at)}.")
    key.revoked_at = now
    key.save(update_fields=["revoked_at"])
    log.info(Fields("api key revoked", key=key.prefix, by=by.pk if by else "operator"))
    return key


@transaction.atomic(durable=True)
def forget_answers(*, now: datetime) -> int:
    """Remove what was answered under callers' own keys three days ago or earlier, and return how many."""
    return IdempotencyKey.objects.filter(at__lte=now - ANSWERS_LAST).delete()[0]


def key_of(*, text: str, now: datetime) -> ApiKey | None:
    """Return the key that somebody presents, if it is good now: not revoked, not over, its owner still active."""
    key = selectors.valid_keys(now=now).select_related("owner").filter(digest=digest_of(text)).first()
    if key is not None and (key.last_used_at is None or key.last_used_at <= now - NOTED_EVERY):
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key
