"""The verdict: providers, prompts, formats, and the conductor that plays debates."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
