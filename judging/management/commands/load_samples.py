"""``manage.py load_samples``: the rubrics that Moot ships, and a first debate of every sample, of each format some."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from debates.errors import DomainError, Invalid
from debates.management.base import BaseCommand
from debates.models import Debate, Participant
from debates.types import Status
from judging.engine import lifecycle
from judging.engine.creation import create_draft, requested
from judging.engine.selectors import was_erased
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.files import words_of
from judging.formats.open import transcripts
from judging.formats.registry import format_of
from judging.formats.shared_fields import SCRIPTED
from judging.formats.spec import LONGEST_SUBJECT, DebateSpec
from judging.management.commands.run_debate import request_in, title_of
from judging.types import OFFLINE
from scoring import bundled, rubrics

SAMPLES = UUID("2f0b6f0e-5a0b-4c53-9d7a-0d3f6b8f7a11")
"""In which the title of a sample gives its public id, at every site the same."""


def of_subject(file: Path) -> tuple[str, DebateSpec]:
    text = words_of(str(file), what="subject", longest=LONGEST_SUBJECT)
    title = title_of(text, path=str(file))
    return title, CriterionSpec(title=title, subject=text, rubric=rubrics.snapshot(slug="venture"))


def of_table(file: Path) -> tuple[str, DebateSpec]:
    spec = transcripts.read_sample(file.read_text(encoding="utf-8"))
    return spec.title, spec


def of_request(file: Path) -> tuple[str, DebateSpec]:
    """Read what the API is asked for, in the folder that has the name of the format."""
    format_ = format_of(file.parent.name)
    body = request_in(str(file), format_=format_.name)
    spec = requested(format_=format_, body=body, by=None)
    if not body.get("title"):
        raise Invalid("sample: title must be text.")
    return body["title"], spec


READERS: Mapping[str, Callable[[Path], tuple[str, DebateSpec]]] = {
    "*.md": of_subject,
    "open/*.json": of_table,
    "panel/*.json": of_request,
    "responses/*.json": of_request,
}
"""Which files are samples, and how each is read as its title and what is asked for."""


class Command(BaseCommand):
    help = "Store the shipped rubrics that are missing, and start each shipped debate that is not there yet."

    def handle(self, *_args: Any, **_options: Any) -> None:
        for file in bundled.files():
            self.store(file)
        samples = Path(settings.BASE_DIR) / "samples"
        for pattern, read in READERS.items():
            for file in sorted(samples.glob(pattern)):
                self.load(file, read)

    def load(self, file: Path, read: Callable[[Path], tuple[str, DebateSpec]]) -> None:
        """Start a sample; one that cannot be read, or is refused, stops no other."""
        try:
            title, spec = read(file)
        except Exception as refused:  # noqa: BLE001 -- whatever somebody's own file may make its reader stumble over
            self.left_out(file, refused)
            return
        try:
            self.start(title, spec)
        except DomainError as refused:
            self.left_out(file, refused)

    def store(self, file: Path) -> None:
        """Store a rubric that is missing; one that somebody wrote, and that cannot be read, stops no start."""
        try:
            bundled.store_missing(files=[file])
        except (Invalid, OSError) as refused:
            self.left_out(file, refused)

    def left_out(self, file: Path, refused: Exception) -> None:
        *_, why = str(refused).split(f": {file}", 1)  # it is named already
        self.stderr.write(f"{file} is left out: {why.removeprefix(':').strip()}")

    def start(self, title: str, spec: DebateSpec) -> None:
        """Start a sample, unless it was before: an erasure takes its title and leaves its address.

        A draft is somebody's plan, and says nothing.
        """
        address = uuid5(SAMPLES, title)
        known = Debate.objects.filter(Q(title=title) | Q(public_id=address))
        if any(row.status != Status.DRAFT.value or was_erased(row.pk) for row in known):
            return
        # A draft of nobody's is what a load left that was ended between the two steps, or could not start it; where it
        # asks a model and has an address of its own, it is what ``run_debate`` left, and to be paid for.
        asking = Participant.objects.exclude(provider__in=["", OFFLINE, SCRIPTED]).values("debate")
        left = known.filter(~Q(pk__in=asking) | Q(public_id=address), created_by=None).first()
        debate = left or create_draft(spec=spec, by=None, now=timezone.now(), public_id=address)
        lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
        self.stdout.write(f"Started: {title}")
