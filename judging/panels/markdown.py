"""A panel on paper: one report per judge, and the final report. The same minutes always give the same bytes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from judging.panels import telling
from judging.panels.sections import line, lines_of
from judging.panels.telling import short
from scoring.types import in_places

LONGEST_NAME = 60
RECOMMENDED = {"pass": "Pass", "needs_revision": "Needs revision", "fail": "Fail"}


def file_name(*, title: str, date: str, part: str, number: int = 1) -> str:
    """Return the name of one paper, such as ``soil-probes-2026-11-21.1.md``; ``number`` tells repetitions apart."""
    again = f"-{number}" if number > 1 else ""
    return f"{slug(title)}-{date}{again}.{part}.md"


def slug(title: str) -> str:
    """Return a title as the beginning of a file's name: small letters of ASCII, digits, single dashes between words
    and full stops within them, as in ``src-api-users.ts``.
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"(?:(?<![a-z0-9])\.|\.(?![a-z0-9])|[^a-z0-9.])+", "-", plain)
    return words.strip("-.")[:LONGEST_NAME].strip("-.") or "subject"


def papers(*, document: Mapping[str, Any]) -> dict[str, str]:
    """Return every paper of a panel by its part: the report of each judge by number, and ``final``."""
    reports = {
        str(at): judge_report(document=document, judge=one["name"])
        for at, one in enumerate(document["judges"], start=1)
    }
    return {**reports, "final": final_report(document=document)}


def judge_report(*, document: Mapping[str, Any], judge: str) -> str:
    """Return the report of one judge: its sections in order.

    Source: docs/reference/panels.md#reports
    """
    seat = next(one for one in document["judges"] if one["name"] == judge)
    spoken = f"{seat['provider']} {seat['model']}".strip()
    lines = [
        f"Done by {judge}",
        "",
        f"# {line(document['debate']['title'])}",
        "",
        f"Task: {line(document['task'])}",
        "",
    ]
    lines += [f"Judged with: {spoken}" + (f", reading for {seat['strategy']}" if seat["strategy"] else ""), ""]
    names = {one["code"]: one["name"] for one in document["criteria"]}
    for played in document["rounds"]:
        section = played["sections"].get(judge)
        title = "Independent analysis" if played["number"] == 0 else f"Debate round {played['number']}"
        lines += [f"## {title}", ""]
        lines += lines_of(section, names) if section else ["This judge could not be read in this round.", ""]
        out = ", ".join(line(names[code]) for code in struck_in(document, played["number"]).get(judge, ()))
        lines += [f"Struck by a moderator, and not counted: {out}.", ""] if out else []
    return "\n".join(lines).rstrip() + "\n"


def final_report(*, document: Mapping[str, Any]) -> str:
    """Return the final report of a panel.

    Source: docs/reference/panels.md#reports
    """
    outcome = document["outcome"]
    lines = [f"# {line(document['debate']['title'])}: final report", "", f"Task: {line(document['task'])}", ""]
    if outcome is None:
        return "\n".join([*lines, "No round has been judged.", ""])
    lines += [*_verdict(document), "", *_judged_often(document["fairness"])]
    lines += ["## Scores", "", *_table(document), "", *_left_out(document)]
    lines += [*_disputes(document), "## What the scores rest on", "", *_rests_on(document), ""]
    lines += ["## What all judges share", "", *_shared(document), "## Main disagreements", "", *_gaps(document)]
    lines += ["## Before and after the debate", "", *_before_and_after(document), ""]
    if document["synthesis"]:
        lines += ["## In words", "", *in_words(document["synthesis"])]
    return "\n".join(lines).rstrip() + "\n"


def struck_in(document: Mapping[str, Any], number: int) -> dict[str, list[str]]:
    """Return the criteria on which scores of a round were struck, by judge."""
    found: dict[str, list[str]] = {}
    for one in document["struck"]:
        if one["round"] == number:
            found.setdefault(one["judge"], []).append(one["criterion"])
    return found


def in_words(text: str) -> list[str]:
    """Return closing words in paragraphs and lists."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        head, *listed = [row for row in part.splitlines() if row.strip()] or [""]
        lines += [line(head), "", *(f"* {line(row.removeprefix('- '))}" for row in listed), *([""] if listed else [])]
    return lines


def after(rounds: int) -> str:
    """Return after how much debate, in words."""
    return "without a debate" if rounds == 0 else f"after {rounds} debate round{'s' if rounds > 1 else ''}"


def standing(criterion: Mapping[str, Any]) -> str:
    """Return where a criterion stands, as it is written beside what the judges gave; nothing where it has no score."""
    return in_places(Decimal(criterion["final"])) if criterion["final"] is not None else ""


def _verdict(document: Mapping[str, Any]) -> list[str]:
    outcome = document["outcome"]
    if outcome["agreed"]:
        return [
            f"**Consensus** {after(outcome['round'])}: overall **{outcome['overall']}** of 5.",
            "",
            *_since(document),
            f"Recommendation: **{RECOMMENDED.get(document['now']['recommendation'], 'None')}**.",
        ]
    names = {one["code"]: one["name"] for one in document["criteria"]}
    disputed = ", ".join(line(names[code]) for code in outcome["disputed"])
    return [
        f"**No consensus** {after(outcome['round'])}: {telling.reason(document)}.",
        "",
        *_early(document),
        *_since(document),
        f"In dispute: {disputed}. {_person(document, names)}".rstrip(),
    ]


def _early(document: Mapping[str, Any]) -> list[str]:
    """Say that play ended early, and why."""
    about = document["debate"]
    return [f"It ended early: {telling.early(about['partialReason'])}.", ""] if about["partial"] else []


def _since(document: Mapping[str, Any]) -> list[str]:
    """Say which scores of the newest round were struck since, and what is found without them."""
    names, now = {one["code"]: one["name"] for one in document["criteria"]}, document["now"]
    out = [
        f"{judge} on {', '.join(line(names[code]) for code in codes)}"
        for judge, codes in struck_in(document, now["round"]).items()
    ]
    if not out:
        return []
    ends = "the judges agree" if now["agreed"] else f"no consensus, {telling.NOW_REASONS[now['reason']]}"
    overall = f"overall **{now['overall']}** of 5" if now["overall"] else "no overall"
    return [f"A moderator has struck since: {'; '.join(out)}. Without that: {overall}; {ends}.", ""]


def _person(document: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Say that a person must decide, or what follows from what a person has decided."""
    said = telling.decision(document, {code: line(name) for code, name in names.items()})
    about, decided = document["debate"], document["decided"]
    if about["status"] != "concluded" or about["partial"] or not decided["overall"]:
        return said
    recommended = RECOMMENDED[decided["recommendation"]]
    return f"{said} Overall **{decided['overall']}** of 5; recommendation: **{recommended}**."


def _disputes(document: Mapping[str, Any]) -> list[str]:
    """Return what every judge gives and says where the panel does not agree; nothing where it does."""
    if document["outcome"]["agreed"]:
        return []
    lines = ["## In dispute", ""]
    for one in document["criteria"]:
        if one["code"] in document["outcome"]["disputed"]:
            lines.append(f"* {line(one['name'])}")
            lines += [
                f"  * {name}, {score}: {line(telling.said_on(document, name, one['code'])) or '-'}"
                for name, score in one["scores"].items()
                if score
            ]
    return [*lines, ""]


def _judged_often(fairness: Mapping[str, Any] | None) -> list[str]:
    """Return how often every judge was asked for the same, and how far apart what it gave lies."""
    if fairness is None:
        return []
    orders = ", in both orders" if fairness["swap"] else ""
    lines = [f"Each score was given {fairness['judgements']} times{orders}."]
    for one in fairness["judged"]:
        flips = f"{one['flipped']} of {one['judged']} came to another end in the other order; " if orders else ""
        apart = f"single scores lie {one['meanSpread']} apart on average, {one['largestSpread']} at most."
        lines += [f"{flips}{apart}".capitalize()] if one["judged"] else []
    return [" ".join(lines), ""]


def _table(document: Mapping[str, Any]) -> list[str]:
    judges = [one["name"] for one in document["judges"]]
    struck = struck_in(document, document["now"]["round"])
    rows = [["Criterion", "Share", *judges, "Mean", "Final"]]
    for one in document["criteria"]:
        given = [
            f"{one['scores'].get(name) or '-'}{' (struck)' if one['code'] in struck.get(name, ()) else ''}"
            for name in judges
        ]
        final = standing(one) or "-"
        final += " (decided by a person)" if one["override"] else ""
        rows.append([line(one["name"]), one["share"], *given, one["mean"] or "-", final])
    overalls = [
        f"{short(one['overall']) or 'could not be read'}{' (not compared)' if one['name'] in struck else ''}"
        for one in document["judges"]
    ]
    rows.append(["**Overall**", "", *overalls, document["now"]["overall"] or "-", ""])
    return [_row(rows[0]), _row(["---"] * len(rows[0])), *(_row(row) for row in rows[1:])]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _left_out(document: Mapping[str, Any]) -> list[str]:
    said = [
        f"{line(one['name'])} does not apply: {line(_sentence(one['notApplicable']))} "
        "Its weight is shared out among the others."
        for one in document["criteria"]
        if one["notApplicable"]
    ]
    return [*said, ""] if said else []


def _sentence(words: str) -> str:
    """Return what somebody typed with a full stop, where it has no end of its own."""
    return words if words.rstrip()[-1:] in set(".!?") else f"{words.rstrip()}."


def _rests_on(document: Mapping[str, Any]) -> list[str]:
    return [
        _with_quotes(f"{one['name']}, {standing(one) or 'no score'}", one["quotes"])
        for one in document["criteria"]
        if not one["notApplicable"]
    ]


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
    names = {one["code"]: one["name"] for one in document["criteria"]}
    lines: list[str] = []
    for one in document["disagreements"]:
        low, high = one["between"]
        ended = f"closed to {one['left']}" if one["closed"] else f"stands at {one['left']}"
        lines.append(f"* {line(names[one['criterion']])}: {one['gap']} between {low} and {high}; {ended}.")
        lines += [
            f"  * Round {move['round']}, {move['judge']}: {move['from']} to {move['to']}. {line(move['because'])}"
            for move in one["moves"]
        ]
        lines += [f"  * The score of {name} was struck." for name in one["struck"]]
        lines += [f"  * {held['judge']} stays at {held['score']}. {line(held['because'])}" for held in one["held"]]
    return [*lines, ""]


def _before_and_after(document: Mapping[str, Any]) -> list[str]:
    first, last = document["first"], document["now"]
    spoken = (("Independent analysis", first), ("Now", last))
    rows = [
        [name, one["overall"] or "-", short(one["spread"]) or "-", "yes" if one["agreed"] else "no"]
        for name, one in spoken
    ]
    return [_row(["", "Overall", "Spread", "Agreed"]), _row(["---"] * 4), *(_row(row) for row in rows)]
