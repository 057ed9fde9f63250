"""Evaluator against red team; an arbiter moves the scores of criteria."""

from debates.types import Format

NAME = Format.CRITERION.value
ARBITER = "Arbiter"
"""Who rules. Where that is no engine, another of ours writes the closing words."""
CALLED = "criterion debate"
"""What people call one of its debates, without an article."""
