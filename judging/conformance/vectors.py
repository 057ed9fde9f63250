"""Files of worked numbers: finding them, reading them, and saying what is wrong with one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

from scoring.errors import DomainError

NOTES = frozenset({"id", "expect", "note", "title", "source", "why"})
"""Keys of a case that no rule reads."""


class BadVectors(DomainError):
    """A file is no file of vectors; the message names the file and what is wrong in it."""

    code = "bad_vectors"


class Node:
    """One object of a file. It knows its place, so that whatever is wrong with it can be found."""

    def __init__(self, *, file: Path, where: str, data: object) -> None:
        if not isinstance(data, Mapping):
            raise BadVectors(f"{file}: {where} must be an object.")
        self.file = file
        self.where = where
        self.data: Mapping[str, Any] = data
        self.read: set[str] = set()
        self.children: list[Node] = []

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __getitem__(self, key: str) -> Any:
        if key not in self.data:
            raise BadVectors(f"{self.file}: {self.where} has no key {key!r}.")
        self.read.add(key)
        return self.data[key]

    def get(self, key: str, default: object = None) -> Any:
        return self[key] if key in self.data else default

    def wrong(self, key: str, must: str) -> BadVectors:
        return BadVectors(f"{self.file}: {key!r} of {self.where} {must}.")

    def items(self, key: str) -> list[Any]:
        value = self[key]
        if not isinstance(value, list):
            raise self.wrong(key, "must be a list")
        return value

    def lists(self, key: str) -> list[list[Any]]:
        rows = self.items(key)
        if not all(isinstance(row, list) for row in rows):
            raise self.wrong(key, "must be a list of lists")
        return rows

    def flag(self, key: str) -> bool:
        value = self[key]
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def objects(self, key: str) -> dict[str, Node]:
        outer = self.child(f"{key!r} of {self.where}", self[key])
        outer.read.update(outer.data)
        return {name: outer.child(f"{name!r} in {outer.where}", value) for name, value in outer.data.items()}

    def child(self, where: str, data: object) -> Node:
        node = Node(file=self.file, where=where, data=data)
        self.children.append(node)
        return node

    def unread(self) -> list[str]:
        """Return the keys that no rule has read and that are no notes, here and inside."""
        inside = [key for node in self.children for key in node.unread()]
        return sorted({*(set(self.data) - self.read - NOTES), *inside})


def files(*, paths: Iterable[Path]) -> list[Path]:
    """Return the files to run; of a directory all ``*.json`` below it, by name.

    Raises: ``BadVectors`` for a directory without any.
    """
    found: list[Path] = []
    for path in paths:
        below = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not below:
            raise BadVectors(f"{path}: there is no *.json in this directory.")
        found += below
    return found


def load(*, file: Path, kinds: Iterable[str]) -> tuple[str, list[Node]]:
    """Read one file: its kind and its cases.

    Shape: {"kind": word, "cases": [{"id": word, "expect": values, ...}]}; numbers are best given as text.
    Raises: ``BadVectors`` naming the file, and the case and key where one is at fault.
    Source: docs/reference/rules.md#vector-files
    """
    whole = Node(file=file, where="the file", data=_json(file))
    kind = whole["kind"]
    known = sorted(kinds)
    if kind not in known:
        raise BadVectors(f"{file}: unknown kind {kind!r}; known: {', '.join(known)}.")
    cases = [whole.child(f"case {place}", data) for place, data in enumerate(whole.items("cases"), start=1)]
    if not cases:
        raise whole.wrong("cases", "must not be empty")
    for case in cases:
        case.where = f"case {case['id']}"
        if not isinstance(case["expect"], dict | list):
            raise case.wrong("expect", "must be an object or a list")
    return str(kind), cases


def _json(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"), parse_float=Decimal, parse_constant=_no_number)
    except OSError as error:
        raise BadVectors(f"{file}: cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise BadVectors(f"{file}: is not JSON: {error}.") from error


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
