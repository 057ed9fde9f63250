"""What a request has and its serializer has not, and values of another type: refused, at any depth, not ignored."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.views import APIView

from debates.api.fields import AS_TEXT, GivenNumber

LONGEST = 80
WRONG_TYPE = "wrong_type"
TYPES: Sequence[tuple[type[serializers.Field[Any, Any, Any, Any]], type, str]] = (
    (serializers.BooleanField, bool, "It must be true or false, without quotation marks."),
    (serializers.IntegerField, int, "It must be a whole number, without quotation marks."),
    (serializers.CharField, str, "It must be text, in quotation marks."),
    (serializers.UUIDField, str, "It must be text, in quotation marks."),
    (GivenNumber, str, AS_TEXT),
)
"""The framework turns "1" into 1, 1 into "1" and "yes" into true; who sends another type than is described is told."""
WRITTEN: Sequence[tuple[type[serializers.Field[Any, Any, Any, Any]], re.Pattern[str], str]] = (
    (serializers.BooleanField, re.compile("true|false"), "It must be true or false."),
    (serializers.IntegerField, re.compile("-?[0-9]+"), "It must be a whole number, in digits."),
)
"""The same in an address, where everything is text."""


class NothingSerializer(serializers.Serializer[Any]):
    """No parameters, no body."""


class BadParameter(ValidationError):
    """What is wrong with parameters of an address: faults by their names, of which there are no places inside."""


class StrictMixin(APIView):
    """Reads the parameters of the address by ``Query`` and the body by ``Input``, both serializers."""

    Query: ClassVar[Any] = NothingSerializer
    Input: ClassVar[Any] = NothingSerializer
    query: Mapping[str, Any]

    def read_query(self) -> dict[str, Any]:
        """Return the parameters of the address, checked; one that is not known is refused rather than ignored.

        A POST knows none, also where a list is read at its address. Only a list may come more than once: of anything
        else nobody could say which value counts.
        """
        shape = NothingSerializer if self.request.method == "POST" else self.Query
        known = shape().fields
        written: dict[str, str | list[str]] = {}
        for name, values in self.request.query_params.lists():  # not a QueryDict, which the framework takes for a form
            if name not in known:
                raise BadParameter({name[:LONGEST]: [unknown("parameter", known)]}, code="unknown_parameter")
            if isinstance(known[name], serializers.ListField):
                written[name] = values
            elif len(values) > 1:
                raise BadParameter({name: ["It may be given once only."]}, code="repeated_parameter")
            else:
                written[name] = values[0]
        query = shape(data=written)
        refuse_other_spellings(query, written)
        if not query.is_valid():
            raise BadParameter(query.errors)
        return dict(query.validated_data)

    def read_body(self) -> dict[str, Any]:
        """Return the body, checked; a field that is not known is refused at any depth."""
        data = self.request.data
        if not isinstance(data, dict):
            raise ValidationError("The body must be a JSON object.")
        body = self.input_class(data)(data=data, context={"request": self.request})
        refuse(body, data)
        refuse_other_types(body, data)
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def input_class(self, data: Mapping[str, Any]) -> Any:
        return self.Input


def refuse(body: serializers.Serializer[Any], data: Mapping[str, Any]) -> None:
    """Refuse a body with a field that its shape does not know.

    Raises: ``ValidationError`` with the place of the first, and what is known there.
    """
    for place, known in strange_in(body, data):
        raise ValidationError(nested([(place, unknown("field", known))]), code="unknown_field")


def unknown(what: str, known: Iterable[str]) -> str:
    """Say that there is no such parameter or field, and which there are."""
    names = ", ".join(known)
    return (
        f"There is no such {what}; known here are {names}."
        if names
        else f"There is no such {what}; none is known here."
    )


def refuse_other_types(body: serializers.Serializer[Any], data: Mapping[str, Any]) -> None:
    """Refuse a body whose values have other types than its shape says.

    Raises: ``ValidationError`` with the place of each.
    """
    faults = list(mistyped_in(body, data))
    if faults:
        raise ValidationError(nested(faults), code=WRONG_TYPE)


def nested(faults: Iterable[tuple[tuple[str, ...], str]]) -> dict[str, Any]:
    """Return faults, each with its place, as the framework tells those that it finds itself."""
    detail: dict[str, Any] = {}
    for place, sentence in faults:
        within = detail
        for name in place[:-1]:
            within = within.setdefault(name, {})
        within[place[-1]] = [sentence]
    return detail


def refuse_other_spellings(query: serializers.Serializer[Any], data: Mapping[str, Any]) -> None:
    """Refuse parameters that are written in another way than the schema says, such as 1.0 or yes.

    Raises: ``BadParameter`` with the name of each.
    """
    faults = {}
    for field, place, value in walk(query, data):
        for kind, form, sentence in WRITTEN:
            if isinstance(field, kind) and isinstance(value, str) and not form.fullmatch(value):
                faults[place[0]] = [ErrorDetail(sentence, code=WRONG_TYPE)]
    if faults:
        raise BadParameter(faults)


def mistyped_in(shape: Any, data: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the place of each value that has another type than its field, and what it must be; nothing is any's."""
    for field, place, value in walk(shape, data):
        if isinstance(field, serializers.ChoiceField):
            if value is not None and type(value) not in {type(choice) for choice in field.choices}:
                yield place, f"It must be one of {', '.join(map(json.dumps, field.choices))}."
            continue
        for kind, type_, sentence in TYPES:
            if isinstance(field, kind) and value is not None and type(value) is not type_:
                yield place, sentence


def strange_in(shape: Any, data: Any) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
    """Yield the place of each field that is not known, and the fields that are known there."""
    for field, place, value in walk(shape, data):
        if isinstance(field, serializers.Serializer) and isinstance(value, Mapping):
            known = list(field.fields)
            yield from (((*place, name[:LONGEST]), known) for name in sorted(set(value) - set(known)))


def walk(shape: Any, data: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[Any, tuple[str, ...], Any]]:
    """Yield each field of a shape that a body has a value for, with its place and the value.

    What has another form than its shape, or comes after as many rows as a list may have, is refused anyway.
    """
    yield shape, place, data
    parts: list[tuple[Any, str, Any]] = []
    if isinstance(shape, serializers.Serializer) and isinstance(data, Mapping):
        parts = [(field, name, data[name]) for name, field in shape.fields.items() if name in data]
    elif isinstance(shape, serializers.DictField) and isinstance(data, Mapping):
        parts = [(shape.child, str(name)[:LONGEST], value) for name, value in data.items()]
    elif isinstance(shape, serializers.ListSerializer | serializers.ListField) and isinstance(data, list):
        parts = [
            (shape.child, str(number), value) for number, value in enumerate(data[: getattr(shape, "max_length", None)])
        ]
    for field, name, value in parts:
        yield from walk(field, value, (*place, name))
