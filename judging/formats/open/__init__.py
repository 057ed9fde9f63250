"""Debaters with stances and frameworks; adherence and persuasion, surrender, victory."""

from debates.types import Format

NAME = Format.OPEN.value
EVALUATOR, PERSUASION_JUDGE = "Evaluator", "Judge of persuasion"
"""Who judges from a seat how responses argue, and what they do to those who listen."""
CALLED = "open debate"
"""What people call one of its debates, without an article."""
