"""Every guard of keys, webhooks, deliveries, seats, invitations and roles, broken on purpose."""

import pytest

from tests.schema.attacks import attack, change, copy, refusal_test, remove

pytestmark = pytest.mark.django_db
KEY, NOTE, HOOK, DELIVERY = "debates_apikey", "debates_idempotencykey", "debates_webhook", "debates_delivery"
SEAT, MAIL = "debates_participant", "debates_mail"
INVITATION, ACCEPTANCE = "debates_invitation", "debates_acceptance"
MEMBERSHIP, PROFILE = "debates_membership", "debates_profile"
OTHER = {"prefix": "'moot_3'", "digest": "repeat('c', 64)"}

test_an_api_key_is_guarded = refusal_test(
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

test_an_idempotency_key_is_guarded = refusal_test(
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

test_a_webhook_is_guarded = refusal_test(
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
    attack("webhook_keeps_its_owner", "another debate", change(HOOK, "{webhook}", debate_id="{draft}")),
)

test_a_delivery_is_guarded = refusal_test(
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
    attack("delivery_keeps_what_it_is", "another event", change(DELIVERY, "{delivery}", event_id="{event}")),
)

test_a_seat_is_guarded = refusal_test(
    attack(
        "engine_participant_has_no_seat",
        "a person on the engine's seat",
        change(SEAT, "{participant}", user_id="{user}"),
    ),
    attack("seat_is_taken_once", "somebody unseated", change(SEAT, "{seat}", user_id="NULL")),
)


def invites(of: str = "{invitation}", **changes: str) -> str:
    return copy(INVITATION, of, **{"digest": "repeat('e', 64)", **changes})


IT = f"(SELECT max(id) FROM {INVITATION})"
OVER = invites(created_at="now() - interval '9 days'", expires_at="now() - interval '1 minute'")


def comes(of: str, **changes: str) -> str:
    return copy(ACCEPTANCE, "{acceptance}", invitation_id=of, user_id="{second_user}", **changes)


test_an_invitation_is_guarded = refusal_test(
    attack("invitation_digest_once", "one text for two", copy(INVITATION, "{invitation}")),
    attack("invitation_digest_is_one", "the text itself", invites(digest="'an invitation'")),
    attack("invitation_role_is_known", "a strange role", invites(role="'king'")),
    attack("invitation_is_to_the_site_a_role_or_a_seat", "to a role of nothing", invites(debate_id="NULL")),
    attack("invitation_is_to_the_site_a_role_or_a_seat", "to a debate, as nothing", invites(role="''")),
    attack(
        "invitation_is_to_the_site_a_role_or_a_seat",
        "to a seat and a role",
        invites("{invitation_to_seat}", role="'judge'"),
    ),
    attack(
        "invitation_to_a_group_is_to_the_site",
        "rights by way of a debate",
        invites(places="1", group_id="(SELECT min(id) FROM auth_group)"),
    ),
    attack("invitation_places_inside_limits", "for nobody", invites(places="0")),
    attack("invitation_places_inside_limits", "for a whole town", invites(places="501")),
    attack("invitation_places_inside_limits", "one seat for two", invites("{invitation_to_seat}", places="2")),
    attack("invitation_expires_after_it_begins", "over before it begins", invites(expires_at="created_at")),
    attack(
        "invitation_is_to_a_seat_of_its_debate",
        "to a seat elsewhere",
        invites("{invitation_to_seat}", debate_id="{draft}"),
    ),
    attack(
        "invitation_is_to_a_seat_of_its_debate",
        "to an engine's seat",
        invites("{invitation_to_seat}", seat_id="{participant}"),
    ),
    attack("invitation_keeps_what_it_is", "another role", change(INVITATION, "{invitation}", role="'organiser'")),
    attack("invitation_keeps_what_it_is", "more places", change(INVITATION, "{full_invitation}", places="2")),
    attack(
        "invitation_keeps_what_it_is",
        "a longer life",
        change(INVITATION, "{invitation}", expires_at="now() + '1 year'"),
    ),
    attack(
        "invitation_keeps_what_it_is",
        "a group, later",
        "INSERT INTO debates_invitation (public_id, role, email, digest, places, expires_at) VALUES"
        " (gen_random_uuid(), '', '', repeat('e', 64), 1, now() + interval '1 day')",
        "UPDATE debates_invitation SET group_id = (SELECT min(id) FROM auth_group) WHERE digest = repeat('e', 64)",
    ),
    attack(
        "invitation_keeps_what_it_is",
        "somebody else's",
        change(INVITATION, "{invitation_to_seat}", email="'c@example.org'"),
    ),
    attack("invitation_keeps_what_it_is", "nobody's", change(INVITATION, "{invitation_to_seat}", email="''")),
    attack(
        "invitation_keeps_what_it_is",
        "nobody's, as soon as it is over",
        invites(
            "{invitation_to_seat}", created_at="now() - interval '9 days'", expires_at="now() - interval '22 hours'"
        ),
        change(INVITATION, IT, email="''"),
    ),
    attack(
        "invitation_keeps_what_it_is",
        "somebody else's, long after it is over",
        invites("{invitation_to_seat}", created_at="now() - interval '9 days'", expires_at="now() - interval '2 days'"),
        change(INVITATION, IT, email="'c@example.org'"),
    ),
    attack(
        "invitation_keeps_what_it_is",
        "of another person",
        change(INVITATION, "{invitation_to_seat}", addressee_id="{second_user}"),
    ),
    attack(
        "invitation_revoked_stays_so",
        "revoked by somebody else",
        change(INVITATION, "{revoked_invitation}", revoked_by_id="{second_user}"),
    ),
    attack("invitation_is_kept", "never invited", remove(INVITATION, "{invitation_to_seat}")),
    attack("invitation_is_kept", "nobody was ever invited", f"TRUNCATE {INVITATION} CASCADE"),
    attack(
        "invitation_revoked_stays_so", "good once more", change(INVITATION, "{revoked_invitation}", revoked_at="NULL")
    ),
)

test_an_acceptance_is_guarded = refusal_test(
    attack("invitation_accepted_once_by_a_person", "twice", copy(ACCEPTANCE, "{acceptance}")),
    attack("invitation_is_accepted_while_it_is_good", "when it is revoked", comes("{revoked_invitation}")),
    attack("invitation_is_accepted_while_it_is_good", "late", OVER, comes(IT, at="now() - interval '1 hour'")),
    attack("invitation_has_a_place_for_each", "one too many", comes("{full_invitation}")),
    attack("acceptance_is_kept", "somebody else", change(ACCEPTANCE, "{acceptance}", user_id="{second_user}")),
    attack("acceptance_is_kept", "nobody came", remove(ACCEPTANCE, "{acceptance}")),
    attack("acceptance_is_kept", "nobody ever came", f"TRUNCATE {ACCEPTANCE}"),
)

test_a_membership_an_account_and_a_profile_are_guarded = refusal_test(
    attack("membership_role_is_known", "a strange role", copy(MEMBERSHIP, "{membership}", role="'king'")),
    attack("membership_once_while_it_stands", "a role twice", copy(MEMBERSHIP, "{membership}")),
    attack("membership_keeps_what_it_is", "another role", change(MEMBERSHIP, "{membership}", role="'organiser'")),
    attack("membership_revoked_stays_so", "a role again", change(MEMBERSHIP, "{former_membership}", revoked_at="NULL")),
    attack("membership_is_kept", "a role that never was", remove(MEMBERSHIP, "{former_membership}")),
    attack("membership_is_kept", "no roles any more", f"TRUNCATE {MEMBERSHIP}"),
    attack(
        "account_name_once_in_any_case",
        "a name in other letters",
        change("auth_user", "{second_user}", username="(SELECT upper(username) FROM auth_user WHERE id = {user})"),
    ),
    attack(
        "profile_unwanted_mail_is_known",
        "a strange kind of mail",
        change(PROFILE, "{profile}", unwanted_mail="'{{spam}}'"),
    ),
    attack(
        "profile_time_zone_is_a_name", "words for a zone", change(PROFILE, "{profile}", time_zone="'half past nine'")
    ),
)

test_mail_and_drafts_are_guarded = refusal_test(
    attack("mail_kind_is_known", "a strange kind", copy(MAIL, "{mail}", kind="'advertisement'")),
    attack("mail_state_is_known", "a strange state", change(MAIL, "{mail}", state="'lost'", settled_at="now()")),
    attack("mail_once_per_person_and_occasion", "an occasion twice", copy(MAIL, "{mail}")),
    attack("mail_once_per_person_and_occasion", "an address twice", copy(MAIL, "{mail_to_address}")),
    attack("mail_is_to_a_person_or_an_address", "to two", copy(MAIL, "{mail}", about="''", address="'b@example.org'")),
    attack("mail_is_to_a_person_or_an_address", "to nobody", copy(MAIL, "{mail_to_address}", about="''", address="''")),
    attack(
        "mail_forgets_its_secrets",
        "an address kept",
        change(MAIL, "{mail_to_address}", state="'refused'", settled_at="now()"),
    ),
    attack("mail_secret_is_sealed", "a secret to read", change(MAIL, "{mail}", secret="'/invitations/a/'")),
    attack("mail_being_sent_says_since_when", "since never", change(MAIL, "{mail}", state="'sending'")),
    attack("mail_waits_until_settled", "due, and settled", change(MAIL, "{mail}", settled_at="now()")),
    attack("mail_keeps_what_it_is", "to somebody else", change(MAIL, "{mail}", person_id="{second_user}")),
    attack("mail_is_sent_once", "a sent one again", change(MAIL, "{sent_mail}", state="'due'", settled_at="NULL")),
    attack(
        "mail_is_sent_once", "sent without being marked", change(MAIL, "{mail}", state="'sent'", settled_at="now()")
    ),
    attack("mail_stop_digest_is_one", "an address to read", copy("debates_mailstop", "{mail_stop}", digest="'b@c.d'")),
    attack("turn_draft_once_per_seat_and_ballot", "two drafts of one turn", copy("debates_turndraft", "{turn_draft}")),
    attack("turn_draft_has_words", "nothing", change("debates_turndraft", "{turn_draft}", text="''")),
)
