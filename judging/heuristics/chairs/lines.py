"""The sentences the chairs speak in: templates from the packaged lines, filled with what was found."""

from __future__ import annotations

import re
import zlib
from string import Template

from judging.heuristics import lexicons
from judging.heuristics.text import cut, squeezed

NAME_LIMIT = 40
QUOTE_LIMIT = 200
MARKS = re.compile('[\u201c\u201d"\u27e6\u27e7]')


def variants(key: str) -> tuple[str, ...]:
    """Return the templates of a key such as ``tell.analytical``."""
    found = lexicons.read("chairs")
    for step in key.split("."):
        found = found[step]
    return (found,) if isinstance(found, str) else tuple(found)


def line(key: str, *, seed: str = "", **values: str) -> str:
    """Return one template of a key, chosen by the seed alone, with its values put in."""
    choices = variants(key)
    return Template(choices[zlib.crc32(seed.encode("utf-8", "replace")) % len(choices)]).substitute(values)


def quoted(text: str, *, limit: int = QUOTE_LIMIT) -> str:
    """Return somebody's sentence in quotation marks, on one line, cut where it is long, as a sentence of its own."""
    plain = MARKS.sub("'", squeezed(text))
    short = cut(plain, limit=limit)
    bare = short.rstrip(" .,;:")
    if short != plain:
        return f"\u201c{bare} \u2026\u201d"
    return f"\u201c{bare}\u201d" if bare.endswith(("?", "!", "\u2026")) else f"\u201c{bare}.\u201d"


def called(name: str) -> str:
    """Return a name as it is spoken: on one line, and not too long."""
    return cut(squeezed(name), limit=NAME_LIMIT) or "somebody"


def lowered(sentence: str) -> str:
    """Return a phrase of ours so that it can stand inside a sentence."""
    return sentence.rstrip(".")
