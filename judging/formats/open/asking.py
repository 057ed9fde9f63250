"""What is asked about a response, how often, and what whoever is asked gets to see. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from debates.types import Kind, Role
from judging.board import Ask, Brief
from judging.formats.open.board import TableBoard
from judging.formats.open.scenes import left_for
from judging.formats.open.together import JUDGED, asks_about
from judging.outcomes import Seat, options_of
from judging.rules import fairness
from judging.rules.interjection import Accountability
from judging.scene import Scene
from judging.tables import blinding
from judging.tables.spec import Judging


def judges_together(brief: Brief) -> bool:
    """Say whether the responses of an exchange are judged when all have spoken: nothing in it depends on the marks.

    Nobody is spoken to by the arbiter then, nobody gives up, and nobody is waited for while marks are due.
    """
    options = options_of(brief.parameters)
    spoken_to = options.interjections and options.accountability is not Accountability.RELAXED
    if options.judging is not Judging.FULL or options.persuasion or spoken_to:
        return False
    return all(one.kind is Kind.ENGINE for one in brief.everybody)


def asks_about_all(waiting: Iterable[Seat], brief: Brief, board: TableBoard) -> tuple[Ask, ...]:
    """Return what is still to be asked about several responses, one after the other."""
    return tuple(ask for one in waiting for ask in asks_left(one, brief, board))


def asks_left(about: Seat, brief: Brief, board: TableBoard) -> tuple[Ask, ...]:
    """Return what is still to be asked about a response, each question as often as it is still to be put."""
    left = left_for(about, board, options_of(brief.parameters))
    asks = (Ask(one, Role.ARBITER, about=about.id) for one in left)
    return tuple(one for ask in asks for one in asks_about(ask, speaker=about.name, brief=brief, board=board))


def shown_to_judges(brief: Brief, ask: Ask, scene: Scene) -> Scene:
    """Return a scene as whoever is asked sees it: judges may see labels instead of names, or the other order."""
    if ask.purpose not in JUDGED:
        return scene
    blind = fairness.of(brief.parameters).blind_names
    return replace(blinding.blinded(scene) if blind else scene, swapped=ask.swapped)


def listeners(scene: Scene) -> list[str]:
    """Return the names of everybody who listens to a response."""
    return [one.name for one in scene.opponents if not one.surrendered]
