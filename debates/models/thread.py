"""What is said: threads, their rounds, and turns."""

from django.db import models
from django.db.models import F, Q

from debates.models.debate import Debate, Participant
from debates.models.fields import known, public_id, word
from debates.types import ENDED, ThreadStatus, TurnKind

TAKEN_IN_TURN = [TurnKind.OPENING.value, TurnKind.RESPONSE.value, TurnKind.REPORT.value]
"""Kinds of which everybody has one in a round: said, or, with no words, forfeited."""
AWAITED = [*TAKEN_IN_TURN, TurnKind.JUDGEMENT.value]
"""Kinds that people and other programs are waited for; of judgements of responses there are several in a round."""


class Thread(models.Model):
    """A sequence of rounds about one thing. ``fence`` grows with every claim, so only the newest claim may commit."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="threads")
    key = models.CharField(max_length=40, help_text="What the thread is about: a criterion code, or main.")
    position = models.PositiveSmallIntegerField()
    status = word(ThreadStatus, default=ThreadStatus.PENDING.value, editable=False)
    run_number = models.PositiveIntegerField(default=1, editable=False)
    rounds_played = models.PositiveSmallIntegerField(default=0, editable=False)
    fence = models.PositiveBigIntegerField(default=0, editable=False)
    ended_because = models.CharField(max_length=200, blank=True, default="", editable=False)

    class Meta:
        ordering = ["debate_id", "position"]
        constraints = [
            known("status", ThreadStatus, "thread_status_is_known"),
            models.UniqueConstraint(fields=["debate", "key"], name="thread_key_once_per_debate"),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(status=ThreadStatus.AWAITING_TURN.value), name="thread_that_waits")
        ]

    def __str__(self) -> str:
        return f"{self.key} of debate {self.debate_id}"


class Round(models.Model):
    """One numbered exchange of a thread and run; closed by judging."""

    public_id = public_id()
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="rounds")
    run_number = models.PositiveIntegerField()
    number = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["thread_id", "run_number", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["thread", "run_number", "number"], name="round_number_once_per_thread_and_run"
            ),
            models.CheckConstraint(
                name="round_closes_after_it_opens",
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("opened_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of thread {self.thread_id}, run {self.run_number}"

    @property
    def broken_off(self) -> bool:
        """Say whether it was never closed, and never will be: play of its run has ended."""
        is_played = self.run_number == self.thread.run_number and ThreadStatus(self.thread.status) not in ENDED
        return self.closed_at is None and not is_played


NAMED_PLACES = frozenset({TurnKind.CHALLENGE.value, TurnKind.DEFENCE.value, TurnKind.SYNTHESIS.value})
"""Places that are named by a label that people know, and not by a row."""


class Turn(models.Model):
    """One immutable utterance. ``slot`` says which place in the round it fills, so that no turn is written twice."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="turns")
    thread = models.ForeignKey(Thread, null=True, blank=True, on_delete=models.PROTECT, related_name="turns")
    round = models.ForeignKey(Round, null=True, blank=True, on_delete=models.PROTECT, related_name="turns")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="turns")
    kind = word(TurnKind)
    slot = models.CharField(max_length=60)
    text = models.TextField()
    strategy = models.CharField(
        max_length=20, blank=True, db_default="", default="", help_text="How a chair argued here, as it chose."
    )
    answers = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="answered_by")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            known("kind", TurnKind, "turn_kind_is_known"),
            models.CheckConstraint(
                name="turn_strategy_only_of_chairs",
                condition=Q(strategy="") | Q(kind__in=[TurnKind.OPENING.value, TurnKind.RESPONSE.value]),
            ),
            models.UniqueConstraint(
                fields=["round", "slot"], condition=Q(round__isnull=False), name="turn_slot_once_per_round"
            ),
            models.UniqueConstraint(
                fields=["debate", "slot"], condition=Q(round__isnull=True), name="turn_slot_once_per_debate"
            ),
            models.UniqueConstraint(
                fields=["round", "participant"],
                condition=Q(round__isnull=False, kind__in=TAKEN_IN_TURN),
                name="turn_is_taken_or_forfeited_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} by participant {self.participant_id}"

    @property
    def place(self) -> str:
        """The slot without the number by which we know who fills it: that says nothing to anybody outside."""
        kind, _, _ = self.slot.partition(":")
        return self.slot if kind in NAMED_PLACES else kind


class AwaitedTurn(models.Model):
    """A turn that a person or somebody else's program may take, and until when. It is never edited.

    What became of it says the turn of the same participant in the same round, or the ballot. ``about`` is the turn that
    is to be judged, where a single one is. ``number`` grows where the time for the same turn is given anew, after a
    pause, or the deadline is moved.
    """

    public_id = public_id()
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="awaited")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="awaited")
    about = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.PROTECT, related_name="awaited")
    kind = word(TurnKind)
    number = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()
    deadline = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="awaited_turn_is_one_that_is_taken", condition=Q(kind__in=AWAITED)),
            models.CheckConstraint(name="awaited_turn_has_time", condition=Q(deadline__gt=F("at"))),
            models.UniqueConstraint(
                fields=["round", "participant", "number"],
                condition=Q(about__isnull=True),
                name="awaited_turn_number_once",
            ),
            models.UniqueConstraint(
                fields=["about", "participant", "number"],
                condition=Q(about__isnull=False),
                name="awaited_judgement_number_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of participant {self.participant_id} until {self.deadline:%Y-%m-%d %H:%M:%S} UTC"


class Ballot(models.Model):
    """What a judge who is no engine answered to a turn that was awaited: in one round, or about one response in it.

    Nobody but its author reads it before it counts; then it becomes a report, a ruling or marks, like a call's answer.

    It is added once and never rewritten; erasure blanks ``answer``. Where the policy lets it be amended, ``number``
    counts the versions: all are kept, and the last one counts.
    """

    public_id = public_id()
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="ballots")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="ballots")
    about = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.PROTECT, related_name="ballots")
    number = models.PositiveSmallIntegerField(default=1)
    answer = models.TextField(help_text="As a model answers: JSON.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "participant", "number"], condition=Q(about__isnull=True), name="ballot_once_per_round"
            ),
            models.UniqueConstraint(
                fields=["about", "participant", "number"],
                condition=Q(about__isnull=False),
                name="ballot_once_per_response",
            ),
        ]

    def __str__(self) -> str:
        return f"ballot {self.pk} of participant {self.participant_id}, round {self.round_id}"


class TurnDraft(models.Model):
    """What somebody who sits there is writing: theirs alone until it is said. A seat has one, on all devices; one from
    which ballots are given has one for each, and ``place`` says which.

    Every save is a new row: its key is a number that no draft had before, so that one device does not write over what
    another has saved since, or has said.
    """

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="drafts")
    place = models.CharField(max_length=60, blank=True, default="", help_text="Of a ballot: its round and response.")
    text = models.TextField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="turn_draft_has_words", condition=~Q(text="")),
            models.UniqueConstraint(fields=["participant", "place"], name="turn_draft_once_per_seat_and_ballot"),
        ]

    def __str__(self) -> str:
        return f"draft of participant {self.participant_id}"
