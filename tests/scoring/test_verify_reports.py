"""What verify_ledger reports: how much it looked at, which debate, and what others prove with it."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from debates import event_log
from debates.models import Debate, Event, Participant, Round
from debates.types import News
from judging.engine import erasure
from judging.engine.erasure import Order
from scoring import state_proof, verify
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.services import accounts
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import acts, factories
from tests.scoring.history import opened, sql, tell

BEYOND = "override_beyond_the_threshold_is_approved_by_a_second_person"
pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def story() -> Evaluation:
    return tell()


def test_an_evaluation_that_is_gone_is_found_by_the_head_that_was_kept(story):
    kept = verify.heads()
    heads = verify.Heads(scores={**kept.scores, "00000000-0000-0000-0000-000000000000": (1, "ab")}, logs=kept.logs)

    assert [str(fault) for fault in verify.verify(heads=heads).faults] == [
        "evaluation 00000000-0000-0000-0000-000000000000: it is gone, though its head was kept"
    ]


def test_erased_words_and_names_leave_the_proof_whole(story):
    factories.over(story.debate)
    alice = User.objects.get(username="alice")
    root = factories.person("root", superuser=True)
    for target in (story.debate, alice):
        erasure.erase(order=Order(target=target, by=root, reason="Whoever it was asked for it."))

    assert not story.entries.exclude(reason=None).exclude(reason__text="", reason__salt="").exists()
    assert not story.entries.filter(actor__user_id=alice.pk).exclude(actor__name="").exists()
    assert verify.verify(debate_id=story.debate_id).faults == ()


def test_what_was_emptied_without_an_erasure_that_says_so_is_found(story):
    reason, actor = story.entries.exclude(reason=None).values_list("reason", "actor").first()
    sql("ALTER TABLE scoring_reason DISABLE TRIGGER USER")
    sql("ALTER TABLE scoring_actor DISABLE TRIGGER USER")
    sql(f"UPDATE scoring_reason SET text = '', salt = '' WHERE id = {reason}")
    sql(f"UPDATE scoring_actor SET name = '', role = '' WHERE id = {actor}")

    assert {(fault.row, fault.what) for fault in verify.verify().faults} == {
        (f"reason {reason}", "the row is not what was sealed"),
        (f"actor {actor}", "the row is not what was sealed"),
    }


def test_one_debate_can_be_proved_apart(story):
    other = factories.criterion(key="P3")
    connection.check_constraints()
    sql("ALTER TABLE scoring_evaluation DISABLE TRIGGER USER")
    sql("UPDATE scoring_evaluation SET moderation_version = 5 WHERE key = 'P1'")

    assert verify.verify(debate_id=other.debate_id) == verify.Report(evaluations=1, entries=1, faults=())
    assert len(verify.verify(debate_id=story.debate_id).faults) == 1


@pytest.mark.parametrize(
    ("place", "key", "what"),
    [
        ("P1", "P1", set()),
        ("P1", "P2", {"its key is not that of its thread"}),
        ("P9", "P9", {"it is of no criterion of its debate"}),
    ],
)
def test_an_account_that_no_thread_or_no_criterion_has_is_found(place, key, what):
    debate = factories.debate(parameters={"rubric": {"criteria": [{"code": "P1"}, {"code": "P2"}]}})
    about = {"instrument": Instrument.CRITERION.value, "initial_score": Decimal(6), "initial_confidence": Decimal(1)}
    thread = factories.thread(debate, key=place)
    evaluation = Evaluation(debate=debate, thread=thread, key=key, name="Nobody's", **about)

    accounts.open_criterion(evaluation=evaluation)

    assert {fault.what for fault in verify.verify().faults} == what


def test_a_panels_score_of_no_criterion_is_found():
    debate = factories.debate(parameters={"rubric": {"criteria": [{"code": "P1"}]}})
    of_nothing, _ = (factories.panel(debate, key=key) for key in ("P9", "P1"))

    faults = [fault for fault in verify.verify().faults if "criterion" in fault.what]

    assert [(fault.evaluation, fault.what) for fault in faults] == [
        (str(of_nothing.public_id), "it is of no criterion of its debate")
    ]


def test_another_app_may_prove_what_it_keeps(story):
    asked = []

    def verifier(debate_id: int | None) -> list[verify.Fault]:
        asked.append(debate_id)
        return [verify.Fault("", None, "a standing is not what its effects give")]

    verify.also(verifier)
    try:
        faults = verify.verify(debate_id=story.debate_id).faults
    finally:
        verify._further.remove(verifier)

    assert asked == [story.debate_id]
    assert [str(fault) for fault in faults] == ["no evaluation: a standing is not what its effects give"]


@pytest.mark.parametrize(
    ("table", "column"), [("debates_debate", "started_at"), ("debates_event", "at"), ("scoring_fact", "at")]
)
def test_a_debate_with_a_time_that_nobody_can_read_is_named_and_the_others_are_proved(story, table, column):
    other = factories.criterion(key="P3")
    connection.check_constraints()
    for name in (table, "scoring_evaluation"):
        sql(f"ALTER TABLE {name} DISABLE TRIGGER USER")
    sql(f"ALTER TABLE {table} DROP CONSTRAINT time_can_be_read")
    where = {"debates_debate": "id = {0.debate_id}", "debates_event": "debate_id = {0.debate_id}"}
    sql(f"UPDATE {table} SET {column} = '-infinity' WHERE " + where.get(table, "evaluation_id = {0.pk}").format(story))
    sql("UPDATE scoring_evaluation SET moderation_version = 5 WHERE key = 'P3'")

    report = verify.verify(heads=verify.heads())

    assert not [fault for fault in report.faults if "it is gone" in fault.what]
    assert report.evaluations == (1 if table != "debates_event" else 3)
    assert {
        (str(story.debate.public_id), "", "something of it cannot be read (DataError)"),
        ("", str(other.public_id), "the moderation version is another"),
    } <= {(fault.debate, fault.evaluation, fault.what) for fault in report.faults}


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ("(repeat('[', 3000) || repeat(']', 3000))::jsonb", "RecursionError"),
        ("to_jsonb(repeat('7', 5000)::numeric)", "ValueError"),
    ],
)
def test_a_debate_with_a_document_that_nobody_can_read_is_named_and_the_others_are_proved(story, document, error):
    other = factories.criterion(key="P3")
    connection.check_constraints()
    for name in ("scoring_fact", "scoring_evaluation"):
        sql(f"ALTER TABLE {name} DISABLE TRIGGER USER")
    sql("ALTER TABLE scoring_fact DROP CONSTRAINT document_can_be_read")
    sql(f"UPDATE scoring_fact SET parts = jsonb_build_object('x', {document}) WHERE evaluation_id = {story.pk}")
    sql("UPDATE scoring_evaluation SET moderation_version = 5 WHERE key = 'P3'")

    assert {
        (str(story.debate.public_id), "", f"something of it cannot be computed again ({error})"),
        ("", str(other.public_id), "the moderation version is another"),
    } <= {(fault.debate, fault.evaluation, fault.what) for fault in verify.verify().faults}


def test_a_time_of_the_site_that_nobody_can_read_leaves_nothing_said_to_be_proved(story):
    connection.check_constraints()
    sql("ALTER TABLE debates_block DISABLE TRIGGER USER")
    sql("ALTER TABLE debates_block DROP CONSTRAINT time_can_be_read")
    sql("UPDATE debates_block SET at = '-infinity' WHERE chain = 0")

    assert "what is of no debate was not proved (DataError)" in {fault.what for fault in verify.verify().faults}


@pytest.mark.parametrize(("sequence", "day"), [(2, "day"), (12, "hour")])
def test_an_entry_that_is_dated_before_what_it_follows_is_found(story, sequence, day):
    connection.check_constraints()
    sql("ALTER TABLE scoring_scorechange DISABLE TRIGGER USER")
    sql(
        f"UPDATE scoring_scorechange SET at = at - interval '1 {day}'"
        f" WHERE sequence = {sequence} AND evaluation_id = {story.pk}"
    )

    faults = {(fault.entry, fault.what) for fault in verify.verify().faults}
    assert (sequence, "it is dated before the entry before it, or its debate") in faults


def test_an_entry_is_dated_after_what_it_follows_whatever_the_clock_says(story):
    connection.check_constraints()
    sql("ALTER TABLE debates_debate DISABLE TRIGGER USER")
    sql("UPDATE debates_debate SET created_at = now() + interval '1 day' WHERE id = %(of)s", of=story.debate_id)

    late = factories.criterion(story.debate, key="P9")

    late.debate.refresh_from_db()
    assert late.entries.get().at == late.debate.created_at


def test_an_honest_history_has_no_faults(story):
    heads = verify.heads()
    report = verify.verify(heads=heads)

    assert (report.evaluations, report.entries, report.faults) == (2, 13, ())
    assert (
        report.heads == len(heads.scores) + len(heads.logs) == 4
    )  # two scores, their debate, and what belongs to none


def test_an_account_that_was_opened_behind_the_guards_when_its_debate_had_ended_is_named():
    debate = factories.debate()
    in_play = factories.criterion(debate, key="P1")
    connection.check_constraints()
    factories.over(debate)
    connection.check_constraints()
    for guard in ("10_open", "15_opened"):
        sql(f"ALTER TABLE scoring_evaluation DISABLE TRIGGER evaluation_{guard}")

    late = factories.criterion(debate, key="P2")

    named = [(fault.row, fault.found) for fault in verify.verify().faults if "had ended" in fault.what]
    assert named == [(f"thread {late.thread_id}", "concluded"), (f"evaluation {late.pk}", "concluded")]
    assert in_play.pk != late.pk


def test_a_round_that_counted_in_a_debate_that_had_ended_is_named_also_where_its_status_changed_for_that_moment():
    evaluation = factories.criterion()
    factories.count(evaluation, "1")
    connection.check_constraints()
    factories.over(evaluation.debate)
    connection.check_constraints()
    Debate.objects.update(status="running")
    factories.count(evaluation, "1")
    Debate.objects.update(status="concluded")

    faults = [(fault.row, fault.what, fault.found) for fault in verify.verify().faults]

    added = [(model, model.objects.latest("pk").pk) for model in (Round, Fact, ScoreChange)]
    assert sorted(faults) == sorted(
        (f"{model._meta.verbose_name} {pk}", "it was added when its debate had ended", "concluded")
        for model, pk in added
    )


def test_what_is_played_again_after_the_end_has_no_fault(alice):
    evaluation = factories.criterion()
    factories.count(evaluation, "1")
    connection.check_constraints()
    factories.over(evaluation.debate)
    connection.check_constraints()
    acts.strike(order=factories.order(evaluation, alice), facts=evaluation.basis, now=timezone.now())
    connection.check_constraints()
    factories.again(evaluation.debate)
    connection.check_constraints()
    factories.count(evaluation, "1")
    connection.check_constraints()
    factories.over(evaluation.debate)

    assert verify.verify().faults == ()


def test_a_participant_that_came_behind_the_guards_after_its_debate_is_named():
    debate = factories.debate()
    first = factories.arbiter(debate)
    connection.check_constraints()
    sql("ALTER TABLE debates_participant DISABLE TRIGGER participant_15_comes")
    late = Participant.objects.create(debate=debate, role="chair", kind="human", name="Zed")
    connection.check_constraints()
    sql("ALTER TABLE debates_seal DISABLE TRIGGER USER")
    sql(f"UPDATE debates_seal SET batch = 0 WHERE relation = 'debates_participant' AND key = {late.pk}")

    named = [(fault.row, fault.found) for fault in verify.verify().faults if "came" in fault.what]
    assert named == [(f"participant {late.pk}", "later")]
    assert first.pk != late.pk


def test_an_event_that_was_dated_ahead_behind_the_guards_is_named(story):
    connection.check_constraints()
    sql("ALTER TABLE debates_event DISABLE TRIGGER event_20_reached")
    for kind, at in (("debate:paused", "'9999-12-29'"), ("debate:resumed", "at")):  # the second follows the first
        sql(f"UPDATE debates_eventhead SET seq = seq + 1, at = {at} WHERE debate_id = {story.debate_id}")
        sql(
            "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
            f" SELECT debate_id, seq, '{kind}', 'public', '{{}}', at FROM debates_eventhead"
            f" WHERE debate_id = {story.debate_id}"
        )
        connection.check_constraints()
    [first, _] = Event.objects.filter(debate=story.debate_id).order_by("-seq").values_list("seq", flat=True)[:2][::-1]

    assert [(fault.row, fault.what) for fault in verify.verify().faults] == [
        (f"event {first}", "it is dated after it was written")
    ]


def test_a_clock_that_is_years_ahead_dates_no_event():
    debate = factories.debate()
    now = timezone.now()

    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=now + timedelta(days=3650))

    assert debate.events.get().at < now + timedelta(days=2)


def test_a_debate_of_nobody_that_was_given_to_somebody_has_no_fault(story):
    connection.check_constraints()

    Debate.objects.filter(pk=story.debate_id).update(created_by=factories.person("bob"))

    assert verify.verify().faults == ()


def test_what_one_person_brings_from_nothing_is_measured_from_nothing(settings):
    settings.SECOND_PERSON_FROM = None
    evaluation = opened(Instrument.ADHERENCE, "0", "0")
    [late] = factories.count(evaluation, Given(FactKind.RESPONSE, Decimal(40))).facts
    alice, bob = factories.moderator(), factories.moderator("bob")
    acts.strike(order=factories.order(evaluation, bob), facts=[late.pk], now=timezone.now())
    acts.reinstate(order=factories.order(evaluation, alice), facts=[late.pk], now=timezone.now())
    acts.override(order=factories.order(evaluation, alice), value="21", now=timezone.now())
    assert evaluation.entries.get(kind="override").computed_alone == 0
    sql("ALTER TABLE scoring_scorechange DISABLE TRIGGER USER")
    sql(f"ALTER TABLE scoring_scorechange DROP CONSTRAINT {BEYOND}")

    sql("UPDATE scoring_scorechange SET second_person_from = 5 WHERE kind = 'override'")

    assert (5, "nobody approved an override beyond the threshold") in {
        (fault.entry, fault.what) for fault in verify.verify().faults
    }


def test_a_role_that_has_bytes_printed_otherwise_leaves_the_proof_whole(story):
    sql("SET LOCAL bytea_output = 'escape'")

    assert verify.verify().faults == ()


@pytest.mark.parametrize("standing", state_proof.STANDINGS, ids=lambda standing: f"{standing.called}: {standing.what}")
def test_the_proof_of_one_debate_reads_no_log_of_another(standing):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN (FORMAT JSON) " + standing.query.replace("%s", "7"))
        [[plan]] = cursor.fetchone()

    looks = list(conditions_on_logs(plan["Plan"]))
    assert bool(looks) == ("debates_event" in standing.query)
    assert [condition for condition in looks if "debate_id = " not in condition] == []


def conditions_on_logs(node: dict) -> Iterator[str]:
    """By what a plan finds the rows of the log."""
    if node.get("Relation Name") == "debates_event":
        yield node.get("Index Cond") or node.get("Recheck Cond") or ""
    for inner in node.get("Plans", ()):
        yield from conditions_on_logs(inner)
