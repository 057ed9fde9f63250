"""A panel on paper: one report per judge, and the final report. The same minutes always give the same bytes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LONGEST_NAME = 60
RECOMMENDED = {"pass": "Pass", "needs_revision": "Needs revision", "fail": "Fail"}
REASONS = {
    "quorum_lost": "too few judges could be read",
    "spread": "the overall scores lie too far apart",
    "criterion_spread": "the scores of a criterion lie too far apart",
    "not_accepted": "not every judge accepts the result",
}
REFUSED = {"no_quote": "no passage was quoted", "not_in_subject": "the subject does not say what was quoted"}


def file_name(*, title: str, date: str, part: str, number: int = 1) -> str:
    """Return the name of one paper, such as ``soil-probes-2026-11-21.1.md``; ``number`` tells repetitions apart."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME].strip("-") or "subject"
    again = f"-{number}" if number > 1 else ""
    return f"{slug}-{date}{again}.{part}.md"


def judge_report(*, document: Mapping[str, Any], judge: str) -> str:
    """Return the report of one judge: its sections in order.

    Source: docs/reference/panels.md#reports
    """
    seat = next(one for one in document["judges"] if one["name"] == judge)
    spoken = f"{seat['provider']} {seat['model']}".strip()
    lines = [f"Done by {judge}", "", f"# {line(document['title'])}", "", f"Task: {line(document['task'])}", ""]
    lines += [f"Judged with: {spoken}" + (f", reading for {seat['strategy']}" if seat["strategy"] else ""), ""]
    for played in document["rounds"]:
        section = played["sections"].get(judge)
        title = "Independent analysis" if played["number"] == 0 else f"Debate round {played['number']}"
        lines += [f"## {title}", ""]
        lines += _section(section) if section else ["This judge could not be read in this round.", ""]
    return "\n".join(lines).rstrip() + "\n"


def final_report(*, document: Mapping[str, Any]) -> str:
    """Return the final report of a panel.

    Source: docs/reference/panels.md#reports
    """
    outcome = document["outcome"]
    lines = [f"# {line(document['title'])}: final report", "", f"Task: {line(document['task'])}", ""]
    if outcome is None:
        return "\n".join([*lines, "No round has been judged.", ""])
    lines += [*_verdict(outcome), "", "## Scores", "", *_table(document), "", *_left_out(document)]
    lines += ["## What all judges share", "", *_shared(document), "## Main disagreements", "", *_gaps(document)]
    lines += ["## Before and after the debate", "", *_before_and_after(document), ""]
    if document.get("words"):
        lines += ["## In words", "", line(document["words"]), ""]
    return "\n".join(lines).rstrip() + "\n"


def spoken(*, section: Mapping[str, Any]) -> str:
    """Return one section as a judge speaks it in the transcript."""
    return "\n".join(_section(section)).strip()


def line(text: str) -> str:
    """Return foreign words on one line, so that they cannot begin a heading or a table of ours."""
    squeezed = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", squeezed)


def _quote_lines(quotes: Iterable[Mapping[str, Any]]) -> list[str]:
    return [f"> {line(quote['text'])}" + ("" if quote["spans"] else " (**not in the subject**)") for quote in quotes]


def _section(section: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if section["kind"] == "analysis":
        for row in section["criteria"]:
            lines += _criterion(row)
        lines += _questions(section["questions"])
        lines += [*_bullets("Strengths", section["strengths"]), *_bullets("Weaknesses", section["weaknesses"])]
    else:
        for row in section["sections"]:
            lines += _argument(row)
        agrees = ", ".join(section["agrees_with"]) or "nobody"
        lines += [f"Accepts the result: {'yes' if section['accepts'] else 'no'}. Agrees with: {agrees}.", ""]
    return [*lines, f"Overall: **{section['overall']}**", ""]


def _criterion(row: Mapping[str, Any]) -> list[str]:
    lines = [f"### {line(row['criterion'])}: {row['score']}", "", *_quote_lines(row["quotes"])]
    lines += ["", line(row["reasoning"]), ""]
    if row["improvement"]:
        lines += [f"Improvement: {line(row['improvement'])}", ""]
    revision = row.get("revision")
    if revision:
        held = f"not taken: {REFUSED[revision['refused']]}" if revision["refused"] else "taken"
        said = f"Revision from {row['given']} to {revision['score']}, {held}. {line(revision['because'])}"
        lines += [said, "", *_quote_lines(revision["quotes"]), ""]
    return lines


def _questions(questions: Sequence[Mapping[str, str]]) -> list[str]:
    lines = ["### Questions to myself", ""]
    for number, one in enumerate(questions, start=1):
        lines += [f"{number}. {line(one['question'])}", f"   {line(one['answer'])}"]
    return [*lines, ""]


def _argument(row: Mapping[str, Any]) -> list[str]:
    moved = row["score"] != row["own_score"]
    change = f"revised to {row['score']}" if moved else "maintained"
    if row["refused"]:
        change = f"maintained; a revision to {row['wanted']} was not taken: {REFUSED[row['refused']]}"
    return [
        f"### {line(row['criterion'])}: {row['own_score']} against {row['other_score']} of {row['other']}",
        "",
        f"Defence: {line(row['defence'])}",
        "",
        *([f"Challenge: {line(row['challenge'])}", ""] if row["challenge"] else []),
        f"Score {change}. {line(row['because'])}",
        "",
        *_quote_lines(row["quotes"]),
        *([""] if row["quotes"] else []),
    ]


def _bullets(title: str, texts: Sequence[str]) -> list[str]:
    return [f"### {title}", "", *(f"* {line(text)}" for text in texts), ""] if texts else []


def _verdict(outcome: Mapping[str, Any]) -> list[str]:
    rounds = outcome["round"]
    after = "without a debate" if rounds == 0 else f"after {rounds} debate round{'s' if rounds > 1 else ''}"
    if outcome["agreed"]:
        return [
            f"**Consensus** {after}: overall **{outcome['overall']}** of 5.",
            "",
            f"Recommendation: **{RECOMMENDED[outcome['recommendation']]}**.",
        ]
    disputed = ", ".join(line(code) for code in outcome["disputed"])
    return [
        f"**No consensus** {after}: {REASONS[outcome['reason']]}.",
        "",
        f"In dispute: {disputed}. A person must decide.",
    ]


def _table(document: Mapping[str, Any]) -> list[str]:
    judges = [one["name"] for one in document["judges"]]
    rows = [["Criterion", "Share", *judges, "Mean", "Final"]]
    for one in document["criteria"]:
        given = [one["scores"].get(name) or "-" for name in judges]
        final = f"{one['final']} (decided by a person)" if one["override"] else one["final"] or "-"
        rows.append([line(one["name"]), one["share"], *given, one["mean"] or "-", final])
    overalls = [one["overall"] or "could not be read" for one in document["judges"]]
    rows.append(["**Overall**", "", *overalls, document["outcome"]["overall"] or "-", ""])
    return [_row(rows[0]), _row(["---"] * len(rows[0])), *(_row(row) for row in rows[1:])]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _left_out(document: Mapping[str, Any]) -> list[str]:
    said = [
        f"{line(one['name'])} does not apply: {line(one['notApplicable'])} Its weight is shared out among the others."
        for one in document["criteria"]
        if one["notApplicable"]
    ]
    return [*said, ""] if said else []


def _shared(document: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for title, name in (("Strengths", "strengths"), ("Weaknesses", "weaknesses")):
        listed = [_with_quotes(one["name"], one["quotes"]) for one in document[name]]
        lines += [f"{title}:", "", *(listed or ["* none that every judge names"]), ""]
    return lines


def _with_quotes(name: str, quotes: Sequence[str]) -> str:
    said = "; ".join(f"\u201c{line(quote)}\u201d" for quote in quotes)
    return f"* {line(name)}" + (f": {said}" if said else "")


def _gaps(document: Mapping[str, Any]) -> list[str]:
    if not document["disagreements"]:
        return ["None of more than the allowed spread.", ""]
    lines: list[str] = []
    for one in document["disagreements"]:
        low, high = one["between"]
        ended = f"closed to {one['left']}" if one["closed"] else f"stands at {one['left']}"
        lines.append(f"* {line(one['criterion'])}: {one['gap']} between {low} and {high}; {ended}.")
        lines += [
            f"  * Round {move['round']}, {move['judge']}: {move['from']} to {move['to']}. {line(move['because'])}"
            for move in one["moves"]
        ]
    return [*lines, ""]


def _before_and_after(document: Mapping[str, Any]) -> list[str]:
    first, last = document["first"], document["outcome"]
    spoken = (("Independent analysis", first), ("Now", last))
    rows = [
        [name, one["overall"] or "-", one["spread"] or "-", "yes" if one["agreed"] else "no"] for name, one in spoken
    ]
    return [_row(["", "Overall", "Spread", "Agreed"]), _row(["---"] * 4), *(_row(row) for row in rows)]
