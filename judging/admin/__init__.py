"""Judging in the admin: what was ruled, what was asked and what it cost, and the jobs that wait."""

from judging.admin import calls, jobs, rulings

__all__ = ["calls", "jobs", "rulings"]
