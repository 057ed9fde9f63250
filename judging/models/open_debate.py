"""What an open debate adds to its turns: how fairly each response argued, what it did to whom, and where all stand."""

from decimal import Decimal

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from debates.models import Participant, Round, Turn
from debates.models.fields import choices, known, public_id, word
from judging.models.call import Call, Several, spread_where_several
from judging.rules.adherence import Violation
from judging.rules.persuasion import Surrender
from judging.rules.schemas import ISSUES
from judging.types import EffectSource, Judgement
from scoring.models import Fact
from scoring.models.fields import number as amount

MARKS = ("steel_manning", "self_critique", "consistency", "honesty")


def mark() -> "models.DecimalField[Decimal | None, Decimal | None]":
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
    steel_manning = mark()
    self_critique = mark()
    consistency = mark()
    honesty = mark()
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
                name="state_inside_limits",
                condition=Q(stance__range=(-1, 1)) & Q(conviction__range=(0, 1)),
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
            ),
        ]

    def __str__(self) -> str:
        return f"judgement {self.digest[:12]}"
