"""Every guard of what was asked, said and ruled, broken on purpose."""

import pytest

from tests.schema.attacks import attack, change, copy, refusal_test, remove

pytestmark = pytest.mark.django_db
CALL = "judging_call"

test_a_call_is_guarded = refusal_test(
    attack("call_purpose_is_known", "an unknown purpose", copy(CALL, "{call}", purpose="'gossip'")),
    attack("call_outcome_is_known", "an unknown outcome", copy(CALL, "{call}", outcome="'maybe'", problem="'x'")),
    attack("call_that_was_not_used_says_why", "rejected for no reason", copy(CALL, "{call}", outcome="'rejected'")),
    attack("call_answers_once_per_round_and_purpose", "two answers to one question", copy(CALL, "{call}")),
    attack(
        "call_answers_once_per_round_and_purpose",
        "two answers to the third reading in the other order",
        copy(CALL, "{call}", swapped="true", reading="3"),
        copy(CALL, "{call}", swapped="true", reading="3"),
    ),
    attack("call_is_never_edited", "another answer", change(CALL, "{call}", raw_answer="'other'")),
    attack("call_is_never_edited", "another problem", change(CALL, "{call}", problem="'other'")),
    attack("call_is_never_edited", "another cost", change(CALL, "{call}", cost="9")),
    attack("call_is_never_edited", "a call deleted", remove(CALL, "{call}")),
    attack("call_is_never_edited", "no calls any more", "TRUNCATE judging_call CASCADE"),
)

CHALLENGE = "judging_challenge"
NEXT = {"turn_id": "{spare_challenge_turn}"}

test_a_challenge_is_guarded = refusal_test(
    attack(
        "challenge_severity_is_known",
        "an unknown severity",
        copy(CHALLENGE, "{challenge}", label="'C9'", severity="'mild'", **NEXT),
    ),
    attack("challenge_label_once_per_thread_and_run", "one label twice", copy(CHALLENGE, "{challenge}", **NEXT)),
    attack("challenge_is_never_edited", "another quote", change(CHALLENGE, "{challenge}", quote="'other'")),
    attack("challenge_is_never_edited", "another severity", change(CHALLENGE, "{challenge}", severity="'critical'")),
    attack("challenge_is_never_edited", "a challenge deleted", remove(CHALLENGE, "{challenge}")),
    attack("challenge_is_never_edited", "no challenges any more", "TRUNCATE judging_challenge CASCADE"),
)

DEFENCE = "judging_defence"
SPARE = {"turn_id": "{spare_defence_turn}"}

test_a_defence_is_guarded = refusal_test(
    attack("defence_reply_is_known", "an unknown reply", copy(DEFENCE, "{defence}", reply="'shrug'", **SPARE)),
    attack("defence_once_per_challenge_and_round", "a second defence", copy(DEFENCE, "{defence}", **SPARE)),
    attack("defence_is_never_edited", "another reply", change(DEFENCE, "{defence}", reply="'concede'")),
    attack("defence_is_never_edited", "a defence deleted", remove(DEFENCE, "{defence}")),
    attack("defence_is_never_edited", "no defences any more", "TRUNCATE judging_defence"),
)

VERDICT = "judging_verdict"
OTHER = {"fact_id": "{spare_fact}"}
FITS = "verdict_rules_on_a_challenge_of_its_round"
NEW_CHALLENGE = "currval(pg_get_serial_sequence('judging_challenge', 'id'))"

test_a_verdict_is_guarded = refusal_test(
    attack("verdict_winner_is_known", "an unknown winner", copy(VERDICT, "{verdict}", winner="'me'", **OTHER)),
    attack("verdict_once_per_challenge_and_round", "a challenge judged twice", copy(VERDICT, "{verdict}", **OTHER)),
    attack(
        FITS,
        "a challenge judged twice in a round, once in the name of the next",
        copy(VERDICT, "{verdict}", **OTHER, round_id="(SELECT round_id FROM scoring_fact WHERE id = {later_fact})"),
    ),
    attack(FITS, "a number of another round", copy(VERDICT, "{verdict}", fact_id="{later_fact}")),
    attack(FITS, "a judge's score for a ruling", copy(VERDICT, "{verdict}", fact_id="{judge_score}")),
    attack(FITS, "a number that is not there", copy(VERDICT, "{verdict}", fact_id="-1")),
    *(
        attack(
            FITS,
            f"a challenge of another {what}",
            copy(CHALLENGE, "{challenge}", **NEXT, **{column: value}),
            copy(VERDICT, "{verdict}", **OTHER, challenge_id=NEW_CHALLENGE),
        )
        for what, column, value in (("thread", "thread_id", "{played_thread}"), ("run", "run_number", "2"))
    ),
    attack(
        "verdict_has_a_spread_where_judged_several_times",
        "a spread of one judgement",
        copy(VERDICT, "{verdict}", **OTHER, spread="1"),
    ),
    attack(
        "ballot_is_sealed_until_its_round_closes",
        "a ruling shown while its round is open",
        copy("debates_participant", "{judging_seat}", debate_id="{judged_debate}", name="'Arbiter on a seat'"),
        copy(
            "debates_ballot",
            "{ballot}",
            round_id="{judged_round}",
            participant_id="currval(pg_get_serial_sequence('debates_participant', 'id'))",
        ),
        copy(CHALLENGE, "{challenge}", **NEXT, label="'C9'"),
        copy(VERDICT, "{verdict}", **OTHER, challenge_id=NEW_CHALLENGE),
    ),
    attack("verdict_is_never_edited", "another winner", change(VERDICT, "{verdict}", winner="'draw'")),
    attack("verdict_is_never_edited", "other reasoning", change(VERDICT, "{verdict}", reasoning="'other'")),
    attack("verdict_is_never_edited", "another fact", change(VERDICT, "{verdict}", **OTHER)),
    attack("verdict_is_never_edited", "a verdict deleted", remove(VERDICT, "{verdict}")),
    attack("verdict_is_never_edited", "no verdicts any more", "TRUNCATE judging_verdict"),
)

SYNTHESIS = "judging_synthesis"

test_a_synthesis_is_guarded = refusal_test(
    *(
        attack(
            "synthesis_is_written_while_its_debate_lasts",
            f"last words in a debate that is {status}",
            change("debates_debate", "{judged_debate}", status=f"'{status}'"),
            copy(SYNTHESIS, "{synthesis}", number="2", turn_id="{spare_synthesis_turn}"),
        )
        for status in ("concluded", "failed", "cancelled")
    ),
    attack(
        "synthesis_number_once_per_debate",
        "one number twice",
        copy(SYNTHESIS, "{synthesis}", turn_id="{spare_synthesis_turn}"),
    ),
    attack("synthesis_is_never_edited", "other numbers", change(SYNTHESIS, "{synthesis}", numbers="'[]'")),
    attack(
        "synthesis_is_never_edited",
        "the same number, written otherwise",
        change(SYNTHESIS, "{synthesis}", numbers="""'{{"mean": 2.0}}'"""),
    ),
    attack("synthesis_is_never_edited", "a synthesis deleted", remove(SYNTHESIS, "{synthesis}")),
    attack("synthesis_is_never_edited", "no syntheses any more", "TRUNCATE judging_synthesis"),
)

test_a_new_debate_is_guarded = refusal_test(
    attack(
        "new_debate_format_is_known", "a strange format", change("judging_newdebate", "{new_debate}", format="'duel'")
    )
)

test_a_planned_start_is_guarded = refusal_test(
    attack(
        "planned_start_is_ahead",
        "a start in the past",
        "UPDATE judging_plannedstart SET starts_at = created_at - interval '1 hour' WHERE debate_id = {planned_start}",
    ),
    attack(
        "planned_start_given_up_says_why",
        "one given up without a reason",
        "UPDATE judging_plannedstart SET given_up_at = now() WHERE debate_id = {planned_start}",
    ),
)

test_a_script_is_guarded = refusal_test(
    attack("script_is_never_edited", "other answers", change("judging_script", "{script}", answers="'[1]'"))
)
