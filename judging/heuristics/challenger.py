"""The red team: asks for one kind of evidence that a passage lacks, and then for what the answer lacks in its turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from judging.heuristics import criteria, exchanges, lexicons, personas, wording
from judging.heuristics.criteria import Bearing, bearings
from judging.heuristics.evaluator import NOBODY
from judging.heuristics.evidence import Passage
from judging.heuristics.exchanges import Demand
from judging.heuristics.personas import Persona
from judging.heuristics.text import cut
from judging.types import CriterionCard, Exchange, Material, Severity

PER_PERSONA = 2
WORTH_IT = 45
SERIOUS = 80
"""Points from which a weakness is worth a persona's first challenge, unless there is no other, and its second."""
CRITICAL = 88
SIGNIFICANT = 66
"""Points of a weakness, with those of where it is, from which a challenge is that severe."""
SPARSE = 2
"""Passages on a criterion with something in them that could be checked: so few are next to nothing."""
MOST_ATTACKED = 1
"""Challenges to one passage on one criterion."""
GRAVEST = (Severity.CRITICAL, Severity.SIGNIFICANT, Severity.MINOR)
SOUGHT = 42
"""Points of asking for what the criterion wants to see, besides those of the passage that lacks it."""
TO_THE_POINT = 5
"""Points that each point of relevance adds: what carries a criterion is worth attacking."""
ASKED_BY_CRITERION = 12
"""Points that a challenge gains by asking for what the criterion itself wants to see."""


EVERYBODY_SEES = ("absolute", "gap", "hedged", "promised", "vague")
"""What any persona presses where it sees nothing of its own kind in an answer."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One possible challenge: a weakness of a passage, and the kind of evidence that is asked for; ``of_any`` where
    nothing but the criterion says which.
    """

    look: str
    passage: Passage
    points: int
    words: str
    want: str
    of_any: bool = False


@dataclass(slots=True)
class Taken:
    """What has been used in a thread: how often each passage was attacked, and what was asked of which; ``elsewhere``
    is what other threads have asked of which words.
    """

    elsewhere: frozenset[tuple[str, str]] = frozenset()
    passages: dict[int, int] = field(default_factory=dict)
    asked: set[tuple[int, str]] = field(default_factory=set)
    looks: set[tuple[int, str]] = field(default_factory=set)
    sought: set[str] = field(default_factory=set)

    def add(self, attack: Attack) -> None:
        number = attack.passage.number
        self.passages[number] = self.passages.get(number, 0) + 1
        self.asked.add((number, attack.want))
        self.looks.add((number, attack.look))
        if attack.look == "sought":
            self.sought.add(attack.want)

    def attacked(self, attack: Attack) -> int:
        return self.passages.get(attack.passage.number, 0)

    def has(self, attack: Attack) -> bool:
        if (attack.look == "sought" and attack.want in self.sought) or self.attacked(attack) >= MOST_ATTACKED:
            return True
        if (attack.words, attack.want) in self.elsewhere:
            return True
        if attack.of_any and any(want == attack.want for _, want in self.asked):
            return True
        number = attack.passage.number
        return (number, attack.want) in self.asked or (number, attack.look) in self.looks


def challenge(material: Material) -> dict[str, Any]:
    """Challenge a subject on one criterion, for each persona of the material, at most two each.

    Every persona's first challenge comes before any second one. Where a text shows next to nothing on a criterion,
    the gravest challenge says so, and nobody has anything to add. What a criterion that stands before this one in the
    rubric has asked of some words is not asked of them again.
    Shape: ``challenges`` of persona, severity, quote and text; a quote is verbatim, and empty only on silence.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    if not bearings(material.subject, card):
        return {"challenges": on_silence(material.personas, card, material.subject)}
    before = material.rubric[: material.rubric.index(card)] if card in material.rubric else ()
    every = dict(of_rubric(material.subject, material.personas, (*before, card)))[card.code]
    return {"challenges": [challenged(name, attack, card, turn) for name, attack, turn in every]}


Put = tuple[str, Attack, int]
"""Who puts a challenge, what it is, and the number by which its words turn."""


@lru_cache(maxsize=128)
def of_rubric(
    subject: str, names: tuple[str, ...], cards: tuple[CriterionCard, ...]
) -> tuple[tuple[str, tuple[Put, ...]], ...]:
    """Return the challenges of each criterion, in the order of a rubric, so that none asks what one before it does."""
    if not cards:
        return ()
    before = of_rubric(subject, names, cards[:-1])
    asked = frozenset((attack.words, attack.want) for _, every in before for _, attack, _ in every if attack.words)
    return (*before, (cards[-1].code, of_criterion(subject, names, cards[-1], asked)))


def of_criterion(
    subject: str, names: tuple[str, ...], card: CriterionCard, asked: frozenset[tuple[str, str]]
) -> tuple[Put, ...]:
    """Return the challenges to what a text says on a criterion, as far as nobody has asked that before."""
    rows = bearings(subject, card)
    first: list[Put] = []
    second: list[Put] = []
    taken = Taken(elsewhere=asked)
    for name in dict.fromkeys(names):
        attacks = chosen(personas.persona(name), card, rows, taken, subject) if rows else []
        turn = len(taken.asked)
        put = [(name, attack, turn + place) for place, attack in enumerate(attacks)]
        first.extend(put[:1])
        second.extend(put[1:])
    every = first + second or in_general(names, card, rows)
    if sum(bearing.passage.signs.grounded for bearing in rows) <= SPARSE:
        every = sorted(every, key=lambda entry: GRAVEST.index(severity(entry[1])))[:1]
    return tuple(every)


def in_general(names: tuple[str, ...], card: CriterionCard, rows: tuple[Bearing, ...]) -> list[Put]:
    """Ask what the criterion asks, of a passage that does not have it, where nobody sees any weakness."""
    look = criteria.lookout(card)
    return [
        (name, replace(attack, look="asked"), 0)
        for name in names[:1]
        for attack in on_criterion(personas.persona(name), look.sought, rows, anybody=True)[:1]
    ]


def on_silence(names: tuple[str, ...], card: CriterionCard, subject: str) -> list[dict[str, str]]:
    """Challenge a text that does not touch a criterion, once: to what is not there nobody has anything to add."""
    known = set(lexicons.read("phrases")["personas"])
    return [
        {
            "persona": name,
            "severity": Severity.SIGNIFICANT.value,
            "quote": "",
            "text": wording.filled(
                f"silent.{name if name in known else personas.DEFAULT}",
                name=wording.named(card),
                looked=wording.looked_for(subject, card),
            ),
        }
        for name in names[:1]
    ]


def chosen(who: Persona, card: CriterionCard, rows: tuple[Bearing, ...], taken: Taken, subject: str) -> list[Attack]:
    """Return a persona's best attack, and a second on another passage where that is serious."""
    look = criteria.lookout(card)
    most = max(bearing.relevance for bearing in rows)
    carrying = [bearing for bearing in rows if bearing.relevance * 3 >= most * 2]
    attacks = [attack for bearing in carrying for attack in on_passage(who, who.looks, bearing, look.wants)]
    attacks.extend(on_criterion(who, look.sought, carrying))
    picked: list[Attack] = []
    for _ in range(PER_PERSONA):
        others = [attack.passage.number for attack in picked]
        left = [
            attack
            for attack in attacks
            if not taken.has(attack)
            and attack.passage.number not in others
            and (attack.points >= SERIOUS if picked else attack.points >= WORTH_IT or not taken.asked)
        ]
        left.sort(key=lambda attack: (taken.attacked(attack), -attack.points, attack.passage.number))
        best = next((attack for attack in left if not is_doubtful(attack, card, subject)), None)
        if best is not None:
            picked.append(best)
            taken.add(best)
    return picked


def is_doubtful(attack: Attack, card: CriterionCard, subject: str) -> bool:
    """Tell whether the text may have what is asked for of some words, in a passage that is not enough to answer with:
    then neither side can say that it has none, and the question is not put.
    """
    if attack.look == "sought":
        return False
    asked = Demand(kinds=(attack.want,), about=attack.words)
    others = [passage for passage in exchanges.having(subject, attack.want) if passage != attack.passage]
    if any(exchanges.fit(passage, attack.passage, asked, subject, card) for passage in others):
        return False
    return any(exchanges.may_answer(passage, attack.passage) for passage in others)


def on_passage(who: Persona, looks: Iterable[str], bearing: Bearing, wants: tuple[str, ...]) -> list[Attack]:
    """Return what there is against a passage, as far as it lacks something that would mend it: first what the
    criterion wants to see, then what the persona asks for.
    """
    attacks = []
    for look in looks:
        flaw = personas.flaw(look, bearing)
        lacking = [kind for kind in flaw.kinds if exchanges.lacks(bearing.passage, kind)] if flaw else []
        if flaw is None or not lacking:
            continue
        if flaw.open:
            lacking.sort(key=lambda kind: (kind not in wants, kind not in who.asks))
        preferred = [kind for kind in lacking if kind in wants] if flaw.open else []
        for place, want in enumerate(preferred or lacking[:1]):
            points = flaw.points + TO_THE_POINT * bearing.relevance + ASKED_BY_CRITERION * (want in wants) - place
            words = personas.needs(bearing.passage)[want] if flaw.open else flaw.words
            attacks.append(Attack(look, bearing.passage, points, words, want, of_any=flaw.open))
    return attacks


def on_criterion(
    who: Persona, sought: tuple[str, ...], rows: Sequence[Bearing], *, anybody: bool = False
) -> list[Attack]:
    """Return attacks for what the criterion asks about and the passage that bears most on it does not have: what this
    persona asks for, or what anybody would.
    """
    attacks = []
    for place, kind in enumerate(sought):
        lacking = [bearing for bearing in rows if exchanges.lacks(bearing.passage, kind)]
        if lacking and (kind in who.asks or anybody):
            nearest = max(lacking, key=lambda bearing: (bearing.relevance, -bearing.passage.number))
            points = SOUGHT + TO_THE_POINT * nearest.relevance - place
            attacks.append(Attack("sought", nearest.passage, points, "", kind))
    return attacks


def challenged(name: str, attack: Attack, card: CriterionCard, turn: int) -> dict[str, str]:
    quote, text = cut(attack.passage.sentence.text), put(attack, card, turn=turn)
    return {"persona": name, "severity": severity(attack).value, "quote": quote, "text": text}


def put(attack: Attack, card: CriterionCard, *, turn: int) -> str:
    return wording.turned(
        f"challenge.{attack.look}",
        seed=card.code,
        turn=turn,
        name=wording.named(card),
        found=attack.words,
        want=wording.want(attack.want),
        missing=criteria.lookout(card).missing,
    )


def severity(attack: Attack) -> Severity:
    """Return how grave a weakness is: by its kind, and by what hangs on the passage that has it."""
    if attack.points >= CRITICAL:
        return Severity.CRITICAL
    return Severity.SIGNIFICANT if attack.points >= SIGNIFICANT else Severity.MINOR


# From the second round on: what the last answer leaves open. Where nothing new is left, the point is let lie.


def press(material: Material) -> dict[str, Any]:
    """Press what the last answers left open, and ask for nothing that was asked for or brought before.

    Shape: ``presses`` of challenge (its label) and text; a challenge on which nothing new is left is not among them.
    """
    card = material.criterion or NOBODY
    taken = Taken()
    for exchange in material.exchanges:
        remember(exchange, card, material.subject, taken)
    presses = []
    for exchange in material.exchanges:
        text = pressed(exchange, card, material.subject, taken)
        if text:
            presses.append({"challenge": exchange.label, "text": text})
    return {"presses": presses}


def remember(exchange: Exchange, card: CriterionCard, subject: str, taken: Taken) -> None:
    """Note for every passage that an exchange has spoken of what the exchange has asked for."""
    who = personas.persona(exchange.persona)
    demands = exchanges.demands(exchange, card, otherwise=who.asks)
    kinds = {kind for asked in demands if not asked.any_of for kind in asked.kinds}
    for passage in exchanges.answers(exchange, subject).seen:
        taken.asked.update((passage.number, kind) for kind in kinds)


def pressed(exchange: Exchange, card: CriterionCard, subject: str, taken: Taken) -> str:
    """Return what is asked next about the passage brought last, or nothing."""
    who = personas.persona(exchange.persona)
    answers = exchanges.answers(exchange, subject)
    if not answers.fresh:
        return unanswered(exchange, card)
    attack = further(who, answers, card, taken)
    if attack is None:
        return ""
    taken.add(attack)
    turn = exchanges.turn_of(exchange)
    granted = wording.turned(
        "press.granted", seed=card.code, turn=turn, quote=wording.snippet(attack.passage.sentence.text, limit=70)
    )
    return f"{granted} {put(attack, card, turn=turn)}"


def further(who: Persona, answers: exchanges.Answers, card: CriterionCard, taken: Taken) -> Attack | None:
    """Return the gravest weakness of the last answer that asks for something nobody has seen in this exchange."""
    wants = criteria.lookout(card).wants
    passage = answers.fresh[-1]
    bearing = Bearing(passage=passage, relevance=0, worth=0, has=(), good=(), bad=())
    attacks = [
        attack
        for attack in on_passage(who, (*who.looks, *EVERYBODY_SEES), bearing, wants)
        if not taken.has(attack) and all(exchanges.lacks(seen, attack.want) for seen in answers.seen)
    ]
    return min(attacks, key=lambda attack: (attack.look not in who.looks, -attack.points), default=None)


def unanswered(exchange: Exchange, card: CriterionCard) -> str:
    """Ask again for what no passage was brought for."""
    asked = personas.asked(exchange, card)
    return wording.fresh(
        ["press.unanswered"],
        said=[words for _, _, words in exchange.said],
        seed=exchange.label,
        name=wording.named(card),
        want=wording.wants(asked.kinds, any_of=asked.any_of),
    )
