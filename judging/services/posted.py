"""A round that was played elsewhere, as its client sends it: its parts, and reading them like any judge's answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from debates.errors import Invalid
from debates.types import Role
from judging import parsing
from judging.board import Ask, Board, Brief
from judging.formats import play_of
from judging.formats.criterion.reading import options_of
from judging.spec import OPTIONAL_PERSONAS, PERSONAS
from judging.types import Purpose

EVERY_PERSONA = (*PERSONAS, *OPTIONAL_PERSONAS)
Rows = Sequence[Mapping[str, Any]]
ROLES: Mapping[Purpose, Role] = {
    Purpose.CHALLENGE: Role.CHALLENGER, Purpose.PRESS: Role.CHALLENGER, Purpose.DEFEND: Role.EVALUATOR,
    Purpose.JUDGE: Role.ARBITER,
}  # fmt: skip
NAMES: Mapping[Purpose, str] = {
    Purpose.CHALLENGE: "challenges", Purpose.PRESS: "presses", Purpose.DEFEND: "defences", Purpose.JUDGE: "verdicts",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Posted:
    """One round of one thread, as its client sends it.

    Shape: challenges of round 1 are named C1, C2, ... in the order they come in; presses, defences and verdicts name
    theirs as ``challenge``. Numbers are text.
    Source: docs/how-to/play-elsewhere.md.
    """

    number: int
    challenges: Rows = ()
    presses: Rows = ()
    defences: Rows = ()
    verdicts: Rows = ()


def parts_of(*, posted: Posted) -> list[tuple[Purpose, Rows]]:
    """Return what was done in a round, in order.

    Raises: ``Invalid`` for challenges after round 1 and for presses in it, and for answers without verdicts.
    """
    first = posted.number == 1
    if (posted.presses and first) or (posted.challenges and not first):
        raise Invalid("challenges are raised in round 1; in later rounds presses press them further.")
    if bool(posted.defences) != bool(posted.verdicts):
        raise Invalid("verdicts must rule on every defence, and on nothing else.")
    parts = [
        (Purpose.CHALLENGE if first else Purpose.PRESS, posted.challenges if first else posted.presses),
        (Purpose.DEFEND, posted.defences),
        (Purpose.JUDGE, posted.verdicts),
    ]
    return [(purpose, rows) for purpose, rows in parts if rows]


def read(*, brief: Brief, board: Board, purpose: Purpose, rows: Rows) -> Any:
    """Return a part of a round as values, by the parser that reads every judge.

    Challenges keep the order they came in, because their client has named them by it already.

    Raises: ``AnswerRejected``; ``Invalid`` for more challenges than the debate puts.
    """
    ask = Ask(purpose, ROLES[purpose])
    if purpose is not Purpose.CHALLENGE:
        text = json.dumps({NAMES[purpose]: list(rows)})
        return play_of(brief.format).read(brief=brief, board=board, ask=ask, text=text)
    most = options_of(brief).challenges_per_criterion
    if len(rows) > most:
        raise Invalid(f"challenges: this debate puts at most {most}; got {len(rows)}.")
    texts = (json.dumps({"challenges": [row]}) for row in rows)
    return tuple(parsing.challenges(text, keep=1, personas=EVERY_PERSONA)[0] for text in texts)
