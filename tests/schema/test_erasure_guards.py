"""Every guard of erasures, broken on purpose; and what is let go while one is written, and only then."""

import pytest

from tests.schema.attacks import attack, change, commit_so_far, nothing_stays, refused_by, remove, run, table

pytestmark = pytest.mark.django_db
ERASURE, EVALUATION, SET = "scoring_erasure", "scoring_evaluation", "scoring_rescoreset"
THIS = "(SELECT max(id) FROM scoring_erasure)"


def erasing(**changes: str) -> str:
    """The statement that writes an erasure."""
    values = {
        "public_id": "gen_random_uuid()", "scope": "'debate'", "debate_id": "{debate}", "by_id": "{actor}",
        "because_id": "{reason}", "counts": "'{{}}'", **changes,
    }  # fmt: skip
    return f"INSERT INTO {ERASURE} ({', '.join(values)}) VALUES ({', '.join(values.values())})"


RENAMED = change(EVALUATION, "{played}", name="'[erased]'")


@table(
    attack("erasure_scope_is_known", "an unknown scope, when nothing else were to refuse it",
           f"ALTER TABLE {ERASURE} DROP CONSTRAINT erasure_names_what_it_erased", erasing(scope="'all'")),
    attack("erasure_names_what_it_erased", "of no debate", erasing(debate_id="NULL")),
    attack("erasure_names_what_it_erased", "of a debate and a person", erasing(user_id="{user}")),
    attack("erasure_names_what_it_erased", "of no voice", erasing(scope="'participant'")),
    attack("erasure_names_what_it_erased", "of nobody", erasing(scope="'user'", debate_id="NULL")),
    attack("erasure_is_of_this_moment", "dated back", erasing(at="now() - interval '1 day'")),
    attack("erasure_is_of_this_moment", "dated ahead", erasing(at="now() + interval '1 day'")),
    attack("erasure_is_kept", "another reason", erasing(), change(ERASURE, THIS, because_id="{other_reason}")),
    attack("erasure_is_kept", "never written", erasing(), f"DELETE FROM {ERASURE}"),
    attack("erasure_is_kept", "no erasures any more", f"TRUNCATE {ERASURE}"),
)  # fmt: skip
def test_an_erasure_is_guarded(attempt, world):
    assert refused_by(attempt, world) == attempt.guard


@table(
    attack("evaluation_moves_only_with_an_entry", "an account renamed", RENAMED),
    attack("evaluation_moves_only_with_an_entry", "a score under the cover of an erasure",
           erasing(), change(EVALUATION, "{played}", name="'[erased]'", computed_score="9")),
    attack("evaluation_moves_only_with_an_entry", "another person's score under the cover of an erasure",
           erasing(), change(EVALUATION, "{played}", name="'[erased]'", participant_id="{participant}")),
    attack("call_is_never_edited", "a call about somebody else", change("judging_call", "{call}", about="'Bob'")),
    attack("call_is_never_edited", "another answer under the cover of an erasure",
           erasing(), change("judging_call", "{call}", about="'[erased 1]'", raw_answer="'other words'")),
    attack("call_is_never_edited", "a cheaper call under the cover of an erasure",
           erasing(), change("judging_call", "{call}", about="'[erased 1]'", tokens_in="tokens_in + 1")),
    attack("synthesis_is_never_edited", "another synthesis under the cover of an erasure",
           erasing(), change("judging_synthesis", "{synthesis}", number="7")),
    attack("synthesis_is_never_edited", "a synthesis that never was, under the cover of an erasure",
           erasing(), remove("judging_synthesis", "{synthesis}")),
    attack("alert_keeps_its_evidence", "its words without an erasure",
           change("scoring_alert", "{alert}", evidence="evidence - 'why'")),
    attack("alert_keeps_its_evidence", "other evidence under the cover of an erasure",
           erasing(), change("scoring_alert", "{alert}", evidence="'{{}}'")),
    attack("debate_parameters_are_fixed_once_started", "other rounds under the cover of an erasure",
           erasing(), change("debates_debate", "{debate}", rounds="5")),
    attack("debate_parameters_are_fixed_once_scored", "other parameters of the score under the cover of an erasure",
           erasing(), change("debates_debate", "{scored_debate}", parameters="""parameters || '{{"score": {{}}}}'""")),
)  # fmt: skip
def test_an_erasure_covers_nothing_but_words(attempt, world):
    assert refused_by(attempt, world) == attempt.guard


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(RENAMED, id="the name of an account"),
        pytest.param(change("debates_debate", "{debate}", motion="'[erased]'"), id="a motion"),
        pytest.param(change("debates_debate", "{debate}", parameters="parameters || '{{\"x\": 1}}'"), id="a set-up"),
        pytest.param(change("judging_call", "{call}", about="'[erased 1]'"), id="whom a call was about"),
        pytest.param(change("judging_synthesis", "{synthesis}", numbers="'{{\"x\": 1}}'"), id="a result"),
        pytest.param(change("scoring_alert", "{alert}", evidence="evidence - 'why'"), id="why a judge failed"),
        pytest.param(change(SET, "{rescore}", lines="'[{{}}, {{}}]'"), id="the lines of a rescore set"),
    ],
)
def test_words_that_are_fixed_go_while_an_erasure_is_written(statement, world):
    with nothing_stays():
        commit_so_far()
        run(erasing(), world)
        run(statement, world)
        commit_so_far()
