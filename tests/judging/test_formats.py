"""A small format of the tests' own, played by the conductor: nothing that it does is only a criterion debate's."""

import json
from dataclasses import dataclass, replace

import pytest
from django.utils import timezone

from debates import event_log
from debates.models import Debate, Event, Participant, Round, Thread, Turn
from debates.types import Role, TurnKind
from judging.engine import lifecycle
from judging.errors import AnswerRejected
from judging.formats import prompts, registry, turns
from judging.formats.base import Format
from judging.formats.state import Ask, Board, Finish
from judging.formats.turns import Said, Speaker
from judging.models import Call, Script
from judging.types import Material, Outcome, Purpose, Request
from scoring.types import Parameters
from tests.project.source_files import ROOT

pytestmark = pytest.mark.django_db
ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Table(Board):
    """Who has spoken in this round."""

    spoken: tuple[int, ...] = ()


class Chorus(Format):
    """Every judge says a word in every round. Nobody scores, and there are no last words."""

    def board(self, *, thread, number):
        used = Call.objects.filter(thread=thread, round_number=number, outcome=Outcome.USED.value)
        return Table(
            thread_id=thread.pk, key=thread.key, run=thread.run_number, fence=thread.fence, number=number, round_id=0,
            spoken=tuple(used.order_by("pk").values_list("participant_id", flat=True)),
        )  # fmt: skip

    def next_board(self, *, board):
        return replace(board, number=board.number + 1, round_id=0, spoken=())

    def next_step(self, *, brief, board):
        waiting = [one.id for one in brief.everybody if one.id not in board.spoken]
        return Ask(Purpose.JUDGE, Role.JUDGE, participant=waiting[0]) if waiting else Finish("nobody_left")

    def request(self, *, brief, board, ask, attempt):
        prompt, _, _ = prompts.load(ask.purpose)
        return Request(
            purpose=ask.purpose, prompt=prompt, messages=(), schema={}, thread=board.key, round=board.number,
            material=Material(brief.title, brief.subject), attempt=attempt, script=brief.script,
        )  # fmt: skip

    def read(self, *, brief, board, ask, text):
        said = json.loads(text)
        if "word" not in said:
            raise AnswerRejected("word is missing.")
        return said["word"]

    def write(self, *, brief, board, ask, answer, call, round, now):
        who = Speaker(
            debate_id=brief.debate_id, participant_id=ask.participant, role=ask.role, kind=TurnKind.REPORT,
            thread_id=board.thread_id, round_id=board.round_id,
        )  # fmt: skip
        _, news = turns.write(speaker=who, said=[Said(f"report:{ask.participant}", answer)], now=now)
        return replace(board, spoken=(*board.spoken, ask.participant)), news

    def calls_left(self, *, brief, board):
        return 2 - len(board.spoken)

    def closes(self, *, board, ask):
        return len(board.spoken) == 1

    def numbers(self, *, debate):
        return {"words": Turn.objects.filter(debate=debate).count()}

    def spec_of(self, *, given, readable):
        raise NotImplementedError

    def draft(self, *, spec, by):
        raise NotImplementedError

    def other_calls(self, *, debate):
        return 0


def chorus(monkeypatch, answers, **limits):
    monkeypatch.setitem(registry.FORMATS, "open", Chorus())
    debate = Debate.objects.create(
        format="open", title="A word", motion="A word is said.", rounds=ROUNDS,
        parameters={"score": Parameters().snapshot()}, **limits,
    )  # fmt: skip
    event_log.open_stream(debate_id=debate.pk)
    for position in (1, 2):
        Participant.objects.create(
            debate=debate, role="judge", name=f"Judge {position}", position=position, provider="scripted"
        )
    Thread.objects.create(debate=debate, key="main", position=1)
    Script.objects.create(debate=debate, answers=answers)
    return lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())


def test_the_conductor_plays_a_format_that_knows_nothing_of_criteria(monkeypatch):
    from tests import playing

    debate = chorus(monkeypatch, [{"answer": {"word": "yes"}}])

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial) == ("concluded", False)
    assert Turn.objects.filter(debate=debate).count() == Call.objects.count() == 2 * ROUNDS
    assert Round.objects.filter(closed_at__isnull=False).count() == ROUNDS
    assert [event.type for event in Event.objects.order_by("seq")] == [
        "debate:started", "thread:started", "round:started", "turn:added", "turn:added", "round:complete",
        "round:started", "turn:added", "turn:added", "round:complete", "debate:concluded",
    ]  # fmt: skip
    assert Event.objects.filter(type="round:complete").first().data == {
        "criterion": "main", "round": 1, "run": 1, "totalRounds": 2,
    }  # fmt: skip


def test_a_judge_who_fails_is_told_of_where_no_score_is_concerned(monkeypatch):
    from scoring.models import Alert
    from tests import playing

    debate = chorus(monkeypatch, [{"answer": {}}])

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "judge_failed")
    assert Alert.objects.get().evaluation is None


def test_a_budget_binds_any_format(monkeypatch):
    from tests import playing

    debate = chorus(monkeypatch, [{"answer": {"word": "yes"}}], limit_calls=3)

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason, Call.objects.count()) == ("concluded", "budget_spent", 2)


def test_the_conductor_and_the_services_of_play_name_nothing_that_is_a_formats_own():
    files = ["conductor.py", "play.py", "thread_end.py", "lifecycle.py", "budget.py"]
    own = ("Purpose.", "Role.", "Challenge", "Verdict", "challenge", "verdict", "points", "evaluation_id", "persona")

    named = [(file, word) for file in files for word in own if word in (ROOT / "judging" / "engine" / file).read_text()]

    assert named == []
