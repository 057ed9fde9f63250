"""One row for each call to a provider, what several judgements of one thing came to, and judgements that are known
already."""

from django.db import models
from django.db.models import Q

from debates.models import Debate, Participant, Thread
from debates.models.fields import known, public_id, word
from judging.types import Outcome, Purpose
from scoring.models.fields import number

# What is kept where one thing was judged several times: each judgement, their spread, whether orders differ.


class Several(models.Model):
    """Something that may have been judged several times.

    ``readings`` are the single judgements, numbers as text: docs/reference/fairness.md#what-is-kept. Empty where it was
    judged once; then there is no spread, and nothing that could flip. The numbers that count are the row's own.
    """

    readings = models.JSONField("judgements", default=list, blank=True)
    spread = number(null=True, blank=True, help_text="How far the single judgements lie apart.")
    flipped = models.BooleanField(
        null=True, blank=True, help_text="The two orders came to different ends; empty where one order was judged."
    )

    class Meta:
        abstract = True


def spread_where_several(name: str) -> models.CheckConstraint:
    """Return the constraint that there is a spread exactly where something was judged more than once."""
    return models.CheckConstraint(
        name=name,
        condition=Q(readings=[], spread__isnull=True, flipped__isnull=True)
        | ~Q(readings=[]) & Q(spread__isnull=False, spread__gte=0),
    )


# What was asked of providers and what it cost; who may play a thread now.


class Call(models.Model):
    """One call to a provider, with everything needed to understand or repeat it. Never edited; erasure blanks texts."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="calls")
    thread = models.ForeignKey(Thread, null=True, blank=True, on_delete=models.PROTECT, related_name="calls")
    run_number = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField()
    purpose = word(Purpose)
    about = models.CharField(
        max_length=60, blank=True, default="", help_text="Which of several such questions of one round this is."
    )
    swapped = models.BooleanField(default=False, help_text="What is judged was shown in the other order.")
    reading = models.PositiveSmallIntegerField(default=1, help_text="Which of several judgements in this order it is.")
    attempt = models.PositiveSmallIntegerField()
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="calls")
    prompt_name = models.CharField(max_length=60)
    prompt_version = models.PositiveSmallIntegerField()
    prompt_digest = models.CharField(max_length=64)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=120)
    parameters = models.JSONField(default=dict)
    raw_answer = models.TextField(blank=True, default="")
    outcome = word(Outcome)
    problem = models.TextField(
        blank=True, default="", help_text="Why the answer was not used; erased together with it."
    )
    known = models.BooleanField(
        default=False, help_text="The answer was known already: nobody was asked, nothing paid."
    )
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["thread", "run_number", "round_number"], name="call_by_thread_and_round"),
            models.Index(fields=["at"], name="call_by_moment"),
        ]
        constraints = [
            known("purpose", Purpose, "call_purpose_is_known"),
            known("outcome", Outcome, "call_outcome_is_known"),
            models.UniqueConstraint(
                fields=[
                    "thread",
                    "run_number",
                    "round_number",
                    "purpose",
                    "participant",
                    "about",
                    "swapped",
                    "reading",
                ],
                condition=Q(outcome="used", thread__isnull=False),
                name="call_answers_once_per_round_and_purpose",
            ),
        ]

    def __str__(self) -> str:
        return f"call {self.pk}: {self.purpose} by {self.provider}"


class Claim(models.Model):
    """What a thread of a debate with a limit has set aside of the budget, and at which fence and when it did so.

    The fence that a commit must carry is the thread's own.
    """

    thread = models.OneToOneField(Thread, primary_key=True, on_delete=models.PROTECT, related_name="claim")
    fence = models.PositiveBigIntegerField()
    reserved_calls = models.PositiveIntegerField(default=0)
    reserved_tokens = models.PositiveBigIntegerField(default=0)
    reserved_money = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    claimed_at = models.DateTimeField()


class CallUnderWay(models.Model):
    """A call of a debate with a limit that may be made, and was neither written down nor given back so far.

    Whoever makes it renews its lease; one that nobody has renewed was lost with its worker, and counts no more.
    """

    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="calls_under_way")
    thread = models.ForeignKey(Thread, null=True, blank=True, on_delete=models.PROTECT, related_name="calls_under_way")
    fence = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Of the claim that has set it aside; empty for a call outside of rounds."
    )
    lease_until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "calls under way"

    def __str__(self) -> str:
        return f"call of debate {self.debate_id} under way"


class CachedJudgement(models.Model):
    """A judgement that is known already, by the digest of everything it depends on; or one that somebody is making.

    While ``answer`` is empty, whoever holds ``holder`` is asking, until ``lease_until``; others wait for it.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    answer = models.TextField(blank=True, default="")
    model = models.CharField(max_length=120, blank=True, default="")
    holder = models.CharField(max_length=40, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        constraints = [
            models.CheckConstraint(
                name="cached_judgement_is_known_or_being_made",
                condition=Q(answer="", lease_until__isnull=False) & ~Q(holder="")
                | ~Q(answer="") & Q(holder="", lease_until__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"judgement {self.digest[:12]}"


class Script(models.Model):
    """The answers that the scripted provider replays in one debate."""

    debate = models.OneToOneField(Debate, primary_key=True, on_delete=models.PROTECT, related_name="script")
    answers = models.JSONField()
