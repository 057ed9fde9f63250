"""What a debate refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


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
        return ".".join(self.path)

    @property
    def path(self) -> tuple[str, ...]:
        """The names that lead to that field: one of them may have a dot in it."""
        field: Any = self.details.get("field") or ()
        return tuple(field.split(".") if isinstance(field, str) else field)


@contextmanager
def about(field: str, *inside: str) -> Iterator[None]:
    """Say of a refusal inside which field is at fault, unless it says so itself; of an option of it, which one.

    Shape: ``field`` has dots between names within each other; names further inside may be any.
    """
    try:
        yield
    except DomainError as refusal:
        names: Any = refusal.details.pop("option", ())
        refusal.details.setdefault("field", (*field.split("."), *inside, *names))
        raise


@contextmanager
def within(field: str) -> Iterator[None]:
    """Say of a refusal inside that the field which it says is at fault is a part of this one."""
    try:
        yield
    except DomainError as refusal:
        if refusal.path:
            refusal.details["field"] = (field, *refusal.path)
        raise


@contextmanager
def option(name: str) -> Iterator[None]:
    """Say of a refusal inside which option is at fault; of which field it is one, ``about`` says."""
    try:
        yield
    except DomainError as refusal:
        inner: Any = refusal.details.get("option", ())
        refusal.details["option"] = (name, *inner)
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
