"""Guards of appeals: decided once, by whoever holds them and did not act, is no party; kept as they were filed."""

import pytest

from scoring.enums import EntryKind as K
from tests.schema.attacks import attack, change, commit_so_far, copy, nothing_stays, refusal_test, remove, run
from tests.schema.entries import entry

pytestmark = pytest.mark.django_db
APPEAL = "scoring_appeal"
SOMEBODY_ELSE = "appeal_is_decided_by_somebody_who_did_not_act"
ACT = "appeal_names_the_act_that_allows_it"
CLAIM = {"state": "'claimed'", "lease_until": "now() + interval '1 hour'"}
DISMISSED = {
    "state": "'dismissed'", "claimed_by_id": "NULL", "lease_until": "NULL", "decided_because_id": "{reason}",
    "decided_at": "now()",
}  # fmt: skip
ALLOWED = {**DISMISSED, "state": "'allowed'", "act_id": "(SELECT max(id) FROM scoring_scorechange)"}
MOOT = "appeal_is_moot_only_where_it_is_void"
APPEALED = "(SELECT evaluation_id FROM scoring_scorechange WHERE id = {entry})"
FOR_IT = {"actor_id": "{second_actor}", "reason_id": "{other_reason}", "reason_code": "'appeal'"}
REMEDY = entry(K.OVERRIDE, **FOR_IT)
BACK = entry(K.ROLLBACK, on=APPEALED)
UNDONE = entry(K.OVERRIDE_LIFTED, on="{played}", reason_code="'undo'")
BACK_TO_THE_RULING = entry(
    K.ROLLBACK, on="{struck}", actor_id="{second_actor}", target_sequence="2", basis="{struck_out} || basis",
    computed_after="7.5", rounds_after="1",
)  # fmt: skip
BACK_BEFORE_THE_RULING = entry(K.ROLLBACK, on="{struck}", **FOR_IT)
UNDONE_AGAIN = entry(
    K.OVERRIDE, actor_id="{second_actor}", reason_id="(SELECT max(id) FROM scoring_reason)", reason_code="'undo'"
)
UNDONE_ACT = {**ALLOWED, "act_id": "(SELECT id FROM scoring_scorechange WHERE reason_id = {other_reason})"}
ANOTHER_ROLE = "INSERT INTO scoring_actor (user_id, name, role) VALUES ({user}, 'alice', 'another')"
OF_ITS_DEBATE = {"debate_id": "{scored_debate}", "by_id": "{second_actor}"}
OWN_APPEAL = copy(APPEAL, "{appeal}", appellant_id="{second_actor}")
ITS_WITHDRAWAL = change(APPEAL, "(SELECT max(id) FROM scoring_appeal)", state="'withdrawn'", decided_at="now()")
NEWEST = "(SELECT max(id) FROM scoring_appeal)"
OF_WHAT_CAME = copy(APPEAL, "{appeal_of_the_result}", appellant_id="{actor}")
AS_ANOTHER_ROLE = "(SELECT id FROM scoring_actor WHERE role = 'another')"
SET = (
    "INSERT INTO scoring_rescoreset (public_id, action, choice, reason_code, lines, staged_by_id, because_id,"
    " staged_at, state, left_out) SELECT gen_random_uuid(), 'freeze', '', '', '[{{}}]', {second_actor}, reason_id,"
    " now(), 'staged', '{{}}' FROM scoring_scorechange WHERE id = {override_entry}"
)


KEPT = "appeal_is_not_undone_by_who_lost_it"
REMEDIED = entry(K.OVERRIDE, on="{overridden}", override_after="5", **FOR_IT)
BY_BOB = {"actor_id": "{second_actor}", "reason_id": "{second_reason}"}
MOVED_ON = entry(K.OVERRIDE, on="{overridden}", override_after="5.5", **BY_BOB)
BACK_OVER = entry(K.ROLLBACK, on="{overridden}", override_after="NULL")
ASKED = copy(
    "scoring_approval", "{approval}", evaluation_id="{overridden}", value="5.5", seen="3",
    requested_by_id="{second_actor}", because_id="{second_reason}",
)  # fmt: skip
SECOND = {"decided_by_id": "{actor}", "decided_because_id": "{reason}", "decided_at": "now()"}


def answered(**more: str) -> str:
    return change("scoring_approval", "(SELECT max(id) FROM scoring_approval)", **{**SECOND, **more})


NO_RULINGS = {"facts": "basis", "basis": "'{{}}'", "computed_after": "initial_score"}
OF_THE_FREEZE = copy(
    APPEAL, "{appeal_of_an_act}",
    entry_id="(SELECT id FROM scoring_scorechange WHERE evaluation_id = {frozen} AND kind = 'freeze')",
)  # fmt: skip

OF_THE_NEWEST = copy(APPEAL, "{appeal_of_an_act}", entry_id="(SELECT max(id) FROM scoring_scorechange)")


def claimed(row: str, by: str = "{second_actor}") -> str:
    return change(APPEAL, row, **CLAIM, claimed_by_id=by)


def ended(at: str) -> str:
    return change("debates_debate", "{scored_debate}", status="'concluded'", concluded_at=at)


CONCLUDED = "debate_keeps_when_it_was_concluded"


def decided(row: str, by: str = "{second_actor}", **more: str) -> str:
    return change(APPEAL, row, **{**DISMISSED, **more}, decided_by_id=by)


ALLOWED_ONE = (claimed("{appeal_of_an_act}"), REMEDIED, decided("{appeal_of_an_act}", **ALLOWED))

test_an_appeal_is_guarded = refusal_test(
    attack(KEPT, "undone by who lost", *ALLOWED_ONE, entry(K.OVERRIDE_LIFTED, reason_code="'undo'")),
    attack(KEPT, "outdone by who lost", *ALLOWED_ONE, entry(K.OVERRIDE, on="{overridden}", override_after="4.5")),
    attack(KEPT, "rolled back by who lost", *ALLOWED_ONE, BACK_OVER),
    attack(KEPT, "played again by who lost", *ALLOWED_ONE, entry(K.RERUN, on="{overridden}", override_after="NULL")),
    attack(KEPT, "outdone by who lost under another role's name", *ALLOWED_ONE, ANOTHER_ROLE,
           entry(K.OVERRIDE_LIFTED, actor_id=AS_ANOTHER_ROLE)),
    attack(KEPT, "outdone by who appealed", *ALLOWED_ONE, entry(K.OVERRIDE_LIFTED, actor_id="{appellant}")),
    attack(KEPT, "outdone by who lost after a freeze of theirs", *ALLOWED_ONE, entry(K.FREEZE, on="{overridden}"),
           entry(K.UNFREEZE, on="{overridden}", held_choice="'discard'", **BY_BOB), entry(K.OVERRIDE_LIFTED)),
    attack(KEPT, "outdone by who lost after what was done before it was decided",
           claimed("{appeal_of_an_act}"), REMEDIED,
           entry(K.STRIKE, on="{overridden}", **{**NO_RULINGS, **BY_BOB}),
           decided("{appeal_of_an_act}", **{**UNDONE_ACT, "decided_at": "clock_timestamp()"}),
           entry(K.OVERRIDE_LIFTED)),
    attack(KEPT, "undone by who lost, where a clock that is ahead gave all entries one time",
           "UPDATE debates_debate SET created_at = now() + interval '50 minutes' WHERE id = {scored_debate}",
           entry(K.OVERRIDE, on="{overridden}", override_after="4"), OF_THE_NEWEST, claimed(NEWEST), REMEDIED,
           decided(NEWEST, **ALLOWED), entry(K.OVERRIDE, on="{overridden}", override_after="4"),
           without=["debates_debate"]),
    attack(KEPT, "frozen again by who had frozen it", OF_THE_FREEZE,
           claimed(NEWEST), entry(K.UNFREEZE, held_choice="'discard'", **FOR_IT), decided(NEWEST, **ALLOWED),
           entry(K.FREEZE, on="{frozen}")),
    attack(KEPT, "approved, as second person, by who lost", *ALLOWED_ONE, ASKED, MOVED_ON,
           answered(state="'approved'", entry_id="(SELECT max(id) FROM scoring_scorechange)")),
    attack(ACT, "an act that was outdone", claimed("{appeal_of_an_act}"), REMEDIED,
           entry(K.OVERRIDE, on="{overridden}", override_after="3"), decided("{appeal_of_an_act}", **UNDONE_ACT)),
    attack(SOMEBODY_ELSE, "claimed by who wrote the entry", claimed("{appeal_of_an_act}", "{actor}")),
    attack(SOMEBODY_ELSE, "claimed under another role's name", ANOTHER_ROLE,
           claimed("{appeal_of_an_act}", AS_ANOTHER_ROLE)),
    attack(SOMEBODY_ELSE, "decided by who wrote the entry", claimed("{appeal_of_an_act}"),
           decided("{appeal_of_an_act}", "{actor}")),
    attack(SOMEBODY_ELSE, "claimed by who struck the ruling", claimed("{appeal_of_a_ruling}", "{actor}")),
    attack(SOMEBODY_ELSE, "a result decided by who moved a score", claimed("{appeal_of_the_result}", "{actor}")),
    attack(SOMEBODY_ELSE, "claimed by who put the ruling back by a rollback", BACK_TO_THE_RULING,
           claimed("{appeal_of_a_ruling}")),
    attack(SOMEBODY_ELSE, "a ruling found moot by who voided it by a rollback",
           entry(K.REINSTATE, actor_id="{actor}"), claimed("{appeal_of_a_ruling}"), BACK_BEFORE_THE_RULING,
           decided("{appeal_of_a_ruling}", state="'moot'")),
    attack(SOMEBODY_ELSE, "a result decided by who broke a seal",
           copy("scoring_brokenseal", "{broken_seal}", person_id="{second_user}", **OF_ITS_DEBATE),
           claimed("{appeal_of_the_result}"), without=["scoring_brokenseal"]),
    attack(SOMEBODY_ELSE, "a result decided by who replaced a judge",
           copy("scoring_replacedjudge", "{replaced_judge_row}", judge_id="{participant}",
                successor_id="{judging_seat}", **OF_ITS_DEBATE),
           claimed("{appeal_of_the_result}"), without=["scoring_replacedjudge"]),
    attack(SOMEBODY_ELSE, "claimed by who appeals", claimed("{appeal}", "{appellant}")),
    attack(SOMEBODY_ELSE, "claimed by who appeals against the same", OWN_APPEAL, claimed("{appeal}")),
    attack(SOMEBODY_ELSE, "claimed by who appealed against the same", OWN_APPEAL, ITS_WITHDRAWAL, claimed("{appeal}")),
    attack(SOMEBODY_ELSE, "claimed by who staged the set it came from", SET, claimed("{appeal_of_an_act}")),
    attack(SOMEBODY_ELSE, "dismissed by who has acted for an appeal since", claimed("{appeal_of_the_result}"), REMEDY,
           decided("{appeal_of_the_result}")),
    attack("no_party_moderates_its_debate", "an appeal claimed by a party", claimed("{appeal}", "{party_actor}")),
    attack("no_party_moderates_its_debate", "an appeal decided by a party", claimed("{appeal}"),
           decided("{appeal}", "{party_actor}")),
    attack("appeal_is_decided_by_its_holder", "decided by who did not claim it", claimed("{appeal}", "{actor}"),
           decided("{appeal}")),
    attack("appeal_is_decided_by_its_holder", "decided unclaimed", decided("{appeal}")),
    attack("appeal_is_decided_once", "decided anew", claimed("{appeal}"), decided("{appeal}"),
           change(APPEAL, "{appeal}", state="'open'", decided_by_id="NULL", decided_because_id="NULL",
                  decided_at="NULL")),
    attack(ACT, "an act of somebody else", claimed("{appeal}"),
           entry(K.OVERRIDE, reason_code="'appeal'"), decided("{appeal}", **ALLOWED)),
    attack(ACT, "an act for another reason", claimed("{appeal}"),
           entry(K.OVERRIDE, actor_id="{second_actor}", reason_code="'other'"), decided("{appeal}", **ALLOWED)),
    attack(ACT, "an act on another score", claimed("{appeal}"),
           entry(K.OVERRIDE_LIFTED, actor_id="{second_actor}", reason_code="'appeal'"),
           decided("{appeal}", **ALLOWED)),
    attack(ACT, "an act from before", REMEDY, copy(APPEAL, "{appeal}", appellant_id="{actor}"),
           claimed("(SELECT max(id) FROM scoring_appeal)"),
           decided("(SELECT max(id) FROM scoring_appeal)", **ALLOWED)),
    attack(ACT, "an act that was undone", claimed("{appeal}"), REMEDY, UNDONE, decided("{appeal}", **UNDONE_ACT)),
    attack(ACT, "an act that was rolled back over", claimed("{appeal}"), REMEDY,
           entry(K.ROLLBACK, override_after="NULL"), decided("{appeal}", **UNDONE_ACT)),
    attack(SOMEBODY_ELSE, "found moot by who voided it", claimed("{appeal}"),
           entry(K.ROLLBACK, on=APPEALED, **FOR_IT), decided("{appeal}", state="'moot'")),
    attack(SOMEBODY_ELSE, "found moot by who has acted for an appeal since", claimed("{appeal_of_the_result}"), REMEDY,
           decided("{appeal_of_the_result}", state="'moot'")),
    attack(MOOT, "an entry that nothing came after that voids it", claimed("{appeal}"), REMEDY,
           decided("{appeal}", state="'moot'")),
    attack(MOOT, "a ruling that counts", entry(K.REINSTATE, actor_id="{actor}"),
           claimed("{appeal_of_a_ruling}"), decided("{appeal_of_a_ruling}", state="'moot'")),
    attack(MOOT, "a result that there is", ended("now() + interval '1 hour'"), OF_WHAT_CAME, claimed(NEWEST),
           decided(NEWEST, state="'moot'")),
    attack(CONCLUDED, "a result of earlier, against which an appeal is late", ended("now()"),
           ended("now() - interval '30 days'")),
    attack(CONCLUDED, "a result of later, so that the appeal is moot", ended("now()"),
           ended("now() + interval '1 day'")),
    attack(CONCLUDED, "a result of the last year that is kept", ended("'9999-12-29'")),
    attack(CONCLUDED, "a result of no time", ended("now()"), ended("NULL")),
    attack(CONCLUDED, "a result of what goes on",
           change("debates_debate", "{scored_debate}", status="'running'", concluded_at="now()")),
    attack("appeal_begins_open", "decided from the beginning",
           copy(APPEAL, "{appeal}", appellant_id="{actor}", state="'withdrawn'", decided_at="now()")),
    attack("appeal_is_about_its_debate", "an entry of another debate",
           copy(APPEAL, "{appeal}", debate_id="{debate}")),
    attack("appeal_is_about_its_debate", "a ruling of another debate",
           copy(APPEAL, "{appeal_of_a_ruling}", debate_id="{debate}")),
    attack("appeal_is_about_its_debate", "an entry that is yet to be written",
           copy(APPEAL, "{appeal}", appellant_id="{actor}", entry_id="2147483647")),
    attack("appeal_is_about_its_debate", "a ruling that is yet to be written",
           copy(APPEAL, "{appeal_of_a_ruling}", appellant_id="{actor}", fact_id="2147483647")),
    attack("appeal_is_about_one_thing", "an entry and a ruling",
           copy(APPEAL, "{appeal}", appellant_id="{actor}", fact_id="{fact}")),
    attack("appeal_once_per_person_and_entry", "twice against one entry", copy(APPEAL, "{appeal}")),
    attack("appeal_once_per_person_and_entry", "twice against one result", copy(APPEAL, "{appeal_of_the_result}")),
    attack("appeal_once_per_person_and_entry", "in another's name", copy(APPEAL, "{appeal}", person_id="{user}")),
    attack("appeal_ground_is_known", "another ground", copy(APPEAL, "{appeal}", appellant_id="{actor}", ground="'x'")),
    attack("appeal_state_is_known", "another state",
           f"ALTER TABLE {APPEAL} DROP CONSTRAINT appeal_decided_says_who_why_and_when",
           change(APPEAL, "{appeal}", state="'x'", decided_at="now()")),
    attack("appeal_claimed_has_holder_and_lease", "claimed by nobody",
           change(APPEAL, "{appeal}", state="'claimed'")),
    attack("appeal_decided_says_who_why_and_when", "allowed by nothing", claimed("{appeal}"),
           decided("{appeal}", state="'allowed'")),
    attack("appeal_decided_says_who_why_and_when", "withdrawn at no time",
           change(APPEAL, "{appeal}", state="'withdrawn'")),
    attack("appeal_keeps_what_was_filed", "other evidence", change(APPEAL, "{appeal}", evidence="'{{\"a\": 1}}'")),
    attack("appeal_keeps_what_was_filed", "another's words", change(APPEAL, "{appeal}", because_id="{other_reason}")),
    attack("appeal_keeps_what_was_filed", "another result",
           change(APPEAL, "{appeal_of_the_result}", result_at="now()")),
    attack("appeal_keeps_what_was_filed", "an earlier time",
           change(APPEAL, "{appeal}", filed_at="now() - interval '9 days'")),
    attack("appeal_is_kept", "an appeal deleted", remove(APPEAL, "{appeal}")),
    attack("appeal_is_kept", "no appeals any more", f"TRUNCATE {APPEAL} CASCADE"),
)  # fmt: skip


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param([decided("{appeal}")], id="dismissed"),
        pytest.param([BACK, decided("{appeal}", state="'moot'")], id="moot"),
        pytest.param([REMEDY, decided("{appeal}", **ALLOWED)], id="allowed"),
        pytest.param([REMEDY, UNDONE, UNDONE_AGAIN,
                      decided("{appeal}", **UNDONE_ACT)], id="allowed by what stands anew"),
        pytest.param([change(APPEAL, "{appeal}", state="'withdrawn'", claimed_by_id="NULL", lease_until="NULL",
                             decided_at="now()")], id="withdrawn"),
    ],
)  # fmt: skip
def test_what_an_appeal_may_come_to(statements, world):
    with nothing_stays():
        run(claimed("{appeal}"), world)
        for statement in statements:
            run(statement, world)
        commit_so_far()


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param([entry(K.FREEZE, on="{overridden}")], id="frozen by who lost"),
        pytest.param([entry(K.OVERRIDE_LIFTED, **BY_BOB)], id="taken back by who decided"),
        pytest.param([ASKED, answered(state="'refused'")], id="refused, as second person, by who lost"),
        pytest.param([MOVED_ON, BACK_OVER], id="gone back over by who lost, once somebody else has decided"),
    ],
)
def test_what_may_come_after_an_act_that_allowed_an_appeal(statements, world):
    with nothing_stays():
        for statement in [*ALLOWED_ONE, *statements]:
            run(statement, world)
        commit_so_far()


def test_the_act_that_allows_an_appeal_of_a_result_is_no_act_on_what_it_is_against(world):
    with nothing_stays():
        run(claimed("{appeal_of_the_result}"), world)
        run(REMEDY, world)
        run(decided("{appeal_of_the_result}", **ALLOWED), world)
        commit_so_far()


def test_whose_an_appeal_is_and_when_it_was_filed_says_the_database(world):
    with nothing_stays():
        run(copy(APPEAL, "{appeal}", appellant_id="{actor}", filed_at="now() - interval '1 year'"), world)
        asked = "SELECT person_id, filed_at > now() - interval '1 hour' FROM scoring_appeal ORDER BY id DESC LIMIT 1"
        assert run(asked) == [(world["user"], True)]
