"""Labels that people gave, read from CSV: texts with numbers, or pairs of texts of which one is preferred. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from debates.errors import Invalid
from judging.rules.calibration import Preferred
from scoring.rules.numbers import decimal_of

TEXTS, PAIRS = ("text", "label"), ("first", "second", "preferred")
GROUP = "group"
COLUMNS = "text,label or first,second,preferred; and group, if there is one"
SEPARATORS = (",", ";", "\t")
LARGEST = Decimal(10) ** 9
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


def read(text: str, *, longest: int) -> Labelled:
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
    label = decimal_of(number, name=f"line {line}: label", low=-LARGEST, high=LARGEST, places=12)
    return LabelledText(words_of(row, "text", line=line, longest=longest), label, row.get(GROUP, "").strip())


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
