"""Who may come through the API without a browser, and what was done already under a caller's own key."""

import hashlib

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from debates.models.fields import DIGEST, choices, public_id
from debates.sealing import SealedField, is_sealed
from debates.types import Scope

SHOWN = 12
"""So much of a key is kept as it is, to recognise it by."""


def digest_of(text: str) -> str:
    """Return what is kept of a key. It holds 32 random bytes, so a plain digest gives nothing away."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def bearer_in(header: str) -> str | None:
    """Return the key that a header ``Authorization`` brings, if it brings one."""
    kind, _, text = header.partition(" ")
    return text.strip() if kind.lower() == "bearer" else None


class ApiKey(models.Model):
    """A bearer key of a program that acts for a person. Of the key itself only a digest is kept."""

    public_id = public_id()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_keys")
    name = models.CharField(max_length=80, help_text="What the key is for.")
    prefix = models.CharField(max_length=SHOWN, editable=False, help_text="How the key begins, to recognise it by.")
    digest = models.CharField(max_length=64, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=choices(Scope)))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="To the minute.")

    class Meta:
        ordering = ["-id"]
        verbose_name = "API key"
        constraints = [
            models.UniqueConstraint(fields=["prefix"], name="api_key_prefix_once"),
            models.CheckConstraint(name="api_key_digest_is_one", condition=Q(digest__regex=r"^[0-9a-f]{64}$")),
            models.CheckConstraint(
                name="api_key_scopes_are_known",
                condition=Q(scopes__len__gt=0, scopes__contained_by=[scope.value for scope in Scope]),
            ),
            models.CheckConstraint(
                name="api_key_expires_after_it_begins",
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class IdempotencyKey(models.Model):
    """A caller's own key for one request, and what was answered: written in the transaction of the effect itself."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    api_key = models.ForeignKey(ApiKey, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64, help_text="A digest of the caller's: theirs may hold words.")
    digest = models.CharField(max_length=64, help_text="Of method, address and body.")
    status = models.PositiveSmallIntegerField(default=0, help_text="Of the answer; 0 while it is being found.")
    body = SealedField(blank=True, default="", help_text="It may hold a secret that is shown once.")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["at"], name="idempotency_key_by_time")]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "api_key", "key"], nulls_distinct=False, name="idempotency_key_once_per_caller"
            ),
            models.CheckConstraint(name="idempotency_key_is_a_digest", condition=Q(key__regex=DIGEST)),
            models.CheckConstraint(
                name="idempotency_key_keeps_successes", condition=Q(status=0) | Q(status__range=(200, 299))
            ),
            is_sealed("body", constraint="idempotency_key_answer_is_sealed"),
        ]
