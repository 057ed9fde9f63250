"""Every guard of the ledger's entries, broken on purpose; and what is left when the triggers are off."""

import pytest

from scoring.enums import EntryKind
from tests.schema.attacks import attack, change, commit_so_far, copy, nothing_stays, refusal_test, remove, run
from tests.schema.entries import NEWEST, SIGNED, VALID, entry, following, opening
from tests.schema.test_scoring_guards import another

pytestmark = pytest.mark.django_db
K = EntryKind
ENTRY = "scoring_scorechange"
OFF = [ENTRY]
STATE = "entry_state_follows_its_kind"
SCORE = "entry_score_moves_only_with_its_basis"
FROZEN = "evaluation_is_frozen"
NEW_FACT = "currval(pg_get_serial_sequence('scoring_fact', 'id'))"
NEW_ROUND = "currval(pg_get_serial_sequence('debates_round', 'id'))"

test_an_entry_is_guarded = refusal_test(
    attack("entry_has_an_evaluation", "an evaluation that is not there", entry(K.COMPLETED, evaluation_id="-1")),
    attack("entry_has_an_evaluation", "no evaluation", entry(K.COMPLETED, evaluation_id="NULL")),
    attack("entry_is_stale", "a number that is taken", entry(K.COMPLETED, sequence="1")),
    attack("entry_is_stale", "a number too far ahead", entry(K.COMPLETED, sequence="version + 2")),
    attack("entry_sequence_once_per_evaluation", "two entries at once",
           entry(K.COMPLETED).replace("WHERE", "CROSS JOIN generate_series(1, 2) WHERE")),
    attack("entry_kind_is_known", "an unknown kind", entry("whim")),
    attack("entry_kind_is_known", "no kind", entry(K.COMPLETED, kind="NULL")),
    attack("entry_actor_kind_is_known", "an unknown kind of actor", entry(K.COMPLETED, actor_kind="'ghost'")),
    attack("entry_opens_the_account_first", "opened again", entry("opened")),
    attack("entry_opens_the_account_first", "an account that begins with something else",
           another(), entry(K.COMPLETED, on=NEWEST)),
    attack("evaluation_is_opened_with_its_first_value", "a criterion opened with verdicts",
           another(), copy("scoring_fact", "{played_fact}", evaluation_id=NEWEST),
           opening(round_id="{played_round}", facts=f"ARRAY[{NEW_FACT}]")),
    attack("entry_names_its_round", "a criterion opened with another's round",
           another(), opening(round_id="{played_round}")),
    attack("entry_of_a_moderator_is_not_the_engines", "a person's override as the engine's",
           entry(K.OVERRIDE, actor_kind="'engine'")),
    *(
        attack("entry_of_a_moderator_has_actor_and_reason", f"{kind} {what}", entry(kind, **{column: "NULL"}))
        for kind in VALID if VALID[kind][1].get("actor_id")
        for what, column in (("by nobody", "actor_id"), ("for no reason", "reason_id"))
    ),
    attack("reason_has_ten_characters", "a reason that was erased", entry(K.OVERRIDE, reason_id="{erased_reason}")),
    attack("entry_is_append_only", "another value", change(ENTRY, "{entry}", computed_after="9")),
    attack("entry_is_append_only", "the same value", change(ENTRY, "{entry}", kind="kind")),
    attack("entry_is_append_only", "another actor", change(ENTRY, "{entry}", actor_id="NULL")),
    attack("entry_is_append_only", "an entry deleted", remove(ENTRY, "{entry}")),
    attack("entry_is_append_only", "no entries any more", "TRUNCATE scoring_scorechange CASCADE"),
)  # fmt: skip

test_a_frozen_score_is_guarded = refusal_test(
    *(
        attack(FROZEN, f"{kind} on a frozen score", entry(kind, on="{frozen}"))
        for kind in VALID if kind not in (K.HELD, K.COMPLETED, K.UNFREEZE, K.ROUND, K.OVERRIDE_LIFTED)
    ),
    attack(FROZEN, "a round on a frozen score", entry(K.HELD, kind="'round'")),
    attack(FROZEN, "an override lifted on a frozen score", entry(K.OVERRIDE_LIFTED, on="{frozen}")),
    attack("evaluation_is_not_frozen", "a round held on a score that moves", entry(K.ROUND, kind="'held'")),
    attack("evaluation_is_not_frozen", "an unfreeze of a score that moves", entry(K.UNFREEZE, on="{played}")),
    attack("entry_frozen_only_by_freeze", "a freeze that does not freeze", entry(K.FREEZE, frozen_after="false")),
    attack("entry_frozen_only_by_freeze", "an override that freezes", entry(K.OVERRIDE, frozen_after="true")),
    attack("entry_frozen_only_by_freeze", "an end that thaws", entry(K.COMPLETED, on="{frozen}", frozen_after="false")),
    attack("entry_frozen_only_by_freeze", "a held round that thaws", entry(K.HELD, frozen_after="false")),
    attack("entry_frozen_only_by_freeze", "an unfreeze that does not thaw", entry(K.UNFREEZE, frozen_after="true")),
    attack("entry_of_unfreeze_chooses", "an unfreeze that does not choose", entry(K.UNFREEZE, held_choice="''")),
    attack("entry_of_unfreeze_chooses", "a choice of something else", entry(K.UNFREEZE, held_choice="'maybe'")),
    attack("entry_of_unfreeze_chooses", "an override that chooses", entry(K.OVERRIDE, held_choice="'apply'")),
    attack(SCORE, "a held round that moves the score", entry(K.HELD, computed_after="9")),
    attack(SCORE, "a held round that moves the confidence", entry(K.HELD, confidence_after="0.9")),
    attack(SCORE, "an end that moves a frozen score", entry(K.COMPLETED, on="{frozen}", computed_after="9")),
    attack(STATE, "a held round that counts", entry(K.HELD, basis="basis || {frozen_fact}")),
    attack(STATE, "a held round that is not held", entry(K.HELD, held="held")),
    attack(STATE, "an unfreeze that keeps holding",
           entry(K.HELD), entry(K.UNFREEZE, basis="basis || held", facts="held", computed_after="8")),
    attack(STATE, "a discard that counts",
           entry(K.HELD),
           entry(K.UNFREEZE, basis="basis || held", facts="held", held="'{{}}'", computed_after="8",
                 held_choice="'discard'")),
    attack(STATE, "an application that does not count",
           entry(K.HELD), entry(K.UNFREEZE, facts="held", held="'{{}}'")),
    attack(STATE, "an unfreeze that says it was about nothing",
           entry(K.HELD), entry(K.UNFREEZE, basis="basis || held", held="'{{}}'", computed_after="8")),
)  # fmt: skip

test_counting_is_guarded = refusal_test(
    attack("round_counts_once_per_evaluation", "a round counted twice",
           entry(K.ROUND, round_id="{counted_round}", facts="basis", basis="basis", computed_after="computed_score")),
    *(
        attack("round_counts_while_its_debate_lasts", f"a round {kind} in a debate that is {status}",
               change("debates_debate", "{scored_debate}", status=f"'{status}'"), entry(kind))
        for kind in (K.ROUND, K.HELD) for status in ("concluded", "failed", "cancelled")
    ),
    attack("entry_names_its_round", "a round without a round", entry(K.ROUND, round_id="NULL")),
    attack("entry_names_its_round", "a held round without a round", entry(K.HELD, round_id="NULL")),
    attack("entry_names_its_round", "a round of another thread", entry(K.ROUND, round_id="{round}")),
    attack("entry_names_its_round", "a round that is not there", entry(K.ROUND, round_id="-1")),
    attack("entry_names_its_round", "a round without facts",
           "INSERT INTO debates_round (public_id, thread_id, run_number, number, opened_at)"
           " VALUES (gen_random_uuid(), {played_thread}, 1, 9, now())",
           entry(K.ROUND, round_id=NEW_ROUND,
                 facts="'{{}}'", basis="basis")),
    attack("entry_names_its_round", "a round of another thread, with a fact that should not be there",
           copy("scoring_fact", "{played_fact}", round_id="{round}"),
           entry(K.ROUND, round_id="{round}", facts=f"ARRAY[{NEW_FACT}]"),
           without=["scoring_fact"]),
    attack("entry_names_its_round", "a round of another run, with a fact that should not be there",
           "INSERT INTO debates_round (public_id, thread_id, run_number, number, opened_at)"
           " VALUES (gen_random_uuid(), {played_thread}, 2, 1, now())",
           copy("scoring_fact", "{played_fact}", round_id=NEW_ROUND),
           entry(K.ROUND, round_id=NEW_ROUND,
                 facts=f"ARRAY[{NEW_FACT}]"),
           without=["scoring_fact"]),
    attack(STATE, "a round with a fact of another run that should not be there",
           copy("scoring_fact", "{played_fact}", run_number="2"),
           entry(K.ROUND, facts=f"ARRAY[{{played_fact}}, {NEW_FACT}]",
                 basis=f"basis || {{played_fact}}::bigint || {NEW_FACT}"),
           without=["scoring_fact"]),
    attack("entry_names_its_round", "an override of a round", entry(K.OVERRIDE, round_id="{counted_round}")),
    attack("entry_names_its_round", "an end of a round", entry(K.COMPLETED, round_id="{played_round}")),
    attack(STATE, "a round without one of its facts", entry(K.ROUND, facts="'{{}}'")),
    attack(STATE, "a round with another's fact",
           entry(K.ROUND, facts="ARRAY[{played_fact}, {foreign_fact}]::bigint[]")),
    attack(STATE, "facts in an array that begins at nought",
           entry(K.ROUND, facts="('[0:0]={{' || {played_fact} || '}}')::bigint[]")),
    attack(STATE, "facts with nothing among them", entry(K.ROUND, facts="ARRAY[{played_fact}, NULL]::bigint[]")),
    attack(STATE, "no facts at all", entry(K.ROUND, facts="NULL")),
    attack(STATE, "a round that does not count", entry(K.ROUND, basis="basis")),
    attack(STATE, "a round that forgets the others", entry(K.ROUND, basis="ARRAY[{played_fact}]::bigint[]")),
    attack(STATE, "a basis out of order", entry(K.ROUND, basis="{played_fact} || basis")),
    attack(STATE, "a basis with another's fact", entry(K.COMPLETED, basis="basis || {foreign_fact}")),
    attack(STATE, "a basis of nothing", entry(K.COMPLETED, basis="NULL")),
    attack(STATE, "a fact held on a score that moves", entry(K.COMPLETED, held="ARRAY[{played_fact}]::bigint[]")),
    attack(STATE, "a round that is not one more", entry(K.ROUND, rounds_after="debate_round_count")),
    attack(STATE, "a round that is not counted as played", entry(K.ROUND, counted_after="false")),
    attack(STATE, "a round that ends the thread", entry(K.ROUND, complete_after="true")),
    attack(STATE, "an end that does not end", entry(K.COMPLETED, complete_after="false")),
    attack(STATE, "an end in another run", entry(K.COMPLETED, run_number="2")),
    attack(STATE, "an end about facts", entry(K.COMPLETED, facts="basis")),
    attack(STATE, "an end that overrides", entry(K.COMPLETED, override_after="9")),
    attack(SCORE, "an end that moves the score", entry(K.COMPLETED, computed_after="9")),
    attack(SCORE, "an end that moves the confidence", entry(K.COMPLETED, confidence_after="0.9")),
    attack(SCORE, "a round that is computed as nothing", entry(K.ROUND, computed_after="NULL")),
    attack(SCORE, "a round without a confidence", entry(K.ROUND, confidence_after="NULL")),
    attack("evaluation_computed_inside_instrument", "a round beyond the scale", entry(K.ROUND, computed_after="10.5")),
    attack("evaluation_confidence_inside_limits", "a confidence beyond 1", entry(K.ROUND, confidence_after="1.5")),
    attack("entry_falls_back_only_over_nothing", "a fallback over counted rounds", entry(K.FALLBACK, on="{played}")),
    attack("entry_reason_code_is_known", "words for a code", entry(K.ROUND, reason_code="'because of Otto'")),
    attack("entry_idempotency_key_is_a_digest", "a caller's own words", entry(K.ROUND, idempotency_key="'for Otto'")),
    attack("entry_fallback_says_why", "a fallback for no reason", entry(K.FALLBACK, reason_code="''")),
    attack(SCORE, "a fallback to another score", entry(K.FALLBACK, computed_after="9")),
    attack(SCORE, "a fallback to another confidence", entry(K.FALLBACK, confidence_after="0.9")),
    attack(SCORE, "an opening with a computed score", another(), opening(computed_after="initial_score")),
    attack(SCORE, "an opening with another confidence", another(), opening(confidence_after="0.9")),
)  # fmt: skip

test_moderation_is_guarded = refusal_test(
    attack("entry_of_override_has_a_value", "an override of nothing", entry(K.OVERRIDE, override_after="NULL")),
    attack("evaluation_override_inside_instrument", "an override beyond the scale",
           entry(K.OVERRIDE, override_after="11")),
    attack(SCORE, "an override that moves the computed score too", entry(K.OVERRIDE, computed_after="9")),
    attack(STATE, "an override about facts", entry(K.OVERRIDE, facts="basis")),
    attack("entry_lifts_an_override", "an override lifted that is not there", entry(K.OVERRIDE_LIFTED, on="{played}")),
    attack(STATE, "a lift that leaves the override", entry(K.OVERRIDE_LIFTED, override_after="3")),
    attack("entry_facts_belong_to_the_evaluation", "a strike of nothing", entry(K.STRIKE, facts="'{{}}'")),
    attack("entry_facts_belong_to_the_evaluation", "a strike of a standing's only snapshot",
           entry(K.STRIKE, on="{standing}", computed_after="NULL", confidence_after="NULL")),
    attack("entry_facts_belong_to_the_evaluation", "a strike of another's fact",
           entry(K.STRIKE, facts="ARRAY[{foreign_fact}]::bigint[]")),
    attack("entry_facts_belong_to_the_evaluation", "a strike of a fact that does not count",
           entry(K.STRIKE, facts="ARRAY[{played_fact}]::bigint[]")),
    attack("entry_facts_belong_to_the_evaluation", "a strike of no fact at all",
           entry(K.STRIKE, facts="ARRAY[NULL]::bigint[]")),
    attack(STATE, "a strike that strikes nothing", entry(K.STRIKE, basis="basis", computed_after="computed_score")),
    attack(STATE, "a strike of one fact twice", entry(K.STRIKE, facts="basis || basis")),
    attack("entry_facts_belong_to_the_evaluation", "a reinstatement of what counts",
           entry(K.REINSTATE, on="{played}", facts="basis")),
    attack("entry_facts_belong_to_the_evaluation", "a reinstatement of another's fact",
           entry(K.REINSTATE, facts="ARRAY[{foreign_fact}]::bigint[]")),
    attack("entry_facts_belong_to_the_evaluation", "a reinstatement of another run's fact",
           entry(K.RERUN, on="{struck}"),
           entry(K.REINSTATE, counted_after="true")),
    attack(STATE, "a reinstatement out of order", entry(K.REINSTATE, basis="'{{}}'")),
    attack("entry_of_rollback_names_its_target", "a rollback to nowhere", entry(K.ROLLBACK, target_sequence="NULL")),
    attack("entry_of_rollback_names_its_target", "a rollback to the future",
           entry(K.ROLLBACK, target_sequence="version + 1")),
    attack("entry_of_rollback_names_its_target", "a rollback to entry nought", entry(K.ROLLBACK, target_sequence="0")),
    attack("entry_of_rollback_names_its_target", "an end that names a target", entry(K.COMPLETED, target_sequence="1")),
    attack(STATE, "a rollback that keeps the basis", entry(K.ROLLBACK, basis="basis", computed_after="computed_score")),
    attack(STATE, "a rollback that keeps the thread done", entry(K.COMPLETED), entry(K.ROLLBACK)),
    attack(STATE, "a rollback that keeps the override", entry(K.OVERRIDE), entry(K.ROLLBACK)),
    attack(STATE, "a rollback that keeps the rounds", entry(K.ROLLBACK, rounds_after="debate_round_count")),
    attack(STATE, "a rollback that forgets that it was played",
           entry(K.ROLLBACK, counted_after="false", computed_after="NULL")),
    attack(SCORE, "a rollback to another score than the target's",
           entry(K.ROUND), entry(K.ROLLBACK, target_sequence="2", basis="ARRAY[{fact}]::bigint[]", rounds_after="1")),
    attack("entry_of_rerun_opens_a_new_run", "a rerun of the same run", entry(K.RERUN, run_number="run_number")),
    attack("entry_of_rerun_opens_a_new_run", "a rerun of an earlier run",
           entry(K.RERUN), entry(K.RERUN, run_number="1")),
    attack("entry_of_rerun_opens_a_new_run", "a rerun that leaves a run out", entry(K.RERUN, run_number="3")),
    attack("entry_of_rerun_opens_a_new_run", "a rerun of the last run there could be",
           entry(K.RERUN, run_number="2147483647")),
    attack("entry_of_rerun_opens_a_new_run", "a rerun of a run that was rolled back",
           entry(K.RERUN), entry(K.ROLLBACK, run_number="1", counted_after="true"), entry(K.RERUN, run_number="2")),
    attack(STATE, "a rerun that keeps the basis", entry(K.RERUN, basis="basis")),
    attack(STATE, "a rerun that keeps the rounds", entry(K.RERUN, rounds_after="debate_round_count")),
    attack(SCORE, "a rerun that keeps the score", entry(K.RERUN, computed_after="computed_score")),
    attack(SCORE, "a rerun that keeps the confidence", entry(K.RERUN, confidence_after="0.9")),
)  # fmt: skip


def test_what_follows_validly_is_accepted_with_the_triggers_off(world):
    with nothing_stays():
        commit_so_far()
        run(f"ALTER TABLE {ENTRY} DISABLE TRIGGER USER")
        run(following(), world)
        commit_so_far()


test_the_chain_stands_with_the_triggers_off = refusal_test(
    attack("entry_follows_the_one_before", "a gap", following(sequence="sequence + 2"), without=OFF),
    attack("entry_follows_the_one_before", "another value before", following(value_before="5"), without=OFF),
    attack("entry_follows_the_one_before", "frozen before, which it was not",
           following(frozen_before="true", frozen_after="true"), without=OFF),
    attack("entry_follows_the_one_before", "the entry in the middle taken out",
           following(), remove(ENTRY, "{entry}"), without=OFF),
    attack("entry_follows_the_one_before", "the value of the entry in the middle changed",
           following(), change(ENTRY, "{entry}", computed_after="9", value_after="9"), without=OFF),
    attack("entry_sequence_once_per_evaluation", "a number twice", following(sequence="sequence"), without=OFF),
    attack("entry_can_be_followed", "a number and value twice, when nothing else were to refuse it",
           "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_sequence_once_per_evaluation",
           following(sequence="sequence", value_before="value_before"), without=OFF),
    attack("entry_starts_from_the_initial_score", "another initial score",
           following(initial_score="5"), without=OFF),
    attack("entry_starts_from_the_initial_score", "an evaluation whose initial score was changed",
           change("scoring_evaluation", "{played}", initial_score="5"), without=["scoring_evaluation"]),
    attack("entry_starts_from_the_initial_score", "an evaluation deleted with its entries left",
           "DELETE FROM scoring_evaluation WHERE id = {empty}", without=["scoring_evaluation"]),
    attack("entry_opens_at_the_initial_score", "an account opened at another value",
           change(ENTRY, "{first_entry}", value_before="5"), without=OFF),
    attack("entry_opens_the_account_first", "an account opened twice", following(kind="'opened'"), without=OFF),
    attack("entry_opens_the_account_first", "an account that begins otherwise",
           change(ENTRY, "{first_entry}", kind="'completed'"), without=OFF),
    attack("entry_opens_the_account_first", "entry nought",
           following(sequence="0", value_before="initial_score"), without=OFF),
    attack("entry_value_is_override_else_computed_else_initial", "a value out of nowhere",
           following(value_after="9"), without=OFF),
    attack("entry_value_is_override_else_computed_else_initial", "an override that does not count",
           following(override_after="2"), without=OFF),
    attack("entry_value_is_override_else_computed_else_initial", "a computed score that does not count",
           following(computed_after="2"), without=OFF),
    attack("entry_frozen_only_by_freeze", "frozen in passing", following(frozen_after="true"), without=OFF),
    attack("entry_moves_nothing_while_frozen", "a freeze that moves the confidence",
           following(kind="'freeze'", frozen_after="true", confidence_after="0.9", actor_kind="'system'",
                     actor_id="{actor}", reason_id="{reason}"), without=OFF),
    attack("entry_moves_nothing_while_frozen", "a freeze that moves the value",
           following(kind="'freeze'", frozen_after="true", computed_after="9", value_after="9", actor_kind="'system'",
                     actor_id="{actor}", reason_id="{reason}"), without=OFF),
    attack("entry_moves_nothing_while_frozen", "a freeze that moves the score under an override",
           following(kind="'freeze'", frozen_after="true", computed_after="9", override_after="value_after",
                     actor_kind="'system'", actor_id="{actor}", reason_id="{reason}"), without=OFF),
    attack("entry_of_a_moderator_has_actor_and_reason", "a strike by nobody",
           following(kind="'strike'", actor_kind="'system'"), without=OFF),
    attack("entry_of_a_moderator_is_not_the_engines", "a strike by the engine",
           following(kind="'strike'", actor_id="{actor}", reason_id="{reason}"), without=OFF),
    attack("entry_names_its_round", "a round without a round",
           following(kind="'round'", facts="basis"), without=OFF),
    attack("entry_names_its_round", "a round without facts",
           following(kind="'round'", round_id="{played_round}"), without=OFF),
    attack("round_counts_once_per_evaluation", "a round counted twice",
           following(kind="'round'", round_id="{counted_round}", facts="basis"), without=OFF),
    attack("entry_of_rollback_names_its_target", "a rollback to itself",
           following(kind="'rollback'", target_sequence="sequence + 1", actor_kind="'system'",
                     actor_id="{actor}", reason_id="{reason}"), without=OFF),
    attack("entry_kind_is_known", "an unknown kind", following(kind="'whim'"), without=OFF),
    attack("evaluation_moves_only_with_an_entry", "an entry that nothing projects, and a score to match",
           following(kind="'round'", round_id="{played_round}", facts="basis", computed_after="9", value_after="9"),
           change("scoring_evaluation", "{played}", computed_score="9"), without=OFF),
)  # fmt: skip


def test_moderators_kinds_are_the_signed_ones():
    assert {kind for kind, (_, columns) in VALID.items() if columns.get("actor_id") == SIGNED["actor_id"]} == {
        K.OVERRIDE, K.OVERRIDE_LIFTED, K.FREEZE, K.UNFREEZE, K.STRIKE, K.REINSTATE, K.ROLLBACK, K.RERUN,
    }  # fmt: skip
