"""Fields of documents: exact numbers as text, choices, moments."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NoReturn

from django.utils.timezone import is_naive
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from debates import event_schemas
from debates.decimals import in_places

NUMBER = {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{2,6}$", "example": "6.50"}
WRITTEN = {"type": "string", "pattern": r"^[+-]?([0-9]{1,20}(\.[0-9]{1,20})?|\.[0-9]{1,20})$", "example": "6.5"}
AS_TEXT = 'Send the number as text, such as "6.5": a binary float is not exact.'
LONGEST = 42
MOST_VALUES = 50
LIMITS: Mapping[str, Mapping[str, Any]] = {
    "key": {"max_length": 40},
    "category": {"max_length": 60},
    "slug": {"max_length": 50},
    "round": {"min_value": 0, "max_value": 10**4},
    "run": {"min_value": 1, "max_value": 10**6},
}
"""What may be asked for by those filters that take any text or number."""


@extend_schema_field(NUMBER)
class Number(serializers.Field[Decimal, Any, str, Any]):
    """A number of the ledger, to be read."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)

    def to_representation(self, value: Decimal) -> str:
        return in_places(value)


@extend_schema_field(WRITTEN)
class GivenNumber(serializers.Field[str, Any, str, Any]):
    """A number that somebody sends: text, because a binary float is not exact. What it may be its service says."""

    default_error_messages = {"wrong_type": AS_TEXT, "max_length": f"A number has at most {LONGEST} characters."}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("wrong_type")
        if len(data) > LONGEST:
            self.fail("max_length")
        return data


class PublicId(serializers.UUIDField):
    """The public id of a row, where a list of rows is shown by their ids."""

    def to_representation(self, value: Any) -> str:
        return str(value.public_id)


def ids(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=PublicId(), read_only=True, **options)


class Choice(serializers.ChoiceField):
    """One of some words; what is none of them is told all. ``called`` is how people call them."""

    def __init__(self, choices: Any, *, called: Mapping[Any, str] = MappingProxyType({}), **options: Any) -> None:
        super().__init__(choices, **options)
        self.called = called

    default_error_messages = {"invalid_choice": '"{input}" is not a valid choice; it must be one of {choices}.'}

    def fail(self, key: str, **about: Any) -> NoReturn:
        choices = ", ".join(str(choice) for choice in self.choices if choice != "")
        super().fail(key, choices=choices, **about)


class Filled(serializers.BooleanField):
    """Whether a column holds something, of which the database is asked whether it is null."""

    def to_internal_value(self, data: Any) -> bool:
        return not super().to_internal_value(data)


class Moment(serializers.DateTimeField):
    """A moment that is sent, with its offset; in an address a plus sign that is not escaped arrives as a blank."""

    default_error_messages = {
        "invalid": "It must be a moment such as 2027-03-01T12:00:00Z; in an address the + of an offset is written %2B."
    }

    def enforce_timezone(self, value: datetime) -> datetime:
        """Refuse a time without an offset, and so a mere date: nobody could say of which place it is."""
        if is_naive(value):
            self.fail("invalid")
        return super().enforce_timezone(value)


def words(kind: type[StrEnum], **options: Any) -> Choice:
    """Return a field that holds one member of an enum."""
    return Choice(choices=[(member.value, member.name) for member in kind], **options)


def any_of(child: serializers.Field[Any, Any, Any, Any], **options: Any) -> serializers.ListField:
    """Return a filter that may be given several times: what has any of the values is left."""
    return serializers.ListField(child=child, required=False, min_length=1, max_length=MOST_VALUES, **options)


def filter_by(field: serializers.Field[Any, Any, Any, Any]) -> serializers.ListField:
    """Return the filter by a field that is shown: its source says what of a row it looks at."""
    name, source = str(field.field_name), str(field.source).replace(".", "__")
    child: serializers.Field[Any, Any, Any, Any]
    if isinstance(field, Choice):
        child = Choice(choices=list(field.choices.items()))
    else:
        child = type(field)(**LIMITS.get(name, {}))
    return any_of(child, **({} if source == name else {"source": source}))


def event_types(**options: Any) -> Choice:
    return Choice(choices=list(event_schemas.TYPES), **options)
