"""Fairness options on the command line, and what they add to what a debate costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from judging.rules.fairness import Fairness


def add_arguments(parser: CommandParser) -> None:
    group = parser.add_argument_group("fairness")
    group.add_argument("--swap", action="store_true", help="have everything judged in both orders, and use the mean")
    group.add_argument("--blind-names", action="store_true", help="show judges labels instead of names")
    group.add_argument("--repeats", type=int, default=1, help="1, 3 or 5 judgements in each order; the median counts")


def of(options: Mapping[str, Any]) -> Fairness:
    """Return the fairness options that the command line asks for.

    Raises: ``OutOfRange``, by name.
    """
    return Fairness.from_options({name: options[name] for name in ("swap", "blind_names", "repeats")})
