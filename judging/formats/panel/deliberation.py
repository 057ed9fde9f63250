"""Reports of judges and what a debate between them does to their scores. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from string import ascii_uppercase
from typing import Any

from debates.decimals import plain
from judging.rules import consensus, fairness, quotes
from judging.rules.consensus import Ballot, Check, Policy
from judging.rules.fairness import AgreedNumbers, Place
from judging.rules.quotes import Quote, Source
from judging.types import Analysis, Argued, Gap, JudgedCriterion, NotAssessed, Opinion, Revision, Section, Stand, Unable
from scoring.rules import numbers

# What is made of judges' answers: quotes looked up, revisions without evidence refused, gaps named. Pure.


NAMED = re.compile(r"\bJudge \w+")
NO_QUOTE, NOT_THERE = "no_quote", "not_in_subject"
Body = Mapping[str, Any]
"""One section of a report, as it is kept: docs/reference/panels.md#reports."""


DECLINED, ERASED = "not_assessed", "erased"


def declined(answer: NotAssessed) -> dict[str, Any]:
    """Return what is kept of a judge who says that it cannot judge the subject: it gives no number."""
    return {"kind": DECLINED, "reason": answer.reason.value, "why": answer.why}


def of_analysis(*, analysis: Analysis, within: Source, shares: Mapping[str, Fraction]) -> dict[str, Any]:
    """Return the section of an independent analysis.

    Shape: a score is the revised one where the revision quotes the subject, else the first.
    Source: docs/reference/panels.md#evidence
    """
    revisions = {revision.code: revision for revision in analysis.revisions}
    criteria = [_of_criterion(criterion, revisions.get(criterion.code), within) for criterion in analysis.judged]
    return {
        "kind": "analysis",
        "criteria": criteria,
        **({"not_applicable": dict(analysis.not_applicable)} if analysis.not_applicable else {}),
        "questions": [{"question": question.question, "answer": question.answer} for question in analysis.questions],
        "strengths": list(analysis.strengths),
        "weaknesses": list(analysis.weaknesses),
        "scores": {row["criterion"]: row["score"] for row in criteria},
        "overall": plain(weighted_overall({row["criterion"]: Decimal(row["score"]) for row in criteria}, shares)),
        **_sure(analysis.confidence),
    }


def of_argument(
    *, argued: Argued, own: Stand, gaps: Sequence[Gap], within: Source, shares: Mapping[str, Fraction]
) -> dict[str, Any]:
    """Return the section of a debate round: each disagreement, and where the judge now stands.

    Source: docs/reference/panels.md#evidence
    """
    about = {gap.code: gap for gap in gaps}
    sections = [_of_section(section, about[section.code], within) for section in argued.sections]
    scores = {opinion.code: opinion.score for opinion in own.opinions}
    scores |= {row["criterion"]: Decimal(row["score"]) for row in sections}
    return {
        "kind": "debate",
        "sections": sections,
        "accepts": argued.accepts,
        "agrees_with": list(argued.agrees_with),
        "scores": {code: plain(score) for code, score in scores.items()},
        "overall": plain(weighted_overall(scores, shares)),
        **_sure(argued.confidence),
    }


def _sure(confidence: Decimal | None) -> dict[str, str]:
    """Return how sure a judge says it is, where it was asked."""
    return {} if confidence is None else {"confidence": plain(confidence)}


def weighted_overall(scores: Mapping[str, Decimal], shares: Mapping[str, Fraction]) -> Decimal:
    """Return the weighted mean of what a judge scored, rounded to the places in which overalls are compared."""
    return numbers.half_up(exact_overall(scores, shares), places=consensus.COMPARED_PLACES)


def exact_overall(scores: Mapping[str, Decimal], shares: Mapping[str, Fraction]) -> Fraction:
    weighted = sum((Fraction(score) * shares[code] for code, score in scores.items()), Fraction(0))
    whole = sum((shares[code] for code in scores), Fraction(0))
    return weighted / whole if whole else weighted


def _of_criterion(judged: JudgedCriterion, revision: Revision | None, within: Source) -> dict[str, Any]:
    said = quotes.all_located(quotes=judged.quotes, within=within)
    row = {
        "criterion": judged.code,
        "given": plain(judged.score),
        "score": plain(judged.score),
        "reasoning": judged.reasoning,
        "improvement": judged.improvement,
        "quotes": [_kept(quote) for quote in said],
        **_sure(judged.confidence),
    }
    if revision is None or revision.score == judged.score:
        return row
    located = quotes.all_located(quotes=revision.quotes, within=within)
    refused = _refused(located)
    revised = {
        "score": plain(revision.score),
        "because": revision.because,
        "quotes": [_kept(quote) for quote in located],
    }
    return {
        **row,
        "score": row["score"] if refused else plain(revision.score),
        "revision": {**revised, "refused": refused},
    }


def _of_section(section: Section, gap: Gap, within: Source) -> dict[str, Any]:
    located = quotes.all_located(quotes=section.quotes, within=within)
    moves = section.score != gap.own_score
    refused = _refused(located) if moves else ""
    return {
        "criterion": section.code,
        "other": gap.other,
        "own_score": plain(gap.own_score),
        "other_score": plain(gap.other_score),
        "others": [{"judge": judge, "score": plain(score)} for judge, score in gap.opponents],
        "wanted": plain(section.score),
        "score": plain(gap.own_score if refused else section.score),
        "refused": refused,
        "defence": section.defence,
        "challenge": section.challenge,
        "because": section.because,
        "quotes": [_kept(quote) for quote in located],
        **_sure(section.confidence),
    }


def _refused(located: Sequence[Quote]) -> str:
    if any(quote.found for quote in located):
        return ""
    return NOT_THERE if located else NO_QUOTE


def _kept(quote: Quote) -> dict[str, Any]:
    return {"text": quote.text, "spans": [[span.start, span.end] for span in quote.spans]}


# -- where a judge stands ----------------------------------------------------------------------------------------------


def stand(*, judge: str, sections: Sequence[Body]) -> Stand:
    """Return where a judge stands after its sections, oldest first: the newest scores, with all it has quoted.

    Shape: ``sections`` is not empty and begins with the analysis.
    """
    last = sections[-1]
    opinions = tuple(
        Opinion(
            code=code,
            score=Decimal(score),
            reasoning=" ".join(reasoning for reasoning in (_why(section, code) for section in sections) if reasoning),
            quotes=tuple(dict.fromkeys(quote for section in sections for quote in found_quotes(section, code))),
        )
        for code, score in sorted(last["scores"].items())  # as answered they have another order than as kept
    )
    return Stand(judge=judge, opinions=opinions, overall=Decimal(last["overall"]))


def rows_of(section: Body) -> Sequence[Mapping[str, Any]]:
    """Return what a section says about single criteria; nothing once its words are erased."""
    if section["kind"] == ERASED:
        return ()
    rows: Sequence[Mapping[str, Any]] = section["criteria" if section["kind"] == "analysis" else "sections"]
    return rows


def found_quotes(section: Body, code: str) -> list[str]:
    """Return the quotes for one criterion that the subject really says."""
    return [quote["text"] for quote in placed_quotes(section, code)]


def placed_quotes(section: Body, code: str) -> list[Mapping[str, Any]]:
    """Return the same, each with its places in the subject."""
    quoted = [
        quote
        for row in rows_of(section)
        if row["criterion"] == code
        for quote in [*row["quotes"], *row.get("revision", {}).get("quotes", [])]
    ]
    return [quote for quote in quoted if quote["spans"]]


def _why(section: Body, code: str) -> str:
    row = next((row for row in rows_of(section) if row["criterion"] == code), None)
    return "" if row is None else str(row.get("reasoning") or row.get("because") or "")


def gaps(*, own: Stand, others: Sequence[Stand], codes: Sequence[str], allowed: Decimal) -> tuple[Gap, ...]:
    """Return the disagreements of one judge: for each criterion to debate every judge further away than is allowed,
    the farthest first; where none is, the farthest. Where one gives no score, one has nothing to talk about.

    Among judges equally far, it is the one who gives more, then by overall and quotes; never by their seats.
    """
    scoring = {code: [stand for stand in others if stand.scores(code)] for code in codes if own.scores(code)}
    return tuple(_gap(own, stands, code, allowed) for code, stands in scoring.items() if stands)


def _gap(own: Stand, others: Sequence[Stand], code: str, allowed: Decimal) -> Gap:
    mine = own.on(code).score
    farthest, *nearer = sorted(others, key=lambda stand: _apart(stand, code, mine), reverse=True)
    wide = [stand for stand in nearer if abs(stand.on(code).score - mine) > allowed]
    return Gap(
        code=code, own_score=mine, opponents=tuple((stand.judge, stand.on(code).score) for stand in (farthest, *wide))
    )


def lettered(stands: Sequence[Stand]) -> dict[str, str]:
    """Return names that say nothing of the seats of judges, by their own: Judge A gives most.

    Who gives the same follows in the order of what they say, so that their order tells nothing that is not shown.
    """
    placed = sorted(stands, key=lambda stand: (-stand.overall, repr(stand.opinions)))
    return {stand.judge: f"Judge {letter}" for letter, stand in zip(ascii_uppercase, placed, strict=False)}


def called(text: str, names: Mapping[str, str]) -> str:
    """Return words with the judges of a panel in them under other names."""
    return NAMED.sub(lambda match: names.get(match[0], match[0]), text)


def stand_as(stand: Stand, names: Mapping[str, str]) -> Stand:
    """Return where a judge stands with everybody in it under other names."""
    opinions = tuple(replace(opinion, reasoning=called(opinion.reasoning, names)) for opinion in stand.opinions)
    return replace(stand, judge=names[stand.judge], opinions=opinions)


def argued_as(argued: Argued, names: Mapping[str, str]) -> Argued:
    """Return what a judge says in a debate round with everybody in it under other names."""
    return replace(
        argued,
        agrees_with=tuple(names[judge] for judge in argued.agrees_with),
        sections=tuple(
            replace(
                section,
                defence=called(section.defence, names),
                challenge=called(section.challenge, names),
                because=called(section.because, names),
            )
            for section in argued.sections
        ),
    )


def _apart(stand: Stand, code: str, mine: Decimal) -> tuple[Decimal, Decimal, Decimal, tuple[str, ...]]:
    held = stand.on(code)
    return abs(held.score - mine), held.score, stand.overall, held.quotes


# -- how far a panel agrees --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bar:
    """What a panel is held against: its criteria with their weights, those that do not apply, and its policy."""

    codes: Sequence[str]
    weights: Sequence[Decimal]
    left_out: Sequence[str]
    policy: Policy

    @property
    def shares(self) -> dict[str, Fraction]:
        """Return the part of the whole of each criterion; 0 for what does not apply."""
        return dict(zip(self.codes, consensus.normalised(weights=self.weights, not_applicable=self.gone), strict=True))

    @property
    def gone(self) -> list[int]:
        """Return the positions of what does not apply."""
        return [at for at, code in enumerate(self.codes) if code in self.left_out]

    @property
    def applying(self) -> list[str]:
        """Return the criteria that are judged."""
        return [code for code in self.codes if code not in self.left_out]


def check(
    *, bar: Bar, sections: Sequence[Body | None], debate_round: int, struck: Sequence[Collection[str]] | None = None
) -> Check:
    """Say how far a panel agrees after a round.

    Shape: one section for every seat, ``None`` where it could not be read; ``struck`` are for every seat the criteria
    on which its score does not count.
    """
    out: Sequence[Collection[str]] = [()] * len(sections) if struck is None else struck
    return consensus.check(
        ballots=[_ballot(section, bar, gone) for section, gone in zip(sections, out, strict=True)],
        weights=bar.weights,
        policy=bar.policy,
        debate_round=debate_round,
        not_applicable=bar.gone,
    )


def _ballot(section: Body | None, bar: Bar, struck: Collection[str]) -> Ballot:
    if section is None:
        return Ballot(None)
    scores_as_text = section["scores"]
    scores = tuple(Decimal(scores_as_text[code]) if code in scores_as_text else None for code in bar.codes)
    return Ballot(scores, section.get("accepts"), frozenset(bar.codes.index(code) for code in struck))


def found(*, check: Check, bar: Bar, judges: Sequence[str]) -> dict[str, Any]:
    """Return what a check found, as it is kept: numbers as text, criteria and judges by name."""
    recommended = consensus.recommendation(overall=check.overall, policy=bar.policy) if check.overall else None
    return {
        "agreed": check.agreed,
        "reason": check.reason.value if check.reason else "",
        "reasons": [reason.value for reason in check.reasons],
        "overall": as_text(check.overall),
        "recommendation": recommended.value if recommended else "",
        "overalls": {name: as_text(overall) for name, overall in zip(judges, check.overalls, strict=True)},
        "spread": as_text(check.spread),
        "criterion_spreads": {
            code: as_text(spread) for code, spread in zip(bar.codes, check.criterion_spreads, strict=True)
        },
        "means": {code: as_text(mean) for code, mean in zip(bar.codes, check.means, strict=True)},
        "disputed": [] if check.agreed else [bar.codes[at] for at in check.disputed],
        "counted": check.counted,
        "needed": check.needed,
    }


def to_debate(*, check: Check, bar: Bar) -> list[str]:
    """Return the criteria that the next round talks about."""
    return [bar.codes[at] for at in consensus.disagreements(spreads=check.criterion_spreads, policy=bar.policy)]


def as_text(value: Decimal | None) -> str | None:
    return None if value is None else plain(value)


# One section out of several that a judge gave of the same: their scores, with the words of the nearest. Pure.


NOTHING_SHARED = "Its judgements have no criterion in common to which each of them gives a score."


def merged(*, bodies: Mapping[Place, Body], shares: Mapping[str, Fraction]) -> tuple[Place, Body]:
    """Return the section that stands for several, and by which of them its words are.

    Shape: of one, itself; where one of them judges nothing, that one; where no criterion is scored by all, one that
    judges nothing. ``judgements`` of the section holds by criterion
    that is talked about the single scores, their spread, and whether the orders differ. A judge accepts where most of
    its judgements do, and agrees with whom all of them name. What does not apply by one of them has no score.
    Source: docs/reference/fairness.md#what-counts
    """
    if len(bodies) == 1:
        return next(iter(bodies.items()))
    unable = next((pair for pair in bodies.items() if pair[1]["kind"] == DECLINED), None)
    if unable is not None:
        return unable
    left_out = {code: why for body in bodies.values() for code, why in body.get("not_applicable", {}).items()}
    codes = next(iter(bodies.values()))["scores"]
    scores = {code: _scores(bodies, code) for code in codes if all(code in body["scores"] for body in bodies.values())}
    if not scores:
        return next(iter(bodies)), declined(NotAssessed(Unable.CRITERION, NOTHING_SHARED))
    judgements = {code: fairness.score(judgements=repeats) for code, repeats in scores.items()}
    counted = {code: agreed.numbers["score"] for code, agreed in judgements.items()}
    overall = weighted_overall(counted, shares)
    place = fairness.nearest(judgements={place: Decimal(body["overall"]) for place, body in bodies.items()}, to=overall)
    words = bodies[place]
    rows = "criteria" if words["kind"] == "analysis" else "sections"
    spoken_of = {row["criterion"] for row in words[rows]}
    return place, {
        **words,
        rows: [_row(row, counted[row["criterion"]]) for row in words[rows] if row["criterion"] in counted],
        **({"not_applicable": left_out} if left_out else {}),
        **(_stance(list(bodies.values())) if words["kind"] == "debate" else {}),
        "scores": {code: plain(score) for code, score in counted.items()},
        "overall": plain(overall),
        "judgements": {
            code: _readings(scores[code], agreed) for code, agreed in judgements.items() if code in spoken_of
        },
    }


def _scores(bodies: Mapping[Place, Body], code: str) -> dict[Place, Decimal]:
    return {place: Decimal(body["scores"][code]) for place, body in bodies.items()}


def _row(row: Mapping[str, Any], score: Decimal) -> dict[str, Any]:
    """Return what a section says of one criterion, with the score that counts in place of its own."""
    if Decimal(row["score"]) == score:
        return dict(row)
    if "own_score" in row:
        return {**row, "score": plain(score), "wanted": plain(score), "refused": ""}
    kept = {name: value for name, value in row.items() if name != "revision"}
    return {**kept, "score": plain(score)}


def _stance(bodies: Sequence[Body]) -> dict[str, Any]:
    named = [set(body["agrees_with"]) for body in bodies]
    shared = set.intersection(*named)
    return {
        "accepts": 2 * sum(body["accepts"] for body in bodies) > len(bodies),
        "agrees_with": [judge for judge in bodies[0]["agrees_with"] if judge in shared],
    }


def _readings(scores: Mapping[Place, Decimal], agreed: AgreedNumbers) -> dict[str, Any]:
    readings = [
        {"swapped": place.swapped, "reading": place.reading, "score": plain(score)} for place, score in scores.items()
    ]
    return {"readings": readings, "spread": plain(agreed.spread), "flipped": agreed.flipped}
