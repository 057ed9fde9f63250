"""What is done to the play of a debate by whoever conducts it: what each action means, when it can be, what it calls.

The admin and the pages of a debate are made from it; the API calls the same services.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from debates.errors import DomainError
from debates.models import Debate
from debates.rules import IN_PLAY
from debates.services import visibility
from debates.types import STATUS_WORDS, Status, Visibility
from judging.engine import human_turns, lifecycle

READ_BY: Mapping[Visibility, str] = {
    Visibility.PUBLIC: "public: everybody",
    Visibility.UNLISTED: "unlisted: everybody who has its address",
    Visibility.PRIVATE: "private: its creator, who takes part, and whoever may view debates",
}


@dataclass(frozen=True, slots=True)
class LifecycleAction:
    """One action.

    Shape: ``when`` are the statuses in which it can be; ``refuse`` is what the service asks beyond that; ``done`` goes
    on after the name of a debate.
    """

    name: str
    title: str
    says: str
    done: str
    service: Callable[..., object]
    when: frozenset[Status] = frozenset(Status)
    refuse: Callable[..., None] | None = None
    button: str = ""
    grave: bool = False

    def refusal(self, debate: Debate) -> str:
        """Say why a debate as it is would be refused, whatever is filled in; nothing where it would not."""
        if Status(debate.status) not in self.when:
            open_to = " or ".join(STATUS_WORDS[status] for status in Status if status in self.when)
            return (
                f"This debate is {STATUS_WORDS[debate.status]}. \u201c{self.title}\u201d is for one that is {open_to}."
            )
        try:
            if self.refuse is not None:
                self.refuse(debate=debate)
        except DomainError as refusal:
            return refusal.message
        return ""


PAUSE = LifecycleAction(
    name="pause",
    title="Pause",
    says="Calls in flight are still written down; no further one is made until it is resumed.",
    done="is paused",
    service=lifecycle.pause,
    when=IN_PLAY - {Status.PAUSED},
)
RESUME = LifecycleAction(
    name="resume",
    title="Resume",
    says="Play goes on where it was.",
    done="goes on",
    service=lifecycle.resume,
    when=frozenset({Status.PAUSED}),
)
STOP = LifecycleAction(
    name="stop",
    title="Stop and conclude",
    says="Rounds that have counted stay counted; what is not finished ends partial.",
    done="is being concluded",
    service=lifecycle.stop,
    when=IN_PLAY - {Status.AWAITING_REVIEW},
    refuse=lifecycle.may_stop,
)
CANCEL = LifecycleAction(
    name="cancel",
    title="Cancel",
    says="Nothing more is played or counted. What was counted stays in the ledger.",
    done="is cancelled",
    service=lifecycle.cancel,
    when=frozenset({Status.DRAFT, *IN_PLAY}),
    button="Cancel the debate",
    grave=True,
)
RETRY_SYNTHESIS = LifecycleAction(
    name="retry_synthesis",
    title="Conclude again",
    says="Its scores have stood all along; only the synthesis is written again.",
    done="is concluded again",
    service=lifecycle.retry_synthesis,
    when=frozenset({Status.FAILED}),
    refuse=lifecycle.may_conclude_again,
)
VISIBILITY = LifecycleAction(
    name="visibility",
    title="Change who may read it",
    says="Whoever follows it live and may not read it any more is sent away at once.",
    done="has another visibility now",
    service=visibility.change,
    button="Change",
)
DEADLINE = LifecycleAction(
    name="deadline",
    title="Move the deadline",
    says="Everybody who is awaited has until then, also who has given a ballot already. People are told by mail.",
    done="has another deadline now",
    service=human_turns.move_deadline,
    when=frozenset({Status.RUNNING}),
    refuse=human_turns.may_move_deadline,
    button="Move it",
)
LIFECYCLE_ACTIONS: Mapping[str, LifecycleAction] = {
    action.name: action for action in (PAUSE, RESUME, DEADLINE, STOP, CANCEL, RETRY_SYNTHESIS, VISIBILITY)
}


def actions_open(debate: Debate) -> Sequence[LifecycleAction]:
    """Return what can be done to a debate as it is; a draft is withdrawn where it is prepared, and not cancelled."""
    is_draft = debate.status == Status.DRAFT.value
    actions = [VISIBILITY] if is_draft else LIFECYCLE_ACTIONS.values()
    return [action for action in actions if not action.refusal(debate)]
