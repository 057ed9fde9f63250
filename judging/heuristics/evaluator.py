"""The evaluator: gives first scores, then brings the passage of the subject that has what was asked for or concedes."""

from collections.abc import Collection
from typing import Any

from judging.heuristics import argument_strength, criteria, exchanges, personas, wording
from judging.heuristics.criteria import Bearing, bearings
from judging.heuristics.evidence import Passage, passages
from judging.heuristics.exchanges import Demand
from judging.heuristics.text import cut, limited, written
from judging.types import CriterionCard, Exchange, Material, Reply

# The first score of a criterion: how much checkable evidence the subject brings for it.


FLOOR = 220
"""Hundredths that a criterion gets on which the text is silent."""
REACH = 740
"""Hundredths that evidence can add; approached, never reached."""
HALFWAY = 2_100
"""Weight of evidence that earns half of the reach."""
DECAY = (100, 75, 56, 42, 32, 24, 18, 13, 10, 7, 5, 3)
"""Per cent at which the first, second, third ... passage counts, so that length alone buys little."""
NOBODY = CriterionCard(code="", name="", category="", question="", high="", low="")


def assess(material: Material) -> dict[str, Any]:
    """Score one criterion from the passages that bear on it.

    Shape: ``score``, ``confidence``, ``reasoning`` and up to three verbatim ``quotes``.
    Units: ``score`` 1..10 and ``confidence`` 0..1, as decimal strings with two places.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    rows = bearings(material.subject, card)
    weighty = [bearing for bearing in rows if bearing.worth > 0]
    general = generality(card, rows)
    return {
        "score": written(mixed(score(rows), in_general(material.subject, card), per_cent=general)),
        "confidence": written(confidence(rows) * (200 - general) // 200),
        "reasoning": " ".join((reasoning(card, rows, weighty), *of_strength(material.subject, card, general))),
        "quotes": [cut(bearing.text) for bearing in weighty[:3]],
    }


# What is asked of any argument, and what a text hardly names, is judged by the strength of the whole text.


ENOUGH = 4
"""Passages on a criterion of one's own from which it is judged by them alone."""
UNNAMED = 25
"""Per cent of its reach that the strength of the whole text has for a matter that the text does not name."""


def generality(card: CriterionCard, rows: tuple[Bearing, ...]) -> int:
    """Return how far a score rests on the whole text, in per cent: wholly for an aspect of arguing, not at all for a
    packaged criterion, and for others the less, the more passages there are.
    """
    look = criteria.lookout(card)
    if look.packaged or not card.name.strip():
        return 0
    return 100 if look.aspect else 100 - 100 * min(ENOUGH, len(rows)) // ENOUGH


def in_general(subject: str, card: CriterionCard) -> int:
    """Return the score of the whole text: its aspect, else a part of its strength without length."""
    aspect = criteria.lookout(card).aspect
    stands = argument_strength.levels(subject)[argument_strength.kind_of(aspect)] if passages(subject) else 0
    reach = REACH if aspect else REACH * UNNAMED // 100
    return FLOOR + reach * stands // 100


def mixed(own: int, whole: int, *, per_cent: int) -> int:
    """Return what the passages earn, filled up from the whole text, which takes nothing off them."""
    filled = (own * (100 - per_cent) + whole * per_cent) // 100
    return filled if per_cent == 100 else max(own, filled)


def of_strength(subject: str, card: CriterionCard, general: int) -> tuple[str, ...]:
    """Say what a score owes to the whole text, and to which of its features most."""
    if not general:
        return ()
    kind = argument_strength.kind_of(criteria.lookout(card).aspect)
    speaks = argument_strength.leading(subject, kind)
    return (
        wording.filled(
            "assess.whole" if kind == argument_strength.WITHOUT_LENGTH else "assess.aspect",
            kind=kind,
            level=str(argument_strength.levels(subject)[kind]),
            speaks=wording.listed(speaks[0]) or "nothing in particular",
            against=wording.listed(speaks[1]) or "nothing in particular",
        ),
    )


def evidence(rows: tuple[Bearing, ...]) -> int:
    """Return the weight of evidence: the best passage in full, each further one less."""
    return sum(bearing.worth * share for bearing, share in zip(rows, DECAY, strict=False)) // 100


def score(rows: tuple[Bearing, ...]) -> int:
    """Return the score in hundredths. Claims with nothing behind them cost; saying nothing costs less."""
    weight = evidence(rows)
    earned = REACH * weight // (weight + HALFWAY)
    return limited(FLOOR + earned - min(100, 15 * empty_claims(rows)), least=100, most=1_000)


def empty_claims(rows: tuple[Bearing, ...]) -> int:
    """Return how many passages bear on the criterion, claim much and show nothing."""
    every = [(bearing.passage.signs, bearing.bad) for bearing in rows if not bearing.passage.signs.grounded]
    return sum(bool(signs.absolutes or signs.puffery or signs.hollow or signs.denied or bad) for signs, bad in every)


def confidence(rows: tuple[Bearing, ...]) -> int:
    """Return how sure the score is, in hundredths: more passages make surer, passages that disagree less so."""
    weight = evidence(rows)
    mixed = any(bearing.bad for bearing in rows[:4]) and any(bearing.good for bearing in rows[:4])
    return limited(28 + 64 * weight // (weight + HALFWAY) - (6 if mixed else 0), least=5, most=95)


def reasoning(card: CriterionCard, rows: tuple[Bearing, ...], weighty: list[Bearing]) -> str:
    look = criteria.lookout(card)
    if not rows:
        return wording.filled("assess.silent", missing=look.missing)
    lines = [wording.filled("assess.bearing", count=wording.counted(len(rows), "passage"), name=wording.named(card))]
    if weighty:
        lines.append(wording.filled("assess.strongest", brought=wording.brought(weighty[0].passage.signs)))
    absent = [want for want in look.wants if not any(want in bearing.has for bearing in rows)]
    if absent:
        lines.append(wording.filled("assess.absent", absent=wording.listed([wording.want(sign) for sign in absent])))
    against = [phrase for bearing in rows for phrase in bearing.bad]
    if against:
        lines.append(wording.filled("assess.against", words=wording.listed([f"\u201c{w}\u201d" for w in against[:3]])))
    if loud := empty_claims(rows):
        lines.append(wording.filled("assess.loud", count=wording.counted(loud, "passage")))
    return " ".join(lines)


# -- defending a score -------------------------------------------------------------------------------------------------


USED_ELSEWHERE = 40
"""What a passage loses that has answered another challenge of the thread: it answers again where nothing else does."""
PLAIN = 12
"""What a passage gains that does not take back what it says."""


def defend(material: Material) -> dict[str, Any]:
    """Answer each exchange with a passage that has what was asked for; concede where the subject has none.

    Shape: ``defences`` of challenge (its label), reply, text and verbatim quotes; the text contains the quotes.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    said = [exchanges.answers(exchange, material.subject) for exchange in material.exchanges]
    used = {passage.number for answers in said for passage in (*answers.earlier, *answers.fresh)}
    defences = []
    for exchange in material.exchanges:
        asked = personas.asked(exchange, card)
        brought = answering(exchange, asked, card, material.subject, used)
        used.update(passage.number for passage in brought)
        defences.append(
            defended(exchange, asked, card, brought) if brought else conceded(exchange, asked, card, material.subject)
        )
    return {"defences": defences}


def answering(
    exchange: Exchange, asked: Demand, card: CriterionCard, subject: str, used: Collection[int]
) -> tuple[Passage, ...]:
    """Return the passage that speaks of the same matter and has what was asked for, and a second one where several
    things were asked for and the first does not have them all.
    """
    before = exchanges.answers(exchange, subject)
    target = before.fresh[-1] if before.fresh else before.attacked
    seen = {passage.number for passage in before.seen}
    ranked = sorted(
        (-value, passage.number, passage)
        for passage in passages(subject)
        if passage.number not in seen
        and (value := worth(passage, target, asked, card=card, subject=subject, used=used)) > 0
    )
    best = [passage for _, _, passage in ranked]
    if not best or asked.any_of:
        return tuple(best[:1])
    missing = [kind for kind in asked.kinds if not exchanges.has(best[0], kind)]
    second = [passage for passage in best[1:] if any(exchanges.has(passage, kind) for kind in missing)]
    return (best[0], *second[:1])


def worth(
    passage: Passage, target: Passage | None, asked: Demand, *, card: CriterionCard, subject: str, used: Collection[int]
) -> int:
    if passage.signs.instructs or not any(exchanges.has(passage, kind) for kind in asked.kinds):
        return 0
    value = exchanges.fit(passage, target, asked, subject, card)
    if not value:
        return 0
    plain = PLAIN if not exchanges.taken_back(passage) else 0
    return max(1, value + plain - (USED_ELSEWHERE if passage.number in used else 0))


def defended(exchange: Exchange, asked: Demand, card: CriterionCard, brought: tuple[Passage, ...]) -> dict[str, Any]:
    quotes = [cut(passage.sentence.text) for passage in brought]
    met = [kind for kind in asked.kinds if any(exchanges.has(passage, kind) for passage in brought)]
    text = wording.turned(
        "defence.answered",
        seed=card.code,
        turn=exchanges.turn_of(exchange),
        quotes=" And: ".join(f"\u201c{quote}\u201d" for quote in quotes),
        met=wording.listed([wording.evidence(kind, brought) for kind in met[:2]]),
    )
    return {"challenge": exchange.label, "reply": Reply.DEFEND.value, "text": text, "quotes": quotes}


def conceded(exchange: Exchange, asked: Demand, card: CriterionCard, subject: str) -> dict[str, Any]:
    """Say of some words that nothing goes with them, and of a criterion as a whole what comes nearest."""
    attacked = exchanges.answers(exchange, subject).attacked
    near = exchanges.nearest(attacked, asked, subject, card) if exchange.quote and not asked.about else None
    text = wording.turned(
        f"defence.{situation(exchange, asked, near)}",
        seed=card.code,
        turn=exchanges.turn_of(exchange),
        name=wording.named(card),
        about=wording.snippet(asked.about, limit=60),
        want=wording.wants(asked.kinds, any_of=asked.any_of),
        looked=wording.looked_for(subject, card),
        nearest=cut(near.sentence.text) if near else "",
        short=wording.falls_short(near, asked, card) if near else "",
    )
    return {"challenge": exchange.label, "reply": Reply.CONCEDE.value, "text": text, "quotes": []}


def situation(exchange: Exchange, asked: Demand, near: Passage | None) -> str:
    """Return which kind of concession this is: its sentences are kept by that name."""
    if not exchange.quote:
        return "silent"
    if asked.about:
        return "conceded"
    return "nearest" if near else "nowhere"
