"""Guards of conflicts of interest: a party writes no act of moderation, and what was declared stays."""

import pytest

from scoring.enums import EntryKind as K
from tests.schema.attacks import attack, change, commit_so_far, copy, nothing_stays, refusal_test, remove, run
from tests.schema.entries import entry

pytestmark = pytest.mark.django_db
PARTY, ORGANISER = "no_party_moderates_its_debate", "organiser_moderates_where_the_site_says_so"
ENTRY = entry(K.FREEZE, actor_id="{party_actor}")
OWN = entry(K.FREEZE)
CONFLICT, RULE = "scoring_conflict", "scoring_organiserrule"
CREATED = "UPDATE debates_debate SET created_by_id = {user} WHERE id = {scored_debate}"
FORBIDDEN = "INSERT INTO scoring_organiserrule (moderate) VALUES (false)"
ASKED = copy("scoring_approval", "{approval}", evaluation_id="{empty}", requested_by_id="{party_actor}")
REFUSED = {"state": "'refused'", "decided_because_id": "{reason}", "decided_at": "now()"}
LINES = (
    "jsonb_build_array(jsonb_build_object('evaluation',"
    " (SELECT e.public_id::text FROM scoring_evaluation e WHERE e.id = {played})))"
)
APPLIED = {"state": "'applied'", "decided_at": "now()"}
HANDLED = {"state": "'dismissed'", "handled_because_id": "{reason}", "handled_at": "now()"}
AGAIN = {**HANDLED, "handled_because_id": "{other_reason}", "handled_at": "now() + interval '1 minute'"}
SEAT = (
    "INSERT INTO debates_participant (public_id, debate_id, role, kind, name, position, provider, model, user_id)"
    " VALUES (gen_random_uuid(), {judged_debate}, '%s', 'human', 'Carol', 9, '', '', {party})"
)
SPEAKS = SEAT % "chair"
CLAIM = {"state": "'claimed'", "lease_until": "now() + interval '1 hour'"}
SETTLED = {
    "state": "'settled'", "claimed_by_id": "NULL", "lease_until": "NULL", "settled_at": "now()",
    "decisions": "'{{\"P1\": {{}}}}'",
}  # fmt: skip
DECLARED = "INSERT INTO scoring_conflict (public_id, debate_id, person_id, by_id, because_id, at, withdraws_id) VALUES"
MEMBER = (
    "INSERT INTO debates_membership (public_id, debate_id, user_id, role) VALUES (gen_random_uuid(), {scored_debate},"
    " {second_user}, '%s')"
)
ADDRESS = "UPDATE auth_user SET email = 'Bob@Example.org' WHERE id = {second_user}"
BY_BOB = entry(K.FREEZE, actor_id="{second_actor}")
INVITED = (
    "INSERT INTO debates_invitation (public_id, debate_id, role, email, digest, places, expires_at)"
    " VALUES (gen_random_uuid(), {scored_debate}, '%s', 'bob@example.org', repeat('e', 64), 1,"
    " now() + interval '1 day')"
)
INVITES = (
    "INSERT INTO debates_invitation (public_id, debate_id, role, email, digest, places, expires_at, created_by_id)"
    " VALUES (gen_random_uuid(), {scored_debate}, 'guest', '', repeat('f', 64), 1, now() + interval '1 day', {party})"
)
PLANS = (
    "INSERT INTO judging_plannedstart (debate_id, starts_at, created_by_id, problem)"
    " VALUES ({scored_debate}, now() + interval '1 day', {party}, '')"
)


def mark(table_name: str, of: str) -> str:
    return f"UPDATE {table_name} SET {of} = true"


test_acts_of_parties_are_guarded = refusal_test(
    attack(PARTY, "an entry by whom a conflict is declared of", ENTRY),
    attack(PARTY, "an entry by who takes part", MEMBER % "participant", BY_BOB),
    attack(PARTY, "an entry by who judged once", MEMBER % "judge",
           "UPDATE debates_membership SET revoked_at = now() WHERE user_id = {second_user}", BY_BOB),
    attack(PARTY, "an entry by who was invited", ADDRESS, INVITED % "judge", BY_BOB),
    attack(PARTY, "an entry under another role's name",
           "INSERT INTO scoring_actor (user_id, name, role) VALUES ({party}, 'carol', 'another')",
           entry(K.FREEZE, actor_id="(SELECT id FROM scoring_actor WHERE role = 'another')")),
    attack(ORGANISER, "an entry by who created the debate", CREATED, FORBIDDEN, OWN),
    attack("debate_keeps_who_created_it", "a debate given to somebody else", CREATED,
           change("debates_debate", "{scored_debate}", created_by_id="{second_user}")),
    attack("debate_keeps_who_created_it", "a debate that nobody created any more", CREATED,
           change("debates_debate", "{scored_debate}", created_by_id="NULL")),
    attack(ORGANISER, "an entry by who organises it", MEMBER % "organiser", FORBIDDEN, BY_BOB),
    attack(PARTY, "an override asked for by a party", ASKED),
    attack(PARTY, "a request refused by a party",
           change("scoring_approval", "{approval}", **REFUSED, decided_by_id="{party_actor}")),
    attack(PARTY, "an alert dismissed by a party",
           change("scoring_alert", "{alert}", **HANDLED, handled_by_id="{party_actor}")),
    attack(PARTY, "an alert reopened by a party",
           change("scoring_alert", "{alert}", **HANDLED, handled_by_id="{actor}"),
           change("scoring_alert", "{alert}", state="'open'", handled_because_id="{second_reason}",
                  handled_by_id="{party_actor}", handled_at="now()")),
    attack(PARTY, "a remark by a party",
           "INSERT INTO scoring_remark (evaluation_id, by_id, note_id) VALUES ({played}, {party_actor}, {note})"),
    attack(PARTY, "a set staged by a party",
           copy("scoring_rescoreset", "{rescore}", lines=LINES, staged_by_id="{party_actor}")),
    attack(PARTY, "a set applied by a party",
           copy("scoring_rescoreset", "{rescore}", lines=LINES),
           change("scoring_rescoreset", "(SELECT max(id) FROM scoring_rescoreset)", **APPLIED,
                  decided_by_id="{party_actor}")),
    attack(PARTY, "a review claimed by who speaks", SPEAKS,
           change("judging_review", "{review}", **CLAIM, claimed_by_id="{party_actor}")),
    attack(PARTY, "a review settled by who judges", SEAT % "judge",
           change("judging_review", "{review}", **CLAIM, claimed_by_id="{actor}"),
           change("judging_review", "{review}", **SETTLED, settled_by_id="{party_actor}")),
    attack(PARTY, "an alert dismissed by who acknowledged it before they were a party",
           change("scoring_alert", "{alert}", **{**HANDLED, "state": "'acknowledged'"}, handled_by_id="{second_actor}"),
           MEMBER % "judge", change("scoring_alert", "{alert}", **AGAIN)),
    attack(PARTY, "a review held on by who has become a party",
           change("judging_review", "{review}", **CLAIM, claimed_by_id="{second_actor}"),
           "INSERT INTO debates_membership (public_id, debate_id, user_id, role)"
           " VALUES (gen_random_uuid(), {scored_debate}, {second_user}, 'judge')",
           change("judging_review", "{review}", lease_until="lease_until + interval '1 hour'")),
    attack(PARTY, "an entry by who was invited and has changed their address", ADDRESS, INVITED % "judge",
           "UPDATE auth_user SET email = 'bob@elsewhere.org' WHERE id = {second_user}", BY_BOB),
    attack(PARTY, "an entry by who took the invitation to them back", ADDRESS, MEMBER % "organiser", INVITED % "judge",
           "UPDATE debates_invitation SET revoked_at = now(), revoked_by_id = {second_user}"
           " WHERE digest = repeat('e', 64)", BY_BOB),
    attack(PARTY, "an entry by who took the invitation to them back in nobody's name", ADDRESS, INVITED % "judge",
           "UPDATE debates_invitation SET revoked_at = now() WHERE digest = repeat('e', 64)", BY_BOB),
    attack(PARTY, "an entry by who came by an invitation that was revoked since", INVITED % "judge",
           "INSERT INTO debates_acceptance (invitation_id, user_id, at)"
           " SELECT id, {second_user}, now() FROM debates_invitation WHERE digest = repeat('e', 64)",
           "UPDATE debates_invitation SET revoked_at = now() WHERE digest = repeat('e', 64)", BY_BOB),
    attack(PARTY, "an entry by who posted rulings",
           copy("judging_call", "{call}", debate_id="{scored_debate}", thread_id="NULL", outcome="'used'",
                parameters="jsonb_build_object('posted_by', {second_actor})"), BY_BOB),
    attack(PARTY, "an entry by who posted rulings and organised once",
           copy("judging_call", "{call}", debate_id="{scored_debate}", thread_id="NULL", outcome="'used'",
                parameters="jsonb_build_object('posted_by', {second_actor})"), MEMBER % "organiser",
           "UPDATE debates_membership SET revoked_at = now() WHERE user_id = {second_user}", BY_BOB),
    attack(PARTY, "an invitation by a party", INVITES),
    attack(PARTY, "an invitation by a party who organised once", MEMBER % "organiser", MEMBER % "judge",
           "UPDATE debates_membership SET revoked_at = now() WHERE user_id = {second_user} AND role = 'organiser'",
           INVITES.replace("{party}", "{second_user}")),
    attack(ORGANISER, "an invitation by who organised once", MEMBER % "organiser", FORBIDDEN,
           "UPDATE debates_membership SET revoked_at = now() WHERE user_id = {second_user}",
           INVITES.replace("{party}", "{second_user}")),
    attack(PARTY, "an invitation taken back by a party", INVITED % "guest",
           "UPDATE debates_invitation SET revoked_at = now(), revoked_by_id = {party} WHERE digest = repeat('e', 64)"),
    attack(PARTY, "a start planned by a party", PLANS),
    attack(PARTY, "a planned start taken over by a party", PLANS.replace("{party}", "{second_user}"),
           change("judging_plannedstart", "{scored_debate}", created_by_id="{party}")),
    attack(PARTY, "a planned start moved to where its maker is a party",
           change("judging_plannedstart", "{planned_start}", created_by_id="{party}"),
           change("judging_plannedstart", "{planned_start}", debate_id="{scored_debate}")),
    attack(PARTY, "a party who says that somebody else has a conflict",
           f"{DECLARED} (gen_random_uuid(), {{scored_debate}}, {{user}}, {{party_actor}}, {{reason}}, now(), NULL)"),
    attack("organiser_rule_is_kept", "another rule", change(RULE, "{organiser_rule}", moderate="false")),
    attack("organiser_rule_is_kept", "a rule deleted", remove(RULE, "{organiser_rule}")),
    attack("organiser_rule_is_kept", "no rules any more", f"TRUNCATE {RULE}"),
)  # fmt: skip

WITHDRAWN = f"{DECLARED} (gen_random_uuid(), {{scored_debate}}, {{party}}, %s, {{reason}}, now(), {{conflict}})"

test_a_declared_conflict_is_guarded = refusal_test(
    attack("conflict_is_not_withdrawn_by_its_person", "withdrawn by whom it is about", WITHDRAWN % "{party_actor}"),
    attack("conflict_withdrawal_is_of_a_declaration", "of somebody else",
           f"{DECLARED} (gen_random_uuid(), {{scored_debate}}, {{user}}, {{actor}}, {{reason}}, now(), {{conflict}})"),
    attack("conflict_withdrawal_is_of_a_declaration", "in another debate",
           f"{DECLARED} (gen_random_uuid(), {{debate}}, {{party}}, {{second_actor}}, {{reason}}, now(), {{conflict}})"),
    attack("conflict_withdrawal_is_of_a_declaration", "a withdrawal withdrawn", WITHDRAWN % "{actor}",
           f"{DECLARED} (gen_random_uuid(), {{scored_debate}}, {{party}}, {{actor}}, {{reason}}, now(),"
           " (SELECT max(id) FROM scoring_conflict))"),
    attack("conflict_is_kept", "about somebody else", change(CONFLICT, "{conflict}", person_id="{second_user}")),
    attack("conflict_is_kept", "a declaration deleted", remove(CONFLICT, "{conflict}")),
    attack("conflict_is_kept", "no declarations any more", f"TRUNCATE {CONFLICT} CASCADE"),
)  # fmt: skip

CLOSED = "nobody_acts_whose_account_is_closed"
GONE = "UPDATE auth_user SET is_active = false"

test_nobody_acts_whose_account_is_closed = refusal_test(
    attack(CLOSED, "a score frozen", GONE, OWN),
    attack(CLOSED, "a review settled", GONE, change("judging_review", "{review}", **SETTLED, settled_by_id="{actor}")),
    attack(CLOSED, "an appeal filed", GONE, copy("scoring_appeal", "{appeal}", appellant_id="{actor}")),
    attack(CLOSED, "a conflict declared", GONE,
           f"{DECLARED} (gen_random_uuid(), {{scored_debate}}, {{user}}, {{actor}}, {{reason}}, now(), NULL)"),
)  # fmt: skip

EXPIRED = (
    "INSERT INTO debates_invitation (public_id, debate_id, role, email, digest, places, created_at, expires_at)"
    " VALUES (gen_random_uuid(), {scored_debate}, 'judge', 'bob@example.org', repeat('e', 64), 1,"
    " now() - interval '2 days', now() - interval '1 day')"
)
REVOKED = "UPDATE debates_invitation SET revoked_at = now(), revoked_by_id = {user} WHERE digest = repeat('e', 64)"


@pytest.mark.parametrize(
    "statements",
    [pytest.param([EXPIRED], id="expired"), pytest.param([INVITED % "judge", REVOKED], id="taken back by another")],
)
def test_an_invitation_by_which_nobody_came_keeps_nobody_out_for_ever(statements, world):
    with nothing_stays():
        for statement in (ADDRESS, *statements, BY_BOB):
            run(statement, world)
        commit_so_far()


def test_what_somebody_did_before_they_were_a_party_lets_others_go_on(world):
    acknowledged = {**HANDLED, "state": "'acknowledged'", "handled_by_id": "{second_actor}"}
    with nothing_stays():
        run(change("scoring_alert", "{alert}", **acknowledged), world)
        run(MEMBER % "judge", world)
        run(change("scoring_alert", "{alert}", **AGAIN, handled_by_id="{actor}"), world)
        assert run("SELECT state FROM scoring_alert WHERE id = {alert}", world) == [("dismissed",)]


@pytest.mark.parametrize(
    ("statements", "marked"),
    [
        pytest.param([OWN], False, id="somebody else"),
        pytest.param([CREATED, OWN], True, id="who created it"),
        pytest.param([MEMBER % "organiser", BY_BOB], True, id="who organises it"),
        pytest.param([MEMBER % "guest", BY_BOB], False, id="a guest"),
        pytest.param([entry(K.FREEZE, by_organiser="true")], False, id="somebody who says so"),
        pytest.param([CREATED, entry(K.FREEZE, by_organiser="false")], True, id="an organiser who denies it"),
        pytest.param([entry(K.ROUND, by_organiser="true")], False, id="the engine"),
    ],
)
def test_the_database_says_whether_it_was_an_organiser(statements, marked, world):
    with nothing_stays():
        for statement in statements:
            run(statement, world)
        commit_so_far()
        assert run("SELECT by_organiser FROM scoring_scorechange ORDER BY id DESC LIMIT 1") == [(marked,)]


def test_a_mark_is_not_taken_away_later(world):
    with nothing_stays():
        run(CREATED, world)
        run(change("scoring_alert", "{alert}", **HANDLED, handled_by_id="{actor}"), world)
        run(change("scoring_alert", "{alert}", handled_by_organiser="false"), world)
        assert run("SELECT handled_by_organiser FROM scoring_alert WHERE id = {alert}", world) == [(True,)]


def test_what_was_withdrawn_keeps_nobody_out(world):
    with nothing_stays():
        run(WITHDRAWN % "{actor}", world)
        run(ENTRY, world)
        commit_so_far()
        assert run("SELECT count(*) FROM scoring_conflict WHERE person_id = {party}", world) == [(2,)]


def test_who_organises_a_debate_conducts_it_though_they_are_a_party(world):
    with nothing_stays():
        run(MEMBER % "organiser", world)
        run(MEMBER % "participant", world)
        run(INVITES.replace("{party}", "{second_user}"), world)
        run(PLANS.replace("{party}", "{second_user}"), world)


APART, ORGANISES = "judge_has_no_other_part_in_the_debate", "judge_does_not_organise_the_debate"


def sits(role: str, *, person: str = "{second_user}") -> str:
    """Return the statement that puts somebody on a new seat of a debate."""
    return (
        "INSERT INTO debates_participant (public_id, debate_id, role, kind, name, position, provider, model, user_id)"
        f" VALUES (gen_random_uuid(), {{scored_debate}}, '{role}', 'human', gen_random_uuid(), 9, '', '', {person})"
    )


MEMBERS = "debates_membership"
OF_PANEL = "(SELECT debate_id FROM debates_participant WHERE id = {judging_seat})"
TAKEN = change("debates_participant", "{judging_seat}", user_id="{second_user}")
WHO_BROKE = "(SELECT person_id FROM scoring_brokenseal WHERE id = {broken_seal})"
GIVEN = copy("debates_ballot", "{ballot}", participant_id="{judging_seat}")
ORGANISES_LATER = (
    "INSERT INTO debates_membership (public_id, debate_id, user_id, role)"
    f" VALUES (gen_random_uuid(), {OF_PANEL}, {{second_user}}, 'organiser')"
)

test_who_judges_has_no_other_part = refusal_test(
    attack(APART, "a judge who speaks", sits("chair"), sits("judge")),
    attack(APART, "a speaker who judges", sits("judge"), sits("chair")),
    attack(APART, "an arbiter who speaks", sits("evaluator"), sits("arbiter")),
    attack(APART, "a judge on two seats", sits("judge"), sits("judge")),
    attack(APART, "a judge who takes part", MEMBER % "participant", sits("judge")),
    attack(APART, "a judge who has a declared conflict", sits("judge", person="{party}")),
    attack(APART, "a free seat taken by who broke a seal there",
           change("debates_participant", "{judging_seat}", user_id=WHO_BROKE)),
    attack(APART, "a ballot of who broke a seal there",
           change("debates_participant", "{judging_seat}", user_id=WHO_BROKE), GIVEN, without=["debates_participant"]),
    attack(ORGANISES, "a judge who organises", MEMBER % "organiser", sits("judge")),
    attack(ORGANISES, "a judge who organised once", MEMBER % "organiser",
           "UPDATE debates_membership SET revoked_at = now() WHERE user_id = {second_user}", sits("judge")),
    attack(ORGANISES, "a judge who created it", CREATED, sits("judge", person="{user}")),
    attack(ORGANISES, "a free seat taken by who organises", ORGANISES_LATER, TAKEN),
    attack(ORGANISES, "a ballot of who became an organiser", TAKEN, ORGANISES_LATER, GIVEN, without=[MEMBERS]),
    attack(APART, "a judge who becomes an organiser", sits("judge"), MEMBER % "organiser"),
    attack(APART, "an arbiter who takes part", sits("arbiter"), MEMBER % "participant"),
)  # fmt: skip


def test_who_judges_alone_does(world):
    with nothing_stays():
        run(sits("judge"), world)
        run(MEMBER % "guest", world)
        run(TAKEN, world)
        run(GIVEN, world)


SEAL = "scoring_brokenseal"
CAROLS = {"person_id": "{party}", "by_id": "{party_actor}"}
CLOSED = "UPDATE debates_round SET closed_at = opened_at WHERE id = (SELECT round_id FROM debates_ballot LIMIT 1)"
CAROL_SPEAKS = (
    "INSERT INTO debates_membership (public_id, debate_id, user_id, role)"
    f" VALUES (gen_random_uuid(), {OF_PANEL}, {{party}}, 'participant')"
)

test_a_broken_seal_is_guarded = refusal_test(
    attack("seal_is_broken_once_by_a_person", "a seal broken twice", copy(SEAL, "{broken_seal}")),
    attack("seal_is_broken_before_its_round_closes", "the seal of a report", CLOSED,
           copy(SEAL, "{broken_seal}", **CAROLS)),
    attack("broken_seal_is_of_its_ballot_and_person", "an act of somebody else",
           copy(SEAL, "{broken_seal}", person_id="{party}")),
    attack("broken_seal_is_of_its_ballot_and_person", "a ballot of another debate",
           copy(SEAL, "{broken_seal}", debate_id="{scored_debate}", **CAROLS)),
    attack(PARTY, "a seal broken by a party", CAROL_SPEAKS, copy(SEAL, "{broken_seal}", **CAROLS)),
    attack("broken_seal_is_kept", "a seal that was never broken", remove(SEAL, "{broken_seal}")),
    attack("broken_seal_is_kept", "a seal broken by somebody else", change(SEAL, "{broken_seal}", **CAROLS)),
    attack("broken_seal_is_kept", "no seals any more", f"TRUNCATE {SEAL}"),
)  # fmt: skip

REPLACED = "scoring_replacedjudge"
FOURTH = {"judge_id": "{judging_seat}", "successor_id": "{place_of_fourth}"}
IN_ANOTHER_PLACE, OF_NO_JUDGE = {**FOURTH, "successor_id": "{place_of_third}"}, {**FOURTH, "judge_id": "{participant}"}
GIVES_ALL_THE_SAME = copy("debates_ballot", "{ballot}", participant_id="{replaced_judge}")
REPORTS = copy("judging_judgereport", "{mute_report}", participant_id="{judging_seat}", round_id="{spare_panel_round}")
REPORTS_ALL_THE_SAME = copy("judging_judgereport", "{mute_report}", participant_id="{replaced_judge}")
TAKEN_AT_ONCE = "UPDATE debates_participant SET user_id = {second_user} WHERE id = {place_of_fourth}"

test_a_replaced_judge_is_guarded = refusal_test(
    attack("judge_is_replaced_in_their_place", "a judge replaced in another place",
           copy(REPLACED, "{replaced_judge_row}", **IN_ANOTHER_PLACE)),
    attack("judge_is_replaced_in_their_place", "somebody replaced who judges nothing",
           copy(REPLACED, "{replaced_judge_row}", **OF_NO_JUDGE)),
    attack("judge_is_replaced_in_their_place", "a judge of another debate replaced",
           copy(REPLACED, "{replaced_judge_row}", debate_id="{scored_debate}", **FOURTH)),
    attack("judge_is_replaced_in_their_place", "a judge replaced by whoever sits already", TAKEN_AT_ONCE,
           copy(REPLACED, "{replaced_judge_row}", **FOURTH)),
    attack("judge_is_replaced_before_they_report", "a judge replaced whose report is there", REPORTS,
           copy(REPLACED, "{replaced_judge_row}", **FOURTH)),
    attack("replaced_judge_judges_no_more", "a ballot of whoever was replaced", GIVES_ALL_THE_SAME),
    attack("replaced_judge_judges_no_more", "a report of whoever was replaced", REPORTS_ALL_THE_SAME),
    attack(PARTY, "a judge replaced by a party", CAROL_SPEAKS,
           copy(REPLACED, "{replaced_judge_row}", by_id="{party_actor}", **FOURTH)),
    attack("replaced_judge_is_kept", "a judge who was never replaced", remove(REPLACED, "{replaced_judge_row}")),
    attack("replaced_judge_is_kept", "a judge replaced by somebody else",
           change(REPLACED, "{replaced_judge_row}", by_id="{party_actor}")),
    attack("replaced_judge_is_kept", "nobody replaced any more", f"TRUNCATE {REPLACED}"),
)  # fmt: skip
