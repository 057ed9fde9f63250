"""Moderators and workers on the same scores at once: threads with connections of their own."""

import random
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from debates.errors import DomainError
from debates.models import Ballot, Participant, Round
from scoring import verify
from scoring.constraint_errors import guard_of
from scoring.enums import AlertState, EntryKind, FactKind, HeldChoice
from scoring.errors import Frozen, Stale
from scoring.models import Alert, Appeal, Conflict, Evaluation, Fact
from scoring.services import alerts, conflicts, moderation
from scoring.services.actions import Intent
from scoring.services.entries import actor_of, reason_record
from scoring.services.rounds import Given
from tests import acts, factories
from tests.judging import arbiter_seats
from tests.schema.attacks import run
from tests.schema.entries import entry
from tests.scoring.concurrency import NOW, at_once, count, moderate, opened, prepared, proved, until_somebody_waits

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
THREADS = 8


def test_moderators_and_workers_on_two_scores_lose_no_update_and_see_no_deadlock():
    debate = factories.debate()
    pair = [opened(debate, key) for key in ("P1", "P2")]
    people = [factories.moderator(f"moderator {number}") for number in range(THREADS)]
    waiting = [prepared(one, THREADS // 2) for one in pair]
    moderators = [
        lambda by=by, number=number: moderate(pair[number % 2], by, random.Random(number))
        for number, by in enumerate(people)
    ]
    workers = [
        lambda number=number: count(pair[number % 2], waiting[number % 2][number // 2], also=[pair[1 - number % 2].pk])
        for number in range(THREADS)
    ]

    results = at_once(*moderators, *workers)

    assert [result for result in results if isinstance(result, BaseException)] == []
    assert sum(results[:THREADS]) > 0
    for one in pair:
        assert one.entries.filter(kind__in=["round", "held"]).count() == THREADS // 2
    proved(*pair)


def test_a_whole_debate_rolled_back_while_its_scores_are_moderated_shows_no_deadlock():
    debate = factories.debate()
    pair = [opened(debate, key) for key in ("P1", "P2")]
    for one in pair:
        factories.count(one, "1")
    factories.over(debate)
    people = [factories.moderator(f"moderator {number}") for number in range(4)]

    def whole() -> object:
        """Roll it back, and unfreeze what somebody froze meanwhile, until it went through."""
        while True:
            with suppress(Frozen):
                return moderation.roll_back_debate(debate_id=debate.pk, by=people[0], reason=factories.REASON, now=NOW)
            for row in Evaluation.objects.filter(debate=debate, frozen_at__isnull=False):
                with suppress(DomainError):
                    acts.unfreeze(order=factories.order(row, people[0], seen=None), choice=HeldChoice.DISCARD, now=NOW)

    results = at_once(whole, whole, *(lambda n=n: moderate(pair[n % 2], people[n], random.Random(n)) for n in range(4)))

    assert [result for result in results if isinstance(result, BaseException)] == []
    assert results[:2] == [len(pair), len(pair)]
    proved(*pair)


def test_a_freeze_wins_every_race_against_rounds():
    evaluation = opened(factories.debate(), "P1")
    alice = factories.moderator()
    rows = prepared(evaluation, THREADS)
    order = factories.order(evaluation, alice, seen=None)

    results = at_once(
        lambda: acts.freeze(order=order, now=NOW), *(lambda row=row: count(evaluation, row) for row in rows)
    )

    assert [result for result in results if isinstance(result, BaseException)] == []
    kinds = list(evaluation.entries.values_list("kind", flat=True))
    frozen = kinds.index("freeze")
    assert kinds == ["opened", *["round"] * (frozen - 1), "freeze", *["held"] * (THREADS - frozen + 1)]
    row = Evaluation.objects.get(pk=evaluation.pk)
    assert (len(row.basis), len(row.held)) == (frozen - 1, THREADS - frozen + 1)
    proved(evaluation)


def test_of_overrides_that_saw_the_same_exactly_one_succeeds():
    evaluation = opened(factories.debate(), "P1")
    people = [factories.moderator(f"moderator {number}") for number in range(THREADS)]
    orders = [factories.order(evaluation, one) for one in people]

    results = at_once(
        *(
            lambda number=number, order=order: acts.override(order=order, value=str(number + 2), now=NOW)
            for number, order in enumerate(orders)
        )
    )

    refused = [result for result in results if isinstance(result, Stale)]
    assert len(refused) == THREADS - 1
    [winner] = [number for number, result in enumerate(results) if not isinstance(result, BaseException)]
    assert all(people[winner].username in str(refusal) for refusal in refused)
    assert Evaluation.objects.get(pk=evaluation.pk).final_score == winner + 2
    proved(evaluation)


def test_a_round_that_two_workers_count_is_counted_once():
    evaluation = opened(factories.debate(), "P1")
    [row] = prepared(evaluation, 1)

    results = at_once(*(lambda: count(evaluation, row) for _ in range(THREADS)))

    assert len([result for result in results if isinstance(result, DomainError)]) == THREADS - 1
    assert evaluation.facts.count() == 1
    proved(evaluation)


def test_people_who_act_for_the_first_time_at_once_are_one_actor_each():
    debate = factories.debate()
    scores = [opened(debate, f"P{number}") for number in range(THREADS)]
    alice = factories.moderator()

    results = at_once(
        *(lambda one=one: acts.freeze(order=factories.order(one, alice, seen=None), now=NOW) for one in scores)
    )

    assert [result for result in results if isinstance(result, BaseException)] == []
    assert len({one.entries.last().actor_id for one in scores}) == 1
    proved(*scores)


def test_a_proof_during_play_sees_one_moment_and_no_faults():
    debate = factories.debate()
    scores = [opened(debate, f"P{number}") for number in range(4)]
    waiting = {one.pk: prepared(one, 15) for one in scores}

    def play(one: Evaluation) -> None:
        for row in waiting[one.pk]:
            count(one, row)

    def prove() -> list[object]:
        return [verify.verify().faults for _ in range(10)]

    results = at_once(*(lambda one=one: play(one) for one in scores), prove, prove)

    assert results == [None] * 4 + [[()] * 10] * 2
    proved(*scores)


COMPLETED = """
INSERT INTO scoring_scorechange (evaluation_id, kind, confidence_after, computed_after, run_number, basis, held,
  frozen_after, counted_after, complete_after, rounds_after, facts, held_choice, actor_kind, reason_code,
  idempotency_key)
VALUES (%s, 'completed', 0.5, NULL, 1, '{}', '{}', false, false, true, 0, '{}', '', 'engine', '', '')
"""


def test_entries_that_nobody_took_a_lock_for_are_chained_one_after_the_other():
    evaluation = opened(factories.debate(), "P1")

    def insert() -> None:
        with connections["default"].cursor() as cursor:
            cursor.execute(COMPLETED, [evaluation.pk])

    results = at_once(*(insert for _ in range(THREADS)))

    assert results == [None] * THREADS
    proved(evaluation)


def test_a_fact_that_nobody_took_a_lock_for_does_not_slip_in_behind_its_round():
    evaluation = opened(factories.debate(), "P1")
    [row] = prepared(evaluation, 1)
    counted = threading.Event()

    def worker() -> None:
        with transaction.atomic():
            count(evaluation, row)
            counted.set()
            until_somebody_waits()

    def late() -> object:
        counted.wait(timeout=120)
        return Fact.objects.create(
            evaluation=evaluation, round=row, run_number=1, kind="verdict", amount=1, at=timezone.now()
        )

    _, refusal = at_once(worker, late)

    assert isinstance(refusal, IntegrityError)
    assert guard_of(refusal) == "fact_arrives_before_its_round_counts"
    proved(evaluation)


def test_two_who_let_held_verdicts_count_at_once_have_the_debate_looked_at_with_both():
    debate = factories.debate()
    people = [factories.moderator(name) for name in ("alice", "bob")]
    won = Given(FactKind.VERDICT, Decimal("0.1"), parts={"winner": "evaluator"})
    pair = [opened(debate, key) for key in ("P1", "P2")]
    for one in pair:
        acts.freeze(order=factories.order(one, people[0]), now=NOW)
        factories.count(one, *[won] * 4)
    factories.over(debate)
    orders = [factories.order(one, by) for one, by in zip(pair, people, strict=True)]
    applied, let_in = threading.Event(), Intent(EntryKind.UNFREEZE, choice=HeldChoice.APPLY)

    def first() -> None:
        with transaction.atomic():
            moderation.perform.service(order=orders[0], intent=let_in, now=NOW)
            applied.set()
            until_somebody_waits()

    def second() -> None:
        applied.wait(timeout=120)
        moderation.perform(order=orders[1], intent=let_in, now=NOW)

    assert at_once(first, second) == [None, None]
    assert [alert.evidence["verdicts"] for alert in Alert.objects.filter(code="one_sided")] == ["8"]
    proved(*pair)


def test_whoever_only_refers_to_a_score_does_not_deadlock_with_its_entries():
    """A foreign key takes a shared lock on the score; the ledger's own lock must live beside it."""
    evaluation = opened(factories.debate(), "P1")
    referring = threading.Barrier(2)
    with connections["default"].cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(conname, ', ') FROM pg_constraint"
            " WHERE conrelid = 'scoring_alert'::regclass AND contype = 'f'"
        )
        (refers,) = cursor.fetchone()

    def insert(code: str) -> None:
        with transaction.atomic():
            Alert.objects.create(
                debate=evaluation.debate,
                evaluation=evaluation,
                code=code,
                severity="info",
                evidence={},
                facts_digest="",
            )
            with connections["default"].cursor() as cursor:
                cursor.execute(f"SET CONSTRAINTS {refers} IMMEDIATE")
                referring.wait(timeout=120)
                cursor.execute(COMPLETED, [evaluation.pk])

    results = at_once(lambda: insert("no_effect"), lambda: insert("net_capped"))

    assert results == [None, None]
    proved(evaluation)


def test_of_whoever_opens_an_account_and_whoever_ends_the_debate_meanwhile_one_sees_the_other():
    debate = factories.debate()
    opened(debate, "P1")

    @transaction.atomic
    def opens_too_late() -> None:
        opened(debate, "P2")
        at_once(lambda: factories.over(debate))

    with pytest.raises(IntegrityError) as refusal:
        opens_too_late()

    assert guard_of(refusal.value) == "evaluation_is_opened_while_its_debate_lasts"
    proved(*Evaluation.objects.all())


def refused_after(first: Sequence[str], then: str, world: Mapping[str, object]) -> str | None:
    """Do something, have somebody wait for its commit with another statement, and return which guard refuses that."""

    def attempt() -> None:
        run(then, world)

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            for statement in first:
                run(statement, world)
            waiting = pool.submit(at_once, attempt)
            until_somebody_waits()
        [refusal] = waiting.result()
    assert isinstance(refusal, IntegrityError)
    return guard_of(refusal)


def test_of_whoever_breaks_a_seal_and_gets_a_seat_beside_it_meanwhile_one_sees_the_other():
    with transaction.atomic():
        debate = factories.debate(parameters={"panel": {"policy": {"amend": True}}})
        judge, free = (
            Participant.objects.create(debate=debate, role="judge", kind="human", name=f"J{number}", position=number)
            for number in (1, 2)
        )
    played = factories.panel(debate).facts.order_by("pk")[0].round
    ballot = Ballot.objects.create(round=played, participant=judge, answer="{}", at=NOW)
    person = factories.moderator("alice")
    world = {
        "debate": debate.pk, "round": played.pk, "seat": free.pk, "ballot": ballot.pk, "person": person.pk,
        "actor": actor_of(person).pk, "reason": reason_record(factories.REASON).pk,
    }  # fmt: skip

    guard = refused_after(
        [
            "UPDATE debates_participant SET user_id = {person} WHERE id = {seat}",
            (
                "INSERT INTO debates_ballot (public_id, round_id, participant_id, number, answer, at)"
                " VALUES (gen_random_uuid(), {round}, {seat}, 1, '{{}}', now())"
            ),
        ],
        "INSERT INTO scoring_brokenseal (public_id, debate_id, ballot_id, person_id, by_id, because_id)"
        " VALUES (gen_random_uuid(), {debate}, {ballot}, {person}, {actor}, {reason})",
        world,
    )

    assert guard == "no_party_moderates_its_debate"


def test_of_whoever_ends_a_thread_and_waits_for_a_turn_in_it_meanwhile_one_sees_the_other():
    with transaction.atomic():
        thread = factories.thread(factories.debate())
        seat = Participant.objects.create(debate=thread.debate, role="chair", kind="human", name="Ann", position=1)
        played = Round.objects.create(thread=thread, run_number=1, number=1, opened_at=NOW)
    world = {"thread": thread.pk, "round": played.pk, "seat": seat.pk}

    guard = refused_after(
        ["UPDATE debates_thread SET status = 'complete', ended_because = 'all_rounds_played' WHERE id = {thread}"],
        "INSERT INTO debates_awaitedturn (public_id, round_id, participant_id, kind, number, at, deadline)"
        " VALUES (gen_random_uuid(), {round}, {seat}, 'response', 1, now(), now() + interval '1 hour')",
        world,
    )

    assert guard == "turn_is_awaited_while_its_thread_is_played"


def test_of_whoever_decides_an_appeal_by_an_act_and_outdoes_the_act_meanwhile_one_sees_the_other():
    score = opened(factories.debate(), "P1")
    loser, decider, dora = (factories.moderator(name) for name in ("loser", "decider", "dora"))
    acts.override(order=factories.order(score, loser), value="4", now=NOW)
    appealed, because = score.entries.get(kind="override"), reason_record(factories.REASON)
    appeal = Appeal.objects.create(
        debate=score.debate, ground="other", evidence={}, person=dora, appellant=actor_of(dora), because=because,
        entry=appealed,
    )  # fmt: skip
    reasons = {name: reason_record(f"It is for {name}.").pk for name in ("the act", "the decision", "another value")}
    world = {
        "score": score.pk, "appeal": appeal.pk, "loser": actor_of(loser).pk, "decider": actor_of(decider).pk,
        **{name.split()[-1]: reason for name, reason in reasons.items()},
    }  # fmt: skip
    run(
        entry(EntryKind.OVERRIDE_LIFTED, on="{score}", actor_id="{decider}", reason_id="{act}", reason_code="'appeal'"),
        world,
    )
    run(
        "UPDATE scoring_appeal SET state = 'claimed', claimed_by_id = {decider},"
        " lease_until = now() + interval '30 minutes' WHERE id = {appeal}",
        world,
    )

    guard = refused_after(
        [
            (
                "UPDATE scoring_appeal SET state = 'allowed', claimed_by_id = NULL, lease_until = NULL,"
                " decided_by_id = {decider}, decided_because_id = {decision}, decided_at = now(),"
                " act_id = (SELECT max(id) FROM scoring_scorechange) WHERE id = {appeal}"
            )
        ],
        entry(
            EntryKind.OVERRIDE,
            on="{score}",
            actor_id="{loser}",
            reason_id="{value}",
            override_after="4",
            computed_alone="computed_score",
        ),
        world,
    )

    assert guard == "appeal_is_not_undone_by_who_lost_it"


def test_a_declaration_is_withdrawn_while_somebody_else_dismisses_its_alert():
    debate = arbiter_seats.waits()
    judge, root, eve = arbiter_seats.sit(debate), factories.moderator("root"), factories.moderator("eve")
    why = {"reason": factories.REASON, "now": NOW}
    declared = conflicts.declare(debate_id=debate.pk, by=root, username=judge.username, **why)
    alert = Alert.objects.get(code="judge_failed")

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            alerts.handle.service(alert_ids=[alert.pk], by=eve, state=AlertState.DISMISSED, **why)
            withdrawn = pool.submit(at_once, lambda: conflicts.withdraw(conflict_id=declared.pk, by=root, **why))
            until_somebody_waits()
        [outcome] = withdrawn.result()

    alert.refresh_from_db()
    assert (type(outcome), alert.handled_by.user) == (Conflict, eve)
