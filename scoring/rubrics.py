"""Rubrics from files and tables, and the snapshot that a debate keeps. Checked before anything is written."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import yaml
from django.db.models import Exists, OuterRef, QuerySet

from debates.decimals import plain
from debates.errors import Invalid, NotFound
from debates.rules import read_json
from scoring.models import Rubric
from scoring.rules.numbers import decimal_of, half_up

TEXTS = ("code", "name", "category", "question", "high", "low")
KEYS = ("slug", "name", "description", "categories", "criteria")
ON_ONE_LINE = frozenset({"slug", "code", "name", "category"})
BREAKS = frozenset({"Cc", "Zl", "Zp"})
LENGTHS = {
    "slug": 50, "name": 120, "description": 4000,
    "code": 20, "category": 60, "question": 4000, "high": 4000, "low": 4000,
}  # fmt: skip
"""How long what is stored may be, in characters; a rubric and its criteria are named alike."""
SLUG = re.compile(r"[-a-zA-Z0-9_]+")
MOST_CRITERIA = 100
HEAVIEST = Decimal(1000)
"""Weights are relative; only their proportions matter."""
LARGEST_FILE = 6_000_000
"""In bytes: the longest rubric in any script."""
DEEPEST = 10
"""How far the parts of a YAML file may lie inside each other; a rubric needs four."""
MOST_PARTS = 100_000
"""How many a YAML file may have, beginnings and ends counted; the longest rubric needs some 1,700."""


def read(text: str) -> dict[str, Any]:
    """Return a rubric snapshot from the JSON or YAML of a rubric file.

    Shape: {"slug", "name", "description"?, "criteria": [{"code", "name", "category", "question", "high", "low",
    "weight"}]}; weights are decimals written as strings or numbers.
    Raises: ``Invalid`` naming the criterion, the field and what is allowed.
    Source: docs/reference/rubrics.md.
    """
    return checked(parsed(text))


def parsed(text: str) -> object:
    """Return what a rubric file holds, unchecked, with every number as the text it was written as.

    Raises: ``Invalid`` where it is neither JSON nor YAML, or holds a key twice.
    """
    if not text.strip("\ufeff \t\r\n"):
        raise Invalid("The rubric is empty.")
    if text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return read_json(text, name="The rubric", parse_float=str, parse_int=str)
    try:
        _refuse_shape(text)
        return yaml.load(text, Loader=_UniqueKeys)  # noqa: S506 -- of the base loader, which makes texts, lists and maps
    except yaml.YAMLError as error:
        raise Invalid(f"The rubric is not YAML that can be read: {_fault(error)}.") from error


class _UniqueKeys(yaml.CBaseLoader):
    """YAML with every scalar as the text it was written as, and no key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 -- PyYAML's signature
        met: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in met:
                raise _refused(f"the key {name[:80]!r} stands twice", key.start_mark)
            met.add(name)
        return super().construct_mapping(node, deep=deep)


def _refuse_shape(text: str) -> None:
    """Refuse what lies too deep, refers to itself, or has too many parts, before anything is made of it."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.CBaseLoader), start=1):
        if number > MOST_PARTS:
            raise _refused("a rubric has not so many parts", event.start_mark)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST or isinstance(event, yaml.AliasEvent):
            what = "reference" if depth <= DEEPEST else "parts too deep inside each other"
            raise _refused(f"a rubric has no {what}", event.start_mark)


def _refused(why: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=why, problem_mark=mark)


def _fault(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        return f"it holds a character that no text has, U+{int(error.character):04X}, at position {error.position + 1}"
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"{error.problem}, line {error.problem_mark.line + 1}, column {error.problem_mark.column + 1}"
    return " ".join(str(error).split())


def as_json(rubric: Mapping[str, Any]) -> str:
    """Return a snapshot as a rubric file."""
    return json.dumps(rubric, ensure_ascii=False, indent=2) + "\n"


def as_yaml(rubric: Mapping[str, Any]) -> str:
    """Return a snapshot as a rubric file."""
    reads_back = "\x85" not in as_json(rubric)  # which YAML takes for the end of a line, unless it is escaped
    text: str = yaml.safe_dump(rubric, sort_keys=False, allow_unicode=reads_back, width=100)
    return text


def checked(rubric: object) -> dict[str, Any]:
    """Return a rubric snapshot from what a rubric file holds, already read; numbers in it are text.

    Raises: the first of ``faults``.
    """
    for fault in faults(rubric):
        raise fault
    assert isinstance(rubric, dict)  # noqa: S101 -- or it would have a fault
    return {
        "slug": rubric["slug"].strip(),
        "name": rubric["name"].strip(),
        "description": rubric.get("description") or "",
        "criteria": [
            {**{name: row[name].strip() for name in TEXTS}, "weight": plain(_weight(row, where=""))}
            for row in rubric["criteria"]
        ],
    }


def faults(rubric: object) -> list[Invalid]:
    """Return everything that is wrong with a rubric, in its own order.

    Shape: refusals, each with ``details["pointer"]``: where in the rubric, as JSON Pointer; "" for the whole.
    """
    if not isinstance(rubric, dict):
        return [Invalid("The rubric must be a JSON object with slug, name and criteria.", pointer="")]
    refusals = list(_faults_of_texts(rubric, ("slug", "name"), where="rubric", at=""))
    description = rubric.get("description")
    if isinstance(description, str):
        refusals += _faults_of_text(description, "description", where="rubric", at="")
    elif description is not None:
        refusals.append(Invalid("rubric: description must be a text.", pointer="/description"))
    rows = rubric.get("criteria")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_CRITERIA:
        refusals.append(
            Invalid(f"rubric: criteria must be a list of 1 to {MOST_CRITERIA} criteria.", pointer="/criteria")
        )
        return refusals
    for number, row in enumerate(rows):
        refusals += _faults_of(row, number)
    refusals += _repeated(rows)
    strange = sorted(str(name) for name in rubric if name not in KEYS)
    if strange:
        why = f"rubric: unknown key {strange[0][:80]!r}; known are {', '.join(KEYS)}."
        refusals.append(Invalid(why, pointer=f"/{strange[0][:80]}"))
    if not refusals and rubric.get("categories") is not None:
        refusals += _other_categories(rubric["categories"], weights=category_weights(criteria=rows))
    return refusals


def category_weights(*, criteria: Sequence[Mapping[str, str]]) -> dict[str, Decimal]:
    """Return what each category weighs: the weights of its criteria together."""
    weights: dict[str, Decimal] = {}
    for row in criteria:
        name = row["category"].strip()
        weights[name] = weights.get(name, Decimal(0)) + Decimal(row["weight"])
    return weights


def by_category(rubric: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the categories of a snapshot in the order in which they first come, with what each and its criteria weigh.

    Shape: [{"name", "share", "criteria": [{..., "share"}]}]; shares are percent, as text.
    """
    rows = rubric["criteria"]
    weights = category_weights(criteria=rows)
    total = sum(weights.values())
    return [
        {
            "name": name,
            "share": _percent(weight, of=total),
            "criteria": [
                {**row, "share": _percent(Decimal(row["weight"]), of=total)}
                for row in rows
                if row["category"].strip() == name
            ],
        }
        for name, weight in weights.items()
    ]


def _percent(weight: Decimal, *, of: Decimal | int) -> str:
    share = half_up(weight * 100 / of, places=1)
    return f"{share.normalize():f} %" if share else "under 0.1 %"


def _other_categories(stated: object, *, weights: Mapping[str, Decimal]) -> Iterator[Invalid]:
    if not isinstance(stated, dict) or set(stated) != set(weights):
        yield Invalid(f"rubric: categories must name {', '.join(weights)}, or be left out.", pointer="/categories")
        return
    for name, weight in weights.items():
        where = f"rubric, categories: {name}"
        try:
            said = decimal_of(stated[name], name=where, low=Decimal(0), high=HEAVIEST * MOST_CRITERIA, places=6)
        except Invalid as error:
            error.details["pointer"] = f"/categories/{name}"
            yield error
            continue
        if said != weight:
            yield Invalid(
                f"rubric: category {name} is said to weigh {said}, but its criteria weigh {plain(weight)}.",
                pointer=f"/categories/{name}",
            )


def _faults_of(row: object, number: int) -> Iterator[Invalid]:
    where, at = f"rubric, criterion {number + 1}", f"/criteria/{number}"
    if not isinstance(row, dict):
        yield Invalid(f"{where}: must be an object with {', '.join(TEXTS)} and weight.", pointer=at)
        return
    code = row.get("code")
    where += f" ({code.strip()[:40]})" if isinstance(code, str) and code.strip() and _is_storable(code) else ""
    strange = sorted(repr(str(name)[:80]) for name in row if name not in {*TEXTS, "weight"})
    missing = [name for name in (*TEXTS, "weight") if name not in row]
    if strange or missing:
        wrong = [f"{', '.join(names)} {what}" for names, what in ((missing, "missing"), (strange, "unknown")) if names]
        yield Invalid(f"{where}: {'; '.join(wrong)}. Its keys are {', '.join(TEXTS)}, weight.", pointer=at)
        return
    try:
        _weight(row, where=f"{where}: ")
    except Invalid as error:
        error.details["pointer"] = f"{at}/weight"
        yield error
    yield from _faults_of_texts(row, TEXTS, where=where, at=at)


def _repeated(rows: Sequence[Any]) -> Iterator[Invalid]:
    met = set()
    for number, row in enumerate(rows):
        code = row.get("code") if isinstance(row, dict) else None
        if not isinstance(code, str) or not code.strip() or not _is_storable(code):
            continue
        if code.strip() in met:
            why = f"rubric: the code {code.strip()[:40]} is used more than once."
            yield Invalid(why, pointer=f"/criteria/{number}/code")
        met.add(code.strip())


def _weight(row: Mapping[str, Any], *, where: str) -> Decimal:
    return decimal_of(row.get("weight"), name=f"{where}weight", low=Decimal("0.000001"), high=HEAVIEST, places=6)


def _faults_of_texts(row: Mapping[str, Any], names: Sequence[str], *, where: str, at: str) -> Iterator[Invalid]:
    for name in names:
        value = row.get(name)
        if not isinstance(value, str) or not value.strip():
            yield Invalid(f"{where}: {name} must not be empty.", pointer=f"{at}/{name}")
        else:
            yield from _faults_of_text(value.strip(), name, where=where, at=at)


def _faults_of_text(text: str, name: str, *, where: str, at: str) -> Iterator[Invalid]:
    if not _is_storable(text):
        yield Invalid(f"{where}: {name} has characters that are none.", pointer=f"{at}/{name}")
    elif name in ON_ONE_LINE and any(unicodedata.category(character) in BREAKS for character in text):
        yield Invalid(f"{where}: {name} must hold no line ends and no control characters.", pointer=f"{at}/{name}")
    elif len(text) > LENGTHS[name]:
        why = f"{name} must have at most {LENGTHS[name]} characters; got {len(text)}."
        yield Invalid(f"{where}: {why}", pointer=f"{at}/{name}")
    elif name == "slug" and not SLUG.fullmatch(text):
        why = f"slug must be of letters from a to z, digits, - and _; got {text!r}."
        yield Invalid(f"{where}: {why}", pointer=f"{at}/{name}")


def _is_storable(text: str) -> bool:
    """Say whether a database stores a text: it takes no NUL and no half of a character, which JSON can write."""
    return "\x00" not in text and text == text.encode(errors="ignore").decode()


# What two rubrics differ in.


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one criterion, or of the rubric's own texts: {field: (before, after)}; "" where there is none."""

    kind: Literal["changed", "added", "removed"]
    code: str
    name: str
    fields: Mapping[str, tuple[str, str]]


def differences(*, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """Return what a rubric has otherwise than one before it: of itself, then by criterion, those gone last.

    Shape: criteria are the same where their codes are; ``position`` counts from 1 among those that both have.
    """
    own = _changed(before, after, ("name", "description"))
    changes = [Difference("changed", "", after["name"], own)] if own else []
    old = {row["code"]: row for row in before["criteria"]}
    new = {row["code"]: row for row in after["criteria"]}
    places = {code: number for number, code in enumerate((code for code in old if code in new), start=1)}
    kept = 0
    for code, row in new.items():
        if code not in old:
            changes.append(Difference("added", code, row["name"], {name: ("", row[name]) for name in _SHOWN}))
            continue
        kept += 1
        changed = _changed(old[code], row, _SHOWN)
        if places[code] != kept:
            changed["position"] = (str(places[code]), str(kept))
        if changed:
            changes.append(Difference("changed", code, row["name"], changed))
    gone = [row for code, row in old.items() if code not in new]
    return changes + [
        Difference("removed", row["code"], row["name"], {name: (row[name], "") for name in _SHOWN}) for row in gone
    ]


_SHOWN = ("name", "category", "weight", "question", "high", "low")


def _changed(before: Mapping[str, str], after: Mapping[str, str], names: Sequence[str]) -> dict[str, tuple[str, str]]:
    return {name: (before[name], after[name]) for name in names if before[name] != after[name]}


# Those that are stored.


def newest() -> QuerySet[Rubric]:
    later = Rubric.objects.filter(slug=OuterRef("slug"), version__gt=OuterRef("version"))
    return Rubric.objects.filter(~Exists(later))


def snapshot(*, slug: str) -> dict[str, Any]:
    """Return a stored rubric as a debate keeps it.

    Raises: ``NotFound`` naming the rubrics there are.
    """
    rubric = newest().prefetch_related("criteria").filter(slug=slug).first()
    if rubric is None:
        known = ", ".join(newest().values_list("slug", flat=True)) or "none yet"
        raise NotFound(f"There is no rubric {slug!r}; there are: {known}.")
    return snapshot_of(rubric)


def snapshot_of(rubric: Rubric) -> dict[str, Any]:
    """Return a version of a rubric as a debate that is made with it keeps it."""
    return {
        "slug": rubric.slug,
        "name": rubric.name,
        "description": rubric.description,
        "criteria": [
            {**{name: getattr(row, name) for name in TEXTS}, "weight": plain(row.weight)}
            for row in rubric.criteria.all()
        ],
    }
