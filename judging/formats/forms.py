"""What can be asked for of every format, by the API and on the command line: fairness, limits."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandParser
from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber
from judging.formats.spec import Limits
from judging.rules.fairness import REPEATS, Fairness
from scoring.rules.numbers import decimal_of

# Fields that the forms of several formats have: what can be asked for when a debate is created by the API.


# Fairness options of a debate as they are asked for, and what they add to its cost.


class OptionsSerializer(serializers.Serializer[Any]):
    """What a debate does against the moods of its judges."""

    swap = serializers.BooleanField(required=False, help_text="Judge everything in both orders; the mean counts.")
    blind_names = serializers.BooleanField(required=False, help_text="Show judges labels instead of names.")
    repeats = Choice(choices=list(REPEATS), required=False, help_text="Judgements in each order; the median counts.")


def fairness_of(given: Mapping[str, Any]) -> Fairness:
    """Return fairness options as a specification takes them.

    Raises: ``OutOfRange``, ``NotANumber``, by name.
    """
    return Fairness.from_options(dict(given))


# What requests for debates of every format have in common.


MOST_MONEY = Decimal(999_999)


class MostSpentSerializer(serializers.Serializer[Any]):
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


# Fairness options on the command line, and what they add to what a debate costs.


def add_fairness_arguments(parser: CommandParser) -> None:
    group = parser.add_argument_group("fairness")
    group.add_argument("--swap", action="store_true", help="have everything judged in both orders, and use the mean")
    group.add_argument("--blind-names", action="store_true", help="show judges labels instead of names")
    group.add_argument("--repeats", type=int, default=1, help="1, 3 or 5 judgements in each order; the median counts")


def fairness_from(options: Mapping[str, Any]) -> Fairness:
    """Return the fairness options that the command line asks for.

    Raises: ``OutOfRange``, by name.
    """
    return Fairness.from_options({name: options[name] for name in ("swap", "blind_names", "repeats")})
