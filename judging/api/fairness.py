"""Fairness options of a debate as they are asked for, and what they add to its cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from debates.api import shapes
from debates.api.fields import Choice, Number
from debates.models import Debate
from debates.types import Conduct
from judging import costs
from judging.rules.fairness import REPEATS, Fairness


class Options(serializers.Serializer[Any]):
    """What a debate does against the moods of its judges."""

    swap = serializers.BooleanField(required=False, help_text="Judge everything in both orders; the mean counts.")
    blind_names = serializers.BooleanField(required=False, help_text="Show judges labels instead of names.")
    repeats = Choice(choices=list(REPEATS), required=False, help_text="Judgements in each order; the median counts.")


class Cost(serializers.Serializer[Any]):
    """What a debate costs at most, and what its fairness options add to that.

    Tokens and money go by earlier calls of the same judge; null where there were none.
    """

    calls = serializers.IntegerField()
    extra_calls = serializers.IntegerField()
    extra_tokens = serializers.IntegerField(allow_null=True)
    extra_money = Number(allow_null=True)


class Created(shapes.Debate):
    """A new debate with what it will cost; null where it is conducted elsewhere."""

    cost = serializers.SerializerMethodField()

    @extend_schema_field(Cost(allow_null=True))
    def get_cost(self, row: Debate) -> Any:
        """Return what it will cost."""
        return Cost(costs.expected(debate=row)).data if row.conducted_by == Conduct.ENGINE.value else None


def fairness_of(given: Mapping[str, Any]) -> Fairness:
    """Return fairness options as a specification takes them.

    Raises: ``OutOfRange``, ``NotANumber``, by name.
    """
    return Fairness.from_options(dict(given))
