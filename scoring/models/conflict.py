"""Conflicts of interest that somebody declared, and whether organisers moderate what they organise."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from debates.models import Debate
from debates.models.fields import public_id
from scoring.models.ledger import Actor, Reason


class Conflict(models.Model):
    """A person is declared to have an interest in a debate; or, with ``withdraws``, is no longer. Rows are only added.

    Whoever speaks or judges in a debate, or was invited to, has an interest without a row: the function ``moot_party``
    of the guards says who has.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="conflicts")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="conflicts")
    withdraws = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="withdrawal", editable=False
    )
    by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        verbose_name = "conflict of interest"
        verbose_name_plural = "conflicts of interest"
        permissions = [("declare_conflict", "Can declare that somebody else has a conflict of interest")]

    def __str__(self) -> str:
        return f"conflict {self.pk} of person {self.person_id} in debate {self.debate_id}"


class OrganiserRule(models.Model):
    """Whether whoever created or organises a debate moderates it, as the database knows it. The newest row holds.

    Every migration writes what the settings say, where that has changed. The app role only reads it.
    """

    moderate = models.BooleanField()
    since = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"organisers {'moderate' if self.moderate else 'do not moderate'} their own debates"
