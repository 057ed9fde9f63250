"""Statistics of the rounds of a panel: how far its judges agreed, how each leans, means that allow for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from judging.panels.deliberation import Body
from judging.rules import consensus
from judging.rules.agreement import alpha, kappa, leaning
from judging.rules.agreement.alpha import Level
from judging.rules.agreement.kappa import Weighting
from judging.rules.agreement.units import Unit
from scoring.rules import numbers
from scoring.types import plain

SEED = 1


@dataclass(frozen=True, slots=True)
class Round:
    """One closed round. ``sections`` has an entry for every seat: ``None`` where the judge could not be read;
    ``found`` is what the consensus check found; ``struck`` has the criteria on which a judge's score was struck since.
    """

    number: int
    sections: Mapping[str, Body | None]
    found: Mapping[str, Any]
    struck: Mapping[str, Collection[str]] = field(default_factory=dict)

    def counting(self, code: str) -> dict[str, Body]:
        """Return the sections of the judges who count on a criterion."""
        return {
            name: section
            for name, section in self.sections.items()
            if section and code not in self.struck.get(name, ())
        }


def scores_of(section: Body | None) -> Mapping[str, str]:
    """Return what a judge gives, by criterion; nothing where it could not be read."""
    return section["scores"] if section else {}


def units_of(played: Round, codes: Sequence[str]) -> list[Unit]:
    """Return a round as units of agreement: a criterion each, rated by the judges who count on it."""
    return [
        {name: Decimal(section["scores"][code]) for name, section in played.counting(code).items()} for code in codes
    ]


def agreement(*, rounds: Sequence[Round], codes: Sequence[str]) -> dict[str, Any]:
    """Return the statistics of the first and the newest round, which may be the same, over the criteria that apply.

    Source: docs/reference/agreement.md
    """
    ends = {"first": rounds[0], "last": rounds[-1]} if rounds else {}
    return {name: _statistics(units_of(played, codes)) for name, played in ends.items()}


def corrected(*, rounds: Sequence[Round], codes: Sequence[str]) -> dict[str, str]:
    """Return the means of the newest round, less what each judge seems to lean over all rounds, by criterion.

    Source: docs/reference/agreement.md#the-corrected-mean
    """
    effects = leaning.effects(units=[unit for played in rounds for unit in units_of(played, codes)])
    newest = units_of(rounds[-1], codes) if rounds else []
    means = {
        code: leaning.corrected(unit=unit, effects=effects) for code, unit in zip(codes, newest, strict=False) if unit
    }
    return {code: plain(numbers.half_up(mean, places=consensus.PLACES)) for code, mean in means.items()}


def _statistics(units: Sequence[Unit]) -> dict[str, Any]:
    levels = {level.value: alpha.alpha(units=units, level=level, seed=SEED) for level in Level}
    pairs = kappa.pairwise(units=units, weighting=Weighting.QUADRATIC)
    return {
        "alpha": {
            name: {
                "state": one.state.value,
                "units": one.units,
                "value": _text(one.value),
                "low": _text(one.low),
                "high": _text(one.high),
            }
            for name, one in levels.items()
        },
        "fleiss": _text(kappa.fleiss(units=units)),
        "kappa": [{"judges": list(pair), "value": _text(value)} for pair, value in pairs.items()],
        "judges": {
            name: {"leniency": _text(one.leniency), "deviation": _text(one.deviation)}
            for name, one in leaning.leanings(units=units).items()
        },
    }


def _text(value: Decimal | None) -> str | None:
    return None if value is None else plain(value)
