"""Appeals against what the ledger, a judge or a debate has come to."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models import Debate
from debates.models.fields import known, public_id, word
from scoring.enums import WAITING_APPEALS, AppealGround, AppealState
from scoring.models.fact import Fact
from scoring.models.ledger import Actor, Reason, ScoreChange

WAITING = Q(state__in=[state.value for state in WAITING_APPEALS])
NOBODY = {"decided_by__isnull": True, "decided_because__isnull": True}
SOMEBODY = {"decided_by__isnull": False, "decided_because__isnull": False, "decided_at__isnull": False}


class Appeal(models.Model):
    """Somebody appeals against an entry of the ledger, a ruling (its fact) or, where neither is named, a result.

    ``evidence`` is what it was about as it then stood: ids, numbers, hashes and seals, no words. ``act`` is the entry
    of the ledger that allows it. The words of the appeal are public once it is decided; the database sets ``person``,
    and ``result_at``, which tells the results of a debate that was played again apart.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="appeals")
    entry = models.ForeignKey(ScoreChange, null=True, blank=True, on_delete=models.PROTECT, related_name="appeals")
    fact = models.ForeignKey(Fact, null=True, blank=True, on_delete=models.PROTECT, related_name="appeals")
    result_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the result came that it is against."
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="appeals", editable=False
    )
    appellant = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    ground = word(AppealGround)
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    evidence = models.JSONField(editable=False)
    filed_at = models.DateTimeField(db_default=Now(), editable=False)
    state = word(AppealState, default=AppealState.OPEN.value, editable=False)
    claimed_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    lease_until = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_by_organiser = models.BooleanField(db_default=False, editable=False)
    decided_because = models.ForeignKey(Reason, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    act = models.ForeignKey(
        ScoreChange, null=True, blank=True, on_delete=models.PROTECT, related_name="allows", editable=False
    )

    class Meta:
        ordering = ["-id"]
        permissions = [("decide_appeal", "Can claim and decide appeals")]
        constraints = [
            known("ground", AppealGround, "appeal_ground_is_known"),
            known("state", AppealState, "appeal_state_is_known"),
            models.CheckConstraint(
                name="appeal_is_about_one_thing", condition=Q(entry__isnull=True) | Q(fact__isnull=True)
            ),
            models.UniqueConstraint(
                fields=["person", "debate", "entry", "fact", "result_at"],
                nulls_distinct=False,
                name="appeal_once_per_person_and_entry",
            ),
            models.CheckConstraint(
                name="appeal_claimed_has_holder_and_lease",
                condition=Q(state="claimed", claimed_by__isnull=False, lease_until__isnull=False)
                | ~Q(state="claimed") & Q(claimed_by__isnull=True, lease_until__isnull=True),
            ),
            models.CheckConstraint(
                name="appeal_decided_says_who_why_and_when",
                condition=WAITING & Q(decided_at__isnull=True, act__isnull=True, **NOBODY)
                | Q(state="withdrawn", decided_at__isnull=False, act__isnull=True, **NOBODY)
                | Q(state__in=["dismissed", "moot"], act__isnull=True, **SOMEBODY)
                | Q(state="allowed", act__isnull=False, **SOMEBODY),
            ),
        ]

    def __str__(self) -> str:
        return f"appeal {self.pk} in debate {self.debate_id} ({self.state})"

    @property
    def about(self) -> str:
        """Return what it is against, in a word."""
        return "entry" if self.entry_id else "ruling" if self.fact_id else "result"

    @property
    def waits(self) -> bool:
        return self.state in WAITING_APPEALS
