"""Conflicts of interest that were declared, seals that were broken, judges who were replaced, and whether organisers
moderate their debates.
"""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from debates.models import Ballot, Debate, Participant
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


class BrokenSeal(models.Model):
    """Somebody with the right has broken the seal of a ballot before its round closed, with a reason, and reads it
    since: that version of it, and nobody else does. Rows are only added, and public.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="broken_seals")
    ballot = models.ForeignKey(Ballot, on_delete=models.PROTECT, related_name="broken_seals")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="broken_seals")
    by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    by_organiser = models.BooleanField(db_default=False, editable=False)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        permissions = [("break_seal", "Can break the seal of a ballot, which everybody hears of")]
        constraints = [models.UniqueConstraint(fields=["ballot", "person"], name="seal_is_broken_once_by_a_person")]

    def __str__(self) -> str:
        return f"seal of ballot {self.ballot_id} in debate {self.debate_id}, broken by {self.by}"


class ReplacedJudge(models.Model):
    """A judge who had to go before they reported, with a reason, and who has their place since. Rows are only added,
    and public: whoever was replaced gives no ballot any more, and one that they gave is struck, and stays.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="replaced_judges")
    judge = models.OneToOneField(Participant, on_delete=models.PROTECT, related_name="replacement")
    successor = models.OneToOneField(Participant, on_delete=models.PROTECT, related_name="replaces")
    by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    by_organiser = models.BooleanField(db_default=False, editable=False)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"judge {self.judge_id} of debate {self.debate_id}, replaced by {self.by}"


class OrganiserRule(models.Model):
    """Whether whoever created or organises a debate moderates it, as the database knows it. The newest row holds.

    Every migration writes what the settings say, where that has changed. The app role only reads it.
    """

    moderate = models.BooleanField()
    since = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"organisers {'moderate' if self.moderate else 'do not moderate'} their own debates"
