"""What debaters and judges of an open debate are asked, and what they are shown with it."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from debates.types import Kind, Role, TurnKind
from judging.formats.open import EVALUATOR, PERSUASION_JUDGE, prompts
from judging.formats.open.results import OpenOptions, Seat, options_of
from judging.formats.open.spec import Judging
from judging.formats.open.state import JUDGED, OpenThreadState, asks_about
from judging.formats.state import Ask, Await, Brief, Voice
from judging.rules import fairness, persuasion
from judging.rules.persuasion import Listener, Strategy
from judging.types import Position, Purpose, Scene, Utterance

CHAIRS = frozenset({Purpose.OPEN, Purpose.RESPOND})


def floor_of(*, brief: Brief, board: OpenThreadState, seat: Seat) -> Ask | Await:
    """Return how the next turn comes about: an engine is asked, a person or a program is waited for."""
    if brief.speaker(seat.id).kind is Kind.ENGINE:
        return Ask(Purpose.RESPOND if board.number else Purpose.OPEN, Role.CHAIR, seat.id)
    kind = TurnKind.RESPONSE if board.number else TurnKind.OPENING
    return Await(seat.id, kind, brief.parameters["table"]["turn_seconds"])


def scene_of(*, brief: Brief, board: OpenThreadState, ask: Ask) -> Scene:
    """Return what a provider may read for one question: what was said, and if it is about a response, up to that.

    What a response is reproached with is for the arbiter's words to its speaker alone: several judgements of it are
    asked for one after the other, and are judgements of the same.
    """
    options = options_of(brief.parameters)
    reproached = ask.about if ask.purpose is Purpose.INTERJECT else 0
    concerned = ask.participant or ask.about
    speaker = board.seat(concerned) if concerned else None
    response = board.response(concerned) if ask.about else None
    return Scene(
        motion=brief.subject,
        chairs=tuple(position_of(seat, board) for seat in board.seats),
        tone=options.tone,
        accountability=options.accountability.value,
        exchange=board.number,
        exchanges=brief.rounds,
        speaker=speaker.name if speaker else "",
        said=tuple(
            Utterance(heard.name, heard.kind, heard.text, heard.number)
            for heard in board.heard
            if response is None or heard.turn <= response.turn
        ),
        response=response.text if response else "",
        violation=board.due.get(reproached, ""),
        notes=board.notes.get(reproached, ()),
    )


def position_of(seat: Seat, board: OpenThreadState) -> Position:
    """Return a chair as the table sees it, with the strategy it argues by now."""
    return Position(
        name=seat.name,
        framework=seat.framework,
        stance=seat.state.stance,
        conviction=seat.state.conviction,
        strategy=strategy_of(seat, board),
        surrendered=not seat.active,
        part=seat.part,
        side=seat.side,
    )


def strategy_of(seat: Seat, board: OpenThreadState) -> str:
    """Return the strategy a chair argues by now: its own or a planned one, or what the adaptive one comes to.

    Shape: empty where it is no engine.
    """
    if not seat.strategy:
        return ""
    opponents = [Listener(other.state.stance, other.state.conviction) for other in board.active if other.id != seat.id]
    planned = persuasion.planned_strategy(
        strategy=Strategy(seat.strategy), changes=seat.strategy_changes, exchange=board.number
    )
    return persuasion.chosen_strategy(strategy=planned, conviction=seat.state.conviction, opponents=opponents).value


def pending(board: OpenThreadState, options: OpenOptions) -> list[Seat]:
    """Return whose responses of this exchange are not dealt with: judged, weighed, spoken to where that is due."""
    debaters = [seat for seat in board.seats if seat.debates]
    spoke = (
        debater for debater in debaters if board.number and debater.id in board.taken and board.response(debater.id)
    )
    return [seat for seat in spoke if left_for(seat, board, options)]


def to_speak(board: OpenThreadState) -> list[Seat]:
    """Return who is still to speak in this round; in an exchange one alone has nobody to answer.

    Where a debate was held already, they come in the order in which they spoke.
    """
    if board.order:
        names = board.order[board.number] if board.number < len(board.order) else ()
        seats = {seat.name: seat for seat in board.seats if seat.active and seat.id not in board.taken}
        return [seats[name] for name in names if name in seats]
    left = [seat for seat in board.active if seat.id not in board.taken]
    return left if board.number == 0 or len(board.active) > 1 else []


def left_for(seat: Seat, board: OpenThreadState, options: OpenOptions) -> tuple[Purpose, ...]:
    """Return what is still to be asked about a response: at first how it argued and what it did, then the rest."""
    left = []
    if options.judging.value == "full" and seat.id not in board.judged:
        left.append(Purpose.EVALUATE)
    if weighs(seat, board, options) and seat.id not in board.weighed:
        left.append(Purpose.INFLUENCE)
    if not left and seat.id in board.due and seat.id not in board.told:
        left.append(Purpose.INTERJECT)
    return tuple(left)


def weighs(seat: Seat, board: OpenThreadState, options: OpenOptions) -> bool:
    """Tell whether a judge is to weigh what a response did; with nobody left to listen there is nothing to weigh."""
    listening = any(seat.reaches(other) for other in board.active)
    return options.persuasion and options.effects.value == "judge" and listening


# What is asked about a response, how often, and what whoever is asked gets to see. Pure.


def judges_together(brief: Brief) -> bool:
    """Say whether the responses of an exchange are judged when all have spoken: nothing in it depends on the marks.

    Nobody is spoken to by the arbiter then, nobody gives up, and nobody is waited for while marks are due.
    """
    options = options_of(brief.parameters)
    if options.judging is not Judging.FULL or options.persuasion or Purpose.INTERJECT in options.asked_about_responses:
        return False
    return all(voice.kind is Kind.ENGINE for voice in brief.everybody)


def asks_about_all(brief: Brief, board: OpenThreadState) -> tuple[Ask, ...]:
    """Return what is still to be asked of engines about responses, each question as often as it is still to be put."""
    options = options_of(brief.parameters)
    return tuple(
        asked
        for seat in pending(board, options)
        for purpose in left_for(seat, board, options)
        if not on_seat(brief, purpose)
        for asked in asks_about(Ask(purpose, Role.ARBITER, about=seat.id), speaker=seat.name, brief=brief, board=board)
    )


SEATED = {Purpose.EVALUATE: EVALUATOR, Purpose.INFLUENCE: PERSUASION_JUDGE}
"""What may be judged from a seat, and the names of who sits there."""


def on_seat(brief: Brief, purpose: Purpose) -> Voice | None:
    """Return who judges something from a seat, if somebody does."""
    judges = (voice for voice in brief.everybody if voice.role is Role.JUDGE)
    return next((voice for voice in judges if voice.name == SEATED.get(purpose)), None)


def judgements_awaited(brief: Brief, board: OpenThreadState) -> tuple[Await, ...]:
    """Return what is still to be judged from seats of the responses that were given."""
    options, awaited = options_of(brief.parameters), []
    for seat in pending(board, options):
        response = board.response(seat.id)
        for purpose in left_for(seat, board, options):
            judge = on_seat(brief, purpose)
            if judge is not None and response is not None:
                seconds = brief.parameters["table"]["ballot_seconds"]
                awaited.append(Await(judge.id, TurnKind.JUDGEMENT, seconds, about=response.turn))
    return tuple(awaited)


def ask_of(brief: Brief, board: OpenThreadState, awaited: Await) -> Ask:
    """Return the question that somebody answers from a seat, as an engine would be asked it."""
    name = brief.speaker(awaited.participant).name
    purpose = next(purpose for purpose, called in SEATED.items() if called == name)
    speaker = next(heard.speaker for heard in board.heard if heard.turn == awaited.about)
    return Ask(purpose, Role.ARBITER, about=speaker)


def shown_to_judges(brief: Brief, ask: Ask, scene: Scene) -> Scene:
    """Return a scene as whoever is asked sees it: judges may see labels instead of names, or the other order."""
    if ask.purpose not in JUDGED:
        return scene
    blind = fairness.of(brief.parameters).blind_names
    return replace(prompts.blinded(scene) if blind else scene, swapped=ask.swapped)


def listeners(scene: Scene) -> list[str]:
    return [position.name for position in scene.opponents if not position.surrendered]


def final_position(name: str, card: Mapping[str, Any], state: Mapping[str, Any]) -> Position:
    return Position(
        name=name,
        framework=card["framework"],
        stance=Decimal(state["stance"]),
        conviction=Decimal(state["conviction"]),
        strategy=card["strategy"],
        surrendered=state["surrendered"] is not None,
    )
