"""Texts out of files: uploaded, as UTF-8 or PDF, or named on the command line, alone or as a folder; put together, each
under the name of its file. What cannot be read, or not in time, holds no text, or is too long raises ``Invalid``,
naming it.
"""

import codecs
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from debates.errors import Invalid
from debates.text_file import decoded, text_in
from judging.formats import pdf_text
from judging.formats.spec import LONGEST_SUBJECT, LONGEST_TITLE
from judging.providers.scripted import LONGEST_SCRIPT
from judging.rules.options import HALVES
from judging.rules.quotes import header

MOST_BYTES = 4 * LONGEST_SUBJECT
MOST_FILES = 50
READER = (sys.executable, "-I", pdf_text.__file__)
READING = threading.BoundedSemaphore(2)
"""How many PDFs a process of the site has read at once."""
SECONDS_TOGETHER = pdf_text.MOST_SECONDS + 5
"""For which one request has its PDFs read, however many: its thread answers nobody else meanwhile."""
BUSY_SECONDS = 1
MOST_ANSWER = 12 * pdf_text.MOST_CHARACTERS
"""Bytes of an answer: a character is written with six, or twice six."""
UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)])
"""No row holds these: NUL, and halves of characters."""


def read(files: Sequence[UploadedFile]) -> str:
    """Return the text of the only file, or of all, each under its name."""
    if len(files) > MOST_FILES:
        raise Invalid(f"At most {MOST_FILES} files are read at once; got {len(files)}.")
    until = time.monotonic() + SECONDS_TOGETHER
    return together([(name_of(file), text_of(file, until=until)) for file in files])


def together(texts: Sequence[tuple[str, str]]) -> str:
    """Return the only text, or all, each under its name."""
    if len(texts) == 1:
        return texts[0][1]
    whole = "\n\n".join(f"{header(name)}\n\n{text}" for name, text in texts)
    if len(whole) > LONGEST_SUBJECT:
        raise Invalid(f"The files have {len(whole)} characters together; at most {LONGEST_SUBJECT} are allowed.")
    return whole


def name_of(file: UploadedFile) -> str:
    return str(file.name or "file")[:100]


def text_of(file: UploadedFile, *, until: float) -> str:
    """Return the text of a file.

    Units: ``until`` as ``time.monotonic`` counts.
    """
    name = name_of(file)
    is_pdf = name.lower().endswith(".pdf")
    text = text_of_pdf(file, name=name, until=until) if is_pdf else text_in(file, name=name, most=MOST_BYTES)
    if not text.strip():
        raise Invalid(f"{name} holds no text; it may be pictures of pages.")
    if len(text) > LONGEST_SUBJECT:
        raise Invalid(f"{name} is too long: it has {len(text)} characters; at most {LONGEST_SUBJECT} are allowed.")
    return text


def text_of_pdf(file: UploadedFile, *, name: str, until: float) -> str:
    """Return the words of a PDF, page by page."""
    if (file.size or 0) > (most := pdf_text.MOST_BYTES):
        raise Invalid(f"{name} is too large: it has {file.size} bytes, and at most {most} are read.")
    answer = read_apart(file.read(), until=until)
    match answer.get("refused"):
        case "locked":
            raise Invalid(f"{name} is locked with a password. Upload it without one, or paste its text.")
        case "pages":
            most = pdf_text.MOST_PAGES
            raise Invalid(f"{name} is too long: it has {answer['count']} pages; at most {most} are read.")
        case "slow":
            many = answer["count"]
            raise Invalid(f"{name} is too long: only {many} of its pages were read. Paste its text instead.")
        case "busy":
            raise Invalid(f"{name} was not read: too many PDFs are being read now. Try again in a minute.")
        case "late":
            raise Invalid(f"{name} was not read in time. Upload fewer files at once, or paste their text.")
        case "broken":
            raise Invalid(f"{name} cannot be read as a PDF. Paste its text instead.")
    return "\n\n".join(text.strip() for text in answer["pages"] if text.strip()).translate(UNSTORABLE)


def read_apart(raw: bytes, *, until: float) -> dict[str, Any]:
    """Return what a process of its own answers about a PDF; one that is killed, or says too much, found it broken.

    Shape: as ``pdf_text.answer_to``; {"refused": "busy"} where as many as may are being read already, "late" where
    nothing is left of the time.
    """
    if not READING.acquire(timeout=BUSY_SECONDS):
        return {"refused": "busy"}
    try:
        with subprocess.Popen(READER, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={}, cwd="/") as reader:  # noqa: S603 -- a program of ours
            timer = threading.Timer(max(until - time.monotonic(), 0), reader.kill)
            timer.start()
            try:
                assert reader.stdin is not None and reader.stdout is not None  # noqa: S101, PT018 -- both are pipes
                with suppress(BrokenPipeError), reader.stdin as pipe:
                    pipe.write(raw)
                said = reader.stdout.read(MOST_ANSWER)
            finally:
                timer.cancel()
                reader.kill()
    finally:
        READING.release()
    try:
        answer = json.loads(said)
    except ValueError:
        answer = None
    if isinstance(answer, dict):
        return answer
    return {"refused": "broken" if time.monotonic() < until else "late"}


class ManyFiles(forms.ClearableFileInput):
    """A field of a page in which several files can be chosen."""

    allow_multiple_selected = True
    template_name = "django/forms/widgets/input.html"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        return files.getlist(name) if hasattr(files, "getlist") else [files[name]] if name in files else []


class TextUpload(forms.FileField):
    """Files that are read as one text."""

    widget: type[forms.ClearableFileInput] = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> str:
        """Return the text, empty where no file was chosen."""
        try:
            return self.text_in(data) if data else ""
        except Invalid as refusal:
            raise forms.ValidationError(refusal.message, code=refusal.code) from refusal

    def text_in(self, data: Any) -> str:
        return read(data)


class ScriptUpload(TextUpload):
    """A text file with the answers of a script, as it is; what stands in it is read with the rest of a request."""

    widget = forms.ClearableFileInput

    def text_in(self, data: Any) -> str:
        return text_in(data, name=name_of(data), most=4 * LONGEST_SCRIPT)


# -- files and folders that commands read ------------------------------------------------------------------------------


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
    """Return the text of a file."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise Invalid(f"{what}: {path} cannot be read: {error.strerror}.") from error
    text = decoded(raw, name=f"{what}: {path}")
    if len(text) > longest:
        raise Invalid(f"{what}: {path} has {len(text)} characters; at most {longest} are allowed.")
    return text


def read_paths(paths: Sequence[str]) -> Subject:
    """Return the text of some files and folders; of several files, each under its path below what holds them all."""
    texts: dict[Path, str] = {}
    left: list[str] = []
    for path in paths:
        if Path(path).is_dir():
            folder_texts, out = of_folder(Path(path))
            texts |= folder_texts
            left += out
        else:
            texts[Path(path).resolve()] = words_of(path, what="file", longest=LONGEST_SUBJECT)
    return Subject(
        title=title_of(paths), text=together(list(zip(names_of(texts), texts.values(), strict=True))), left_out=left
    )


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
    """Return the text of every file below a folder, in the order of their names, and what was left out, with why."""
    texts: dict[Path, str] = {}
    left: list[str] = []
    for path, why in below(folder):
        text = "" if why else text_of_path(path)
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
    """Return everything below a folder in the order of names, each with why it is left out, if it is."""
    waiting = [folder]
    while waiting:
        entry = waiting.pop()
        if HALVES.search(str(entry.relative_to(folder))):
            yield Path(HALVES.sub("?", str(entry))), "a name that is not UTF-8"
        elif entry != folder and entry.name.startswith("."):
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


def text_of_path(path: Path) -> str | None:
    """Return the text of a file; nothing where it is not UTF-8 text. What is far too long is not read to its end."""
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
