"""The ballot of a person as a form, made from what is judged: fields on the page, and the answer that they come to.

What an answer may be its reader alone says; the form refuses only what would be two answers.
"""

import json
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from debates.decimals import plain
from debates.errors import DomainError, Invalid
from judging.rules.consensus import Confidence
from judging.rules.schemas import ISSUES
from judging.types import (
    WHY_UNABLE,
    BallotMaterial,
    Bench,
    Exchange,
    Material,
    Purpose,
    ResponseBench,
    Stand,
    Unable,
    Winner,
)

QUESTIONS = 5
BLANK_LINE = re.compile(r"\n[ \t]*\n")
SCORE = "From 1 to 5, at most 2 decimal places."
QUOTES = (
    "Words of the subject, exactly as they stand there: mark them in the subject and press the button below, or type "
    "or paste them. Between two quotes leave a line empty."
)
QUOTES_OF_A_RESPONSE = f"{QUOTES.replace('the subject', 'the response')} What the response does not say is left out."
NOT_APPLICABLE = "Only where the criterion does not apply to this subject: say why, and leave the rest empty."
SURE = "From 0, a guess, to 1, certain; at most 2 decimal places. It moves no score."
SURENESS = [("confidence", "How sure you are", SURE)]
ALONE = (
    ("reasoning", "Why", ""),
    ("quotes", "Quotes", QUOTES),
    ("improvement", "What would improve it", "May be left empty."),
    ("not_applicable", "It does not apply, because", NOT_APPLICABLE),
)
DEBATED = (
    ("defence", "What speaks for your score", ""),
    ("challenge", "What you ask the others", "May be left empty."),
    ("because", "Why you keep or change it", "A score is only changed with a quote that the subject says."),
    ("quotes", "Quotes", QUOTES),
)
BOTH = "Give scores, or say why you cannot judge this, and not both: empty the fields of the one or of the other."
BEGINNINGS = {
    "criteria": "c",
    "sections": "c",
    "questions": "q",
    "verdicts": "e",
    "effects": "l",
    "not_assessed": "unable",
}
EMPTY, UNCHOSEN = "This must not be empty.", "Choose one of them."
ASKED = (("question", "A question that might prove you wrong"), ("answer", "Its answer"))
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


@dataclass(frozen=True, slots=True)
class FieldFault:
    """A field to mend: what it is called, where it is on the page, and what is wrong with it."""

    label: str
    field_id: str
    message: str


ROWS = {"quotes": "4"} | dict.fromkeys(
    ("improvement", "challenge", "violations", "not_applicable", "question", "answer", "why"), "2"
)
"""How many lines of a text are shown where it is not three."""


class PaperForm(forms.Form):
    """A ballot as a form; ``kind`` says which template shows it, ``quotes`` whether quotes are asked for.

    Shape: ``needed`` are the fields that must not be empty, by the ends of their names; ``legends`` what the groups of
    fields are called, by the beginnings.
    """

    use_required_attribute = False
    kind, quotes = "", False
    needed: frozenset[str] = frozenset()

    def __init__(self, *, kept: Mapping[str, Any]) -> None:
        super().__init__(initial=dict(kept), auto_id="ballot-%s")
        self.legends: dict[str, str] = {}

    def mark_faults(self, refusal: DomainError) -> None:
        """Mark the field that a reader refused, if it names one, and each that must not be empty and is."""
        name = self._named_in(*refusal.path[1:])
        if name not in self.fields:
            return
        faults = dict.fromkeys((other for other in self.fields if self._lacks(other)), EMPTY)
        words = str(refusal.details["words"])
        is_beside = name.endswith("-not_applicable") and not words.startswith("has ")  # as many characters
        faults.setdefault(name, NOT_APPLICABLE if is_beside else _sentence(words))
        for at, said in faults.items():
            words = UNCHOSEN if isinstance(self.fields[at].widget, forms.Select) else said
            self.errors[at] = self.error_class([words], renderer=self.renderer, field_id=self[at].auto_id)

    def _named_in(self, *path: str) -> str:
        """Return the field of a place: of a part of the answer, of one of a list, or of the whole."""
        match path:
            case [part, number, name, *_] if number.isdecimal():
                return f"{BEGINNINGS.get(part, part)}{self._place(part, int(number))}-{name}"
            case [part, name, *_] if not name.isdecimal():
                return f"{BEGINNINGS.get(part, part)}-{name}"
        return path[0] if path else ""

    def _place(self, _part: str, at: int) -> int:
        return at

    def _lacks(self, name: str) -> bool:
        return name.rpartition("-")[2] in self.needed and not str(self[name].value() or "").strip()

    def faults(self) -> list[FieldFault]:
        """Return the marked fields in the order of the page."""
        fields = [self[name] for name in self.fields if name in self.errors]
        return [
            FieldFault(
                ": ".join(filter(None, (self.legends.get(field.name.partition("-")[0], ""), str(field.label)))),
                field.auto_id,
                " ".join(map(str, field.errors)),
            )
            for field in fields
        ]

    def add_texts(self, at: str, texts: Sequence[tuple[str, str, str]]) -> None:
        """Add fields for words: their names, labels, and what helps."""
        for name, label, help_text in texts:
            widget = forms.Textarea(attrs={"rows": ROWS.get(name, "3")})
            self.fields[f"{at}{name}"] = forms.CharField(label=label, help_text=help_text, widget=widget)

    def add_numbers(self, at: str, numbers: Sequence[tuple[str, str, str]]) -> None:
        """Add fields for numbers: their names, labels, and what helps."""
        for name, label, help_text in numbers:
            widget = forms.TextInput(attrs={"inputmode": "decimal", "size": "6"})
            self.fields[f"{at}{name}"] = forms.CharField(label=label, help_text=help_text, widget=widget)

    def named(self, *beginnings: str) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(beginnings)]

    @abstractmethod
    def answer(self, typed: Mapping[str, str]) -> dict[str, Any]:
        """Return what was typed as a model would answer it.

        Raises: ``Invalid`` where it is both scores and why there are none.
        """


class BallotForm(PaperForm):
    """What a judge of a panel is asked in one round, with what was kept or sent in it."""

    kind, quotes = "panel", True
    needed = frozenset({"score", "reasoning", "defence", "because", "confidence"})

    def __init__(self, bench: Bench, *, kept: Mapping[str, Any]) -> None:
        super().__init__(kept=kept)
        self.bench = bench
        items = {item.code: item for item in bench.items}
        self.criteria = [items[gap.code] for gap in bench.gaps] if bench.round else list(bench.items)
        self.legends = {f"c{at}": item.name for at, item in enumerate(self.criteria)}
        self.legends |= {f"q{at}": f"Question {at + 1}" for at in range(QUESTIONS)}
        for at in range(len(self.criteria)):
            self._add_criterion(at)
        if bench.round:
            self._add_stance()
        else:
            self._add_whole()
        if bench.confidence == Confidence.WHOLE.value:
            self.add_numbers("", SURENESS)

    def _place(self, part: str, at: int) -> int:
        """Return which of the fields it is: of the questions, those that are empty are not told to the reader."""
        asked = [n for n in range(QUESTIONS) if any(self[f"q{n}-{name}"].value() for name, _ in ASKED)]
        return asked[at] if part == "questions" else at

    def _lacks(self, name: str) -> bool:
        if not self.bench.round and self.is_unable():
            return name.startswith("unable-") and not self[name].value()
        about = name.partition("-")[0]
        spared = f"{about}-not_applicable"
        return not (spared in self.fields and self[spared].value()) and super()._lacks(name)

    def _add_criterion(self, at: int) -> None:
        self.add_numbers(f"c{at}-", [("score", "Score", SCORE)])
        if self.bench.round:
            self.fields[f"c{at}-score"].initial = plain(self.bench.gaps[at].own_score)
        if self.bench.confidence == Confidence.CRITERION.value:
            self.add_numbers(f"c{at}-", SURENESS)
        self.add_texts(f"c{at}-", DEBATED if self.bench.round else ALONE)

    def _add_stance(self) -> None:
        self.fields["accepts"] = forms.BooleanField(
            label="I accept where the panel stands", help_text="Whether you can live with what the judges come to."
        )
        for at, stand in enumerate(self.bench.others):
            self.fields[f"a{at}"] = forms.BooleanField(label=f"I agree with {stand.judge}")

    def _add_whole(self) -> None:
        self.add_texts("", [(name, name.capitalize(), "One a line.") for name in ("strengths", "weaknesses")])
        for at in range(QUESTIONS):
            self.add_texts(f"q{at}-", [(name, label, "") for name, label in ASKED])
        chosen = [("", "-"), *((code.value, REASONS[code]) for code in WHY_UNABLE)]
        self.fields["unable-reason"] = forms.CharField(label="Why not", widget=forms.Select(choices=chosen))
        self.add_texts("unable-", [("why", "In a sentence", "")])

    def groups(self) -> Iterator[CriterionFields]:
        gaps = self.bench.gaps
        for at, item in enumerate(self.criteria):
            yield CriterionFields(
                name=item.name,
                code=item.code,
                question=item.question,
                high=item.high,
                low=item.low,
                about=", ".join(f"{judge} gives {plain(score)}" for judge, score in gaps[at].opponents) if gaps else "",
                fields=self.named(f"c{at}-"),
                quotes=self[f"c{at}-quotes"].auto_id,
                stands=[said(stand, item.code) for stand in self.bench.others if stand.scores(item.code)],
            )

    def stance(self) -> list[forms.BoundField]:
        return self.named("accepts", "a", "confidence") if self.bench.round else []

    def whole(self) -> list[forms.BoundField]:
        return self.named("strengths", "weaknesses", "confidence")

    def questions(self) -> list[forms.BoundField]:
        return self.named("q")

    def unable(self) -> list[forms.BoundField]:
        return self.named("unable-")

    def is_asked(self) -> bool:
        return any(field.value() for field in self.questions())

    def is_unable(self) -> bool:
        return any(field.value() for field in self.unable())

    def answer(self, typed: Mapping[str, str]) -> dict[str, Any]:
        bench = self.bench
        rows = [_row(bench, item.code, at, typed) for at, item in enumerate(self.criteria)]
        if bench.round:
            agrees = [stand.judge for at, stand in enumerate(bench.others) if typed.get(f"a{at}")]
            return {"sections": rows, "accepts": bool(typed.get("accepts")), "agrees_with": agrees, **_sure(typed)}
        unable = {name: typed.get(f"unable-{name}", "") for name in ("reason", "why")}
        if any(unable.values()):
            if any(not name.startswith("unable-") for name in typed):
                raise Invalid(BOTH)
            return {"not_assessed": unable}
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


def said(stand: Stand, code: str) -> Mapping[str, Any]:
    """Return what another judge who scores it gave a criterion, and why."""
    opinion = stand.on(code)
    return {
        "judge": stand.judge,
        "score": plain(opinion.score),
        "reasoning": opinion.reasoning,
        "quotes": opinion.quotes,
    }


def _sentence(words: str) -> str:
    """Return what a reader says of a field as a sentence beside it, without what was typed there."""
    said = words.partition("; got ")[0].rstrip(".")
    return f"{'There' if said.startswith('are ') else 'This'} {said}."


def _sure(typed: Mapping[str, str], at: str = "") -> dict[str, str]:
    """Return how sure a judge says to be, of the whole or of one thing, where anything was typed."""
    sure = _number(typed, f"{at}confidence")
    return {"confidence": sure} if sure else {}


def _row(bench: Bench, code: str, at: int, typed: Mapping[str, str]) -> dict[str, Any]:
    names = ("defence", "challenge", "because") if bench.round else ("reasoning", "improvement")
    score = _number(typed, f"c{at}-score") or (plain(bench.gaps[at].own_score) if bench.round else "")
    row = {
        "criterion": code,
        "score": score,
        **_sure(typed, f"c{at}-"),
        **{name: typed.get(f"c{at}-{name}", "").strip() for name in names},
        "quotes": _quotes(typed, f"c{at}-quotes"),
    }
    if why := typed.get(f"c{at}-not_applicable", "").strip():
        return {name: text for name, text in row.items() if text} | {"not_applicable": why}
    return row


def _number(typed: Mapping[str, str], name: str) -> str:
    """Return a number as a reader takes it, whichever comma and minus its person writes."""
    return typed.get(name, "").strip().replace(",", ".").replace("\u2212", "-")


def _quotes(typed: Mapping[str, str], name: str) -> list[str]:
    return [quote for part in BLANK_LINE.split(typed.get(name, "")) if (quote := part.strip())]


def _lines(typed: Mapping[str, str], name: str) -> list[str]:
    return [line.strip() for line in typed.get(name, "").splitlines() if line.strip()]


WINNERS: Mapping[Winner, str] = {
    Winner.EVALUATOR: "The evaluator: the defence answers the challenge from the text",
    Winner.RED_TEAM: "The red team: the challenge stands",
    Winner.DRAW: "A draw: neither",
}
WORTH = (
    "From -3 to 3, at most 2 decimal places; negative where the red team wins. 0.2: a detail. 0.6: a point that a "
    "careful reader weighs. 1.5: one that the criterion turns on. 2.5: a critical flaw."
)
RULING = (
    ("adjustment", "Adjustment of the score", WORTH),
    ("impact", "What it does to the confidence in the score", "From -0.3 to 0.3, with the same sign."),
    ("confidence", "How sure you are of this ruling", "From 0 to 1; left empty, 1."),
)


@dataclass(frozen=True, slots=True)
class ExchangeFields:
    """An exchange to rule on, and the fields about it."""

    exchange: Exchange
    fields: Sequence[forms.BoundField]


class RulingForm(PaperForm):
    """What an arbiter is asked about the exchanges of one round; quotes of an arbiter are kept nowhere."""

    kind = "ruling"
    needed = frozenset({"reasoning", "winner", "adjustment", "impact"})

    def __init__(self, material: Material, *, kept: Mapping[str, Any]) -> None:
        super().__init__(kept=kept)
        self.material = material
        self.legends = {f"e{at}": f"Challenge {exchange.label}" for at, exchange in enumerate(material.exchanges)}
        for at in range(len(material.exchanges)):
            place = f"e{at}-"
            self.add_texts(place, [("reasoning", "Why", "")])
            choices = [("", "-"), *((winner.value, called) for winner, called in WINNERS.items())]
            self.fields[f"{place}winner"] = forms.CharField(label="Who wins", widget=forms.Select(choices=choices))
            self.add_numbers(place, RULING)

    def groups(self) -> Iterator[ExchangeFields]:
        for at, exchange in enumerate(self.material.exchanges):
            yield ExchangeFields(exchange, self.named(f"e{at}-"))

    def answer(self, typed: Mapping[str, str]) -> dict[str, Any]:
        return {"verdicts": [self._verdict(at, typed) for at in range(len(self.material.exchanges))]}

    def _verdict(self, at: int, typed: Mapping[str, str]) -> dict[str, Any]:
        return {
            "challenge": self.material.exchanges[at].label,
            "reasoning": typed.get(f"e{at}-reasoning", "").strip(),
            "winner": typed.get(f"e{at}-winner", ""),
            "adjustment": _number(typed, f"e{at}-adjustment"),
            "impact": _number(typed, f"e{at}-impact"),
            **_sure(typed, f"e{at}-"),
        }


@dataclass(frozen=True, slots=True)
class MarkFields:
    """The fields about one mark, or about one listener."""

    name: str
    about: str
    fields: Sequence[forms.BoundField]
    quotes: str = ""


MARKED: Mapping[str, tuple[str, str]] = {
    "steel_manning": ("Steel-manning", "Whether it tells the others' strongest points, as they would put them."),
    "self_critique": ("Self-critique", "Whether it names a real weakness of its own position."),
    "consistency": ("Consistency", "Whether it keeps to its own framework, and to what it said before."),
    "honesty": ("Honesty", "Whether it answers what was asked, quotes truly and admits what is uncertain."),
}
DISHONEST: Mapping[str, str] = {
    "evasion": "Evasion: it does not answer what was asked",
    "misrepresentation": "Misrepresentation: others did not say what it answers",
    "cherry_picking": "Cherry picking: it names only what speaks for it",
    "moving_goalposts": "Moving goalposts: it now asks for more than it did",
    "false_equivalence": "False equivalence: it treats as alike what is not",
}
MARK = "From 0 to 25, at most 2 decimal places."


class MarksForm(PaperForm):
    """What an evaluator of responses is asked about one response."""

    kind, quotes = "response", True
    needed = frozenset({"score"})

    def __init__(self, bench: ResponseBench, *, kept: Mapping[str, Any]) -> None:
        super().__init__(kept=kept)
        self.bench = bench
        self.legends = {name: called for name, (called, _) in MARKED.items()}
        for name in MARKED:
            self.add_texts(
                f"{name}-", [("quotes", "Quotes", QUOTES_OF_A_RESPONSE), ("notes", "Why", "May be left empty.")]
            )
            if name in ("steel_manning", "self_critique"):
                self.fields[f"{name}-attempted"] = forms.BooleanField(label="It is attempted")
            self.add_numbers(f"{name}-", [("score", "Mark", MARK)])
        self.add_texts("consistency-", [("violations", "Breaks with its own framework or words", "One a line.")])
        for issue in ISSUES:
            self.fields[f"honesty-{issue}"] = forms.BooleanField(label=DISHONEST[issue])

    def groups(self) -> Iterator[MarkFields]:
        for name, (called, about) in MARKED.items():
            yield MarkFields(called, about, self.named(f"{name}-"), self[f"{name}-quotes"].auto_id)

    def answer(self, typed: Mapping[str, str]) -> dict[str, Any]:
        parts: dict[str, dict[str, Any]] = {
            name: {
                "quotes": _quotes(typed, f"{name}-quotes"),
                "notes": typed.get(f"{name}-notes", "").strip(),
                "score": _number(typed, f"{name}-score"),
            }
            for name in MARKED
        }
        for name in ("steel_manning", "self_critique"):
            parts[name]["attempted"] = bool(typed.get(f"{name}-attempted"))
        parts["consistency"]["violations"] = _lines(typed, "consistency-violations")
        parts["honesty"]["issues"] = [issue for issue in ISSUES if typed.get(f"honesty-{issue}")]
        return parts


SHARE = "From 0 to 1, at most 2 decimal places."
SHARES = (
    (
        "persuasion",
        "How far it moves this listener",
        f"{SHARE} 0.1: nothing new. 0.8: they can hardly hold their view.",
    ),
    ("attack", "How hard it attacks what they hold", f"{SHARE} 0.1: it brushes it. 0.9: it goes for the core of it."),
    ("evidence", "How well it can be checked", f"{SHARE} 0.1: claims alone. 0.9: facts, figures or sources."),
)


class EffectsForm(PaperForm):
    """What a judge of persuasion is asked about one response: what it does to each who listens, in numbers alone."""

    kind = "response"
    needed = frozenset(name for name, _, _ in SHARES)

    def __init__(self, bench: ResponseBench, *, kept: Mapping[str, Any]) -> None:
        super().__init__(kept=kept)
        self.bench = bench
        self.legends = {f"l{at}": name for at, name in enumerate(bench.listeners)}
        for at in range(len(bench.listeners)):
            self.add_numbers(f"l{at}-", SHARES)

    def groups(self) -> Iterator[MarkFields]:
        for at, name in enumerate(self.bench.listeners):
            yield MarkFields(name, "", self.named(f"l{at}-"))

    def answer(self, typed: Mapping[str, str]) -> dict[str, Any]:
        rows = [
            {"listener": name, **{share: _number(typed, f"l{at}-{share}") for share, _, _ in SHARES}}
            for at, name in enumerate(self.bench.listeners)
        ]
        return {"effects": rows}


AnyForm = BallotForm | RulingForm | MarksForm | EffectsForm


def form_of(paper: BallotMaterial, *, kept: Mapping[str, Any]) -> AnyForm:
    """Return the form of a ballot about what a judge has before them."""
    match paper:
        case Bench():
            return BallotForm(paper, kept=kept)
        case Material():
            return RulingForm(paper, kept=kept)
        case ResponseBench(purpose=Purpose.EVALUATE):
            return MarksForm(paper, kept=kept)
        case _:
            return EffectsForm(paper, kept=kept)


def typed_in(paper: BallotMaterial, sent: Mapping[str, str]) -> dict[str, str]:
    """Return what was typed into the fields of a ballot, and nothing else that was sent."""
    names = form_of(paper, kept={}).fields
    values = {name: sent.get(name, "").replace("\r\n", "\n") for name in names}
    return {name: value for name, value in values.items() if value.strip()}


def kept_as(text: str) -> dict[str, str]:
    """Return what a draft kept of a ballot; nothing of what is none."""
    try:
        kept = json.loads(text) if text else {}
    except ValueError:
        return {}
    return {name: str(value) for name, value in kept.items()} if isinstance(kept, dict) else {}


def typed_of(paper: BallotMaterial, answer: Mapping[str, Any]) -> dict[str, str]:
    """Return an answer as it would be typed into the fields of a ballot that may be amended: those of panels may."""
    if not isinstance(paper, Bench):
        return {}
    bench, typed = paper, {"confidence": answer.get("confidence", "")}
    typed |= {name: "\n".join(_texts_of(answer, name)) for name in ("strengths", "weaknesses")}
    parts, form = parts_of(answer), BallotForm(bench, kept={})
    rows = {str(row.get("criterion")): row for row in parts["sections" if bench.round else "criteria"]}
    for at, item in enumerate(form.criteria):
        row = rows.get(item.code, {})
        typed |= {f"c{at}-{name}": text for name, text in row.items() if name not in {"criterion", "quotes"}}
        typed[f"c{at}-quotes"] = "\n\n".join(_texts_of(row, "quotes"))
    for at, pair in enumerate(parts["questions"]):
        typed |= {f"q{at}-{name}": text for name, text in pair.items()}
    typed |= {f"unable-{name}": text for name, text in parts.get("not_assessed", {}).items()}
    agrees = _texts_of(answer, "agrees_with")
    typed |= {f"a{at}": stand.judge in agrees or "" for at, stand in enumerate(bench.others)}
    typed["accepts"] = answer.get("accepts") or ""
    return {name: str(value) for name, value in typed.items() if name in form.fields and value != ""}


def amended(answer: Mapping[str, Any], *, earlier: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer with what the ballot on its page revises, for which there is no field, where its score stays."""
    same = _scores_of(earlier) & _scores_of(answer)
    codes = {code for code, _ in same}
    kept = [row for row in parts_of(earlier)["revisions"] if str(row.get("criterion")) in codes]
    return {**answer, "revisions": kept} if kept else dict(answer)


def _scores_of(answer: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(str(row.get("criterion")), str(row.get("score"))) for row in parts_of(answer)["criteria"]}


LABELS: Mapping[str, str] = {
    **{name: label for name, label, _ in (*ALONE, *DEBATED, *SURENESS, *RULING, *SHARES)},
    **dict(ASKED),
    "notes": "Why",
    "violations": "Breaks with its own framework or words",
    "unable-reason": "Why not",
    "unable-why": "In a sentence",
}
"""What fields of ballots are called, for words that come when nobody knows the ballot any more."""
LISTS = ("criteria", "sections", "questions", "revisions", "verdicts", "effects")


def parts_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the objects of a ballot by name, and those of its lists: what its reader left aside may be anything."""
    lists = {name: answer[name] if isinstance(answer.get(name), list) else () for name in LISTS}
    objects = {name: part for name, part in answer.items() if isinstance(part, dict) and name not in LISTS}
    return objects | {name: [row for row in rows if isinstance(row, dict)] for name, rows in lists.items()}


def _texts_of(row: Mapping[str, Any], name: str) -> list[str]:
    texts = row.get(name)
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
