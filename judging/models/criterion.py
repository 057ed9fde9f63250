"""What a criterion debate adds to its turns: challenges, defences, verdicts, the synthesis."""

from django.db import models

from debates.models import Debate, Round, Thread, Turn
from debates.models.fields import known, public_id, word
from judging.models.call import Call, Several, spread_where_several
from judging.types import Reply, Severity, Winner
from scoring.models import Fact


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
        constraints = [
            models.UniqueConstraint(fields=["debate", "number"], name="synthesis_number_once_per_debate"),
        ]
