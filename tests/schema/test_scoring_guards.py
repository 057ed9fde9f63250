"""Every guard of evaluations, facts, people, reasons, alerts and rubrics, broken on purpose."""

import pytest

from scoring.enums import EntryKind
from tests.schema.attacks import attack, change, commit_so_far, copy, nothing_stays, refusal_test, remove, run
from tests.schema.entries import entry, opening

pytestmark = pytest.mark.django_db
EVALUATION = "scoring_evaluation"
OFF = [EVALUATION]
FIXED = {
    "name": "'other'",
    "key": "'other'",
    "category": "'other'",
    "weight": "2",
    "position": "9",
    "instrument": "'panel'",
    "initial_score": "9",
    "initial_confidence": "1",
    "thread_id": "{thread}",
    "debate_id": "{draft}",
    "participant_id": "{participant}",
    "public_id": "gen_random_uuid()",
    "created_at": "now() - interval '1 day'",
    "computed_score": "9",
    "override_score": "9",
    "confidence": "0.9",
    "counted": "false",
    "basis": "'{{}}'",
    "held": "'{{7}}'",
    "frozen_at": "now()",
    "run_number": "2",
    "debate_complete": "true",
    "debate_round_count": "7",
    "version": "version + 1",
    "moderation_version": "1",
    "last_score_update": "now()",
    "head_hash": "'x'",
}


def another(**changes: str) -> str:
    return copy(EVALUATION, "{played}", **{"key": "'new'", **changes})


def of_panel(**changes: str) -> str:
    return another(instrument="'panel'", initial_score="3", initial_confidence="NULL", confidence="NULL", **changes)


test_an_evaluation_is_guarded = refusal_test(
    attack("evaluation_instrument_is_known", "an unknown instrument, when nothing else were to refuse it",
           "ALTER TABLE scoring_evaluation DROP CONSTRAINT evaluation_initial_inside_instrument",
           another(instrument="'lute'", initial_confidence="NULL")),
    attack("evaluation_once_per_thread_instrument_and_key", "one key twice", another(key='"key"')),
    attack("evaluation_initial_score_is_referable", "one id and initial score twice",
           "ALTER TABLE scoring_evaluation DROP CONSTRAINT scoring_evaluation_pkey CASCADE", another(id="id")),
    attack("evaluation_initial_inside_instrument", "a criterion of 0", another(initial_score="0")),
    attack("evaluation_initial_inside_instrument", "a criterion of 10.000001", another(initial_score="10.000001")),
    attack("evaluation_initial_inside_instrument", "an adherence of 101",
           another(instrument="'adherence'", initial_score="101", initial_confidence="NULL")),
    attack("evaluation_initial_inside_instrument", "a panel of 6", of_panel().replace("3", "6", 1)),
    attack("evaluation_initial_inside_instrument", "a standing of -51",
           another(instrument="'standing'", initial_score="-51", initial_confidence="NULL")),
    attack("evaluation_computed_inside_instrument", "a computed 11", another(computed_score="11"), without=OFF),
    attack("evaluation_computed_inside_instrument", "a computed NaN", another(computed_score="'NaN'"), without=OFF),
    attack("evaluation_override_inside_instrument", "an override of 0", another(override_score="0"), without=OFF),
    attack("evaluation_confidence_inside_limits", "a first confidence of 1.01", another(initial_confidence="1.01")),
    attack("evaluation_confidence_inside_limits", "a confidence below 0", another(confidence="-0.1"), without=OFF),
    attack("evaluation_confidence_only_for_criterion", "no first confidence", another(initial_confidence="NULL")),
    attack("evaluation_confidence_only_for_criterion", "a panel with a confidence",
           another(instrument="'panel'", initial_score="3")),
    attack("evaluation_computed_only_when_counted", "computed of nothing", another(counted="false"), without=OFF),
    attack("evaluation_computed_only_when_counted", "counted and not computed",
           another(computed_score="NULL"), without=OFF),
    attack("evaluation_belongs_to_its_debate", "a thread of another debate", another(thread_id="{thread}")),
    attack("evaluation_belongs_to_its_debate", "a participant of another debate",
           another(participant_id="{participant}")),
    *(
        attack("evaluation_is_opened_while_its_debate_lasts", f"another account in a debate that is {status}",
               change("debates_debate", "{scored_debate}", status=f"'{status}'"), another(), opening())
        for status in ("concluded", "failed", "cancelled")
    ),
    attack("evaluation_is_opened_with_its_first_value", "an account without an entry", another()),
    attack("evaluation_is_opened_with_its_first_value", "a standing without a fact",
           another(instrument="'standing'", initial_confidence="NULL"),
           opening(counted_after="true", computed_after="initial_score")),
    attack("entry_score_moves_only_with_its_basis", "a panel computed of nothing",
           of_panel(), opening(counted_after="true", computed_after="initial_score")),
    *(
        attack("evaluation_moves_only_with_an_entry", f"another {column}",
               change(EVALUATION, "{played}", **{column: value}))
        for column, value in FIXED.items()
    ),
    attack("evaluation_moves_only_with_an_entry", "nothing changed at all",
           change(EVALUATION, "{played}", name="name")),
    attack("evaluation_with_history_is_kept", "an evaluation deleted", remove(EVALUATION, "{played}")),
    attack("evaluation_with_history_is_kept", "no evaluations any more", "TRUNCATE scoring_evaluation CASCADE"),
)  # fmt: skip

PROJECTION = {
    "computed_score": "s.computed_after", "override_score": "s.override_after", "confidence": "s.confidence_after",
    "counted": "s.counted_after", "basis": "s.basis", "held": "s.held", "run_number": "s.run_number",
    "debate_complete": "s.complete_after", "debate_round_count": "s.rounds_after", "version": "s.sequence",
    "moderation_version": "s.sequence", "last_score_update": "s.at", "head_hash": "s.hash",
}  # fmt: skip


def projected(**changes: str) -> tuple[str, str, str]:
    """An override that nothing projects, and the update that does, with some columns changed."""
    sets = ", ".join(f"{column} = {value}" for column, value in {**PROJECTION, **changes}.items())
    return (
        "ALTER TABLE scoring_scorechange DISABLE TRIGGER entry_20_project",
        entry(EntryKind.OVERRIDE),
        (
            f"UPDATE scoring_evaluation e SET {sets} FROM scoring_scorechange s"
            " WHERE e.id = {played} AND s.evaluation_id = e.id AND s.sequence = e.version + 1"
        ),
    )


def test_exactly_what_the_next_entry_says_is_accepted(world):
    with nothing_stays():
        commit_so_far()
        for statement in projected():
            run(statement, world)
        commit_so_far()
        assert run("SELECT final_score FROM scoring_evaluation WHERE id = {played}", world) == [(4,)]


test_the_projection_is_guarded = refusal_test(
    *(
        attack("evaluation_moves_only_with_an_entry", f"another {column} in the breath of an entry",
               *projected(**{column: value}))
        for column, value in {**FIXED, "version": "s.sequence + 1", "override_score": "5", "basis": "'{{}}'"}.items()
        if column not in ("initial_confidence", "initial_score")
    ),
    attack("evaluation_moves_only_with_an_entry", "another first score in the breath of an entry",
           "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_starts_from_the_initial_score",
           *projected(initial_score="5")),
    attack("evaluation_moves_only_with_an_entry", "another first confidence in the breath of an entry",
           *projected(initial_confidence="0.4")),
)  # fmt: skip

FACT = "scoring_fact"


def given(kind: str, amount: str, **changes: str) -> str:
    """A fact of a kind, with the triggers off that ask whether it fits the instrument."""
    return copy(FACT, "{played_fact}", kind=f"'{kind}'", amount=amount, **changes)


test_a_fact_is_guarded = refusal_test(
    attack("fact_kind_is_known", "an unknown kind", given("hunch", "1"), without=[FACT]),
    attack("verdict_adjustment_inside_limits", "+3.01", given("verdict", "3.01")),
    attack("verdict_adjustment_inside_limits", "-3.01", given("verdict", "-3.01")),
    attack("number_is_not_nan", "not a number", given("verdict", "'NaN'")),
    attack("verdict_impact_inside_limits", "an impact of 0.31", given("verdict", "1", impact="0.31")),
    attack(
        "verdict_impact_inside_limits",
        "a response with an impact",
        given("response", "1", impact="0.1"),
        without=[FACT],
    ),
    attack("verdict_has_two_places", "an adjustment of three places", given("verdict", "1.005")),
    attack("verdict_has_two_places", "an impact of three places", given("verdict", "1", impact="0.005")),
    attack("fact_weight_inside_limits", "a weight of 1.1", given("verdict", "1", weight="1.1")),
    attack("fact_weight_inside_limits", "a weighted response", given("response", "1", weight="0.5"), without=[FACT]),
    attack("response_total_inside_limits", "a response of 101", given("response", "101"), without=[FACT]),
    attack("judge_score_inside_limits", "a judge's 0.99", given("judge_score", "0.99"), without=[FACT]),
    attack("standing_inside_limits", "a standing of 1001", given("standing", "1001"), without=[FACT]),
    attack("fact_run_starts_at_one", "run nought", given("verdict", "1", run_number="0"), without=[FACT]),
    attack("fact_belongs_to_its_round", "a round of another thread", given("verdict", "1", round_id="{round}")),
    attack("fact_belongs_to_its_round", "another run than its round's", given("verdict", "1", run_number="2")),
    attack("fact_belongs_to_its_round", "a judge's score on a criterion", given("judge_score", "1")),
    attack("fact_belongs_to_its_round", "a round that is not there", given("verdict", "1", round_id="-1")),
    attack("fact_arrives_before_its_round_counts", "one more verdict afterwards", copy(FACT, "{fact}")),
    attack("fact_is_append_only", "another amount", change(FACT, "{fact}", amount="2")),
    attack("fact_is_append_only", "other parts", change(FACT, "{fact}", parts="""'{{"a": 1}}'""")),
    attack("fact_is_append_only", "a fact deleted", remove(FACT, "{fact}")),
    attack("fact_is_append_only", "an uncounted fact deleted", remove(FACT, "{played_fact}")),
    attack("fact_is_append_only", "no facts any more", "TRUNCATE scoring_fact CASCADE"),
)


def test_when_a_fact_was_kept_says_the_database(world):
    with nothing_stays():
        run(copy(FACT, "{played_fact}", at="now() - interval '1 year'"), world)
        assert run(f"SELECT at > now() - interval '1 hour' FROM {FACT} ORDER BY id DESC LIMIT 1") == [(True,)]


ACTOR = "scoring_actor"

test_an_actor_is_guarded = refusal_test(
    attack("actor_once_per_user_name_and_role", "one person twice", copy(ACTOR, "{actor}")),
    attack("actor_is_somebody", "a program that nobody's key speaks for",
           "INSERT INTO scoring_actor (name, role) VALUES ('p', '')"),
    attack("actor_has_a_name", "nobody", copy(ACTOR, "{actor}", name="''")),
    attack("actor_has_a_name", "a name of blanks", copy(ACTOR, "{actor}", name=r"E' \u200b\u3164'")),
    attack("actor_is_never_edited", "another name", change(ACTOR, "{actor}", name="'bob'")),
    attack("actor_is_never_edited", "another role", change(ACTOR, "{actor}", role="'king'")),
    attack("actor_is_never_edited", "another person", change(ACTOR, "{actor}", user_id="NULL")),
    attack("actor_is_never_edited", "an actor deleted", remove(ACTOR, "{actor}")),
    attack("actor_is_never_edited", "no actors any more", "TRUNCATE scoring_actor CASCADE"),
)  # fmt: skip

REASON = "scoring_reason"
BLANKS = {
    "nothing": "''",
    "nine characters": "'too short'",
    "tabs and line ends": r"E'\t\n\r\t\n\r\t\n\r\t\n\r'",
    "no-break spaces": r"repeat(E'\u00a0', 20)",
    "zero-width spaces": r"repeat(E'\u200b', 20)",
    "word joiners": r"repeat(E'\u2060', 20)",
    "byte order marks": r"repeat(E'\ufeff', 20)",
    "Hangul fillers": r"repeat(E'\u3164', 20)",
    "half-width Hangul fillers": r"repeat(E'\uffa0', 20)",
    "Hangul jamo fillers": r"repeat(E'\u115f\u1160', 20)",
    "ideographic spaces": r"repeat(E'\u3000', 20)",
    "Braille blanks": r"repeat(E'\u2800', 20)",
    "Ogham spaces": r"repeat(E'\u1680', 20)",
    "Khmer inherent vowels": r"repeat(E'\u17b4\u17b5', 20)",
    "Mongolian separators": r"repeat(E'\u180b\u180e', 20)",
    "bidirectional marks": r"repeat(E'\u200e\u200f\u202a\u2066\u061c', 20)",
    "soft hyphens": r"repeat(E'\u00ad', 20)",
    "variation selectors": r"repeat(E'\ufe0f', 20)",
    "language tags": r"repeat(E'\U000E0041', 20)",
    "musical controls": r"repeat(E'\U0001D173', 20)",
    "control characters": r"repeat(E'\u0001\u007f\u0085', 20)",
    "nine letters stretched by spaces": r"E'a  b\tc\u200b\u200b  d'",
}

test_a_reason_is_guarded = refusal_test(
    *(
        attack("reason_has_ten_characters", f"words of {name}", copy(REASON, "{reason}", text=text))
        for name, text in BLANKS.items()
    ),
    attack("reason_is_salted", "no salt", copy(REASON, "{reason}", salt="''")),
    attack("reason_is_salted", "too little salt", copy(REASON, "{reason}", salt="repeat('x', 15)")),
    attack("reason_is_never_edited", "other words", change(REASON, "{reason}", text="'Other words entirely.'")),
    attack("reason_is_never_edited", "another salt", change(REASON, "{reason}", salt="repeat('x', 32)")),
    attack("reason_is_never_edited", "another digest", change(REASON, "{reason}", digest="'x'")),
    attack("reason_is_never_edited", "another digest while erasing",
           change(REASON, "{reason}", text="''", salt="''", digest="'x'")),
    attack("reason_is_never_edited", "words instead of erased ones",
           change(REASON, "{erased_reason}", text="'Back again!'")),
    attack("reason_is_never_edited", "a reason deleted", remove(REASON, "{reason}")),
    attack("reason_is_never_edited", "no reasons any more", "TRUNCATE scoring_reason CASCADE"),
)  # fmt: skip

NOTE = "scoring_internalnote"

test_an_internal_note_is_guarded = refusal_test(
    attack("note_has_words", "a note of nothing", copy(NOTE, "{note}", text="''")),
    attack("note_has_words", "a note of blanks", copy(NOTE, "{note}", text=r"E' \u200b\u3164'")),
    attack("note_has_no_control_characters", "an escape", copy(NOTE, "{note}", text=r"E'So \u001b[2J'")),
    attack("note_has_no_control_characters", "a bell", copy(NOTE, "{note}", text=r"E'So \u0007'")),
    attack("note_is_short_enough", "4001 characters", copy(NOTE, "{note}", text="repeat('x', 4001)")),
    attack("note_is_written_with_a_reason", "a note of no reason", copy(NOTE, "{note}")),
    attack("note_is_never_edited", "other words", change(NOTE, "{note}", text="'Other words.'")),
    attack("note_is_never_edited", "emptied by nobody", change(NOTE, "{note}", text="''")),
    attack("note_is_never_edited", "a note deleted", remove(NOTE, "{note}")),
    attack("note_is_never_edited", "no notes any more", "TRUNCATE scoring_internalnote CASCADE"),
    attack("reason_is_never_edited", "a note taken off its reason", change(REASON, "{noted_reason}", note_id="NULL")),
    attack("reason_is_never_edited", "a note put to a reason later",
           change(REASON, "{noted_reason}", note_id="NULL"), change(REASON, "{reason}", note_id="{note}")),
)  # fmt: skip

ALERT = "scoring_alert"
UNTOUCHABLE = {
    "code": "'no_effect'",
    "severity": "'critical'",
    "evidence": "'[]'",
    "facts_digest": "'x'",
    "debate_id": "{draft}",
    "evaluation_id": "NULL",
    "at": "now() - interval '1 day'",
    "public_id": "gen_random_uuid()",
}


ANSWERED = {
    "state": "'acknowledged'", "handled_by_id": "{actor}", "handled_because_id": "{reason}", "handled_at": "now()",
}  # fmt: skip
THE_ANSWER = "alert_id = {alert}"

test_an_alert_is_guarded = refusal_test(
    attack("alert_code_is_known", "an unknown code", copy(ALERT, "{alert}", code="'odd'")),
    attack("alert_severity_is_known", "an unknown severity",
           copy(ALERT, "{alert}", code="'no_effect'", severity="'x'")),
    attack("alert_state_is_known", "an unknown state",
           copy(ALERT, "{alert}", state="'lost'", code="'no_effect'",
           handled_by_id="{actor}", handled_because_id="{reason}", handled_at="now()")),
    attack("alert_is_about_its_debate", "an alert about a score of another debate",
           copy(ALERT, "{alert}", debate_id="{debate}")),
    attack("alert_once_per_code_and_facts", "one alert twice", copy(ALERT, "{alert}")),
    attack("alert_once_per_code_and_facts", "one alert of no evaluation twice",
           copy(ALERT, "{alert}", evaluation_id="NULL"), copy(ALERT, "{alert}", evaluation_id="NULL")),
    attack("alert_handled_says_who_and_why", "handled by nobody", change(ALERT, "{alert}", state="'dismissed'")),
    attack("alert_handled_says_who_and_why", "handled without a reason",
           change(ALERT, "{alert}", state="'dismissed'", handled_by_id="{actor}", handled_at="now()")),
    attack("alert_handled_says_who_and_why", "reopened for no reason of its own",
           change(ALERT, "{alert}", **ANSWERED), change(ALERT, "{alert}", state="'open'")),
    attack("alert_handled_says_who_and_why", "answered by nobody any more",
           change(ALERT, "{alert}", **ANSWERED),
           change(ALERT, "{alert}", state="'open'", handled_by_id="NULL", handled_because_id="NULL",
                  handled_at="NULL")),
    attack("alert_answer_state_is_known", "an unknown answer", change(ALERT, "{alert}", **ANSWERED),
           f"UPDATE scoring_alertanswer SET state = 'x' WHERE {THE_ANSWER}", without=("scoring_alertanswer",)),
    attack("alert_answer_is_of_its_alert", "an answer that nobody gave",
           change(ALERT, "{alert}", **ANSWERED),
           "INSERT INTO scoring_alertanswer (alert_id, debate_id, state, by_id, because_id, at) SELECT alert_id,"
           f" debate_id, 'dismissed', by_id, because_id, at FROM scoring_alertanswer WHERE {THE_ANSWER}"),
    attack("alert_answer_is_kept", "another answer", change(ALERT, "{alert}", **ANSWERED),
           f"UPDATE scoring_alertanswer SET state = 'open' WHERE {THE_ANSWER}"),
    attack("alert_answer_is_kept", "an answer deleted", change(ALERT, "{alert}", **ANSWERED),
           f"DELETE FROM scoring_alertanswer WHERE {THE_ANSWER}"),
    attack("alert_answer_is_kept", "no answers any more", "TRUNCATE scoring_alertanswer"),
    attack("remark_is_kept", "another remark", change("scoring_remark", "{remark}", at="now()")),
    attack("remark_is_kept", "a remark deleted", remove("scoring_remark", "{remark}")),
    attack("remark_is_kept", "no remarks any more", "TRUNCATE scoring_remark"),
    *(
        attack("alert_keeps_its_evidence", f"another {column}", change(ALERT, "{alert}", **{column: value}))
        for column, value in UNTOUCHABLE.items()
    ),
    attack("alert_is_kept", "an alert deleted", remove(ALERT, "{alert}")),
    attack("alert_is_kept", "no alerts any more", "TRUNCATE scoring_alert CASCADE"),
)  # fmt: skip

RUBRIC, CRITERION = "scoring_rubric", "scoring_criterion"
NEXT = copy(RUBRIC, "{rubric}", version="2", criteria_count="3")


def another_criterion(**changes: str) -> str:
    """A criterion of the rubric that was written last."""
    return copy(CRITERION, "{criterion}", rubric_id="(SELECT max(id) FROM scoring_rubric)", **changes)


test_a_rubric_is_guarded = refusal_test(
    attack("rubric_version_once_per_slug", "one version twice", copy(RUBRIC, "{rubric}"), without=[RUBRIC]),
    attack("rubric_versions_have_no_gap", "a version after the next", copy(RUBRIC, "{rubric}", version="3")),
    attack("rubric_versions_have_no_gap", "a version before the newest", copy(RUBRIC, "{rubric}", version="0")),
    attack("rubric_versions_have_no_gap", "a new rubric that begins at 2",
           copy(RUBRIC, "{rubric}", slug="'other'", version="2")),
    attack("rubric_has_criteria", "a version without criteria",
           copy(RUBRIC, "{rubric}", version="2", criteria_count="0")),
    attack("rubric_version_is_kept", "another name", change(RUBRIC, "{rubric}", name="'Other'")),
    attack("rubric_version_is_kept", "another maker", change(RUBRIC, "{rubric}", created_by_id="{user}")),
    attack("rubric_version_is_kept", "more places", change(RUBRIC, "{rubric}", criteria_count="9")),
    attack("rubric_version_is_kept", "a version deleted", f"DELETE FROM {CRITERION}", remove(RUBRIC, "{rubric}"),
           without=[CRITERION]),
    attack("rubric_version_is_kept", "no rubrics any more", "TRUNCATE scoring_rubric CASCADE", without=[CRITERION]),
    attack("rubric_version_comes_with_its_criteria", "one criterion of three", NEXT, another_criterion()),
    attack("criterion_code_once_per_rubric", "one code twice", NEXT, another_criterion(),
           another_criterion(position="2")),
    attack("criterion_position_once_per_rubric", "one place twice", copy(CRITERION, "{criterion}", code="'X'")),
    attack("criterion_has_a_place_in_its_version", "a criterion too many",
           copy(CRITERION, "{criterion}", code="'X'", position="4")),
    attack("criterion_has_a_place_in_its_version", "a criterion before the first",
           copy(CRITERION, "{criterion}", code="'X'", position="0")),
    attack("criterion_weight_is_positive", "a weight of 0",
           NEXT, another_criterion(weight="0")),
    attack("criterion_is_kept", "another question", change(CRITERION, "{criterion}", question="'Who?'")),
    attack("criterion_is_kept", "a criterion deleted", remove(CRITERION, "{criterion}")),
    attack("criterion_is_kept", "no criteria any more", "TRUNCATE scoring_criterion"),
)  # fmt: skip
