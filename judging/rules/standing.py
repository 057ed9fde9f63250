"""Where participants stand at the end: the parts of a standing, who won, and in what way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Self

from scoring.errors import Invalid
from scoring.rules import numbers
from scoring.types import exact

STANCE_POINTS = 30
SURRENDER_POINTS = 20
PERSUASION_POINTS = 10
RESISTANCE_POINTS = 20
PENALTY = 50
CLEAR_ABOVE = Decimal(30)
PLACES = 6


class Credit(StrEnum):
    """Whose persuasion counts for a participant: all that its opponents felt, or only what it caused itself."""

    SHARED = "shared"
    EARNED = "earned"


class Victory(StrEnum):
    """In what way a debate ended; the first that applies, in this order."""

    MUTUAL_SURRENDER = "mutual_surrender"
    DRAW = "draw"
    OVERWHELMING = "overwhelming"
    UNCONTESTED = "uncontested"
    CLEAR = "clear"
    NARROW = "narrow"


class Side(StrEnum):
    """On which side of the motion a participant stands."""

    SUPPORTIVE = "supportive"
    OPPOSED = "opposed"
    NEUTRAL = "neutral"


class Persuasiveness(StrEnum):
    """A mean persuasion in one word, for reading."""

    MINIMAL = "minimal"
    SLIGHT = "slight"
    MODERATE = "moderate"
    SIGNIFICANT = "significant"
    STRONG = "strong"


class Resistance(StrEnum):
    """How a participant bore attacks, in one word, for reading."""

    EXCELLENT = "excellent"
    GOOD = "good"
    AVERAGE = "average"
    POOR = "poor"


PERSUASION_BELOW = (
    (Decimal("0.2"), Persuasiveness.MINIMAL),
    (Decimal("0.4"), Persuasiveness.SLIGHT),
    (Decimal("0.6"), Persuasiveness.MODERATE),
    (Decimal("0.8"), Persuasiveness.SIGNIFICANT),
)


@dataclass(frozen=True, slots=True)
class StandingVoice:
    """A participant as a standing sees it: where it stands, and what others did to it, oldest first.

    Shape: ``persuaded_by`` names the speaker of each persuasion and ``surrendered_to`` the speaker of the response
    after which it gave up; earned credit needs them, shared credit does not read them. Who has not ``responded``
    stands somewhere, and does not win. Who is on one ``side`` are allies; without one everybody is for themselves.
    """

    name: str
    stance: Decimal
    conviction: Decimal
    persuasions: tuple[Decimal, ...] = ()
    attacks: tuple[Decimal, ...] = ()
    surrendered: bool = False
    persuaded_by: tuple[str, ...] = ()
    surrendered_to: str | None = None
    responded: bool = True
    side: str = ""

    def __post_init__(self) -> None:
        for number in (self.stance, self.conviction, *self.persuasions, *self.attacks):
            exact(number)

    def opposes(self, other: Self) -> bool:
        return not (self.side and self.side == other.side)


@dataclass(frozen=True, slots=True)
class Bands:
    """How persuasive a participant was and how it bore attacks, for reading; nothing where there was none of it."""

    persuasion: Persuasiveness | None = None
    resistance: Resistance | None = None


@dataclass(frozen=True, slots=True)
class StandingParts:
    """The parts of a participant's standing and their total; the penalty is what surrendering cost (0 or 50)."""

    name: str
    stance: Decimal
    persuasion: Decimal
    resistance: Decimal
    penalty: Decimal
    total: Decimal
    bands: Bands

    def parts(self) -> dict[str, Decimal]:
        """Return the parts by name, without the total."""
        return {
            "stance": self.stance,
            "persuasion": self.persuasion,
            "resistance": self.resistance,
            "penalty": self.penalty,
        }


@dataclass(frozen=True, slots=True)
class StandingResult:
    """Who won and how. The standings are in order: highest total first, equal totals by name.

    Shape: there is no victory where nobody has responded; ``margin`` is how far the first of those who have is ahead
    of the next of them.
    """

    winner: str | None
    victory: Victory | None
    standings: tuple[StandingParts, ...]
    margin: Decimal | None


def standing(*, voice: StandingVoice, others: Sequence[StandingVoice], credit: Credit = Credit.SHARED) -> StandingParts:
    """Return the standing of one participant among the others; what befell its allies is not to its credit.

    Raises: ``Invalid`` where earned credit lacks the speaker of a persuasion.
    Source: docs/reference/rules.md#standing
    """
    others = [other for other in others if voice.opposes(other)]
    conviction = Fraction(voice.conviction)
    stance = abs(Fraction(voice.stance)) * conviction * STANCE_POINTS
    persuasion = sum((_credit(voice.name, other, credit) for other in others), Fraction(0))
    resistance = (1 - numbers.mean(voice.attacks)) * conviction * RESISTANCE_POINTS if voice.attacks else Fraction(0)
    penalty = Fraction(PENALTY if voice.surrendered else 0)
    return StandingParts(
        name=voice.name,
        stance=_rounded(stance),
        persuasion=_rounded(persuasion),
        resistance=_rounded(resistance),
        penalty=_rounded(penalty),
        total=_rounded(stance + persuasion + resistance - penalty),
        bands=_bands(voice, others, credit),
    )


def result(*, voices: Sequence[StandingVoice], credit: Credit = Credit.SHARED) -> StandingResult:
    """Return all standings, the winner and the kind of victory. The order of participants does not matter.

    Raises: ``Invalid`` without participants, or where two have one name.
    Source: docs/reference/rules.md#victory
    """
    if not voices or len({voice.name for voice in voices}) < len(voices):
        raise Invalid("A result needs at least one participant, each with a name of its own.")
    ranked = [
        standing(voice=voice, others=[other for other in voices if other is not voice], credit=credit)
        for voice in voices
    ]
    ranked.sort(key=lambda parts: (-parts.total, parts.name))
    responded = {voice.name for voice in voices if voice.responded}
    heard = [parts for parts in ranked if parts.name in responded]
    victory = _victory(heard, voices={voice.name: voice for voice in voices}) if heard else None
    return StandingResult(
        winner=None if victory in {None, Victory.MUTUAL_SURRENDER, Victory.DRAW} else heard[0].name,
        victory=victory,
        standings=tuple(ranked),
        margin=heard[0].total - heard[1].total if len(heard) > 1 else None,
    )


def position(*, stance: Decimal) -> Side:
    """Return the side of a stance."""
    value = exact(stance)
    if value == 0:
        return Side.NEUTRAL
    return Side.SUPPORTIVE if value > 0 else Side.OPPOSED


def persuasiveness(*, persuasion: Decimal) -> Persuasiveness:
    """Return the band of a mean persuasion 0..1; a threshold belongs to the higher band.

    Source: docs/reference/rules.md#bands
    """
    value = exact(persuasion)
    return next((word for high, word in PERSUASION_BELOW if value < high), Persuasiveness.STRONG)


def resistance(*, attack: Decimal, conviction: Decimal) -> Resistance:
    """Return the band of how attacks were borne.

    Units: ``attack`` is the mean of the participant's own attacks, 0..1; conviction 0..1.
    Source: docs/reference/rules.md#bands
    """
    hit, held = exact(attack), exact(conviction)
    if hit < Decimal("0.3") and held > Decimal("0.7"):
        return Resistance.EXCELLENT
    if hit > Decimal("0.7") and held < Decimal("0.3"):
        return Resistance.POOR
    return Resistance.GOOD if hit < Decimal("0.5") and held >= Decimal("0.5") else Resistance.AVERAGE


def _bands(voice: StandingVoice, others: Sequence[StandingVoice], credit: Credit) -> Bands:
    felt = [amount for other in others for amount in _counted(voice.name, other, credit)]
    hit = voice.attacks
    return Bands(
        persuasion=persuasiveness(persuasion=_rounded(numbers.mean(felt))) if felt else None,
        resistance=resistance(attack=_rounded(numbers.mean(hit)), conviction=voice.conviction) if hit else None,
    )


def _counted(name: str, other: StandingVoice, credit: Credit) -> tuple[Decimal, ...]:
    """Return what somebody felt that counts for a participant."""
    if credit is Credit.SHARED:
        return other.persuasions
    if len(other.persuaded_by) != len(other.persuasions):
        raise Invalid(f"Earned credit needs the speaker of every persuasion that reached {other.name}.")
    persuasions = zip(other.persuasions, other.persuaded_by, strict=True)
    return tuple(amount for amount, speaker in persuasions if speaker == name)


def _credit(name: str, other: StandingVoice, credit: Credit) -> Fraction:
    counted = _counted(name, other, credit)
    won = other.surrendered and (credit is Credit.SHARED or other.surrendered_to == name)
    points = numbers.mean(counted) * PERSUASION_POINTS if counted else Fraction(0)
    return points + (SURRENDER_POINTS if won else 0)


def _victory(heard: Sequence[StandingParts], *, voices: Mapping[str, StandingVoice]) -> Victory:
    first, *others = heard
    surrendered = [voice for voice in voices.values() if voice.surrendered]
    if others and all(voices[parts.name].surrendered for parts in heard):
        return Victory.MUTUAL_SURRENDER
    if others and first.total == others[0].total:
        return Victory.DRAW
    winner = voices[first.name]
    if not winner.surrendered and any(winner.opposes(voice) for voice in surrendered):
        return Victory.OVERWHELMING
    if not others:
        return Victory.UNCONTESTED
    return Victory.CLEAR if first.total - others[0].total > CLEAR_ABOVE else Victory.NARROW


def _rounded(value: Fraction) -> Decimal:
    return numbers.half_up(value, places=PLACES)
