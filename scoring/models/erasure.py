"""Erasures: that words were taken away, whose, by whom, when and why. While one is written, its words may go."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q

from debates.models import Debate, Participant
from debates.models.fields import known, public_id, word
from scoring.enums import Scope
from scoring.models.ledger import Actor, Reason


class Erasure(models.Model):
    """One erasure, written in its own transaction. Some guards let words go only in the transaction that writes one.

    ``counts`` is {what: how many rows}.
    """

    public_id = public_id()
    scope = word(Scope)
    debate = models.ForeignKey(Debate, null=True, blank=True, on_delete=models.PROTECT, related_name="erasures")
    participant = models.ForeignKey(Participant, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    counts = models.JSONField()
    at = models.DateTimeField(db_default=TransactionNow())

    class Meta:
        ordering = ["-id"]
        constraints = [
            known("scope", Scope, "erasure_scope_is_known"),
            models.CheckConstraint(
                name="erasure_names_what_it_erased",
                condition=Q(scope="debate", debate__isnull=False, participant__isnull=True, user__isnull=True)
                | Q(scope="participant", debate__isnull=False, participant__isnull=False, user__isnull=True)
                | Q(scope="user", debate__isnull=True, participant__isnull=True, user__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"erasure {self.pk} of a {self.scope}"
