"""Webhooks: who wants to be told of what, and what became of each event for each of them."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models.debate import Debate
from debates.models.event import Event
from debates.models.fields import known, public_id, word
from debates.sealing import BEGINS, SealedField, is_sealed
from debates.types import WEBHOOK_TEST, DeliveryState, HookState


class Webhook(models.Model):
    """An address that is told of events its owner may read: those of one debate, or of every debate."""

    public_id = public_id()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="webhooks")
    debate = models.ForeignKey(Debate, null=True, blank=True, on_delete=models.PROTECT, related_name="webhooks")
    url = models.URLField(max_length=500)
    types = ArrayField(models.CharField(max_length=40), default=list, blank=True, help_text="Empty for every type.")
    secret = SealedField(editable=False)
    former_secret = SealedField(blank=True, default="", editable=False)
    former_until = models.DateTimeField(null=True, blank=True, editable=False)
    state = word(HookState, default=HookState.ACTIVE.value, editable=False)
    disabled_because = models.CharField(max_length=200, blank=True, default="", editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            known("state", HookState, "webhook_state_is_known"),
            models.CheckConstraint(name="webhook_secret_is_sealed", condition=Q(secret__regex=f"^{BEGINS}")),
            is_sealed("former_secret", constraint="webhook_former_secret_is_sealed"),
            models.CheckConstraint(
                name="webhook_former_secret_ends",
                condition=Q(former_secret="", former_until__isnull=True)
                | ~Q(former_secret="") & Q(former_until__isnull=False),
            ),
            models.CheckConstraint(
                name="webhook_disabled_says_why",
                condition=~Q(state="disabled") & Q(disabled_because="") | Q(state="disabled") & ~Q(disabled_because=""),
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk}"  # without its address: the admin's history keeps this when the row is gone


class Delivery(models.Model):
    """One event for one webhook: written with the event, sent by a worker, kept with the log of its attempts.

    A test is a delivery of no event, asked for at ``tested_at``.

    ``log`` holds {"at", "status", "milliseconds", "problem"} for each attempt, oldest first.
    """

    public_id = public_id()
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries", db_index=False)
    event = models.ForeignKey(Event, null=True, blank=True, on_delete=models.PROTECT, related_name="deliveries")
    tested_at = models.DateTimeField(null=True, blank=True, editable=False)
    state = word(DeliveryState, default=DeliveryState.WAITING.value, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    due_at = models.DateTimeField(null=True, blank=True, editable=False)
    log = models.JSONField(default=list, blank=True, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["webhook", "due_at"], condition=Q(state="waiting"), name="delivery_due")]
        constraints = [
            known("state", DeliveryState, "delivery_state_is_known"),
            models.UniqueConstraint(fields=["webhook", "event"], name="delivery_once_per_webhook_and_event"),
            models.CheckConstraint(
                name="delivery_is_of_an_event_or_a_test",
                condition=Q(event__isnull=False, tested_at__isnull=True)
                | Q(event__isnull=True, tested_at__isnull=False),
            ),
            models.CheckConstraint(
                name="delivery_waits_until_settled",
                condition=Q(state="waiting", due_at__isnull=False, settled_at__isnull=True)
                | ~Q(state="waiting") & Q(due_at__isnull=True, settled_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk} ({self.state})"

    @property
    def type(self) -> str:
        """What its receiver is told that it is of."""
        return self.event.type if self.event else WEBHOOK_TEST
