"""A program of its own: reads a PDF from standard input, and writes its words to standard output.

A PDF can be made to stop whoever reads it. So it is read apart from the site: without its secrets, for so many seconds,
in so much memory, and without a file or another process. Nothing of the project is imported here.
"""

import contextlib
import json
import resource
import sys
import time
from io import BytesIO
from typing import Any

MOST_BYTES = 10_000_000
MOST_PAGES = 400
MOST_CHARACTERS = 800_000
MOST_SECONDS = 20
MOST_MEMORY = 600_000_000
MOST_UNPACKED = 4_000_000
"""Bytes that a part of a PDF may unpack to: pages share parts, and the library's own limit is 75 million."""
LIMITS = {
    resource.RLIMIT_CPU: MOST_SECONDS + 5,
    resource.RLIMIT_AS: MOST_MEMORY,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_NPROC: 0,
}


def limit() -> None:
    """Give up what reading needs none of; a limit that this system does not know is left out."""
    for kind, most in LIMITS.items():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def answer_to(raw: bytes) -> dict[str, Any]:
    """Return what a PDF comes to.

    Shape: {"pages": [text]}, or {"refused": "locked" | "pages" | "slow" | "broken", "count": pages}.
    """
    from pypdf import PdfReader, apply_configuration  # noqa: PLC0415 -- in memory that is limited already

    try:
        with apply_configuration(zlib_maximum_output_length=MOST_UNPACKED):
            reader = PdfReader(BytesIO(raw))
            if reader.is_encrypted and not reader.decrypt(""):
                return {"refused": "locked"}
            if len(reader.pages) > MOST_PAGES:
                return {"refused": "pages", "count": len(reader.pages)}
            return words_of(reader)
    except Exception:  # noqa: BLE001 -- whatever a file may make the library stumble over
        return {"refused": "broken"}


def words_of(reader: Any) -> dict[str, Any]:
    pages: list[str] = []
    until = time.monotonic() + MOST_SECONDS
    for page in reader.pages:
        if time.monotonic() > until or sum(map(len, pages)) > MOST_CHARACTERS:
            return {"refused": "slow", "count": len(pages)}
        pages.append(page.extract_text())
    return {"pages": pages}


if __name__ == "__main__":
    limit()
    json.dump(answer_to(sys.stdin.buffer.read(MOST_BYTES + 1)), sys.stdout)
