"""What somebody asks for when they create an open debate, checked before anything is written. Pure."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from decimal import Decimal
from enum import StrEnum
from typing import Any

from debates.errors import Invalid, about
from debates.types import Kind
from judging.formats import spec
from judging.formats.open import EVALUATOR, NAME, PERSUASION_JUDGE
from judging.formats.spec import DebateSpec
from judging.rules import frameworks, options
from judging.rules import persuasion as persuasion_rules
from judging.rules.adherence import Accountability
from judging.rules.fairness import ONCE
from judging.rules.options import compared, name_of
from judging.rules.persuasion import RuleSet, Strategy, rule_set
from judging.rules.standing import Credit
from judging.types import AUDIENCE, DEBATER, HOST, OFFLINE, EffectSource
from scoring.rules.numbers import decimal_of

SHORTEST_MOTION, LONGEST_MOTION = 10, 2_000
LEAST_CHAIRS, MOST_CHAIRS = 2, 12
MOST_EXCHANGES = 30
LONGEST_ORDER, MOST_HEARD = 1_000, 1_000
"""Exchanges and speakers of a debate that was held already."""
MOST_WEIGHED = 32
"""Debaters among whom persuasion is weighed: each other one adds up to 30 to a standing, which ends at 1000."""
LONGEST_NAME = 60
BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Kinds of characters that no name and no side holds: it stands in a line of every question."""
MOST_WORDS = 100
MOST_AT_ONCE = 12


PERSUADING = ("persuasion_judge", "effects", "rule_set", "rules", "words", "credit")
"""What only a debate in which responses persuade can choose."""
MARKING = ("evaluator", "interjections", "accountability")
"""What only a debate whose responses get marks can choose."""


COLUMNS = ("name", "kind", "framework", "stance", "conviction", "strategy", "strategy_changes", "provider", "model")
"""What can be asked for of a chair that speaks in a debate that is yet to be held."""


class Judging(StrEnum):
    """How responses are judged for fairness: with four marks, at a glance, or not at all."""

    FULL = "full"
    QUICK = "quick"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ChairSpec:
    """Somebody at the table: an engine, a person, or somebody else's program.

    Shape: ``strategy_changes`` are typed, such as ``3:empathetic, 5:defensive``: from which exchange on it argues how.
    Units: stance -1..1, conviction 0..1, at most 2 places each.
    """

    name: str
    framework: str = ""
    stance: object = "0"
    conviction: object = "0.5"
    strategy: str = Strategy.ADAPTIVE.value
    strategy_changes: str = ""
    provider: str = ""
    model: str = ""
    kind: str = Kind.ENGINE.value
    part: str = DEBATER
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec(DebateSpec):
    """An open debate as somebody wants it.

    Shape: ``effects`` is empty where the arbiter's provider decides: a model weighs, else the word lists count;
    ``rules`` are what the debate changes in its rule set; ``words`` are further words for the lists; ``repeat_of`` is
    the public id of an open debate that has ended and is held again. ``order`` is who speaks in each round, openings
    first, where the debate was held already; else everybody speaks in every round.
    Units: ``turn_seconds`` is how long a person or program has for a turn; ``judge_concurrency`` is how many
    judgements of responses are asked for at once.
    """

    format = NAME

    motion: str
    chairs: Sequence[ChairSpec]
    title: str = ""
    exchanges: int = 3
    turn_seconds: int = 86_400
    tone: str = frameworks.SPIRITED
    introduction: bool = True
    judging: str = Judging.FULL.value
    judge_concurrency: int = 3
    accountability: str = Accountability.MODERATE.value
    interjections: bool = True
    persuasion: bool = True
    effects: str = ""
    rule_set: str = "classic"
    rules: Mapping[str, object] = field(default_factory=dict)
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    credit: str = Credit.SHARED.value
    provider: str = OFFLINE
    model: str = ""
    repeat_of: str = ""
    order: Sequence[Sequence[str]] = ()
    evaluator: str = Kind.ENGINE.value
    persuasion_judge: str = Kind.ENGINE.value
    ballot_seconds: int = spec.USUAL_BALLOT_SECONDS


def from_preset(key: str) -> tuple[ChairSpec, ...]:
    return tuple(
        ChairSpec(
            name=seat.name,
            framework=seat.framework,
            stance=seat.stance,
            conviction=seat.conviction,
            strategy=seat.strategy.value,
        )
        for seat in frameworks.preset(key).seats
    )


def checked(table_spec: TableSpec) -> TableSpec:
    """Return the spec if everything in it is allowed.

    Source: docs/reference/open-debates.md
    """
    motion = spec.text_of(table_spec.motion, name="motion", longest=LONGEST_MOTION)
    if len(motion.strip()) < SHORTEST_MOTION:
        message = f"motion must have at least {SHORTEST_MOTION} characters; got {len(motion.strip())}."
        raise Invalid(message, field="motion")
    if table_spec.title:
        spec.text_of(table_spec.title, name="title", longest=spec.LONGEST_TITLE)
    most = LONGEST_ORDER if table_spec.order else MOST_EXCHANGES
    spec.whole(table_spec.exchanges, name="exchanges", low=1, high=most)
    spec.whole(table_spec.turn_seconds, name="turn_seconds", low=1, high=spec.MOST_SECONDS)
    spec.whole(table_spec.judge_concurrency, name="judge_concurrency", low=1, high=MOST_AT_ONCE)
    _member(table_spec.tone, frameworks.tones(), name="tone")
    _member(table_spec.judging, list(Judging), name="judging")
    _member(table_spec.accountability, list(Accountability), name="accountability")
    _member(table_spec.credit, list(Credit), name="credit")
    _member(table_spec.effects, ["", EffectSource.JUDGE.value, EffectSource.WORDS.value], name="effects")
    _chairs(table_spec.chairs, most=MOST_HEARD if table_spec.order else MOST_CHAIRS, exchanges=table_spec.exchanges)
    _models(table_spec)
    _weighed(table_spec)
    _effective(table_spec)
    _seats(table_spec)
    _fairness(table_spec)
    with about("rules"):
        rules_of(table_spec)
    with about("words"):
        words_of(table_spec.words)
    spec.checked_limits(table_spec.limits)
    return table_spec


def rules_of(table_spec: TableSpec) -> RuleSet:
    return rule_set(table_spec.rule_set).with_options(table_spec.rules)


def words_of(more: Mapping[str, Sequence[str]]) -> persuasion_rules.WordLists:
    """Return the word lists with further words.

    Raises: ``UnknownKey`` for a list that is not there, ``OutOfRange`` for what is no list of words.
    """
    names = ("persuasion", "attack", "evidence")
    further_words = options.chosen(options=more, readers=dict.fromkeys(names, _words), what="words")
    return persuasion_rules.WORDS.extended(**further_words)


def _words(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(
        isinstance(part, str) and 0 < len(part.strip()) <= 40 for part in value
    ):
        raise Invalid(f"words: {name} must be a list of words of at most 40 characters.")
    if len(value) > MOST_WORDS:
        raise Invalid(f"words: {name} may have at most {MOST_WORDS} words; got {len(value)}.")
    return tuple(value)


def idle(*, persuasion: bool, judging: str, interjections: bool, effects: str) -> dict[str, str]:
    """Return the keys that have no effect in such a debate, each with what would have to be otherwise."""
    without_effect: dict[str, str] = {}
    if not persuasion:
        without_effect |= dict.fromkeys(PERSUADING, "persuasion is off")
    if judging != Judging.FULL or not interjections:
        without_effect["accountability"] = "interjections are off"
    if judging != Judging.FULL:
        without_effect |= dict.fromkeys(MARKING, f"judging is {judging}")
        if not persuasion or effects != EffectSource.JUDGE:
            without_effect["judge_concurrency"] = f"judging is {judging}, and nobody judges effects"
    return without_effect


def _seats(table: TableSpec) -> None:
    """Refuse people and programs as judges of what nobody is asked to judge, and chairs that go by their names."""
    for name, kind in (("evaluator", table.evaluator), ("persuasion_judge", table.persuasion_judge)):
        spec.checked_seat(kind, name=name, ballot_seconds=table.ballot_seconds, fairness=table.fairness)
    if table.persuasion_judge != Kind.ENGINE.value and table.effects == EffectSource.WORDS.value:
        raise Invalid("persuasion_judge: without effect, because word lists weigh.", field="persuasion_judge")
    seated = {EVALUATOR.casefold(): table.evaluator, PERSUASION_JUDGE.casefold(): table.persuasion_judge}
    for number, chair in enumerate(table.chairs):
        if seated.get(compared(chair.name), Kind.ENGINE.value) != Kind.ENGINE.value:
            message = f"chairs, {number + 1}: name is that of a judge of this debate; choose another."
            raise Invalid(message, field=f"chairs.{number}.name")


def effects_of(table: TableSpec) -> str:
    return weighed_by(effects=table.effects, provider=table.provider, persuasion_judge=table.persuasion_judge)


def weighed_by(*, effects: str, provider: str, persuasion_judge: str) -> str:
    """Return by what responses are weighed: where nobody said, a model weighs them, else the word lists count."""
    if persuasion_judge != Kind.ENGINE.value:
        return EffectSource.JUDGE.value
    return effects or (EffectSource.JUDGE if provider == "openai" else EffectSource.WORDS).value


def _effective(table: TableSpec) -> None:
    """Refuse what was chosen and would have no effect."""
    without = idle(
        persuasion=table.persuasion, judging=table.judging, interjections=table.interjections, effects=effects_of(table)
    )
    chosen = [field.name for field in fields(table) if field.name in without and not _is_default(table, field)]
    if chosen:
        message = f"{', '.join(chosen)}: without effect, because {without[chosen[0]]}."
        raise Invalid(message, field=chosen[0])
    by_rule = table.provider == OFFLINE and table.persuasion_judge == Kind.ENGINE.value
    if by_rule and effects_of(table) == EffectSource.JUDGE.value:
        unread = sorted(set(table.words) - ({"persuasion"} if rules_of(table).factors else set()))
        if unread:
            message = "words: without effect, because the heuristics weigh by lists of their own; "
            message += f"leave out {', '.join(unread)}, or choose effects words."
            raise Invalid(message, field="words")


def _is_default(table: TableSpec, field: Field[Any]) -> bool:
    unset: object = field.default if field.default is not MISSING else {}
    return bool(getattr(table, field.name) == unset)


def _fairness(table_spec: TableSpec) -> None:
    """Refuse fairness options where nobody judges: they would have no effect."""
    effects = effects_of(table_spec)
    judged = table_spec.judging == Judging.FULL or (table_spec.persuasion and effects == EffectSource.JUDGE.value)
    if table_spec.fairness != ONCE and not judged:
        message = "fairness: no response is judged here; set judging to full, or let the arbiter weigh effects."
        chosen = next(name for name, value in table_spec.fairness.snapshot().items() if value != getattr(ONCE, name))
        raise Invalid(message, field=f"fairness.{chosen}")


def strategy_changes(text: str, *, exchanges: int, place: str = "") -> tuple[tuple[int, Strategy], ...]:
    """Return from which exchange on a chair argues by another strategy, as it was typed, in ascending order.

    Raises: ``Invalid`` naming the change that cannot be read, is out of order, or comes after the last exchange.
    Source: docs/reference/open-debates.md#strategies-that-change
    """
    changes: list[tuple[int, Strategy]] = []
    for typed in (part.strip() for part in text.split(",") if part.strip()):
        number, _, name = (part.strip() for part in typed.partition(":"))
        if not (number.isascii() and number.isdigit() and len(number) < 5) or name not in list(Strategy):
            known = ", ".join(Strategy)
            message = f"must be an exchange, a colon and one of {known}, with commas between; got {typed!r}."
            raise Invalid(f"{place}strategy_changes {message}")
        if not 1 <= int(number) <= exchanges or (changes and int(number) <= changes[-1][0]):
            message = f"must name exchanges from 1 to {exchanges}, each once and in their order; got {typed!r}."
            raise Invalid(f"{place}strategy_changes {message}")
        changes.append((int(number), Strategy(name)))
    return tuple(changes)


def _chairs(chairs: Sequence[ChairSpec], *, most: int, exchanges: int) -> None:
    if not LEAST_CHAIRS <= len(chairs) <= most:
        message = f"chairs: {LEAST_CHAIRS} to {most} must sit at the table; got {len(chairs)}."
        raise Invalid(message, field="chairs")
    names = [compared(chair.name) if isinstance(chair.name, str) else number for number, chair in enumerate(chairs)]
    twice = next((number for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise Invalid(f"chairs: {names[twice]} is named more than once.", field=f"chairs.{twice}.name")
    for number, chair in enumerate(chairs):
        with about(f"chairs.{number}"):
            _chair(chair, place=f"chairs, {number + 1}", field=f"chairs.{number}")
            with about(f"chairs.{number}.strategy_changes"):
                strategy_changes(chair.strategy_changes, exchanges=exchanges, place=f"chairs, {number + 1}: ")
    debaters = [chair for chair in chairs if chair.part == DEBATER]
    if len(debaters) < LEAST_CHAIRS or len({debater.side or debater.name for debater in debaters}) < LEAST_CHAIRS:
        raise Invalid("chairs: at least two must debate, and not all for one side.", field="chairs")


def _models(table: TableSpec) -> None:
    spec.model_of(table.model, offline=table.provider == OFFLINE)
    for number, chair in enumerate(table.chairs, start=1):
        offline = (chair.provider or table.provider) == OFFLINE
        spec.model_of(chair.model, offline=offline, name=f"chairs, {number}: model")


def _weighed(table: TableSpec) -> None:
    debaters = sum(chair.part == DEBATER for chair in table.chairs)
    if table.persuasion and debaters > MOST_WEIGHED:
        raise Invalid(
            f"persuasion: who persuades whom is weighed among at most {MOST_WEIGHED} debaters; of {debaters} leave it "
            "out, or in a transcript their stances.",
            field="persuasion",
        )


def _chair(chair: ChairSpec, *, place: str, field: str) -> None:
    _line(chair.name, place=place, field=field, part="name")
    spec.text_of(name_of(chair.name), name=f"{place}: name", longest=LONGEST_NAME)
    with about(f"{field}.stance"):
        decimal_of(chair.stance, name=f"{place}: stance", low=Decimal(-1), high=Decimal(1), places=2)
    with about(f"{field}.conviction"):
        decimal_of(chair.conviction, name=f"{place}: conviction", low=Decimal(0), high=Decimal(1), places=2)
    _member(chair.framework, ["", *frameworks.frameworks()], name=f"{place}: framework")
    _member(chair.strategy, list(Strategy), name=f"{place}: strategy")
    _member(chair.part, [DEBATER, HOST, AUDIENCE], name=f"{place}: role")
    if chair.side != "":  # a transcript may hold what is no text
        _line(chair.side, place=place, field=field, part="side")
    _member(chair.kind, list(Kind), name=f"{place}: kind")
    if chair.kind != Kind.ENGINE.value and (chair.provider or chair.model):
        message = f"{place}: a provider and a model are for engines; this chair is {chair.kind}."
        raise Invalid(message, field=f"{field}.{'provider' if chair.provider else 'model'}")


def _line(text: str, *, place: str, field: str, part: str) -> None:
    spec.text_of(text, name=f"{place}: {part}", longest=LONGEST_NAME)
    if any(unicodedata.category(character) in BREAKS for character in text):
        raise Invalid(f"{place}: {part} must hold no line ends and no control characters.", field=f"{field}.{part}")


def _member(value: str, allowed: Sequence[str] | Mapping[str, str], *, name: str) -> None:
    if value not in list(allowed):
        known = ", ".join(member or "nothing" for member in allowed)
        message = f"{name} must be one of {known}; got {value!r}."
        raise Invalid(message, field=spec.field_in(name))
