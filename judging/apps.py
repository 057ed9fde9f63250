"""The verdict: providers, prompts, formats, and the conductor that plays debates."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        """Let the queue know its jobs, the stream its words, and the ledger's proof what only judging can prove."""
        from judging import fact_proof, jobs, proof, sealed, table_proof, words  # noqa: F401, PLC0415 -- importing registers the tasks; the registry must be ready
        from scoring import verify  # noqa: PLC0415 -- as above

        words.register()
        sealed.register()
        verify.also(fact_proof.faults)
        verify.also(proof.of_readings)
        verify.also(table_proof.faults)
