"""What judges and models gave in each format, beside the turns: rulings, states and scores, consensus and review."""

from decimal import Decimal

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from debates.models import Debate, Participant, Round, Thread, Turn
from debates.models.fields import choices, known, public_id, word
from debates.types import Status
from judging.models.call import Call, Several, spread_where_several
from judging.rules.adherence import Violation
from judging.rules.consensus import Recommendation
from judging.rules.persuasion import Surrender
from judging.rules.schemas import ISSUES
from judging.types import EffectSource, Judgement, Reply, ReviewReason, ReviewState, Severity, Winner
from scoring.models import Actor, Fact
from scoring.models.fields import number
from scoring.models.fields import number as amount

# -- criterion debates: challenges, defences, verdicts, the synthesis --------------------------------------------------


class Challenge(models.Model):
    """One attack of the red team on one criterion; put in every round while it is open."""

    public_id = public_id()
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="challenges")
    run_number = models.PositiveIntegerField()
    label = models.CharField(max_length=10, help_text="How judges name it within its thread: C1, C2, ...")
    persona = models.CharField(max_length=40)
    severity = word(Severity)
    quote = models.TextField(blank=True, default="")
    turn = models.OneToOneField(Turn, on_delete=models.PROTECT, related_name="challenge")

    class Meta:
        ordering = ["thread_id", "run_number", "id"]
        constraints = [
            known("severity", Severity, "challenge_severity_is_known"),
            models.UniqueConstraint(
                fields=["thread", "run_number", "label"], name="challenge_label_once_per_thread_and_run"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.persona}, {self.severity})"


class Defence(models.Model):
    """The evaluator's answer to a challenge in one round."""

    turn = models.OneToOneField(Turn, primary_key=True, on_delete=models.PROTECT, related_name="defence")
    challenge = models.ForeignKey(Challenge, on_delete=models.PROTECT, related_name="defences")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="defences")
    reply = word(Reply)

    class Meta:
        constraints = [
            known("reply", Reply, "defence_reply_is_known"),
            models.UniqueConstraint(fields=["challenge", "round"], name="defence_once_per_challenge_and_round"),
        ]


class Verdict(Several):
    """The arbiter's ruling on one exchange. The numbers are in its fact."""

    fact = models.OneToOneField(Fact, primary_key=True, on_delete=models.PROTECT, related_name="verdict")
    challenge = models.ForeignKey(Challenge, on_delete=models.PROTECT, related_name="verdicts")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="verdicts")
    winner = word(Winner)
    reasoning = models.TextField()
    call = models.ForeignKey(Call, null=True, blank=True, on_delete=models.PROTECT, related_name="verdicts")

    class Meta:
        ordering = ["fact_id"]
        constraints = [
            known("winner", Winner, "verdict_winner_is_known"),
            models.UniqueConstraint(fields=["challenge", "round"], name="verdict_once_per_challenge_and_round"),
            spread_where_several("verdict_has_a_spread_where_judged_several_times"),
        ]

    def __str__(self) -> str:
        return f"verdict on challenge {self.challenge_id}: {self.winner}"


class Synthesis(models.Model):
    """What was concluded when play ended: the numbers as they then were, and the arbiter's words about them."""

    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="syntheses")
    number = models.PositiveSmallIntegerField()
    numbers = models.JSONField()
    turn = models.OneToOneField(Turn, on_delete=models.PROTECT, related_name="synthesis")
    at = models.DateTimeField()

    class Meta:
        ordering = ["debate_id", "number"]
        verbose_name_plural = "syntheses"
        constraints = [models.UniqueConstraint(fields=["debate", "number"], name="synthesis_number_once_per_debate")]


# -- open debates: how fairly each response argued, what it did to whom, where all stand -------------------------------


MARKS = ("steel_manning", "self_critique", "consistency", "honesty")


def mark_column() -> "models.DecimalField[Decimal | None, Decimal | None]":
    """Return a column for a mark of 0 to 25."""
    return models.DecimalField(max_digits=4, decimal_places=2, null=True, blank=True)


def all_of(condition: str, *fields: str, value: object) -> Q:
    """Return that the same holds of several columns."""
    combined = Q()
    for field in fields:
        combined &= Q(**{f"{field}__{condition}": value})
    return combined


class ResponseEvaluation(Several):
    """How fairly one response argued: scored with four marks and a fact, quick with two flags, or failed.

    ``grounds`` holds notes, passages and violations in words; erasure blanks it.
    """

    public_id = public_id()
    turn = models.OneToOneField(Turn, on_delete=models.PROTECT, related_name="response_evaluation")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="response_evaluations")
    state = word(Judgement)
    fact = models.OneToOneField(
        Fact, null=True, blank=True, on_delete=models.PROTECT, related_name="response_evaluation"
    )
    quick_steel_manning = models.BooleanField(null=True, help_text="Attempted at a quick look, which comes first.")
    quick_self_critique = models.BooleanField(null=True, help_text="Attempted at a quick look, which comes first.")
    steel_manning = mark_column()
    self_critique = mark_column()
    consistency = mark_column()
    honesty = mark_column()
    steel_attempted = models.BooleanField(null=True, blank=True)
    critique_attempted = models.BooleanField(null=True, blank=True)
    violations = models.PositiveSmallIntegerField(default=0, help_text="Breaks with the framework; words in grounds.")
    issues = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    requires_interjection = models.BooleanField(default=False)
    violation = models.CharField(max_length=40, choices=choices(Violation), blank=True, default="")
    grounds = models.JSONField(default=dict, blank=True)
    from_cache = models.BooleanField(default=False)
    call = models.ForeignKey(Call, null=True, blank=True, on_delete=models.PROTECT, related_name="response_evaluations")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            known("state", Judgement, "response_evaluation_state_is_known"),
            models.CheckConstraint(
                name="response_has_marks_where_scored",
                condition=Q(state="scored") & all_of("isnull", "fact", *MARKS, value=False)
                | ~Q(state="scored") & all_of("isnull", "fact", *MARKS, value=True),
            ),
            models.CheckConstraint(
                name="response_marks_inside_scale",
                condition=Q(steel_manning__isnull=True) | all_of("range", *MARKS, value=(0, 25)),
            ),
            models.CheckConstraint(
                name="response_has_flags_unless_failed",
                condition=Q(state="failed", steel_attempted__isnull=True, critique_attempted__isnull=True)
                | ~Q(state="failed") & Q(steel_attempted__isnull=False, critique_attempted__isnull=False),
            ),
            models.CheckConstraint(
                name="response_is_looked_at_first",
                condition=Q(quick_steel_manning__isnull=False, quick_self_critique__isnull=False),
            ),
            models.CheckConstraint(
                name="response_requires_interjection_with_a_reason_where_scored",
                condition=Q(requires_interjection=False)
                | Q(state="scored", violation__in=[violation.value for violation in Violation]),
            ),
            models.CheckConstraint(name="response_issues_are_known", condition=Q(issues__contained_by=list(ISSUES))),
            spread_where_several("response_has_a_spread_where_judged_several_times"),
        ]

    def __str__(self) -> str:
        return f"evaluation of turn {self.turn_id}: {self.state}"


class Effect(Several):
    """What one response did to one listener, and by what it was weighed."""

    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="effects")
    speaker = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="effects_made")
    listener = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="effects_felt")
    persuasion = amount()
    attack = amount()
    evidence = amount()
    persuasion_words = models.PositiveSmallIntegerField(default=0)
    source = word(EffectSource)
    call = models.ForeignKey(Call, null=True, blank=True, on_delete=models.PROTECT, related_name="effects")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            known("source", EffectSource, "effect_source_is_known"),
            models.UniqueConstraint(fields=["turn", "listener"], name="effect_once_per_turn_and_listener"),
            models.CheckConstraint(name="effect_is_on_somebody_else", condition=~Q(speaker=F("listener"))),
            models.CheckConstraint(
                name="effect_inside_limits", condition=all_of("range", "persuasion", "attack", "evidence", value=(0, 1))
            ),
            spread_where_several("effect_has_a_spread_where_judged_several_times"),
        ]

    def __str__(self) -> str:
        return f"effect of turn {self.turn_id} on participant {self.listener_id}"


class ParticipantState(models.Model):
    """Where a participant stood after each response that reached it; number 0 is where it started."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="states")
    number = models.PositiveSmallIntegerField()
    effect = models.OneToOneField(Effect, null=True, blank=True, on_delete=models.PROTECT, related_name="state_after")
    stance = amount()
    conviction = amount()
    surrender = word(Surrender, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["participant_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "number"], name="state_number_once_per_participant"),
            models.CheckConstraint(
                name="state_starts_without_an_effect",
                condition=Q(number=0, effect__isnull=True, surrender="") | Q(number__gt=0, effect__isnull=False),
            ),
            models.CheckConstraint(
                name="state_inside_limits", condition=Q(stance__range=(-1, 1)) & Q(conviction__range=(0, 1))
            ),
            models.CheckConstraint(
                name="state_surrender_is_known",
                condition=Q(surrender="") | Q(surrender__in=[surrender.value for surrender in Surrender]),
            ),
        ]

    def __str__(self) -> str:
        return f"state {self.number} of participant {self.participant_id}"


class Standing(models.Model):
    """The parts of a participant's standing after one exchange. Their total is the amount of its fact."""

    fact = models.OneToOneField(Fact, primary_key=True, on_delete=models.PROTECT, related_name="standing")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="standings")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="standings")
    stance = amount()
    persuasion = amount()
    resistance = amount()
    penalty = amount()

    class Meta:
        ordering = ["fact_id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "participant"], name="standing_once_per_round_and_participant"),
            models.CheckConstraint(
                name="standing_parts_inside_limits",
                condition=Q(stance__range=(0, 30), persuasion__gte=0, resistance__range=(0, 20), penalty__in=[0, 50]),
            ),
        ]

    def __str__(self) -> str:
        return f"standing of participant {self.participant_id}, round {self.round_id}"


# -- panels: what judges reported and gave, how far they agreed, what a person settles ---------------------------------


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
                name="consensus_overall_inside_scale", condition=Q(overall__isnull=True) | Q(overall__range=(1, 5))
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


REVIEW_WAITS = ~Q(state=ReviewState.SETTLED.value) & ~Q(debate__status=Status.CANCELLED.value)
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
