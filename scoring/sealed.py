"""Which tables are sealed, what of their rows may change later, and what is not sealed and why."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db.models import Model, Q

from debates.models import AwaitedTurn, Ballot, Debate, Participant, Round, Subject, Thread, Turn  # fmt: skip
from scoring import models, signed
from scoring.enums import Scope

Where = Literal["self", "debate", "thread", "round", "turn", "participant", "evaluation", "report", "site"]
PATHS: Mapping[Where, str] = {
    "self": "pk",
    "debate": "debate",
    "thread": "thread__debate",
    "round": "round__thread__debate",
    "turn": "turn__debate",
    "participant": "participant__debate",
    "evaluation": "evaluation__debate",
    "report": "report__debate",
}
"""How a row leads to its debate, by the word that its trigger is given."""

Remains = Callable[[Any], bool]
"""Whether a value is what an erasure leaves of a column."""


def emptied(value: Any) -> bool:
    return not value


def marked(value: Any) -> bool:
    """Say whether the mark of an erasure stands in place of the words."""
    return str(value).startswith("[erased")


def mark_inside(value: Any) -> bool:
    """Say whether a document holds the mark of an erasure somewhere."""
    return '"[erased' in json.dumps(value)


def without_why(value: Any) -> bool:
    """Say whether what a provider said is gone from an alert's evidence; what else may go of it the guard says."""
    return "why" not in value


@dataclass(frozen=True, slots=True)
class Sealed:
    """A table whose rows are sealed.

    Shape: ``named_by`` leads from a row of the site's chain to debates that name it. Columns: ``changing`` change while
    a debate is played or moderated, ``once`` do so once in a row's life, ``fading`` may be emptied once their debate
    has been over for a day; what is left of the columns in ``erasable`` once an erasure has taken the words says the
    function, and ``voices`` lead to the participants whose words they are. ``removable`` rows go by an erasure. All
    others never change. ``played`` rows are added while their debate lasts, and not once it has ended.
    ``without`` is {column that a seal leaves out: by what else it is proved, or why not}.
    """

    model: type[Model]
    where: Where
    named_by: str = ""
    changing: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    fading: tuple[str, ...] = ()
    erasable: Mapping[str, Remains] = field(default_factory=dict)
    voices: tuple[str, ...] = ()
    taken: Callable[[models.Erasure], Q] | None = None
    removable: bool = False
    played: bool = False
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def table(self) -> str:
        return self.model._meta.db_table  # noqa: SLF001 -- Django's public name

    @property
    def key(self) -> str:
        assert self.model._meta.pk is not None  # noqa: S101, SLF001 -- every model has one
        return str(self.model._meta.pk.column)  # noqa: SLF001 -- as above

    @property
    def called(self) -> str:
        return str(self.model._meta.verbose_name)  # noqa: SLF001 -- as above

    @property
    def arguments(self) -> tuple[str, ...]:
        return (self.where, self.key, *sorted(self.without))

    def erased_by(self, erasure: models.Erasure) -> Q:
        if self.taken is not None:
            return self.taken(erasure)
        condition = Q(pk__in=[])
        if erasure.scope == Scope.DEBATE.value:
            return Q(**{PATHS[self.where]: erasure.debate_id}) if self.where in PATHS else condition
        for path in self.voices:
            condition |= Q(**{f"{path}__in": voices_of(erasure)})
        return condition


def voices_of(erasure: models.Erasure) -> Collection[Any]:
    if erasure.scope == Scope.PARTICIPANT.value:
        return [erasure.participant_id]
    return list(Participant.objects.filter(user=erasure.user_id).values_list("pk", flat=True))


def subjects_taken(erasure: models.Erasure) -> Q:
    return Q(debates=erasure.debate_id) if erasure.scope == Scope.DEBATE.value else Q(pk__in=[])


def actors_taken(erasure: models.Erasure) -> Q:
    return Q(user=erasure.user_id) if erasure.scope == Scope.USER.value else Q(pk__in=[])


def reasons_taken(erasure: models.Erasure) -> Q:
    if erasure.scope == Scope.DEBATE.value:
        return signed.given_in(erasure.debate_id)
    return signed.given_by(erasure.user_id) if erasure.scope == Scope.USER.value else Q(pk__in=[])


def notes_taken(erasure: models.Erasure) -> Q:
    """Return how to find the notes that an erasure takes: of the reasons that it takes, and of remarks."""
    condition = Q(reason__in=models.Reason.objects.filter(reasons_taken(erasure)))
    if erasure.scope == Scope.DEBATE.value:
        return condition | Q(remark__evaluation__debate=erasure.debate_id)
    return condition | Q(remark__by__user=erasure.user_id) if erasure.scope == Scope.USER.value else condition


def sets_taken(erasure: models.Erasure) -> Q:
    if erasure.scope == Scope.DEBATE.value:
        return signed.about(models.Evaluation.objects.filter(debate=erasure.debate_id))
    return signed.about(models.Evaluation.objects.filter(participant__in=voices_of(erasure)))


PROJECTED = "follows from the last entry, with which it is compared"
HANDLED = ("state", "handled_by_id", "handled_by_organiser", "handled_because_id", "handled_at")
DECIDED = ("state", "decided_by_id", "decided_because_id", "decided_at")
TABLES = [
    Sealed(
        Debate,
        "self",
        changing=(
            "status", "visibility", "visibility_limit", "partial", "partial_reason", "problem", "stop_reason",
            "concluded_at",
        ),
        once=("created_by_id", "started_at"),
        erasable={"title": marked, "motion": marked, "parameters": mark_inside},
        voices=("participants",),
    ),
    Sealed(
        Subject, "site", named_by="debates", erasable={"title": emptied, "text": emptied}, taken=subjects_taken
    ),
    Sealed(
        Participant, "debate", once=("user_id",), erasable={"name": marked}, voices=("pk",)
    ),
    Sealed(
        Thread,
        "debate",
        played=True,
        changing=("status", "run_number", "rounds_played", "ended_because"),
        without={"fence": "says who may write next; grows with every claim of a worker"},
    ),
    Sealed(Round, "thread", played=True, once=("closed_at",)),
    Sealed(
        Turn,
        "debate",
        played=True,
        erasable={"text": emptied},
        voices=("participant", "synthesis__debate__participants", "judge_report__debate__participants"),
    ),
    Sealed(AwaitedTurn, "round", played=True),
    Sealed(
        Ballot,
        "round",
        played=True,
        erasable={"answer": emptied},
        voices=("participant__debate__participants",),
    ),
    Sealed(
        models.Evaluation,
        "debate",
        played=True,
        erasable={"name": marked},
        voices=("participant",),
        without=dict.fromkeys(
            (
                "computed_score", "override_score", "final_score", "confidence", "counted", "basis", "held",
                "frozen_at", "run_number", "debate_complete", "debate_round_count", "version", "moderation_version",
                "last_score_update", "head_hash",
            ),
            PROJECTED,
        ),
    ),
    Sealed(models.Fact, "evaluation", played=True),
    Sealed(models.ScoreChange, "evaluation", played=True),
    Sealed(
        models.Actor,
        "site",
        named_by="entries__evaluation__debate",
        erasable={"name": emptied, "role": emptied},
        taken=actors_taken,
    ),
    Sealed(
        models.Reason,
        "site",
        named_by="entries__evaluation__debate",
        erasable={"text": emptied, "salt": emptied},
        taken=reasons_taken,
    ),
    Sealed(
        models.InternalNote,
        "site",
        named_by="reason__entries__evaluation__debate",
        erasable={"text": emptied},
        taken=notes_taken,
    ),
    Sealed(
        models.Alert,
        "debate",
        changing=("again", "times", *HANDLED),
        erasable={"evidence": without_why},
        voices=("debate__participants",),
    ),
    Sealed(models.AlertAnswer, "debate"),
    Sealed(models.Remark, "evaluation"),
    Sealed(models.Approval, "evaluation", once=(*DECIDED, "decided_by_organiser", "entry_id")),
    Sealed(
        models.Appeal,
        "debate",
        changing=("state", "claimed_by_id", "lease_until"),
        once=("decided_by_id", "decided_by_organiser", "decided_because_id", "decided_at", "act_id"),
    ),
    Sealed(
        models.RescoreSet, "site", once=(*DECIDED, "left_out"), erasable={"lines": mark_inside}, taken=sets_taken
    ),
    Sealed(models.Threshold, "site"),
    Sealed(models.Conflict, "debate"),
    Sealed(models.BrokenSeal, "debate"),
    Sealed(models.ReplacedJudge, "debate"),
    Sealed(models.OrganiserRule, "site"),
    Sealed(models.Erasure, "site", named_by="debate"),
]  # fmt: skip
"""The tables whose rows are sealed; other apps add theirs."""

UNSEALED: dict[str, str] = {
    "debates_eventhead": "its number and time are compared with the last event; `erasures` only tells caches to forget",
    "debates_event": "sealed by the blocks themselves",
    "debates_seal": "what proves the rows; proved by the blocks",
    "debates_block": "what proves the seals; proved by its own hash (all but `id`, which nothing names), and its end by"
    " heads that were kept elsewhere",
    "debates_epoch": "the name of the logs, new with every restored backup; no account rests on it",
    "debates_apikey": "a way in, not part of an account: who acted is an actor's row",
    "debates_idempotencykey": "kept for three days, so that a repeated request is answered the same",
    "debates_webhook": "who wants to be told of events",
    "debates_delivery": "what became of telling them",
    "debates_invitation": "a way in, as a key is; a seat that was taken says by whom",
    "debates_acceptance": "who came by an invitation",
    "debates_membership": "who may read and conduct a debate; no account rests on it",
    "debates_profile": "what somebody wants of the site",
    "debates_mail": "who was written to about what, without the words",
    "debates_mailstop": "who wants no mail",
    "debates_turndraft": "what nobody has said yet",
    "scoring_assignment": "who looks at a case; no account rests on it",
    "scoring_rubric": "a debate keeps its own copy in its parameters, and accounts rest on that",
    "scoring_criterion": "as its rubric",
}
"""Tables of ours whose rows are not sealed, and why; other apps add theirs."""
