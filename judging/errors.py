"""What judging refuses, and how providers fail."""

from __future__ import annotations

from decimal import Decimal

from debates.errors import DomainError, NotAllowedNow


class ProviderError(Exception):
    """A provider gave no answer. ``permanent`` says that asking again is no use.

    Shape: ``message`` is in our words; of the provider's own it holds an excerpt at most, for it is kept and logged.
    ``advice`` says what whoever runs the site can do about it, where the message does not. ``tokens_in``,
    ``tokens_out`` and ``cost`` are what was paid before it failed.
    """

    tokens_in = tokens_out = 0
    cost = Decimal(0)

    def __init__(self, message: str, *, permanent: bool, retry_after: float | None = None, advice: str = "") -> None:
        super().__init__(message)
        self.permanent = permanent
        self.retry_after = retry_after
        self.advice = advice

    def after(self, *, tokens_in: int, tokens_out: int, cost: Decimal = Decimal(0)) -> ProviderError:
        """Return the same failure with what was paid before it. It is another one: several may wait for the first."""
        failure = ProviderError(str(self), permanent=self.permanent, retry_after=self.retry_after, advice=self.advice)
        failure.tokens_in, failure.tokens_out, failure.cost = tokens_in, tokens_out, cost
        return failure


class AnswerPlace(tuple[str | int, ...]):
    """Where something is in an answer: names, and numbers from 0 in lists. In words numbers are from 1."""

    __slots__ = ()

    def __truediv__(self, step: str | int) -> AnswerPlace:
        return AnswerPlace((*self, step))

    def refused(self, words: str) -> AnswerRejected:
        """Return the refusal of what stands here, in words that go on from its name."""
        return AnswerRejected(f"{self} {words}", place=self)

    def __str__(self) -> str:
        words = ""
        for step in self:
            words += f", {step + 1}" if isinstance(step, int) else f"{': ' if words else ''}{step}"
        return words


NOWHERE = AnswerPlace()


class AnswerRejected(DomainError):
    """A provider's answer cannot be used; the message names the field and what is allowed.

    Shape: ``place`` is where in the answer; ``advice`` as that of a ``ProviderError``; where it is empty, that of the
    provider.
    """

    code = "answer_rejected"
    advice = ""

    def __init__(self, message: str, *, place: AnswerPlace = NOWHERE) -> None:
        super().__init__(message, field=tuple(map(str, place)))
        self.place = place

    @property
    def words(self) -> str:
        """What is wrong with the field, without its name."""
        return self.message.removeprefix(str(self.place)).lstrip(": ")


class AnswerCutOff(AnswerRejected):
    """The room of an answer was up before it was whole."""

    advice = "Answers get more room by MOOT_LLM_MAX_TOKENS."


class AnswerRefused(AnswerRejected):
    """A model, or a filter before it, does not want to answer."""

    advice = "Ask another model, or take out of the text what this one refuses to read."


class ModelNotReady(NotAllowedNow):
    """A model that a debate needs does not answer, so the debate is not started."""

    code = "model_not_ready"


class NotYourTurn(NotAllowedNow):
    """Somebody speaks from whom nothing is awaited now."""

    code = "not_your_turn"


class TurnTaken(NotAllowedNow):
    """Other words were said in this turn already; they stay."""

    code = "turn_taken"


class TooLate(NotAllowedNow):
    """The time for a turn was up; it is forfeited."""

    code = "too_late"


class BallotGiven(NotAllowedNow):
    """Another ballot was given in this round already; it stays."""

    code = "ballot_given"


class Superseded(Exception):
    """Another worker has claimed this thread since; what this one holds is no longer wanted."""


class Stuck(Exception):
    """Something can neither go on nor end, because that cannot be written down; soon it would be no different."""
