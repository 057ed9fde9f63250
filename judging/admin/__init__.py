"""Judging in the admin: debates and reviews to act on; what was ruled, asked and paid for; the jobs that wait."""

from judging.admin import calls, conduct, explained, jobs, panels, reviews, rulings, seats, tables

__all__ = ["calls", "conduct", "explained", "jobs", "panels", "reviews", "rulings", "seats", "tables"]
