"""Where words of people stand: which columns an erasure empties, and how a row leads to its debate and its voices."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from debates.models import Debate, Subject, Turn
from judging.formats.base import Words
from judging.formats.registry import FORMATS
from judging.models import Call
from scoring import signed
from scoring.models import Reason

ERASED = "[erased]"
"""What stands where a text cannot be empty: titles, motions, names."""


def spoken() -> Iterator[Words]:
    """Yield what was said, and what judges said about it. An answer of a provider may quote anybody."""
    yield Words(Turn, {"text": ""}, "debate", ("participant", "synthesis__debate__participants"))
    for format_ in FORMATS.values():
        yield from format_.words
    yield Words(Call, {"raw_answer": "", "problem": ""}, "debate", ("debate__participants",))


def reasons_in(debate_id: int) -> QuerySet[Reason]:
    """Return the reasons that people gave in a debate, with words in them still."""
    return Reason.objects.filter(signed.given_in(debate_id)).exclude(text="")


def reasons_of(user_id: int) -> QuerySet[Reason]:
    """Return the reasons that a person gave anywhere, with words in them still."""
    return Reason.objects.filter(signed.given_by(user_id)).exclude(text="")


def subjects_of(debate_id: int) -> QuerySet[Subject]:
    """Return the subject of a debate, unless another debate whose words still stand is about it, too."""
    others = Debate.objects.exclude(pk=debate_id).exclude(erasures__scope="debate")
    return (
        Subject.objects.filter(debates=debate_id)
        .exclude(pk__in=others.exclude(subject=None).values("subject"))
        .exclude(title="", text="")
    )
