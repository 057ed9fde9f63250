"""The parts of a panel's page: what it came to, judges by criteria and rounds, what they share, what each reported;
and what the facts behind a score rest on.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.text import slugify

from debates.models import Debate, Round
from debates.types import Kind, Status
from judging.formats.panel import deliberation, results
from judging.formats.panel import reports as panel_reports
from judging.formats.panel.state import PanelThreadState
from judging.formats.state import Acting, AwaitAll, Brief, Step, Together
from judging.models import JudgeScore
from judging.pages import transcript
from judging.pages.parts import Page, Part, named
from judging.pages.transcript import FactWords, Statement
from scoring.models import Evaluation
from scoring.services import moderation_effect
from scoring.types import Instrument

STIRRED = ("panel:", "review:", "score:", "debate:", "synthesis:", "round:", "judge:")
Words = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """What one judge gave in one round; nothing where it could not be read. ``end`` is ``highest`` or ``lowest`` where
    the judges lay further apart in that round than the policy allows; ``out`` says that it does not count, and why.
    """

    score: str | None
    end: str = ""
    out: str = ""


@dataclass(frozen=True, slots=True)
class MatrixLine:
    """One criterion of the matrix, or the whole: what every judge gave, round by round, and how far apart they are.

    ``apart`` where that is more than the policy allows.
    """

    name: str
    cells: Sequence[Sequence[Given]]
    spread: str | None
    apart: bool
    about: Words
    account: str = ""
    moved: bool = False


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    document = results.panel_document(debate=debate)
    return Page(
        layout="debates/panel.html",
        parts=named(
            Part("panel_outcome", "debates/_panel_outcome.html", stirred_by=STIRRED),
            Part("panel_matrix", "debates/_panel_matrix.html", stirred_by=STIRRED),
            Part("panel_closing", "debates/_panel_closing.html", stirred_by=("synthesis:", "debate:", "review:")),
            Part("panel_consensus", "debates/_panel_consensus.html", stirred_by=STIRRED),
            Part("panel_reports", "debates/_panel_reports.html", stirred_by=("panel:", "score:", "judge:")),
        ),
        values={
            **told(document, debate=debate),
            "playing": playing(debate),
            "to_come": range(len(document["rounds"]), document["policy"]["debate_rounds"] + 1),
            "reports": reports(document),
            "choices": transcript.choices(kinds=("analysis", "argument"), criteria=panel_reports.names_of(document)),
        },
    )


def told(document: Words, *, debate: Debate) -> dict[str, Any]:
    names, outcome = panel_reports.names_of(document), document["outcome"] or {}
    scores = list(Evaluation.objects.filter(debate=debate, instrument=Instrument.PANEL.value))
    accounts = {row.key: str(row.public_id) for row in scores}
    moved = moderation_effect.moved(evaluations=scores)
    return {
        "panel": document,
        "lines": [
            replace(
                line(criterion, document),
                account=accounts.get(criterion["code"], ""),
                moved=criterion["code"] in {row.key for row in scores if row.pk in moved},
            )
            for criterion in document["criteria"]
        ],
        "whole": whole(document),
        "alone": panel_reports.is_alone(document),
        "moved": results.without_moderation(debate, scores=scores, moved=moved, newest=results.newest_of(debate))
        if moved
        else None,
        "corrects": any(criterion["corrected"] != criterion["mean"] for criterion in document["criteria"]),
        "reason": panel_reports.reason(document),
        "decision": panel_reports.decision(document, names) if outcome else "",
        "unable": panel_reports.unable(document),
        "of_task": panel_reports.of_task(document),
        "disputed": [names[code] for code in outcome.get("disputed", ())],
        "struck": [
            f"{judge} on {', '.join(names[code] for code in codes)}"
            for judge, codes in (panel_reports.struck_in(document, outcome["round"]) if outcome else {}).items()
        ],
        "now_reason": panel_reports.NOW_REASONS.get((document["now"] or {}).get("reason", ""), ""),
        "early": panel_reports.early((document["unfinished"] or {}).get("because", "")),
        "closing": transcript.blocks(text=document["synthesis"] or ""),
        "agreement": agreement(document),
        "gaps": [
            {**disagreement, "name": names[disagreement["criterion"]], "gone": panel_reports.gone(disagreement)}
            for disagreement in document["disagreements"]
        ],
    }


def agreement(document: Words) -> Words | None:
    """Return how far the judges agreed when each had read alone and in the newest round; nothing before round 0."""
    if not document["agreement"] or panel_reports.is_alone(document):
        return None
    first, last = document["agreement"]["first"], document["agreement"]["last"]
    rows = [
        ("Krippendorff's alpha", first["alpha"]["interval"]["value"], last["alpha"]["interval"]["value"]),
        ("Fleiss' kappa", first["fleiss"], last["fleiss"]),
        ("Intraclass correlation, one judge", first["intraclass"]["single"], last["intraclass"]["single"]),
        ("Intraclass correlation, their mean", first["intraclass"]["average"], last["intraclass"]["average"]),
    ]
    for name in (judge["name"] for judge in document["judges"]):
        leaning = [when["judges"].get(name, {}).get("leniency") for when in (first, last)]
        rows.append((f"{name} against the others", *leaning))
    few = last["alpha"]["interval"]["state"] == "too_few_units"
    rows[1:1] = [
        (f"{called}{panel_reports.enclosed(last['groups'][side])}", first["groups"][side]["value"], group["value"])
        for side, called in panel_reports.GROUPS.items()
        if (group := last["groups"][side])["value"] is not None or first["groups"][side]["value"] is not None
        if first["groups"]["people"]["judges"]
    ]
    return {"rows": rows, "debated": len(document["rounds"]) > 1, "few": few}


def acting(*, brief: Brief, board: PanelThreadState, step: Step) -> Acting:
    """Return who of the judges is still to answer: they are asked at once, and hear of each other when all have."""
    goes_on = board.number < brief.parameters["panel"]["policy"]["debate_rounds"]
    after = "they argue about where they differ, if they do" if goes_on else "the report"
    match step:
        case Together(asks):
            names = list(dict.fromkeys(brief.speaker(ask.participant).name for ask in asks))
            doing = (
                ("argue" if board.number else "read alone")
                if len(names) > 1
                else ("argues" if board.number else "reads alone")
            )
            return Acting(f"{', '.join(names)} {doing}", after)
        case AwaitAll():  # not whose of them were given already: ballots are sealed
            speaking = [brief.speaker(judge) for judge in board.judges if not board.number or judge in board.sections]
            names = [voice.name for voice in speaking if voice.kind is not Kind.ENGINE]
            return Acting(
                f"The ballot{'s' * (len(names) > 1)} of {', '.join(names)} {'are' if len(names) > 1 else 'is'} awaited",
                after,
            )
        case _:
            return Acting("What the judges gave is compared", after)


def playing(debate: Debate) -> int | None:
    """Return the round that the judges are at, while they are."""
    if debate.status != Status.RUNNING.value:
        return None
    opened = Round.objects.filter(thread__debate=debate, closed_at__isnull=True).order_by("-number").first()
    return opened.number if opened else None


def line(criterion: Words, document: Words) -> MatrixLine:
    """Return one criterion, with what every judge gave it in every round."""
    limit, code = Decimal(document["policy"]["criterion_spread"]), criterion["code"]
    scores_by_round = [
        {name: section["scores"].get(code) if section else None for name, section in played["sections"].items()}
        for played in document["rounds"]
    ]
    out = [
        _declined(document)
        | {
            judge: "struck"
            for judge, codes in panel_reports.struck_in(document, played["number"]).items()
            if code in codes
        }
        | {
            judge: "does not apply"
            for judge, section in played["sections"].items()
            if section and code not in section["scores"]
        }
        for played in document["rounds"]
    ]
    return MatrixLine(
        criterion["name"],
        columns(scores_by_round, document, limit, out),
        criterion["spread"],
        _beyond(criterion["spread"], limit),
        criterion,
    )


def _declined(document: Words) -> dict[str, str]:
    return {judge["name"]: "not assessed" for judge in document["judges"] if judge["notAssessed"]}


def whole(document: Words) -> MatrixLine:
    limit = Decimal(document["policy"]["spread"])
    spread = (document["now"] or {}).get("spread")
    overalls_by_round = [played["overalls"] for played in document["rounds"]]
    out = [
        _declined(document)
        | dict.fromkeys(
            [*panel_reports.struck_in(document, played["number"]), *panel_reports.partly_scored(played, document)],
            "not compared",
        )
        for played in document["rounds"]
    ]
    return MatrixLine(
        "Overall", columns(overalls_by_round, document, limit, out), spread, _beyond(spread, limit), document["decided"]
    )


def columns(
    scores_by_round: Sequence[Words], document: Words, limit: Decimal, out: Sequence[Words]
) -> list[list[Given]]:
    """Return a column for every judge, with what it gave in every round; what is ``out`` is at no end."""
    rows = [
        {name: score for name, score in row.items() if name not in gone}
        for row, gone in zip(scores_by_round, out, strict=True)
    ]
    return [
        [
            Given(row[judge["name"]], end_of(left, judge["name"], limit), gone.get(judge["name"], ""))
            for row, left, gone in zip(scores_by_round, rows, out, strict=True)
        ]
        for judge in document["judges"]
    ]


def end_of(row: Words, judge: str, limit: Decimal) -> str:
    """Return at which end of a disagreement a judge was in a round, if there was one and it was at an end."""
    scores = {name: Decimal(score) for name, score in row.items() if score is not None}
    if judge not in scores or max(scores.values()) - min(scores.values()) <= limit:
        return ""
    ends = {max(scores.values()): "highest", min(scores.values()): "lowest"}
    return ends.get(scores[judge], "")


def _beyond(spread: str | None, limit: Decimal) -> bool:
    return spread is not None and Decimal(spread) > limit


def reports(document: Words) -> list[dict[str, Any]]:
    names = panel_reports.names_of(document)
    return [
        {
            "judge": judge,
            "sections": [
                section_of(
                    seat,
                    played["number"],
                    played["sections"].get(judge["name"]),
                    names,
                    panel_reports.struck_in(document, played["number"]).get(judge["name"], ()),
                )
                for played in document["rounds"]
            ],
        }
        for seat, judge in enumerate(document["judges"], start=1)
    ]


def section_of(
    seat: int, number: int, section: Words | None, names: Mapping[str, str], struck: Collection[str]
) -> dict[str, Any]:
    """Return one section with the names of its criteria, and of those struck; ``why_not`` is why a revision was not
    taken, in words.
    """
    body = section or {}
    rows = [
        {
            **row,
            "name": names[row["criterion"]],
            "why_not": panel_reports.REFUSED.get(refusal_of(row), ""),
            "several": body.get("judgements", {}).get(row["criterion"]),
            "kind": "argument" if number else "analysis",
            "link": f"{seat}-{number}-{slugify(row['criterion'])}",
            "words": words_of(row),
        }
        for row in (*body.get("criteria", ()), *body.get("sections", ()))
    ]
    return {
        "number": number,
        "section": section,
        "rows": rows,
        "left_out": {names[code]: why for code, why in body.get("not_applicable", {}).items()},
        "struck": [names[code] for code in struck],
    }


def words_of(row: Words) -> str:
    """Return everything that a judge says about a criterion."""
    revision = row.get("revision") or {}
    said = [row.get(name, "") for name in ("reasoning", "defence", "challenge", "because", "improvement")]
    quoted = [quote["text"] for quote in (*row.get("quotes", ()), *revision.get("quotes", ()))]
    return "\n\n".join([*said, revision.get("because", ""), *quoted])


def refusal_of(row: Words) -> str:
    refused: str = row.get("revision", row).get("refused", "")
    return refused


WORDS = ("reasoning", "defence", "challenge", "because")


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what judges said about facts, in one query."""
    rows = JudgeScore.objects.filter(pk__in=facts).select_related(
        "report__participant", "report__turn", "report__round"
    )
    return {row.pk: _of(row) for row in rows}


def _of(row: JudgeScore) -> FactWords:
    judge, body = row.report.participant.name, row.report.body
    number = row.report.round.number
    title = f"{judge}, {f'debate round {number}' if number else 'independent analysis'}"
    if not isinstance(body, dict) or "kind" not in body:
        text = row.report.turn.text if row.report.turn else ""
        return FactWords(title, [Statement("report", judge, text)])
    own = next((section for section in deliberation.rows_of(body) if section["criterion"] == row.key), {})
    text = "\n\n".join(str(own[name]) for name in WORDS if own.get(name))
    return FactWords(title, [Statement("report", judge, text)], deliberation.found_quotes(body, row.key))
