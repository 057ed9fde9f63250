"""What an open debate writes: what was said, how fairly, with what effect; its accounts from first to last."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from debates.decimals import in_places, plain
from debates.models import Debate, Participant, Round, Thread, Turn
from debates.types import News, Role, TurnKind
from judging.formats import turns
from judging.formats.open.parsing import JudgedResponse, WeighedEffect
from judging.formats.open.questions import strategy_of
from judging.formats.open.results import OpenOptions, Seat, options_of, result_of
from judging.formats.open.state import INTRODUCTION, AgreedJudgement, Heard, OpenThreadState, heard_as
from judging.formats.repeated import ONE, several_told
from judging.formats.state import Ask, Brief
from judging.formats.turns import Said, Speaker, round_on
from judging.heuristics import adherence
from judging.heuristics.adherence import Flags
from judging.models import Effect, ParticipantState, ResponseEvaluation
from judging.models import Standing as Stood
from judging.rules import adherence as adherence_rules
from judging.rules import persuasion as persuasion_rules
from judging.rules.fairness import MARKS
from judging.rules.persuasion import HISTORY, Listener, State, Strategy
from judging.rules.standing import StandingParts
from judging.types import EffectSource, Judgement, Purpose
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.services import accounts, rounds
from scoring.services.rounds import Given
from scoring.types import Instrument

# Writing down what is said at the table, and that somebody said nothing. Blocks of the caller's transaction.


KINDS = {Purpose.OPEN: TurnKind.OPENING, Purpose.RESPOND: TurnKind.RESPONSE}


def speak(
    *, brief: Brief, board: OpenThreadState, ask: Ask, text: str, now: datetime
) -> tuple[OpenThreadState, list[News]]:
    seat = board.seat(ask.participant)
    speaker = speaker_of(
        brief=brief, board=board, by=seat.id, role=Role.CHAIR, kind=KINDS[ask.purpose], of=seat.public_id
    )
    said = Said(f"{KINDS[ask.purpose].value}:{seat.id}", text, last_of(board), strategy_of(seat, board))
    [turn], news = turns.write(speaker=speaker, said=[said], now=now)
    return heard_too(replace(board, taken=board.taken | {seat.id}), turn, seat.name), news


def last_of(board: OpenThreadState) -> int | None:
    """Return what a turn answers: whatever a chair said last."""
    chairs = {seat.id for seat in board.seats}
    return next((response.turn for response in reversed(board.heard) if response.speaker in chairs), None)


def introduce(*, brief: Brief, board: OpenThreadState, text: str, now: datetime) -> tuple[OpenThreadState, list[News]]:
    speaker = speaker_of(brief=brief, board=board, by=board.arbiter, role=Role.ARBITER, kind=TurnKind.OPENING)
    [turn], news = turns.write(speaker=speaker, said=[Said(INTRODUCTION, text)], now=now)
    return heard_too(replace(board, introduced=True), turn, brief.voices[Role.ARBITER].name), news


def interject(
    *, brief: Brief, board: OpenThreadState, about: int, text: str, now: datetime
) -> tuple[OpenThreadState, list[News]]:
    seat = board.seat(about)
    response = board.response(about)
    speaker = speaker_of(
        brief=brief, board=board, by=board.arbiter, role=Role.ARBITER, kind=TurnKind.INTERJECTION, of=seat.public_id
    )
    said = Said(f"{TurnKind.INTERJECTION.value}:{about}", text, response.turn if response else None)
    [turn], news = turns.write(speaker=speaker, said=[said], now=now)
    news_item = News(
        "arbiter:interjection",
        {
            "turn": str(turn.public_id),
            "participant": seat.public_id,
            "round": board.number,
            "violation": board.due[about],
        },
    )
    return heard_too(replace(board, told=board.told | {about}), turn, brief.voices[Role.ARBITER].name), [
        *news,
        news_item,
    ]


def forfeit(*, brief: Brief, board: OpenThreadState, by: int, because: str, now: datetime) -> list[News]:
    """Write down that a chair said nothing when it was its turn; the debate goes on."""
    kind = TurnKind.RESPONSE if board.number else TurnKind.OPENING
    return turns.forfeit(brief=brief, board=board, by=by, kind=kind, because=because, now=now)


def speaker_of(
    *, brief: Brief, board: OpenThreadState, by: int, role: Role, kind: TurnKind, of: str | None = None
) -> Speaker:
    event_data = {"criterion": board.key, "round": board.number, **({"participant": of} if of else {})}
    return Speaker(
        debate_id=brief.debate_id,
        participant_id=by,
        role=role,
        kind=kind,
        thread_id=board.thread_id,
        round_id=board.round_id,
        told=event_data,
    )


def heard_too(board: OpenThreadState, turn: Turn, name: str) -> OpenThreadState:
    return replace(board, heard=(*board.heard, heard_as(turn, name=name, number=board.number)))


# Writing down how a response argued, and counting it for its speaker. Blocks of the caller's transaction.


def evaluated(
    *, brief: Brief, board: OpenThreadState, about: Seat, judgement: AgreedJudgement, now: datetime
) -> tuple[OpenThreadState, list[News]]:
    """Write the four marks of a response, and count their total for its speaker."""
    judged: JudgedResponse = judgement.answer
    response = response_of(board, about)
    fact, news = count(brief=brief, board=board, about=about, total=judged.marks.total, now=now)
    row = ResponseEvaluation.objects.create(
        turn_id=response.turn,
        round_id=board.round_id,
        fact=fact,
        **glance(board, about).columns,
        **columns_of(judged),
        from_cache=judgement.call is not None and judgement.call.known,
        call=judgement.call,
        at=now,
        **judgement.kept.get("", ONE).columns,
    )
    options = options_of(brief.parameters)
    due = adherence_rules.interjection(
        accountability=options.accountability, marks=judged.marks, enabled=options.interjections
    )
    after = replace(
        board,
        judged=board.judged | {about.id},
        due={**board.due, about.id: due.value} if due else board.due,
        notes={**board.notes, about.id: tuple(grounds.notes for grounds in judged.grounds.values() if grounds.notes)},
    )
    return after, [told(board, about, response, row), *news]


def columns_of(judged: JudgedResponse) -> dict[str, Any]:
    """Return what a judge gave a response as its row keeps it."""
    violations = adherence_rules.violations(marks=judged.marks)
    grounds: dict[str, Any] = {
        name: {"notes": part.notes, "quotes": list(part.quotes)} for name, part in judged.grounds.items()
    }
    grounds["consistency"]["violations"] = list(judged.violations)
    return {
        "state": Judgement.SCORED.value,
        **{name: getattr(judged.marks, name) for name in MARKS},
        "steel_attempted": judged.steel_attempted,
        "critique_attempted": judged.critique_attempted,
        "violations": judged.marks.violations,
        "issues": list(judged.issues),
        "requires_interjection": bool(violations),
        "violation": violations[0].value if violations else "",
        "grounds": grounds,
    }


def unjudged(
    *, board: OpenThreadState, about: Seat, state: Judgement, now: datetime
) -> tuple[OpenThreadState, list[News]]:
    """Write that a response was only looked at quickly, or could not be judged: no number, no fact, no interjection."""
    response = response_of(board, about)
    row = unjudged_row(turn=response.turn, round_id=board.round_id, look=glance(board, about), state=state, now=now)
    return replace(board, judged=board.judged | {about.id}), [told(board, about, response, row)]


def unjudged_row(*, turn: int, round_id: int, look: Flags, state: Judgement, now: datetime) -> ResponseEvaluation:
    """Write the row of a response without a judgement; what a quick look found out stands in it either way."""
    flags = look if state is Judgement.QUICK else None
    return ResponseEvaluation.objects.create(
        turn_id=turn,
        round_id=round_id,
        state=state.value,
        **look.columns,
        steel_attempted=flags.steel_manning if flags else None,
        critique_attempted=flags.self_critique if flags else None,
        at=now,
    )


def glance(board: OpenThreadState, about: Seat) -> Flags:
    """Look at a response quickly, which costs no call: what a full judgement says stands beside it, or nothing."""
    others = [seat.name for seat in board.seats if seat.id != about.id]
    return adherence.quick(text=response_of(board, about).text, opponents=others, own=[about.name])


def told(board: OpenThreadState, about: Seat, response: Heard, row: ResponseEvaluation) -> News:
    return evaluated_news(row, turn=response.public_id, participant=about.public_id, number=board.number)


def evaluated_news(row: ResponseEvaluation, *, turn: str, participant: str, number: int) -> News:
    """Return what is told of a judged response: of which turn, whose, in which round."""
    marks = {
        "steelManning": row.steel_manning,
        "selfCritique": row.self_critique,
        "consistency": row.consistency,
        "honesty": row.honesty,
        "total": row.fact.amount if row.fact else None,
    }
    return News(
        "response:evaluated",
        {
            "turn": turn,
            "participant": participant,
            "round": number,
            "state": row.state,
            **{name: in_places(value) for name, value in marks.items() if value is not None},
            **several_told(row),
        },
    )


def response_of(board: OpenThreadState, about: Seat) -> Heard:
    response = board.response(about.id)
    assert response is not None  # noqa: S101 -- only what was said is judged
    return response


def count(
    *, brief: Brief, board: OpenThreadState, about: Seat, total: Decimal, now: datetime
) -> tuple[Fact, Sequence[News]]:
    """Count the total of a response: open the speaker's account with the first, add to it with each further one."""
    played = round_on(board)
    speaker = Participant.objects.get(pk=about.id)
    new_facts = [Given(FactKind.RESPONSE, total, participant=speaker)]
    known = {"thread_id": board.thread_id, "instrument": Instrument.ADHERENCE.value, "key": key_of(about)}
    evaluation_id = Evaluation.objects.filter(**known).values_list("pk", flat=True).first()
    if evaluation_id is not None:
        [evaluation] = accounts.lock(evaluations=[evaluation_id])
        counted = rounds.count(evaluation=evaluation, round=played, new_facts=new_facts, now=now)
        return counted.facts[0], counted.news
    opened = accounts.open_in_round(
        evaluation=account_of(about, speaker, Instrument.ADHERENCE, board.thread_id, total),
        round=played,
        new_facts=new_facts,
        now=now,
    )
    return opened.facts[0], opened.news


def account_of(
    seat: Seat, speaker: Participant, instrument: Instrument, thread_id: int, initial: Decimal
) -> Evaluation:
    thread = Thread.objects.select_related("debate").get(pk=thread_id)
    return Evaluation(
        debate=thread.debate,
        thread=thread,
        instrument=instrument.value,
        key=key_of(seat),
        name=seat.name,
        position=seat.position,
        initial_score=initial,
        participant=speaker,
    )


def key_of(seat: Seat) -> str:
    return f"chair-{seat.position}"


# Writing down what a response did to its listeners, and where it left them. Blocks of the caller's transaction.


def moved(
    *, brief: Brief, board: OpenThreadState, by: Seat, weighed: AgreedJudgement | None, now: datetime
) -> tuple[OpenThreadState, list[News]]:
    """Write what a response did to everybody who listens, and where that leaves them.

    Shape: ``weighed`` is what the judge found for each listener; without it the word lists count.
    """
    speech = Speech(by=by, response=response_of(board, by), board=board, options=options_of(brief.parameters))
    by_name = {effect.listener: effect for effect in weighed.answer} if weighed else {}
    reached: list[tuple[Seat, Effect, State]] = []
    for seat in (seat for seat in board.seats if by.reaches(seat) and seat.active):
        effect = effect_on(seat, speech, by_name.get(seat.name))
        effect.call, effect.at = weighed.call if weighed else None, now
        for name, value in (weighed.kept.get(seat.name, ONE) if weighed else ONE).columns.items():
            setattr(effect, name, value)
        effect.save()
        after = persuasion_rules.update(
            state=seat.state, persuasion=effect.persuasion, attack=effect.attack, rules=speech.options.rules
        )
        reached.append((seat, effect, after))
    gone = sum(after.surrender is not None for _, _, after in reached)
    seats = {seat.id: seat for seat in board.seats}
    news: list[News] = []
    for seat, effect, after in reached:
        state = persuasion_rules.swayed(
            state=after, towards=by.state.stance, surrenders=gone, rules=speech.options.rules
        )
        seats[seat.id], more = moved_to(seat, speech, effect, state)
        news += more
    return replace(board, seats=tuple(seats.values()), weighed=board.weighed | {by.id}), news


@dataclass(frozen=True, slots=True)
class Speech:
    """A response that reaches its listeners."""

    by: Seat
    response: Heard
    board: OpenThreadState
    options: OpenOptions


def effect_on(seat: Seat, speech: Speech, weighed: WeighedEffect | None) -> Effect:
    """Return the effect of a response on one listener, not saved yet."""
    by, response, options = speech.by, speech.response, speech.options
    spoken = persuasion_rules.from_words(text=response.text, words=options.words)
    source = EffectSource.WORDS
    effect = spoken
    if weighed is not None:
        source = EffectSource.JUDGE
        effect = persuasion_rules.ResponseEffect(
            weighed.persuasion, weighed.attack, weighed.evidence, spoken.persuasion_words
        )
    if options.rules.factors is not None:
        source = EffectSource.FACTORS
        persuasion = persuasion_rules.weighted_persuasion(
            effect=effect,
            factors=options.rules.factors,
            strategy=Strategy(response.strategy) if response.strategy else None,
            listener=Listener(seat.state.stance, seat.state.conviction),
            earned=earned_before(response, by),
        )
        effect = replace(effect, persuasion=persuasion)
    return Effect(
        turn_id=response.turn,
        speaker_id=by.id,
        listener_id=seat.id,
        persuasion=effect.persuasion,
        attack=effect.attack,
        evidence=effect.evidence,
        persuasion_words=effect.persuasion_words,
        source=source.value,
    )


def earned_before(response: Heard, by: Seat) -> list[Decimal]:
    """Return what a speaker has persuaded others by before a response, so that no seat among its listeners matters."""
    earlier = Effect.objects.filter(speaker_id=by.id).exclude(turn_id=response.turn)
    return list(earlier.values_list("persuasion", flat=True))


def moved_to(seat: Seat, speech: Speech, effect: Effect, after: State) -> tuple[Seat, list[News]]:
    """Write where a listener stands after a saved effect, and tell of it."""
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
    """Return the events that tell of a listener: where it was left, also where that is where it was, and that it
    gave up.
    """
    before = seat.state
    about = {"participant": seat.public_id, "round": speech.board.number, "cause": speech.response.public_id}
    numbers = {
        "stanceBefore": in_places(before.stance),
        "stance": in_places(after.stance),
        "convictionBefore": in_places(before.conviction),
        "conviction": in_places(after.conviction),
    }
    news = [News("state:changed", {**about, **numbers})]
    if after.surrender:
        news.append(News("participant:surrendered", {**about, "reason": after.surrender.value}))
    return news


# Where everybody stands: when play starts, after each exchange, and at the end. Blocks of the caller's transaction.


def open_states(*, debate: Debate) -> None:
    began = debate.started_at
    assert began is not None  # noqa: S101 -- what begins to play was started
    cards = {card["name"]: card for card in debate.parameters["table"]["chairs"]}
    chairs = Participant.objects.filter(debate=debate, role=Role.CHAIR.value)
    ParticipantState.objects.bulk_create(
        ParticipantState(
            participant=participant,
            number=0,
            stance=Decimal(cards[participant.name]["stance"]),
            conviction=Decimal(cards[participant.name]["conviction"]),
            at=began,
        )
        for participant in chairs.order_by("position")
    )


def stand(*, brief: Brief, board: OpenThreadState, played: Round, now: datetime) -> list[News]:
    """Write where everybody stands after a round: open their accounts in round 0, count the new standing later."""
    options = options_of(brief.parameters)
    if not options.persuasion:
        return []
    standings = {parts.name: parts for parts in result_of(board.seats, options).standings}
    news: list[News] = []
    if board.number == 0:
        for seat in (seat for seat in board.seats if seat.debates):
            news += opened(brief=brief, board=board, seat=seat, stood=standings[seat.name], played=played, now=now)
        return news
    rows = Evaluation.objects.filter(thread_id=board.thread_id, instrument=Instrument.STANDING.value)
    by_person = {seat.id: seat for seat in board.seats}
    for evaluation in accounts.lock(evaluations=rows.values_list("pk", flat=True)):
        seat = by_person[evaluation.participant_id or 0]
        stood = standings[seat.name]
        counted = rounds.count(evaluation=evaluation, round=played, new_facts=[given(seat, stood)], now=now)
        keep(counted.facts[0], seat, stood, played)
        news += counted.news
    return news


def opened(
    *, brief: Brief, board: OpenThreadState, seat: Seat, stood: StandingParts, played: Round, now: datetime
) -> list[News]:
    speaker = Participant.objects.get(pk=seat.id)
    opening = accounts.open_in_round(
        evaluation=account_of(seat, speaker, Instrument.STANDING, board.thread_id, stood.total),
        round=played,
        new_facts=[given(seat, stood)],
        now=now,
    )
    keep(opening.facts[0], seat, stood, played)
    return list(opening.news)


def given(seat: Seat, stood: StandingParts) -> Given:
    """Return a standing as the ledger takes it: the total, with the parts it is made of."""
    parts = {name: plain(value) for name, value in stood.parts().items()}
    return Given(FactKind.STANDING, stood.total, participant=Participant(pk=seat.id), parts=parts)


def keep(fact: Fact, seat: Seat, stood: StandingParts, played: Round) -> None:
    Stood.objects.create(fact=fact, round=played, participant_id=seat.id, **stood.parts())


# -- the end ---------------------------------------------------------------------------------------------------------


def end_accounts(*, thread: Thread) -> list[News]:
    """Complete every account of a locked thread. Each was opened with numbers that counted, so none falls back."""
    news: list[News] = []
    for evaluation in accounts.lock(evaluations=thread.evaluations.values_list("pk", flat=True)):
        news += accounts.complete(evaluation=evaluation).news
    return news
