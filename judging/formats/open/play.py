"""Format ``open``: chairs with a position answer each other, are judged for fairness, and persuade or are persuaded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from debates.errors import NotAllowedNow
from debates.models import Debate, Round, Thread
from debates.types import NO_ANSWER, Kind, News, Role, TurnKind
from judging.formats import prompts, repeated, turns
from judging.formats.base import Format
from judging.formats.open import parsing, questions, record, results
from judging.formats.open import prompts as open_prompts
from judging.formats.open import state as open_repeated
from judging.formats.open.results import options_of
from judging.formats.open.spec import Judging
from judging.formats.open.state import JUDGED, AgreedJudgement, OpenThreadState, heard_in, is_settled, read_board
from judging.formats.parsing import Concluded
from judging.formats.state import Ask, Await, AwaitAll, Brief, Close, Step
from judging.heuristics import debaters
from judging.models import Call
from judging.rules import fairness
from judging.rules.fairness import Place
from judging.types import EffectSource, Judgement, Purpose, Request, ResponseBench, Scene, Utterance
from scoring.services import alerts
from scoring.types import AlertCode, Finding

LONGEST_ANSWER_TOKENS = 1_200
"""Whether somebody speaks, or judges with quotes and reasons before the numbers: docs/decisions/0049."""
ALL_PLAYED, ONE_LEFT = "all_rounds_played", "one_left"


class OpenPlay(Format[OpenThreadState]):
    """One thread. Round 0 is introduction and openings; in each exchange everybody still in answers the others."""

    thread_state = staticmethod(read_board)
    numbers = staticmethod(results.outcome_numbers)
    said = staticmethod(heard_in)
    most_in_ballot = parsing.MOST

    def next_state(self, *, board: OpenThreadState) -> OpenThreadState:
        nobody: frozenset[int] = frozenset()
        fresh = replace(board, number=board.number + 1, round_id=0, taken=nobody, judged=nobody, weighed=nobody)
        return replace(fresh, due={}, told=nobody, notes={}, had=frozenset())

    def next_step(self, *, brief: Brief, board: OpenThreadState) -> Step:
        """Deal with the last response, then let the next chair speak; close when everybody has.

        Where nothing in an exchange depends on how its responses are judged, they are judged when all have spoken.
        """
        options = options_of(brief.parameters)
        if board.number == 0 and options.introduction and not board.introduced:
            return Ask(Purpose.INTRODUCE, Role.ARBITER)
        speaking_now = questions.to_speak(board)
        if not (speaking_now and questions.judges_together(brief)):
            if asks := questions.asks_about_all(brief, board)[: options.judge_concurrency]:
                return repeated.step(asks)
            if awaited := questions.judgements_awaited(brief, board):
                return AwaitAll(awaited)
        return questions.floor_of(brief=brief, board=board, seat=speaking_now[0]) if speaking_now else Close()

    def calls_left(self, *, brief: Brief, board: OpenThreadState) -> int:
        """An engine's turn may take four questions: spoken, and of a debater's, where the options have it, judged,
        weighed, spoken to. Some turns may be half-way.

        Where responses are judged and weighed several times, each of these is a call.
        """
        options = options_of(brief.parameters)
        turns = questions.to_speak(board)
        spoken = sum(1 for turn in turns if brief.speaker(turn.id).kind is Kind.ENGINE)
        if board.number == 0:
            return spoken + int(options.introduction and not board.introduced)
        asked = [purpose for purpose in options.asked_about_responses if questions.on_seat(brief, purpose) is None]
        each = {purpose: fairness.of(brief.parameters).judgements if purpose in JUDGED else 1 for purpose in asked}
        responses = sum(turn.debates for turn in turns)
        return spoken + responses * sum(each.values()) + len(questions.asks_about_all(brief, board))

    def request(self, *, brief: Brief, board: OpenThreadState, ask: Ask, attempt: int) -> Request:
        """Return the question to put; a script finds its answer by the chair that speaks or is spoken of."""
        scene = questions.scene_of(brief=brief, board=board, ask=ask)
        judges_scene = questions.shown_to_judges(brief, ask, scene)
        return self._question(brief, ask, judges_scene, attempt, about=scene.speaker)

    def read(self, *, brief: Brief, board: OpenThreadState, ask: Ask, text: str) -> Any:
        scene = questions.scene_of(brief=brief, board=board, ask=ask)
        judges_scene = questions.shown_to_judges(brief, ask, scene)
        match ask.purpose:
            case Purpose.EVALUATE:
                judged = parsing.judged(text, response=judges_scene.response)
                return open_prompts.judged(judged, scene=scene, judges_scene=judges_scene)
            case Purpose.INFLUENCE:
                weighed = parsing.weighed(text, listeners=questions.listeners(judges_scene))
                return open_prompts.weighed(weighed, scene=scene, judges_scene=judges_scene)
            case Purpose.INTERJECT:
                return parsing.interjected(text)
            case _:
                return parsing.spoken(text)

    def write(
        self,
        *,
        brief: Brief,
        board: OpenThreadState,
        ask: Ask,
        answer: Any,
        call: Call,
        round: Round | None,
        now: datetime,
    ) -> tuple[OpenThreadState, list[News]]:
        if ask.purpose is Purpose.INTRODUCE:
            return record.introduce(brief=brief, board=board, text=answer.text, now=now)
        if ask.purpose in questions.CHAIRS:
            return self._spoken(brief, board, ask, answer.text, now)
        if ask.purpose in JUDGED:
            return self._judged(brief=brief, board=board, ask=ask, answer=answer, call=call, now=now)
        return record.interject(brief=brief, board=board, about=ask.about, text=answer.text, now=now)

    def _judged(
        self, *, brief: Brief, board: OpenThreadState, ask: Ask, answer: Any, call: Call, now: datetime
    ) -> tuple[OpenThreadState, list[News]]:
        """Write what a response comes to, once everything that is asked about it was answered."""
        response = record.response_of(board, board.seat(ask.about))
        place = Place(ask.swapped, ask.reading)
        board = replace(board, had=board.had | {(call.purpose, call.participant_id, call.about, place)})
        if ask.reading and is_settled(purpose=ask.purpose, turn=response.turn):
            return board, []
        judgement = open_repeated.agreed(
            brief=brief,
            board=board,
            ask=ask,
            answer=answer,
            call=call,
            read=lambda ask, text: self.read(brief=brief, board=board, ask=ask, text=text),
        )
        if judgement is None:
            return board, []
        return self._counted(brief, board, ask, judgement, now)

    def _counted(
        self, brief: Brief, board: OpenThreadState, ask: Ask, judgement: AgreedJudgement, now: datetime
    ) -> tuple[OpenThreadState, list[News]]:
        about = board.seat(ask.about)
        if ask.purpose is Purpose.EVALUATE:
            return record.evaluated(brief=brief, board=board, about=about, judgement=judgement, now=now)
        return record.moved(brief=brief, board=board, by=about, weighed=judgement, now=now)

    def _spoken(
        self, brief: Brief, board: OpenThreadState, ask: Ask, text: str, now: datetime
    ) -> tuple[OpenThreadState, list[News]]:
        """Write a turn, with what needs no further question: a glance at it, and its effect by the word lists."""
        options = options_of(brief.parameters)
        after, news = record.speak(brief=brief, board=board, ask=ask, text=text, now=now)
        if ask.purpose is Purpose.OPEN:
            return after, news
        seat = after.seat(ask.participant)
        if not seat.debates:
            return after, news
        if options.judging is Judging.QUICK:
            after, more = record.unjudged(board=after, about=seat, state=Judgement.QUICK, now=now)
            news += more
        if options.persuasion and options.effects is EffectSource.WORDS:
            after, more = record.moved(brief=brief, board=after, by=seat, weighed=None, now=now)
            news += more
        return after, news

    def without(self, *, brief: Brief, board: OpenThreadState, ask: Ask, now: datetime) -> list[News] | None:
        """The debate goes on: a turn is forfeited, a judgement has failed, and what is ours to say is said by rule."""
        scene = questions.scene_of(brief=brief, board=board, ask=ask)
        if ask.purpose in questions.CHAIRS:
            return record.forfeit(brief=brief, board=board, by=ask.participant, because=NO_ANSWER, now=now)
        if ask.purpose is Purpose.INTRODUCE:
            _, news = record.introduce(brief=brief, board=board, text=debaters.introduce(scene)["text"], now=now)
            return news
        about = board.seat(ask.about)
        if ask.reading and is_settled(purpose=ask.purpose, turn=record.response_of(board, about).turn):
            news = []
        elif ask.purpose is Purpose.EVALUATE:
            _, news = record.unjudged(board=board, about=about, state=Judgement.FAILED, now=now)
        elif ask.purpose is Purpose.INFLUENCE:
            _, news = record.moved(brief=brief, board=board, by=about, weighed=None, now=now)
        else:
            text = debaters.interject(scene)["text"]
            _, news = record.interject(brief=brief, board=board, about=ask.about, text=text, now=now)
        return news

    def record_awaited(
        self, *, brief: Brief, board: OpenThreadState, awaited: Await, text: str | None, now: datetime
    ) -> list[News]:
        """Write the turn of a person or a program like that of a chair of ours; without words, it is forfeited.

        A judgement that is not given in time has failed, as where the answer of a model cannot be read.
        """
        if awaited.kind is TurnKind.JUDGEMENT:
            return self._lapsed(brief=brief, board=board, awaited=awaited, text=text, now=now)
        if text is None:
            return record.forfeit(brief=brief, board=board, by=awaited.participant, because="deadline", now=now)
        purpose = Purpose.OPEN if awaited.kind is TurnKind.OPENING else Purpose.RESPOND
        _, news = self._spoken(brief, board, Ask(purpose, Role.CHAIR, awaited.participant), text, now)
        return news

    def _lapsed(
        self, *, brief: Brief, board: OpenThreadState, awaited: Await, text: str | None, now: datetime
    ) -> list[News]:
        if text is not None:
            raise NotAllowedNow("Who judges gives a ballot, and does not speak.")
        news = turns.forfeit_judgement(brief=brief, board=board, awaited=awaited, now=now)
        ask = questions.ask_of(brief, board, awaited)
        news += self.without(brief=brief, board=board, ask=ask, now=now) or []
        why = f"{brief.speaker(awaited.participant).name} gave no judgement."
        finding = Finding(
            AlertCode.JUDGE_FAILED, {"why": why, "round": str(board.number), "purpose": ask.purpose.value}
        )
        salt = f"{board.run}.{board.number}.{ask.purpose}.{awaited.participant}.{awaited.about}"
        return news + alerts.raise_alerts(debate_id=brief.debate_id, findings=[finding], salt=salt)

    def read_ballot(self, *, brief: Brief, board: OpenThreadState, awaited: Await, text: str) -> Any:
        """Read the judgement of somebody on a seat as that of a model is read."""
        return self.read(brief=brief, board=board, ask=questions.ask_of(brief, board, awaited), text=text)

    def bench(self, *, brief: Brief, board: OpenThreadState, awaited: Await) -> ResponseBench:
        """Show a judge on a seat what a model is shown."""
        ask = questions.ask_of(brief, board, awaited)
        scene = questions.scene_of(brief=brief, board=board, ask=ask)
        listening = questions.listeners(scene) if ask.purpose is Purpose.INFLUENCE else ()
        return ResponseBench(scene, ask.purpose, tuple(listening))

    def count_ballot(
        self, *, brief: Brief, board: OpenThreadState, awaited: Await, text: str, now: datetime
    ) -> list[News]:
        """A judgement of a response counts at once, as that of a model does."""
        ask = questions.ask_of(brief, board, awaited)
        judgement = AgreedJudgement(self.read(brief=brief, board=board, ask=ask, text=text), None, {})
        return self._counted(brief, board, ask, judgement, now)[1]

    def close_round(
        self, *, brief: Brief, board: OpenThreadState, round: Round, now: datetime
    ) -> tuple[OpenThreadState, list[News]]:
        """After the openings, and after each exchange, it is written down where everybody stands."""
        return board, record.stand(brief=brief, board=board, played=round, now=now)

    def over(self, *, brief: Brief, board: OpenThreadState) -> str:
        """It is over after the last exchange, and when one is left: nobody is moved by their own words."""
        if len(board.active) <= 1:
            return ONE_LEFT
        return ALL_PLAYED if board.number >= brief.rounds else ""

    def judged(self, *, brief: Brief, board: OpenThreadState, ask: Ask) -> int | None:
        """A response is judged, weighed and spoken to; nothing else is said about one turn."""
        if ask.purpose is Purpose.INTRODUCE:
            return None
        return record.response_of(board, board.seat(ask.about)).turn

    # -- before and after play ---------------------------------------------------------------------------------------

    def open(self, *, debate: Debate, initial: Mapping[str, Any]) -> None:
        """Write where everybody starts; standings are opened after the openings, the rest with the first judgement."""
        record.open_states(debate=debate)

    def end(self, *, thread: Thread, brief: Brief, because: str, partial: bool) -> list[News]:
        """Complete the accounts, unless play was cut short."""
        return [] if partial else record.end_accounts(thread=thread)

    def synthesis(
        self, *, brief: Brief, numbers: Mapping[str, Any], said: Sequence[Utterance], attempt: int
    ) -> tuple[Ask, Request] | None:
        ask = Ask(Purpose.SUM_UP, Role.ARBITER)
        cards = {card["name"]: card for card in brief.parameters["table"]["chairs"]}
        table = tuple(questions.final_position(name, cards[name], state) for name, state in numbers["states"].items())
        scene = Scene(
            motion=brief.subject,
            chairs=table,
            exchange=numbers["exchanges"],
            exchanges=brief.rounds,
            said=tuple(said),
            result=numbers,
        )
        return ask, self._question(brief, ask, scene, attempt)

    def read_synthesis(self, *, brief: Brief, text: str) -> Concluded:
        return parsing.concluded(text)

    def _question(self, brief: Brief, ask: Ask, scene: Scene, attempt: int, *, about: str = "") -> Request:
        kept = brief.parameters["table"]["prompts"]
        return prompts.question(
            brief=brief,
            ask=ask,
            material=scene,
            attempt=attempt,
            kept=kept,
            thread=about,
            round=scene.exchange if ask.purpose is not Purpose.SUM_UP else 0,
            about=about[:60] if ask.purpose not in questions.CHAIRS else "",
            max_output_tokens=LONGEST_ANSWER_TOKENS,
        )
