"""No text makes a search of ours slow: whoever reads what others wrote takes a time that follows its length."""

import contextlib
import gc
import re
import time
from collections.abc import Callable
from decimal import Decimal

import pytest

from debates import printable, problems, rules, unsaved_text
from debates.api import etags, idempotency, unknown_fields
from debates.errors import DomainError
from debates.live import frames, handshake, reader
from judging.engine import erasure
from judging.errors import AnswerRejected
from judging.formats import parsing
from judging.formats import spec as debate_spec
from judging.formats.open import parsing as open_parsing
from judging.formats.open import prompts, transcripts
from judging.formats.panel import deliberation, documents, reports
from judging.formats.panel import spec as panel_spec
from judging.formats.responses import spec as responses_spec
from judging.heuristics import adherence, debaters, exchanges, motion, response, subjects
from judging.heuristics import text as prose
from judging.heuristics.evidence import passages
from judging.management.commands import record_bounce
from judging.pages import ballot_form
from judging.providers import endpoints, openai
from judging.rules import injection, options, persuasion, prompt_values, quotes, text_probes
from judging.rules.text_probes import Expected
from judging.templatetags import markdown
from judging.types import CriterionCard, Position, Scene, Utterance
from scoring import rubrics
from scoring.api import resources
from scoring.management.commands import verify_ledger
from tests.project import source_files

SMALL, LARGE = 1_000, 8_000


def heard(text: str) -> Scene:
    """A response with the text in it, to an opponent who said it, too."""
    chairs = tuple(Position(name, "", Decimal(0), Decimal("0.5")) for name in ("Mira Holm", "Konrad Will"))
    said = (Utterance("Mira Holm", "opening", f"Wells are measured. {text}"),)
    return Scene(
        motion="Wells", chairs=chairs, speaker="Konrad Will", said=said, response=f"Mira says {text}", exchange=1
    )


OWN = "As Mira says, the district measures its wells."
CARD = CriterionCard("A1", "Timing", "", "When is it done?", "There is a date.", "There is none.")
LABELS = prompts.Labels(("Mira   Holm", "\u200b \u200bK\u200b\u200b\u200b\u200bonrad"), ("Speaker A", "Speaker B"))
READERS: dict[str, Callable[[str], object]] = {
    "judging/heuristics/debaters.py": lambda text: (debaters.MARKS.findall(text), debaters.runs(text)),
    "judging/heuristics/motion.py": motion.read.__wrapped__,
    "judging/heuristics/response.py": lambda text: (
        (response.unquoted(text), list(response.assertions(text))),
        adherence.evaluate(heard(text)),
    ),
    "judging/heuristics/subjects.py": lambda text: (
        subjects.units.__wrapped__(text),
        subjects.unassessable_text.__wrapped__(text),
        subjects.unassessable_panel_subject.__wrapped__(text),
        subjects.unassessable_card.__wrapped__(CriterionCard("A1", text, "", text, text, text)),
    ),
    "judging/heuristics/evidence.py": passages.__wrapped__,
    "judging/heuristics/exchanges.py": lambda text: (
        exchanges.demand(text, CARD, ("time",)),
        [exchanges.cues(passage, kind) for passage in passages(text) for kind in (*exchanges.KINDS, "name", "source")],
    ),
    "judging/heuristics/text.py": prose.sentences.__wrapped__,
    "judging/formats/spec.py": debate_spec.field_in,
    "judging/management/commands/record_bounce.py": record_bounce.OURS.search,
    "judging/templatetags/markdown.py": lambda text: (
        (markdown.files(text, "code.py"), markdown.is_code(text)),
        markdown.blocks(text.replace("\ud800", "?"), 3),  # no row holds half a character
        markdown.line.__wrapped__(text.replace("\ud800", "?")),
    ),
    "judging/formats/panel/spec.py": panel_spec.typed,
    "judging/formats/responses/spec.py": lambda text: responses_spec.read(f"id,response\n{text}"),
    "judging/formats/panel/reports.py": lambda text: (
        reports.file_name(title=text, date="2026-11-21", part="1"),
        reports.line(text),
    ),
    "judging/formats/parsing.py": parsing.answer_of,
    "judging/rules/persuasion.py": lambda text: persuasion.from_words(text=text),
    "judging/rules/injection.py": injection.find,
    "judging/rules/prompt_values.py": lambda text: prompt_values.result({"said": text}),
    "judging/rules/text_probes.py": lambda text: [
        text_probes.altered(text, expected=expected) for expected in Expected
    ],
    "judging/providers/openai.py": lambda text: (openai.parameter_of(text, body=None), openai.UNSUPPORTED.search(text)),
    "judging/rules/quotes.py": lambda text: quotes.located(quote=text, within=quotes.source(text[1:] + OWN)),
    "judging/rules/options.py": options.HALVES.search,
    "judging/formats/open/parsing.py": open_parsing.WORD.findall,
    "judging/formats/open/prompts.py": lambda text: (
        LABELS.hide(text),
        LABELS.restore(text),
        LABELS.quoted(f"As Speaker A says {text[:300]} ", within=text + OWN),
        LABELS.quoted(OWN, within=text),
    ),
    "judging/formats/open/transcripts.py": transcripts.read,
    "debates/api/idempotency.py": idempotency.FORM.fullmatch,
    "debates/api/unknown_fields.py": lambda text: [pattern.fullmatch(text) for _, pattern, _ in unknown_fields.WRITTEN],
    "debates/api/etags.py": etags.TAG.fullmatch,
    "debates/live/frames.py": lambda text: frames.are_parts({text: 1}),
    "debates/live/handshake.py": handshake.number,
    "debates/live/reader.py": reader.epoch_of,
    "judging/formats/panel/deliberation.py": lambda text: deliberation.called(text, {"Judge A": "Judge 1"}),
    "judging/formats/panel/documents.py": lambda text: (documents.point_stems(text), documents.point_quotes(text)),
    "judging/providers/endpoints.py": lambda text: endpoints.without_keys(text, keys=["aA1 . a- a"]),
    "judging/engine/erasure.py": erasure.UUID.findall,
    "judging/pages/ballot_form.py": ballot_form.BLANK_LINE.split,
    "debates/unsaved_text.py": lambda text: unsaved_text.label_of(text, labels={}),
    "scoring/api/resources.py": resources.ENTRY_ID.fullmatch,
    "scoring/management/commands/verify_ledger.py": verify_ledger.NO_PUBLIC_ID.fullmatch,
    "scoring/rubrics.py": lambda text: rubrics.faults({"slug": text}),
    "debates/printable.py": lambda text: (
        printable.slug(text),
        printable.SECRET_IN_PATH.sub("", f"/seats/{text}"),
        printable.DETAIL.sub("", f"DETAIL: {text}"),
    ),
    "debates/problems.py": problems.GIVEN.fullmatch,
    "debates/rules.py": rules.is_visible,
}
"""Every module of ours with a pattern that sees what others wrote, and what reads with it."""
OUR_OWN_WORDS = {
    "config/embedded/dump.py": "what pg_restore lists",
    "debates/event_schemas/page.py": "our docstrings",
    "judging/api/resources.py": "our schemas",
    "scoring/types.py": "at most 40 characters, see test_numbers",
}
PIECES = [
    "a", "A", " ", "\n", "\t\n", "\u2009", "1", "1.", "1,", ".", "... ", "[ ", "( \u2026 ", "-", "- ", "_", "# ", "*",
    "`", "```\n", '"', "\u201c", "\u201c\u201d", '"a measured well, but ', "'", "a'", "a: ", "aA1_ .", "{", "[",
    '{"a":', '{"a": 1} ', "\\", "<", "|", "\u200b", "\u0301", "\ud800", "Mira", "Mira ", "Mira  ", "Mira \u200b",
    "K\u200b", "K\u00ad\u200b", "Speaker ", "Speaker A", "no ", ", and ", "!?", "?\u201d)", "    def a(", "a-b ",
    "a:1,", "token", "except: ", "\u20ac1,", "})",
    ";", "; =", ';"', "Judge A",
]  # fmt: skip
"""What bad patterns are slow on: the same again and again, and what almost matches."""


@pytest.mark.parametrize("module", READERS)
def test_eight_times_the_text_takes_no_more_than_a_few_times_eight_as_long(module):
    slow = [piece for piece in PIECES if not any(is_linear(READERS[module], piece) for _ in range(3))]

    assert slow == []


@pytest.mark.parametrize("piece", ["Ann: These are words.\n", "a\n"], ids=["one who goes on", "one who does not stop"])
def test_nor_does_a_long_file(piece):
    sizes = (60 * SMALL, 60 * LARGE)

    assert any(
        is_linear(lambda text: transcripts.read(f"Ann: Welcome to you all.\n{text}"), piece, sizes) for _ in "abc"
    )


@pytest.mark.parametrize(
    ("module", "text", "piece", "sizes"),
    [
        pytest.param("judging/heuristics/text.py", "Lakes.\n\n|{}", " ", (SMALL, LARGE), id="a row of a table"),
        pytest.param("judging/heuristics/subjects.py", "a{}\n" * 20, " ", (100, 800), id="lines of a program"),
        pytest.param(
            "judging/management/commands/record_bounce.py", "{}", f"<{'a' * 32}@", (9 * SMALL, 9 * LARGE), id="a mail"
        ),
    ],
)
def test_nor_does_what_is_begun_and_not_ended(module, text, piece, sizes):
    assert any(is_linear(lambda row: READERS[module](text.replace("{}", row)), piece, sizes) for _ in "abc")


def is_linear(read: Callable[[str], object], piece: str, sizes: tuple[int, int] = (SMALL, LARGE)) -> bool:
    small, large = (sum(took(read, (piece * size)[:size] + end) for end in ("", "!")) for size in sizes)
    return large < 24 * small + 0.01


def took(read: Callable[[str], object], text: str) -> float:
    """Seconds of this process, without the collector of garbage: it looks through whatever other tests left."""
    gc.disable()
    try:
        began = time.process_time()
        with contextlib.suppress(AnswerRejected, DomainError, handshake.RefusedStream):
            read(text)
        return time.process_time() - began
    finally:
        gc.enable()


def test_no_module_with_patterns_is_forgotten():
    importing = {
        file for file in source_files.code() if re.search(r"^import re$", source_files.text(file), re.MULTILINE)
    }

    named = {str(file.relative_to(source_files.ROOT)) for file in importing if "migrations" not in file.parts}
    assert named == {*READERS, *OUR_OWN_WORDS}
