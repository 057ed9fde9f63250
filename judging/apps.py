"""The verdict: providers, prompts, formats, and the conductor that plays debates."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        """Let the queue know its jobs, and the stream its words."""
        from judging import jobs, words  # noqa: F401, PLC0415 -- importing registers the tasks; the registry must be ready

        words.register()
