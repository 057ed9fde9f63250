"""What requests for debates of every format have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from rest_framework import serializers

from debates.api.fields import GivenNumber
from debates.models import Debate
from judging.spec import Limits
from scoring.rules.numbers import decimal_of

MOST_MONEY = Decimal(999_999)


@dataclass(frozen=True, slots=True)
class Wish:
    """A debate that somebody wants: the checked body, who asks, and what they may read."""

    given: Mapping[str, Any]
    by: User
    readable: QuerySet[Debate]
    now: datetime


@dataclass(frozen=True, slots=True)
class Form:
    """How a debate of one format is asked for."""

    shape: type[serializers.Serializer[Any]]
    create: Callable[[Wish], Debate]
    example: Mapping[str, Any]


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
