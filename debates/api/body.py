"""Reading the body of a request: JSON of a sensible depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

DEEPEST = 50
TOO_DEEP = f"The body is nested too deeply: at most {DEEPEST} levels."


class Body(JSONParser):
    """JSON, nested no deeper than anything here is: what is deeper would break whoever walks through it."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return what a body holds.

        Raises: ``ParseError``.
        """
        try:
            found = super().parse(stream, media_type, dict(parser_context or {}))
        except RecursionError as error:
            raise ParseError(TOO_DEEP) from error
        if deeper_than(found, DEEPEST):
            raise ParseError(TOO_DEEP)
        return found


def deeper_than(value: Any, limit: int) -> bool:
    """Say whether lists and objects are nested more than ``limit`` deep, without walking down by recursion."""
    level = [value]
    for _ in range(limit + 1):
        level = [inner for one in level for inner in inside(one)]
        if not level:
            return False
    return True


def inside(value: Any) -> list[Any]:
    """Return what a list or an object holds."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
