"""The verdict: providers, prompts, formats, and the conductor that plays debates."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        """Let the queue know its jobs, the stream its words and parts, the proof what only judging can prove."""
        from debates.live import parts  # noqa: PLC0415 -- the registry must be ready
        from judging.engine import tasks  # noqa: F401, PLC0415 -- importing registers the tasks; the registry must be ready
        from judging.engine import verify as engine_verify  # noqa: PLC0415 -- as above
        from judging.formats import registry, turns  # noqa: PLC0415 -- as above
        from scoring import verify  # noqa: PLC0415 -- as above

        turns.join_event_texts()
        parts.draw_by("judging.views.debate.OPEN_PAGES")
        engine_verify.register_sealed_tables()
        verify.also(engine_verify.unfounded_facts)
        verify.also(engine_verify.unequal_repeats)
        verify.also(registry.faults)
