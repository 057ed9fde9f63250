"""Judging in the admin: debates and reviews to act on; what was ruled, asked and paid for; the jobs that wait."""

from judging.admin import appeals, calls, cases, debate_actions, panels, reviews
from judging.formats.criterion import admin as criterion_admin
from judging.formats.open import admin as open_admin

__all__ = ["appeals", "calls", "cases", "criterion_admin", "debate_actions", "open_admin", "panels", "reviews"]
