"""Every guard of erasures, broken on purpose; and what is let go while one is written, and only then."""

import pytest

from tests.schema.attacks import Attack, attack, change, commit_so_far, nothing_stays, refusal_test, remove, run

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


test_an_erasure_is_guarded = refusal_test(
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


def covered(guard: str, sentence: str, statement: str, *, debate: str = "{scored_debate}") -> list[Attack]:
    """The same attempt without an erasure, while another debate is erased, and while its own is."""
    other = "{draft_with_scores}"
    return [
        attack(guard, f"{sentence}, and nothing is erased", statement),
        attack(guard, f"{sentence} while another debate is erased", erasing(debate_id=other), statement),
        attack(guard, f"{sentence} while its debate is erased", erasing(debate_id=debate), statement),
    ]


def uncovered(guard: str, sentence: str, statement: str, *, scope: dict[str, str] | None = None) -> list[Attack]:
    """An attempt that an erasure would cover, without one, and while something else is erased."""
    other = scope or {"debate_id": "{draft_with_scores}"}
    return [
        attack(guard, f"{sentence}, and nothing is erased", statement),
        attack(guard, f"{sentence} while something else is erased", erasing(**other), statement),
    ]


def set_up(
    *, words: str = """'{{"attack": [], "evidence": [], "persuasion": []}}'""", tomas: str = "'[erased 2]'"
) -> str:
    """The statement that takes from an open debate what it counts as words, and whom its chairs speak for."""
    chairs = f"""jsonb_build_array('{{{{"name": "Lena", "side": "[erased 1]"}}}}'::jsonb,
        jsonb_build_object('name', 'Tomas', 'side', {tomas}),
        '{{{{"name": "Ruth", "side": "[erased 2]"}}}}'::jsonb, '{{{{"name": "Guest"}}}}'::jsonb)"""
    table = f"jsonb_build_object('words', {words}::jsonb, 'chairs', {chairs})"
    return change(
        "debates_debate", "{debate_of_sides}", parameters=f"parameters || jsonb_build_object('table', {table})"
    )


PANEL = "SELECT debate_id FROM debates_participant WHERE id = {judging_seat}"
SOMEBODY = {"scope": "'user'", "debate_id": "NULL", "user_id": "{second_user}"}

test_an_erasure_covers_nothing_but_the_words_that_go = refusal_test(
    *covered("evaluation_moves_only_with_an_entry", "another name of an account",
             change(EVALUATION, "{played}", name="'Somebody else'")),
    *covered("evaluation_moves_only_with_an_entry", "a criterion without a name",
             change(EVALUATION, "{played}", name="'[erased 1]'")),
    *covered("evaluation_moves_only_with_an_entry", "a score",
             change(EVALUATION, "{played}", name="'[erased]'", computed_score="9")),
    *covered("evaluation_moves_only_with_an_entry", "another person's score",
             change(EVALUATION, "{played}", name="'[erased]'", participant_id="{participant}")),
    *covered("debate_parameters_are_fixed", "another motion",
             change("debates_debate", "{scored_debate}", motion="'Any other words'")),
    *covered("debate_keeps_its_title", "another title",
             change("debates_debate", "{scored_debate}", title="'Any other words'")),
    *covered("debate_parameters_are_fixed", "another set-up",
             change("debates_debate", "{scored_debate}", parameters="""parameters || '{{"x": 1}}'""")),
    *covered("debate_parameters_are_fixed", "other parameters of the score",
             change("debates_debate", "{scored_debate}", parameters="""parameters || '{{"score": {{}}}}'""")),
    *covered("debate_parameters_are_fixed", "other words that count",
             set_up(words="""'{{"attack": ["x"], "evidence": [], "persuasion": []}}'"""), debate="{debate_of_sides}"),
    *covered("debate_parameters_are_fixed", "other allies",
             set_up(tomas="'[erased 1]'"), debate="{debate_of_sides}"),
    *covered("debate_parameters_are_fixed", "other rounds",
             change("debates_debate", "{scored_debate}", rounds="5")),
    *covered("participant_keeps_its_name", "another name of a voice",
             change("debates_participant", "{participant}", name="'Somebody else'"), debate="{debate}"),
    *covered("participant_keeps_its_name", "a further number of a voice whose own is free",
             change("debates_participant", "{participant}", name="'[erased 9]'"), debate="{debate}"),
    *covered("participant_keeps_its_identity", "another place of a voice",
             change("debates_participant", "{participant}", position="9"), debate="{debate}"),
    *covered("participant_keeps_its_identity", "another key of a voice",
             change("debates_participant", "{participant}", id="-1"), debate="{debate}"),
    *covered("call_is_never_edited", "a call about somebody else",
             change("judging_call", "{call}", about="'[erased 1]'"), debate="{judged_debate}"),
    *covered("call_is_never_edited", "another answer",
             change("judging_call", "{call}", raw_answer="'other words'"), debate="{judged_debate}"),
    *covered("call_is_never_edited", "a cheaper call",
             change("judging_call", "{call}", raw_answer="''", tokens_in="tokens_in + 1"), debate="{judged_debate}"),
    *covered("synthesis_is_never_edited", "numbers of a synthesis",
             change("judging_synthesis", "{synthesis}", numbers="'{{\"x\": 1}}'"), debate="{judged_debate}"),
    *covered("synthesis_is_never_edited", "another synthesis",
             change("judging_synthesis", "{synthesis}", number="7"), debate="{judged_debate}"),
    *covered("synthesis_is_never_edited", "a synthesis that never was",
             remove("judging_synthesis", "{synthesis}"), debate="{judged_debate}"),
    *covered("alert_keeps_its_evidence", "other evidence", change("scoring_alert", "{alert}", evidence="'{{}}'")),
    *covered("rescore_keeps_what_was_previewed", "other lines of a set",
             change(SET, "{rescore}", lines="'[{{}}, {{}}]'")),
)  # fmt: skip

test_words_go_by_an_erasure_of_them_alone = refusal_test(
    *uncovered("alert_keeps_its_evidence", "why a judge failed",
               change("scoring_alert", "{alert}", evidence="evidence - 'why'")),
    *uncovered("debate_parameters_are_fixed", "no motion",
               change("debates_debate", "{scored_debate}", motion="'[erased]'")),
    *uncovered("debate_parameters_are_fixed", "no words that count, and no sides", set_up()),
    *uncovered("debate_keeps_its_title", "no title",
               change("debates_debate", "{scored_debate}", title="'[erased]'")),
    *uncovered("participant_keeps_its_name", "no name",
               change("debates_participant", "{participant}", name="'[erased 1]'")),
    *uncovered("turn_is_immutable", "no words of a turn", change("debates_turn", "{turn}", text="''")),
    attack("turn_is_immutable", "no words of a judge outside of its report, while another judge is erased",
           erasing(scope="'participant'", debate_id=f"({PANEL})", participant_id="{judging_seat}"),
           change("debates_turn", "{spare_report_turn}", text="''")),
    *uncovered("subject_is_never_edited", "no subject",
               change("debates_subject", "{subject}", title="''", text="''")),
    *uncovered("script_is_never_edited", "no script", remove("judging_script", "{script}")),
    *uncovered("call_is_never_edited", "no answer", change("judging_call", "{call}", raw_answer="''")),
    *uncovered("challenge_is_never_edited", "no quote", change("judging_challenge", "{challenge}", quote="''")),
    *uncovered("verdict_is_never_edited", "no reasoning", change("judging_verdict", "{verdict}", reasoning="''")),
    *uncovered("reason_is_never_edited", "no reason", change("scoring_reason", "{reason}", text="''", salt="''")),
    *uncovered("reason_is_never_edited", "the reason of somebody else",
               change("scoring_reason", "{reason}", text="''", salt="''"), scope=SOMEBODY),
    *uncovered("actor_is_never_edited", "no signature", change("scoring_actor", "{actor}", name="''")),
    *uncovered("actor_is_never_edited", "the signature of somebody else",
               change("scoring_actor", "{actor}", name="''"), scope=SOMEBODY),
)  # fmt: skip


@pytest.mark.parametrize(
    ("whose", "statement"),
    [
        pytest.param("{scored_debate}", change("scoring_alert", "{alert}", evidence="evidence - 'why'"), id="an alert"),
        pytest.param(
            "{scored_debate}", change("debates_debate", "{scored_debate}", motion="'[erased]'"), id="a motion"
        ),
        pytest.param("{scored_debate}", change("debates_debate", "{scored_debate}", title="'[erased]'"), id="a title"),
        pytest.param("{debate_of_sides}", set_up(), id="a set-up"),
        pytest.param("{debate}", change("debates_participant", "{participant}", name="'[erased 1]'"), id="a name"),
        pytest.param("{debate}", change("debates_turn", "{turn}", text="''"), id="a turn"),
        pytest.param("{debate}", change("debates_subject", "{subject}", title="''", text="''"), id="a subject"),
        pytest.param("{judged_debate}", change("judging_call", "{call}", raw_answer="''"), id="an answer"),
        pytest.param("{judged_debate}", change("judging_verdict", "{verdict}", reasoning="''"), id="a ruling"),
        pytest.param("{judged_debate}", change("judging_challenge", "{challenge}", quote="''"), id="a quote"),
    ],
)
def test_words_go_while_their_debate_is_erased(whose, statement, world):
    with nothing_stays():
        commit_so_far()
        run(erasing(debate_id=whose), world)
        run(statement, world)
        commit_so_far()
