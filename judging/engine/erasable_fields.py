"""Where words of people stand: which columns an erasure empties, and how a row leads to its debate and its voices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q, QuerySet

from debates.models import Debate, Subject, Turn
from judging.models import Call, Challenge, JudgeReport, ResponseEvaluation, Verdict
from scoring import signed
from scoring.models import Reason

ERASED = "[erased]"
"""What stands where a text cannot be empty: titles, motions, names."""


@dataclass(frozen=True, slots=True)
class Words:
    """Columns of one table that hold words.

    Shape: ``emptied`` is {column: what remains}; ``debate`` and ``voices`` are paths from a row to its debate, and to
    everybody who spoke the words or may be quoted in them.
    """

    model: type[Model]
    emptied: Mapping[str, Any]
    debate: str
    voices: tuple[str, ...]

    @property
    def called(self) -> str:
        """Return what people call these rows."""
        return str(self.model._meta.verbose_name_plural)  # noqa: SLF001 -- Django's public name

    def in_debate(self, debate_id: int) -> QuerySet[Any]:
        """Return the rows of a debate that still hold words."""
        return self._left(Q(**{self.debate: debate_id}))

    def of_voices(self, participants: Collection[int]) -> QuerySet[Any]:
        """Return the rows that these participants spoke, or that may quote them, and that still hold words."""
        found = Q()
        for path in self.voices:
            found |= Q(**{f"{path}__in": list(participants)})
        return self._left(found)

    def _left(self, wanted: Q) -> QuerySet[Any]:
        rows: QuerySet[Any] = self.model._default_manager.all()  # noqa: SLF001 -- Django's public name
        return rows.filter(pk__in=rows.filter(wanted).values("pk")).exclude(**self.emptied)


SPOKEN = (
    Words(Turn, {"text": ""}, "debate", ("participant", "synthesis__debate__participants")),
    Words(Challenge, {"quote": ""}, "thread__debate", ("turn__participant", "defences__turn__participant")),
    Words(
        Verdict,
        {"reasoning": ""},
        "round__thread__debate",
        ("challenge__turn__participant", "challenge__defences__turn__participant"),
    ),
    Words(ResponseEvaluation, {"grounds": ""}, "turn__debate", ("turn__debate__participants",)),
    Words(JudgeReport, {"body": ""}, "debate", ("debate__participants",)),
    Words(Call, {"raw_answer": "", "problem": ""}, "debate", ("debate__participants",)),
)
"""What was said, and what judges said about it. An answer of a provider may quote anybody."""


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
