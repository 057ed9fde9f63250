"""Who is asked next, whatever has happened at the table: a law about every board. And what moderators change."""

from decimal import Decimal

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from debates.types import Role
from judging import conductor, outcomes
from judging.board import Ask, Brief, Together
from judging.database import in_thread
from judging.formats.open import Open
from judging.formats.open.board import Heard, TableBoard
from judging.formats.open.scenes import CHAIRS
from judging.models import ParticipantState, ResponseEvaluation, Standing
from judging.outcomes import Seat
from judging.rules.state import State, Surrender
from judging.services import control
from judging.services.tables import snapshot_of
from judging.tables.spec import Chair, TableSpec
from judging.types import Purpose
from scoring import verify
from scoring.models import Evaluation
from scoring.services import moderation
from tests import factories
from tests.judging.open.playing import MOTION, played, started
from tests.playing import work

NAMES = ("Ada", "Ben", "Cem", "Dora")


@st.composite
def boards(draw):
    """A table of two to four at some exchange, in which each may have spoken, been judged, or given up."""
    count = draw(st.integers(2, 4))
    some = st.frozensets(st.integers(1, count))
    gone, taken, number = draw(some), draw(some), draw(st.integers(0, 3))
    seats = tuple(
        Seat(
            id=one, public_id=str(one), name=NAMES[one - 1], position=one, framework="", strategy="adaptive", number=1,
            state=State(Decimal(0), Decimal("0.5"), surrender=Surrender.WAVERING if one in gone else None),
        )
        for one in range(1, count + 1)
    )  # fmt: skip
    heard = tuple(
        Heard(one, str(one), one, NAMES[one - 1], "response" if number else "opening", "Said.", number)
        for one in sorted(taken)
    )
    return TableBoard(
        thread_id=1, key="main", run=1, fence=1, number=number, round_id=1, seats=seats, arbiter=9, heard=heard,
        taken=taken, introduced=draw(st.booleans()), judged=draw(some), weighed=draw(some),
    )  # fmt: skip


def brief(**options):
    wanted = TableSpec(motion=MOTION, chairs=[Chair(name) for name in NAMES], **options)
    return Brief(
        debate_id=1, public_id="", format="open", title="", subject=MOTION, rounds=3,
        parameters=snapshot_of(wanted=wanted), voices={}, everybody=(), has_limit=False, script=(),
    )  # fmt: skip


OPTIONS = st.sampled_from(
    [{}, {"judging": "off"}, {"effects": "judge"}, {"interjections": False}]
)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(boards(), OPTIONS)
def test_nobody_who_gave_up_or_has_spoken_is_asked_to_speak(board, options):
    step = Open().next_step(brief=brief(**options), board=board)

    asks = step.asks if isinstance(step, Together) else (step,) if isinstance(step, Ask) else ()
    for ask in asks:
        if ask.purpose in CHAIRS:
            assert ask.role is Role.CHAIR
            assert board.seat(ask.participant).active
            assert ask.participant not in board.taken
    assert len({ask.purpose for ask in asks}) == len(asks)


@pytest.mark.django_db(transaction=True)
def test_a_struck_response_moves_the_adherence_and_nothing_that_was_counted_elsewhere():
    debate = played(exchanges=2)
    before = outcomes.numbers(debate=debate)
    states = list(ParticipantState.objects.values_list("stance", "conviction", "surrender"))
    score = Evaluation.objects.get(debate=debate, instrument="adherence", name="Mira")
    [one, other] = ResponseEvaluation.objects.filter(fact_id__in=score.basis).order_by("id")

    moderation.strike(order=factories.order(score, factories.moderator()), facts=[one.fact_id], now=timezone.now())

    score.refresh_from_db()
    after = outcomes.numbers(debate=debate)
    assert score.final_score == other.fact.amount
    assert after == {**before, "adherence": {**before["adherence"], "Mira": f"{other.fact.amount:.2f}"}}
    assert list(ParticipantState.objects.values_list("stance", "conviction", "surrender")) == states
    assert verify.verify(debate_id=debate.pk).faults == ()


@pytest.mark.django_db(transaction=True)
def test_a_debate_that_is_stopped_halfway_concludes_with_the_exchanges_that_were_played(monkeypatch):
    ask = conductor.asked
    debate = started(exchanges=3)

    async def stopping(*, request, voice, **more):
        if request.purpose is Purpose.RESPOND and (request.thread, request.round) == ("Konrad", 2):
            why = {"reason": "The hall is needed for something else.", "now": timezone.now()}
            await in_thread(control.stop)(debate_id=debate.pk, by=None, **why)
        return await ask(request=request, voice=voice, **more)

    monkeypatch.setattr(conductor, "asked", stopping)
    work()

    debate.refresh_from_db()
    told = outcomes.document(debate=debate)
    standing = Evaluation.objects.get(debate=debate, instrument="standing", name="Mira")
    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "stopped")
    assert (told["exchanges"], told["winner"] in {"Mira", "Konrad"}) == (1, True)
    assert [one.slot.partition(":")[0] for one in debate.turns.filter(round__number=2)] == ["response"]
    assert standing.final_score == Standing.objects.get(round__number=1, participant__name="Mira").fact.amount
    assert verify.verify(debate_id=debate.pk).faults == ()
