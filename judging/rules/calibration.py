"""How well a judge follows the labels of people, which are read from CSV: rank correlation, right pairs, kappa; length
beside each. Pure.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from math import isqrt
from typing import TypeVar

from debates.errors import Invalid
from judging.rules.agreement import LEAST_UNITS, RESAMPLES, luck, middle_ranks, shown
from judging.rules.text_probes import Expected

T = TypeVar("T")
Value = Fraction | None
HALF = Fraction(1, 2)
ROOT_PLACES = 12
"""Decimal places to which a root is taken; what is shown has six."""


class Preferred(StrEnum):
    """Which of two texts is the better one."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic with what 95 % of the resamples lie between.

    Shape: ``value`` is ``None`` where nothing varies; ``low`` and ``high`` are where there is too little to resample.
    """

    value: Decimal | None
    low: Decimal | None = None
    high: Decimal | None = None


@dataclass(frozen=True, slots=True)
class BesideLength:
    """A statistic of the judge, the same of the number of words, and the first less the second."""

    judge: Estimate
    length: Estimate
    gain: Estimate


# Texts to which people gave numbers.


@dataclass(frozen=True, slots=True)
class RatedText:
    """A text with the label of people, the score of the judge, and its number of words."""

    label: Decimal
    score: Fraction | int
    length: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class TextFigures:
    """How the scores of texts follow their labels.

    Shape: ``groups`` is 0 where there are none; ``uncompared`` counts texts of groups whose labels are all equal, one
    text among them: nothing is in any figure of them, nor in ``texts`` and ``groups``.
    """

    texts: int
    groups: int
    uncompared: int
    correlation: BesideLength
    kappa: BesideLength


@dataclass(frozen=True, slots=True)
class _Ranked:
    """What one group of texts adds: rank correlations, and how often the better half of labels is that of others."""

    texts: int
    judge: Value
    length: Value
    by_judge: Counter[tuple[Hashable, Hashable]]
    by_length: Counter[tuple[Hashable, Hashable]]


def of_texts(rated: Sequence[RatedText], *, seed: int, resamples: int = RESAMPLES) -> TextFigures:
    """Return how well scores follow labels, over all texts, or within groups where the texts have any.

    Source: docs/reference/agreement.md#against-labels
    """
    # Only the order of scores counts, and a thousand resamples compare whole numbers faster than fractions.
    places = {score: place for place, score in enumerate(sorted({text.score for text in rated}))}
    rated = [replace(text, score=places[text.score]) for text in rated]
    groups = grouped(rated, [text.group for text in rated])
    compared = [group for group in groups if len({text.label for text in group}) > 1]
    if len(groups) > 1:
        ranked = [_ranked(group) for group in compared]
        estimates = estimated(ranked, figures=_of_ranked, seed=seed, resamples=resamples)
    else:
        texts = [*chain.from_iterable(compared)]
        estimates = estimated(texts, figures=lambda drawn: _of_ranked([_ranked(drawn)]), seed=seed, resamples=resamples)
    return TextFigures(
        texts=sum(map(len, compared)),
        groups=len(compared) if len(groups) > 1 else 0,
        uncompared=len(rated) - sum(map(len, compared)),
        correlation=BesideLength(*estimates[:3]),
        kappa=BesideLength(*estimates[3:]),
    )


def _ranked(rated: Sequence[RatedText]) -> _Ranked:
    labels, scores = middle_ranks([text.label for text in rated]), middle_ranks([text.score for text in rated])
    lengths = middle_ranks([text.length for text in rated])
    better = [rank > len(rated) + 1 for rank in labels]
    return _Ranked(
        texts=len(rated),
        judge=_followed(labels, scores),
        length=_followed(labels, lengths),
        by_judge=Counter(zip(better, (rank > len(rated) + 1 for rank in scores), strict=True)),
        by_length=Counter(zip(better, (rank > len(rated) + 1 for rank in lengths), strict=True)),
    )


def _followed(labels: Sequence[int], others: Sequence[int]) -> Value:
    """Return 0 where labels differ and what is to follow them does not, as kappa does: both sides count every group."""
    correlation = of_ranks(labels, others)
    return Fraction(0) if correlation is None and len(set(labels)) > 1 else correlation


def _of_ranked(groups: Sequence[_Ranked]) -> list[Value]:
    judge, length = (
        weighted_mean([(group.texts, value) for group, value in zip(groups, values, strict=True)])
        for values in ([group.judge for group in groups], [group.length for group in groups])
    )
    by_judge = beyond_chance(sum((group.by_judge for group in groups), start=Counter()))
    by_length = beyond_chance(sum((group.by_length for group in groups), start=Counter()))
    return [judge, length, less(judge, length), by_judge, by_length, less(by_judge, by_length)]


def of_ranks(ranks: Sequence[int], others: Sequence[int]) -> Value:
    """Return the product-moment correlation of whole numbers; of ranks it is Spearman's. ``None`` where nothing varies.

    Units: exact to 12 places.
    Source: docs/reference/agreement.md#against-labels
    """
    size = len(ranks)
    together = size * sum(rank * other for rank, other in zip(ranks, others, strict=True)) - sum(ranks) * sum(others)
    apart = size * sum(rank * rank for rank in ranks) - sum(ranks) ** 2
    others_apart = size * sum(other * other for other in others) - sum(others) ** 2
    if not apart or not others_apart:
        return None
    scale = 10**ROOT_PLACES
    root = isqrt(together * together * scale * scale // (apart * others_apart))
    return Fraction(root if together > 0 else -root, scale)


# Pairs of texts of which people preferred one.


@dataclass(frozen=True, slots=True)
class RatedPair:
    """Two texts: which one people prefer, which one the judge, and which one is longer.

    Shape: ``orders`` are what the judge preferred with the first text shown first, and with the second; empty where it
    read each text alone.
    """

    label: Preferred
    judge: Preferred
    length: Preferred
    group: str = ""
    orders: tuple[Preferred, ...] = ()


@dataclass(frozen=True, slots=True)
class PairFigures:
    """How the preferences of a judge follow those of people.

    Shape: ``decided`` counts the pairs of which people preferred one, the only ones that can be right; ``tied`` those
    in which the judge prefers neither. ``both_ways`` counts the pairs that were shown in both orders, of which
    ``flips`` is the share that came out otherwise; ``first_shown`` is how often what was shown first was preferred, a
    tie for a half.
    """

    pairs: int
    groups: int
    decided: int
    tied: int
    accuracy: BesideLength
    kappa: BesideLength
    both_ways: int
    flips: Estimate
    first_shown: Estimate


def preferred(first: Fraction | int, second: Fraction | int) -> Preferred:
    """Return which of two numbers is the greater."""
    if first == second:
        return Preferred.TIE
    return Preferred.FIRST if first > second else Preferred.SECOND


def of_pairs(rated: Sequence[RatedPair], *, seed: int, resamples: int = RESAMPLES) -> PairFigures:
    """Return how well preferences follow those of people; what is resampled are groups, or pairs where there are none.

    Source: docs/reference/agreement.md#against-labels
    """
    groups = grouped(rated, [pair.group for pair in rated])
    counted = [_counted(rows) for rows in (groups if len(groups) > 1 else [[pair] for pair in rated])]
    number_of = {unit: number for number, unit in enumerate(dict.fromkeys(counted))}
    units = list(number_of)
    estimates = estimated(
        [number_of[unit] for unit in counted],
        figures=lambda drawn: _of_drawn(drawn, units=units),
        seed=seed,
        resamples=resamples,
    )
    return PairFigures(
        pairs=len(rated),
        groups=len(groups) if len(groups) > 1 else 0,
        decided=sum(pair.label is not Preferred.TIE for pair in rated),
        tied=sum(pair.judge is Preferred.TIE for pair in rated),
        accuracy=BesideLength(*estimates[:3]),
        kappa=BesideLength(*estimates[3:6]),
        both_ways=sum(bool(pair.orders) for pair in rated),
        flips=estimates[6],
        first_shown=estimates[7],
    )


Answers = tuple[Preferred, Preferred, Preferred, tuple[Preferred, ...]]
_Counted = tuple[tuple[Answers, int], ...]


def _counted(pairs: Sequence[RatedPair]) -> _Counted:
    """Return how often each answer is among some pairs: there are few, so a resample need not walk its pairs."""
    return tuple(Counter((pair.label, pair.judge, pair.length, pair.orders) for pair in pairs).items())


def _of_drawn(drawn: Sequence[int], *, units: Sequence[_Counted]) -> list[Value]:
    counts = Counter[Answers]()
    for at, drawings in Counter(drawn).items():
        for answers, times in units[at]:
            counts[answers] += drawings * times
    by_judge, by_length = Counter[tuple[Hashable, Hashable]](), Counter[tuple[Hashable, Hashable]]()
    turned: list[tuple[int, Value]] = []
    first: list[tuple[int, Value]] = []
    for (label, judge, length, orders), times in counts.items():
        by_judge[label, judge] += times
        by_length[label, length] += times
        if orders:
            turned.append((times, Fraction(orders[0] is not orders[1])))
            first.append((times, (_credit(Preferred.FIRST, orders[0]) + _credit(Preferred.SECOND, orders[1])) / 2))
    accuracy, of_length = _right(by_judge), _right(by_length)
    kappa, kappa_of_length = beyond_chance(by_judge), beyond_chance(by_length)
    return [
        accuracy, of_length, less(accuracy, of_length),
        kappa, kappa_of_length, less(kappa, kappa_of_length),
        weighted_mean(turned), weighted_mean(first),
    ]  # fmt: skip


def _right(counts: Counter[tuple[Hashable, Hashable]]) -> Value:
    return weighted_mean(
        [(times, _credit(label, judged)) for (label, judged), times in counts.items() if label is not Preferred.TIE]
    )


def _credit(label: Hashable, judged: Hashable) -> Fraction:
    return HALF if judged is Preferred.TIE else Fraction(label is judged)


# What figures of texts and of pairs share.


def grouped(rated: Sequence[T], names: Sequence[str]) -> list[list[T]]:
    """Return what belongs together, in the order in which the groups begin."""
    groups: dict[str, list[T]] = {}
    for row, name in zip(rated, names, strict=True):
        groups.setdefault(name, []).append(row)
    return list(groups.values())


def less(value: Value, other: Value) -> Value:
    """Return the difference of two statistics that both exist."""
    return None if value is None or other is None else value - other


def weighted_mean(values: Iterable[tuple[int, Value]]) -> Value:
    """Return the mean of what exists, each with its weight."""
    there = [(weight, value) for weight, value in values if value is not None]
    whole = sum(weight for weight, _ in there)
    return sum((weight * value for weight, value in there), start=Fraction(0)) / whole if whole else None


def beyond_chance(counts: Counter[tuple[Hashable, Hashable]]) -> Value:
    """Return Cohen's kappa of how often each two answers came together; ``None`` where chance explains all of it.

    Source: docs/reference/agreement.md#weighted-kappa
    """
    whole = counts.total()
    rows, columns = Counter[Hashable](), Counter[Hashable]()
    for (answer, other), times in counts.items():
        rows[answer] += times
        columns[other] += times
    by_chance = sum(times * columns[answer] for answer, times in rows.items())
    agreements = sum(times for (answer, other), times in counts.items() if answer == other)
    if by_chance == whole * whole:
        return None
    return Fraction(whole * agreements - by_chance, whole * whole - by_chance)


def estimated(
    units: Sequence[T], *, figures: Callable[[Sequence[T]], list[Value]], seed: int, resamples: int
) -> list[Estimate]:
    """Return statistics with intervals, all from the same resamples, so that differences of them have theirs as well.

    Shape: no interval from fewer than 10 units, or where the statistic exists in fewer than half of the resamples.
    """
    values = figures(units)
    if len(units) < LEAST_UNITS:
        return [Estimate(_shown(value)) for value in values]
    draw, size = luck(seed), len(units)
    drawn = [figures([units[next(draw) % size] for _ in range(size)]) for _ in range(resamples)]
    return [_with_ends(value, column) for value, column in zip(values, zip(*drawn, strict=True), strict=True)]


def _with_ends(value: Value, drawn: Sequence[Value]) -> Estimate:
    there = sorted(statistic for statistic in drawn if statistic is not None)
    if value is None or 2 * len(there) < len(drawn):
        return Estimate(_shown(value))
    low, high = there[len(there) * 25 // 1000], there[min(len(there) - 1, len(there) * 975 // 1000)]
    return Estimate(shown(value), low=shown(low), high=shown(high))


def _shown(value: Value) -> Decimal | None:
    return None if value is None else shown(value)


def drawn_rows(count: int, *, of: int, seed: int) -> list[int]:
    """Return which rows a sample takes, in their order; all of them where there are no more than that."""
    rows, draw = list(range(of)), luck(seed)
    for at in range(min(count, of)):
        other = at + next(draw) % (of - at)
        rows[at], rows[other] = rows[other], rows[at]
    return sorted(rows[:count])


# What probes did to scores.


@dataclass(frozen=True, slots=True)
class ProbeFigure:
    """What one way to write texts otherwise did to their scores.

    Units: ``mean`` is the mean change and ``most`` the size of the largest, in points of the judge's scale; ``held``
    says whether it stayed within what is allowed: no change by more than 0.1, or no rise by more than 0.15 at the mean.
    """

    name: str
    expected: Expected
    texts: int
    mean: Decimal
    most: Decimal
    held: bool


MOST_CHANGE = Fraction(1, 10)
MOST_GAIN = Fraction(15, 100)


def of_probe(changes: Sequence[Fraction], *, name: str, expected: Expected) -> ProbeFigure:
    """Return what a probe did, from how much the score of each text changed; at least one."""
    mean = sum(changes, start=Fraction(0)) / len(changes)
    most = max(abs(change) for change in changes)
    held = most <= MOST_CHANGE if expected is Expected.SAME else mean <= MOST_GAIN
    return ProbeFigure(name, expected, texts=len(changes), mean=shown(mean), most=shown(most), held=held)


# -- labels that people gave, read from CSV ----------------------------------------------------------------------------


TEXTS, PAIRS = ("text", "label"), ("first", "second", "preferred")
GROUP = "group"
COLUMNS = "text,label or first,second,preferred; and group, if there is one"
SEPARATORS = (",", ";", "\t")
LARGEST = Decimal(10) ** 9
LONGEST_LABEL = 100
DIGITS = Context(prec=15)
MOST_ROWS = 20_000
LEAST_ROWS = 3


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text and the number that people gave it; ``group`` says with which others it may be compared."""

    text: str
    label: Decimal
    group: str = ""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two texts and which one people prefer."""

    first: str
    second: str
    preferred: Preferred
    group: str = ""


Labelled = Sequence[LabelledText] | Sequence[LabelledPair]


def read_labels(text: str, *, longest: int) -> Labelled:
    """Return the rows of a CSV file, in their order.

    Shape: a header line names the columns ``text`` and ``label``, or ``first``, ``second`` and ``preferred``, and
    perhaps ``group``, in any order; between them are commas, semicolons or tabs. ``longest`` is how many characters a
    text may have.
    Raises: ``Invalid`` naming the line, what was wrong and what would be right.
    """
    header = text.split("\n", 1)[0]
    columns, separator = columns_of(header)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # what is too long is told of as what it is, below
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    texts: list[LabelledText] = []
    pairs: list[LabelledPair] = []
    begins = 1
    try:
        next(reader)
        begins = reader.line_num + 1
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if any(cell.strip() for cell in cells):
                row = row_of(cells, columns=columns, line=line)
                if "text" in row:
                    texts.append(text_of(row, line=line, longest=longest))
                else:
                    pairs.append(pair_of(row, line=line, longest=longest))
    except csv.Error as error:
        raise Invalid(f"line {begins}: it is not CSV that can be read: {error}.") from error
    if not LEAST_ROWS <= len(texts or pairs) <= MOST_ROWS:
        raise Invalid(f"it has {len(texts or pairs)} rows below its header; {LEAST_ROWS} to {MOST_ROWS} are measured.")
    return texts or pairs


def columns_of(header: str) -> tuple[list[str], str]:
    """Return what the columns are called, and what stands between them.

    Raises: ``Invalid`` where the names are not those of texts or of pairs.
    """
    for separator in SEPARATORS:
        names = [name.strip().strip('"').lower() for name in header.lstrip("\ufeff").split(separator)]
        if {*names} - {GROUP} in ({*TEXTS}, {*PAIRS}) and len({*names}) == len(names):
            return names, separator
    raise Invalid(f"line 1: the header must be {COLUMNS}; got {header.strip()[:80]!r}.")


def row_of(cells: Sequence[str], *, columns: Sequence[str], line: int) -> Mapping[str, str]:
    """Return the cells of a row by their columns.

    Raises: ``Invalid`` where there are more or fewer than columns.
    """
    if len(cells) != len(columns):
        raise Invalid(
            f"line {line}: it has {len(cells)} cells and the header has {len(columns)}; put quotation marks around a "
            "text that has the separator, a quotation mark or a line break in it."
        )
    return dict(zip(columns, cells, strict=True))


def text_of(row: Mapping[str, str], *, line: int, longest: int) -> LabelledText:
    """Return a text with its number.

    Raises: ``Invalid``.
    """
    number = row["label"].strip()
    if "," in number:
        raise Invalid(f"line {line}: label must be a number with a point, such as 2.5; got {number[:40]!r}.")
    label = label_of(number)
    if label is None:
        raise Invalid(f"line {line}: label must be a number from {-LARGEST} to {LARGEST}; got {number[:40]!r}.")
    return LabelledText(words_of(row, "text", line=line, longest=longest), label, row.get(GROUP, "").strip())


def label_of(written: str) -> Decimal | None:
    """Return a label as a program may write it, an exponent too; ``None`` where it is no number within bounds.

    Units: 15 digits count, as many as a binary float keeps, so that means that are equal stay so.
    """
    if len(written) > LONGEST_LABEL or "_" in written:
        return None
    try:
        label = DIGITS.create_decimal(written)
    except ArithmeticError:
        return None
    return label if label.is_finite() and abs(label) <= LARGEST else None


def pair_of(row: Mapping[str, str], *, line: int, longest: int) -> LabelledPair:
    """Return two texts and which one is preferred.

    Raises: ``Invalid``.
    """
    side = row["preferred"].strip().lower()
    if side not in [preferred.value for preferred in Preferred]:
        raise Invalid(f"line {line}: preferred must be {', '.join(Preferred)}; got {side[:40]!r}.")
    first, second = (words_of(row, name, line=line, longest=longest) for name in ("first", "second"))
    return LabelledPair(first, second, Preferred(side), row.get(GROUP, "").strip())


def words_of(row: Mapping[str, str], name: str, *, line: int, longest: int) -> str:
    """Return a cell that holds a text.

    Raises: ``Invalid`` where it is empty or too long.
    """
    text = row[name].strip()
    if not text:
        raise Invalid(f"line {line}: {name} is empty; a judge needs something to read.")
    if len(text) > longest:
        raise Invalid(f"line {line}: {name} has {len(text)} characters; at most {longest} are judged.")
    return text
