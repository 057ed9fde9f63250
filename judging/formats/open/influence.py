"""Writing down what a response did to its listeners, and where it left them. Blocks of the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from debates.types import News
from judging.formats.open.judgements import response_of
from judging.formats.open.parsing import Weighed
from judging.formats.open.questions import strategy_of
from judging.formats.open.repeated import Agreed
from judging.formats.open.results import Options, Seat, options_of
from judging.formats.open.state import Heard, TableBoard
from judging.formats.repeated import ONE
from judging.formats.state import Brief
from judging.models import Effect, ParticipantState
from judging.rules import effects, state
from judging.rules.effects import Listener
from judging.rules.rulesets import HISTORY
from judging.rules.state import State
from judging.types import EffectSource
from scoring.services.entries import text as shown


def moved(
    *,
    brief: Brief,
    board: TableBoard,
    by: Seat,
    weighed: Agreed | None,
    now: datetime,
) -> tuple[TableBoard, list[News]]:
    """Write what a response did to everybody who listens, and where that leaves them.

    Shape: ``weighed`` is what the judge found for each listener; without it the word lists count.
    """
    speech = Speech(by=by, response=response_of(board, by), board=board, options=options_of(brief.parameters))
    by_name = {one.listener: one for one in weighed.answer} if weighed else {}
    seats: list[Seat] = []
    news: list[News] = []
    for seat in board.seats:
        if seat.id == by.id or not seat.active:
            seats.append(seat)
            continue
        effect = effect_on(seat, speech, by_name.get(seat.name))
        effect.call, effect.at = weighed.call if weighed else None, now
        for name, value in (weighed.kept.get(seat.name, ONE) if weighed else ONE).columns.items():
            setattr(effect, name, value)
        effect.save()
        after, more = reached(seat, speech, effect)
        seats.append(after)
        news += more
    return replace(board, seats=tuple(seats), weighed=board.weighed | {by.id}), news


@dataclass(frozen=True, slots=True)
class Speech:
    """A response that reaches its listeners."""

    by: Seat
    response: Heard
    board: TableBoard
    options: Options


def effect_on(seat: Seat, speech: Speech, weighed: Weighed | None) -> Effect:
    """Return the effect of a response on one listener, not saved yet."""
    by, response, options = speech.by, speech.response, speech.options
    spoken = effects.from_words(text=response.text, words=options.words)
    source = EffectSource.WORDS
    made = spoken
    if weighed is not None:
        source = EffectSource.JUDGE
        made = effects.Effect(weighed.persuasion, weighed.attack, weighed.evidence, spoken.persuasion_words)
    if options.rules.factors is not None:
        source = EffectSource.FACTORS
        persuasion = effects.weighted_persuasion(
            effect=made,
            factors=options.rules.factors,
            strategy=strategy_of(by, speech.board),
            listener=Listener(seat.state.stance, seat.state.conviction),
            earned=earned_before(response, by),
        )
        made = replace(made, persuasion=persuasion)
    return Effect(
        turn_id=response.turn,
        speaker_id=by.id,
        listener_id=seat.id,
        persuasion=made.persuasion,
        attack=made.attack,
        evidence=made.evidence,
        persuasion_words=made.persuasion_words,
        source=source.value,
    )


def earned_before(response: Heard, by: Seat) -> list[Decimal]:
    """Return what a speaker has persuaded others by before a response, so that no seat among its listeners matters."""
    earlier = Effect.objects.filter(speaker_id=by.id).exclude(turn_id=response.turn)
    return list(earlier.values_list("persuasion", flat=True))


def reached(seat: Seat, speech: Speech, effect: Effect) -> tuple[Seat, list[News]]:
    """Move a listener by a saved effect, write where it stands now, and tell of it."""
    rules = speech.options.rules
    after = state.update(state=seat.state, persuasion=effect.persuasion, attack=effect.attack, rules=rules)
    ParticipantState.objects.create(
        participant_id=seat.id,
        number=seat.number + 1,
        effect=effect,
        stance=after.stance,
        conviction=after.conviction,
        surrender=after.surrender.value if after.surrender else "",
        at=effect.at,
    )
    moved_seat = replace(
        seat,
        state=after,
        number=seat.number + 1,
        persuaded_by=(*seat.persuaded_by, speech.by.name)[-HISTORY:],
        surrendered_to=speech.by.name if after.surrender else None,
    )
    return moved_seat, news_of(seat, after, speech)


def news_of(seat: Seat, after: State, speech: Speech) -> list[News]:
    """Return the events that tell of a listener: that it was moved, and that it gave up."""
    before = seat.state
    about = {"participant": seat.public_id, "round": speech.board.number, "cause": speech.response.public_id}
    news = []
    if (after.stance, after.conviction) != (before.stance, before.conviction):
        numbers = {
            "stanceBefore": shown(before.stance),
            "stance": shown(after.stance),
            "convictionBefore": shown(before.conviction),
            "conviction": shown(after.conviction),
        }
        news.append(News("state:changed", {**about, **numbers}))
    if after.surrender:
        news.append(News("participant:surrendered", {**about, "reason": after.surrender.value}))
    return news
