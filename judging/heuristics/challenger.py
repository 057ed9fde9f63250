"""The red team: points at what is missing or weak, and from round 2 presses what an answer left open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judging.heuristics import criteria, lexicons, personas, wording
from judging.heuristics.criteria import Bearing, bearings, shows
from judging.heuristics.evaluator import NOBODY, covered
from judging.heuristics.evidence import brought_in, passages
from judging.heuristics.personas import Persona
from judging.heuristics.text import cut
from judging.types import CriterionCard, Exchange, Material, Severity

PER_PERSONA = 2
SERIOUS = 35
"""Points from which a weakness is worth a persona's second challenge."""
CRITICAL = 138
SIGNIFICANT = 88
"""Points of a weakness plus what the criterion lacks in cover (0..100), from which a challenge is that severe."""
TO_THE_POINT = 6
"""Points of rank that each point of relevance adds to an attack on a passage."""
SAME_PASSAGE = 30
"""Points that an attack loses on a passage which another persona has already taken."""


@dataclass(slots=True)
class Taken:
    """What the personas before have used: how often each passage was attacked, and what was asked for."""

    passages: dict[int, int] = field(default_factory=dict)
    wants: set[str] = field(default_factory=set)

    def add(self, attack: Attack) -> None:
        number = attack.bearing.passage.number
        self.passages[number] = self.passages.get(number, 0) + 1
        if attack.look == "absent":
            self.wants.add(attack.want)


@dataclass(frozen=True, slots=True)
class Attack:
    """One possible challenge. ``rank`` decides which are made, ``points`` how severe they are."""

    look: str
    bearing: Bearing
    points: int
    rank: int
    found: str = ""
    want: str = ""


def challenge(material: Material) -> dict[str, Any]:
    """Challenge a subject on one criterion, for each persona of the material, at most two each.

    Every persona's first challenge comes before any second one.
    Shape: ``challenges`` of persona, severity, quote and text; a quote is verbatim, and empty only on silence.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    found = bearings(material.subject, card)
    if not found:
        return {"challenges": on_silence(material.personas, card)}
    first: list[dict[str, str]] = []
    second: list[dict[str, str]] = []
    taken = Taken()
    for name in dict.fromkeys(material.personas):
        attacks = chosen(personas.persona(name), card, found, taken)
        made = [challenged(name, attack, card, found) for attack in attacks]
        first.extend(made[:1])
        second.extend(made[1:])
    return {"challenges": first + second}


def on_silence(names: tuple[str, ...], card: CriterionCard) -> list[dict[str, str]]:
    """Challenge a text that does not touch a criterion: the first persona gravely, the others in their own way."""
    known = set(lexicons.read("personas"))
    missing = criteria.lookout(card).missing
    return [
        {
            "persona": name,
            "severity": (Severity.SIGNIFICANT if position else Severity.CRITICAL).value,
            "quote": "",
            "text": wording.filled(
                f"silent.{name if name in known else personas.DEFAULT}", name=wording.named(card), missing=missing
            ),
        }
        for position, name in enumerate(dict.fromkeys(names))
    ]


def chosen(who: Persona, card: CriterionCard, found: tuple[Bearing, ...], taken: Taken) -> list[Attack]:
    """Return a persona's best attack, and a second on another passage where that is serious."""
    wants = criteria.lookout(card).wants
    attacks = [attack for one in found for attack in on_passage(who, one, wants, taken)]
    attacks.extend(on_absence(who, wants, found, taken))
    attacks.sort(key=lambda attack: (-attack.rank, attack.bearing.passage.number))
    best = attacks[:1] or [Attack(look="more", bearing=found[0], points=8, rank=0)]
    used = best[0].bearing.passage.number
    others = [one for one in attacks[1:] if one.points >= SERIOUS and one.bearing.passage.number != used]
    made = [*best, *others[: PER_PERSONA - 1]]
    for attack in made:
        taken.add(attack)
    return made


def on_passage(who: Persona, one: Bearing, wants: tuple[str, ...], taken: Taken) -> list[Attack]:
    """Return what a persona has against a passage; weaknesses of weightier passages rank higher."""
    made = []
    for look in who.looks:
        flaw = personas.flaw(look, one)
        if flaw is not None:
            rank = flaw.points + TO_THE_POINT * one.relevance - SAME_PASSAGE * taken.passages.get(one.passage.number, 0)
            want = next((ask for ask in personas.asks(who, wants) if not shows(one.passage.signs, ask)), who.asks[0])
            made.append(Attack(look, one, flaw.points, rank, flaw.found, want))
    return made


def on_absence(who: Persona, wants: tuple[str, ...], found: tuple[Bearing, ...], taken: Taken) -> list[Attack]:
    """Return an attack for the first thing this persona asks for that no passage on the criterion gives and nobody
    has asked for yet. What the criterion itself does not look for is asked last of all.
    """
    for ask in personas.asks(who, wants):
        if ask not in taken.wants and not any(shows(one.passage.signs, ask) for one in found):
            nearest = max(found, key=lambda one: (one.relevance, -one.passage.number))
            wanted = ask in wants
            rank = 40 + TO_THE_POINT * nearest.relevance if wanted else 10
            attacked = SAME_PASSAGE * taken.passages.get(nearest.passage.number, 0)
            return [Attack("absent", nearest, 40 if wanted else 15, rank - attacked, "", ask)]
    return []


def challenged(name: str, attack: Attack, card: CriterionCard, found: tuple[Bearing, ...]) -> dict[str, str]:
    quote = cut(attack.bearing.text)
    text = wording.filled(
        f"challenge.{attack.look}",
        seed=f"{name} {card.code} {quote}",
        name=wording.named(card),
        found=attack.found,
        want=wording.want(attack.want) if attack.want else "",
    )
    return {"persona": name, "severity": severity(attack, found).value, "quote": quote, "text": text}


def severity(attack: Attack, found: tuple[Bearing, ...]) -> Severity:
    """Return how grave a weakness is: the less else there is on the criterion, the graver."""
    points = attack.points + 100 - covered(found)
    if points >= CRITICAL:
        return Severity.CRITICAL
    return Severity.SIGNIFICANT if points >= SIGNIFICANT else Severity.MINOR


def press(material: Material) -> dict[str, Any]:
    """Press, for each exchange, what its last defence left open, never in words used before.

    Shape: ``presses`` of challenge (its label) and text.
    """
    card = material.criterion or NOBODY
    return {
        "presses": [
            {"challenge": one.label, "text": pressed(one, card, material.subject)} for one in material.exchanges
        ]
    }


def pressed(exchange: Exchange, card: CriterionCard, subject: str) -> str:
    """Name the first thing the persona asks for that no passage brought so far shows; else say that it is settled."""
    spoken = [words for _, _, words in exchange.said]
    answers = personas.answers(exchange)
    brought = [one for words in answers for one in brought_in(words, passages(subject))]
    latest = brought_in(answers[-1], passages(subject)) if answers else ()
    asks = personas.asks(personas.persona(exchange.persona), criteria.lookout(card).wants)
    unmet = [ask for ask in asks if not any(shows(one.signs, ask) for one in brought)]
    asked = [ask for ask in unmet if not any(wording.want(ask) in words for words in spoken)] or unmet
    return wording.fresh(
        keys_for(answered=bool(answers), latest=bool(latest), brought=bool(brought), unmet=bool(unmet)),
        said=spoken,
        seed=exchange.label,
        name=wording.named(card),
        quote=wording.snippet(latest[0].sentence.text) if latest else "",
        want=wording.want(asked[0]) if asked else "",
    )


def keys_for(*, answered: bool, latest: bool, brought: bool, unmet: bool) -> tuple[str, ...]:
    """Return which templates fit: no answer, an answer with a passage, one without, or all that was asked is there."""
    if not answered:
        return ("press.unanswered",)
    if not unmet:
        return ("press.settled",)
    if latest:
        return ("press.partial", "press.open")
    return ("press.nothing_new", "press.open") if brought else ("press.empty", "press.open")
