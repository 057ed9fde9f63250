"""Scores with a history: one of nearly every kind of entry, and accounts of the other instruments."""

from decimal import Decimal

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from debates.models import Participant, Round
from scoring.enums import EntryKind, FactKind, HeldChoice
from scoring.models import Evaluation, Fact
from scoring.rules import transitions
from scoring.services.entries import ENGINE, post
from scoring.types import Instrument
from tests import acts, factories

NOW = timezone.now()
KINDS = {
    Instrument.ADHERENCE: FactKind.RESPONSE,
    Instrument.PANEL: FactKind.JUDGE_SCORE,
    Instrument.STANDING: FactKind.STANDING,
}


def tell() -> Evaluation:
    """Write entries 1 to 12, the last of them a freeze; and open a second score in the same debate."""
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "3", "3")
    factories.count(evaluation, "2", factories.verdict("0.5", "0.1"))
    freeze(evaluation, alice)
    factories.count(evaluation, "-1")
    acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)
    acts.override(order=factories.order(evaluation, alice), value="4", now=NOW)
    acts.lift(order=factories.order(evaluation, alice), now=NOW)
    acts.strike(order=factories.order(evaluation, alice), facts=evaluation.basis[:1], now=NOW)
    acts.reinstate(order=factories.order(evaluation, alice), facts=evaluation.basis[:1], now=NOW)
    acts.roll_back(order=factories.order(evaluation, alice), target=3, now=NOW)
    freeze(evaluation, alice)
    evaluation.refresh_from_db()
    factories.criterion(evaluation.debate, key="P2")
    connection.check_constraints()
    return evaluation


def freeze(evaluation: Evaluation, by: User) -> None:
    acts.freeze(order=factories.order(evaluation, by, seen=None), now=NOW)


def sql(statement: str, **values: object) -> None:
    """Run a statement past everything; what is deferred comes first, for a table with checks to come is not altered."""
    with connection.cursor() as cursor:
        if statement.startswith("ALTER TABLE"):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(statement, values or None)


@transaction.atomic
def opened(instrument: Instrument, initial: str, *amounts: str, number: int = 0, chair: str = "") -> Evaluation:
    """An account opened with the facts of one round, as whoever judges that instrument will open it."""
    debate = factories.debate()
    of = Participant.objects.create(debate=debate, role="chair", name=chair, provider="scripted") if chair else None
    row = Evaluation.objects.create(
        debate=debate, thread=factories.thread(debate), instrument=instrument.value, key="main", name="Bob",
        participant=of, initial_score=Decimal(initial),
    )  # fmt: skip
    facts: list[int] = []
    about: dict[str, object] = {}
    if amounts:
        played = factories.round_of(row, number=number)
        facts = [judged(row, played, amount).pk for amount in amounts]
        about = {"round_id": played.pk, "facts": facts}
    state = transitions.opened(instrument=instrument, facts=facts, in_a_round=bool(amounts) and number > 0)
    post(evaluation=row, kind=EntryKind.OPENED, state=state, author=ENGINE, **about)
    return Evaluation.objects.get(pk=row.pk)


def judged(row: Evaluation, played: Round, amount: str) -> Fact:
    kind = KINDS[Instrument(row.instrument)]
    return Fact.objects.create(
        evaluation=row, round=played, run_number=1, kind=kind.value, amount=Decimal(amount), at=NOW
    )
