"""``verify_ledger`` finds whoever changed an effect, a state, a standing or a mark behind the guards."""

from decimal import Decimal

import pytest
from django.db import connection

from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from scoring import verify
from tests.judging.open.playing import KONRAD, MIRA, played
from tests.judging.open.scripts import script

pytestmark = pytest.mark.django_db(transaction=True)
MOVING = script(response="However, consider the data, understand it.")


def lie(model, change):
    """Change the newest row with every guard switched off; return what the proof then says."""
    row = model.objects.order_by("-pk").first()
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(f"UPDATE {table} SET {change} WHERE {model._meta.pk.column} = %s", [row.pk])
    found = [str(one) for one in verify.verify().faults]
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", [table])
        for (name,) in cursor.fetchall():
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
    return found


@pytest.mark.parametrize(
    ("model", "change", "told"),
    [
        pytest.param(Effect, "persuasion = 0.123", "the effect of turn", id="an effect that the words do not have"),
        pytest.param(ParticipantState, "stance = 0.123", "does not follow: expected stance", id="a stance"),
        pytest.param(ParticipantState, "surrender = 'wavering'", "gave up (wavering)", id="a surrender"),
        pytest.param(Standing, "resistance = 0.123", "does not follow from the states", id="a part of a standing"),
        pytest.param(ResponseEvaluation, "honesty = 1.5", "is not the sum of its marks", id="a mark"),
    ],
)  # fmt: skip
def test_a_lie_about_a_table_is_found(model, change, told):
    played(provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=2)
    assert verify.verify().faults == ()

    assert any(told in one for one in lie(model, change))


def test_what_the_shares_of_a_debate_weighed_is_proved_too():
    factors = {"base": "0.05", "strategy": "0.1", "evidence": "0.2", "social": "0.5"}
    debate = played(
        provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=3, rules={"persuasion_factors": factors}
    )

    assert set(Effect.objects.filter(turn__debate=debate).values_list("source", flat=True)) == {"factors"}
    assert len(set(Effect.objects.values_list("persuasion", flat=True))) > 1
    assert verify.verify().faults == ()
    assert Decimal(0) < Effect.objects.latest("id").persuasion
    assert any("the effect of turn" in one for one in lie(Effect, "persuasion = 0.5"))
    told = lie(ParticipantState, "number = number + 7")
    assert any("is missing" in one for one in told)
    assert any("cannot be computed again" in one for one in told)


def test_a_debate_whose_words_were_erased_is_still_proved():
    debate = played(provider="scripted", script=MOVING, chairs=(MIRA, KONRAD), exchanges=2)
    debate.turns.filter(kind="response").update(text="")

    assert verify.verify().faults == ()
