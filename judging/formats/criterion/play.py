"""Format ``criterion``: a red team challenges, an evaluator defends, an arbiter rules and moves a criterion's score."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from debates.decimals import in_places
from debates.errors import NotAllowedNow
from debates.models import Debate, Round, Thread
from debates.types import News, Role, ThreadStatus
from judging.formats import prompts, turns
from judging.formats.base import Format
from judging.formats.criterion import parsing, record, results, state
from judging.formats.criterion.record import press_challenges, put_challenges, put_defences, rule
from judging.formats.criterion.state import CriterionThreadState, exchange_of, options_of, points_of
from judging.formats.state import Ask, Await, Brief, Close, Finish, Step
from judging.models import Call
from judging.rules.fairness import Place
from judging.types import Material, Outcome, Purpose, Reply, Request, Utterance
from scoring.models import Evaluation
from scoring.services import alerts

LONGEST_ANSWER_TOKENS = 2_400
"""Of a question about several exchanges, each with its quotes and reasons."""


ASSESSMENT_TOKENS = 600
"""Of each assessment in an answer about several."""


class CriterionPlay(Format[CriterionThreadState]):
    """One thread per criterion, played in parallel; every round puts the open challenges, answers and judges them."""

    def thread_state(self, *, thread: Thread, number: int) -> CriterionThreadState:
        return self.state_with(Evaluation.objects.get(thread=thread), thread=thread, number=number)

    def thread_states(self, *, rounds: Sequence[tuple[Thread, int]]) -> list[CriterionThreadState]:
        """Read the accounts of all threads by one query."""
        read = Evaluation.objects.filter(thread__in=[thread for thread, _ in rounds])
        accounts = {evaluation.thread_id: evaluation for evaluation in read}
        return [self.state_with(accounts[thread.pk], thread=thread, number=number) for thread, number in rounds]

    def state_with(self, evaluation: Evaluation, *, thread: Thread, number: int) -> CriterionThreadState:
        """Return what is known of a thread at a round, with its account that was read already."""
        run = thread.run_number
        board = CriterionThreadState.of(
            thread, number=number, evaluation_id=evaluation.pk, initial=evaluation.initial_score, value=evaluation.value
        )
        if thread.status == ThreadStatus.PENDING.value:
            return board  # nothing was said in this run yet
        used = Call.objects.filter(
            thread=thread, run_number=run, round_number=number, outcome=Outcome.USED.value
        ).values_list("purpose", flat=True)
        points = points_of(thread_id=thread.pk, run=run, number=number)
        board = replace(board, points=points, done=frozenset(Purpose(purpose) for purpose in used))
        if Purpose.DEFEND in board.done:
            board = state.with_ballot(board=board, thread=thread)
        return state.with_rulings(board=board, thread=thread) if Purpose.JUDGE in board.done else board

    def next_state(self, *, board: CriterionThreadState) -> CriterionThreadState:
        """Return the board of the round that follows a closed one: what was conceded is no longer open."""
        points = tuple(
            replace(point, put_turn=None, reply=None, conceded=point.conceded or point.reply is Reply.CONCEDE)
            for point in board.points
        )
        fresh = replace(board, number=board.number + 1, round_id=0, points=points, done=frozenset(), ruled=frozenset())
        return replace(fresh, ballot="", forfeited=False)

    def next_step(self, *, brief: Brief, board: CriterionThreadState) -> Step:
        """Put the challenges, have them answered, have the answers judged; stop when nothing is open."""
        put = Purpose.CHALLENGE if board.number == 1 else Purpose.PRESS
        if put not in board.done:
            return Ask(put, Role.CHALLENGER)
        if not board.points:
            return Finish("no_challenges")
        if board.put and Purpose.DEFEND not in board.done:
            return Ask(Purpose.DEFEND, Role.EVALUATOR)
        if not any(point.reply for point in board.open):
            return Close()
        return state.ruling(brief=brief, board=board)

    def calls_left(self, *, brief: Brief, board: CriterionThreadState) -> int:
        """A round takes three calls: put, answer, judge; where it is judged several times, each of these is a call.

        One that has nothing left to answer or to judge takes none.
        """
        if isinstance(self.next_step(brief=brief, board=board), Close | Finish):
            return 0
        before = 2 - len(board.done & {Purpose.CHALLENGE, Purpose.PRESS, Purpose.DEFEND})
        return before + (0 if Role.JUDGE in brief.voices else len(state.asks(brief=brief, board=board)))

    def request(self, *, brief: Brief, board: CriterionThreadState, ask: Ask, attempt: int) -> Request:
        material = material_of(brief=brief, board=board, purpose=ask.purpose, swapped=ask.swapped)
        return prompts.question(
            brief=brief,
            ask=ask,
            material=material,
            attempt=attempt,
            thread=board.key,
            round=board.number,
            max_output_tokens=LONGEST_ANSWER_TOKENS,
        )

    def read(self, *, brief: Brief, board: CriterionThreadState, ask: Ask, text: str) -> Any:
        open_labels = [point.label for point in board.open]
        match ask.purpose:
            case Purpose.CHALLENGE:
                options = options_of(brief)
                return parsing.challenges(text, keep=options.challenges_per_criterion, personas=options.personas)
            case Purpose.PRESS:
                return parsing.presses(text, labels=open_labels)
            case Purpose.DEFEND:
                return parsing.defences(text, labels=[point.label for point in board.put])
            case _:
                return parsing.verdicts(text, labels=answered_labels(board))

    def read_ballot(self, *, brief: Brief, board: CriterionThreadState, awaited: Await, text: str) -> Any:
        """Read the rulings of an arbiter on a seat as those of a model are read."""
        return parsing.verdicts(text, labels=answered_labels(board))

    def bench(self, *, brief: Brief, board: CriterionThreadState, awaited: Await) -> Material:
        """Show an arbiter on a seat what a model is shown."""
        return material_of(brief=brief, board=board, purpose=Purpose.JUDGE)

    def record_awaited(
        self, *, brief: Brief, board: CriterionThreadState, awaited: Await, text: str | None, now: datetime
    ) -> list[News]:
        """Without rulings in time the thread ends as where a model's cannot be read; ballots come in another way."""
        if text is not None:
            raise NotAllowedNow("Who judges gives a ballot, and does not speak.")
        return turns.forfeit_judgement(brief=brief, board=board, awaited=awaited, now=now)

    def write(
        self,
        *,
        brief: Brief,
        board: CriterionThreadState,
        ask: Ask,
        answer: Any,
        call: Call,
        round: Round | None,
        now: datetime,
    ) -> tuple[CriterionThreadState, list[News]]:
        match ask.purpose:
            case Purpose.CHALLENGE:
                after, news = put_challenges(brief=brief, board=board, raised=answer, now=now)
            case Purpose.PRESS:
                after, news = press_challenges(brief=brief, board=board, pressed=answer, now=now)
            case Purpose.DEFEND:
                after, news = put_defences(brief=brief, board=board, defences=answer, now=now)
            case _ if round is None:  # one ruling of several: what they come to is written when the round is shut
                after, news = replace(board, ruled=board.ruled | {Place(ask.swapped, ask.reading)}), []
            case _:
                rulings = state.only(ruled=answer, call=call)
                after, news = rule(brief=brief, board=board, rulings=rulings, round=round, now=now)
        return replace(after, done=after.done | {ask.purpose}), news

    def close_round(
        self, *, brief: Brief, board: CriterionThreadState, round: Round, now: datetime
    ) -> tuple[CriterionThreadState, list[News]]:
        """A round in which nothing was answered comes to nothing; else its rulings come to what they agree on."""
        labels = answered_labels(board)
        if board.ballot:
            ruled = state.only(ruled=parsing.verdicts(board.ballot, labels=labels), call=None)
            return rule(brief=brief, board=board, rulings=ruled, round=round, now=now)
        if not board.ruled:
            return board, []
        return rule(brief=brief, board=board, rulings=state.agreed(board=board, labels=labels), round=round, now=now)

    def closes(self, *, board: CriterionThreadState, ask: Ask) -> bool:
        """A ruling closes its round, unless it is one of several."""
        return ask.purpose is Purpose.JUDGE and not ask.reading

    def moves(self, *, board: CriterionThreadState, ask: Ask) -> Collection[int]:
        """A ruling moves the score of its criterion."""
        return (board.evaluation_id,) if self.closes(board=board, ask=ask) else ()

    def over(self, *, brief: Brief, board: CriterionThreadState) -> str:
        """A thread is over after its last round, when everything was conceded, and when nothing was pressed further."""
        if board.number >= brief.rounds:
            return "all_rounds_played"
        pressed_nothing = Purpose.PRESS in board.done and not board.put
        if pressed_nothing or all(point.conceded or point.reply is Reply.CONCEDE for point in board.points):
            return "nothing_left_open"
        return ""

    def round_event_data(self, *, board: CriterionThreadState) -> Mapping[str, Any]:
        """A closed round tells where the score stands and what was not answered."""
        unanswered = [point.label for point in board.put if point.reply is None]
        return {"score": in_places(board.value), "unanswered": unanswered}

    def concerned(self, *, board: CriterionThreadState) -> int | None:
        """A judge who failed is told of at the criterion's evaluation."""
        return board.evaluation_id

    # -- before and after play ---------------------------------------------------------------------------------------

    assessed = staticmethod(state.assessments)
    declined = staticmethod(state.declined)
    open = staticmethod(record.open_accounts)
    end = staticmethod(record.end_accounts)
    numbers = staticmethod(results.numbers)
    warn = staticmethod(alerts.after_debate)

    def given(self, *, debate: Debate) -> Mapping[str, Any] | None:
        """Initial scores may have come with the debate; without them it has to be assessed."""
        initial = debate.parameters["initial"]
        return {code: (Decimal(score), Decimal(confidence)) for code, (score, confidence) in initial.items()} or None

    def assessment(self, *, brief: Brief, keys: Sequence[str], attempt: int) -> tuple[Ask, Request]:
        """One criterion alone is asked about in words of its own."""
        cards, is_alone = tuple(brief.cards[key] for key in keys), len(keys) == 1
        ask = Ask(Purpose.ASSESS if is_alone else Purpose.ASSESS_SEVERAL, Role.EVALUATOR)
        about = Material(subject_title=brief.title, subject=brief.subject)
        material = replace(about, criterion=cards[0]) if is_alone else replace(about, criteria=cards)
        request = prompts.question(brief=brief, ask=ask, material=material, attempt=attempt, thread=",".join(keys))
        room = max(request.max_output_tokens, ASSESSMENT_TOKENS * len(keys))
        return ask, replace(request, max_output_tokens=room)

    def read_assessment(self, *, brief: Brief, keys: Sequence[str], text: str) -> Mapping[str, Any]:
        return {keys[0]: parsing.assessment(text)} if len(keys) == 1 else parsing.assessments(text, codes=keys)

    def assessed_together(self, *, brief: Brief) -> int:
        """As many as were asked for when it was created."""
        return state.per_assessment(brief.parameters)

    def synthesis(
        self, *, brief: Brief, numbers: Mapping[str, Any], said: Sequence[Utterance], attempt: int
    ) -> tuple[Ask, Request] | None:
        ask = Ask(Purpose.SYNTHESISE, Role.ARBITER)
        material = Material(subject_title=brief.title, subject=brief.subject, rounds=brief.rounds, result=numbers)
        return ask, prompts.question(brief=brief, ask=ask, material=material, attempt=attempt)


def answered_labels(board: CriterionThreadState) -> list[str]:
    return [point.label for point in board.open if point.reply]


def material_of(*, brief: Brief, board: CriterionThreadState, purpose: Purpose, swapped: bool = False) -> Material:
    match purpose:
        case Purpose.JUDGE:
            points = tuple(point for point in board.open if point.reply)
        case Purpose.DEFEND:
            points = board.put
        case _:
            points = board.open
    return Material(
        subject_title=brief.title,
        subject=brief.subject,
        criterion=brief.cards[board.key],
        rubric=tuple(brief.cards.values()),
        round=board.number,
        rounds=brief.rounds,
        personas=options_of(brief).personas,
        exchanges=tuple(exchange_of(point, purpose=purpose) for point in points),
        initial_score=board.initial,
        score=board.value,
        swapped=swapped,
    )
