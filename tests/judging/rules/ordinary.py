"""Ordinary texts, which nobody should suspect: ``python -m tests.judging.rules.ordinary DATA`` counts the alarms.

``DATA`` has the files that ``benchmarks.judging.datasets`` names; without it, samples and docs alone are read.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.judging.datasets import ARGUMENTS, RECEPTIVE, table
from judging.heuristics.text import sentences
from judging.rules import injection

ROOT = Path(__file__).resolve().parents[3]
QUOTING = {"docs/reference/injection.md", "docs/how-to/play-elsewhere.md"}
"""Docs that quote attacks, or verdicts as programs write them, and are no ordinary text."""


def passages() -> Iterator[str]:
    """Yield the paragraphs and sentences of samples and docs."""
    for file in sorted([*ROOT.glob("samples/**/*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")]):
        if str(file.relative_to(ROOT)) not in QUOTING:
            yield from parts(*re.split(r"\n\s*\n", file.read_text(encoding="utf-8")))


def parts(*texts: str) -> Iterator[str]:
    for text in texts:
        yield text
        yield from (one.text for one in sentences(text))


def main(argv: list[str]) -> None:
    ordinary = list(passages())
    for directory, name in ((Path(data), name) for data in argv for name in (ARGUMENTS, RECEPTIVE)):
        ordinary.extend(parts(*(row["text"] for row in table(directory / name))))
    suspected = [text for text in ordinary if injection.find(text)]
    for text in suspected:
        print([(hit.sign.value, text[hit.start : hit.end]) for hit in injection.find(text)], text[:100])
    print(f"{len(suspected)} of {len(ordinary):,} ordinary texts are under suspicion")


if __name__ == "__main__":
    main(sys.argv[1:])
