"""A batch of responses as it is judged: ten in a round, each on its own, none of them waiting for another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from debates import prepared_statements
from debates.models import Debate, Participant, Round, Thread, Turn
from debates.types import News, Role, TurnKind
from judging.formats import prompts, repeated, turns
from judging.formats.base import Format
from judging.formats.open import parsing, record
from judging.formats.open.parsing import JudgedResponse
from judging.formats.open.play import LONGEST_ANSWER_TOKENS
from judging.formats.open.spec import Judging
from judging.formats.responses.spec import ResponsesSpec
from judging.formats.state import Ask, Brief, Step, ThreadState
from judging.formats.turns import Said, Speaker, round_on
from judging.heuristics import adherence
from judging.models import Call, ResponseEvaluation
from judging.types import Judgement, Position, Purpose, Request, Scene, Utterance
from scoring.enums import FactKind
from scoring.models import Evaluation
from scoring.services import accounts
from scoring.services.rounds import Given
from scoring.types import Instrument

BATCH = "batch"
"""The key of a debate's parameters that holds how a batch is judged."""
LONGEST_NAME = 120
UNKNOWN = Decimal(0)
"""Stands where a debate would know how somebody stands; nobody is shown it."""


def slot_of(number: int) -> str:
    """Return the place of a response among the turns of its debate; they count from 1."""
    return f"{TurnKind.RESPONSE.value}:{number}"


def number_of(slot: str) -> int:
    return int(slot.rpartition(":")[2])


@dataclass(frozen=True, slots=True)
class ResponseAtIssue:
    """One response of a round, as it was given: whose it is, and what it answers."""

    number: int
    turn: int
    public_id: str
    text: str
    speaker: Participant
    answered: Utterance | None


@dataclass(frozen=True, slots=True)
class ResponsesThreadState(ThreadState):
    """The responses of one round; ``judged`` are the numbers of those of which it is written what they come to."""

    responses: tuple[ResponseAtIssue, ...] = ()
    judged: frozenset[int] = frozenset()

    @property
    def left(self) -> tuple[ResponseAtIssue, ...]:
        return tuple(response for response in self.responses if response.number not in self.judged)

    def response(self, number: int) -> ResponseAtIssue:
        return next(response for response in self.responses if response.number == number)


def read_state(*, thread: Thread, number: int) -> ResponsesThreadState:
    """Return what is known of one round: no other is read, for a batch may be large."""
    size = Debate.objects.values_list(f"parameters__{BATCH}__size", flat=True).get(pk=thread.debate_id)
    slots = [slot_of(at) for at in range((number - 1) * size + 1, number * size + 1)]
    rows = Turn.objects.filter(debate_id=thread.debate_id, round=None, slot__in=slots)
    turns = list(rows.select_related("participant", "answers__participant").order_by("pk"))
    judged = ResponseEvaluation.objects.filter(turn__in=[turn.pk for turn in turns]).values_list(
        "turn__slot", flat=True
    )
    return ResponsesThreadState.of(
        thread,
        number=number,
        responses=tuple(sorted(map(at_issue, turns), key=lambda response: response.number)),
        judged=frozenset(map(number_of, judged)),
    )


def at_issue(turn: Turn) -> ResponseAtIssue:
    answered = turn.answers
    return ResponseAtIssue(
        number=number_of(turn.slot),
        turn=turn.pk,
        public_id=str(turn.public_id),
        text=turn.text,
        speaker=turn.participant,
        answered=Utterance(answered.participant.name, answered.kind, answered.text) if answered else None,
    )


def write_responses(*, debate: Debate, spec: ResponsesSpec, now: datetime) -> list[News]:
    """Write the responses of a new batch, and before them what they answer, each text once; return what to tell."""
    voices = {row.name: row for row in debate.participants.all()}

    def speaker(name: str, kind: TurnKind) -> Speaker:
        about = {"participant": str(voices[name].public_id)}
        return Speaker(debate_id=debate.pk, participant_id=voices[name].pk, role=Role.CHAIR, kind=kind, told=about)

    rows = list(enumerate(spec.responses, start=1))
    first = {(row.opponent, row.answered): number for number, row in reversed(rows) if row.answered}
    answered = [
        (speaker(opponent, TurnKind.OPENING), Said(f"{TurnKind.OPENING.value}:{number}", text))
        for (opponent, text), number in first.items()
    ]
    written, news = turns.write_all(spoken=answered, now=now)
    known = dict(zip(first, (turn.pk for turn in written), strict=True))
    responses = [
        (
            speaker(row.speaker, TurnKind.RESPONSE),
            Said(slot_of(number), row.response, answers=known.get((row.opponent, row.answered))),
        )
        for number, row in rows
    ]
    return [*news, *turns.write_all(spoken=responses, now=now)[1]]


def framework_of(parameters: Mapping[str, Any], number: int) -> str:
    """Return from what a response argues: a key, own words, or nothing."""
    batch = parameters[BATCH]
    return str(batch["frameworks"][batch["argues_from"][number - 1]])


def scene_of(*, brief: Brief, response: ResponseAtIssue) -> Scene:
    """Return what a judge is shown: nothing of a batch but this response, so that it is known again in another."""
    name, answered = response.speaker.name, response.answered
    own = Position(name, framework_of(brief.parameters, response.number), UNKNOWN, UNKNOWN)
    others = [Position(answered.speaker, "", UNKNOWN, UNKNOWN)] if answered else []
    said = [answered] if answered else []
    return Scene(
        motion=brief.subject,
        chairs=(own, *others),
        accountability=brief.parameters[BATCH]["accountability"],
        speaker=name,
        said=(*said, Utterance(name, TurnKind.RESPONSE.value, response.text)),
        response=response.text,
    )


class ResponsesPlay(Format[ResponsesThreadState]):
    """One thread, so that no more is asked at once than the batch allows. A round is over when its responses are."""

    thread_state = staticmethod(read_state)

    def next_state(self, *, board: ResponsesThreadState) -> None:
        """The responses of the next round are read when it begins."""

    def next_step(self, *, brief: Brief, board: ResponsesThreadState) -> Step:
        """Ask about as many as may be asked about at once; a quick look needs nobody, and is written at the end."""
        kept = brief.parameters[BATCH]
        left = board.left[: kept["judge_concurrency"]] if kept["judging"] == Judging.FULL else ()
        return repeated.step([Ask(Purpose.EVALUATE, Role.ARBITER, about=response.number) for response in left])

    def calls_left(self, *, brief: Brief, board: ResponsesThreadState) -> int:
        return len(board.left) if brief.parameters[BATCH]["judging"] == Judging.FULL else 0

    def request(self, *, brief: Brief, board: ResponsesThreadState, ask: Ask, attempt: int) -> Request:
        kept, scene = brief.parameters[BATCH], scene_of(brief=brief, response=board.response(ask.about))
        return prompts.question(
            brief=brief,
            ask=ask,
            material=scene,
            attempt=attempt,
            kept=kept["prompts"],
            thread=kept["ids"][ask.about - 1],
            round=board.number,
            about=str(ask.about),
            max_output_tokens=LONGEST_ANSWER_TOKENS,
        )

    def read(self, *, brief: Brief, board: ResponsesThreadState, ask: Ask, text: str) -> JudgedResponse:
        return parsing.judged(text, response=board.response(ask.about).text)

    def write(
        self,
        *,
        brief: Brief,
        board: ResponsesThreadState,
        ask: Ask,
        answer: JudgedResponse,
        call: Call,
        round: Round | None,
        now: datetime,
    ) -> tuple[ResponsesThreadState, list[News]]:
        """Open the account of a response with its marks, and complete it: nothing further will count there."""
        response, played = board.response(ask.about), round_on(board)
        evaluation = account_of(brief=brief, board=board, response=response, answer=answer)
        opened = accounts.open_in_round(
            evaluation=evaluation,
            round=played,
            new_facts=[Given(FactKind.RESPONSE, answer.marks.total, participant=response.speaker)],
            now=now,
        )
        completed = accounts.complete(evaluation=evaluation)  # nobody else knows of it, so it needs no lock
        [row] = prepared_statements.insert(
            [
                ResponseEvaluation(
                    turn_id=response.turn,
                    round_id=board.round_id,
                    fact=opened.facts[0],
                    from_cache=call.known,
                    call=call,
                    at=now,
                    **glance(response).columns,
                    **record.columns_of(answer),
                )
            ]
        )
        news = [told(board, response, row), *opened.news, *completed.news]
        return replace(board, judged=board.judged | {response.number}), news

    def without(self, *, brief: Brief, board: ResponsesThreadState, ask: Ask, now: datetime) -> list[News]:
        """The batch goes on: this response could not be judged, and has no number."""
        return unjudged(board=board, responses=[board.response(ask.about)], state=Judgement.FAILED, now=now)

    def close_round(
        self, *, brief: Brief, board: ResponsesThreadState, round: Round, now: datetime
    ) -> tuple[ResponsesThreadState, list[News]]:
        """Where a quick look is all that was asked for, it is written now."""
        return board, unjudged(board=board, responses=board.left, state=Judgement.QUICK, now=now)

    def judged(self, *, brief: Brief, board: ResponsesThreadState, ask: Ask) -> int:
        return board.response(ask.about).turn


def account_of(
    *, brief: Brief, board: ResponsesThreadState, response: ResponseAtIssue, answer: JudgedResponse
) -> Evaluation:
    called = f"{brief.parameters[BATCH]['ids'][response.number - 1]} \N{MIDDLE DOT} {response.speaker.name}"
    return Evaluation(
        debate=Debate(pk=brief.debate_id, rounds=brief.rounds, parameters=brief.parameters),
        thread=Thread(pk=board.thread_id),
        instrument=Instrument.ADHERENCE.value,
        key=f"response-{response.number}",
        name=called[:LONGEST_NAME],
        position=response.number,
        initial_score=answer.marks.total,
        participant=response.speaker,
    )


def unjudged(
    *, board: ResponsesThreadState, responses: Sequence[ResponseAtIssue], state: Judgement, now: datetime
) -> list[News]:
    """Write that responses were only looked at quickly, or could not be judged: no number, no fact, no account."""
    news = []
    for response in responses:
        row = record.unjudged_row(
            turn=response.turn, round_id=board.round_id, look=glance(response), state=state, now=now
        )
        news.append(told(board, response, row))
    return news


def glance(response: ResponseAtIssue) -> adherence.Flags:
    """Look at a response quickly, which costs no call; it comes first, and stands beside what a full judgement says."""
    opponents = [response.answered.speaker] if response.answered else []
    return adherence.quick(text=response.text, opponents=opponents, own=[response.speaker.name])


def told(board: ResponsesThreadState, response: ResponseAtIssue, row: ResponseEvaluation) -> News:
    return record.evaluated_news(
        row, turn=response.public_id, participant=str(response.speaker.public_id), number=board.number
    )
