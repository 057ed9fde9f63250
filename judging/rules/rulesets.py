"""Rule sets of persuasion as data: ``classic``, ``firm``, and what a debate may change in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Self

from judging.rules import options
from judging.rules.effects import Factors
from scoring.errors import UnknownKey

HISTORY = 10
"""How many persuasions and attacks a participant remembers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every number by which persuasion and attack move a participant, and by which it gives up.

    Shape: ``factors`` is ``None`` where the word rule decides persuasion; ``consecutive_conviction`` is ``None``
    where conviction does not matter.
    Source: docs/reference/rules.md#rule-sets
    """

    name: str
    persuasion_above: Decimal
    persuasion_pull: Decimal
    persuasion_keeps: Decimal
    surrender_entries: int
    persuaded_window: int
    persuaded_above: Decimal
    persuaded_conviction: Decimal
    wavering_stance: Decimal
    wavering_conviction: Decimal
    consecutive_count: int
    consecutive_above: Decimal
    consecutive_conviction: Decimal | None
    attack_resistance: Decimal = Decimal("0.8")
    attack_above: Decimal = Decimal("0.3")
    attack_push: Decimal = Decimal("0.2")
    attack_raises: Decimal = Decimal("1.1")
    factors: Factors | None = None

    def with_options(self, mapping: Mapping[str, object]) -> Self:
        """Return the rule set with what a debate chose.

        Shape: any of surrender_threshold, stance_neutral_threshold, consecutive_persuasion, persuasion_factors,
        attack_resistance.
        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, ``NotExact``, by name.
        Source: docs/reference/rules.md#rule-sets
        """
        given = options.chosen(options=mapping, readers=OPTION_READERS, what="The rules of persuasion")
        return replace(self, **{OPTION_FIELDS[name]: value for name, value in given.items()})

    def snapshot(self) -> dict[str, Any]:
        plainly = {field.name: options.written(getattr(self, field.name)) for field in fields(self)}
        return {**plainly, "factors": None if self.factors is None else self.factors.snapshot()}

    @classmethod
    def from_snapshot(cls, mapping: Mapping[str, object]) -> Self:
        """Read what ``snapshot`` wrote: every key, and no other.

        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, ``NotExact``, by name.
        """
        return cls(**options.complete(options=mapping, readers=SNAPSHOT_READERS, what="The rule set"))


CLASSIC = RuleSet(
    name="classic",
    persuasion_above=Decimal("0.6"),
    persuasion_pull=Decimal("0.3"),
    persuasion_keeps=Decimal("0.85"),
    surrender_entries=2,
    persuaded_window=2,
    persuaded_above=Decimal("0.6"),
    persuaded_conviction=Decimal("0.4"),
    wavering_stance=Decimal("0.2"),
    wavering_conviction=Decimal("0.5"),
    consecutive_count=3,
    consecutive_above=Decimal("0.5"),
    consecutive_conviction=None,
)
FIRM = RuleSet(
    name="firm",
    persuasion_above=Decimal("0.5"),
    persuasion_pull=Decimal("0.2"),
    persuasion_keeps=Decimal("0.9"),
    surrender_entries=4,
    persuaded_window=4,
    persuaded_above=Decimal("0.65"),
    persuaded_conviction=Decimal("0.25"),
    wavering_stance=Decimal("0.1"),
    wavering_conviction=Decimal("0.3"),
    consecutive_count=5,
    consecutive_above=Decimal("0.6"),
    consecutive_conviction=Decimal("0.4"),
)
RULE_SETS: Mapping[str, RuleSet] = {rules.name: rules for rules in (CLASSIC, FIRM)}


def rule_set(name: str) -> RuleSet:
    """Return a rule set by its name.

    Raises: ``UnknownKey`` naming those there are.
    """
    if name not in RULE_SETS:
        raise UnknownKey(f"There is no rule set {name!r}; allowed: {', '.join(sorted(RULE_SETS))}.")
    return RULE_SETS[name]


def _factors(_name: str, value: object) -> Factors:
    return Factors.of(value)


def _name(_name: str, value: object) -> str:
    return rule_set(str(value)).name


_SHARE = options.number(low="0", high="1")

OPTION_FIELDS: Mapping[str, str] = {
    "surrender_threshold": "persuaded_conviction",
    "stance_neutral_threshold": "wavering_stance",
    "consecutive_persuasion": "consecutive_count",
    "persuasion_factors": "factors",
    "attack_resistance": "attack_resistance",
}
OPTION_READERS: Mapping[str, options.Reader] = {
    "surrender_threshold": _SHARE,
    "stance_neutral_threshold": _SHARE,
    "consecutive_persuasion": options.whole(low=2, high=HISTORY),
    "persuasion_factors": _factors,
    "attack_resistance": _SHARE,
}
SNAPSHOT_READERS: Mapping[str, options.Reader] = {
    **{field.name: _SHARE for field in fields(RuleSet)},
    "name": _name,
    "surrender_entries": options.whole(low=1, high=HISTORY),
    "persuaded_window": options.whole(low=1, high=HISTORY),
    "consecutive_count": options.whole(low=2, high=HISTORY),
    "consecutive_conviction": options.optional(_SHARE),
    "attack_raises": options.number(low="1", high="2"),
    "factors": options.optional(_factors),
}
