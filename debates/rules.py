"""Which status may follow which, who may read which events, what may stand in a JSON object, and what can be seen of a
text. Pure.
"""

import json
import re
from collections.abc import Container, Iterable, Mapping
from typing import Any

from debates.errors import Invalid
from debates.types import Audience, Format, Status, Visibility

S = Status
NEXT: Mapping[Status, frozenset[Status]] = {
    S.DRAFT: frozenset({S.SCHEDULED, S.RUNNING, S.CANCELLED}),
    S.SCHEDULED: frozenset({S.RUNNING, S.PAUSED, S.FAILED, S.CANCELLED}),
    S.RUNNING: frozenset({S.PAUSED, S.AWAITING_REVIEW, S.CONCLUDING, S.FAILED, S.CANCELLED}),
    S.PAUSED: frozenset({S.SCHEDULED, S.RUNNING, S.CONCLUDING, S.CANCELLED}),
    S.AWAITING_REVIEW: frozenset({S.PAUSED, S.CONCLUDING, S.CANCELLED}),
    S.CONCLUDING: frozenset({S.PAUSED, S.CONCLUDED, S.FAILED, S.CANCELLED}),
    S.CONCLUDED: frozenset({S.RUNNING}),
    S.FAILED: frozenset({S.CONCLUDING, S.RUNNING, S.CANCELLED}),
    S.CANCELLED: frozenset({S.RUNNING}),
}
"""An ended debate runs again only by a rerun; a FAILED one also concludes again when its synthesis is retried."""

IN_PLAY = frozenset({S.SCHEDULED, S.RUNNING, S.PAUSED, S.AWAITING_REVIEW, S.CONCLUDING})
OVER = frozenset({S.CONCLUDED, S.FAILED, S.CANCELLED})
PLAYED_AGAIN = frozenset({Format.CRITERION.value})
"""Formats of which an ended debate may be played again from its initial scores; of any other, a new one repeats it."""

READ_ALONE_FIRST = frozenset({Format.PANEL.value})
"""Formats in which who has judged nothing in the first round is asked for nothing any more."""


def over_for_good(*, format_: str, status: Status, started: bool) -> bool:
    """Say whether nobody will speak or judge in a debate any more; what never started is not played again either."""
    return status in OVER and not (started and format_ in PLAYED_AGAIN)


def may_follow(*, current: Status, proposed: Status) -> bool:
    """Say whether a debate may go from one status to another.

    Source: docs/reference/debates.md, "Statuses".
    """
    return proposed in NEXT[current]


SEES_DEBATES, SEES_DESK = "debates.view_debate", "scoring.view_alert"


def audiences(
    *, visibility: Visibility, concerned: bool, guest: bool = False, permissions: Container[str]
) -> frozenset[Audience]:
    """Return whose events of a debate somebody may read; none means that there is no such debate for them.

    Shape: ``concerned`` is who created the debate or has a part in it, ``guest`` who was let in to read; of
    ``permissions`` two count.
    Source: docs/reference/stream.md, "Who may follow what".
    """
    if visibility is Visibility.PRIVATE and not (concerned or guest or SEES_DEBATES in permissions):
        return frozenset()
    if SEES_DESK in permissions:
        return frozenset(Audience)
    return frozenset({Audience.PUBLIC, Audience.PARTICIPANTS} if concerned else {Audience.PUBLIC})


def shows_more(visibility: Visibility, *, than: str) -> bool:
    """Say whether more people may read what has one visibility than what has another; nothing limits nobody."""
    widest_first = list(Visibility)
    return than != "" and widest_first.index(visibility) < widest_first.index(Visibility(than))


class RepeatedKey(ValueError):
    """A JSON object has one key twice: readers would differ about which of the values counts."""


def unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return what a JSON object holds; the hook that ``json`` takes as ``object_pairs_hook``.

    Raises: ``RepeatedKey``.
    """
    held: dict[str, Any] = {}
    for name, value in pairs:
        if name in held:
            raise RepeatedKey(f"The key {name[:80]!r} stands twice in one object.")
        held[name] = value
    return held


def read_json(text: str, *, name: str, **numbers: Any) -> Any:
    """Return what a text holds as JSON; ``numbers`` are the hooks that ``json`` reads its numbers by.

    Raises: ``Invalid`` naming the text, also for a key that stands twice in an object.
    """
    try:
        return json.loads(text.lstrip("\ufeff"), object_pairs_hook=unique_keys, **numbers)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{name} is not JSON that can be read: {str(error).rstrip('.')}.") from error


DEEPEST = 50
"""How deep lists and objects may be nested in what is sent; the database keeps nothing 64 deep."""


def deeper_than(value: Any, limit: int) -> bool:
    """Say whether lists and objects are nested more than ``limit`` deep, without walking down by recursion."""
    level = [value]
    for _ in range(limit + 1):
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""What counts as printable and is drawn as nothing: fillers, variation selectors, the Braille blank."""


def is_visible(text: str) -> bool:
    """Say whether a text has a character that can be seen."""
    return any(letter.isprintable() and not letter.isspace() for letter in BLANKS.sub("", text))
