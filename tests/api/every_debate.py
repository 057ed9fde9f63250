"""Debates of every format in every status, by what is the matter with each; each a build and what is done to it."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.models import AwaitedTurn, Debate
from debates.services import seats
from judging.engine import ballots, human_turns, lifecycle
from judging.engine.creation import create_draft
from judging.formats.open.spec import TableSpec
from judging.rules.consensus import Policy
from judging.rules.fairness import Fairness
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.api.clients import Api
from tests.api.test_debates import a_round, elsewhere
from tests.judging import arbiter_seats, test_not_assessed
from tests.judging.erasure.erase import erase
from tests.judging.formats.open import people, test_judging_seats
from tests.judging.formats.open.playing import KONRAD, MIRA, MOTION, played, started
from tests.judging.formats.open.scripts import UNFAIR, script, weighs
from tests.judging.formats.panel import play as panels
from tests.judging.formats.panel import seats as panel_seats
from tests.judging.formats.panel.small_panel import analysis
from tests.judging.formats.responses import batches
from tests.judging.sealed import played_debates
from tests.playing import ruling

Step = Callable[[Debate], object]
FAILS = {"error": "gone", "permanent": True}


# -- what is done to a debate ------------------------------------------------------------------------------------------


def boss() -> User:
    return User.objects.get(username="boss")


def conducted(action: str, **more: str) -> Step:
    return lambda debate: getattr(lifecycle, action)(debate_id=debate.pk, by=boss(), now=timezone.now(), **more)


def on_scores(act: Callable[..., Any], **more: Any) -> Step:
    def step(debate: Debate) -> None:
        for row in Evaluation.objects.filter(debate=debate):
            own = {"facts": row.basis[:1]} if act is acts.strike else more
            act(order=factories.order(row, boss()), now=timezone.now(), **own)

    return step


def work(_debate: Debate) -> None:
    playing.work()


def seated(debate: Debate) -> None:
    for seat in debate.participants.exclude(kind="engine").filter(user=None):
        invitation = seats.invite(participant_id=seat.pk, by=None)
        seats.take(invitation=invitation, by=factories.person(f"seat {seat.pk}"))


def forfeited(debate: Debate) -> None:
    """Let the time of everybody pass who is awaited."""
    while debate.threads.filter(status="awaiting_turn").exists():
        awaited = AwaitedTurn.objects.filter(round__thread__debate=debate).latest("id")
        human_turns.forfeit(thread_id=awaited.round.thread_id, now=awaited.deadline)
        playing.work()


def ruled(debate: Debate) -> None:
    arbiter_seats.rule(debate, arbiter_seats.seat_of(debate).user, arbiter_seats.ROUNDS[0])
    playing.work()


def spoken(debate: Debate) -> None:
    people.speak(debate, people.seat_of(debate).user)
    playing.work()


def judged(debate: Debate) -> None:
    """Give the first judgement of a response that is awaited."""
    (name, speaker), turn = next(iter(test_judging_seats.waiting(debate).items()))
    test_judging_seats.give(turn, turn.participant.user, test_judging_seats.told(name, speaker))


def judged_all(debate: Debate) -> None:
    while debate.threads.filter(status="awaiting_turn").exists():
        judged(debate)
        playing.work()


def balloted(*numbers: int) -> Step:
    def step(debate: Debate) -> None:
        for number in numbers:
            panel_seats.give(debate, number, panel_seats.seat_of(debate, number).user, analysis("4", "4"))
        playing.work()

    return step


def replaced(debate: Debate) -> None:
    judge = panel_seats.seat_of(debate, 1).pk
    ballots.replace_judge(participant_id=judge, by=boss(), reason=factories.REASON, now=timezone.now())


def moderated(debate: Debate) -> None:
    played_debates.moderated(debate, boss(), User.objects.get(username="second"))


def reviewed(debate: Debate) -> None:
    played_debates.reviewed(debate, boss())


def erased(debate: Debate) -> None:
    erase(debate, boss())


START, PAUSE, CANCEL = conducted("start"), conducted("pause"), conducted("cancel")
STOP, RERUN = conducted("stop", reason="The hall closes now."), conducted("rerun", reason=factories.REASON)
FREEZE, STRIKE = on_scores(acts.freeze), on_scores(acts.strike)
ROLL_BACK, OVERRIDE = on_scores(acts.roll_back, target=1), on_scores(acts.override, value="2")


# -- debates -----------------------------------------------------------------------------------------------------------


def criterion(*failing: str, **options: Any) -> Callable[[], Debate]:
    rounds = [[ruling("1", "0.1"), ruling("-0.5", challenge="C2")], [ruling("3"), ruling("0", challenge="C2")]]
    answers = [*({"purpose": purpose, **FAILS} for purpose in failing), *playing.script(rounds)]
    return lambda: playing.draft(answers, **{"criteria": ("P1", "P2"), "rounds": 2, **options})


def conducted_elsewhere() -> Debate:
    address, api = elsewhere(Api(boss())), Api(boss())
    assert api.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1.5"))).status_code == 201
    return Debate.objects.latest("pk")


def open_debate(*first: Any, make: Any = played, **options: Any) -> Callable[[], Debate]:
    answers = script(*first, weighs("Mira", "Konrad"), weighs("Konrad", "Mira"), fairness=UNFAIR)
    about = {"provider": "scripted", "script": answers, "effects": "judge", "accountability": "strict", "exchanges": 1}
    return lambda: make(**{**about, **options})


def drafted(**options: Any) -> Debate:
    return create_draft(spec=TableSpec(motion=MOTION, chairs=(MIRA, KONRAD), **options), by=None, now=timezone.now())


def panel(*rows: Any, failing: Any = (), make: Any = panels.played, **options: Any) -> Callable[[], Debate]:
    held = [panels.stays(at, 1, design=row[0]) for at, row in enumerate(rows, start=1) if row]
    return lambda: make([*failing, *panels.alone(*rows), *held], **{"policy": Policy(debate_rounds=1), **options})


def seated_panel() -> Debate:
    return panel_seats.waits([panels.answer(3, 0, analysis("5", "3"))])


def responses(make: Any, **options: Any) -> Callable[[], Debate]:
    return lambda: make(batches.lines(3), **options)


FAIR = Fairness(swap=True)
SILENT = {"purpose": "respond", "thread": "Konrad", "answer": {"text": "", "quotes": []}}
PLAYED = (START, work)
DEBATES: Mapping[str, tuple[Callable[[], Debate], *tuple[Step, ...]]] = {
    "criterion, draft": (criterion(),),
    "criterion, scheduled": (criterion(initial={}), START),
    "criterion, running": (criterion(), START),
    "criterion, paused": (criterion(), START, PAUSE),
    "criterion, stopped": (criterion(), START, STOP),
    "criterion, cancelled": (criterion(), START, CANCEL),
    "criterion, failed": (criterion("synthesise", criteria=("P1",), rounds=1), *PLAYED),
    "criterion, judge failed": (criterion("judge", criteria=("P1",)), *PLAYED),
    "criterion, several judgements": (criterion(fairness=FAIR, criteria=("P1",)), *PLAYED, STRIKE),
    "criterion, moderated": (criterion(), *PLAYED, moderated),
    "criterion, moderated and erased": (criterion(), *PLAYED, moderated, erased),
    "criterion, played again": (criterion(), *PLAYED, OVERRIDE, ROLL_BACK, RERUN, FREEZE),
    "criterion, not assessed": (lambda: test_not_assessed.played("Yes."),),
    "criterion, a person rules": (arbiter_seats.waits, seated),
    "criterion, a person has ruled": (arbiter_seats.waits, seated, ruled),
    "criterion, a program never ruled": (lambda: arbiter_seats.waits(arbiter="external"), seated, forfeited),
    "criterion, elsewhere, stopped": (conducted_elsewhere, STOP),
    "open, draft": (open_debate(make=drafted),),
    "open, running": (open_debate(make=started),),
    "open, paused": (open_debate(make=started), PAUSE),
    "open, stopped": (open_debate(make=started), STOP),
    "open, cancelled": (open_debate(make=started), CANCEL),
    "open, failed": (open_debate({"purpose": "sum_up", **FAILS}),),
    "open, several judgements": (open_debate(fairness=FAIR),),
    "open, silent": (open_debate(SILENT), FREEZE, erased),
    "open, not judged": (open_debate({"purpose": "evaluate", **FAILS}, {"purpose": "influence", **FAILS}),),
    "open, quick": (lambda: played(judging="quick", exchanges=1), OVERRIDE),
    "open, a person speaks": (people.waits, seated),
    "open, a person has spoken": (people.waits, seated, spoken, PAUSE),
    "open, a program never spoke": (lambda: people.waits(kind="external"), seated, forfeited),
    "open, people judge": (test_judging_seats.waits, seated, judged),
    "open, people judged": (test_judging_seats.waits, seated, judged_all, ROLL_BACK),
    "panel, draft": (panel(*panels.AGREEING, make=panels.drafted),),
    "panel, running": (panel(*panels.AGREEING, make=panels.panel),),
    "panel, paused": (panel(*panels.AGREEING, make=panels.panel), PAUSE),
    "panel, stopped": (panel(*panels.AGREEING, make=panels.panel), STOP),
    "panel, cancelled": (panel(*panels.APART), CANCEL),
    "panel, failed": (panel(*panels.AGREEING, failing=[{"purpose": "report", **FAILS}]),),
    "panel, agreed": (panel(*panels.AGREEING, fairness=FAIR), STRIKE),
    "panel, in dispute": (panel(*panels.APART), FREEZE),
    "panel, settled": (panel(*panels.APART), reviewed, erased),
    "panel, not read": (panel(("4", "3"), None, None),),
    "panel, people judge": (seated_panel, seated, balloted(1)),
    "panel, people judged": (seated_panel, seated, balloted(1, 2), ROLL_BACK),
    "panel, a judge is replaced": (seated_panel, seated, balloted(1), replaced),
    "responses, draft": (responses(batches.drafted),),
    "responses, running": (responses(batches.started),),
    "responses, paused": (responses(batches.started), PAUSE),
    "responses, stopped": (responses(batches.started), STOP),
    "responses, cancelled": (responses(batches.started), CANCEL),
    "responses, judged": (responses(batches.judged), STRIKE),
    "responses, quick and erased": (responses(batches.judged, judging="quick"), erased),
}


def left_alone(build: Callable[[], Debate], *steps: Step) -> Debate:
    """Return a debate to which this was done, and whose jobs nobody does from then on."""
    debate = build()
    for step in steps:
        step(debate)
        debate.refresh_from_db()
    debate.refresh_from_db()
    ProcrastinateJob.objects.filter(status="todo").update(queue_name="nobody's")
    return debate
