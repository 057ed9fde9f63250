"""Open debates played in tests."""

from typing import Any

from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.open import spec
from judging.formats.open.spec import ChairSpec, TableSpec
from tests.playing import work

MOTION = "Hospitals should require every nurse to be vaccinated."
MIRA = ChairSpec("Mira", "utilitarian", "0.8", "0.7", "analytical")
KONRAD = ChairSpec("Konrad", "deontological", "-0.6", "0.8", "defensive")


def started(**wanted: Any) -> Debate:
    about = {"motion": MOTION, "chairs": (MIRA, KONRAD), **wanted}
    debate = create_draft(spec=TableSpec(**about), by=None, now=timezone.now())
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    return debate


def played(**wanted: Any) -> Debate:
    debate = started(**wanted)
    work()
    debate.refresh_from_db()
    return debate


def of_preset(key: str, **wanted: Any) -> Debate:
    return played(chairs=spec.from_preset(key), **wanted)
