"""Numbers and results as prompts show them: two places, and no names from the code. Pure."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from debates.decimals import written

LONG_DECIMAL = re.compile(r"-?\d+\.\d{3,}")


def number(value: Decimal) -> str:
    """Write a decimal rounded half up to two places, without needless zeros."""
    return written(value, most=2)


RESULT_CHARACTERS = 24_000
"""How much is shown of what a debate came to: all of thirty criteria, speakers or improvements."""


def result(value: Mapping[str, Any]) -> str:
    """Return what a debate came to as JSON, with every decimal in at most two places."""
    return json.dumps(_shortened(value), ensure_ascii=False, default=str)


def _shortened(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _shortened(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(item) for item in value]
    if isinstance(value, Decimal):
        return number(value)
    if type(value) is str and LONG_DECIMAL.fullmatch(value):
        return number(Decimal(value))
    return value
