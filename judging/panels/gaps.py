"""What closed which disagreement of a panel, or who stayed where they were and why it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from judging.panels.deliberation import rows_of
from judging.panels.figures import Round
from judging.panels.record import Criterion, Minutes
from scoring.types import plain


def disagreements(minutes: Minutes, now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each disagreement of the independent analysis, with what closed it, or that it stands.

    Shape: the criteria that lie further apart than the policy allows; where the judges do not agree and none does,
    those with any spread.
    Source: docs/reference/panels.md#reports
    """
    if not minutes.rounds:
        return []
    first = minutes.rounds[0].found
    gaps = {one.code: Decimal(first["criterion_spreads"].get(one.code) or 0) for one in minutes.criteria}
    wide = {code for code, gap in gaps.items() if gap > _limit(minutes)}
    apart = wide or ({code for code, gap in gaps.items() if gap} if not first["agreed"] else set())
    return [_disagreement(minutes, one, now) for one in minutes.criteria if one.code in apart]


def _limit(minutes: Minutes) -> Decimal:
    return Decimal(minutes.about["policy"]["criterion_spread"])


def _closed(minutes: Minutes, *, gap: Decimal, left: Decimal, now: Mapping[str, Any]) -> bool:
    """Say whether a disagreement is closed: a wide one is within the limit, any other smaller and the overalls near."""
    if gap > _limit(minutes):
        return left <= _limit(minutes)
    near = Decimal(now["spread"] or 0) <= Decimal(minutes.about["policy"]["spread"])
    return left == 0 or (left < gap and near)


def _disagreement(minutes: Minutes, one: Criterion, now: Mapping[str, Any]) -> dict[str, Any]:
    first, last = minutes.rounds[0], minutes.rounds[-1]
    gap, left = first.found["criterion_spreads"][one.code], Decimal(now["criterion_spreads"].get(one.code) or 0)
    closed = _closed(minutes, gap=Decimal(gap), left=left, now=now)
    return {
        "criterion": one.code,
        "gap": gap,
        "between": _ends(one, first),
        "left": plain(left),
        "closed": closed,
        "struck": [name for name in last.sections if one.code in last.struck.get(name, ())],
        "held": [] if closed else _held(one, last),
        "moves": [
            {
                "round": played.number,
                "judge": name,
                "from": row["own_score"],
                "to": row["score"],
                "because": row["because"],
            }
            for played in minutes.rounds[1:]
            for name, section in played.sections.items()
            if section
            for row in rows_of(section)
            if row["criterion"] == one.code and row["score"] != row["own_score"]
        ],
    }


def _ends(one: Criterion, first: Round) -> list[str]:
    """Return who gave least and who gave most. Among several it is told by what they said, never by their seats."""
    given = {
        name: (Decimal(section["scores"][one.code]), Decimal(section["overall"]), json.dumps(section, sort_keys=True))
        for name, section in first.sections.items()
        if section
    }
    return [min(given, key=given.__getitem__), max(given, key=given.__getitem__)]


def _held(one: Criterion, last: Round) -> list[dict[str, Any]]:
    """Return who stayed at their score in the last debate round, and why: that is why a disagreement stands."""
    return [
        {"judge": name, "score": row["score"], "because": row["because"]}
        for name, section in last.counting(one.code).items()
        if last.number
        for row in rows_of(section)
        if row["criterion"] == one.code and row["score"] == row["own_score"] and not row["refused"]
    ]
