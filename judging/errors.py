"""What judging refuses, and how providers fail."""

from debates.errors import DomainError, NotAllowedNow


class ProviderError(Exception):
    """A provider gave no answer. ``permanent`` says that asking again is no use.

    Shape: ``message`` is in our words; of the provider's own it holds an excerpt at most, for it is kept and logged.
    """

    def __init__(self, message: str, *, permanent: bool, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.retry_after = retry_after


class AnswerRejected(DomainError):
    """A provider's answer cannot be used; the message names the field and what is allowed."""

    code = "answer_rejected"


class NotYourTurn(NotAllowedNow):
    """Somebody speaks from whom nothing is awaited now."""

    code = "not_your_turn"


class TurnTaken(NotAllowedNow):
    """Other words were said in this turn already; they stay."""

    code = "turn_taken"


class TooLate(NotAllowedNow):
    """The time for a turn was up; it is forfeited."""

    code = "too_late"


class Superseded(Exception):
    """Another worker has claimed this thread since; what this one holds is no longer wanted."""


class Stuck(Exception):
    """Something can neither go on nor end, because that cannot be written down; soon it would be no different."""
