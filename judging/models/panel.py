"""What a panel adds to its turns: what each judge reported and gave, how far the panel agreed after
each round, and the reviews that only a person can settle.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models import Debate, Participant, Round, Turn
from debates.models.fields import known, public_id, word
from debates.types import Status
from judging.models.call import Call, Several, spread_where_several
from judging.rules.consensus import Recommendation
from judging.types import ReviewReason, ReviewState
from scoring.models import Actor, Fact
from scoring.models.fields import number


class JudgeReport(models.Model):
    """One section of a judge's report: what it said in one round, or that it could not be read. Sections are added,
    never rewritten; erasure blanks ``body``.

    ``body`` is what the format made of the answer: docs/reference/panels.md#reports.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="judge_reports")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="judge_reports")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="judge_reports")
    readable = models.BooleanField()
    turn = models.OneToOneField(Turn, null=True, blank=True, on_delete=models.PROTECT, related_name="judge_report")
    call = models.ForeignKey(Call, null=True, blank=True, on_delete=models.PROTECT, related_name="judge_reports")
    body = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "participant"], name="judge_reports_once_per_round"),
            models.CheckConstraint(
                name="judge_report_is_spoken_where_readable",
                condition=Q(readable=True, turn__isnull=False) | Q(readable=False, turn__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} of participant {self.participant_id}, round {self.round_id}"


class JudgeScore(Several):
    """What one judge gave one criterion in one round. The number that counts is in its fact.

    ``given`` is what the judge first said: the fact has the revised score where a revision held, the old one where it
    was refused. ``quotes_missing`` counts quotes that the subject does not say.
    """

    fact = models.OneToOneField(Fact, primary_key=True, on_delete=models.PROTECT, related_name="judge_score")
    report = models.ForeignKey(JudgeReport, on_delete=models.PROTECT, related_name="scores")
    key = models.CharField(max_length=40, help_text="The code of the criterion.")
    given = number()
    wanted = number(null=True, blank=True, help_text="What the judge wanted to revise it to, if anything.")
    refused = models.BooleanField(default=False, help_text="A revision without evidence, which was not taken.")
    quotes_found = models.PositiveSmallIntegerField(default=0)
    quotes_missing = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["fact_id"]
        constraints = [
            models.UniqueConstraint(fields=["report", "key"], name="judge_scores_a_criterion_once_per_report"),
            models.CheckConstraint(name="judge_score_given_inside_scale", condition=Q(given__range=(1, 5))),
            models.CheckConstraint(
                name="judge_revision_inside_scale", condition=Q(wanted__isnull=True) | Q(wanted__range=(1, 5))
            ),
            models.CheckConstraint(
                name="judge_refused_revision_was_wanted", condition=Q(refused=False) | Q(wanted__isnull=False)
            ),
            spread_where_several("judge_score_has_a_spread_where_judged_several_times"),
        ]

    def __str__(self) -> str:
        return f"{self.key} in report {self.report_id}"


class Consensus(models.Model):
    """How far a panel agreed after one round, by the policy of that moment, which is kept with it.

    ``found`` holds overalls, spreads, means and criteria in dispute: docs/reference/panels.md#consensus.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="consensuses")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="consensuses")
    policy = models.JSONField(help_text="Thresholds, weights, quorum, pass mark and prompt versions as they were.")
    found = models.JSONField()
    agreed = models.BooleanField()
    reason_code = word(ReviewReason, blank=True, default="")
    overall = number(null=True, blank=True)
    recommendation = word(Recommendation, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "consensuses"
        constraints = [
            models.UniqueConstraint(fields=["round"], name="consensus_once_per_round"),
            models.CheckConstraint(
                name="consensus_or_a_reason",
                condition=Q(agreed=True, reason_code="", overall__isnull=False)
                | Q(agreed=False, reason_code__in=[reason.value for reason in ReviewReason]),
            ),
            models.CheckConstraint(
                name="consensus_overall_inside_scale",
                condition=Q(overall__isnull=True) | Q(overall__range=(1, 5)),
            ),
            models.CheckConstraint(
                name="consensus_recommends_where_there_is_an_overall",
                condition=Q(overall__isnull=True, recommendation="")
                | Q(
                    overall__isnull=False,
                    recommendation__in=[recommendation.value for recommendation in Recommendation],
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"consensus {self.pk} of debate {self.debate_id}: {'agreed' if self.agreed else self.reason_code}"


WAITING = ~Q(state=ReviewState.SETTLED.value) & ~Q(debate__status=Status.CANCELLED.value)
"""Reviews that wait for a person: neither settled, nor of a debate that was cancelled."""


class Review(models.Model):
    """A panel that came to no end by itself: what is in dispute, who has taken it on, and what was decided.

    There is one for each round of a run, for ever: automation never reopens what a person settled.
    ``decisions`` are {criterion code: {"value": decimal string, "entry": sequence in its ledger}}.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="reviews")
    run_number = models.PositiveIntegerField(default=1)
    round_number = models.PositiveSmallIntegerField(help_text="The round after which there was no consensus.")
    reason_code = word(ReviewReason)
    disputed = ArrayField(models.CharField(max_length=40), help_text="Codes of the criteria to decide.")
    policy = models.JSONField(help_text="Thresholds, weights, quorum, pass mark and prompt versions as they were.")
    opened_at = models.DateTimeField(db_default=Now())
    state = word(ReviewState, default=ReviewState.OPEN.value, editable=False)
    claimed_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    lease_until = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    settled_by_organiser = models.BooleanField(db_default=False, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)
    decisions = models.JSONField(default=dict, editable=False)

    class Meta:
        ordering = ["-id"]
        permissions = [("resolve_review", "Can claim and settle reviews")]
        constraints = [
            known("reason_code", ReviewReason, "review_reason_is_known"),
            known("state", ReviewState, "review_state_is_known"),
            models.UniqueConstraint(
                fields=["debate", "run_number", "round_number"], name="review_once_per_debate_run_and_round"
            ),
            models.CheckConstraint(name="review_disputes_something", condition=Q(disputed__len__gt=0)),
            models.CheckConstraint(
                name="review_claimed_has_holder_and_lease",
                condition=Q(state="claimed", claimed_by__isnull=False, lease_until__isnull=False)
                | ~Q(state="claimed") & Q(claimed_by__isnull=True, lease_until__isnull=True),
            ),
            models.CheckConstraint(
                name="review_settled_says_who_when_and_what",
                condition=Q(state="settled", settled_by__isnull=False, settled_at__isnull=False) & ~Q(decisions={})
                | ~Q(state="settled") & Q(settled_by__isnull=True, settled_at__isnull=True, decisions={}),
            ),
        ]

    def __str__(self) -> str:
        return f"review {self.pk} of debate {self.debate_id}: {self.reason_code} ({self.state})"
