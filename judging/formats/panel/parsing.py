"""Reading what judges of a panel answer. The parser decides what is an answer, never the prompt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from judging.errors import AnswerRejected
from judging.formats import parsing
from judging.rules.consensus import HIGHEST, LOWEST
from judging.rules.not_assessed import NotAssessed
from judging.types import Analysis, Argued, CounterQuestion, JudgedCriterion, Revision, Section

QUESTIONS = 5
MOST_QUOTES = 12
MOST_NOTES = 20


def analysis(text: str, *, codes: Sequence[str], least_questions: int = QUESTIONS) -> Analysis | NotAssessed:
    """Return an independent analysis: every criterion once, and five questions; or why the judge gives none.

    A person or a program may ask itself fewer questions than an engine.

    Units: scores 1..5, at most 2 places.
    Raises: ``AnswerRejected`` naming the place, what is expected there and what came.
    Source: docs/reference/panels.md#what-a-judge-answers
    """
    given = parsing.answer_of(text)
    if unable := parsing.not_assessed(given):
        return unable
    judged = {code: _judged(row, code, at) for at, code, row in _by_criterion(given, "criteria", codes)}
    _all_there(judged, codes, "criteria")
    return Analysis(
        judged=tuple(judged[code] for code in codes),
        questions=_questions(given if least_questions else {"questions": [], **given}, least=least_questions),
        revisions=tuple(
            _revision(row, code, at) for at, code, row in _by_criterion({"revisions": [], **given}, "revisions", codes)
        ),
        strengths=parsing.texts_of(given, "strengths")[:MOST_NOTES],
        weaknesses=parsing.texts_of(given, "weaknesses")[:MOST_NOTES],
    )


def argued(text: str, *, codes: Sequence[str], judges: Collection[str]) -> Argued:
    """Return what a judge says in a debate round: one section for every disagreement.

    Shape: ``codes`` are the criteria to debate, ``judges`` the other judges.
    Raises: ``AnswerRejected`` naming the place, what is expected there and what came.
    Source: docs/reference/panels.md#what-a-judge-answers
    """
    given = parsing.answer_of(text)
    sections = {code: _section(row, code, at) for at, code, row in _by_criterion(given, "sections", codes)}
    _all_there(sections, codes, "sections")
    accepts = given.get("accepts")
    if not isinstance(accepts, bool):
        raise AnswerRejected(f"accepts must be true or false; got {parsing.kind_of(accepts)}.")
    agrees = parsing.texts_of(given, "agrees_with")
    strange = [judge for judge in agrees if judge not in judges]
    if strange:
        raise AnswerRejected(f"agrees_with: {strange[0][:40]!r} is no other judge; they are {', '.join(judges)}.")
    return Argued(
        sections=tuple(sections[code] for code in codes), accepts=accepts, agrees_with=tuple(dict.fromkeys(agrees))
    )


def _by_criterion(
    given: Mapping[str, Any], name: str, codes: Sequence[str]
) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    seen: set[str] = set()
    for at, row in parsing.rows_of(given, name):
        code = row.get("criterion")
        if not isinstance(code, str) or code not in codes:
            raise AnswerRejected(f"{at}: criterion must be one of {', '.join(codes)}; got {str(code)[:40]!r}.")
        if code in seen:
            raise AnswerRejected(f"{at}: {code} is there twice.")
        seen.add(code)
        yield at, code, row


def _all_there(found: Mapping[str, object], codes: Sequence[str], name: str) -> None:
    missing = [code for code in codes if code not in found]
    if missing:
        raise AnswerRejected(f"{name}: nothing about {', '.join(missing)}; each of them is expected.")


def _judged(row: Mapping[str, Any], code: str, at: str) -> JudgedCriterion:
    return JudgedCriterion(
        code=code,
        quotes=_quotes(row, at),
        reasoning=parsing.words_of(row, "reasoning", at=at),
        score=_score(row, at),
        improvement=parsing.words_of(row, "improvement", at=at, empty=True),
    )


def _revision(row: Mapping[str, Any], code: str, at: str) -> Revision:
    because = parsing.words_of(row, "because", at=at)
    return Revision(code=code, score=_score(row, at), because=because, quotes=_quotes(row, at))


def _section(row: Mapping[str, Any], code: str, at: str) -> Section:
    return Section(
        code=code,
        defence=parsing.words_of(row, "defence", at=at),
        challenge=parsing.words_of(row, "challenge", at=at, empty=True),
        score=_score(row, at),
        because=parsing.words_of(row, "because", at=at),
        quotes=_quotes(row, at),
    )


def _questions(given: Mapping[str, Any], *, least: int) -> tuple[CounterQuestion, ...]:
    rows = parsing.rows_of(given, "questions")
    if not least <= len(rows) <= QUESTIONS:
        how_many = f"exactly {QUESTIONS}" if least == QUESTIONS else f"at most {QUESTIONS}"
        raise AnswerRejected(f"questions must be {how_many}; got {len(rows)}.")
    return tuple(
        CounterQuestion(
            question=parsing.words_of(row, "question", at=at), answer=parsing.words_of(row, "answer", at=at)
        )
        for at, row in rows
    )


def _score(row: Mapping[str, Any], at: str) -> Decimal:
    return parsing.number_of(row, "score", low=LOWEST, high=HIGHEST, at=at)


def _quotes(row: Mapping[str, Any], at: str) -> tuple[str, ...]:
    try:
        return tuple(quote for quote in parsing.texts_of(row, "quotes") if quote)[:MOST_QUOTES]
    except AnswerRejected as error:
        raise AnswerRejected(f"{at}: {error.message}") from error
