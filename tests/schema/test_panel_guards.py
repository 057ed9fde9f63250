"""Every guard of what a panel keeps, broken on purpose."""

import pytest

from scoring.enums import EntryKind
from tests.schema.attacks import (
    Attack,
    attack,
    change,
    commit_so_far,
    copy,
    nothing_stays,
    refusal_test,
    refused_by,
    remove,
    run,
)
from tests.schema.entries import entry
from tests.schema.test_erasure_guards import erasing

pytestmark = pytest.mark.django_db
REPORT = "judging_judgereport"
ELSEWHERE = {"round_id": "{spare_panel_round}"}

test_a_report_is_guarded = refusal_test(
    attack(
        "judge_report_is_of_its_debate",
        "a report of another debate's round",
        copy(REPORT, "{judge_report}", turn_id="{spare_report_turn}", round_id="{round}"),
    ),
    attack(
        "judge_reports_once_per_round",
        "two reports of one judge in one round",
        copy(REPORT, "{judge_report}", turn_id="{spare_report_turn}"),
    ),
    attack(
        "judge_report_is_spoken_where_readable",
        "a readable report that nobody spoke",
        copy(REPORT, "{judge_report}", turn_id="NULL", **ELSEWHERE),
    ),
    attack(
        "judge_report_is_spoken_where_readable",
        "words of a judge who could not be read",
        copy(REPORT, "{mute_report}", turn_id="{spare_report_turn}", **ELSEWHERE),
    ),
    attack("judge_report_is_append_only", "a section rewritten", change(REPORT, "{judge_report}", body="'[1]'")),
    attack("judge_report_is_append_only", "a judge silenced", change(REPORT, "{judge_report}", readable="false")),
    attack("judge_report_is_append_only", "a report deleted", remove(REPORT, "{mute_report}")),
    attack("judge_report_is_append_only", "no reports any more", f"TRUNCATE {REPORT} CASCADE"),
)

BALLOT = "debates_ballot"
CLOSED = "UPDATE debates_round SET closed_at = opened_at WHERE id = (SELECT round_id FROM debates_ballot LIMIT 1)"
ANEW = """UPDATE debates_thread SET run_number = run_number + 1
  WHERE id = (SELECT thread_id FROM debates_round WHERE id = (SELECT round_id FROM debates_ballot LIMIT 1))"""
OF_SEAT = {"participant_id": "{judging_seat}"}

test_a_ballot_is_guarded = refusal_test(
    attack("ballot_once_per_round", "two ballots of one judge in one round", copy(BALLOT, "{ballot}")),
    attack("ballot_once_per_response", "two ballots about one response", copy(BALLOT, "{response_ballot}")),
    attack(
        "ballot_is_about_what_is_to_be_judged",
        "a ballot about what nobody is to judge",
        copy(BALLOT, "{response_ballot}", about_id="{spare_report_turn}"),
    ),
    attack("ballot_is_of_a_seat", "an engine's ballot", copy(BALLOT, "{ballot}", participant_id="{participant}")),
    attack("ballot_is_of_a_seat", "a speaker's ballot", copy(BALLOT, "{ballot}", participant_id="{seat}")),
    attack("ballot_is_of_a_seat", "a ballot elsewhere", copy(BALLOT, "{ballot}", round_id="{round}")),
    attack("ballot_is_given_before_its_round_closes", "a late ballot", CLOSED, copy(BALLOT, "{ballot}", **OF_SEAT)),
    attack(
        "ballot_is_given_before_its_round_closes",
        "a ballot in a run that is played again",
        ANEW,
        copy(BALLOT, "{ballot}", **OF_SEAT),
    ),
    attack("ballot_follows_the_one_before", "a version after none", copy(BALLOT, "{ballot}", number="3")),
    attack("ballot_follows_the_one_before", "a version before the first", copy(BALLOT, "{ballot}", number="0")),
    attack("ballot_is_amended_where_the_policy_lets", "a second version", copy(BALLOT, "{ballot}", number="2")),
    attack("ballot_is_append_only", "a ballot rewritten", change(BALLOT, "{ballot}", answer="'[]'")),
    attack("ballot_is_append_only", "a ballot emptied by nobody", change(BALLOT, "{ballot}", answer="''")),
    attack("ballot_is_append_only", "a ballot of somebody else", change(BALLOT, "{ballot}", **OF_SEAT)),
    attack("ballot_is_append_only", "a ballot deleted", remove(BALLOT, "{ballot}")),
    attack("ballot_is_append_only", "no ballots any more", f"TRUNCATE {BALLOT} CASCADE"),
    attack(
        "ballot_is_sealed_until_its_round_closes",
        "a ballot shown while its round is open",
        copy(REPORT, "{judge_report}", turn_id="{spare_report_turn}", **OF_SEAT),
    ),
)

SCORE = "judging_judgescore"
SPARE = {"fact_id": "{spare_judge_score}"}
OTHER = {"key": "'other'", "fact_id": "{other_judge_score}"}
OWN = "judge_score_counts_for_its_criterion"

test_a_judges_score_is_guarded = refusal_test(
    attack(
        "judge_scores_a_criterion_once_per_report", "a criterion scored twice", copy(SCORE, "{judge_score}", **SPARE)
    ),
    attack("judge_score_given_inside_scale", "a score of 6", copy(SCORE, "{judge_score}", given="6", **OTHER)),
    attack("judge_revision_inside_scale", "a revision to 0", copy(SCORE, "{judge_score}", wanted="0", **OTHER)),
    attack(
        "judge_refused_revision_was_wanted",
        "a refusal of nothing",
        copy(SCORE, "{judge_score}", refused="true", **OTHER),
    ),
    attack(
        "judge_score_has_a_spread_where_judged_several_times",
        "readings without a spread",
        copy(SCORE, "{judge_score}", readings="'[1]'", **OTHER),
    ),
    attack(OWN, "a score that counts for another criterion", copy(SCORE, "{judge_score}", key="'else'", **SPARE)),
    attack(OWN, "a number on another account", copy(SCORE, "{judge_score}", fact_id="{other_judge_score}")),
    attack(OWN, "a number of nobody", copy(SCORE, "{judge_score}", key="'moved'", fact_id="{replaced_score}")),
    attack(OWN, "a number of another judge", copy(SCORE, "{judge_score}", report_id="{mute_report}", **SPARE)),
    attack(
        OWN,
        "a number of another round",
        copy(REPORT, "{judge_report}", turn_id="{spare_report_turn}", **ELSEWHERE),
        copy(SCORE, "{judge_score}", report_id="(SELECT max(id) FROM judging_judgereport)", **SPARE),
    ),
    attack("judge_score_is_never_edited", "another first score", change(SCORE, "{judge_score}", given="3")),
    attack("judge_score_is_never_edited", "a score deleted", remove(SCORE, "{judge_score}")),
    attack("judge_score_is_never_edited", "no scores any more", f"TRUNCATE {SCORE}"),
)

CONSENSUS = "judging_consensus"

test_a_consensus_is_guarded = refusal_test(
    attack(
        "consensus_is_of_its_debate", "a round of another debate", copy(CONSENSUS, "{consensus}", round_id="{round}")
    ),
    attack(
        "consensus_is_of_its_debate",
        "another debate",
        copy(CONSENSUS, "{consensus}", debate_id="{debate}", **ELSEWHERE),
    ),
    *(
        attack(
            "consensus_is_found_while_its_debate_lasts",
            f"a finding in a debate that is {status}",
            f"UPDATE debates_debate SET status = '{status}' WHERE id = (SELECT debate_id FROM {CONSENSUS}"
            " WHERE id = {consensus})",
            copy(CONSENSUS, "{consensus}", **ELSEWHERE),
        )
        for status in ("concluded", "failed", "cancelled")
    ),
    attack("consensus_once_per_round", "two findings after one round", copy(CONSENSUS, "{consensus}")),
    attack(
        "consensus_or_a_reason",
        "disagreement without a reason",
        copy(CONSENSUS, "{consensus}", agreed="false", **ELSEWHERE),
    ),
    attack(
        "consensus_or_a_reason",
        "agreement with a reason against it",
        copy(CONSENSUS, "{consensus}", reason_code="'spread'", **ELSEWHERE),
    ),
    attack(
        "consensus_overall_inside_scale",
        "an overall of 5.5",
        copy(CONSENSUS, "{consensus}", overall="5.5", **ELSEWHERE),
    ),
    attack(
        "consensus_recommends_where_there_is_an_overall",
        "an overall and no recommendation",
        copy(CONSENSUS, "{consensus}", recommendation="''", **ELSEWHERE),
    ),
    attack("consensus_is_never_edited", "another policy", change(CONSENSUS, "{consensus}", policy="'[1]'")),
    attack("consensus_is_never_edited", "a finding deleted", remove(CONSENSUS, "{consensus}")),
    attack("consensus_is_never_edited", "no findings any more", f"TRUNCATE {CONSENSUS}"),
)


def test_erasure_may_blank_a_report(world):
    of_its_debate = f"(SELECT debate_id FROM {REPORT} WHERE id = {{judge_report}})"
    blank = Attack("", "", (erasing(debate_id=of_its_debate), change(REPORT, "{judge_report}", body="'\"\"'")))

    assert refused_by(blank, world) is None


ONE_ROUND = "entry_counts_one_round_of_a_panel"
REPLACED = "ARRAY[{replaced_score}]::bigint[]"
BOTH = "ARRAY[{replaced_score}, {newer_score}]::bigint[]"


def on_a_panel(kind: EntryKind, **changes: str) -> str:
    """Return the statement that appends an entry to a panel's account whose second round has replaced its first."""
    return entry(kind, on="{moved_panel}", confidence_after="NULL", **changes)


test_a_panels_score_is_of_one_round = refusal_test(
    attack(
        ONE_ROUND,
        "a judge's score of a round that another has replaced",
        on_a_panel(EntryKind.REINSTATE, facts=REPLACED, basis=f"{REPLACED} || basis", computed_after="3"),
    ),
    attack(
        ONE_ROUND,
        "scores of two rounds where nothing counts any more",
        on_a_panel(EntryKind.STRIKE, computed_after="NULL"),
        on_a_panel(EntryKind.REINSTATE, facts=BOTH, basis=BOTH, computed_after="3"),
    ),
)


def test_a_round_of_a_panel_may_be_put_back_where_nothing_counts(world):
    with nothing_stays():
        run(on_a_panel(EntryKind.STRIKE, computed_after="NULL"), world)
        run(on_a_panel(EntryKind.REINSTATE, facts=REPLACED, basis=REPLACED, computed_after="2"), world)
        commit_so_far()
