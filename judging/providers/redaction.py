"""Taking keys out of what an endpoint says, before anything of it is kept, shown or logged. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterator

REMOVED = "[key removed]"
SHORTEST = 8
"""Characters of a key that is a secret; a shorter one is a word, such as local endpoints are given for a key."""
PART = 12
"""Characters of a longer key that are taken out where they come without the rest: cut off, or with stars behind."""
ENCODED = re.compile(
    r"\\u00(?P<json>[0-9a-f]{2})|%(?P<url>[0-9a-f]{2})|&#x(?P<hex>[0-9a-f]{2});|&#(?P<decimal>[0-9]{2,3});|\\(?P<bare>[/\"])",
    re.IGNORECASE,
)


def without_keys(text: str, *, keys: Collection[str]) -> str:
    """Return a text in which nothing of a key is left: as it is, in JSON, URL and HTML escapes, in base64.

    Source: docs/reference/providers.md#keys
    """
    parts = [part for key in keys if len(key) >= SHORTEST for part in parts_of(key)]
    if not parts or not text:
        return text
    characters, places = decoded(text)
    taken = sorted(
        (places[at][0], places[at + len(part) - 1][1]) for part in set(parts) for at in places_of(part, characters)
    )
    kept: list[str] = []
    after = 0
    for start, end in taken:
        if start > after or not kept:
            kept += [text[after:start], REMOVED]
        after = max(after, end)
    return "".join([*kept, text[after:]])


def parts_of(key: str) -> Iterator[str]:
    """Yield every run of a key, and of its base64 at each place in another text, that gives it away."""
    raw = key.encode()
    packed = [base64.b64encode(b" " * shift + raw).decode()[4 if shift else 0 : -4] for shift in range(3)]
    for form in (key, *packed, *(text.translate(str.maketrans("+/", "-_")) for text in packed)):
        if len(form) >= SHORTEST:
            yield from (form[at : at + PART] for at in range(max(1, len(form) - PART + 1)))


def decoded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text with escapes taken back, and where each of its characters stands."""
    characters: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        match = ENCODED.match(text, at)
        end = match.end() if match else at + 1
        characters.append(character_of(match) if match else text[at])
        places.append((at, end))
        at = end
    return "".join(characters), places


def character_of(match: re.Match[str]) -> str:
    name = match.lastgroup or ""
    text = match[name]
    return text if name == "bare" else chr(int(text, 10 if name == "decimal" else 16))


def places_of(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
