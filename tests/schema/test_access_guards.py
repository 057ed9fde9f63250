"""Every guard of keys, webhooks, deliveries and seats, broken on purpose."""

import pytest

from tests.schema.attacks import attack, change, copy, refused_by, remove, table

pytestmark = pytest.mark.django_db
KEY, NOTE, HOOK, DELIVERY = "debates_apikey", "debates_idempotencykey", "debates_webhook", "debates_delivery"
SEAT = "debates_participant"
OTHER = {"prefix": "'moot_3'", "digest": "repeat('c', 64)"}


@table(
    attack("api_key_prefix_once", "a prefix twice", copy(KEY, "{api_key}")),
    attack("api_key_digest_is_one", "the key itself", copy(KEY, "{api_key}", **{**OTHER, "digest": "'moot_3abc'"})),
    attack("api_key_scopes_are_known", "no scope", copy(KEY, "{api_key}", **OTHER, scopes="'{{}}'")),
    attack("api_key_scopes_are_known", "a strange scope", copy(KEY, "{api_key}", **OTHER, scopes="'{{root}}'")),
    attack(
        "api_key_expires_after_it_begins",
        "an end before the beginning",
        copy(KEY, "{api_key}", **OTHER, expires_at="created_at - interval '1 day'"),
    ),
    attack("api_key_keeps_its_secret_and_scopes", "more scopes", change(KEY, "{api_key}", scopes="'{{read,write}}'")),
    attack("api_key_keeps_its_secret_and_scopes", "another digest", change(KEY, "{api_key}", digest="repeat('c', 64)")),
    attack(
        "api_key_keeps_its_secret_and_scopes", "a longer life", change(KEY, "{api_key}", expires_at="now()+'1 day'")
    ),
    attack("api_key_revoked_stays_so", "a revoked key again", change(KEY, "{revoked_key}", revoked_at="NULL")),
    attack("api_key_is_kept", "a key that never was", remove(KEY, "{api_key}")),
    attack("api_key_is_kept", "no keys any more", f"TRUNCATE {KEY} CASCADE"),
)
def test_an_api_key_is_guarded(attempt, world):
    assert refused_by(attempt, world) == attempt.guard


@table(
    attack("idempotency_key_once_per_caller", "a key twice", copy(NOTE, "{answered}")),
    attack("idempotency_key_is_a_digest", "a caller's own words", copy(NOTE, "{answered}", key="'for Zanzibar'")),
    attack(
        "idempotency_key_keeps_successes",
        "a refusal kept",
        copy(NOTE, "{answered}", key="repeat('b', 64)", status="409"),
    ),
    attack(
        "idempotency_key_answer_is_sealed",
        "an answer to read",
        copy(NOTE, "{answered}", key="repeat('b', 64)", body="'[]'"),
    ),
    attack("idempotency_key_answers_once", "another answer", change(NOTE, "{answered}", body="'[]'")),
)
def test_an_idempotency_key_is_guarded(attempt, world):
    assert refused_by(attempt, world) == attempt.guard


@table(
    attack("webhook_state_is_known", "a strange state", copy(HOOK, "{webhook}", state="'asleep'")),
    attack("webhook_secret_is_sealed", "no secret", copy(HOOK, "{webhook}", secret="''")),
    attack("webhook_secret_is_sealed", "a secret to read", copy(HOOK, "{webhook}", secret="'whsec_b'")),
    attack(
        "webhook_former_secret_is_sealed",
        "a former secret to read",
        copy(HOOK, "{webhook}", former_secret="'whsec_b'", former_until="now()"),
    ),
    attack("webhook_former_secret_ends", "a former secret for ever", copy(HOOK, "{webhook}", former_secret="'gAAAAb'")),
    attack("webhook_disabled_says_why", "disabled without a word", change(HOOK, "{webhook}", state="'disabled'")),
    attack("webhook_keeps_its_owner", "another debate", change(HOOK, "{webhook}", debate_id="{debate}")),
)
def test_a_webhook_is_guarded(attempt, world):
    assert refused_by(attempt, world) == attempt.guard


@table(
    attack(
        "delivery_state_is_known",
        "a strange state",
        change(DELIVERY, "{delivery}", state="'lost'", due_at="NULL", settled_at="now()"),
    ),
    attack("delivery_once_per_webhook_and_event", "an event twice", copy(DELIVERY, "{delivery}")),
    attack(
        "delivery_waits_until_settled", "delivered, and still due", change(DELIVERY, "{delivery}", state="'delivered'")
    ),
    attack("delivery_is_of_an_event_or_a_test", "a test of an event", copy(DELIVERY, "{delivery}", tested_at="now()")),
    attack("delivery_is_of_an_event_or_a_test", "of nothing", copy(DELIVERY, "{delivery}", event_id="NULL")),
    attack("delivery_keeps_what_it_is", "another event", change(DELIVERY, "{delivery}", event_id="{last_event}")),
)
def test_a_delivery_is_guarded(attempt, world):
    assert refused_by(attempt, world) == attempt.guard


@table(
    attack(
        "engine_participant_has_no_seat",
        "a person on the engine's seat",
        change(SEAT, "{participant}", user_id="{user}"),
    ),
    attack("seat_is_taken_once", "somebody unseated", change(SEAT, "{seat}", user_id="NULL")),
    attack("invitation_number_only_grows", "an old invitation again", change(SEAT, "{seat}", invitation="0")),
)
def test_a_seat_is_guarded(attempt, world):
    assert refused_by(attempt, world) == attempt.guard
