"""Files that commands read: one as a text, or files and folders as one, each under its name; and what was left out."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from debates.errors import Invalid
from debates.text_file import decoded
from judging.formats.spec import LONGEST_SUBJECT, LONGEST_TITLE
from judging.rules.quotes import header

MOST_BYTES = 4 * LONGEST_SUBJECT
NAMED = 20


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged. ``left_out`` are files of a folder that are not in it, each with why."""

    title: str
    text: str
    left_out: Sequence[str] = ()

    def told(self) -> str:
        return f"Left out: {listed(self.left_out)}.\n" if self.left_out else ""


def words_of(path: str, *, what: str, longest: int) -> str:
    """Return the text of a file.

    Raises: ``Invalid`` if it is missing, empty, too long or not UTF-8.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise Invalid(f"{what}: {path} cannot be read: {error.strerror}.") from error
    text = decoded(raw, name=f"{what}: {path}")
    if len(text) > longest:
        raise Invalid(f"{what}: {path} has {len(text)} characters; at most {longest} are allowed.")
    return text


def read(paths: Sequence[str]) -> Subject:
    """Return the text of some files and folders; of several files, each under its path below what holds them all.

    Raises: ``Invalid`` if one cannot be read or holds no text, or they are too long together.
    """
    texts: dict[Path, str] = {}
    left: list[str] = []
    for path in paths:
        if Path(path).is_dir():
            folder_texts, out = of_folder(Path(path))
            texts |= folder_texts
            left += out
        else:
            texts[Path(path).resolve()] = words_of(path, what="file", longest=LONGEST_SUBJECT)
    return Subject(title=title_of(paths), text=together(texts), left_out=left)


def together(texts: Mapping[Path, str]) -> str:
    """Return the text of the only file, or of all, each under its name.

    Raises: ``Invalid`` if they are too long together.
    """
    if len(texts) == 1:
        return next(iter(texts.values()))
    whole = "\n\n".join(f"{header(name)}\n\n{text}" for name, text in zip(names_of(texts), texts.values(), strict=True))
    if len(whole) > LONGEST_SUBJECT:
        raise Invalid(f"files: they have {len(whole)} characters together; at most {LONGEST_SUBJECT} are allowed.")
    return whole


def names_of(paths: Mapping[Path, str]) -> list[str]:
    """Return what tells files apart: where they lie does not change how they are judged, and is no judge's business."""
    above = os.path.commonpath([path.parent for path in paths])
    return [path.relative_to(above).as_posix() for path in paths]


def title_of(paths: Sequence[str]) -> str:
    """Return what some files and folders are called together: the first by its path as it was typed, unless that
    tells where on this machine it lies.
    """
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    first = Path(paths[0])
    if first.is_absolute() or not first.parts or ".." in first.parts:
        first = Path(first.resolve().name or first.resolve())
    return f"{first.as_posix()[-LONGEST_TITLE + len(more) :]}{more}"


# -- folders -----------------------------------------------------------------------------------------------------------


def of_folder(folder: Path) -> tuple[dict[Path, str], list[str]]:
    """Return the text of every file below a folder, in the order of their names, and what was left out, with why.

    Raises: ``Invalid`` if something in it cannot be read, there is no text, or too much.
    """
    texts: dict[Path, str] = {}
    left: list[str] = []
    for path, why in below(folder):
        text = "" if why else text_of(path)
        if text:
            texts[path.resolve()] = text
            if sum(map(len, texts.values())) > LONGEST_SUBJECT:
                said = f"has more characters than the {LONGEST_SUBJECT} that are allowed"
                raise Invalid(f"file: {folder} {said}, up to {path.resolve()}.")
        else:
            left.append(f"{path} ({why or ('empty' if text == '' else 'not UTF-8 text')})")
    if not texts:
        raise Invalid(f"file: {folder} is a folder without UTF-8 text" + (f": {listed(left)}." if left else "."))
    return texts, left


def below(folder: Path) -> Iterator[tuple[Path, str]]:
    """Return everything below a folder in the order of names, each with why it is left out, if it is.

    Raises: ``Invalid`` if a folder cannot be read.
    """
    waiting = [folder]
    while waiting:
        entry = waiting.pop()
        if entry != folder and entry.name.startswith("."):
            yield entry, "hidden"
        elif entry != folder and entry.is_symlink():
            yield entry, "a link"
        elif entry.is_dir():
            try:
                waiting += sorted(entry.iterdir(), key=lambda path: path.name, reverse=True)
            except OSError as error:
                raise Invalid(f"file: {entry} cannot be read: {error.strerror}.") from error
        else:
            yield entry, "" if entry.is_file() else "not a file"


def text_of(path: Path) -> str | None:
    """Return the text of a file; nothing where it is not UTF-8 text. What is far too long is not read to its end.

    Raises: ``Invalid`` if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Invalid(f"file: {path} cannot be read: {error.strerror}.") from error
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(raw, final=len(raw) <= MOST_BYTES)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text.strip() and text


def listed(names: Sequence[str]) -> str:
    """Return names with commas between, and how many more there are."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
