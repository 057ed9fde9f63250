"""What a debate refuses."""

from collections.abc import Iterator
from contextlib import contextmanager


class DomainError(Exception):
    """A refusal that a caller can act on: ``code`` for programs, ``message`` for people."""

    code = "refused"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    @property
    def field(self) -> str:
        """The field of a request that is at fault, with dots between those within each other; empty where none is."""
        return str(self.details.get("field", ""))


@contextmanager
def about(field: str) -> Iterator[None]:
    """Say of a refusal inside which field is at fault, unless it says so itself."""
    try:
        yield
    except DomainError as refusal:
        refusal.details.setdefault("field", field)
        raise


class NotAllowedNow(DomainError):
    """The debate's status does not allow this."""

    code = "not_allowed_now"


class Invalid(DomainError):
    """A value is missing, malformed or outside its limits; the message names the field and what is allowed."""

    code = "invalid"


class NotPermitted(DomainError):
    """The person lacks the permission that the message names."""

    code = "not_permitted"


class ConflictOfInterest(NotPermitted):
    """Nobody moderates or judges where they have a part in the debate; organisers moderate where the site lets them."""

    code = "conflict_of_interest"


class NotFound(DomainError):
    """There is no such thing."""

    code = "not_found"
