"""The shape of every answer is strict: exactly the named fields, each required, all the way down."""

import pytest

from judging.rules import schemas
from judging.types import Purpose


def objects(schema):
    if schema.get("type") == "object":
        yield schema
    for below in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from objects(below)


@pytest.mark.parametrize("purpose", Purpose)
def test_an_answer_has_exactly_the_fields_of_its_shape(purpose):
    found = list(objects(schemas.of(purpose)))

    assert found
    for shape in found:
        assert shape["additionalProperties"] is False
        assert shape["required"] == list(shape["properties"])
