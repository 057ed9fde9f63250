"""Reading the body of a request: JSON of a sensible depth, with every key once and every number exact."""

import codecs
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

from debates.rules import DEEPEST, RepeatedKey, deeper_than, unique_keys

TOO_DEEP = f"The body is nested too deeply: at most {DEEPEST} levels."
LONGEST_NUMBER = 40
"""Characters of a number, and the largest exponent: what is larger is no number of ours, and costs to work out."""


class KeyTwice(APIException):
    """An object of the body has one key twice."""

    status_code, default_code = 400, "repeated_key"


class Body(JSONParser):
    """JSON, nested no deeper than anything here is: what is deeper would break whoever walks through it."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return what a body holds.

        Raises: ``ParseError``, ``KeyTwice``.
        """
        encoding = (parser_context or {}).get("encoding", settings.DEFAULT_CHARSET)
        try:
            data = READER.decode(codecs.getreader(encoding)(stream).read())
        except RepeatedKey as error:
            raise KeyTwice(str(error)) from error
        except RecursionError as error:
            raise ParseError(TOO_DEEP) from error
        except (ValueError, LookupError) as error:  # LookupError: an encoding that there is not
            raise ParseError(f"The body is not JSON: {error}") from error
        if deeper_than(data, DEEPEST):
            raise ParseError(TOO_DEEP)
        return data


def number_of(text: str) -> int | float:
    """Return a number as JSON Schema counts it: 1.0 and 1e2 are integers.

    Raises: ``ValueError`` for a number that is too long or too large.
    """
    try:
        value = Decimal(text[: LONGEST_NUMBER + 1])
    except ArithmeticError as error:  # an exponent that not even a decimal can have
        raise ValueError(f"{text} is too large a number.") from error
    if len(text) > LONGEST_NUMBER or abs(value.adjusted()) > LONGEST_NUMBER:
        raise ValueError(f"{text[:LONGEST_NUMBER]} is too long or too large a number.")
    return int(value) if value == value.to_integral_value() else float(text)


def no_number(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads and JSON has not."""
    raise ValueError(f"{constant} is no number of JSON.")


READER = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_int=number_of, parse_float=number_of, parse_constant=no_number
)
