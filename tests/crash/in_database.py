"""What a kill test does inside the database it may break."""

import json
import sys
from typing import Any


def log_and_ledger(debate_id: int) -> dict[str, Any]:
    """Say how a debate ended, whether its log has every number once, and what is wrong with the ledger of it."""
    from debates.models import Debate, Event
    from scoring import verify

    debate = Debate.objects.get(pk=debate_id)
    seqs = list(Event.objects.filter(debate=debate).order_by("seq").values_list("seq", flat=True))
    return {
        "status": debate.status,
        "partial": debate.partial,
        "gapless": seqs == list(range(1, len(seqs) + 1)),
        "faults": [str(fault) for fault in verify.verify(debate_id=debate.pk).faults],
    }


def start(criteria: int, rounds: int, seconds: float, pace: int = 0) -> dict[str, Any]:
    """Start a scripted debate in which every call takes ``seconds``, and which rests for ``pace`` after each."""
    from tests import playing
    from tests.playing import ruling

    codes = [f"K{number}" for number in range(1, criteria + 1)]
    answers = playing.script([[ruling("1"), ruling("-0.5", challenge="C2")]] * rounds, seconds=seconds)
    debate = playing.debate([*answers, playing.SYNTHESIS], criteria=codes, rounds=rounds, pace=pace)
    return {"debate": debate.pk}


def assessed(criteria: int, at_once: int, seconds: float) -> dict[str, Any]:
    """Start a scripted debate whose criteria are assessed so many at once, but for the last of each."""
    from tests import playing

    codes = [f"K{number}" for number in range(1, criteria + 1)]
    groups = [codes[at : at + at_once] for at in range(0, criteria, at_once)]
    row = {"reasoning": "So.", "score": "6", "confidence": "0.5"}
    together = [
        {
            "purpose": "assess_several",
            "thread": ",".join(group),
            "answer": {"assessments": [{"criterion": code, **row} for code in group[:-1]]},
        }
        for group in groups
    ]
    answers = [{**one, "seconds": seconds} for one in (*together, {"purpose": "assess", "answer": row})]
    no_challenges = {"purpose": "challenge", "answer": {"challenges": []}}
    debate = playing.debate(
        [*answers, no_challenges], criteria=codes, initial={}, rounds=1, criteria_per_assessment=at_once
    )
    return {"debate": debate.pk}


def assessed_report(debate_id: int) -> dict[str, Any]:
    """Say by which calls a debate was assessed, and prove the ledger."""
    from judging.models import Call
    from scoring.models import Evaluation

    used = Call.objects.filter(debate=debate_id, purpose__startswith="assess", outcome="used")
    return {
        "faults": log_and_ledger(debate_id)["faults"],
        "together": sorted(used.filter(purpose="assess_several").values_list("thread__key", flat=True)),
        "alone": sorted(used.filter(purpose="assess").values_list("thread__key", flat=True)),
        "initials": Evaluation.objects.filter(debate=debate_id, initial_score=6).count(),
    }


def table(exchanges: int, seconds: float) -> dict[str, Any]:
    """Start a scripted open debate of two in which every call takes ``seconds``."""
    from tests.judging.formats.open.playing import started
    from tests.judging.formats.open.scripts import script

    answers = [{**one, "seconds": seconds} for one in script()]
    debate = started(provider="scripted", script=answers, exchanges=exchanges)
    return {"debate": debate.pk}


def seat(exchanges: int, seconds: int) -> dict[str, Any]:
    """Start an open debate of two, one of them a person who has so many seconds for a turn, and seat that person."""
    from dataclasses import replace

    from tests.judging.formats.open.people import konrad
    from tests.judging.formats.open.playing import KONRAD, MIRA, started

    chairs = (MIRA, replace(KONRAD, kind="human"))
    debate = started(chairs=chairs, exchanges=exchanges, turn_seconds=seconds, interjections=False)
    konrad(debate)
    return {"debate": debate.pk}


def speak(debate_id: int) -> dict[str, Any]:
    """Take the turn that is awaited of the person."""
    from debates.models import Debate
    from tests.judging.formats.open import people

    debate = Debate.objects.get(pk=debate_id)
    person = people.seat_of(debate).user
    assert person is not None
    return {"kind": people.speak(debate, person).kind}


def table_report(debate_id: int) -> dict[str, Any]:
    """Count everything of an open debate that must be neither lost nor doubled, and prove the ledger."""
    from debates.models import Turn
    from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
    from scoring.models import Fact

    return {
        **log_and_ledger(debate_id),
        "turns": Turn.objects.filter(debate=debate_id).count(),
        "judged": ResponseEvaluation.objects.filter(turn__debate=debate_id, state="scored").count(),
        "effects": Effect.objects.filter(turn__debate=debate_id).count(),
        "states": ParticipantState.objects.filter(participant__debate=debate_id).count(),
        "standings": Standing.objects.filter(round__thread__debate=debate_id).count(),
        "facts": Fact.objects.filter(evaluation__debate=debate_id).count(),
    }


def batch(responses: int, calls: int) -> dict[str, Any]:
    """Start a scripted batch of so many responses, which may cost so many calls; 0: without limit."""
    from judging.formats.spec import Limits
    from tests.judging.formats.responses.batches import lines, marks, started

    script = [{"answer": marks("15", "10", "20", "18")}]
    debate = started(
        lines(responses), provider="scripted", script=script, limits=Limits(calls=calls or None), judge_concurrency=10
    )
    return {"debate": debate.pk}


def batch_report(debate_id: int) -> dict[str, Any]:
    """Count everything of a batch that must be neither lost nor doubled, and prove the ledger."""
    from debates.models import Event
    from judging.models import Call, ResponseEvaluation
    from scoring.models import ScoreChange

    calls = Call.objects.filter(debate=debate_id)
    entries = ScoreChange.objects.filter(evaluation__debate=debate_id)
    return {
        **log_and_ledger(debate_id),
        "judged": ResponseEvaluation.objects.filter(turn__debate=debate_id, state="scored").count(),
        "told": Event.objects.filter(debate=debate_id, type="response:evaluated").count(),
        "opened": entries.filter(kind="opened").count(),
        "completed": entries.filter(kind="completed").count(),
        "used": calls.filter(outcome="used").count(),
        "paid": calls.filter(known=False).count(),
    }


def bench(rounds: int, seconds: float) -> dict[str, Any]:
    """Start a scripted panel of three who never agree, one slower than the other."""
    from judging.rules.consensus import Policy
    from tests.judging.formats.panel.play import APART, alone, panel, stays

    held = [
        stays(judge, number, design=score)
        for number in range(1, rounds + 1)
        for judge, (score, _) in enumerate(APART, start=1)
    ]
    slow = [{**one, "seconds": seconds * int(one["thread"][-1])} for one in [*alone(*APART), *held]]
    return {"debate": panel(slow, policy=Policy(debate_rounds=rounds)).pk}


def bench_report(debate_id: int) -> dict[str, Any]:
    """Count everything of a panel that must be neither lost nor doubled, and prove the ledger."""
    from debates.models import Event, Turn
    from judging.models import Call, Consensus, JudgeReport, JudgeScore, Review
    from scoring.models import Fact, ScoreChange

    told = Event.objects.filter(debate=debate_id)
    kinds = ("round:complete", "panel:report", "panel:consensus", "review:opened")
    return {
        **log_and_ledger(debate_id),
        "told": [told.filter(type=kind).count() for kind in kinds],
        "turns": Turn.objects.filter(debate=debate_id).count(),
        "used": Call.objects.filter(debate=debate_id, outcome="used").count(),
        "reports": JudgeReport.objects.filter(debate=debate_id).count(),
        "scores": JudgeScore.objects.filter(report__debate=debate_id).count(),
        "facts": Fact.objects.filter(evaluation__debate=debate_id).count(),
        "entries": ScoreChange.objects.filter(evaluation__debate=debate_id, kind="round").count(),
        "consensuses": Consensus.objects.filter(debate=debate_id).count(),
        "reviews": Review.objects.filter(debate=debate_id).count(),
    }


def seated(seconds: float, ballot_seconds: int) -> dict[str, Any]:
    """Start a panel of a person, a program, a script and an offline judge who never agree, with so many seconds for a
    ballot; each call of the script takes ``seconds``.
    """
    from judging.formats.panel.spec import JudgeSeat
    from judging.rules.consensus import Policy
    from tests.judging.formats.panel.play import APART, answer, panel, stays
    from tests.judging.formats.panel.seats import PERSON, PROGRAM, SCRIPT, sit
    from tests.judging.formats.panel.small_panel import analysis

    design, tests = APART[2]
    said = [answer(3, 0, analysis(design, tests)), *(stays(3, number, design=design) for number in (1, 2))]
    debate = panel(
        [{**row, "seconds": seconds} for row in said],
        seats=[PERSON, PROGRAM, SCRIPT, JudgeSeat(strategy="rhetoric")],
        policy=Policy(debate_rounds=2),
        ballot_seconds=ballot_seconds,
    )
    for number in (1, 2):
        sit(debate, number, f"judge {number} of {debate.pk}")
    return {"debate": debate.pk}


def ballot(debate_id: int, judge: int, number: int) -> dict[str, Any]:
    """Give the ballot of a judge in a round, twice, as somebody does who is not sure that it came."""
    from django.utils import timezone

    from debates.models import AwaitedTurn
    from judging.engine import ballots
    from tests.judging.formats.panel.play import APART, THERE
    from tests.judging.formats.panel.small_panel import analysis, argument, section

    design, tests = APART[judge - 1]
    said = argument(section("design", design, THERE), accepts=False) if number else analysis(design, tests)
    rows = AwaitedTurn.objects.filter(participant__debate=debate_id, participant__name=f"Judge {judge}")
    row = rows.select_related("participant__user").get(round__number=number)
    assert row.participant.user is not None
    first, second = (
        ballots.give(
            seat_id=row.participant_id,
            by=row.participant.user,
            answer=json.dumps(said),
            awaited=row.public_id,
            now=timezone.now(),
        )
        for _ in range(2)
    )
    return {"once": first.pk == second.pk, "round": first.round.number}


def seated_report(debate_id: int) -> dict[str, Any]:
    """Say which ballots there are of a panel, who sits there, and who was late, beside everything that is counted."""
    from django.db.models import Max

    from debates.models import AwaitedTurn, Ballot, Turn
    from debates.types import FORFEIT

    given = Ballot.objects.filter(round__thread__debate=debate_id).order_by("round__number", "participant__name")
    awaited = AwaitedTurn.objects.filter(round__thread__debate=debate_id)
    late = Turn.objects.filter(debate=debate_id, slot__startswith=FORFEIT)
    return {
        **bench_report(debate_id),
        "ballots": [list(row) for row in given.values_list("round__number", "participant__name")],
        "seats": sorted(set(awaited.values_list("participant__user__username", flat=True))),
        "awaited": awaited.count(),
        "late": [list(row) for row in late.values_list("round__number", "participant__name")],
        "too early": sum(turn.at < turn.until for turn in late.annotate(until=Max("round__awaited__deadline"))),
    }


def log(events: int, visibility: str = "public") -> dict[str, Any]:
    """Make a debate whose log holds so many events."""
    from django.utils import timezone

    from debates import event_log
    from debates.types import News
    from tests import factories

    debate = factories.debate(visibility=visibility)
    news = [News("round:started", {"criterion": "P1", "round": number, "run": 1}) for number in range(events)]
    event_log.append(debate_id=debate.pk, news=news, now=timezone.now())
    return {"id": debate.pk, "address": str(debate.public_id)}


def say(words: str, name: str) -> dict[str, Any]:
    """Make a debate in which somebody of this name said these words, and root, who may erase them."""
    from django.contrib.auth.models import User
    from django.db import transaction
    from django.utils import timezone

    from debates import event_log
    from debates.models import Participant, Turn
    from debates.types import News
    from tests import factories

    User.objects.get_or_create(username="root", is_superuser=True)
    now = timezone.now()
    with transaction.atomic():
        debate = factories.debate()
        speaker = Participant.objects.create(debate=debate, role="arbiter", name=name, provider="scripted")
    turn = Turn.objects.create(
        debate=debate, participant=speaker, kind="synthesis", slot="synthesis:1", text=words, at=now
    )
    told = {"turn": str(turn.public_id), "kind": turn.kind, "role": speaker.role}
    event_log.append(debate_id=debate.pk, news=[News("turn:added", told)], now=now)
    return {"id": debate.pk, "address": str(debate.public_id)}


def state(debate_id: int) -> dict[str, Any]:
    from debates.models import Debate, Round

    debate = Debate.objects.get(pk=debate_id)
    closed = Round.objects.filter(thread__debate=debate, closed_at__isnull=False).count()
    return {"status": debate.status, "rounds": closed}


def report(debate_id: int) -> dict[str, Any]:
    """Count everything that must be neither lost nor doubled, and prove the whole ledger."""
    from django.db.models import Count
    from procrastinate.contrib.django.models import ProcrastinateJob

    from debates.models import Event, Turn
    from judging.models import Call, Verdict
    from scoring import verify
    from scoring.models import Evaluation, Fact, ScoreChange

    calls, jobs = Call.objects.filter(debate=debate_id), ProcrastinateJob.objects.exclude(queue_name="ops")
    finals = Evaluation.objects.filter(debate=debate_id).values_list("final_score", flat=True)
    return {
        **log_and_ledger(debate_id),
        **state(debate_id),
        "faults": [str(fault) for fault in verify.verify().faults],
        "entries": ScoreChange.objects.filter(evaluation__debate=debate_id, kind="round").count(),
        "facts": Fact.objects.filter(evaluation__debate=debate_id).count(),
        "verdicts": Verdict.objects.filter(round__thread__debate=debate_id).count(),
        "turns": Turn.objects.filter(debate=debate_id).count(),
        "used": calls.filter(outcome="used").count(),
        "superseded": calls.filter(outcome="superseded").count(),
        "finals": sorted({str(one) for one in finals}),
        "told": dict(Event.objects.filter(debate=debate_id).values_list("type").annotate(n=Count("id"))),
        "jobs": jobs.exclude(status__in=["succeeded", "cancelled"]).count(),
    }


def answers(debate_id: int) -> dict[str, Any]:
    """Return when each answer of a debate that was used came, and how often each thread was claimed."""
    from debates.models import Thread
    from judging.models import Call

    used = Call.objects.filter(debate=debate_id, outcome="used").select_related("thread")
    return {
        "used": [
            [one.at.timestamp(), one.thread.key if one.thread else "", one.round_number, one.purpose] for one in used
        ],
        "claims": dict(Thread.objects.filter(debate=debate_id).values_list("key", "fence")),
    }


def told(word: str) -> Any:
    """Return an argument: JSON, or a word as it is."""
    try:
        return json.loads(word)
    except ValueError:
        return word


def perform(name: str, *words: str) -> None:
    """Do one act, which is a function of this module, and print what came of it as JSON."""
    sys.stdout.write(json.dumps(globals()[name](*(told(one) for one in words))))
