"""``manage.py clear_judgements``: forget how responses were judged, so that the next alike is judged anew."""

from typing import Any

from debates.management.base import BaseCommand
from judging.engine import judgement_cache


class Command(BaseCommand):
    help = "Forgets every judgement of a response that is known. Scores and what they rest on stay as they are."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"Forgot {judgement_cache.clear()} judgements.")
