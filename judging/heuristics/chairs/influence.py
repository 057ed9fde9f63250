"""What a response does to its listeners, by the word lists of the rules."""

from __future__ import annotations

from typing import Any

from judging.rules import effects
from judging.scene import Scene


def influence(scene: Scene) -> dict[str, Any]:
    """Weigh one response for every listener who has not given up.

    Shape: ``effects`` of listener, persuasion, attack and evidence.
    Units: 0..1 as decimal strings.
    """
    made = effects.from_words(text=scene.response)
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
