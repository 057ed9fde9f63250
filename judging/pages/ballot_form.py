"""The ballot of a person as a form, made from the rubric: fields on the page, and the answer that they come to.

What an answer may be its reader alone says; the form checks nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from debates.decimals import plain
from judging.rules.consensus import Confidence
from judging.rules.not_assessed import WHY, Unable
from judging.types import Bench, Stand

QUESTIONS = 5
BLANK_LINE = re.compile(r"\n[ \t]*\n")
SCORE = "From 1 to 5, at most 2 decimal places."
QUOTES = (
    "Words of the subject, exactly as they stand there: mark them in the subject and press the button below, or type "
    "or paste them. Between two quotes leave a line empty."
)
NOT_APPLICABLE = "Only where the criterion does not apply to this subject: say why, and leave the score empty."
SURE = "From 0, a guess, to 1, certain; at most 2 decimal places. It moves no score."
REASONS: Mapping[Unable, str] = {
    Unable.LANGUAGE: "I do not read its language",
    Unable.TOO_LITTLE: "There is too little to judge by",
    Unable.CODE: "It is mostly code",
    Unable.CRITERION: "I cannot judge these criteria",
    Unable.TASK: "I do not understand the task",
}


@dataclass(frozen=True, slots=True)
class CriterionFields:
    """The fields about one criterion, what to know before one fills them in, and what others said of it."""

    name: str
    code: str
    question: str
    high: str
    low: str
    about: str
    fields: Sequence[forms.BoundField]
    quotes: str
    stands: Sequence[Mapping[str, Any]]


class BallotForm(forms.Form):
    """What a judge is asked in one round, with what was kept or sent in it."""

    use_required_attribute = False

    def __init__(self, bench: Bench, *, kept: Mapping[str, Any]) -> None:
        super().__init__(initial=dict(kept), auto_id="ballot-%s")
        self.bench = bench
        items = {item.code: item for item in bench.items}
        self.criteria = [items[gap.code] for gap in bench.gaps] if bench.round else list(bench.items)
        for at in range(len(self.criteria)):
            self._add_criterion(at)
        if bench.round:
            self._add_stance()
        else:
            self._add_whole()
        if bench.confidence == Confidence.WHOLE.value:
            self._add_confidence("confidence")

    def _add_criterion(self, at: int) -> None:
        own = plain(self.bench.gaps[at].own_score) if self.bench.round else ""
        attrs = {"inputmode": "decimal", "size": "6"}
        self.fields[f"c{at}-score"] = forms.CharField(
            label="Score", help_text=SCORE, widget=forms.TextInput(attrs=attrs), initial=own
        )
        if self.bench.confidence == Confidence.CRITERION.value:
            self._add_confidence(f"c{at}-confidence")
        for name, label, help_text in self._texts():
            rows = {"quotes": "4", "improvement": "2", "challenge": "2", "not_applicable": "2"}.get(name, "3")
            widget = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
            self.fields[f"c{at}-{name}"] = forms.CharField(label=label, help_text=help_text, widget=widget)

    def _add_confidence(self, name: str) -> None:
        attrs = {"inputmode": "decimal", "size": "6"}
        self.fields[name] = forms.CharField(
            label="How sure you are", help_text=SURE, widget=forms.TextInput(attrs=attrs)
        )

    def _texts(self) -> tuple[tuple[str, str, str], ...]:
        if not self.bench.round:
            return (
                ("reasoning", "Why", ""),
                ("quotes", "Quotes", QUOTES),
                ("improvement", "What would improve it", "May be left empty."),
                ("not_applicable", "It does not apply, because", NOT_APPLICABLE),
            )
        return (
            ("defence", "What speaks for your score", ""),
            ("challenge", "What you ask the others", "May be left empty."),
            ("because", "Why you keep or change it", "A score is only changed with a quote that the subject says."),
            ("quotes", "Quotes", QUOTES),
        )

    def _add_stance(self) -> None:
        self.fields["accepts"] = forms.BooleanField(
            label="I accept where the panel stands", help_text="Whether you can live with what the judges come to."
        )
        for at, stand in enumerate(self.bench.others):
            self.fields[f"a{at}"] = forms.BooleanField(label=f"I agree with {stand.judge}")

    def _add_whole(self) -> None:
        for name in ("strengths", "weaknesses"):
            self.fields[name] = forms.CharField(
                label=name.capitalize(), help_text="One a line.", widget=forms.Textarea(attrs={"rows": "3"})
            )
        for at in range(QUESTIONS):
            for name, label in (("question", "A question that might prove you wrong"), ("answer", "Its answer")):
                self.fields[f"q{at}-{name}"] = forms.CharField(label=label, widget=forms.Textarea(attrs={"rows": "2"}))
        chosen = [("", "-"), *((code.value, REASONS[code]) for code in WHY)]
        self.fields["unable-reason"] = forms.CharField(label="Why not", widget=forms.Select(choices=chosen))
        self.fields["unable-why"] = forms.CharField(label="In a sentence", widget=forms.Textarea(attrs={"rows": "2"}))

    def groups(self) -> Iterator[CriterionFields]:
        """Yield the fields of each criterion."""
        gaps = self.bench.gaps
        for at, item in enumerate(self.criteria):
            names = [name for name in self.fields if name.startswith(f"c{at}-")]
            yield CriterionFields(
                name=item.name,
                code=item.code,
                question=item.question,
                high=item.high,
                low=item.low,
                about=", ".join(f"{judge} gives {plain(score)}" for judge, score in gaps[at].opponents) if gaps else "",
                fields=[self[name] for name in names],
                quotes=self[f"c{at}-quotes"].auto_id,
                stands=[said(stand, item.code) for stand in self.bench.others if stand.scores(item.code)],
            )

    def named(self, *beginnings: str) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(beginnings)]

    def stance(self) -> list[forms.BoundField]:
        return self.named("accepts", "a", "confidence") if self.bench.round else []

    def whole(self) -> list[forms.BoundField]:
        return self.named("strengths", "weaknesses", "confidence")

    def questions(self) -> list[forms.BoundField]:
        return self.named("q")

    def unable(self) -> list[forms.BoundField]:
        return self.named("unable-")


def said(stand: Stand, code: str) -> Mapping[str, Any]:
    """Return what another judge who scores it gave a criterion, and why."""
    opinion = stand.on(code)
    return {
        "judge": stand.judge,
        "score": plain(opinion.score),
        "reasoning": opinion.reasoning,
        "quotes": opinion.quotes,
    }


def names_of(bench: Bench) -> list[str]:
    return list(BallotForm(bench, kept={}).fields)


def typed_in(bench: Bench, sent: Mapping[str, str]) -> dict[str, str]:
    """Return what was typed into the fields of a ballot, and nothing else that was sent."""
    values = {name: sent.get(name, "").replace("\r\n", "\n") for name in names_of(bench)}
    return {name: value for name, value in values.items() if value.strip()}


def kept_as(text: str) -> dict[str, str]:
    """Return what a draft kept of a ballot; nothing of what is none."""
    try:
        kept = json.loads(text) if text else {}
    except ValueError:
        return {}
    return {name: str(value) for name, value in kept.items()} if isinstance(kept, dict) else {}


def typed_of(bench: Bench, answer: Mapping[str, Any]) -> dict[str, str]:
    """Return an answer as it would be typed into the fields of a ballot."""
    typed: dict[str, Any] = {name: answer.get(name, "") for name in ("confidence",)}
    typed |= {name: "\n".join(answer.get(name, ())) for name in ("strengths", "weaknesses")}
    rows = {row["criterion"]: row for row in answer.get("sections" if bench.round else "criteria", ())}
    for at, item in enumerate(BallotForm(bench, kept={}).criteria):
        row = rows.get(item.code, {})
        typed |= {f"c{at}-{name}": text for name, text in row.items() if name not in {"criterion", "quotes"}}
        typed[f"c{at}-quotes"] = "\n\n".join(row.get("quotes", ()))
    for at, pair in enumerate(answer.get("questions", ())):
        typed |= {f"q{at}-{name}": text for name, text in pair.items()}
    typed |= {f"unable-{name}": text for name, text in answer.get("not_assessed", {}).items()}
    typed |= {f"a{at}": stand.judge in answer.get("agrees_with", ()) or "" for at, stand in enumerate(bench.others)}
    typed["accepts"] = answer.get("accepts") or ""
    return {name: str(value) for name, value in typed.items() if name in names_of(bench) and value != ""}


def answer_of(bench: Bench, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what was typed as a model would answer it."""
    form = BallotForm(bench, kept={})
    rows = [_row(bench, item.code, at, typed) for at, item in enumerate(form.criteria)]
    if bench.round:
        agrees = [stand.judge for at, stand in enumerate(bench.others) if typed.get(f"a{at}")]
        return {"sections": rows, "accepts": bool(typed.get("accepts")), "agrees_with": agrees, **_sure(typed)}
    if reason := typed.get("unable-reason", ""):
        return {"not_assessed": {"reason": reason, "why": typed.get("unable-why", "")}}
    pairs = [
        {name: typed.get(f"q{at}-{name}", "").strip() for name in ("question", "answer")} for at in range(QUESTIONS)
    ]
    return {
        "criteria": rows,
        "questions": [pair for pair in pairs if any(pair.values())],
        "strengths": _lines(typed, "strengths"),
        "weaknesses": _lines(typed, "weaknesses"),
        **_sure(typed),
    }


def _sure(typed: Mapping[str, str], at: str = "") -> dict[str, str]:
    """Return how sure a judge says to be, of the whole or of a criterion, where anything was typed."""
    sure = typed.get(f"{at}confidence", "").strip().replace(",", ".")
    return {"confidence": sure} if sure else {}


def _row(bench: Bench, code: str, at: int, typed: Mapping[str, str]) -> dict[str, Any]:
    names = ("defence", "challenge", "because") if bench.round else ("reasoning", "improvement")
    own = plain(bench.gaps[at].own_score) if bench.round else ""
    score = typed.get(f"c{at}-score", own).strip().replace(",", ".")
    if why := typed.get(f"c{at}-not_applicable", "").strip():
        return {"criterion": code, "not_applicable": why, **({"score": score} if score else {})}
    quotes = [quote.strip() for quote in BLANK_LINE.split(typed.get(f"c{at}-quotes", ""))]
    return {
        "criterion": code,
        "score": score,
        **_sure(typed, f"c{at}-"),
        **{name: typed.get(f"c{at}-{name}", "").strip() for name in names},
        "quotes": [quote for quote in quotes if quote],
    }


def _lines(typed: Mapping[str, str], name: str) -> list[str]:
    return [line.strip() for line in typed.get(name, "").splitlines() if line.strip()]
