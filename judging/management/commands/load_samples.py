"""``manage.py load_samples``: the rubrics and subjects that Moot ships, and the first debates about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from debates.models import Debate
from debates.types import Status
from judging.management.commands.run_debate import title_of, words_of
from judging.services import control, creation
from judging.spec import LONGEST_SUBJECT, CriterionSpec
from scoring import rubrics
from scoring.models import Rubric


class Command(BaseCommand):
    help = (
        "Store the shipped rubrics that are missing, and start a debate about each shipped subject that has none yet."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        samples = Path(settings.BASE_DIR) / "samples"
        for file in sorted((samples / "rubrics").glob("*.json")):
            snapshot = rubrics.read(file.read_text(encoding="utf-8"))
            if not Rubric.objects.filter(slug=snapshot["slug"]).exists():
                rubrics.store(snapshot=snapshot)
        venture = rubrics.snapshot(slug="venture")
        for file in sorted(samples.glob("*.md")):
            text = words_of(str(file), what="subject", longest=LONGEST_SUBJECT)
            title = title_of(text, path=str(file))
            known = Debate.objects.filter(title=title)
            if known.exclude(status=Status.DRAFT.value, created_by=None).exists():
                continue
            # A draft of nobody's is what a load left that was ended between the two steps.
            debate = known.first() or creation.create(
                spec=CriterionSpec(title=title, subject=text, rubric=venture), by=None, now=timezone.now()
            )
            control.start(debate_id=debate.pk, by=None, now=timezone.now())
            self.stdout.write(f"Started: {title}")
