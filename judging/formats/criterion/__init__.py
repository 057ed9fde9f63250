"""Evaluator against red team; an arbiter moves the scores of criteria."""

from debates.types import Format

NAME = Format.CRITERION.value
CALLED = "criterion debate"
"""What people call one of its debates, without an article."""
