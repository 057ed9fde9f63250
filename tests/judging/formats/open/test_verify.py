"""``verify_ledger`` finds whoever changed an effect, a state, a standing or a mark behind the guards."""

from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection

from debates.models import Event, Turn
from judging.formats.open import record, results
from judging.formats.open.spec import ChairSpec
from judging.models import Call, Effect, ParticipantState, ResponseEvaluation, Standing
from scoring import verify
from tests import factories
from tests.judging.formats.open.people import SAID, konrad, seat_of, speak, waits
from tests.judging.formats.open.playing import KONRAD, MIRA, played
from tests.judging.formats.open.scripts import script, weighs
from tests.playing import days_ago, work
from tests.texts import WITHOUT_COLLECTED_FILES, address, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
MOVING = script(response="However, consider the data, understand it.")
FACTORS = {"base": "0.05", "strategy": "0.1", "evidence": "0.2", "social": "0.5"}


@contextmanager
def unguarded(model):
    """Switch every guard of a table off, that which seals among them, and all of them on again."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        # No table is altered that has checks to come.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", [table])
        for (name,) in cursor.fetchall():
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def proved():
    return [str(fault) for fault in verify.verify().faults if not fault.row]


def lie(model, **change):
    """Change the newest row with every guard switched off and back again; return what the proof said meanwhile."""
    row = model.objects.order_by("-pk").first()
    before = {name: getattr(row, name) for name in change}
    with unguarded(model):
        model.objects.filter(pk=row.pk).update(**change)
    found = proved()
    with unguarded(model):
        model.objects.filter(pk=row.pk).update(**before)
    return found


def told_of(lies):
    """Return which of these lies is not found by what it should be told as."""
    return [told for model, change, told in lies if not any(told in one for one in lie(model, **change))]


def test_a_surrender_that_draws_a_bystander_is_proved():
    weak, otto = ChairSpec("Weak", "", "-0.6", "0.45"), ChairSpec("Otto", "", "-0.4", "0.9")
    silent = [{"purpose": "respond", "thread": name, "answer": {"text": "", "quotes": []}} for name in ("Weak", "Otto")]
    answers = script(*silent, response="However, consider it, understand it.")
    rules = {"bystander_pull": "0.3"}

    debate = played(provider="scripted", script=answers, chairs=(MIRA, weak, otto), exchanges=2, rules=rules)

    states = ParticipantState.objects.filter(participant__debate=debate, participant__name="Otto").order_by("number")
    assert [row.stance for row in states] == [Decimal("-0.4"), Decimal("-0.3892"), Decimal("-0.242319")]
    assert [row.conviction for row in states] == [Decimal("0.9"), Decimal("0.765"), Decimal("0.65025")]
    assert verify.verify().faults == ()
    other = debate.parameters["table"] | {"rules": debate.parameters["table"]["rules"] | {"bystander_pull": "0"}}
    with unguarded(type(debate)):
        type(debate).objects.filter(pk=debate.pk).update(parameters=debate.parameters | {"table": other})
    assert any(f"state 2 of participant {states[2].participant.public_id} does not follow" in line for line in proved())


def test_a_lie_about_a_table_is_found():
    debate = played(provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=2)
    arbiter = debate.participants.get(role="arbiter")
    assert proved() == []

    assert not told_of([
        (Effect, {"persuasion": "0.123"}, "persuasion is another: expected 0.9, found 0.123"),
        (Effect, {"attack": "0.5"}, "attack is another: expected 0, found 0.5"),
        (Effect, {"evidence": "0.5"}, "evidence is another: expected 0.35, found 0.5"),
        (Effect, {"persuasion_words": 7}, "persuasion_words is another: expected 3, found 7"),
        (Effect, {"source": "judge"}, "source is another: expected words, found judge"),
        (Effect, {"speaker": arbiter}, "speaker_id is another"),
        (Effect, {"listener": arbiter}, "follows from an effect on somebody else"),
        (Effect, {"listener": arbiter}, "has no effect on participant"),
        (Effect, {"call": Call.objects.filter(purpose="evaluate").first()}, "it was given to another question"),
        (ParticipantState, {"stance": "0.123"}, "does not follow: expected stance"),
        (ParticipantState, {"surrender": "wavering"}, "gave up (wavering)"),
        (ParticipantState, {"number": 9}, "is missing"),
        (Standing, {"resistance": "0.123"}, "does not follow from the states"),
        (ResponseEvaluation, {"honesty": "1.5"}, "is not the sum of its marks"),
        (ResponseEvaluation, {"honesty": "1.5"}, "honesty is not what its judge gave: expected 20, found 1.5"),
        (ResponseEvaluation, {"steel_attempted": False}, "steel_attempted is not what its judge gave"),
        (ResponseEvaluation, {"issues": ["evasion"]}, "issues is not what its judge gave: expected []"),
        (ResponseEvaluation, {"violations": 3}, "violations is not what its judge gave: expected 0, found 3"),
        (ResponseEvaluation, {"grounds": {"honesty": {"notes": "Bought."}}}, "grounds is not what its judge gave"),
        (ResponseEvaluation, {"call": Call.objects.filter(purpose="open").first()}, "rest on an answer that cannot"),
    ])  # fmt: skip
    assert proved() == []


def test_what_a_judge_weighed_is_proved_from_its_answer():
    answers = script(weighs("Mira", "Konrad"), weighs("Konrad", "Mira"))
    with days_ago(2):
        played(provider="scripted", script=answers, chairs=(MIRA, KONRAD), exchanges=1, effects="judge")
    assert proved() == []

    assert not told_of([
        (Effect, {"persuasion": "0.9"}, "persuasion is another: expected 0.3, found 0.9"),
        (Effect, {"attack": "0.9"}, "attack is another: expected 0.2, found 0.9"),
        (Effect, {"evidence": "0.9"}, "evidence is another: expected 0.1, found 0.9"),
        (Effect, {"call": None}, "source is another: expected words, found judge"),
    ])  # fmt: skip
    Call.objects.update(raw_answer="")
    assert proved() == []


def test_what_the_shares_of_a_debate_weighed_is_proved_too():
    debate = played(
        provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=3, rules={"persuasion_factors": FACTORS}
    )

    assert set(Effect.objects.filter(turn__debate=debate).values_list("source", flat=True)) == {"factors"}
    assert len(set(Effect.objects.values_list("persuasion", flat=True))) > 1
    assert proved() == []
    assert Decimal(0) < Effect.objects.latest("id").persuasion
    assert not told_of([
        (Effect, {"persuasion": "0.5"}, "persuasion is another"),
        (Effect, {"attack": "0.5"}, "attack is another"),
        (Effect, {"evidence": "0.5"}, "evidence is another"),
        (Effect, {"persuasion_words": 1}, "persuasion_words is another"),
        (ParticipantState, {"number": 9}, "is missing"),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "persuasion"),
    [pytest.param("", "0.17", id="none, as now"), pytest.param("analytical", "0.27", id="one, as before")],
)
def test_a_person_has_no_strategy_and_one_that_a_turn_kept_before_is_proved_and_not_shown(
    kept, persuasion, monkeypatch
):
    if kept:
        monkeypatch.setattr(record, "strategy_of", lambda seat, board: kept)
    chairs = (MIRA, replace(KONRAD, kind="human", strategy="analytical", strategy_changes="1:analytical"))
    debate = waits(chairs=chairs, rules={"persuasion_factors": FACTORS})
    person = konrad(debate)
    for text in (SAID, "However, consider the data."):
        speak(debate, person, text)
        work()
    monkeypatch.undo()

    turns = Turn.objects.filter(participant=seat_of(debate))
    assert list(turns.values_list("strategy", flat=True)) == [kept, kept]
    added = Event.objects.filter(type="turn:added", data__turn__in=[str(turn.public_id) for turn in turns])
    assert [event.data.get("strategy", "") for event in added] == [kept, kept]
    effect = Effect.objects.get(speaker=seat_of(debate))
    assert effect.persuasion == Decimal(persuasion)
    shown = words(address(debate))
    assert ["Konrad opens analytical" in shown, "Mira opens analytical" in shown] == [False, True]
    mira, seated = results.document(debate=debate)["participants"]
    assert (mira["strategy"], seated["strategy"], seated["strategyChanges"]) == ("analytical", None, [])
    assert proved() == []
    assert any("persuasion is another" in line for line in lie(Effect, persuasion="0.5"))


def test_of_equal_listeners_none_is_persuaded_more_because_of_where_they_sit():
    alike = [ChairSpec(name, "", "0.6", "0.8", "analytical") for name in ("Mira", "Anna", "Bert")]
    rules = {"persuasion_factors": FACTORS}

    played(provider="scripted", script=MOVING, chairs=alike, exchanges=2, rules=rules)

    effects = Effect.objects.order_by("id").values_list("turn__round__number", "persuasion")
    assert list(effects) == [(1, Decimal("0.32"))] * 6 + [(2, Decimal("0.48"))] * 6
    assert proved() == []


def test_effects_and_states_that_are_gone_or_out_of_order_are_found():
    played(provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=2)
    first, second = ParticipantState.objects.filter(participant__name="Mira", number__gt=0).order_by("number")
    with unguarded(ParticipantState):
        ParticipantState.objects.filter(pk__in=[first.pk, second.pk]).delete()
        first.effect, second.effect = second.effect, first.effect
        ParticipantState.objects.bulk_create([first, second])
    disordered = proved()
    with unguarded(ParticipantState):
        second.delete()
    stateless = proved()
    with unguarded(Effect):
        Effect.objects.filter(pk=second.effect_id).delete()
    heardless = proved()
    with unguarded(ParticipantState):
        ParticipantState.objects.all().delete()
    nothing = proved()

    assert any("follows from an effect that came before the last" in one for one in disordered)
    assert any("has left no state" in one for one in stateless)
    assert any("has no effect on participant" in one for one in heardless)
    assert any("the standing after exchange 2 does not follow from the states" in one for one in nothing)


def test_a_debate_whose_words_were_erased_is_still_proved():
    debate = played(provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=2)
    factories.rewrite(debate.turns.filter(kind="response"), text="")

    assert proved() == []
