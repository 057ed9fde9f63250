"""Scores of the other instruments on the same ledger: adherence adds up, panels and standings take the newest round."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from debates.errors import Invalid
from scoring import selectors, verify
from scoring.enums import ActorKind, EntryKind, HeldChoice
from scoring.models import Evaluation
from scoring.rules import transitions
from scoring.services import accounts, rounds
from scoring.services.entries import Author, actor_of, post, reason_record, state_of
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import acts, factories
from tests.scoring.history import KINDS, opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("proof")]
NOW = timezone.now()


@transaction.atomic
def count(row: Evaluation, *amounts: str, number: int) -> None:
    [locked] = accounts.lock(evaluations=[row.pk])
    kind = KINDS[Instrument(row.instrument)]
    given = [Given(kind, Decimal(amount)) for amount in amounts]
    rounds.count(evaluation=locked, round=factories.round_of(locked, number=number), new_facts=given, now=NOW)
    row.refresh_from_db()


def test_adherence_opens_in_a_round_with_its_first_response_and_is_the_mean_of_all():
    row = opened(Instrument.ADHERENCE, "70", "70", number=1)
    assert (row.final_score, row.debate_round_count, row.confidence) == (70, 1, None)

    count(row, "75.25", number=2)
    count(row, "80", number=3)

    assert (row.final_score, len(row.basis), row.debate_round_count) == (Decimal("75.08"), 3, 3)


def test_a_panel_opens_before_the_first_round_and_takes_the_scores_of_the_newest():
    row = opened(Instrument.PANEL, "3.3333", "3", "4", "3")
    assert (row.final_score, row.debate_round_count) == (Decimal("3.3333"), 0)

    count(row, "4", "4", "5", number=1)

    assert (row.final_score, len(row.basis)) == (Decimal("4.3333"), 3)


def test_a_standing_takes_the_newest_snapshot():
    row = opened(Instrument.STANDING, "0", "0")

    count(row, "12.123456", number=1)
    count(row, "-50", number=2)

    assert (row.final_score, len(row.basis)) == (-50, 1)


@pytest.mark.parametrize("instrument", [Instrument.PANEL, Instrument.STANDING])
def test_of_held_rounds_the_newest_is_applied(instrument):
    row = opened(instrument, "1", "1")
    alice = factories.moderator()
    acts.freeze(order=factories.order(row, alice, seen=None), now=NOW)
    count(row, "2", number=1)
    count(row, "3", number=2)
    assert (row.final_score, len(row.held)) == (1, 2)

    acts.unfreeze(order=factories.order(row, alice), choice=HeldChoice.APPLY, now=NOW)

    row.refresh_from_db()
    assert (row.final_score, len(row.basis), row.held) == (3, 1, [])


def test_held_responses_are_all_applied():
    row = opened(Instrument.ADHERENCE, "10", "10", number=1)
    alice = factories.moderator()
    acts.freeze(order=factories.order(row, alice, seen=None), now=NOW)
    count(row, "20", number=2)
    count(row, "60", number=3)

    acts.unfreeze(order=factories.order(row, alice), choice=HeldChoice.APPLY, now=NOW)

    row.refresh_from_db()
    assert row.final_score == 30


def test_a_panel_without_a_judge_left_is_unevaluated_until_one_is_reinstated():
    row = opened(Instrument.PANEL, "4", "3", "5")
    alice = factories.moderator()
    both = list(row.basis)

    acts.strike(order=factories.order(row, alice), facts=both, now=NOW)
    row.refresh_from_db()
    assert (row.final_score, row.counted, row.value) == (None, True, 4)

    acts.reinstate(order=factories.order(row, alice), facts=both[:1], now=NOW)
    row.refresh_from_db()
    assert row.final_score == 3


def reinstate(row: Evaluation, by: User, *facts: int) -> Decimal | None:
    acts.reinstate(order=factories.order(row, by), facts=facts, now=NOW)
    row.refresh_from_db()
    return row.final_score


def test_a_panels_score_never_mixes_rounds():
    row = opened(Instrument.PANEL, "2", "1", "2", "3")
    first, alice = list(row.basis), factories.moderator()
    count(row, "4", "5", number=1)
    second = list(row.basis)
    assert (selectors.left_out(evaluation=row), selectors.reinstatable(evaluation=row)) == (set(first), set())
    with pytest.raises(Invalid, match="of the panel's present round that do not count; 1 of the 1 given is not"):
        reinstate(row, alice, first[0])

    acts.strike(order=factories.order(row, alice), facts=second, now=NOW)
    with pytest.raises(Invalid, match="these facts are of rounds 0, 1"):
        reinstate(row, alice, first[0], second[0])

    assert reinstate(row, alice, second[1]) == 5
    assert selectors.reinstatable(evaluation=row) == {second[0]}
    assert reinstate(row, alice, second[0]) == Decimal("4.5")


@pytest.mark.parametrize("door", ["discard", "rollback"])
def test_a_newer_round_of_a_panel_is_not_put_beside_an_older_one(door):
    row = opened(Instrument.PANEL, "2", "2")
    alice = factories.moderator()
    if door == "discard":
        acts.freeze(order=factories.order(row, alice, seen=None), now=NOW)
        count(row, "4", number=1)
        newer = row.held[0]
        acts.unfreeze(order=factories.order(row, alice), choice=HeldChoice.DISCARD, now=NOW)
    else:
        count(row, "4", number=1)
        newer = row.basis[0]
        acts.roll_back(order=factories.order(row, alice), target=1, now=NOW)
        row.refresh_from_db()

    with pytest.raises(Invalid, match="of the panel's present round"):
        reinstate(row, alice, newer)

    acts.strike(order=factories.order(row, alice), facts=row.basis, now=NOW)
    assert reinstate(row, alice, newer) == 4


def test_the_proof_finds_a_panel_that_mixes_rounds():
    row = opened(Instrument.PANEL, "2", "2")
    count(row, "4", number=1)
    connection.check_constraints()

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE scoring_scorechange DISABLE TRIGGER entry_15_one_round")
        alice = factories.moderator()
        [locked] = accounts.lock(evaluations=[row.pk])
        facts = list(row.facts.values_list("pk", flat=True).order_by("pk"))
        state = transitions.reinstated(state_of(locked), facts=facts[:1])
        post(
            evaluation=locked, kind=EntryKind.REINSTATE, state=state,
            author=Author(ActorKind.MODERATOR, actor=actor_of(alice), reason=reason_record(factories.REASON)),
            facts=facts[:1],
        )  # fmt: skip
        fault, behind = verify.verify().faults
        transaction.set_rollback(True)

    assert str(fault).endswith("entry 3: it makes several rounds of a panel count: expected 1, found 2")
    assert behind.what == "the row was added while entry_15_one_round of scoring_scorechange was switched off"


def test_a_panel_settled_by_its_review_opens_without_facts():
    row = opened(Instrument.PANEL, "2.5")
    assert row.final_score is None

    acts.override(order=factories.order(row, factories.moderator()), value="2.5", now=NOW)

    row.refresh_from_db()
    assert row.final_score == Decimal("2.5")


def test_a_standing_is_not_struck():
    row = opened(Instrument.STANDING, "5", "5")

    with pytest.raises(Invalid, match="snapshot"):
        acts.strike(order=factories.order(row, factories.moderator()), facts=row.basis, now=NOW)


@pytest.mark.parametrize("instrument", [Instrument.ADHERENCE, Instrument.STANDING])
def test_an_account_that_is_judged_from_the_start_needs_a_fact(instrument):
    with pytest.raises(IntegrityError, match="this is not how"):
        opened(instrument, "5")


@pytest.mark.parametrize("instrument", list(KINDS))
def test_an_account_opens_at_what_its_first_facts_give(instrument):
    with pytest.raises(IntegrityError, match="this is not how"):
        opened(instrument, "4", "5")


@pytest.mark.parametrize("instrument", list(KINDS))
def test_only_a_criterion_is_rerun(instrument):
    row = opened(instrument, "5", "5")
    alice = factories.moderator()
    signed = Author(ActorKind.MODERATOR, actor=actor_of(alice), reason=reason_record(factories.REASON))
    [locked] = accounts.lock(evaluations=[row.pk])

    with pytest.raises(Invalid, match="criterion"), transaction.atomic():
        accounts.rerun(evaluation=locked, run=2, author=signed)
