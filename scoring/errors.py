"""What the score refuses. Every refusal is a ``DomainError`` with a code for programs and a sentence for people."""

from debates.errors import ConflictOfInterest, DomainError, Invalid, NotAllowedNow, NotPermitted

__all__ = ["ConflictOfInterest", "DomainError", "Invalid", "NotPermitted"]
"""What is handed on from ``debates``; what is defined here needs no mention."""

CANNOT_VERIFY = 3
"""The exit status of verify_ledger where nothing could be verified, so that nobody takes it for an answer."""


class NotANumber(Invalid):
    """What was given is not a plain decimal number: words, nothing, NaN, infinity, an exponent, a boolean."""

    code = "not_a_number"


class NotExact(Invalid, TypeError):
    """A binary float came near a score. It is a ``TypeError`` for programs and a refusal for whoever sent it."""

    code = "not_exact"


class OutOfRange(Invalid):
    """A number is outside its limits or has too many places; the message names both."""

    code = "out_of_range"


class UnknownKey(Invalid):
    """A setting is missing, or there is no such setting; nothing is accepted that would have no effect."""

    code = "unknown_key"


class Frozen(NotAllowedNow):
    """The score is frozen: nothing moves it until it is unfrozen."""

    code = "frozen"


class NotFrozen(NotAllowedNow):
    """The score is not frozen, so there is nothing to unfreeze or to hold."""

    code = "not_frozen"


class Stale(DomainError):
    """Somebody changed the score, or the rubric, after the caller last looked."""

    code = "stale"


class NeedsSecondPerson(DomainError):
    """The override is so large that a second person has to approve it."""

    code = "needs_second_person"


class SamePerson(NotPermitted):
    """Whoever asks for an approval does not give it."""

    code = "same_person"


class ActedOnIt(NotPermitted):
    """Nobody decides an appeal against what they did themselves, or an appeal of their own."""

    code = "acted_on_it"


class AppealLate(NotAllowedNow):
    """The time to appeal is over."""

    code = "appeal_late"


class AppealedAlready(NotAllowedNow):
    """The same person has appealed against the same thing before."""

    code = "appealed_already"


class TooManyAppeals(NotAllowedNow):
    """So many appeals wait, or were filed in a day, that no further one is taken."""

    code = "too_many_appeals"


class BulkRefused(DomainError):
    """Nothing was done, because of these scores; ``details["refused"]`` names each with its code and why."""

    code = "bulk_refused"
