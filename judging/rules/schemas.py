"""The shape of every answer as JSON Schema, for models that can be held to one. What counts, the parser decides."""

from collections.abc import Mapping
from typing import Any

from judging.rules.adherence import HIGHEST_MARK
from judging.types import Purpose, Reply, Severity, Winner

Schema = Mapping[str, Any]
ISSUES = ("evasion", "misrepresentation", "cherry_picking", "moving_goalposts", "false_equivalence")
"""What can be wrong with the honesty of a response."""


def of(purpose: Purpose) -> Schema:
    """Return the shape of the answer to a purpose."""
    return SCHEMAS[purpose]


def record(**fields: Schema) -> Schema:
    """Return an object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def words(about: str) -> Schema:
    """Return a text of any length; ``about`` tells the model what belongs there."""
    return {"type": "string", "description": about}


def number(low: str, high: str) -> Schema:
    """Return a number written as text, so that it stays exact."""
    return {"type": "string", "description": f"a number from {low} to {high}, in digits, at most two decimals"}


def one_of(*values: str) -> Schema:
    """Return exactly one of these words."""
    return {"type": "string", "enum": list(values)}


def several(item: Schema) -> Schema:
    """Return a list of any length: how many are asked for, the prompt says."""
    return {"type": "array", "items": item}


TRUTH: Schema = {"type": "boolean"}
QUOTES = several(words("a passage, word for word"))
LABEL = words("the label of the challenge, such as C1")
SPOKEN = record(text=words("what you say"), quotes=QUOTES)
CODE = words("the code of the criterion")
GRADE = number("1", "5")
MARK = number("0", str(HIGHEST_MARK))
WHY = words("why, in a sentence")
TRIED = record(quotes=QUOTES, notes=WHY, attempted=TRUTH, score=MARK)

ASSESSMENT: Mapping[str, Schema] = {
    "quotes": QUOTES,
    "reasoning": words("why"),
    "score": number("1", "10"),
    "confidence": number("0", "1"),
}

SCHEMAS: Mapping[Purpose, Schema] = {
    Purpose.ASSESS: record(**ASSESSMENT),
    Purpose.ASSESS_SEVERAL: record(assessments=several(record(criterion=CODE, **ASSESSMENT))),
    Purpose.CHALLENGE: record(
        challenges=several(
            record(
                persona=words("one of the personas"),
                quote=words("the passage attacked, word for word, or empty"),
                text=words("the challenge"),
                severity=one_of(*Severity),
            )
        )
    ),
    Purpose.PRESS: record(presses=several(record(challenge=LABEL, text=words("what is pressed further")))),
    Purpose.DEFEND: record(
        defences=several(record(challenge=LABEL, quotes=QUOTES, text=words("the answer"), reply=one_of(*Reply)))
    ),
    Purpose.JUDGE: record(
        verdicts=several(
            record(
                challenge=LABEL,
                quotes=QUOTES,
                reasoning=words("why"),
                winner=one_of(*Winner),
                adjustment=number("-3", "3"),
                impact=number("-0.3", "0.3"),
                confidence=number("0", "1"),
            )
        )
    ),
    Purpose.SYNTHESISE: record(
        summary=words("at most 200 words"),
        strengths=several(words("a strength")),
        weaknesses=several(words("a weakness")),
        advice=several(words("what to do next")),
    ),
    Purpose.INTRODUCE: record(text=words("the introduction")),
    Purpose.OPEN: SPOKEN,
    Purpose.RESPOND: SPOKEN,
    Purpose.EVALUATE: record(
        steel_manning=TRIED,
        self_critique=TRIED,
        consistency=record(quotes=QUOTES, notes=WHY, violations=several(words("a violation")), score=MARK),
        honesty=record(quotes=QUOTES, notes=WHY, issues=several(one_of(*ISSUES)), score=MARK),
    ),
    Purpose.INFLUENCE: record(
        quotes=QUOTES,
        effects=several(
            record(
                listener=words("the listener's name"),
                reason=WHY,
                persuasion=number("0", "1"),
                attack=number("0", "1"),
                evidence=number("0", "1"),
            )
        ),
    ),
    Purpose.INTERJECT: record(text=words("30 to 75 words")),
    Purpose.ANALYSE: record(
        criteria=several(
            record(
                criterion=CODE, quotes=QUOTES, reasoning=words("why"), score=GRADE, improvement=words("one improvement")
            )
        ),
        questions=several(record(question=words("a question to yourself"), answer=words("its answer"))),
        revisions=several(record(criterion=CODE, quotes=QUOTES, because=words("why"), score=GRADE)),
        strengths=several(words("a strength")),
        weaknesses=several(words("a weakness")),
    ),
    Purpose.ARGUE: record(
        sections=several(
            record(
                criterion=CODE,
                defence=words("why your score"),
                challenge=words("what speaks against theirs, or empty"),
                quotes=QUOTES,
                because=words("why you keep or change it"),
                score=GRADE,
            )
        ),
        accepts=TRUTH,
        agrees_with=several(words("the name of another judge")),
    ),
    Purpose.REPORT: record(
        summary=words("at most 200 words"),
        strengths=several(words("a strength")),
        weaknesses=several(words("a weakness")),
        advice=several(words("what to do next")),
    ),
    Purpose.SUM_UP: record(
        summary=words("at most 200 words"),
        agreements=several(words("where they met")),
        disagreements=several(words("where they did not")),
        open_questions=several(words("what stayed open")),
    ),
}
