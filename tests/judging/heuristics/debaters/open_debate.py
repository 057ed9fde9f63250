"""An open debate between the heuristic voices, without database."""

from dataclasses import dataclass, replace

from judging.heuristics import debaters
from judging.rules import frameworks
from judging.types import OPENING, RESPONSE, Position, Scene, Utterance

MOTION = "The city should close its centre to private cars."


@dataclass(frozen=True)
class Turn:
    """What was said, and the scene in which it was."""

    scene: Scene
    text: str
    quotes: tuple[str, ...]


def seats(preset: str) -> tuple[Position, ...]:
    return tuple(
        Position(one.name, one.framework, one.stance, one.conviction, one.strategy.value)
        for one in frameworks.preset(preset).seats
    )


def play(preset: str, *, exchanges: int = 3, motion: str = MOTION, tone: str = "spirited") -> tuple[Turn, ...]:
    """Return every turn of a debate between the chairs of a preset."""
    scene = Scene(motion=motion, chairs=seats(preset), exchanges=exchanges, tone=tone)
    said: list[Utterance] = []
    turns: list[Turn] = []
    for exchange in range(exchanges + 1):
        for one in scene.chairs:
            now = replace(scene, speaker=one.name, exchange=exchange, said=tuple(said))
            made = debaters.respond(now) if exchange else debaters.opening(now)
            said.append(Utterance(one.name, RESPONSE if exchange else OPENING, made["text"], exchange))
            turns.append(Turn(now, made["text"], tuple(made["quotes"])))
    return tuple(turns)
