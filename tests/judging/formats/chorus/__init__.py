"""A fourth format as its author would write it: every judge says a word in every round. Nobody scores.

It takes the place of open debates in the registry, because the names of formats are known to the database, to the
events and to the description of the API: a format of its own name adds that name to ``debates.types.Format``.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from rest_framework import serializers

from debates.api.fields import Choice
from debates.models import Debate, Participant, Round, Thread
from debates.types import Format as Name
from debates.types import Kind, News, Role, TurnKind
from judging.errors import AnswerRejected
from judging.formats import prompts, turns
from judging.formats.base import Draft, Format
from judging.formats.spec import DebateSpec, whole
from judging.formats.state import Ask, Brief, Close, Step, ThreadState
from judging.formats.turns import Said, Speaker
from judging.models import Call
from judging.pages import transcript
from judging.pages.parts import Page, Part, named
from judging.types import Material, Outcome, Purpose, Request
from scoring.proof import Fault

NAME = Name.OPEN.value


@dataclass(frozen=True, slots=True)
class ChorusThreadState(ThreadState):
    """Who has spoken in this round."""

    spoken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChorusSpec(DebateSpec):
    """What is sung about, by how many, and how often."""

    format = NAME

    motion: str
    judges: int = 2
    rounds: int = 2


class ChorusDebate(serializers.Serializer[Any]):
    """A chorus as somebody wants it."""

    format = Choice(choices=[NAME])
    motion = serializers.CharField(max_length=200)
    judges = serializers.IntegerField(required=False, default=2)
    rounds = serializers.IntegerField(required=False, default=2)
    word = serializers.CharField(max_length=20, help_text="What everybody says.")


class Chorus(Format[ChorusThreadState]):
    """Every judge says a word in every round."""

    name = NAME
    called = "chorus"
    round_noun = "verse"
    serializer = ChorusDebate
    example = {"format": NAME, "motion": "A word is said.", "word": "yes"}
    somebody = "a singer"
    purposes = {Role.JUDGE: (Purpose.JUDGE,)}

    def spec_of(self, *, data: Mapping[str, Any], readable: QuerySet[Debate]) -> ChorusSpec:
        asked = {name: data[name] for name in ("motion", "judges", "rounds")}
        return ChorusSpec(**asked, script=[{"answer": {"word": data["word"]}}])

    def draft(self, *, spec: ChorusSpec, by: User | None) -> Draft:
        whole(spec.judges, name="judges", low=1, high=9)
        return Draft(
            title=spec.motion,
            motion=spec.motion,
            rounds=whole(spec.rounds, name="rounds", low=1, high=5),
            parameters={},
            participants=[
                Participant(role=Role.JUDGE.value, kind=Kind.ENGINE.value, name=f"Judge {at}", provider="scripted")
                for at in range(1, spec.judges + 1)
            ],
        )

    def thread_state(self, *, thread: Thread, number: int) -> ChorusThreadState:
        used = Call.objects.filter(thread=thread, round_number=number, outcome=Outcome.USED.value)
        return ChorusThreadState.of(
            thread, number=number, spoken=tuple(used.order_by("pk").values_list("participant_id", flat=True))
        )

    def next_state(self, *, board: ChorusThreadState) -> ChorusThreadState:
        return replace(board, number=board.number + 1, round_id=0, spoken=())

    def next_step(self, *, brief: Brief, board: ChorusThreadState) -> Step:
        waiting = [voice.id for voice in brief.everybody if voice.id not in board.spoken]
        return Ask(Purpose.JUDGE, Role.JUDGE, participant=waiting[0]) if waiting else Close()

    def calls_left(self, *, brief: Brief, board: ChorusThreadState) -> int:
        return len(brief.everybody) - len(board.spoken)

    def request(self, *, brief: Brief, board: ChorusThreadState, ask: Ask, attempt: int) -> Request:
        prompt, _, _ = prompts.load(ask.purpose)
        return Request(
            purpose=ask.purpose,
            prompt=prompt,
            messages=(),
            schema={},
            thread=board.key,
            round=board.number,
            material=Material(brief.title, brief.subject),
            attempt=attempt,
            script=brief.script,
        )

    def read(self, *, brief: Brief, board: ChorusThreadState, ask: Ask, text: str) -> str:
        answer = json.loads(text)
        if "word" not in answer:
            raise AnswerRejected("word is missing.")
        return str(answer["word"])

    def write(
        self,
        *,
        brief: Brief,
        board: ChorusThreadState,
        ask: Ask,
        answer: str,
        call: Call,
        round: Round | None,
        now: datetime,
    ) -> tuple[ChorusThreadState, list[News]]:
        speaker = Speaker(
            debate_id=brief.debate_id,
            participant_id=ask.participant,
            role=ask.role,
            kind=TurnKind.REPORT,
            thread_id=board.thread_id,
            round_id=board.round_id,
        )
        _, news = turns.write(speaker=speaker, said=[Said(f"report:{ask.participant}", answer)], now=now)
        return replace(board, spoken=(*board.spoken, ask.participant)), news

    def numbers(self, *, debate: Debate) -> Mapping[str, Any]:
        return {"words": debate.turns.count()}

    def other_calls(self, *, debate: Debate) -> Mapping[Participant, int]:
        return dict.fromkeys(debate.participants.all(), debate.rounds)

    def page(self, *, debate: Debate, only: Collection[str] | None) -> Page:
        return Page(
            layout="debates/_latest.html",
            parts=named(Part("latest", "debates/_latest.html", stirred_by=("turn:",))),
            values={"latest": transcript.latest(debate=debate)},
        )

    def result_schema(self) -> Mapping[str, Any]:
        return {"type": "object", "required": ["format", "debate", "words", "judgedBy"]}

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        closed = Round.objects.filter(thread__debate__format=self.name, closed_at__isnull=False)
        for played in closed if debate_id is None else closed.filter(thread__debate=debate_id):
            missing = played.thread.debate.participants.exclude(turns__round=played)
            for judge in missing:
                yield Fault("", None, f"{judge.name} said nothing in verse {played.number}")
