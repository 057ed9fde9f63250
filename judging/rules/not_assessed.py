"""What a judge answers instead of a number where it cannot judge: why, as a code and in words, and what helps. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Unable(StrEnum):
    """Why nothing is assessed; threads that end for it and results carry these codes."""

    LANGUAGE = "language_not_read"
    TOO_LITTLE = "too_little_text"
    CODE = "mostly_code"
    CRITERION = "criterion_not_judged"
    TASK = "task_not_understood"


def are_unable(codes: Collection[str]) -> bool:
    """Tell whether a debate, or all of its threads, ended for what a judge was unable to assess, and nothing else."""
    return bool(codes) and set(codes) <= set(Unable)


@dataclass(frozen=True, slots=True)
class NotAssessed:
    """One such answer; ``why`` is a sentence about this text or this criterion."""

    reason: Unable
    why: str

    @property
    def helps(self) -> str:
        return HELPS[self.reason]

    @property
    def answer(self) -> dict[str, object]:
        """Return it as a judge answers it."""
        return {"not_assessed": {"reason": self.reason.value, "why": self.why}}


WHY: Mapping[Unable, str] = {
    Unable.LANGUAGE: "The offline judge reads English, and this text is not in English.",
    Unable.TOO_LITTLE: "There is too little text to judge by.",
    Unable.CODE: "Most of it is code, and an offline evaluator reads prose.",
    Unable.CRITERION: "The offline judge has no way to judge this criterion.",
    Unable.TASK: "This asks whether a task was done; the offline judge does not understand tasks.",
}
"""What is said of a reason where the words about the single text are not there, or not any more."""

HELPS: Mapping[Unable, str] = {
    Unable.LANGUAGE: "A language model reads it, or a person judges it; or give the text in English.",
    Unable.TOO_LITTLE: "Give more of the text; a language model or a person may make do with less.",
    Unable.CODE: "A panel reads code; a language model or a person judges it too.",
    Unable.CRITERION: "A language model or a person judges it; or ask for something that a text can show.",
    Unable.TASK: "A language model or a person judges it.",
}
