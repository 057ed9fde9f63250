"""Judging in the admin: debates and reviews to act on; what was ruled, asked and paid for; the jobs that wait."""

from judging.admin import calls, conduct, explained, jobs, reviews, rulings

__all__ = ["calls", "conduct", "explained", "jobs", "reviews", "rulings"]
