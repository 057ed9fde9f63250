"""Reading what was kept of a panel: its minutes, from which its document and papers are made."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any

from django.db.models import Count, F, Sum

from debates import models
from debates.decimals import in_places, plain
from debates.models import Ballot, Debate, Participant
from debates.types import Role
from judging.formats import repeated
from judging.formats.base import Summary
from judging.formats.panel import deliberation, documents, reports
from judging.formats.panel.deliberation import Bar
from judging.formats.panel.documents import Final, Minutes, PanelCriterion, PanelJudge, Round, Unfinished
from judging.formats.panel.spec import weights
from judging.formats.repeated import Recomputed, RepeatedTable
from judging.models import Call, Consensus, JudgeReport, JudgeScore
from judging.pages.participants import document_head, judged_by, models_of
from judging.rules import consensus as agreement
from judging.rules import fairness
from judging.rules.consensus import Policy
from judging.types import Outcome
from scoring import selectors
from scoring.models import Evaluation, Fact, ReplacedJudge
from scoring.rules import numbers
from scoring.services import moderation_effect
from scoring.services.moderation_effect import ModerationEffect
from scoring.services.previews import Figures
from scoring.types import Instrument

SHARE_PLACES = 4


def recompute(row: JudgeScore) -> Recomputed:
    """Return what the single scores of a judge come to, and what the row says that they came to."""
    scores = {place: reading["score"] for place, reading in repeated.numbers_of(row, ("score",)).items()}
    return repeated.compared(row, fairness.score(judgements=scores), {"score": row.fact.amount})


TABLES = (RepeatedTable("score", JudgeScore, debate="report__debate", recompute=recompute),)


def bar_of(parameters: Mapping[str, Any]) -> Bar:
    rubric, kept = parameters["rubric"], parameters["panel"]
    return Bar(
        codes=[row["code"] for row in rubric["criteria"]],
        weights=weights(rubric=rubric),
        left_out=list(kept["not_applicable"]),
        policy=Policy.from_snapshot(kept["policy"]),
    )


def policy_of(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is kept with each decision of a panel: thresholds, weights, quorum, marks, prompt versions."""
    kept: Mapping[str, Any] = parameters["panel"]
    weighed = {row["code"]: row["weight"] for row in parameters["rubric"]["criteria"]}
    return {
        **kept["policy"],
        "weights": weighed,
        "not_applicable": sorted(kept["not_applicable"]),
        "prompts": kept["prompts"],
    }


def result(*, debate: Debate) -> dict[str, Any]:
    """Return what a panel comes to, as its closing words are about it: without what each judge said at length."""
    whole = panel_document(debate=debate)
    outcome = whole["outcome"] or {}
    return {
        "agreed": bool(outcome.get("agreed")),
        "reason": outcome.get("reason", ""),
        "rounds": outcome.get("round", 0),
        "counted": outcome.get("counted", 0),
        "overall": {
            "before": _amount((whole["first"] or {}).get("overall")),
            "after": _amount(whole["decided"]["overall"]),
            "coverage": None,
            "recommendation": whole["decided"]["recommendation"] or None,
            "band": None,
        },
        "disputed": outcome.get("disputed", []),
        "criteria": [
            {
                "code": criterion["code"],
                "name": criterion["name"],
                "scores": criterion["scores"],
                "override": criterion["override"],
                "final": criterion["final"],
            }
            for criterion in whole["criteria"]
        ],
        "strengths": [strength["name"] for strength in whole["strengths"]],
        "weaknesses": [weakness["name"] for weakness in whole["weaknesses"]],
        "improvements": whole["improvements"],
        "quotes": {criterion["code"]: criterion["quotes"] for criterion in whole["criteria"]},
    }


def summaries(*, debates: Sequence[Debate]) -> dict[int, Summary]:
    """Return what panels stand at and recommend, or that a person decides, in three queries."""
    panels = [debate for debate in debates if "panel" in debate.parameters]
    newest = {
        consensus.debate_id: consensus
        for consensus in Consensus.objects.filter(debate__in=panels).order_by("round__number")
    }
    scores: dict[int, list[Evaluation]] = {}
    for row in Evaluation.objects.filter(debate__in=panels, instrument=Instrument.PANEL.value):
        scores.setdefault(row.debate_id, []).append(row)
    every = list(chain.from_iterable(scores.values()))
    moved, finals = moderation_effect.moved(evaluations=every), finals_of(every)
    return {
        debate.pk: summary_of(
            debate, newest=newest.get(debate.pk), scores=scores.get(debate.pk, ()), moved=moved, finals=finals
        )
        for debate in panels
    }


def newest_of(debate: Debate) -> Consensus | None:
    return Consensus.objects.filter(debate=debate).order_by("round__number").last()


def finals_of(scores: Collection[Evaluation]) -> dict[int, Final]:
    """Return where some scores stand, by their keys, in one query: with the means of judges that they are of."""
    counted = Fact.objects.filter(evaluation__in=scores, evaluation__basis__contains=[F("pk")]).order_by()
    sums = counted.values_list("evaluation").annotate(Sum("amount"), Count("pk"))
    means = {pk: Fraction(total) / number for pk, total, number in sums}
    return {
        row.pk: Final(
            in_places(row.final_score),
            in_places(row.override_score),
            means.get(row.pk) if row.override_score is None and row.final_score is not None else None,
        )
        for row in scores
    }


def decided_by(debate: Debate, *, finals: Mapping[str, Final], newest: Consensus | None) -> dict[str, str | None]:
    """Return where the whole would stand with these scores, and with what was found in the newest round."""
    about = {"policy": debate.parameters["panel"]["policy"]}
    criteria = _criteria(debate.parameters)
    minutes = Minutes(about=about, criteria=criteria, judges=[], rounds=[], finals=finals)
    return documents.decided(minutes, found=newest.found if newest else {})


def comes_to(*, debate: Debate, foreseen: Mapping[int, Figures]) -> dict[str, str]:
    """Return where the whole stands with some scores as foreseen, and what it recommends."""
    rows = list(Evaluation.objects.filter(debate=debate, instrument=Instrument.PANEL.value))
    stands_at = finals_of(rows) | {
        pk: Final(in_places(then.final), in_places(then.override), then.mean) for pk, then in foreseen.items()
    }
    finals = {row.key: stands_at[row.pk] for row in rows}
    newest = newest_of(debate)
    decided = decided_by(debate, finals=finals, newest=newest)
    recommended = decided["recommendation"] if has_result(debate, finals=finals, newest=newest) else ""
    return {
        "Overall": decided["overall"] or "not evaluated",
        "Recommendation": (recommended or "none").replace("_", " "),
    }


def has_result(debate: Debate, *, finals: Mapping[str, Final], newest: Consensus | None) -> bool:
    """Say whether where the whole would stand with these scores would be a result."""
    overrides = {code: final.override for code, final in finals.items()}
    return newest is not None and reports.is_result(
        found=newest.found, overrides=overrides, status=debate.status, partial=debate.partial
    )


def without_moderation(
    debate: Debate, *, scores: Sequence[Evaluation], moved: Mapping[int, ModerationEffect], newest: Consensus | None
) -> dict[str, str | None]:
    """Return where the whole would stand had no person moved a score."""
    finals = {row.key: moved[row.pk].without if row.pk in moved else row.final_score for row in scores}
    as_final = {key: Final(in_places(final)) for key, final in finals.items()}
    return decided_by(debate, finals=as_final, newest=newest)


def summary_of(
    debate: Debate,
    *,
    newest: Consensus | None,
    scores: Sequence[Evaluation],
    moved: Mapping[int, ModerationEffect],
    finals: Mapping[int, Final],
) -> Summary:
    if newest is None:
        return Summary(without="not evaluated")
    by_key = {row.key: finals[row.pk] for row in scores}
    decided = decided_by(debate, finals=by_key, newest=newest)
    by_persons = any(row.pk in moved for row in scores)
    without = without_moderation(debate, scores=scores, moved=moved, newest=newest)["overall"] if by_persons else None
    policy = debate.parameters["panel"]["policy"]
    said: dict[str, Any] = {"moved": by_persons, "unmoderated": shown(without, policy=policy)}
    figure = shown(decided["overall"], policy=policy)
    is_alone = newest.agreed and len(debate.parameters["panel"]["strategies"]) == 1
    outcome = "one judge" if is_alone else "consensus" if newest.agreed else "no consensus"
    if decided["recommendation"] and has_result(debate, finals=by_key, newest=newest):
        return Summary(
            figure=figure,
            headline=str(decided["recommendation"]).replace("_", " ").capitalize(),
            detail=outcome,
            **said,
        )
    return Summary(figure=figure, headline=outcome.capitalize(), **said)


def shown(overall: str | None, *, policy: Mapping[str, Any]) -> Decimal | None:
    """Return a score for people: with two places, or as it is kept where an overall of those would recommend something
    else.
    """
    if not overall:
        return None
    marks, score = Policy.from_snapshot(policy), Decimal(overall)
    short = numbers.half_up(score, places=2)
    ways = {agreement.recommendation(overall=number, policy=marks) for number in (score, short)}
    return short if len(ways) == 1 else score


def _amount(value: str | None) -> str | None:
    return None if value is None else in_places(Decimal(value))


def panel_document(*, debate: Debate) -> dict[str, Any]:
    """Return the result of a panel as one document, computed now from what was kept.

    Source: docs/reference/panels.md#the-result
    """
    return documents.document(of_debate(debate=debate))


def of_debate(*, debate: Debate) -> Minutes:
    kept = debate.parameters["panel"]
    scores = list(Evaluation.objects.filter(debate=debate, instrument=Instrument.PANEL.value))
    finals = finals_of(scores)
    seats = list(debate.participants.filter(role=Role.JUDGE.value, replacement=None).order_by("position"))
    answered_by = models_of(seats)
    return Minutes(
        about=_about(debate, kept),
        unfinished=_unfinished(debate),
        criteria=_criteria(debate.parameters),
        judges=[
            PanelJudge(seat.name, seat.provider, answered_by[seat.pk], strategy, seat.kind)
            for seat, strategy in zip(seats, kept["strategies"], strict=True)
        ],
        rounds=_rounds(debate, seats),
        replaced=_replaced(debate),
        finals={row.key: finals[row.pk] for row in scores},
    )


def _about(debate: Debate, kept: Mapping[str, Any]) -> dict[str, Any]:
    said = debate.syntheses.select_related("turn").order_by("-number").first()
    started = debate.started_at or debate.created_at
    return {
        **document_head(debate=debate),
        "task": kept["task"],
        "date": started.date().isoformat(),
        "policy": dict(kept["policy"]),
        "judgedBy": judged_by(debate=debate),
        "fairness": repeated.of_debate(debate=debate, tables=TABLES),
        "synthesis": said.turn.text if said else None,
    }


def _criteria(parameters: Mapping[str, Any]) -> Sequence[PanelCriterion]:
    shares = bar_of(parameters).shares
    left_out, unable = parameters["panel"]["not_applicable"], parameters["panel"]["not_assessed"]
    return [
        PanelCriterion(
            code=row["code"],
            name=row["name"],
            weight=row["weight"],
            share=plain(numbers.half_up(shares[row["code"]], places=SHARE_PLACES)),
            left_out=left_out.get(row["code"], ""),
            unable=unable.get(row["code"], ""),
        )
        for row in parameters["rubric"]["criteria"]
    ]


def _wordless(debate: Debate) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the sections of reports whose words were erased: their scores are facts, and stay. Who accepted is not
    known any more.
    """
    rows = JudgeScore.objects.filter(report__debate=debate, report__body="").select_related("fact", "report")
    sections: dict[tuple[int, int], dict[str, Decimal]] = {}
    for row in rows:
        sections.setdefault((row.report.round_id, row.report.participant_id), {})[row.key] = row.fact.amount
    shares = bar_of(debate.parameters).shares
    return {
        place: {
            "kind": deliberation.ERASED,
            "scores": {code: plain(score) for code, score in scores.items()},
            "overall": plain(deliberation.weighted_overall(scores, shares)),
        }
        for place, scores in sections.items()
    }


def _rounds(debate: Debate, seats: Sequence[Participant]) -> list[Round]:
    reports = list(
        JudgeReport.objects.filter(debate=debate).values_list("round_id", "participant_id", "readable", "body")
    )
    bodies = {(played, seat): body for played, seat, readable, body in reports if readable}
    blank = [key for key, body in bodies.items() if not body]
    bodies |= _wordless(debate) if blank else {}
    struck = _struck(debate)
    consensuses = Consensus.objects.filter(debate=debate).select_related("round").order_by("round__number")
    unable = {(played, seat): body for played, seat, readable, body in reports if not readable and body}
    return [
        Round(
            number=consensus.round.number,
            sections={seat.name: bodies.get((consensus.round_id, seat.pk)) for seat in seats},
            found=consensus.found,
            struck=struck.get(consensus.round_id, {}),
            declined={seat.name: unable[key] for seat in seats if (key := (consensus.round_id, seat.pk)) in unable},
        )
        for consensus in consensuses
    ]


def _struck(debate: Debate) -> dict[int, dict[str, list[str]]]:
    """Return the criteria on which a judge's score was struck, by round and judge."""
    facts = selectors.struck(debates=[debate.pk], instrument=Instrument.PANEL)
    rows = JudgeScore.objects.filter(fact__in=facts).order_by("fact")
    struck: dict[int, dict[str, list[str]]] = {}
    for played, judge, code in rows.values_list("report__round", "report__participant__name", "key"):
        struck.setdefault(played, {}).setdefault(judge, []).append(code)
    return struck


def _replaced(debate: Debate) -> list[dict[str, Any]]:
    """Return the judges who were replaced. That one had given a ballot is told once its round is closed."""
    rows = ReplacedJudge.objects.filter(debate=debate).select_related("judge", "successor", "by", "because")
    balloted = set(
        Ballot.objects.filter(round__thread__debate=debate, round__closed_at__isnull=False).values_list(
            "participant", flat=True
        )
    )
    return [
        {
            "judge": row.judge.name,
            "successor": row.successor.name,
            "at": row.at.isoformat(),
            "by": moderation_effect.role_of(row.by.role, otherwise="a person"),
            "byOrganiser": row.by_organiser,
            "reason": str(row.because),
            "ballotStruck": row.judge_id in balloted,
        }
        for row in rows.order_by("pk")
    ]


def _unfinished(debate: Debate) -> Unfinished | None:
    """Return what was heard in a round that was never closed, if the panel ended in the middle of one."""
    if not debate.partial:
        return None
    left = models.Round.objects.filter(thread__debate=debate, closed_at__isnull=True).order_by("number").last()
    if left is None:
        return None
    heard = Call.objects.filter(
        debate=debate, run_number=left.run_number, round_number=left.number, outcome=Outcome.USED.value,
        participant__role=Role.JUDGE.value,
    )  # fmt: skip
    seats = set(heard.values_list("participant", flat=True)) | set(left.ballots.values_list("participant", flat=True))
    names = (
        Participant.objects.filter(pk__in=seats, replacement=None).order_by("position").values_list("name", flat=True)
    )
    return Unfinished(number=left.number, heard=list(names), because=debate.partial_reason)
