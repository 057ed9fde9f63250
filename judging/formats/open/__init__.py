"""Debaters with stances and frameworks; adherence and persuasion, surrender, victory."""

from debates.types import Format

NAME = Format.OPEN.value
CALLED = "open debate"
"""What people call one of its debates, without an article."""
