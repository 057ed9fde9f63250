"""A chair's answer: it tells an opponent's claim, says what the claim lacks, and what its own view must admit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judging.heuristics.chairs import ground
from judging.heuristics.chairs.lines import called, line, quoted
from judging.heuristics.evidence import Signs
from judging.heuristics.fairness.claims import Claim
from judging.rules.effects import Strategy
from judging.scene import Scene, Utterance


@dataclass(frozen=True, slots=True)
class Target:
    """A claim that is answered, and who made it."""

    utterance: Utterance
    claim: Claim

    @property
    def name(self) -> str:
        return called(self.utterance.speaker)


def respond(scene: Scene) -> dict[str, Any]:
    """Answer for one chair, by its strategy.

    Shape: ``text``, and the ``quotes`` of opponents in it.
    Source: docs/explanation/heuristic-chairs.md
    """
    seed = ground.seed_of(scene)
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
    made = [ground.unanswered(scene, one.speaker) for one in reversed(scene.answered)]
    found = [Target(*one) for one in made if one is not None]
    turn = max(0, scene.exchange - 1) % len(found) if found else 0
    return found[turn:] + found[:turn]


def lack(target: Target, seed: str) -> str:
    """Say what the claim lacks: the first thing that can be pointed at."""
    passage = ground.passage_of(target.utterance, target.claim)
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
    listed = ground.arguments(scene)
    argument = listed[(scene.exchange + 1) % len(listed)]
    own = ground.framework_of(scene.chair)
    asked = [line("question", seed=seed, question=own.question)] if own and scene.exchange % 3 == 2 else []
    return [line("stand", seed=seed + argument, argument=argument), *asked]


def admits(scene: Scene, strategy: Strategy) -> bool:
    """Tell whether the chair names a limit now: an aggressive one in every other exchange, in heat in none."""
    if strategy is not Strategy.AGGRESSIVE:
        return True
    return scene.tone != "heated" and scene.exchange % 2 == 0


def admission(scene: Scene, seed: str) -> str:
    own = ground.framework_of(scene.chair)
    if own is None:
        return line("admit_free", seed=seed)
    return line("admit", seed=seed, spot=own.blind_spots[scene.exchange % len(own.blind_spots)])
