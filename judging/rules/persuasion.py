"""What a response does to a listener, by which rule set, and where that leaves it: stance, conviction."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

from judging.rules import options
from scoring.errors import Invalid, UnknownKey
from scoring.rules import numbers

# What a response does to a listener: persuasion, attack and evidence, read from its words.


PERSUASION_PER_WORD = Decimal("0.3")
ATTACK_PER_WORD = Decimal("0.4")
EVIDENCE_PER_WORD = Decimal("0.35")
HIGHEST = Decimal(1)
PLACES = 6

AGGRESSIVE_BELOW_CONVICTION = Decimal("0.5")
EMPATHETIC_BELOW_STANCE = Decimal("0.3")
DEFENSIVE_ABOVE = Decimal("0.7")
NEUTRAL_BELOW = Decimal("0.2")


class Strategy(StrEnum):
    """How a participant argues."""

    ANALYTICAL = "analytical"
    AGGRESSIVE = "aggressive"
    DEFENSIVE = "defensive"
    EMPATHETIC = "empathetic"
    ADAPTIVE = "adaptive"


@dataclass(frozen=True, slots=True)
class WordLists:
    """The words, or short phrases, that count as persuasion, attack and evidence."""

    persuasion: tuple[str, ...] = ("however", "consider", "but", "think about", "understand")
    attack: tuple[str, ...] = ("wrong", "flawed", "incorrect", "mistaken", "fallacious")
    evidence: tuple[str, ...] = ("research", "data", "study", "evidence", "statistics")

    def extended(
        self, *, persuasion: Sequence[str] = (), attack: Sequence[str] = (), evidence: Sequence[str] = ()
    ) -> Self:
        """Return the lists with further words, each once whatever its case."""
        return replace(
            self,
            persuasion=_once(self.persuasion, persuasion),
            attack=_once(self.attack, attack),
            evidence=_once(self.evidence, evidence),
        )


WORDS = WordLists()


@dataclass(frozen=True, slots=True)
class ResponseEffect:
    """What one response does to one listener, 0..1 each, and how many persuasion words it had."""

    persuasion: Decimal
    attack: Decimal
    evidence: Decimal
    persuasion_words: int = 0


@dataclass(frozen=True, slots=True)
class Factors:
    """The shares that make up persuasion where a debate sets ``persuasion_factors``.

    Units: 0..1 each.
    Source: docs/reference/rules.md#effects
    """

    base: Decimal = Decimal("0.3")
    strategy: Decimal = Decimal("0.2")
    evidence: Decimal = Decimal("0.3")
    social: Decimal = Decimal("0.2")

    @classmethod
    def of(cls, mapping: object) -> Self:
        """Read factors, the missing ones by default.

        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, ``NotExact``, by name.
        """
        readers = {field.name: options.number(low="0", high="1") for field in fields(cls)}
        return cls(**options.chosen(options=mapping, readers=readers, what="persuasion_factors"))

    def snapshot(self) -> dict[str, str]:
        return {field.name: options.written(getattr(self, field.name)) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Listener:
    """Where a listener stands when a response reaches it."""

    stance: Decimal
    conviction: Decimal


def from_words(*, text: str, words: WordLists = WORDS) -> ResponseEffect:
    """Return the effect of a response by its words: whole words only, each counted once, upper and lower case alike.

    Source: docs/reference/rules.md#effects
    """
    persuasive = found(text=text, words=words.persuasion)
    return ResponseEffect(
        persuasion=min(HIGHEST, PERSUASION_PER_WORD * persuasive),
        attack=min(HIGHEST, ATTACK_PER_WORD * found(text=text, words=words.attack)),
        evidence=min(HIGHEST, EVIDENCE_PER_WORD * found(text=text, words=words.evidence)),
        persuasion_words=persuasive,
    )


def found(*, text: str, words: Sequence[str]) -> int:
    """Return how many of the words occur in the text."""
    return sum(1 for word in words if _pattern(word).search(text))


def weighted_persuasion(
    *,
    effect: ResponseEffect,
    factors: Factors,
    strategy: Strategy | None,
    listener: Listener,
    earned: Sequence[Decimal],
) -> Decimal:
    """Return the persuasion of a response where the debate sets factors.

    Shape: ``strategy`` is what an engine argued by; without one none suits. ``earned`` are all persuasions that this
    speaker has caused with earlier responses, empty at first.
    Units: 0..1, 6 places.
    Source: docs/reference/rules.md#effects
    """
    parts = Fraction(factors.base) * effect.persuasion_words + Fraction(factors.evidence) * Fraction(effect.evidence)
    if suits(strategy=strategy, listener=listener, evidence=effect.evidence):
        parts += Fraction(factors.strategy)
    if earned:
        parts += Fraction(factors.social) * numbers.mean(earned)
    return numbers.half_up(min(Fraction(1), parts), places=PLACES)


def suits(*, strategy: Strategy | None, listener: Listener, evidence: Decimal) -> bool:
    """Say whether a strategy fits a listener and the evidence at hand; defence never does.

    Source: docs/reference/rules.md#effects
    """
    if strategy is Strategy.AGGRESSIVE:
        return listener.conviction < AGGRESSIVE_BELOW_CONVICTION
    if strategy is Strategy.EMPATHETIC:
        return abs(listener.stance) < EMPATHETIC_BELOW_STANCE
    return strategy is Strategy.ANALYTICAL and evidence > 0


def planned_strategy(*, strategy: Strategy, changes: Sequence[tuple[int, Strategy]], exchange: int) -> Strategy:
    """Return the strategy that is planned for an exchange: that of the last change up to it, else the first one.

    Shape: ``changes`` are exchanges with the strategy from there on, in ascending order.
    Source: docs/reference/open-debates.md#strategies-that-change
    """
    return next((later for number, later in reversed(changes) if number <= exchange), strategy)


def chosen_strategy(*, strategy: Strategy, conviction: Decimal, opponents: Sequence[Listener]) -> Strategy:
    """Return the strategy a participant argues by now: its own, or what the adaptive one comes to.

    Shape: the weakest opponent is the one of least conviction; among equals, the one nearest to neutral.
    Source: docs/reference/rules.md#effects
    """
    if strategy is not Strategy.ADAPTIVE:
        return strategy
    if conviction > DEFENSIVE_ABOVE:
        return Strategy.DEFENSIVE
    if not opponents:
        return Strategy.ANALYTICAL
    weakest = min(opponents, key=lambda opponent: (opponent.conviction, abs(opponent.stance)))
    if weakest.conviction < AGGRESSIVE_BELOW_CONVICTION:
        return Strategy.AGGRESSIVE
    return Strategy.EMPATHETIC if abs(weakest.stance) < NEUTRAL_BELOW else Strategy.ANALYTICAL


@lru_cache(maxsize=512)
def _pattern(word: str) -> re.Pattern[str]:
    spaced = r"\s+".join(re.escape(part) for part in word.split())
    return re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE)


def _once(known: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    words: Mapping[str, str] = {word.strip().casefold(): word.strip() for word in (*more, *known) if word.strip()}
    return tuple(sorted(words.values(), key=str.casefold))


# Rule sets of persuasion as data: ``classic``, ``firm``, and what a debate may change in them.


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
    bystander_pull: Decimal = Decimal(0)
    factors: Factors | None = None

    def with_options(self, mapping: Mapping[str, object]) -> Self:
        """Return the rule set with what a debate chose.

        Shape: any of surrender_threshold, stance_neutral_threshold, consecutive_persuasion, persuasion_factors,
        attack_resistance, bystander_pull.
        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, ``NotExact``, by name.
        Source: docs/reference/rules.md#rule-sets
        """
        values = options.chosen(options=mapping, readers=OPTION_READERS, what="The rules of persuasion")
        return replace(self, **{OPTION_FIELDS[name]: value for name, value in values.items()})

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
    "bystander_pull": "bystander_pull",
}
OPTION_READERS: Mapping[str, options.Reader] = {
    "surrender_threshold": _SHARE,
    "stance_neutral_threshold": _SHARE,
    "consecutive_persuasion": options.whole(low=2, high=HISTORY),
    "persuasion_factors": _factors,
    "attack_resistance": _SHARE,
    "bystander_pull": _SHARE,
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


# Where a participant stands: how persuasion and attack move its stance and conviction, and when it gives up.


ONE = Fraction(1)


class Surrender(StrEnum):
    """Why a participant gave up; the first that applies, in this order."""

    PERSUADED = "persuaded"
    WAVERING = "wavering"
    CONSECUTIVE = "consecutive"


@dataclass(frozen=True, slots=True)
class State:
    """A participant's stance (-1..1), conviction (0..1), and what it was last told by others, oldest first."""

    stance: Decimal
    conviction: Decimal
    persuasions: tuple[Decimal, ...] = ()
    attacks: tuple[Decimal, ...] = ()
    surrender: Surrender | None = None


def starting(*, stance: object, conviction: object) -> State:
    """Return the state a participant starts with.

    Raises: ``OutOfRange``, ``NotANumber``, ``NotExact``, naming the field.
    """
    return State(
        stance=_read("stance", stance, low=Decimal(-1)), conviction=_read("conviction", conviction, low=Decimal(0))
    )


def update(*, state: State, persuasion: Decimal, attack: Decimal, rules: RuleSet) -> State:
    """Return the state after one response that was addressed to the participant.

    Units: persuasion and attack 0..1.
    Raises: ``Invalid`` when the participant has given up, ``OutOfRange`` or ``NotExact`` for an effect.
    Source: docs/reference/rules.md#state
    """
    if state.surrender is not None:
        raise Invalid("A participant that has surrendered is moved no more.")
    felt = _read("persuasion", persuasion, low=Decimal(0))
    hit = _read("attack", attack, low=Decimal(0))
    stance, conviction = _moved(state=state, persuasion=Fraction(felt), attack=Fraction(hit), rules=rules)
    after = replace(
        state,
        stance=numbers.half_up(max(-ONE, min(ONE, stance)), places=PLACES),
        conviction=numbers.half_up(min(ONE, conviction), places=PLACES),
        persuasions=(*state.persuasions, felt)[-HISTORY:],
        attacks=(*state.attacks, hit)[-HISTORY:],
    )
    return replace(after, surrender=surrendered(state=after, rules=rules))


def swayed(*, state: State, towards: Decimal, surrenders: int, rules: RuleSet) -> State:
    """Return where a bystander stands once others have given up to a speaker; nobody gives up by that alone.

    Shape: ``state`` is the one after the response itself; ``surrenders`` is how many others it made give up.
    Units: ``towards`` is the stance of the speaker, -1..1.
    Source: docs/reference/rules.md#bystanders
    """
    if not surrenders or not rules.bystander_pull or state.surrender is not None:
        return state
    stance = Fraction(state.stance)
    share = min(ONE, surrenders * Fraction(rules.bystander_pull)) * (1 - Fraction(state.conviction))
    return replace(state, stance=numbers.half_up(stance + share * (Fraction(towards) - stance), places=PLACES))


def surrendered(*, state: State, rules: RuleSet) -> Surrender | None:
    """Return why a participant gives up now, or ``None``. Without a history nobody gives up.

    Source: docs/reference/rules.md#surrender
    """
    if len(state.persuasions) < rules.surrender_entries:
        return None
    if _persuaded(state, rules):
        return Surrender.PERSUADED
    if abs(state.stance) < rules.wavering_stance and state.conviction < rules.wavering_conviction:
        return Surrender.WAVERING
    return Surrender.CONSECUTIVE if _consecutive(state, rules) else None


def play(*, state: State, effects: Sequence[tuple[Decimal, Decimal]], rules: RuleSet) -> list[State]:
    """Return the state after each (persuasion, attack), up to the one that makes the participant give up."""
    states: list[State] = []
    for persuasion, attack in effects:
        state = update(state=state, persuasion=persuasion, attack=attack, rules=rules)
        states.append(state)
        if state.surrender is not None:
            break
    return states


def _moved(*, state: State, persuasion: Fraction, attack: Fraction, rules: RuleSet) -> tuple[Fraction, Fraction]:
    """Both effects look at the conviction from before the response."""
    stance, before = Fraction(state.stance), Fraction(state.conviction)
    conviction = before
    if persuasion > rules.persuasion_above:
        stance *= 1 - persuasion * (1 - before) * Fraction(rules.persuasion_pull)
        conviction *= Fraction(rules.persuasion_keeps)
    effect = max(Fraction(0), attack - Fraction(rules.attack_resistance) * before)
    if effect > rules.attack_above:
        stance *= 1 + effect * Fraction(rules.attack_push)
        conviction *= Fraction(rules.attack_raises)
    return stance, conviction


def _persuaded(state: State, rules: RuleSet) -> bool:
    mean = numbers.mean(state.persuasions[-rules.persuaded_window :])
    return mean > rules.persuaded_above and state.conviction < rules.persuaded_conviction


def _consecutive(state: State, rules: RuleSet) -> bool:
    last = state.persuasions[-rules.consecutive_count :]
    limit = rules.consecutive_conviction
    return (
        len(last) == rules.consecutive_count
        and all(persuasion > rules.consecutive_above for persuasion in last)
        and (limit is None or state.conviction < limit)
    )


def _read(name: str, value: object, *, low: Decimal) -> Decimal:
    return numbers.decimal_of(value, name=name, low=low, high=Decimal(1), places=PLACES)
