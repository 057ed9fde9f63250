"""What a debate may cost, as a request says it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from debates.api.fields import GivenNumber
from judging.spec import Limits
from scoring.rules.numbers import decimal_of

MOST_MONEY = Decimal(999_999)


class MostSpent(serializers.Serializer[Any]):
    """What a debate may cost; nothing means without limit."""

    money = GivenNumber(required=False)
    tokens = serializers.IntegerField(required=False, min_value=1, max_value=10**12)
    calls = serializers.IntegerField(required=False, min_value=1, max_value=10**6)


def limits_of(given: Mapping[str, Any]) -> Limits:
    """Return what a debate may cost.

    Raises: ``Invalid``.
    """
    money = None
    if "money" in given:
        money = decimal_of(given["money"], name="limits: money", low=Decimal("0.000001"), high=MOST_MONEY, places=6)
    return Limits(money=money, tokens=given.get("tokens"), calls=given.get("calls"))
