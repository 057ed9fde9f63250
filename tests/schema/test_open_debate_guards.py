"""Every guard of what an open debate keeps, broken on purpose."""

import pytest

from tests.schema.attacks import attack, change, copy, refusal_test, remove

pytestmark = pytest.mark.django_db
RESPONSE = "judging_responseevaluation"
ELSE = {"turn_id": "{spare_response_turn}", "fact_id": "{spare_response_fact}", "round_id": "{spare_response_round}"}
SIXTY = {**ELSE, "steel_manning": "15", "self_critique": "15", "consistency": "15", "honesty": "15"}
NEW_TURN = "currval(pg_get_serial_sequence('debates_turn', 'id'))"
QUICK = {"turn_id": "{spare_response_turn}"}

test_a_judgement_of_a_response_is_guarded = refusal_test(
    attack(
        "response_total_is_the_sum_of_its_marks",
        "marks that do not add up to the total",
        copy(RESPONSE, "{response_evaluation}", **{**SIXTY, "honesty": "16"}),
    ),
    attack(
        "response_total_is_the_sum_of_its_marks",
        "a fact of another round",
        copy(RESPONSE, "{response_evaluation}", **{**SIXTY, "round_id": "{round}"}),
    ),
    attack(
        "response_counts_for_its_speaker",
        "a total that counts for somebody else",
        copy("debates_turn", "{spare_response_turn}", participant_id="{listener}", slot="'elsewhere'"),
        copy(RESPONSE, "{response_evaluation}", **{**SIXTY, "turn_id": NEW_TURN}),
    ),
    attack(
        "response_counts_for_its_speaker",
        "a total of what was said in another round",
        copy(
            "debates_turn",
            "{spare_response_turn}",
            round_id="{response_round}",
            kind="'interjection'",
            slot="'earlier'",
        ),
        copy(RESPONSE, "{response_evaluation}", **{**SIXTY, "turn_id": NEW_TURN}),
    ),
    attack(
        "response_marks_inside_scale",
        "a mark of 30",
        copy(RESPONSE, "{response_evaluation}", **{**SIXTY, "steel_manning": "30", "honesty": "0"}),
    ),
    attack(
        "response_has_marks_where_scored",
        "a quick look with marks",
        copy(RESPONSE, "{response_evaluation}", **SIXTY, state="'quick'"),
    ),
    attack(
        "response_has_marks_where_scored",
        "a score without a fact",
        copy(RESPONSE, "{response_evaluation}", **{**SIXTY, "fact_id": "NULL"}),
    ),
    attack(
        "response_has_flags_unless_failed",
        "a failure that knows what was attempted",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, state="'failed'"),
    ),
    attack(
        "response_has_flags_unless_failed",
        "a quick look that saw nothing",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, steel_attempted="NULL"),
    ),
    attack(
        "response_is_looked_at_first",
        "a judgement without a quick look",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, quick_self_critique="NULL"),
    ),
    attack(
        "response_has_a_spread_where_judged_several_times",
        "a spread below nothing",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, readings="'[1]'", spread="-1"),
    ),
    attack(
        "response_evaluation_state_is_known",
        "an unknown state",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, state="'guessed'"),
    ),
    attack(
        "response_requires_interjection_with_a_reason_where_scored",
        "an interjection required by a quick look",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, requires_interjection="true", violation="'low_adherence'"),
    ),
    attack(
        "response_requires_interjection_with_a_reason_where_scored",
        "an interjection required for no reason",
        copy(RESPONSE, "{response_evaluation}", **SIXTY, requires_interjection="true"),
    ),
    attack(
        "response_issues_are_known",
        "an unknown issue",
        copy(RESPONSE, "{quick_evaluation}", **QUICK, issues="'{{lying}}'"),
    ),
    attack(
        "response_evaluation_is_never_edited", "other marks", change(RESPONSE, "{response_evaluation}", honesty="1")
    ),
    attack(
        "response_evaluation_is_never_edited",
        "other grounds",
        change(RESPONSE, "{response_evaluation}", grounds="'[1]'"),
    ),
    attack("response_evaluation_is_never_edited", "a judgement deleted", remove(RESPONSE, "{quick_evaluation}")),
    attack("response_evaluation_is_never_edited", "no judgements any more", f"TRUNCATE {RESPONSE}"),
)

EFFECT = "judging_effect"
OTHER = {"turn_id": "{spare_response_turn}"}

test_an_effect_is_guarded = refusal_test(
    attack("effect_once_per_turn_and_listener", "an effect counted twice", copy(EFFECT, "{effect}")),
    attack(
        "effect_is_on_somebody_else", "a speaker persuaded by itself", copy(EFFECT, "{effect}", listener_id="{speaker}")
    ),
    attack("effect_inside_limits", "a persuasion of 1.5", copy(EFFECT, "{effect}", **OTHER, persuasion="1.5")),
    attack("effect_inside_limits", "an attack below nothing", copy(EFFECT, "{effect}", **OTHER, attack="-0.1")),
    attack(
        "effect_has_a_spread_where_judged_several_times",
        "a flip of one judgement",
        copy(EFFECT, "{effect}", **OTHER, flipped="true"),
    ),
    attack("effect_source_is_known", "an unknown source", copy(EFFECT, "{effect}", **OTHER, source="'a feeling'")),
    attack("effect_is_never_edited", "a stronger effect", change(EFFECT, "{effect}", attack="1")),
    attack("effect_is_never_edited", "an effect deleted", remove(EFFECT, "{effect}")),
    attack("effect_is_never_edited", "no effects any more", f"TRUNCATE {EFFECT} CASCADE"),
)

STATE = "judging_participantstate"
AGAIN = copy(EFFECT, "{effect}", **OTHER)
NEW_EFFECT = "(SELECT max(id) FROM judging_effect)"

test_a_state_is_guarded = refusal_test(
    attack("state_number_once_per_participant", "a second start", copy(STATE, "{start_state}")),
    attack(
        "state_follows_the_one_before",
        "a state left out",
        AGAIN,
        copy(STATE, "{state}", number="3", effect_id=NEW_EFFECT),
    ),
    attack(
        "surrendered_is_moved_no_more",
        "somebody moved after giving up",
        AGAIN,
        copy(STATE, "{gone_state}", number="2", effect_id=NEW_EFFECT, surrender="''"),
    ),
    attack(
        "state_starts_without_an_effect",
        "a start that something led to",
        copy(STATE, "{start_state}", participant_id="{speaker}", surrender="'wavering'"),
    ),
    attack(
        "state_starts_without_an_effect",
        "a state that nothing led to",
        copy(STATE, "{state}", number="2", effect_id="NULL"),
    ),
    attack(
        "state_inside_limits", "a stance of 2", copy(STATE, "{start_state}", participant_id="{speaker}", stance="2")
    ),
    attack(
        "state_inside_limits",
        "a conviction below nothing",
        copy(STATE, "{start_state}", participant_id="{speaker}", conviction="-0.1"),
    ),
    attack(
        "state_surrender_is_known",
        "an unknown reason to give up",
        AGAIN,
        copy(STATE, "{state}", number="2", effect_id=NEW_EFFECT, surrender="'boredom'"),
    ),
    attack("state_is_never_edited", "another stance", change(STATE, "{state}", stance="0.9")),
    attack("state_is_never_edited", "a surrender taken back", change(STATE, "{gone_state}", surrender="''")),
    attack("state_is_never_edited", "a state deleted", remove(STATE, "{state}")),
    attack("state_is_never_edited", "no states any more", f"TRUNCATE {STATE}"),
)

STANDING = "judging_standing"
TWELVE = {
    "fact_id": "{spare_standing_fact}",
    "round_id": "{spare_standing_round}",
    "stance": "6",
    "persuasion": "0",
    "resistance": "6",
    "penalty": "0",
}

test_a_standing_is_guarded = refusal_test(
    attack(
        "standing_total_is_the_sum_of_its_parts",
        "parts that do not add up to the total",
        copy(STANDING, "{standing_row}", **{**TWELVE, "stance": "6.00001"}),
    ),
    attack(
        "standing_counts_for_its_participant",
        "a standing that counts for somebody else",
        copy(STANDING, "{standing_row}", **TWELVE, participant_id="{listener}"),
    ),
    attack(
        "standing_once_per_round_and_participant",
        "one participant standing twice after one exchange",
        copy(STANDING, "{standing_row}", **TWELVE),
        copy(STANDING, "{standing_row}", **{**TWELVE, "fact_id": "{twin_standing_fact}"}),
    ),
    attack(
        "standing_parts_inside_limits",
        "a stance worth 36 points",
        copy(
            STANDING,
            "{standing_row}",
            **{**TWELVE, "stance": "31", "persuasion": "31", "resistance": "0", "penalty": "50"},
        ),
    ),
    attack(
        "standing_parts_inside_limits",
        "a penalty of 10",
        copy(STANDING, "{standing_row}", **{**TWELVE, "persuasion": "10", "penalty": "10"}),
    ),
    attack("standing_is_never_edited", "another part", change(STANDING, "{standing_row}", stance="11")),
    attack("standing_is_never_edited", "a standing deleted", remove(STANDING, "{standing_row}")),
    attack("standing_is_never_edited", "no standings any more", f"TRUNCATE {STANDING}"),
)

CACHED = "judging_cachedjudgement"

test_a_known_judgement_is_guarded = refusal_test(
    attack(
        "cached_judgement_is_known_or_being_made",
        "neither known nor being made",
        copy(CACHED, "{cached}", digest="'e'", answer="''"),
    ),
    attack(
        "cached_judgement_is_known_or_being_made",
        "known and being made",
        copy(CACHED, "{cached}", digest="'e'", holder="'w'", lease_until="at"),
    ),
    attack("cached_judgement_keeps_its_answer", "another answer", change(CACHED, "{cached}", answer="'other'")),
)
