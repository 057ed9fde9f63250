"""Secrets that must be known again are kept sealed: encrypted with a key that follows from the site's secret key.

# Note [What is sealed]
Who reads the tables, a dump or a lookup finds nothing to use. Once the secret key is another, what was sealed opens
while the former one is among ``SECRET_KEY_FALLBACKS``; ``manage.py reseal`` seals it anew. What is sealed for one
purpose opens for no other: a cursor is no secret of a webhook, nor the other way round.
"""

import base64
import logging
from enum import StrEnum
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models
from django.utils.crypto import salted_hmac

from debates.printable import Fields

log = logging.getLogger(__name__)
BEGINS = "gAAAA"
"""How everything begins that is sealed, so that the database can tell."""


def digests(text: str, *, salt: str) -> list[str]:
    """Return what is kept of a text to know it again and not to read it: under the secret key, then each former one."""
    secrets = dict.fromkeys((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return [salted_hmac(salt, text, secret=secret, algorithm="sha256").hexdigest() for secret in secrets]


class NotSealed(ValueError):
    """No key of the site opens this for this purpose."""


class Purpose(StrEnum):
    """What is sealed beside columns, which have each a purpose of their own."""

    CURSOR = "cursor"
    SECOND_FACTOR = "second factor"
    SESSION = "session"


@lru_cache
def box(purpose: str, *secrets: str) -> MultiFernet:
    """Return what seals for a purpose with the first of some secret keys, and opens with any of them."""
    info = f"moot sealed: {purpose}".encode()
    keys = [HKDF(SHA256(), length=32, salt=None, info=info).derive(secret.encode()) for secret in secrets]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def seal(text: str, *, purpose: str) -> str:
    """Return a text sealed with the present secret key; nothing stays nothing."""
    sealing = box(purpose, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return sealing.encrypt(text.encode()).decode() if text else ""


def unseal(sealed: str, *, purpose: str) -> str:
    """Return what was sealed for this purpose.

    Raises: ``NotSealed``.
    """
    try:
        return box(purpose, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS).decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise NotSealed from error


def opened(sealed: str, *, purpose: str) -> str:
    """Return what was sealed for this purpose, or nothing where no key of the site opens it."""
    try:
        return unseal(sealed, purpose=purpose) if sealed else ""
    except NotSealed:
        log.warning(
            Fields("sealed under a secret key that the site has no more, or for another purpose", purpose=purpose)
        )
        return ""


class SealedField(models.TextField[str, str]):
    """A text that is sealed in the database, for its column alone. See Note [What is sealed]."""

    @property
    def purpose(self) -> str:
        return f"{self.model._meta.label_lower}.{self.name}"  # noqa: SLF001 -- Django's documented interface

    def get_prep_value(self, value: Any) -> Any:
        return seal(value, purpose=self.purpose) if isinstance(value, str) else value

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        return None if value is None else opened(value, purpose=self.purpose)


def is_sealed(name: str, *, constraint: str) -> models.CheckConstraint:
    """Return the constraint that a column holds nothing that can be read."""
    return models.CheckConstraint(
        name=constraint, condition=models.Q(**{name: ""}) | models.Q(**{f"{name}__regex": f"^{BEGINS}"})
    )
