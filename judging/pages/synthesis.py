"""The arbiter's last words about a debate."""

from __future__ import annotations

from debates.models import Debate
from judging.models import Synthesis


def newest(*, debate: Debate) -> Synthesis | None:
    """Return the newest synthesis of a debate with its turn and who wrote it."""
    return Synthesis.objects.filter(debate=debate).select_related("turn__participant").last()
