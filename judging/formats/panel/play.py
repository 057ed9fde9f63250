"""Format ``panel``: judges read alone, debate until they agree, or a person decides."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from debates.errors import NotAllowedNow
from debates.models import Round, Thread
from debates.types import News, Role
from judging.formats import prompts
from judging.formats.base import Format
from judging.formats.panel import parsing, record, results, state
from judging.formats.panel.state import PanelThreadState
from judging.formats.parsing import answer_of
from judging.formats.state import Ask, Await, AwaitAll, Brief, Close, Step, Together
from judging.models import Call
from judging.types import Bench, Purpose, Request, Utterance

LONGEST_ANSWER_TOKENS = 6_000


class PanelPlay(Format[PanelThreadState]):
    """One thread. Round 0 is the independent analysis; debate rounds follow until the judges agree or none is left."""

    thread_state = staticmethod(state.read_board)
    numbers = staticmethod(results.result)

    def next_state(self, *, board: PanelThreadState) -> PanelThreadState:
        return PanelThreadState(
            thread_id=board.thread_id,
            key=board.key,
            run=board.run,
            fence=board.fence,
            number=board.number + 1,
            round_id=0,
            judges=board.judges,
            sections=board.sections,
        )

    def next_step(self, *, brief: Brief, board: PanelThreadState) -> Step:
        """Ask every engine that is to speak at once, then wait for all ballots at once, then close the round."""
        if left := state.waiting(brief, board):
            return Together(left)
        ballots = state.awaited(brief, board)
        return AwaitAll(ballots) if ballots else Close()

    def calls_left(self, *, brief: Brief, board: PanelThreadState) -> int:
        """One call for each judge who has not spoken, and for each further judgement that is wanted of it."""
        return len(state.waiting(brief, board))

    def request(self, *, brief: Brief, board: PanelThreadState, ask: Ask, attempt: int) -> Request:
        seat = brief.voice(ask)
        bench = replace(state.bench_of(brief, board, seat), swapped=ask.swapped)
        return question(brief=brief, ask=ask, bench=bench, attempt=attempt, thread=seat.name, number=board.number)

    def read(self, *, brief: Brief, board: PanelThreadState, ask: Ask, text: str) -> Any:
        """Return an answer as the section it becomes."""
        return state.section_of(brief, board, brief.voice(ask), text)

    def write(
        self,
        *,
        brief: Brief,
        board: PanelThreadState,
        ask: Ask,
        answer: Any,
        call: Call,
        round: Round | None,
        now: datetime,
    ) -> tuple[PanelThreadState, list[News]]:
        """The call keeps the answer; nobody hears of it before the round is closed."""
        return state.heard(board), []

    def without(self, *, brief: Brief, board: PanelThreadState, ask: Ask, now: datetime) -> list[News] | None:
        """A judge who cannot be read abstains, and keeps its place in the quorum."""
        record.keep_silence(debate_id=brief.debate_id, round_id=board.round_id, participant_id=ask.participant, now=now)
        return []

    def record_awaited(
        self, *, brief: Brief, board: PanelThreadState, awaited: Await, text: str | None, now: datetime
    ) -> list[News]:
        """Who gives no ballot in time abstains like a judge who cannot be read; ballots come in another way."""
        if text is not None:
            raise NotAllowedNow("Who judges gives a ballot, and does not speak.")
        because = awaited.because
        return record.abstain(brief=brief, board=board, by=awaited.participant, because=because, now=now)

    most_in_ballot = parsing.MOST

    def read_ballot(self, *, brief: Brief, board: PanelThreadState, awaited: Await, text: str) -> Any:
        """Read a ballot as the answer of a model is read; of that, what stands beside no judgement is left out."""
        section = state.section_of(brief, board, brief.speaker(awaited.participant), text)
        if board.number == 0:
            parsing.refuse_beside(answer_of(text))
        return section

    def bench(self, *, brief: Brief, board: PanelThreadState, awaited: Await) -> Bench:
        """Show a judge on a seat what a model is shown."""
        return state.bench_of(brief, board, brief.speaker(awaited.participant))

    def close_round(
        self, *, brief: Brief, board: PanelThreadState, round: Round, now: datetime
    ) -> tuple[PanelThreadState, list[News]]:
        """Count what was given in the round, and find how far the judges agree."""
        return record.end_round(brief=brief, board=board, played=round, now=now)

    def over(self, *, brief: Brief, board: PanelThreadState) -> str:
        """It is over when the judges agree, cannot agree any more, or are too few."""
        return board.ended

    # -- before and after play ---------------------------------------------------------------------------------------

    def end(self, *, thread: Thread, brief: Brief, because: str, partial: bool) -> list[News]:
        return record.end_accounts(thread=thread, because=because, partial=partial)

    def synthesis(
        self, *, brief: Brief, numbers: Mapping[str, Any], said: Sequence[Utterance], attempt: int
    ) -> tuple[Ask, Request] | None:
        ask = Ask(Purpose.REPORT, Role.ARBITER)
        kept = brief.parameters["panel"]
        bench = Bench(
            title=brief.title, subject="", task=kept["task"], items=state.items_of(brief.parameters), result=numbers
        )
        return ask, question(brief=brief, ask=ask, bench=bench, attempt=attempt)


def question(*, brief: Brief, ask: Ask, bench: Bench, attempt: int, thread: str = "", number: int = 0) -> Request:
    """Return a question of a panel; scripts find the answer to it by judge and round."""
    return prompts.question(
        brief=brief,
        ask=ask,
        material=bench,
        attempt=attempt,
        kept=brief.parameters["panel"]["prompts"],
        thread=thread,
        round=number,
        max_output_tokens=LONGEST_ANSWER_TOKENS,
    )
