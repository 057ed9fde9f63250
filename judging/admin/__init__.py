"""Judging in the admin: debates and reviews to act on; what was ruled, asked and paid for; the jobs that wait."""

from judging.admin import appeals, cases, debate_actions, judgements, reviews

__all__ = ["appeals", "cases", "debate_actions", "judgements", "reviews"]
