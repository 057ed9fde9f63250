"""Erasing: every word goes, every score, entry and hash stays; and nobody's words but those that were meant."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.utils import timezone

from debates import stream
from debates.errors import Invalid, NotAllowedNow
from debates.models import ApiKey, Debate, Delivery, IdempotencyKey, Participant, Turn, Webhook
from debates.services import keys
from debates.types import News
from judging import outcomes
from judging.models import Call
from judging.services import control, erasure, repeats
from judging.services.erasing import words
from judging.services.erasing.words import ERASED, SIGNED, SPOKEN
from judging.services.erasure import Order
from judging.tables import spec
from scoring import verify
from scoring.models import Actor, Alert, Erasure, Evaluation, Reason, RescoreSet, ScoreChange
from scoring.services import moderation
from tests import factories, playing
from tests.judging.open import playing as open_debates
from tests.judging.open import scripts
from tests.judging.open.playing import KONRAD, MIRA

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "The person has asked for it."
CANARY = "Zanzibar"


@pytest.fixture
def alice() -> User:
    return factories.moderator("alice")


@pytest.fixture
def debate() -> Debate:
    """A debate that was played to its end, with the canary wherever somebody can write."""
    verdict = {**playing.ruling("1.5", "0.1"), "reasoning": f"As {CANARY} said."}
    answers = [
        {
            **one,
            "answer": json.loads(json.dumps(one["answer"]).replace("Because,", f"{CANARY},").replace("Why,", CANARY)),
        }
        for one in playing.script([[verdict]])
    ]
    made = playing.debate(answers, rounds=1)
    playing.work()
    made.refresh_from_db()
    assert made.status == "concluded"
    return made


def everything(*, but: str = "") -> str:
    """Whatever the database holds, as text."""
    found = []
    with connection.cursor() as cursor:
        for table in set(connection.introspection.table_names(cursor)) - {but}:
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')
            found += [row for (row,) in cursor.fetchall()]
    return "\n".join(found)


def erase(target: Debate | Participant | User, by: User) -> Erasure:
    return erasure.erase(order=Order(target=target, by=by, reason=WHY))


def test_no_word_of_an_erased_debate_is_left_anywhere_and_its_ledger_is_proved(debate, alice):
    evaluation = Evaluation.objects.get(debate=debate)
    order = factories.order(evaluation, alice, reason=f"{CANARY} misread it all.")
    moderation.override(order=order, value="4", now=timezone.now())
    IdempotencyKey.objects.create(
        owner=alice, key="k", digest="d", status=200, body=json.dumps({"id": str(debate.public_id), "x": CANARY})
    )
    heads = verify.heads()
    before = list(ScoreChange.objects.values("sequence", "value_after", "hash"))
    assert everything().count(CANARY) > 5

    erase(debate, alice)

    left = everything()
    assert CANARY not in left
    assert "district pays" not in left  # the subject
    assert "Wells" not in left  # the title
    assert list(ScoreChange.objects.values("sequence", "value_after", "hash")) == before
    assert verify.verify(heads=heads).faults == ()


def test_an_erasure_says_what_went_and_why(debate, alice):
    wanted = erasure.preview(target=debate)

    done = erase(debate, alice)

    assert done.counts == wanted
    assert done.counts["turns"] == debate.turns.count()
    assert (str(done.by), str(done.because), done.debate_id) == ("alice", WHY, debate.pk)
    assert erasure.preview(target=debate) == {}


def test_an_erasure_may_be_repeated_and_finds_nothing_more(debate, alice):
    erase(debate, alice)

    assert erase(debate, alice).counts == {}


def test_whoever_keeps_words_in_memory_is_told_to_forget_them(debate, alice):
    assert debate.head.erasures == 0

    erase(debate, alice)

    debate.head.refresh_from_db()
    assert debate.head.erasures == 1


@pytest.mark.parametrize("status", ["running", "paused", "scheduled", "concluding", "awaiting_review"])
def test_a_debate_that_is_not_over_keeps_its_words(status, alice):
    playing_on = factories.debate(status=status)

    with pytest.raises(NotAllowedNow):
        erase(playing_on, alice)

    assert Erasure.objects.count() == 0


def test_a_debate_without_its_words_is_not_played_again(debate, alice):
    erase(debate, alice)
    entries = ScoreChange.objects.count()

    with pytest.raises(NotAllowedNow, match="Words of this debate were erased, so it is not played"):
        repeats.rerun(debate_id=debate.pk, by=alice, reason=WHY, now=timezone.now())

    debate.refresh_from_db()
    assert (debate.status, ScoreChange.objects.count()) == ("concluded", entries)


def test_a_draft_without_its_words_is_not_started(alice):
    draft = factories.debate(status="draft")
    erase(draft, alice)

    with pytest.raises(NotAllowedNow, match="Words of this debate were erased"):
        control.start(debate_id=draft.pk, by=alice, now=timezone.now())

    draft.refresh_from_db()
    assert draft.status == "draft"


def test_an_erasure_needs_a_reason(debate, alice):
    with pytest.raises(Invalid):
        erasure.erase(order=Order(target=debate, by=alice, reason="because"))

    assert everything().count(CANARY) > 3


def test_a_subject_stays_while_another_debate_is_about_it(debate, alice):
    other = Debate.objects.create(format="criterion", title="Again", subject=debate.subject, parameters={})
    stream.open_stream(debate_id=other.pk)

    erase(debate, alice)
    assert other.subject is not None
    other.subject.refresh_from_db()
    assert other.subject.text == playing.SUBJECT

    erase(other, alice)
    other.subject.refresh_from_db()
    assert (other.subject.title, other.subject.text) == ("", "")


def chair(of: Debate, name: str, user: User | None = None) -> Participant:
    """Somebody who sits in a debate and has a score of their own."""
    return Participant.objects.create(debate=of, role="chair", kind="human", name=name, user=user, position=7)


def says(who: Participant, text: str) -> Turn:
    return Turn.objects.create(
        debate=who.debate, participant=who, kind="response", slot=f"turn {who.pk}", text=text, at=timezone.now()
    )


def test_one_voice_goes_and_the_others_stay(debate, alice):
    bob, charlie = chair(debate, "Bob Stone"), chair(debate, "Charlie")
    gone, stays = says(bob, "I said so."), says(charlie, "I did not.")

    erase(bob, alice)

    for row in (bob, charlie, gone, stays):
        row.refresh_from_db()
    assert (bob.name, charlie.name) == ("[erased 4]", "Charlie")
    assert (gone.text, stays.text) == ("", "I did not.")
    assert Call.objects.exclude(raw_answer="").count() == 0  # a judge may have quoted anybody
    assert verify.verify().faults == ()


def test_a_score_loses_the_name_of_its_person_and_keeps_its_value(alice):
    held = factories.debate(status="running")
    bob = chair(held, "Bob Stone")
    score = factories.criterion(held)
    mine = factories.criterion(held, key="P2")
    sql("UPDATE scoring_evaluation SET participant_id = %s, name = 'Bob Stone' WHERE id = %s", bob.pk, mine.pk)
    staged = {"staged_by": Actor.objects.create(name="x"), "because": Reason.objects.create(salt="s" * 16, text=WHY)}
    lines = [{"id": row.pk, "evaluation": str(row.public_id), "name": str(row)} for row in (score, mine)]
    kept = RescoreSet.objects.create(action="freeze", lines=lines, **staged)
    Debate.objects.filter(pk=held.pk).update(status="concluded")

    erase(bob, alice)

    mine.refresh_from_db()
    kept.refresh_from_db()
    assert mine.name == "[erased 1]"
    assert [line["name"] for line in kept.lines] == [str(score), ERASED]


def sql(statement: str, *values: object) -> None:
    """Change what the guards protect, as only a test may."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE scoring_evaluation DISABLE TRIGGER USER")
        cursor.execute(statement, values)
        cursor.execute("ALTER TABLE scoring_evaluation ENABLE TRIGGER USER")
        for trigger in ("10_open", "15_opened", "20_guard", "21_renamed", "30_kept", "40_truncate"):
            cursor.execute(f"ALTER TABLE scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_{trigger}")


def test_a_chair_of_an_open_debate_loses_its_name_everywhere_and_what_it_came_to_stays(alice):
    held = open_debates.played(chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=2)
    before = outcomes.numbers(debate=held)
    chair_of = held.participants.get(name="Mirabel Stone")
    assert "Mirabel" in str(before)

    erase(chair_of, alice)

    held.refresh_from_db()
    after = outcomes.numbers(debate=held)
    assert json.loads(json.dumps(before, default=str).replace("Mirabel Stone", "[erased 1]")) == json.loads(
        json.dumps(after, default=str)
    )
    assert held.turns.filter(participant=chair_of).exclude(text="").count() == 0
    assert "Mirabel" not in everything(but="debates_turn")  # where others go on naming her
    assert verify.verify().faults == ()


def test_a_long_name_and_what_a_voice_was_given_to_say_go_with_it(alice, monkeypatch):
    monkeypatch.setattr(spec, "LONGEST_NAME", 80)
    name = "Mirabel Stone of the long and honourable house of the Stones by the river"
    answers = scripts.script({"purpose": "sum_up", "error": f"{name} is too much for us.", "permanent": True})
    chairs = (replace(MIRA, name=name), KONRAD)
    held = open_debates.played(provider="scripted", script=answers, chairs=chairs, exchanges=1)
    assert name in held.problem

    erase(held.participants.get(name=name), alice)

    assert set(Call.objects.filter(purpose="evaluate").values_list("about", flat=True)) == {"[erased 1]", "Konrad"}
    assert "Mirabel" not in everything(but="debates_turn")
    assert "ward must be safe" not in everything(but="debates_turn")  # of the script: others say it, too


def test_what_a_failed_judge_said_goes_from_the_alert_and_the_rest_of_its_evidence_stays(alice):
    answers = scripts.script({"purpose": "evaluate", "error": "Mirabel Stone is too much.", "permanent": True})
    held = open_debates.played(
        provider="scripted", script=answers, chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=1
    )
    kept = {one.pk: {**one.evidence} for one in Alert.objects.filter(debate=held)}
    assert {one.pop("why") for one in kept.values()} == {"Mirabel Stone is too much."}

    erase(held.participants.get(name="Mirabel Stone"), alice)

    assert {one.pk: one.evidence for one in Alert.objects.filter(debate=held)} == kept
    assert "Mirabel" not in everything(but="debates_turn")


def test_no_word_of_an_erased_open_debate_is_left(alice):
    held = open_debates.played(chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=2)

    erase(held, alice)

    left = everything()
    assert [word for word in ("Mirabel", "Konrad", "nurse", "vaccinated") if word in left] == []
    assert verify.verify().faults == ()


def test_a_person_goes_with_seats_reasons_signature_keys_hooks_and_account(debate, alice):
    bob = factories.moderator("bob.stone")
    User.objects.filter(pk=bob.pk).update(first_name="Bob", email="bob@example.org", last_name="Stone")
    EmailAddress.objects.create(user=bob, email="bob@example.org")
    seat = chair(debate, "Bob Stone", bob)
    said = says(seat, "Bob Stone speaks.")
    evaluation = Evaluation.objects.get(debate=debate)
    order = factories.order(evaluation, bob, reason="I am Bob Stone and know better.")
    moderation.override(order=order, value="4", now=timezone.now())
    key, text = keys.issue(owner=bob, by=None, name="Bob's phone", scopes=["read"], now=timezone.now())
    hook = Webhook.objects.create(owner=bob, url="https://bob.example.org/", secret="whsec_bob")
    stream.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    Delivery.objects.get_or_create(webhook=hook, event=debate.events.latest("seq"), defaults={"due_at": timezone.now()})

    erase(bob, alice)

    left = everything().lower()
    assert [word for word in ("bob", "stone", "whsec_bob") if word in left] == []
    said.refresh_from_db()
    hook.refresh_from_db()
    assert (said.text, hook.state) == ("", "disabled")
    assert keys.key_of(text=text, now=timezone.now()) is None
    assert ApiKey.objects.get(pk=key.pk).revoked_at is not None
    assert User.objects.get(pk=bob.pk).has_usable_password() is False
    assert verify.verify().faults == ()


def test_two_records_of_one_person_lose_their_names(debate, alice):
    bob = factories.person("bob")
    for role in ("Moderator", "Auditor"):
        Actor.objects.create(user=bob, name="bob", role=role)
        Actor.objects.create(user=bob, name="bobby", role=role)

    erase(bob, alice)

    assert list(Actor.objects.filter(user=bob).values_list("name", flat=True).distinct()) == [""]


def test_the_last_superuser_stays_and_nobody_erases_themselves(alice):
    bob = factories.person("bob")

    with pytest.raises(NotAllowedNow):
        erase(alice, bob)
    with pytest.raises(Invalid):
        erase(bob, bob)


def test_a_persons_words_in_a_debate_that_goes_on_keep_the_person_back(alice):
    bob = factories.person("bob")
    chair(factories.debate(status="running"), "Bob", bob)

    with pytest.raises(NotAllowedNow):
        erase(bob, alice)


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command("erase", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_shows_first_and_erases_when_told_so(debate, alice):
    where = ("--debate", str(debate.public_id))

    shown = told(*where)
    assert f"{debate.turns.count():>8}  turns would go\n" in shown
    assert debate.turns.exclude(text="").count() == debate.turns.count()

    assert f"{debate.turns.count():>8}  turns gone\n" in told(*where, "--yes", "--as", "alice", "--reason", WHY)
    assert debate.turns.exclude(text="").count() == 0
    assert told(*where).startswith("There is nothing left to erase.")
    assert told("--list").endswith(f"debate {debate.public_id}  alice: {WHY}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--debate", "4c1a3f66-3a0e-4d0c-8a5b-0d4ac9e9b3f5"], id="no such debate"),
        pytest.param(["--participant", "4c1a3f66-3a0e-4d0c-8a5b-0d4ac9e9b3f5"], id="no such participant"),
        pytest.param(["--person", "nobody"], id="no such person"),
        pytest.param(["--person", "alice", "--yes"], id="signed by nobody"),
        pytest.param(["--person", "alice", "--yes", "--as", "nobody"], id="signed by somebody unknown"),
        pytest.param(["--person", "alice", "--yes", "--as", "alice", "--reason", WHY], id="oneself"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(arguments, alice):
    with pytest.raises(CommandError):
        told(*arguments)


KEPT = {
    "debates.Debate": {"parameters", "partial_reason"},
    "debates.Event": {"type", "data"},
    "debates.Participant": {"provider", "model"},
    "debates.Thread": {"key", "ended_because"},
    "debates.Turn": {"slot", "strategy"},
    "debates.ApiKey": {"prefix", "digest"},
    "debates.IdempotencyKey": {"key", "digest"},
    "debates.Webhook": set(),
    "scoring.Evaluation": {"key", "category"},
    "scoring.Actor": {"role"},
    "scoring.Reason": {"digest"},
    "scoring.ScoreChange": {"held_choice", "reason_code", "idempotency_key"},
    "scoring.Alert": {"evidence", "facts_digest"},
    "scoring.Approval": {"reason_code", "idempotency_key"},
    "scoring.Erasure": {"counts"},
    "scoring.Fact": {"parts"},
    "scoring.RescoreSet": set(),
    "scoring.Rubric": {"slug", "name", "description"},
    "scoring.Criterion": {"code", "name", "category", "question", "high", "low"},
    "judging.Call": {"prompt_name", "prompt_digest", "provider", "model", "parameters"},
    "judging.Challenge": {"label", "persona"},
    "judging.Synthesis": {"numbers"},
    "judging.JudgeScore": {"key", "readings"},
    "judging.Verdict": {"readings"},
    "judging.Effect": {"readings"},
    "judging.ResponseEvaluation": {"readings", "digest"},
    "judging.Consensus": {"policy", "found"},
    "judging.Review": {"policy", "decisions"},
}
"""Columns that hold codes, numbers, ids and what the operator wrote, and so stay."""
TAKEN = {
    "debates.Debate": {"title", "motion", "problem", "stop_reason"},
    "debates.Subject": {"title", "text"},
    "debates.Participant": {"name"},
    "debates.ApiKey": {"name"},
    "debates.IdempotencyKey": {"body"},
    "debates.Webhook": {"url", "secret", "former_secret", "disabled_because"},
    "debates.Delivery": {"log"},
    "scoring.Evaluation": {"name"},
    "scoring.Actor": {"name"},
    "scoring.Reason": {"text", "salt"},
    "scoring.RescoreSet": {"lines"},
    "judging.Script": {"answers"},
    "judging.CachedJudgement": {"digest", "answer", "model", "holder"},
    **{one.model._meta.label: set(one.emptied) for one in SPOKEN},
    "judging.Call": {"raw_answer", "problem", "about"},
}


def test_every_column_that_can_hold_words_is_either_taken_or_known_to_stay():
    texts = (models.CharField, models.TextField, models.JSONField)
    found = {
        (model._meta.label, field.name)
        for app in ("debates", "scoring", "judging")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, texts) and not field.choices
    }
    known = {(label, name) for columns in (KEPT, TAKEN) for label, names in columns.items() for name in names}

    assert found == known, "say in judging/services/erasing what becomes of a new column, and here"


def test_every_reason_that_a_table_points_to_is_found_by_who_gave_it():
    pointing = {
        (model, field.name)
        for app in ("debates", "scoring", "judging")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Reason
    }

    assert pointing == {(model, reason) for model, _, reason, _ in SIGNED}
    assert words.ERASED == "[erased]"
