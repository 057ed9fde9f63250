"""Debaters of an open debate by rule: they argue from what was said; a host introduces, interjects and sums up."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Any

from judging.heuristics import lexicons
from judging.heuristics.evidence import Passage, Signs, passages
from judging.heuristics.response import GIVEN_BACK, KeyClaim, given_back, key_claims, rarity, stems_of
from judging.heuristics.synthesis import found_in
from judging.heuristics.text import cut, hundredths, sentences, squeezed
from judging.heuristics.wording import listed
from judging.rules import frameworks, persuasion
from judging.rules.interjection import Violation
from judging.rules.persuasion import Strategy
from judging.rules.standing import Side, position
from judging.types import Position, Scene, Utterance

# The sentences the chairs speak in: templates from the packaged lines, filled with what was found.


NAME_LIMIT = 40
QUOTE_LIMIT = 200
MARKS = re.compile('[\u201c\u201d"\u27e6\u27e7]')


def variants(key: str) -> tuple[str, ...]:
    found = lexicons.read("chairs")
    for step in key.split("."):
        found = found[step]
    return (found,) if isinstance(found, str) else tuple(found)


def line(key: str, *, seed: str = "", **values: str) -> str:
    """Return one template of a key, chosen by the seed alone, with its values put in."""
    choices = variants(key)
    return Template(choices[zlib.crc32(seed.encode("utf-8", "replace")) % len(choices)]).substitute(values)


def quoted(text: str, *, limit: int = QUOTE_LIMIT) -> str:
    """Return somebody's sentence in quotation marks, on one line, cut where it is long, as a sentence of its own."""
    plain = MARKS.sub("'", squeezed(text))
    short = cut(plain, limit=limit)
    bare = short.rstrip(" .,;:")
    if short != plain:
        return f"\u201c{bare} \u2026\u201d"
    return f"\u201c{bare}\u201d" if bare.endswith(("?", "!", "\u2026")) else f"\u201c{bare}.\u201d"


def called(name: str) -> str:
    """Return a name as it is spoken: on one line, and not too long."""
    return cut(squeezed(name), limit=NAME_LIMIT) or "somebody"


# What a chair has to go on: the words of the motion, and what others and itself mainly claimed.


def framework_of(chair: Position | None) -> frameworks.Framework | None:
    return frameworks.frameworks().get(chair.framework) if chair else None


def side_of(chair: Position | None) -> Side:
    return position(stance=chair.stance) if chair else Side.NEUTRAL


def claims_of(scene: Scene, one: Utterance) -> tuple[KeyClaim, ...]:
    """Return the main claims of an utterance, the weightiest first."""
    seen = rarity([other.text for other in scene.answered])
    found = key_claims(speaker=one.speaker, text=one.text, seen=seen, motion=stems_of(scene.motion))
    return tuple(sorted(found, key=lambda claim: (-claim.weight, claim.line)))


def unanswered(scene: Scene, opponent: str) -> tuple[Utterance, KeyClaim] | None:
    """Return the weightiest claim of an opponent that the speaker has not quoted before, from what was said last."""
    before = squeezed(" ".join(own.text for own in scene.own))
    for one in reversed([said for said in scene.earlier if said.speaker == opponent]):
        for claim in claims_of(scene, one):
            if is_case(claim) and claim.line.rstrip(" .?!")[:40] not in before:
                return one, claim
    return None


def is_case(claim: KeyClaim) -> bool:
    """Tell whether a sentence makes a case: no quotation, no question, no admission, no stock phrase of the chairs."""
    aside = {"admit", "weakness", "honesty", "motion", "question", "argument", "i", "my", "me"}.intersection(
        claim.words
    )
    quotes = set(claim.line) & set('\u201c\u201d"\u2026')
    return not aside and not quotes and not claim.line.endswith("?") and claim.line not in stock()


@cache
def stock() -> frozenset[str]:
    """Return the sentences that chairs say whatever the motion: nobody answers those."""
    listed = (
        text
        for group in ("answer", "close", "lack", "tell")
        for key in lexicons.read("chairs")[group].items()
        for text in key[1]
    )
    return frozenset(squeezed(one.text) for text in listed for one in sentences(text) if "$" not in one.text)


def arguments(scene: Scene) -> tuple[str, ...]:
    own = framework_of(scene.chair)
    side = "for" if scene.chair is None or scene.chair.stance >= 0 else "against"
    return tuple(lexicons.read("arguments")[own.key if own else "none"][side])


def passage_of(one: Utterance, claim: KeyClaim) -> Passage | None:
    """Return the sentence that a claim was made in, with what it brings."""
    return next((found for found in passages(one.text) if found.line == claim.line), None)


def seed_of(scene: Scene) -> str:
    """Return what a choice of words depends on besides the words themselves."""
    return f"{scene.speaker}|{scene.exchange}|{scene.motion}"


# A chair's opening: its side, its ground, what it will ask, and what it must admit.


SIDES = {Side.SUPPORTIVE: "for", Side.OPPOSED: "against", Side.NEUTRAL: "undecided"}


def opening(scene: Scene) -> dict[str, Any]:
    """Open for one chair.

    Shape: ``text``, and ``quotes`` of others' words in it (none, here).
    Source: docs/explanation/heuristic-chairs.md
    """
    seed = seed_of(scene)
    own = framework_of(scene.chair)
    side = SIDES[side_of(scene.chair)]
    parts = [line(f"opening.{side}", seed=seed, motion=quoted(scene.motion, limit=300))]
    if own is None:
        parts.append(line("opening.free", seed=seed))
    else:
        parts.append(line("opening.framework", seed=seed, name=own.name[0].lower() + own.name[1:], gist=own.gist))
        parts.append(line("opening.question", seed=seed, question=own.question))
    first, second = arguments(scene)[:2]
    parts.append(line("opening.case", seed=seed, first=first, second=second))
    parts.append(line(f"opening.conclude_{side}", seed=seed))
    parts.append(line("opening.admit", seed=seed, spot=own.blind_spots[0]) if own else line("opening.admit_free"))
    parts.append(line("opening.invite", seed=seed))
    return {"text": " ".join(parts), "quotes": []}


# A chair's answer: it tells an opponent's claim, says what the claim lacks, and what its own view must admit.


@dataclass(frozen=True, slots=True)
class Target:
    """A claim that is answered, and who made it."""

    utterance: Utterance
    claim: KeyClaim

    @property
    def name(self) -> str:
        return called(self.utterance.speaker)


def respond(scene: Scene) -> dict[str, Any]:
    """Answer for one chair, by its strategy.

    Shape: ``text``, and the ``quotes`` of opponents in it.
    Source: docs/explanation/heuristic-chairs.md
    """
    seed = seed_of(scene)
    strategy = strategy_of(scene)
    found = targets(scene)
    if not found:
        return {"text": " ".join([line("first"), *stand(scene, seed)]), "quotes": []}
    first = found[0]
    claim = quoted(first.claim.line)
    parts = [line(f"tell.{strategy}", seed=seed, opponent=first.name, claim=claim)]
    if len(found) > 1 and strategy is not Strategy.AGGRESSIVE:
        parts.append(line("second", seed=seed, opponent=found[1].name, claim=quoted(found[1].claim.line)))
    parts.append(line(f"answer.{strategy}", seed=seed, lack=lack(first, seed)))
    parts += stand(scene, seed)
    if admits(scene, strategy):
        parts.append(admission(scene, seed))
    parts.append(line(f"close.{strategy}", seed=seed, opponent=first.name))
    told = found[: 1 if strategy is Strategy.AGGRESSIVE else 2]
    return {"text": " ".join(parts), "quotes": [one.claim.line for one in told]}


def strategy_of(scene: Scene) -> Strategy:
    """Return how the chair argues; who is told to adapt and not how, analyses."""
    known = {one.value: one for one in Strategy}
    chosen = known.get(scene.chair.strategy if scene.chair else "", Strategy.ANALYTICAL)
    return Strategy.ANALYTICAL if chosen is Strategy.ADAPTIVE else chosen


def targets(scene: Scene) -> list[Target]:
    """Return one claim of each opponent, whoever spoke last first; in each exchange somebody else comes first."""
    made = [unanswered(scene, one.speaker) for one in reversed(scene.answered)]
    found = [Target(*one) for one in made if one is not None]
    turn = max(0, scene.exchange - 1) % len(found) if found else 0
    return found[turn:] + found[:turn]


def lack(target: Target, seed: str) -> str:
    """Say what the claim lacks: the first thing that can be pointed at."""
    passage = passage_of(target.utterance, target.claim)
    signs = passage.signs if passage else Signs()
    if signs.absolutes:
        return line("lack.absolute", seed=seed, found=signs.absolutes[0])
    if signs.hedges:
        return line("lack.hedged", seed=seed, found=signs.hedges[0])
    if not signs.grounded:
        return line("lack.unreasoned" if signs.reasons else "lack.bare", seed=seed)
    if signs.kinds and not signs.sources:
        return line("lack.unsourced", seed=seed)
    return line("lack.grounded", seed=seed)


def stand(scene: Scene, seed: str) -> list[str]:
    """Bring the speaker's own case: an argument of its framework, another one in each exchange, and its question."""
    listed = arguments(scene)
    argument = listed[(scene.exchange + 1) % len(listed)]
    own = framework_of(scene.chair)
    asked = [line("question", seed=seed, question=own.question)] if own and scene.exchange % 3 == 2 else []
    return [line("stand", seed=seed + argument, argument=argument), *asked]


def admits(scene: Scene, strategy: Strategy) -> bool:
    """Tell whether the chair names a limit now: an aggressive one in every other exchange, in heat in none."""
    if strategy is not Strategy.AGGRESSIVE:
        return True
    return scene.tone != "heated" and scene.exchange % 2 == 0


def admission(scene: Scene, seed: str) -> str:
    own = framework_of(scene.chair)
    if own is None:
        return line("admit_free", seed=seed)
    return line("admit", seed=seed, spot=own.blind_spots[scene.exchange % len(own.blind_spots)])


# What a response does to its listeners, by the word lists of the rules.


def influence(scene: Scene) -> dict[str, Any]:
    """Weigh one response for every listener who has not given up.

    Shape: ``effects`` of listener, persuasion, attack and evidence.
    Units: 0..1 as decimal strings.
    """
    made = persuasion.from_words(text=scene.response)
    listeners = [one for one in scene.opponents if not one.surrendered]
    return {
        "effects": [
            {
                "listener": one.name,
                "persuasion": str(made.persuasion),
                "attack": str(made.attack),
                "evidence": str(made.evidence),
            }
            for one in listeners
        ]
    }


# The arbiter at the table: introduces it, and interjects when somebody argues unfairly.


LEAST, MOST = 30, 75
"""Words of an interjection."""


def introduce(scene: Scene) -> dict[str, Any]:
    """Introduce the motion and who sits at the table.

    Shape: ``text``.
    """
    seed = scene.motion
    count = "one exchange" if scene.exchanges == 1 else f"{scene.exchanges} exchanges"
    parts = [line("introduction.welcome", motion=quoted(scene.motion, limit=600))]
    parts += [seat(one, f"{seed}{one.name}") for one in scene.chairs]
    parts.append(line("introduction.rules", seed=seed, count=count))
    parts.append(frameworks.accountability().get(scene.accountability, ""))
    parts += [line("introduction.invite", name=called(one.name)) for one in scene.chairs[:1]]
    return {"text": " ".join(part for part in parts if part)}


def seat(one: Position, seed: str) -> str:
    own = framework_of(one)
    side = variants(f"sides.{side_of(one).value}")[0]
    if own is None:
        return line("introduction.free", name=called(one.name), side=side)
    return line(
        "introduction.seat", seed=seed, name=called(one.name), side=side, framework=own.name.lower(), gist=own.gist
    )


def interject(scene: Scene) -> dict[str, Any]:
    """Speak to whoever argued unfairly, about one violation.

    Shape: ``text`` of 30 to 75 words.
    """
    violation = scene.violation if scene.violation in set(Violation) else Violation.LOW_ADHERENCE.value
    own = framework_of(scene.chair)
    if own is None and violation == Violation.FRAMEWORK_INCONSISTENCY.value:
        violation = Violation.LOW_ADHERENCE.value
    opponent, claim = answered(scene)
    text = line(
        f"interjection.{violation}",
        seed=seed_of(scene),
        speaker=brief(scene.speaker),
        opponent=opponent,
        claim=claim,
        spot=f"One that yours must live with: {own.blind_spots[0]}." if own else "",
        framework=own.name.lower() if own else "",
        gist=own.gist if own else "",
    )
    return {"text": text}


def answered(scene: Scene) -> tuple[str, str]:
    """Return who was to be answered, and what they mainly claimed, in at most fifteen words."""
    for one in reversed(scene.answered):
        for claim in claims_of(scene, one):
            words = claim.line.split()
            short = " ".join(words[:15]) if len(words) > 15 else claim.line
            return brief(one.speaker), quoted(short if len(words) <= 15 else f"{short} \u2026", limit=110)
    return "the table", line("interjection_none")


def brief(name: str) -> str:
    """Return a name in at most three words: an interjection is short."""
    return " ".join(called(name).split()[:3])


# The arbiter's last word on an open debate: what came of it, where they met, where they did not, what stayed open.


LISTED = 4
UNKNOWN = -1


def sum_up(scene: Scene) -> dict[str, Any]:
    """Sum up a debate from its result and its words. Missing keys leave their sentence out.

    Shape: ``summary``, and lists of ``agreements``, ``disagreements`` and ``open_questions``, with quotations.
    """
    heard = list(claims(scene))
    met: dict[str, list[str]] = {}
    for claim, names, _ in heard:
        met.setdefault(told(claim), []).extend(names)
    agreed = [f"{', '.join(dict.fromkeys(names))} took up {what}" for what, names in met.items() if names]
    apart = [f"Nobody gave back {told(claim)}" for claim, _, last in heard if last and not met[told(claim)]]
    return {
        "summary": summary(scene),
        "agreements": agreed[:LISTED],
        "disagreements": list(dict.fromkeys(apart))[:LISTED],
        "open_questions": list(dict.fromkeys(questions(scene)))[:LISTED],
    }


def claims(scene: Scene) -> Iterator[tuple[KeyClaim, list[str], bool]]:
    """Yield what each chair mainly claimed, who took it up afterwards, and whether it was among its last words."""
    chairs = {one.name for one in scene.chairs}
    spoken = [one for one in scene.said if one.speaker in chairs]
    for place, one in enumerate(spoken):
        for claim in cases(scene, one)[:2]:
            yield claim, taken_up(claim, spoken[place + 1 :]), one in scene.answered


def cases(scene: Scene, one: Utterance) -> list[KeyClaim]:
    return [claim for claim in claims_of(scene, one) if is_case(claim)]


def told(claim: KeyClaim) -> str:
    return f"what {called(claim.speaker)} said: {quoted(claim.line)}"


def taken_up(claim: KeyClaim, later: Sequence[Utterance]) -> list[str]:
    """Return who gave a claim back in something they said later; who said it before took nothing up."""
    names = [one.speaker for one in later if one.speaker != claim.speaker and gave_back(claim, one)]
    return [called(name) for name in dict.fromkeys(names)]


def gave_back(claim: KeyClaim, one: Utterance) -> bool:
    return any(given_back(claim, stems_of(found.text)) >= GIVEN_BACK for found in sentences(one.text))


def questions(scene: Scene) -> Iterator[str]:
    """Yield what was asked last and may not have been answered, the latest first."""
    chairs = {one.name for one in scene.chairs}
    for one in reversed([said for said in scene.said if said.speaker in chairs]):
        for found in reversed(sentences(one.text)):
            if squeezed(found.text).endswith("?"):
                yield f"{called(one.speaker)}: {quoted(found.text)}"


def summary(scene: Scene) -> str:
    result = scene.result
    exchanges = scene.exchange or scene.exchanges
    count = "one exchange" if exchanges == 1 else f"{exchanges} exchanges"
    victory = result.get("victory")
    how = line(f"victories.{victory}") if victory in KNOWN else ""
    winner = result.get("winner")
    if not how:
        parts = [line("summary.none", motion=quoted(scene.motion, limit=300))]
    elif isinstance(winner, str) and winner:
        parts = [line("summary.won", count=count, winner=called(winner), how=how)]
    else:
        parts = [line("summary.nobody", count=count, how=how)]
    gone = [called(one.name) for one in scene.chairs if one.surrendered]
    if gone:
        parts.append(line("summary.surrendered", names=listed(gone)))
    return " ".join([*parts, *fairest(result)])


KNOWN = frozenset(["uncontested", "mutual_surrender", "draw", "overwhelming", "clear", "narrow"])


def fairest(result: Mapping[str, Any]) -> Iterator[str]:
    """Name who argued most fairly, all of them where some are equal, where adherence was judged."""
    judged = found_in(result, "adherence")
    scores = judged if isinstance(judged, Mapping) else {}
    known = {str(name): hundredths(score, otherwise=UNKNOWN) for name, score in scores.items()}
    best = max(known.values(), default=UNKNOWN)
    first = [name for name in known if known[name] == best]
    if best != UNKNOWN:
        yield line("summary.fair", name=listed([called(name) for name in first]), score=str(scores[first[0]]))


# The voices of an open debate by rule: chairs that argue from what was said, and the arbiter who hosts them.


__all__ = ["influence", "interject", "introduce", "opening", "respond", "sum_up"]
