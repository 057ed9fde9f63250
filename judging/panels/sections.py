"""One section of a judge's report on paper: what was judged alone, or what was said in a debate round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judging.panels.telling import short

REFUSED = {"no_quote": "no passage was quoted", "not_in_subject": "the subject does not say what was quoted"}


def spoken(*, section: Mapping[str, Any]) -> str:
    """Return one section as a judge speaks it in the transcript."""
    return "\n".join(lines_of(section, {})).strip()


def line(text: str) -> str:
    """Return foreign words on one line, so that they cannot begin a heading or a table of ours."""
    squeezed = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", squeezed)


def _quote_lines(quotes: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return quotes, each a paragraph of its own."""
    said = [f"> {line(quote['text'])}" + ("" if quote["spans"] else " (**not in the subject**)") for quote in quotes]
    return [row for one in said for row in (one, "")]


def lines_of(section: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """Return one section of a report, line by line; criteria are named by ``names``, else by their codes."""
    lines: list[str] = []
    if section["kind"] == "analysis":
        for row in section["criteria"]:
            lines += _criterion(row, names)
        lines += _questions(section["questions"])
        lines += [*_bullets("Strengths", section["strengths"]), *_bullets("Weaknesses", section["weaknesses"])]
    else:
        for row in section["sections"]:
            lines += _argument(row, names)
        lines += [] if section["sections"] else ["Nothing was left to talk about.", ""]
        agrees = ", ".join(section["agrees_with"]) or "nobody"
        lines += [f"Accepts the result: {'yes' if section['accepts'] else 'no'}. Agrees with: {agrees}.", ""]
    return [*lines, f"Overall: **{short(section['overall'])}**", ""]


def _named(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return line(names.get(row["criterion"], row["criterion"]))


def _criterion(row: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    lines = [f"### {_named(row, names)}: {row['score']}", "", *_quote_lines(row["quotes"])]
    lines += [line(row["reasoning"]), ""]
    if row["improvement"]:
        lines += [f"Improvement: {line(row['improvement'])}", ""]
    revision = row.get("revision")
    if revision:
        held = f"not taken: {REFUSED[revision['refused']]}" if revision["refused"] else "taken"
        said = f"Revision from {row['given']} to {revision['score']}, {held}. {line(revision['because'])}"
        lines += [said, "", *_quote_lines(revision["quotes"])]
    return lines


def _questions(questions: Sequence[Mapping[str, str]]) -> list[str]:
    lines = ["### Questions to myself", ""]
    for number, one in enumerate(questions, start=1):
        lines += [f"{number}. {line(one['question'])}", f"   {line(one['answer'])}"]
    return [*lines, ""]


def _argument(row: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    moved = row["score"] != row["own_score"]
    change = f"revised to {row['score']}" if moved else "maintained"
    if row["refused"]:
        change = f"maintained; a revision to {row['wanted']} was not taken: {REFUSED[row['refused']]}"
    return [
        f"### {_named(row, names)}: {row['own_score']} against {_opponents(row)}",
        "",
        f"Defence: {line(row['defence'])}",
        "",
        *([f"Challenge: {line(row['challenge'])}", ""] if row["challenge"] else []),
        f"Score {change}. {line(row['because'])}",
        "",
        *_quote_lines(row["quotes"]),
    ]


def _opponents(row: Mapping[str, Any]) -> str:
    return " and ".join(f"{opponent['score']} of {opponent['judge']}" for opponent in row["others"])


def _bullets(title: str, texts: Sequence[str]) -> list[str]:
    return [f"### {title}", "", *(f"* {line(text)}" for text in texts), ""] if texts else []
