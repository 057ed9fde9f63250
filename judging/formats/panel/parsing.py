"""Reading what judges of a panel answer. The parser decides what is an answer, never the prompt.

What is refused raises ``AnswerRejected``, naming the place, what is expected there and what came.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from judging.errors import NOWHERE, AnswerPlace, AnswerRejected
from judging.formats import parsing
from judging.rules.consensus import HIGHEST, LOWEST, Confidence
from judging.types import Analysis, Argued, CounterQuestion, JudgedCriterion, NotAssessed, Revision, Section

QUESTIONS = 5
MOST_QUOTES = 12
MOST_NOTES = 20
MOST: Mapping[str, int] = {"quotes": MOST_QUOTES, "strengths": MOST_NOTES, "weaknesses": MOST_NOTES}
NOT_APPLICABLE = "not_applicable"
PARTS, NOTES = ("criteria", "questions", "revisions"), ("strengths", "weaknesses")
"""What a judge answers alone: lists of objects, and of words."""

_by_criterion = partial(parsing.rows_about, key="criterion", twice="is there twice")


@dataclass(frozen=True, slots=True)
class Answering:
    """What a judge says beside scores: a person or a program (``by_hand``) need not question itself, but says how sure
    it is where the panel asks for that.
    """

    by_hand: bool = False
    confidence: str = Confidence.NONE.value

    def sureness(self, row: Mapping[str, Any], *, of: Confidence, at: AnswerPlace = NOWHERE) -> Decimal | None:
        """Return how sure a judge is of the whole or of one criterion, where asked; an engine may leave it out."""
        if self.confidence != of.value or (not self.by_hand and "confidence" not in row):
            return None
        return parsing.number_of(row, "confidence", low=Decimal(0), high=Decimal(1), at=at)


AN_ENGINE = Answering()


def analysis(text: str, *, codes: Sequence[str], expected: Answering = AN_ENGINE) -> Analysis | NotAssessed:
    """Return an independent analysis: every criterion once, with a score or why it does not apply, and five questions;
    or why the judge gives none.

    Units: scores 1..5, confidence 0..1, at most 2 places.
    Source: docs/reference/panels.md#what-a-judge-answers
    """
    answer = parsing.answer_of(text)
    if unable := parsing.not_assessed(answer):
        return unable
    rows = {code: (row, at) for at, code, row in _by_criterion(answer, "criteria", known=codes)}
    _all_there(rows, codes, "criteria")
    not_applicable = {
        code: _why_not(row, at, by_hand=expected.by_hand) for code, (row, at) in rows.items() if NOT_APPLICABLE in row
    }
    least = 0 if expected.by_hand else QUESTIONS
    scored = [code for code in codes if code not in not_applicable]
    if not scored:
        problem = "criteria: at least one needs a score; who can judge none of them answers not_assessed."
        raise AnswerRejected(problem, place=NOWHERE / "criteria")
    return Analysis(
        judged=tuple(_judged(*rows[code], code=code, expected=expected) for code in scored),
        questions=_questions(answer if least else {"questions": [], **answer}, least=least),
        revisions=tuple(
            Revision(
                code=code,
                because=parsing.words_of(row, "because", at=at),
                score=_score(row, at),
                quotes=_quotes(row, at),
            )
            for at, code, row in _by_criterion({"revisions": [], **answer}, "revisions", known=scored)
        ),
        strengths=parsing.texts_of(answer, "strengths")[:MOST_NOTES],
        weaknesses=parsing.texts_of(answer, "weaknesses")[:MOST_NOTES],
        not_applicable={code: not_applicable[code] for code in codes if code in not_applicable},
        confidence=expected.sureness(answer, of=Confidence.WHOLE),
    )


def refuse_beside(answer: Mapping[str, Any]) -> None:
    """Refuse what a person or a program says beside why it judges nothing: all of that would be cut.

    Raises: ``AnswerRejected``.
    """
    beside = [name for name in (*PARTS, *NOTES, "confidence") if _says(answer.get(name), name)]
    if "not_assessed" in answer and beside:
        problem = f"not_assessed: who cannot judge it leaves out {', '.join(beside)}."
        raise AnswerRejected(problem, place=NOWHERE / "not_assessed")


def _says(part: object, name: str) -> bool:
    """Say whether anything is in a part of an answer but the codes of criteria."""
    if name == "confidence":
        return part not in (None, "")
    rows = part if isinstance(part, list) else []
    if name in NOTES:
        return any(isinstance(row, str) and row for row in rows)
    return any(text for row in rows if isinstance(row, dict) for key, text in row.items() if key != "criterion")


def argued(text: str, *, codes: Sequence[str], judges: Collection[str], expected: Answering = AN_ENGINE) -> Argued:
    """Return what a judge says in a debate round: one section for every disagreement.

    Shape: ``codes`` are the criteria to debate, ``judges`` the other judges.
    Source: docs/reference/panels.md#what-a-judge-answers
    """
    answer = parsing.answer_of(text)
    sections = {
        code: _section(row, code, at, expected) for at, code, row in _by_criterion(answer, "sections", known=codes)
    }
    _all_there(sections, codes, "sections")
    accepts = answer.get("accepts")
    if not isinstance(accepts, bool):
        raise (NOWHERE / "accepts").refused(f"must be true or false; got {parsing.kind_of(accepts)}.")
    agrees = parsing.texts_of(answer, "agrees_with")
    strange = [judge for judge in agrees if judge not in judges]
    if strange:
        place = NOWHERE / "agrees_with"
        problem = f"{place}: {strange[0][:40]!r} is no other judge; they are {', '.join(judges)}."
        raise AnswerRejected(problem, place=place)
    return Argued(
        sections=tuple(sections[code] for code in codes),
        accepts=accepts,
        agrees_with=tuple(dict.fromkeys(agrees)),
        confidence=expected.sureness(answer, of=Confidence.WHOLE),
    )


def _all_there(by_code: Mapping[str, object], codes: Sequence[str], name: str) -> None:
    missing = [code for code in codes if code not in by_code]
    if missing:
        problem = f"{name}: nothing about {', '.join(missing)}; each of them is expected."
        raise AnswerRejected(problem, place=NOWHERE / name)


def _why_not(row: Mapping[str, Any], at: AnswerPlace, *, by_hand: bool) -> str:
    place = at / NOT_APPLICABLE
    if "score" in row:
        raise AnswerRejected(f"{at}: give a score, or say why it does not apply, and not both.", place=place)
    words = {name: row.get(name) for name in ("reasoning", "improvement", "quotes", "confidence")}
    beside = [name for name, text in words.items() if text and isinstance(text, str | list)]
    if by_hand and beside:
        raise AnswerRejected(f"{at}: where a criterion does not apply, leave out {', '.join(beside)}.", place=place)
    return parsing.words_of(row, NOT_APPLICABLE, at=at)


def _judged(row: Mapping[str, Any], at: AnswerPlace, *, code: str, expected: Answering) -> JudgedCriterion:
    return JudgedCriterion(
        code=code,
        quotes=_quotes(row, at),
        reasoning=parsing.words_of(row, "reasoning", at=at),
        score=_score(row, at),
        improvement=parsing.words_of(row, "improvement", at=at, empty=True),
        confidence=expected.sureness(row, of=Confidence.CRITERION, at=at),
    )


def _section(row: Mapping[str, Any], code: str, at: AnswerPlace, expected: Answering) -> Section:
    return Section(
        code=code,
        defence=parsing.words_of(row, "defence", at=at),
        challenge=parsing.words_of(row, "challenge", at=at, empty=True),
        score=_score(row, at),
        because=parsing.words_of(row, "because", at=at),
        quotes=_quotes(row, at),
        confidence=expected.sureness(row, of=Confidence.CRITERION, at=at),
    )


def _questions(answer: Mapping[str, Any], *, least: int) -> tuple[CounterQuestion, ...]:
    rows = parsing.rows_of(answer, "questions")
    if not least <= len(rows) <= QUESTIONS:
        how_many = f"exactly {QUESTIONS}" if least == QUESTIONS else f"at most {QUESTIONS}"
        raise (NOWHERE / "questions").refused(f"must be {how_many}; got {len(rows)}.")
    return tuple(
        CounterQuestion(
            question=parsing.words_of(row, "question", at=at), answer=parsing.words_of(row, "answer", at=at)
        )
        for at, row in rows
    )


def _score(row: Mapping[str, Any], at: AnswerPlace) -> Decimal:
    return parsing.number_of(row, "score", low=LOWEST, high=HIGHEST, at=at)


def _quotes(row: Mapping[str, Any], at: AnswerPlace) -> tuple[str, ...]:
    return tuple(quote for quote in parsing.texts_of(row, "quotes", at=at) if quote)[:MOST_QUOTES]
