"""The event: debates, participants, threads, rounds, turns, and the log of what happened."""

from django.apps import AppConfig


class DebatesConfig(AppConfig):
    name = "debates"
