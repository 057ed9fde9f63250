"""Every guard of what moderators prepare and settle: second persons, rescore sets, reviews; broken on purpose."""

import pytest

from scoring.enums import EntryKind as K
from tests.schema.attacks import attack, change, commit_so_far, copy, nothing_stays, refusal_test, remove, run
from tests.schema.entries import entry

pytestmark = pytest.mark.django_db
APPROVAL = "scoring_approval"
ENTRY = "(SELECT max(id) FROM scoring_scorechange WHERE evaluation_id = {played})"
GIVEN = {
    "state": "'approved'",
    "decided_by_id": "{second_actor}",
    "decided_because_id": "{reason}",
    "decided_at": "now()",
    "entry_id": ENTRY,
}
VOID = {"state": "'void'", "decided_at": "now()", "entry_id": ENTRY}
REFUSED = {**GIVEN, "state": "'refused'", "entry_id": "NULL"}
ASKED = {
    "evaluation_id": "{empty}",
    "value": "5",
    "value_seen": "5",
    "seen": "3",
    "door": "'api'",
    "reason_code": "'other'",
    "idempotency_key": "repeat('a', 64)",
    "requested_by_id": "{second_actor}",
    "because_id": "{erased_reason}",
    "requested_at": "now() - interval '1 day'",
    "public_id": "gen_random_uuid()",
}
OVERRIDE = entry(K.OVERRIDE, covered_by_id="{approval}")


def decided(**changes: str) -> str:
    return change(APPROVAL, "{approval}", **changes)


def elsewhere(**changes: str) -> str:
    """The same request on another evaluation, where none waits."""
    return copy(APPROVAL, "{approval}", evaluation_id="{empty}", **changes)


def test_a_second_person_may_approve(world):
    with nothing_stays():
        run(OVERRIDE, world)
        run(decided(**GIVEN), world)
        commit_so_far()
        assert run("SELECT state FROM scoring_approval WHERE id = {approval}", world) == [("approved",)]


test_a_request_for_a_second_person_is_guarded = refusal_test(
    attack("approval_state_is_known", "an unknown state, when nothing else were to refuse it",
           "ALTER TABLE scoring_approval DROP CONSTRAINT approval_decided_says_who_why_and_where",
           decided(state="'lost'")),
    attack("approval_waits_once_per_evaluation", "two requests at once", copy(APPROVAL, "{approval}")),
    attack("approval_comes_through_a_persons_door", "asked by the engine", elsewhere(door="'engine'")),
    attack("approval_comes_through_a_persons_door", "asked through no door", elsewhere(door="'window'")),
    attack("approval_begins_by_waiting", "approved from the start", elsewhere(state="'approved'")),
    attack("approval_decided_says_who_why_and_where", "void without an entry", decided(**{**VOID, "entry_id": "NULL"})),
    attack("approval_decided_says_who_why_and_where", "void by somebody",
           OVERRIDE, decided(**{**VOID, "decided_by_id": "{actor}", "decided_because_id": "{reason}"})),
    attack("approval_decided_says_who_why_and_where", "approved without an entry",
           decided(**{**GIVEN, "entry_id": "NULL"})),
    attack("approval_decided_says_who_why_and_where", "approved for no reason",
           OVERRIDE, decided(**{**GIVEN, "decided_because_id": "NULL"})),
    attack("approval_decided_says_who_why_and_where", "refused by nobody",
           decided(**{**REFUSED, "decided_by_id": "NULL"})),
    attack("approval_decided_says_who_why_and_where", "waiting and decided", decided(decided_at="now()")),
    attack("approval_reason_code_is_known", "words for a code",
           copy(APPROVAL, "{approval}", reason_code="'because of Otto'")),
    attack("approval_idempotency_key_is_a_digest", "a caller's own words",
           copy(APPROVAL, "{approval}", idempotency_key="'for Otto'")),
    attack("approval_is_given_by_a_second_person", "approved by who asked",
           OVERRIDE, decided(**{**GIVEN, "decided_by_id": "{actor}"})),
    attack("approval_is_given_by_a_second_person", "approved by who asked, in another role",
           "INSERT INTO scoring_actor (user_id, name, role) VALUES ({user}, 'alice', 'another')", OVERRIDE,
           decided(**{**GIVEN, "decided_by_id": "(SELECT id FROM scoring_actor WHERE role = 'another')"})),
    attack("approval_names_the_entry_that_decided_it", "an override that rests on no approval",
           entry(K.OVERRIDE), decided(**GIVEN)),
    attack("approval_names_the_entry_that_decided_it", "an entry of another evaluation",
           entry(K.OVERRIDE, on="{empty}"),
           decided(**{**GIVEN, "entry_id": "(SELECT max(id) FROM scoring_scorechange WHERE evaluation_id = {empty})"})),
    attack("approval_names_the_entry_that_decided_it", "an entry from before the request",
           entry(K.OVERRIDE, reason_code="'appeal'"), decided(**{**GIVEN, "entry_id": "{entry}"})),
    attack("approval_names_the_entry_that_decided_it", "another value than the one asked for",
           entry(K.OVERRIDE, override_after="5"), decided(**GIVEN)),
    attack("approval_names_the_entry_that_decided_it", "an override under another name",
           entry(K.OVERRIDE, actor_id="{second_actor}"), decided(**GIVEN)),
    attack("approval_names_the_entry_that_decided_it", "an override for another reason",
           entry(K.OVERRIDE, reason_id="{other_reason}"), decided(**GIVEN)),
    attack("approval_names_the_entry_that_decided_it", "a freeze for an override", entry(K.FREEZE), decided(**GIVEN)),
    attack("approval_names_the_entry_that_decided_it", "void because of a round", entry(K.ROUND), decided(**VOID)),
    *(
        attack("approval_keeps_what_was_asked", f"another {column}", decided(**{column: value}))
        for column, value in ASKED.items()
    ),
    attack("approval_is_decided_once", "refused, then approved",
           OVERRIDE, decided(**REFUSED), decided(**GIVEN)),
    attack("approval_is_kept", "a request deleted", remove(APPROVAL, "{approval}")),
    attack("approval_is_kept", "no requests any more", "TRUNCATE scoring_approval CASCADE"),
)  # fmt: skip

RESCORE = "scoring_rescoreset"
APPLIED = {"state": "'applied'", "decided_by_id": "{actor}", "decided_at": "now()"}
PREVIEWED = {
    "action": "'freeze'",
    "reason_code": "'other'",
    "lines": "'[1]'",
    "staged_by_id": "{second_actor}",
    "because_id": "{erased_reason}",
    "staged_at": "now() - interval '1 day'",
    "public_id": "gen_random_uuid()",
}


def rescored(**changes: str) -> str:
    return change(RESCORE, "{rescore}", **changes)


test_a_rescore_set_is_guarded = refusal_test(
    attack("rescore_action_is_known", "an unknown action", copy(RESCORE, "{rescore}", action="'rerun'")),
    attack("rescore_reason_code_is_known", "words for a code",
           copy(RESCORE, "{rescore}", reason_code="'because of Otto'")),
    attack("rescore_state_is_known", "an unknown state, when nothing else were to refuse it",
           "ALTER TABLE scoring_rescoreset DROP CONSTRAINT rescore_decided_says_who_and_when",
           rescored(state="'lost'")),
    attack("rescore_chooses_only_for_an_unfreeze", "a freeze that chooses",
           copy(RESCORE, "{rescore}", choice="'apply'")),
    attack("rescore_chooses_only_for_an_unfreeze", "an unfreeze that does not choose",
           copy(RESCORE, "{rescore}", action="'unfreeze'")),
    attack("rescore_has_1_to_500_lines", "no lines", copy(RESCORE, "{rescore}", lines="'[]'")),
    attack("rescore_has_1_to_500_lines", "501 lines",
           copy(RESCORE, "{rescore}", lines="(SELECT jsonb_agg(n) FROM generate_series(1, 501) n)")),
    attack("rescore_has_1_to_500_lines", "something else than lines", copy(RESCORE, "{rescore}", lines="'{{}}'")),
    attack("rescore_begins_staged", "applied from the start", copy(RESCORE, "{rescore}", **APPLIED)),
    *(
        attack("rescore_is_applied_with_its_entries", f"an entry for the reason of a set {after}",
               *sql, entry(K.OVERRIDE, reason_id="(SELECT because_id FROM scoring_rescoreset WHERE id = {rescore})"))
        for after, sql in {
            "that is staged": (),
            "that was cancelled": (
                rescored(**{**APPLIED, "state": "'cancelled'", "decided_because_id": "{reason}"}),
            ),
        }.items()
    ),
    attack("rescore_decided_says_who_and_when", "applied by nobody", rescored(state="'applied'", decided_at="now()")),
    attack("rescore_decided_says_who_and_when", "cancelled for no reason",
           rescored(**{**APPLIED, "state": "'cancelled'"})),
    attack("rescore_decided_says_who_and_when", "staged and decided", rescored(decided_by_id="{actor}")),
    *(
        attack("rescore_keeps_what_was_previewed", f"another {column}", rescored(**{column: value}))
        for column, value in PREVIEWED.items()
    ),
    attack("rescore_keeps_what_was_previewed", "another choice", rescored(choice="'apply'")),
    attack("rescore_leaves_out_only_when_applied", "left out while it is staged, with the triggers off",
           "UPDATE scoring_rescoreset SET lines = '[{{}}, {{}}]', left_out = '{{1}}' WHERE id = {rescore}",
           without=[RESCORE]),
    attack("rescore_applies_to_some", "applied to nothing", rescored(**APPLIED, left_out="'{{1}}'")),
    attack("rescore_is_decided_once", "applied twice", rescored(**APPLIED), rescored(**APPLIED)),
    attack("rescore_is_kept", "a set deleted", remove(RESCORE, "{rescore}")),
    attack("rescore_is_kept", "no sets any more", "TRUNCATE scoring_rescoreset"),
)  # fmt: skip

REVIEW = "judging_review"
CLAIMED = {"state": "'claimed'", "claimed_by_id": "{actor}", "lease_until": "now()"}
SETTLED = {
    "state": "'settled'", "claimed_by_id": "NULL", "lease_until": "NULL", "settled_by_id": "{actor}",
    "settled_at": "now()", "decisions": """'{{"P1": {{}}}}'""",
}  # fmt: skip
DISPUTED = {
    "debate_id": "{debate}",
    "run_number": "2",
    "round_number": "2",
    "reason_code": "'quorum_lost'",
    "disputed": "ARRAY['P2']",
    "policy": "'[]'",
    "opened_at": "now() - interval '1 day'",
    "public_id": "gen_random_uuid()",
}


def reviewed(**changes: str) -> str:
    return change(REVIEW, "{review}", **changes)


def another(**changes: str) -> str:
    return copy(REVIEW, "{review}", **{"round_number": "9", **changes})


def test_a_review_may_be_claimed_and_settled(world):
    with nothing_stays():
        run(reviewed(**CLAIMED), world)
        run(reviewed(**SETTLED), world)
        commit_so_far()
        assert run("SELECT state FROM judging_review WHERE id = {review}", world) == [("settled",)]


test_a_review_is_guarded = refusal_test(
    attack("review_reason_is_known", "an unknown reason", another(reason_code="'boredom'")),
    attack("review_state_is_known", "an unknown state", reviewed(state="'lost'")),
    attack("review_once_per_debate_run_and_round", "two reviews of one round", copy(REVIEW, "{review}")),
    attack("review_disputes_something", "nothing in dispute", another(disputed="'{{}}'")),
    attack("review_begins_open", "settled from the start", another(**SETTLED)),
    attack("review_claimed_has_holder_and_lease", "claimed by nobody",
           reviewed(**{**CLAIMED, "claimed_by_id": "NULL"})),
    attack("review_claimed_has_holder_and_lease", "claimed for ever", reviewed(**{**CLAIMED, "lease_until": "NULL"})),
    attack("review_claimed_has_holder_and_lease", "open and held", reviewed(claimed_by_id="{actor}")),
    attack("review_settled_says_who_when_and_what", "settled by nobody",
           reviewed(**CLAIMED), reviewed(**{**SETTLED, "settled_by_id": "NULL"})),
    attack("review_settled_says_who_when_and_what", "settled without a decision",
           reviewed(**CLAIMED), reviewed(**{**SETTLED, "decisions": "'{{}}'"})),
    attack("review_settled_says_who_when_and_what", "decided before it is settled",
           reviewed(decisions=SETTLED["decisions"])),
    attack("review_is_settled_by_its_holder", "settled by somebody who has not taken it on", reviewed(**SETTLED)),
    attack("review_is_settled_by_its_holder", "settled by somebody else than has taken it on",
           reviewed(**CLAIMED), reviewed(**{**SETTLED, "settled_by_id": "{second_actor}"})),
    attack("review_settled_by_a_person_stays", "opened again",
           reviewed(**CLAIMED), reviewed(**SETTLED), reviewed(state="'open'")),
    *(
        attack("review_keeps_what_is_in_dispute", f"another {column}", reviewed(**{column: value}))
        for column, value in DISPUTED.items()
    ),
    attack("review_is_kept", "a review deleted", remove(REVIEW, "{review}")),
    attack("review_is_kept", "no reviews any more", "TRUNCATE judging_review"),
)  # fmt: skip
