"""No text makes a search of ours slow: whoever reads what others wrote takes a time that follows its length."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from decimal import Decimal

import pytest

from debates import problems
from debates.api import exporting, once, strange, versions
from debates.errors import DomainError
from debates.live import entry, reader
from judging import parsing, spec
from judging.errors import AnswerRejected
from judging.heuristics import fairness
from judging.heuristics import text as prose
from judging.heuristics.bench import units
from judging.heuristics.chairs import lines
from judging.heuristics.fairness import clauses
from judging.panels import criteria, markdown, points, sections
from judging.providers import redaction
from judging.rules import effects, injection, quotes
from judging.scene import Position, Scene, Utterance
from judging.services.erasing import steps
from judging.tables import blinding, transcripts
from scoring.api import reading
from tests.project import tree

SMALL, LARGE = 1_000, 8_000


def heard(text: str) -> Scene:
    """A response with the text in it, to an opponent who said it, too."""
    chairs = tuple(Position(name, "", Decimal(0), Decimal("0.5")) for name in ("Mira Holm", "Konrad Will"))
    said = (Utterance("Mira Holm", "opening", f"Wells are measured. {text}"),)
    return Scene(
        motion="Wells", chairs=chairs, speaker="Konrad Will", said=said, response=f"Mira says {text}", exchange=1
    )


OWN = "As Mira says, the district measures its wells."
LABELS = blinding.Labels(("Mira   Holm", "\u200b \u200bK\u200b\u200b\u200b\u200bonrad"), ("Speaker A", "Speaker B"))
READERS: dict[str, Callable[[str], object]] = {
    "judging/heuristics/bench/units.py": units.units.__wrapped__,
    "judging/heuristics/chairs/lines.py": lines.MARKS.findall,
    "judging/heuristics/fairness/clauses.py": lambda text: (clauses.unquoted(text), list(clauses.assertions(text))),
    "judging/heuristics/fairness/quoting.py": lambda text: fairness.evaluate(heard(text)),
    "judging/heuristics/text.py": prose.sentences.__wrapped__,
    "judging/panels/criteria.py": criteria.typed,
    "judging/panels/markdown.py": lambda text: markdown.file_name(title=text, date="2026-11-21", part="1"),
    "judging/panels/sections.py": sections.line,
    "judging/parsing.py": parsing.answer_of,
    "judging/rules/effects.py": lambda text: effects.from_words(text=text),
    "judging/rules/injection.py": injection.find,
    "judging/rules/quotes.py": lambda text: quotes.located(quote=text, within=quotes.source(text[1:] + OWN)),
    "judging/spec.py": spec.HALVES.search,
    "judging/tables/blinding.py": lambda text: (
        LABELS.hide(text),
        LABELS.restore(text),
        LABELS.quoted(f"As Speaker A says {text[:300]} ", within=text + OWN),
        LABELS.quoted(OWN, within=text),
    ),
    "judging/tables/transcripts.py": transcripts.read,
    "debates/api/exporting.py": exporting.safe,
    "debates/api/once.py": once.FORM.fullmatch,
    "debates/api/strange.py": lambda text: [pattern.fullmatch(text) for _, pattern, _ in strange.WRITTEN],
    "debates/api/versions.py": versions.TAG.fullmatch,
    "debates/live/entry.py": entry.number,
    "debates/live/reader.py": reader.epoch_of,
    "judging/panels/points.py": lambda text: (points.words(text), points.quotes(text)),
    "judging/providers/redaction.py": lambda text: redaction.without_keys(text, keys=["aA1 . a- a"]),
    "judging/services/erasing/steps.py": steps.UUID.findall,
    "scoring/api/reading.py": reading.ENTRY_ID.fullmatch,
    "debates/problems.py": problems.GIVEN.fullmatch,
}
"""Every module of ours with a pattern that sees what others wrote, and what reads with it."""
OUR_OWN_WORDS = {
    "config/embedded/restore.py": "what pg_restore lists",
    "debates/catalogue/page.py": "our docstrings",
    "judging/api/documents.py": "our schemas",
    "scoring/types.py": "at most 40 characters, see test_numbers",
}
PIECES = [
    "a", "A", " ", "\n", "\t\n", "\u2009", "1", "1.", "1,", ".", "... ", "[ ", "( \u2026 ", "-", "- ", "_", "# ", "*",
    "`", "```\n", '"', "\u201c", "\u201c\u201d", '"a measured well, but ', "'", "a'", "a: ", "aA1_ .", "{", "[",
    '{"a":', '{"a": 1} ', "\\", "<", "|", "\u200b", "\u0301", "\ud800", "Mira", "Mira ", "Mira  ", "Mira \u200b",
    "K\u200b", "K\u00ad\u200b", "Speaker ", "Speaker A", "no ", ", and ", "!?", "?\u201d)", "    def a(", "a-b ",
    "a:1,", "token", "except: ", "\u20ac1,", "})",
    ";", "; =", ';"',
]  # fmt: skip
"""What bad patterns are slow on: the same again and again, and what almost matches."""


@pytest.mark.parametrize("module", READERS)
def test_eight_times_the_text_takes_no_more_than_a_few_times_eight_as_long(module):
    slow = [piece for piece in PIECES if not any(is_linear(READERS[module], piece) for _ in range(3))]

    assert slow == []


def is_linear(read: Callable[[str], object], piece: str) -> bool:
    small, large = (sum(took(read, (piece * size)[:size] + end) for end in ("", "!")) for size in (SMALL, LARGE))
    return large < 24 * small + 0.01


def took(read: Callable[[str], object], text: str) -> float:
    """Seconds of this process."""
    began = time.process_time()
    with contextlib.suppress(AnswerRejected, DomainError, entry.Refused):
        read(text)
    return time.process_time() - began


def test_no_module_with_patterns_is_forgotten():
    importing = {file for file in tree.code() if re.search(r"^import re$", tree.text(file), re.MULTILINE)}

    named = {str(file.relative_to(tree.ROOT)) for file in importing if "migrations" not in file.parts}
    assert named == {*READERS, *OUR_OWN_WORDS}
