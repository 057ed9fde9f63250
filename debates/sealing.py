"""Secrets that must be known again are kept sealed: encrypted with a key that follows from the site's secret key.

# Note [What is sealed]
Who reads the tables, a dump or a lookup finds nothing to use. Once the secret key is another, what was sealed opens
while the former one is among ``SECRET_KEY_FALLBACKS``; ``manage.py reseal`` seals it anew.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Any

import structlog
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

log = structlog.get_logger(__name__)
BEGINS = "gAAAA"
"""How everything begins that is sealed, so that the database can tell."""


@lru_cache
def box(*secrets: str) -> MultiFernet:
    """Return what seals with the first of some secret keys and opens with any of them."""
    keys = [HKDF(SHA256(), length=32, salt=None, info=b"moot sealed").derive(secret.encode()) for secret in secrets]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def box_of_site() -> MultiFernet:
    """Return what seals with the present secret key."""
    return box(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def seal(text: str) -> str:
    """Return a text sealed; nothing stays nothing."""
    return box_of_site().encrypt(text.encode()).decode() if text else ""


def opened(sealed: str) -> str:
    """Return what was sealed, or nothing where no key of the site opens it."""
    if not sealed:
        return ""
    try:
        return box_of_site().decrypt(sealed).decode()
    except InvalidToken:
        log.warning("sealed under a secret key that the site has no more")
        return ""


class SealedField(models.TextField[str, str]):
    """A text that is sealed in the database. See Note [What is sealed]."""

    def get_prep_value(self, value: Any) -> Any:
        """Return what is written."""
        return seal(value) if isinstance(value, str) else value

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        """Return what was written."""
        return None if value is None else opened(value)


def is_sealed(name: str, *, constraint: str) -> models.CheckConstraint:
    """Return the constraint that a column holds nothing that can be read."""
    return models.CheckConstraint(
        name=constraint, condition=models.Q(**{name: ""}) | models.Q(**{f"{name}__regex": f"^{BEGINS}"})
    )
