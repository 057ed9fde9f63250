"""Whether a panel agrees, what it then says, and what a person has to decide where it does not."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from debates.errors import option
from judging.rules import options
from scoring.errors import Invalid, OutOfRange
from scoring.rules import numbers
from scoring.types import exact

LOWEST = Decimal(1)
HIGHEST = Decimal(5)
COMPARED_PLACES = 12
PLACES = 4
Row = Mapping[int, Decimal]
"""The scores of one judge that count, by criterion."""


class Reason(StrEnum):
    """Why a panel does not agree; the first that applies, in this order."""

    QUORUM_LOST = "quorum_lost"
    SPREAD = "spread"
    CRITERION_SPREAD = "criterion_spread"
    NOT_ACCEPTED = "not_accepted"


class Confidence(StrEnum):
    """Whether a panel asks judges how sure they are: of their judgement as a whole, or of each criterion."""

    NONE = "none"
    WHOLE = "whole"
    CRITERION = "criterion"


class Recommendation(StrEnum):
    """What a panel's overall score comes to."""

    PASS = "pass"  # noqa: S105 -- a mark that was passed, not a password
    NEEDS_REVISION = "needs_revision"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a panel counts as agreement, and what it lets and asks of its judges. Kept with every decision, so that a
    later change rewrites nothing.

    Shape: ``amend`` lets ballots be amended until their round closes; ``hide_names`` hides in the debate whose report
    is whose; ``confidence`` is one of ``Confidence``.
    Units: spreads and marks in points of the scale 1..5.
    Source: docs/reference/rules.md#consensus
    """

    spread: Decimal = Decimal("0.5")
    criterion_spread: Decimal = Decimal(1)
    quorum: int = 2
    debate_rounds: int = 3
    early_exit: bool = True
    pass_mark: Decimal = Decimal(4)
    revision_mark: Decimal = Decimal(3)
    amend: bool = False
    hide_names: bool = False
    confidence: str = Confidence.NONE.value

    def __post_init__(self) -> None:
        options.complete(
            options={field.name: getattr(self, field.name) for field in fields(self)},
            readers=READERS,
            what="The policy",
        )
        if self.revision_mark > self.pass_mark:
            low, high = self.pass_mark, self.revision_mark
            raise OutOfRange(f"The revision mark ({high:f}) must not be above the pass mark ({low:f}).")

    @classmethod
    def from_options(cls, mapping: Mapping[str, object]) -> Self:
        """Return the defaults with what somebody chose.

        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, ``NotExact``, by name.
        """
        values = options.chosen(options=mapping, readers=READERS, what="The policy")
        with option("revision_mark" if "revision_mark" in values else "pass_mark"):
            return cls(**values)

    @classmethod
    def from_snapshot(cls, mapping: Mapping[str, object]) -> Self:
        """Read what ``snapshot`` wrote: every key, and no other."""
        return cls(**options.complete(options=mapping, readers=READERS, what="The policy"))

    def for_seats(self, seats: int) -> Self:
        """Return what so many judges are held to: one is the quorum, and has nobody to argue or disagree with."""
        return replace(self, quorum=1, debate_rounds=0, early_exit=True) if seats == 1 else self

    def snapshot(self) -> dict[str, Any]:
        return {field.name: options.written(getattr(self, field.name)) for field in fields(self)}


_MARK = options.number(low="1", high="5")
_SPREAD = options.number(low="0", high="4")
READERS: Mapping[str, options.Reader] = {
    "spread": _SPREAD,
    "criterion_spread": _SPREAD,
    "quorum": options.whole(low=1, high=9),
    "debate_rounds": options.whole(low=0, high=3),
    "early_exit": options.flag,
    "pass_mark": _MARK,
    "revision_mark": _MARK,
    "amend": options.flag,
    "hide_names": options.flag,
    "confidence": options.one_of(Confidence),
}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One judge's seat in one round: a score for each criterion, or ``None`` where the judge could not be read.

    Shape: a score is ``None`` for a criterion that does not apply, or of which the judge says so: there it has none.
    ``accepts`` is the judge's word after a debate round; ``None`` before. ``struck`` are positions of criteria on which
    the score does not count.
    """

    scores: tuple[Decimal | None, ...] | None
    accepts: bool | None = None
    struck: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Check:
    """What one look at a panel found.

    Shape: ``overalls`` has one value per seat (``None``: not counted, or not on every criterion);
    ``criterion_spreads`` and ``means`` one per criterion (``None``: does not apply, or nobody counted); ``disputed``
    are positions of criteria; ``counted`` is how many judges count on every criterion.
    """

    reasons: tuple[Reason, ...]
    overalls: tuple[Decimal | None, ...]
    spread: Decimal | None
    criterion_spreads: tuple[Decimal | None, ...]
    means: tuple[Decimal | None, ...]
    overall: Decimal | None
    disputed: tuple[int, ...]
    counted: int
    needed: int

    @property
    def agreed(self) -> bool:
        return not self.reasons

    @property
    def reason(self) -> Reason | None:
        """Why it does not: the first of the reasons."""
        return self.reasons[0] if self.reasons else None


def check(
    *,
    ballots: Sequence[Ballot],
    weights: Sequence[Decimal],
    policy: Policy,
    debate_round: int = 0,
    not_applicable: Collection[int] = (),
) -> Check:
    """Say whether a panel agrees after a round, and on what.

    Shape: round 0 is the independent analysis. ``not_applicable`` are positions of criteria.
    Raises: ``Invalid`` where scores and criteria do not match, ``OutOfRange`` or ``NotExact`` for a score or weight.
    Source: docs/reference/rules.md#consensus
    """
    shares = normalised(weights=weights, not_applicable=not_applicable)
    rows = [_row(ballot, shares) for ballot in ballots]
    measured = _measured(rows, shares, needed=quorum(seats=len(ballots), policy=policy))
    if measured.counted < measured.needed:
        return replace(measured, reasons=(Reason.QUORUM_LOST,), disputed=_applicable(shares))
    willing = _willing([ballot for ballot, row in zip(ballots, rows, strict=True) if row], debate_round, policy)
    return replace(
        measured,
        reasons=_reasons(measured, willing=willing, policy=policy),
        disputed=disputed(spreads=measured.criterion_spreads, shares=shares, policy=policy),
    )


def normalised(*, weights: Sequence[Decimal], not_applicable: Collection[int] = ()) -> tuple[Fraction, ...]:
    """Return weights that sum to 1; what does not apply gets 0 and its weight is spread over the others.

    Raises: ``OutOfRange`` for a weight that is not positive, ``Invalid`` where no criterion applies,
    or for one that does not exist.
    Source: docs/reference/rules.md#criteria-that-do-not-apply
    """
    exact_weights = [Fraction(exact(weight, name="weight")) for weight in weights]
    if any(weight <= 0 for weight in exact_weights):
        raise OutOfRange("A weight must be above 0.")
    if not set(not_applicable) <= set(range(len(exact_weights))):
        raise Invalid(f"not_applicable must be positions from 0 to {len(exact_weights) - 1}.")
    kept = [Fraction(0) if index in not_applicable else weight for index, weight in enumerate(exact_weights)]
    if not any(kept):
        raise Invalid("At least one criterion must apply.")
    return tuple(weight / sum(kept) for weight in kept)


def quorum(*, seats: int, policy: Policy) -> int:
    """Return how many readable judges a panel needs: the policy's number, and more than half of all seats.

    Source: docs/reference/rules.md#quorum
    """
    return max(policy.quorum, seats // 2 + 1)


def disagreements(*, spreads: Sequence[Decimal | None], policy: Policy) -> tuple[int, ...]:
    """Return the criteria a debate round has to talk about: spread too wide; where none is, any spread at all."""
    wide = tuple(
        index for index, spread in enumerate(spreads) if spread is not None and spread > policy.criterion_spread
    )
    return wide or tuple(index for index, spread in enumerate(spreads) if spread)


def disputed(*, spreads: Sequence[Decimal | None], shares: Sequence[Fraction], policy: Policy) -> tuple[int, ...]:
    """Return the criteria a person has to decide: the disagreements; where there are none, all that apply.

    Source: docs/reference/rules.md#reviews
    """
    return disagreements(spreads=spreads, policy=policy) or _applicable(shares)


def recommendation(*, overall: Decimal, policy: Policy) -> Recommendation:
    """Return what an overall score comes to; a mark belongs to the better side."""
    value = exact(overall)
    if value >= policy.pass_mark:
        return Recommendation.PASS
    return Recommendation.NEEDS_REVISION if value >= policy.revision_mark else Recommendation.FAIL


def _applicable(shares: Sequence[Fraction]) -> tuple[int, ...]:
    return tuple(index for index, share in enumerate(shares) if share)


def _row(ballot: Ballot, shares: Sequence[Fraction]) -> Row:
    """Return the scores of a judge that count, by criterion; those that are struck must be scores all the same."""
    if ballot.scores is None:
        return {}
    if len(ballot.scores) != len(shares):
        raise Invalid(f"A judge must score all {len(shares)} criteria; got {len(ballot.scores)} scores.")
    scores = {
        index: numbers.decimal_of(ballot.scores[index], name="score", low=LOWEST, high=HIGHEST, places=PLACES)
        for index in _applicable(shares)
        if ballot.scores[index] is not None
    }
    return {index: score for index, score in scores.items() if index not in ballot.struck}


def _measured(rows: Sequence[Row], shares: Sequence[Fraction], *, needed: int) -> Check:
    """Return a look at a panel with all its numbers, before anybody says whether it agrees."""
    whole = _applicable(shares)
    columns = [[row[index] for row in rows if index in row] for index in range(len(shares))]
    overalls = tuple(_overall(row, shares) if len(row) == len(whole) else None for row in rows)
    means = [numbers.mean(column) if column else None for column in columns]
    counted = min(len(columns[index]) for index in whole)
    return Check(
        reasons=(),
        overalls=overalls,
        spread=_spread([overall for overall in overalls if overall is not None]),
        criterion_spreads=tuple(_spread(column) for column in columns),
        means=tuple(None if mean is None else numbers.half_up(mean, places=PLACES) for mean in means),
        overall=_weighted(means, shares) if counted else None,
        disputed=(),
        counted=counted,
        needed=needed,
    )


def _overall(row: Row, shares: Sequence[Fraction]) -> Decimal:
    weighted = sum((Fraction(score) * shares[index] for index, score in row.items()), Fraction(0))
    return numbers.half_up(weighted, places=COMPARED_PLACES)


def _weighted(means: Sequence[Fraction | None], shares: Sequence[Fraction]) -> Decimal:
    parts = ((mean or Fraction(0)) * share for mean, share in zip(means, shares, strict=True))
    return numbers.half_up(sum(parts, Fraction(0)), places=PLACES)


def _spread(values: Sequence[Decimal]) -> Decimal | None:
    return max(values) - min(values) if values else None


def _willing(ballots: Sequence[Ballot], debate_round: int, policy: Policy) -> bool:
    if debate_round == 0:
        return policy.early_exit
    return all(ballot.accepts is True for ballot in ballots)


def _reasons(check: Check, *, willing: bool, policy: Policy) -> tuple[Reason, ...]:
    checks = {
        Reason.SPREAD: _beyond(check.spread, policy.spread),
        Reason.CRITERION_SPREAD: any(_beyond(spread, policy.criterion_spread) for spread in check.criterion_spreads),
        Reason.NOT_ACCEPTED: not willing,
    }
    return tuple(reason for reason, applies in checks.items() if applies)


def _beyond(spread: Decimal | None, limit: Decimal) -> bool:
    return spread is not None and spread > limit
