"""Responses that are judged on their own, without a debate: one or a batch, each against a framework."""

from debates.types import Format

NAME = Format.RESPONSES.value
CALLED = "batch of responses"
"""What people call one of its debates, without an article."""
