"""The reports of a panel as Markdown: one for each judge, section by section, and the final report.

Source: docs/reference/panels.md#reports
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from debates.decimals import in_places, written
from debates.printable import slug
from debates.rules import OVER
from debates.types import Status
from judging.formats.panel.deliberation import ERASED, rows_of
from judging.rules.consensus import Confidence

# What a panel came to, in the words that page, paper and command share.


REASONS = {
    "quorum_lost": "too few judges could be read",
    "spread": "the overall scores lie too far apart",
    "criterion_spread": "the scores of a criterion lie too far apart",
    "not_accepted": "not every judge accepts the result",
}
NOW_REASONS = {**REASONS, "quorum_lost": "too few judges count on a criterion"}
EARLY = {
    "budget_spent": "the budget was spent",
    "stopped": "it was stopped",
    "judge_failed": "no judge answered any more",
    "not_recorded": "its end could not be written down",
}
SHOWN_PLACES = 4
NUMBERS = frozenset(
    {"corrected", "criterion_spread", "deviation", "final", "first", "fleiss", "from", "gap", "given", "high", "left"}
    | {"leniency", "low", "mean", "other_score", "overall", "override", "own_score", "pass_mark", "revision_mark"}
    | {"average", "confidence", "score", "share", "single", "spread", "to", "value", "wanted"}
)
"""Names under which a document of a panel holds a number."""
PLAYED = frozenset({Status.CONCLUDING, Status.CONCLUDED, Status.FAILED})
"""Where nobody judges any more; of the last, closing words are missing."""
BY_NAME = frozenset(["criterion_spreads", "means", "overalls", "scores", "weights"])
"""Names under which it holds numbers by criterion or judge."""


def with_places(value: Any, *, name: str = "") -> Any:
    """Return a document, or a part of it, with its numbers as JSON carries them: strings of 2 to 6 places.

    Overalls are kept and compared with 4 places.
    """
    if isinstance(value, Mapping) and name != "not_applicable":  # that one holds words, by criterion
        return {key: with_places(part, name=name if name in BY_NAME else key) for key, part in value.items()}
    if isinstance(value, list):
        return [with_places(part) for part in value]
    is_number = isinstance(value, str) and name in NUMBERS | BY_NAME and value not in set(Confidence)
    return in_places(Decimal(value)) if is_number else value


def names_of(document: Mapping[str, Any]) -> dict[str, str]:
    return {criterion["code"]: criterion["name"] for criterion in document["criteria"]}


def early(because: str) -> str:
    return EARLY.get(because, "it was ended")


def reason(document: Mapping[str, Any]) -> str:
    """Return why the judges did not agree when the newest round was closed, with who does not accept; else nothing."""
    outcome = document["outcome"]
    if outcome is None or outcome["agreed"]:
        return ""
    if outcome["reason"] == "quorum_lost" and sum(map(bool, _newest(document).values())) >= outcome["needed"]:
        return NOW_REASONS["quorum_lost"]
    if outcome["reason"] == "quorum_lost" and any(judge["notAssessed"] for judge in document["judges"]):
        return "too few judges can judge it" if outcome["counted"] else "no judge can judge it"
    return _refused(document) if outcome["reason"] == "not_accepted" else REASONS[outcome["reason"]]


def unable(document: Mapping[str, Any]) -> list[str]:
    """Return a sentence or two for each reason why judges, or criteria, are not assessed, and what helps."""
    because: dict[tuple[str, str], list[str]] = {}
    for judged in [*document["judges"], *document["criteria"]]:
        if judged["notAssessed"]:
            said = judged["notAssessed"]
            because.setdefault((said["why"], said["helps"]), []).append(judged["name"])
    return [f"{listed(names)}: {why} {helps}" for (why, helps), names in because.items()]


def of_task(document: Mapping[str, Any]) -> str:
    """Say which judges do not understand the task; nothing where all do."""
    names = [judge["name"] for judge in document["judges"] if not judge["readsTask"]]
    if not names:
        return ""
    who = "Offline judges" if len(names) == len(document["judges"]) else listed(names)
    does = "does" if who == names[0] else "do"
    return f"{who} {does} not understand a task: what they give goes by the criteria alone."


def _newest(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what each judge said in the newest round; nothing of one who could not be read."""
    sections: Mapping[str, Any] = document["rounds"][-1]["sections"]
    return sections


def _refused(document: Mapping[str, Any]) -> str:
    """Return who does not accept; of erased reports it is not known. Who read alone was not asked."""
    if document["outcome"]["round"] == 0:
        return "no judge was asked to accept the result"
    spoken = {name: body for name, body in _newest(document).items() if body}
    who = [name for name, body in spoken.items() if not body.get("accepts", True)]
    if who and len(who) == len(spoken):
        return "no judge accepts the result"
    return REASONS["not_accepted"] + (f" ({listed(who)} {'does' if len(who) == 1 else 'do'} not)" if who else "")


def ended_early(document: Mapping[str, Any]) -> bool:
    """Say whether rounds were left to be played; where only the closing words are missing, none was."""
    about, outcome = document["debate"], document["outcome"]
    ended = outcome["agreed"] or outcome["reason"] == "quorum_lost"
    return bool(about["partial"]) and not ended and outcome["round"] < document["policy"]["debate_rounds"]


def is_result(*, found: Mapping[str, Any], overrides: Mapping[str, str | None], status: str, partial: bool) -> bool:
    """Say whether where the whole stands is a result: the judges agree, or a person has settled what is in dispute,
    whatever became of the closing words. What was cancelled has no result.

    Shape: ``found`` is of the newest round, ``overrides`` are by criterion.
    """
    if status == Status.CANCELLED:
        return False
    settled = status in PLAYED and all(overrides.get(code) is not None for code in found["disputed"])
    undisputed = status == Status.CONCLUDED and not partial and found["reason"] != "quorum_lost"
    return found["agreed"] or settled or undisputed


def stands(document: Mapping[str, Any]) -> bool:
    """Say whether where the whole stands is a result; it is none before a round is closed."""
    about, overrides = document["debate"], {row["code"]: row["override"] for row in document["criteria"]}
    return document["outcome"] is not None and is_result(
        found=document["outcome"], overrides=overrides, status=about["status"], partial=about["partial"]
    )


def decision(document: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Say who decides what is in dispute, or what became of what a person has decided; ``names`` are by code."""
    status = document["debate"]["status"]
    if status in {"awaiting_review", "running"}:
        return "A person must decide." if status == "awaiting_review" else "The debate goes on."
    if status not in OVER:
        return ""
    rows = [row for row in document["criteria"] if row["code"] in document["outcome"]["disputed"]]
    taken = [names[row["code"]] for row in rows if row["override"] is not None]
    back = [row for row in rows if row["override"] is None]
    if not taken and (status == "cancelled" or ended_early(document)):
        return "It ended before anybody decided."
    if not back:
        return "A person has decided."
    stand = "the mean of the judges stands" if taken and len(back) == 1 else "the means of the judges stand"
    if all(row["final"] is None for row in back):
        stand = "no judge gave a score that would stand"
    if not taken:
        return f"What a person decided was taken back; {stand}."
    return f"A person has decided {listed(taken)}; on {listed([names[row['code']] for row in back])} {stand}."


def said_on(document: Mapping[str, Any], judge: str, code: str) -> str:
    """Return what a judge last said about a criterion; in a debate round it speaks only to some."""
    for played in reversed(document["rounds"]):
        section = played["sections"].get(judge)
        row = next((row for row in rows_of(section) if row["criterion"] == code), None) if section else None
        if row:
            return str(row.get("reasoning") or row.get("because") or "")
        if section and code in section.get("not_applicable", {}):
            return str(section["not_applicable"][code])
    return ""


def short(score: str | None) -> str:
    """Return an overall or a spread for people: overalls are compared with more places than anybody reads."""
    return written(Decimal(score), least=2, most=SHOWN_PLACES) if score else ""


BY_HAND = {"human": "a person, by hand", "external": "a program, by the API"}
GROUPS = {
    "people": "Alpha of people among themselves",
    "machines": "Alpha of machines among themselves",
    "between": "Agreement of people with machines",
}


def enclosed(group: Mapping[str, Any]) -> str:
    """Return the interval of an estimate in words; nothing where there were too few criteria for one."""
    return f", 95 % from {short(group['low'])} to {short(group['high'])}" if group["low"] is not None else ""


def listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


# One section of a judge's report on paper: what was judged alone, or what was said in a debate round.


REFUSED = {"no_quote": "no passage was quoted", "not_in_subject": "the subject does not say what was quoted"}


def spoken(*, section: Mapping[str, Any]) -> str:
    """Return one section as a judge speaks it in the transcript."""
    return "\n".join(lines_of(section, {})).strip()


def line(text: str) -> str:
    """Return foreign words on one line, so that they cannot begin a heading or a table of ours."""
    squeezed = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", squeezed)


def _quote_lines(quotes: Iterable[Mapping[str, Any]]) -> list[str]:
    said = [f"> {line(quote['text'])}" + ("" if quote["spans"] else " (**not in the subject**)") for quote in quotes]
    return [row for quote_line in said for row in (quote_line, "")]


def lines_of(section: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """Return one section of a report, line by line; criteria are named by ``names``, else by their codes."""
    lines: list[str] = []
    if section["kind"] == "analysis":
        for row in section["criteria"]:
            lines += _criterion(row, names)
        for code, why in section.get("not_applicable", {}).items():
            lines += [f"### {line(names.get(code, code))}: does not apply", "", line(why), ""]
        lines += _questions(section["questions"])
        lines += [*_bullets("Strengths", section["strengths"]), *_bullets("Weaknesses", section["weaknesses"])]
    elif section["kind"] == ERASED:
        lines += ["What this judge said was erased.", ""]
    else:
        for row in section["sections"]:
            lines += _argument(row, names)
        lines += [] if section["sections"] else ["Nothing was left to talk about.", ""]
        agrees = ", ".join(section["agrees_with"]) or "nobody"
        lines += [f"Accepts the result: {'yes' if section['accepts'] else 'no'}. Agrees with: {agrees}.", ""]
    lines += [f"Confidence: {section['confidence']}", ""] if "confidence" in section else []
    return [*lines, f"Overall: **{short(section['overall'])}**", ""]


def _named(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return line(names.get(row["criterion"], row["criterion"]))


def _criterion(row: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    lines = [f"### {_named(row, names)}: {row['score']}", "", *_quote_lines(row["quotes"])]
    lines += [line(row["reasoning"]), "", *_sure(row)]
    if row["improvement"]:
        lines += [f"Improvement: {line(row['improvement'])}", ""]
    revision = row.get("revision")
    if revision:
        held = f"not taken: {REFUSED[revision['refused']]}" if revision["refused"] else "taken"
        said = f"Revision from {row['given']} to {revision['score']}, {held}. {line(revision['because'])}"
        lines += [said, "", *_quote_lines(revision["quotes"])]
    return lines


def _sure(row: Mapping[str, Any]) -> list[str]:
    return [f"Confidence: {row['confidence']}", ""] if "confidence" in row else []


def _questions(questions: Sequence[Mapping[str, str]]) -> list[str]:
    lines = ["### Questions to myself", ""]
    for number, question in enumerate(questions, start=1):
        lines += [f"{number}. {line(question['question'])}", f"   {line(question['answer'])}"]
    return [*lines, ""]


def _argument(row: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    moved = row["score"] != row["own_score"]
    change = f"revised to {row['score']}" if moved else "maintained"
    if row["refused"]:
        change = f"maintained; a revision to {row['wanted']} was not taken: {REFUSED[row['refused']]}"
    opponents = " and ".join(f"{opponent['score']} of {opponent['judge']}" for opponent in row["others"])
    return [
        f"### {_named(row, names)}: {row['own_score']} against {opponents}",
        "",
        f"Defence: {line(row['defence'])}",
        "",
        *([f"Challenge: {line(row['challenge'])}", ""] if row["challenge"] else []),
        f"Score {change}. {line(row['because'])}",
        "",
        *_sure(row),
        *_quote_lines(row["quotes"]),
    ]


def _bullets(title: str, texts: Sequence[str]) -> list[str]:
    return [f"### {title}", "", *(f"* {line(text)}" for text in texts), ""] if texts else []


# A panel on paper: one report per judge, and the final report. The same minutes always give the same bytes.


RECOMMENDED = {"pass": "Pass", "needs_revision": "Needs revision", "fail": "Fail"}


def file_name(*, title: str, date: str, part: str, number: int = 1) -> str:
    """Return the name of one paper, such as ``soil-probes-2026-11-21.1.md``; ``number`` tells repetitions apart."""
    again = f"-{number}" if number > 1 else ""
    return f"{slug(title)}-{date}{again}.{part}.md"


def papers(*, document: Mapping[str, Any]) -> dict[str, str]:
    """Return every paper of a panel by its part: the report of each judge by number, and ``final``."""
    reports = {
        str(at): judge_report(document=document, judge=judge["name"])
        for at, judge in enumerate(document["judges"], start=1)
    }
    return {**reports, "final": final_report(document=document)}


def judge_report(*, document: Mapping[str, Any], judge: str) -> str:
    seat = next(row for row in document["judges"] if row["name"] == judge)
    spoken = f"{seat['provider']} {seat['model']}".strip()
    lines = [
        f"Done by {judge}",
        "",
        f"# {line(document['debate']['title'])}",
        "",
        f"Task: {line(document['task'])}",
        "",
    ]
    if seat["kind"] in BY_HAND:
        spoken = BY_HAND[seat["kind"]]
    lines += [f"Judged with: {spoken}" + (f", reading for {seat['strategy']}" if seat["strategy"] else ""), ""]
    names = names_of(document)
    for played in document["rounds"]:
        section = played["sections"].get(judge)
        title = "Independent analysis" if played["number"] == 0 else f"Debate round {played['number']}"
        lines += [f"## {title}", ""]
        silent = seat["notAssessed"]["why"] if seat["notAssessed"] else "This judge could not be read in this round."
        lines += lines_of(section, names) if section else [line(silent), ""]
        out = ", ".join(line(names[code]) for code in struck_in(document, played["number"]).get(judge, ()))
        lines += [f"Struck by a moderator, and not counted: {out}.", ""] if out else []
    return "\n".join(lines).rstrip() + "\n"


def final_report(*, document: Mapping[str, Any]) -> str:
    outcome = document["outcome"]
    lines = [f"# {line(document['debate']['title'])}: final report", "", f"Task: {line(document['task'])}", ""]
    remarks = [
        of_task(document),
        *(f"Not assessed. {line(problem)}" for problem in unable(document)),
        *replaced(document),
    ]
    lines += [row for said in remarks if said for row in (said, "")]
    if outcome is None:
        return "\n".join([*lines, "No round has been judged.", ""])
    lines += [*_verdict(document), "", *_judged_often(document["fairness"])]
    lines += ["## Scores", "", *_table(document), "", *_left_out(document)]
    lines += [*_disputes(document), "## What the scores rest on", "", *_rests_on(document), ""]
    lines += ["## What all judges share", "", *_shared(document), "## Main disagreements", "", *_gaps(document)]
    if not is_alone(document):
        lines += ["## Before and after the debate", "", *_before_and_after(document), ""]
    if document["synthesis"]:
        lines += ["## In words", "", *in_words(document["synthesis"])]
    return "\n".join(lines).rstrip() + "\n"


def struck_in(document: Mapping[str, Any], number: int) -> dict[str, list[str]]:
    """Return the criteria on which scores of a round were struck, by judge."""
    struck: dict[str, list[str]] = {}
    for struck_judge in document["struck"]:
        if struck_judge["round"] == number:
            struck.setdefault(struck_judge["judge"], []).append(struck_judge["criterion"])
    return struck


def replaced(document: Mapping[str, Any]) -> list[str]:
    """Return who was replaced before they reported, and why."""
    return [
        f"{row['judge']} was replaced by {row['successor']} before any report"
        + (", and a ballot struck" if row["ballotStruck"] else "")
        + f": {line(row['reason'])}"
        for row in document["replaced"]
    ]


def in_words(text: str) -> list[str]:
    """Return closing words in paragraphs and lists."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        head, *listed = [row for row in part.splitlines() if row.strip()] or [""]
        lines += [line(head), "", *(f"* {line(row.removeprefix('- '))}" for row in listed), *([""] if listed else [])]
    return lines


def after(rounds: int) -> str:
    return "without a debate" if rounds == 0 else f"after {rounds} debate round{'s' if rounds > 1 else ''}"


def is_alone(document: Mapping[str, Any]) -> bool:
    """Say whether one judge is the whole panel."""
    return len(document["judges"]) == 1


def came_to(document: Mapping[str, Any]) -> str:
    """Return how the judges came to agree; of one judge there is no agreement to measure, and it is not said."""
    if is_alone(document):
        return f"Judged by one judge, {document['judges'][0]['name']}: {NOBODY_TO_AGREE_WITH}"
    return f"Consensus {after(document['outcome']['round'])}"


NOBODY_TO_AGREE_WITH = "no agreement to measure"


def standing(criterion: Mapping[str, Any]) -> str:
    """Return where a criterion stands, as it is written beside what the judges gave; nothing where it has no score."""
    return in_places(Decimal(criterion["final"])) if criterion["final"] is not None else ""


def _verdict(document: Mapping[str, Any]) -> list[str]:
    outcome = document["outcome"]
    if outcome["agreed"]:
        how = "**One judge**" if is_alone(document) else f"**Consensus** {after(outcome['round'])}"
        return [
            f"{how}: overall **{outcome['overall']}** of 5.",
            "",
            *_since(document),
            *_moved(document),
            f"Recommendation: **{RECOMMENDED.get(document['decided']['recommendation'], 'None')}**.",
        ]
    names = names_of(document)
    disputed = ", ".join(line(names[code]) for code in outcome["disputed"])
    return [
        f"**No consensus** {after(outcome['round'])}: {reason(document)}.",
        "",
        *_early(document),
        *_since(document),
        f"In dispute: {disputed}. {_person(document, names)}".rstrip(),
    ]


def _early(document: Mapping[str, Any]) -> list[str]:
    about = document["debate"]
    return [f"It ended early: {early(about['partialReason'])}.", ""] if ended_early(document) else []


def _since(document: Mapping[str, Any]) -> list[str]:
    """Say which scores of the newest round were struck since, and what is found without them."""
    names, now = names_of(document), document["now"]
    out = [
        f"{judge} on {', '.join(line(names[code]) for code in codes)}"
        for judge, codes in struck_in(document, now["round"]).items()
    ]
    if not out:
        return []
    ends = "the judges agree" if now["agreed"] else f"no consensus, {NOW_REASONS[now['reason']]}"
    overall = f"overall **{now['overall']}** of 5" if now["overall"] else "no overall"
    return [f"A moderator has struck since: {'; '.join(out)}. Without that: {overall}; {ends}.", ""]


def _moved(document: Mapping[str, Any]) -> list[str]:
    """Say where the whole stands where that is not what the judges give: a person has moved a score of theirs."""
    stands = document["decided"]["overall"]
    if stands is None or stands == document["now"]["overall"]:
        return []
    return [f"A moderator has moved scores since: the overall stands at **{stands}** of 5.", ""]


def _person(document: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Say that a person must decide, or what follows from what a person has decided."""
    said = decision(document, {code: line(name) for code, name in names.items()})
    decided = document["decided"]
    if not decided["recommendation"]:
        return said
    recommended = RECOMMENDED[decided["recommendation"]]
    return f"{said} Overall **{decided['overall']}** of 5; recommendation: **{recommended}**."


def _disputes(document: Mapping[str, Any]) -> list[str]:
    """Return what every judge gives and says where the panel does not agree; nothing where it does."""
    if document["outcome"]["agreed"]:
        return []
    lines = ["## In dispute", ""]
    for criterion in document["criteria"]:
        if criterion["code"] in document["outcome"]["disputed"]:
            lines.append(f"* {line(criterion['name'])}")
            lines += [
                f"  * {name}, {score}: {line(said_on(document, name, criterion['code'])) or '-'}"
                for name in criterion["scores"]
                if (score := given_on(document, criterion, name)) != "-"
            ]
    return [*lines, ""]


def _judged_often(fairness: Mapping[str, Any] | None) -> list[str]:
    """Return how often every judge was asked for the same, and how far apart what it gave lies."""
    if fairness is None:
        return []
    orders = ", in both orders" if fairness["swap"] else ""
    lines = [f"Each score was given {fairness['judgements']} times{orders}."]
    for judged in fairness["judged"]:
        flips = f"{judged['flipped']} of {judged['judged']} came to another end in the other order; " if orders else ""
        apart = f"single scores lie {judged['meanSpread']} apart on average, {judged['largestSpread']} at most."
        lines += [f"{flips}{apart}".capitalize()] if judged["judged"] else []
    return [" ".join(lines), ""]


def _table(document: Mapping[str, Any]) -> list[str]:
    judges = [judge["name"] for judge in document["judges"]]
    struck = struck_in(document, document["now"]["round"])
    rows = [["Criterion", "Share", *judges, "Mean", "Final"]]
    for criterion in document["criteria"]:
        scores = [
            f"{given_on(document, criterion, name)}{' (struck)' if criterion['code'] in struck.get(name, ()) else ''}"
            for name in judges
        ]
        final = standing(criterion) or "-"
        final += " (decided by a person)" if criterion["override"] else ""
        rows.append([line(criterion["name"]), criterion["share"], *scores, criterion["mean"] or "-", final])
    partly = partly_scored(document["rounds"][-1], document)
    overalls = [
        f"{short(judge['overall']) or missing(judge)}{' (not compared)' if judge['name'] in {*struck, *partly} else ''}"
        for judge in document["judges"]
    ]
    rows.append(["**Overall**", "", *overalls, document["now"]["overall"] or "-", ""])
    return [_row(rows[0]), _row(["---"] * len(rows[0])), *(_row(row) for row in rows[1:])]


def partly_scored(played: Mapping[str, Any], document: Mapping[str, Any]) -> list[str]:
    """Return the judges who gave some criteria of a round no score: their overalls are of others, and not compared."""
    codes = {criterion["code"] for criterion in document["criteria"] if not criterion["notApplicable"]}
    return [name for name, section in played["sections"].items() if section and not codes <= section["scores"].keys()]


def given_on(document: Mapping[str, Any], criterion: Mapping[str, Any], judge: str) -> str:
    """Return what a judge gives a criterion; in its place that it does not apply to a judge who was read, or a dash."""
    read = document["rounds"][-1]["sections"].get(judge) and not criterion["notApplicable"]
    return criterion["scores"].get(judge) or ("does not apply" if read else "-")


def missing(judge: Mapping[str, Any]) -> str:
    return "not assessed" if judge["notAssessed"] else "could not be read"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _left_out(document: Mapping[str, Any]) -> list[str]:
    said = [
        f"{line(criterion['name'])} does not apply: {line(_sentence(criterion['notApplicable']))} "
        "Its weight is shared out among the others."
        for criterion in document["criteria"]
        if criterion["notApplicable"] and not criterion["notAssessed"]
    ]
    weightless = [line(criterion["name"]) for criterion in document["criteria"] if criterion["notAssessed"]]
    if weightless:
        said.append(f"Not assessed: {listed(weightless)}. What that weighs is shared out among the others.")
    return [*said, ""] if said else []


def _sentence(words: str) -> str:
    """Return what somebody typed with a full stop, where it has no end of its own."""
    return words if words.rstrip()[-1:] in set(".!?") else f"{words.rstrip()}."


def _rests_on(document: Mapping[str, Any]) -> list[str]:
    return [
        _with_quotes(f"{criterion['name']}, {standing(criterion) or 'no score'}", criterion["quotes"])
        for criterion in document["criteria"]
        if not criterion["notApplicable"]
    ]


def _shared(document: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for title, name in (("Strengths", "strengths"), ("Weaknesses", "weaknesses")):
        listed = [_with_quotes(point["name"], point["quotes"]) for point in document[name]]
        lines += [f"{title}:", "", *(listed or ["* none that every judge names"]), ""]
    return lines


def _with_quotes(name: str, quotes: Sequence[str]) -> str:
    said = "; ".join(f"\u201c{line(quote)}\u201d" for quote in quotes)
    return f"* {line(name)}" + (f": {said}" if said else "")


def gone(disagreement: Mapping[str, Any]) -> list[str]:
    """Return between whom it was who does not count any more: without them it is smaller, and nothing has closed it."""
    return [name for name in disagreement["between"] if name in {*disagreement["struck"], *disagreement["silent"]}]


def _gaps(document: Mapping[str, Any]) -> list[str]:
    if is_alone(document):
        return [f"One judge: {NOBODY_TO_AGREE_WITH}.", ""]
    if not document["disagreements"]:
        return ["None of more than the allowed spread.", ""]
    names = names_of(document)
    lines: list[str] = []
    for disagreement in document["disagreements"]:
        low, high = disagreement["between"]
        ended = f"closed to {disagreement['left']}" if disagreement["closed"] else f"stands at {disagreement['left']}"
        if disagreement["closed"] and (out := gone(disagreement)):
            ended = f"{disagreement['left']} without {listed(out)}"
        lines.append(
            f"* {line(names[disagreement['criterion']])}: {disagreement['gap']} between {low} and {high}; {ended}."
        )
        lines += [
            f"  * Round {move['round']}, {move['judge']}: {move['from']} to {move['to']}. {line(move['because'])}"
            for move in disagreement["moves"]
        ]
        lines += [f"  * The score of {name} was struck." for name in disagreement["struck"]]
        lines += [f"  * {name} could not be read in the newest round." for name in disagreement["silent"]]
        lines += [
            f"  * {held['judge']} stays at {held['score']}. {line(held['because'])}" for held in disagreement["held"]
        ]
    return [*lines, ""]


def _before_and_after(document: Mapping[str, Any]) -> list[str]:
    first, last = document["first"], document["now"]
    spoken = (("Independent analysis", first), ("Now", last))
    rows = [
        [name, outcome["overall"] or "-", short(outcome["spread"]) or "-", "yes" if outcome["agreed"] else "no"]
        for name, outcome in spoken
    ]
    table = [_row(["", "Overall", "Spread", "Agreed"]), _row(["---"] * 4), *(_row(row) for row in rows)]
    groups = document["agreement"]["last"]["groups"]
    agreement_lines = [
        f"* {called}: {short(groups[side]['value'])}{enclosed(groups[side])}."
        for side, called in GROUPS.items()
        if groups["people"]["judges"] and groups[side]["value"] is not None
    ]
    return [*table, "", *agreement_lines] if agreement_lines else table
