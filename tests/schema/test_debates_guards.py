"""Every guard of the event's tables, broken on purpose."""

import pytest

from debates.event_schemas import TYPES
from tests.schema.attacks import attack, change, commit_so_far, copy, nothing_stays, refusal_test, remove, run

pytestmark = pytest.mark.django_db
DEBATE = "debates_debate"
EARLIER = "now() - interval '1 day'"

test_a_subject_is_guarded = refusal_test(
    attack("subject_has_title_and_text", "a subject without a title", copy("debates_subject", "{subject}", title="''")),
    attack("subject_has_title_and_text", "a subject of blanks", copy("debates_subject", "{subject}", text=r"E' \t\n'")),
    attack("subject_is_never_edited", "other words", change("debates_subject", "{subject}", text="'other'")),
    attack("subject_is_never_edited", "another title", change("debates_subject", "{subject}", title="'other'")),
    attack("subject_is_never_edited", "another maker", change("debates_subject", "{subject}", created_by_id="{user}")),
    attack("subject_is_never_edited", "a subject deleted", remove("debates_subject", "{subject}")),
    attack("subject_is_never_edited", "no subjects any more", "TRUNCATE debates_subject CASCADE"),
)

FIXED = {
    "parameters": "'{{}}'::jsonb",
    "format": "'panel'",
    "rounds": "5",
    "subject_id": "NULL",
    "motion": "'This house waits.'",
    "conducted_by": "'external'",
    "public_id": "gen_random_uuid()",
    "repeat_of_id": "{scored_debate}",
    "limit_money": "1",
    "limit_tokens": "1",
    "limit_calls": "1",
}

test_a_debate_is_guarded = refusal_test(
    attack("debate_format_is_known", "an unknown format", copy(DEBATE, "{debate}", format="'duel'")),
    attack("debate_status_is_known", "an unknown status", copy(DEBATE, "{debate}", status="'lost'")),
    attack("debate_conduct_is_known", "an unknown conductor", copy(DEBATE, "{debate}", conducted_by="'nobody'")),
    attack("debate_visibility_is_known", "an unknown visibility", copy(DEBATE, "{debate}", visibility="'dim'")),
    attack(
        "debate_visibility_limit_is_known",
        "an unknown limit",
        copy(DEBATE, "{debate}", visibility="'private'", visibility_limit="'dim'"),
    ),
    attack(
        "debate_visibility_is_within_its_limit",
        "public although a moderator said private",
        copy(DEBATE, "{debate}", visibility="'public'", visibility_limit="'private'"),
    ),
    attack(
        "debate_visibility_is_within_its_limit",
        "public although a moderator said unlisted",
        copy(DEBATE, "{debate}", visibility="'public'", visibility_limit="'unlisted'"),
    ),
    attack(
        "debate_visibility_is_within_its_limit",
        "unlisted although a moderator said private",
        copy(DEBATE, "{debate}", visibility="'unlisted'", visibility_limit="'private'"),
    ),
    attack("debate_has_what_its_format_is_about", "no subject", copy(DEBATE, "{debate}", subject_id="NULL")),
    attack(
        "debate_has_what_its_format_is_about",
        "an open debate without a motion",
        copy(DEBATE, "{debate}", format="'open'", subject_id="NULL"),
    ),
    attack(
        "debate_has_what_its_format_is_about",
        "an open debate with a subject",
        copy(DEBATE, "{debate}", format="'open'", motion="'We should.'"),
    ),
    attack("debate_rounds_inside_limits", "no rounds", copy(DEBATE, "{debate}", rounds="0")),
    attack("debate_rounds_inside_limits", "1001 rounds", copy(DEBATE, "{debate}", rounds="1001")),
    attack("debate_limits_are_positive", "no money", copy(DEBATE, "{debate}", limit_money="0")),
    attack("debate_limits_are_positive", "no tokens", copy(DEBATE, "{debate}", limit_tokens="0")),
    attack("debate_limits_are_positive", "fewer than no calls", copy(DEBATE, "{debate}", limit_calls="-1")),
    attack("debate_partial_says_why", "partial for no reason", copy(DEBATE, "{debate}", partial="true")),
    attack(
        "debate_ends_after_it_starts",
        "an end before the start",
        copy(DEBATE, "{debate}", started_at="now()", concluded_at=EARLIER),
    ),
    *(
        attack(
            "debate_parameters_are_fixed",
            f"another {column} {when}",
            change(DEBATE, debate, **{column: value}),
        )
        for column, value in FIXED.items()
        for when, debate in {"during play": "{debate}", "of a draft": "{draft}"}.items()
    ),
    attack("debate_keeps_its_title", "another title of a draft", change(DEBATE, "{draft}", title="'Other'")),
    attack("debate_parameters_are_fixed", "the same number, written otherwise, during play",
           change(DEBATE, "{scored_debate}",
                  parameters=r"""regexp_replace(parameters::text, ': (\d+)([,}}])', ': \1.0\2')::jsonb""")),
    attack("debate_keeps_when_it_was_created", "a debate of the future",
           copy(DEBATE, "{debate}", created_at="now() + interval '1 day'")),
    attack("debate_keeps_when_it_was_created", "a draft that was made later",
           change(DEBATE, "{draft_with_scores}", created_at="now() + interval '1 day'")),
    attack("debate_never_becomes_a_draft_again", "a draft again", change(DEBATE, "{debate}", status="'draft'")),
    attack("debate_with_history_is_kept", "a debate deleted", remove(DEBATE, "{debate}")),
    attack("debate_with_history_is_kept", "a draft deleted", remove(DEBATE, "{draft}")),
    attack("debate_with_history_is_kept", "no debates any more", "TRUNCATE debates_debate CASCADE"),
)  # fmt: skip

SPEAKER = "debates_participant"

test_a_participant_is_guarded = refusal_test(
    attack("participant_role_is_known", "an unknown role", copy(SPEAKER, "{participant}", name="'x'", role="'king'")),
    attack("participant_kind_is_known", "an unknown kind", copy(SPEAKER, "{participant}", name="'x'", kind="'ghost'")),
    attack("participant_name_once_per_debate", "the same name twice", copy(SPEAKER, "{participant}")),
    attack(
        "engine_participant_has_a_provider",
        "an engine without a provider",
        copy(SPEAKER, "{participant}", name="'x'", provider="''"),
    ),
    attack("participant_keeps_its_identity", "another provider", change(SPEAKER, "{participant}", provider="'openai'")),
    attack("participant_keeps_its_identity", "another model", change(SPEAKER, "{participant}", model="'another'")),
    attack("participant_keeps_its_identity", "a voice deleted", remove(SPEAKER, "{participant}")),
    *(
        attack(
            "participant_comes_with_its_debate",
            f"one more {role} in a debate of yesterday",
            "UPDATE debates_seal SET batch = 0 WHERE relation = 'debates_debate' AND key = {debate} AND act = 'INSERT'",
            copy(SPEAKER, "{participant}", name="'Zed'", role=f"'{role}'"),
            without=["debates_seal"],
        )
        for role in ("judge", "chair")
    ),
)

THREAD = "debates_thread"
OF_JUDGEMENT = (
    "(SELECT r.thread_id FROM debates_round r JOIN debates_awaitedturn a ON a.round_id = r.id"
    " WHERE a.id = {awaited_judgement})"
)
ANOTHER_JUDGEMENT = copy("debates_awaitedturn", "{awaited_judgement}", about_id="{spare_report_turn}")

test_a_thread_is_guarded = refusal_test(
    attack("thread_status_is_known", "an unknown status", copy(THREAD, "{thread}", key="'x'", status="'torn'")),
    attack("thread_key_once_per_debate", "the same key twice", copy(THREAD, "{thread}")),
    attack("thread_keeps_its_identity", "another debate", change(THREAD, "{thread}", debate_id="{draft}")),
    attack("thread_keeps_its_identity", "another key", change(THREAD, "{thread}", key="'x'")),
    attack("thread_keeps_its_identity", "another public id", change(THREAD, "{thread}", public_id="gen_random_uuid()")),
    attack("thread_fence_and_run_only_grow", "an older fence", change(THREAD, "{thread}", fence="fence - 1")),
    attack("thread_fence_and_run_only_grow", "an older run", change(THREAD, "{thread}", run_number="0")),
    attack("thread_keeps_its_identity", "another place", change(THREAD, "{thread}", position="position + 1")),
    attack("thread_fence_grows_by_steps", "a fence that leaps", change(THREAD, "{thread}", fence="fence + 9")),
    attack("thread_run_grows_by_one", "a run that leaps", change(THREAD, "{thread}", run_number="run_number + 2")),
    attack("thread_awaits_a_turn", "waiting for nobody", change(THREAD, "{played_thread}", status="'awaiting_turn'")),
    attack("thread_awaits_a_turn", "new, and waiting", copy(THREAD, "{thread}", key="'x'", status="'awaiting_turn'")),
    attack(
        "thread_awaits_a_turn",
        "waiting for what was said",
        copy("debates_turn", "{turn}", slot="'x'", participant_id="{seat}", kind="'response'"),
        change(THREAD, "{thread}", status="'awaiting_turn'"),
    ),
    attack(
        "thread_awaits_a_turn",
        "waiting for a judgement that was given",
        change(THREAD, OF_JUDGEMENT, status="'awaiting_turn'"),
    ),
    attack(
        "thread_is_complete_once_nothing_is_awaited",
        "complete while somebody is awaited",
        change(THREAD, "{thread}", status="'complete'"),
    ),
    attack(
        "thread_is_complete_once_nothing_is_awaited",
        "complete while a judgement is awaited",
        ANOTHER_JUDGEMENT,
        change(THREAD, OF_JUDGEMENT, status="'complete'"),
    ),
    attack("thread_is_kept", "a thread deleted", remove(THREAD, "{thread}")),
    attack("thread_is_kept", "no threads any more", "TRUNCATE debates_thread CASCADE"),
)

ROUND = "debates_round"

test_a_round_is_guarded = refusal_test(
    attack("round_number_once_per_thread_and_run", "the same number twice", copy(ROUND, "{round}")),
    *(
        attack(
            "round_is_opened_while_its_debate_lasts",
            f"another round in a debate that is {status}",
            change(DEBATE, "{debate}", status=f"'{status}'"),
            copy(ROUND, "{round}", number="9"),
        )
        for status in ("concluded", "failed", "cancelled")
    ),
    attack(
        "round_closes_after_it_opens",
        "closed before it opened",
        copy(ROUND, "{round}", number="9", closed_at="opened_at - interval '1 second'"),
    ),
    attack("round_keeps_its_identity", "another thread", change(ROUND, "{round}", thread_id="{judged_thread}")),
    attack("round_keeps_its_identity", "another run", change(ROUND, "{round}", run_number="2")),
    attack("round_keeps_its_identity", "another number", change(ROUND, "{round}", number="9")),
    attack("round_keeps_its_identity", "another opening", change(ROUND, "{round}", opened_at=EARLIER)),
    attack("round_keeps_its_identity", "another public id", change(ROUND, "{round}", public_id="gen_random_uuid()")),
    attack("round_closes_once", "open again", change(ROUND, "{closed_round}", closed_at="NULL")),
    attack("round_closes_once", "closed a second time", change(ROUND, "{closed_round}", closed_at="now() + '1 day'")),
    attack(
        "round_closes_once_nothing_is_awaited",
        "closed while somebody is awaited",
        change(ROUND, "{round}", closed_at="opened_at"),
    ),
    attack(
        "round_closes_once_nothing_is_awaited",
        "closed while a judgement is awaited",
        ANOTHER_JUDGEMENT,
        change(
            ROUND, "(SELECT round_id FROM debates_awaitedturn WHERE id = {awaited_judgement})", closed_at="opened_at"
        ),
    ),
    attack("round_is_kept", "a round deleted", remove(ROUND, "{round}")),
    attack("round_is_kept", "no rounds any more", "TRUNCATE debates_round CASCADE"),
)

TURN = "debates_turn"
CLOSED = change(ROUND, "{round}", closed_at="opened_at")

test_a_turn_is_guarded = refusal_test(
    attack("turn_kind_is_known", "an unknown kind", copy(TURN, "{turn}", slot="'x'", kind="'song'")),
    attack("turn_strategy_only_of_chairs", "a challenge by a strategy",
           copy(TURN, "{turn}", slot="'x'", kind="'challenge'", strategy="'aggressive'")),
    attack("turn_slot_once_per_round", "two turns in one place of a round", copy(TURN, "{turn}")),
    attack("turn_is_taken_or_forfeited_once", "spoken and forfeited", copy(TURN, "{turn}", slot="'forfeit'")),
    attack("turn_slot_once_per_debate", "two turns in one place of a debate", copy(TURN, "{turn_before}")),
    attack("turn_is_of_its_debate", "in another debate", copy(TURN, "{turn}", slot="'x'", debate_id="{draft}")),
    attack("turn_is_of_its_debate", "in a round of another thread",
           copy(TURN, "{turn}", slot="'x'", round_id="{judged_round}")),
    attack("turn_is_of_its_debate", "in a round of another debate, and no thread",
           copy(TURN, "{turn}", slot="'x'", thread_id="NULL", round_id="{judged_round}")),
    attack("turn_is_of_its_debate", "in a thread of another debate",
           copy(TURN, "{turn_before}", slot="'x'", thread_id="{judged_thread}")),
    attack("turn_is_of_its_debate", "by somebody of another debate",
           copy(TURN, "{turn}", slot="'x'", participant_id="(SELECT min(id) FROM debates_participant WHERE debate_id <>"
                " (SELECT debate_id FROM debates_turn WHERE id = {turn}))")),
    attack("turn_is_taken_before_its_round_closes", "in a round that has closed",
           copy(TURN, "{turn}", slot="'x'", kind="'challenge'", round_id="{closed_round}")),
    attack("turn_is_immutable", "other words", change(TURN, "{turn}", text="'other'")),
    attack("turn_is_immutable", "another speaker", change(TURN, "{turn}", participant_id="participant_id + 1")),
    attack("turn_is_immutable", "another kind while erasing", change(TURN, "{turn}", text="''", kind="'report'")),
    attack("turn_is_immutable", "a turn deleted", remove(TURN, "{turn}")),
    attack("turn_is_immutable", "no turns any more", "TRUNCATE debates_turn CASCADE"),
)  # fmt: skip

AWAITED = "debates_awaitedturn"
OF_REPLACED = copy(AWAITED, "{awaited_judgement}", participant_id="{replaced_judge}", kind="'report'", about_id="NULL")

test_an_awaited_turn_is_guarded = refusal_test(
    attack(
        "awaited_turn_is_one_that_is_taken",
        "a challenge awaited",
        copy(AWAITED, "{awaited_turn}", number="2", kind="'challenge'"),
    ),
    attack("awaited_turn_has_time", "no time at all", copy(AWAITED, "{awaited_turn}", number="2", deadline="at")),
    attack("awaited_turn_number_once", "the same time given twice", copy(AWAITED, "{awaited_turn}")),
    attack("awaited_judgement_number_once", "the same judgement twice", copy(AWAITED, "{awaited_judgement}")),
    attack(
        "what_is_judged_was_said_in_its_round",
        "a judgement of what was said elsewhere",
        copy(AWAITED, "{awaited_judgement}", number="2", about_id="{turn}"),
    ),
    attack("awaited_turn_is_of_a_seat", "an engine", copy(AWAITED, "{awaited_turn}", participant_id="{participant}")),
    attack(
        "awaited_turn_is_of_a_seat", "somebody elsewhere", copy(AWAITED, "{awaited_turn}", round_id="{judged_round}")
    ),
    attack(
        "turn_is_awaited_while_its_round_is_open",
        "in a round that has closed",
        CLOSED,
        copy(AWAITED, "{awaited_turn}", number="2"),
        without=[ROUND],
    ),
    *(
        attack(
            "turn_is_awaited_while_its_thread_is_played",
            f"in a thread that is {status}",
            change(THREAD, "{thread}", status=f"'{status}'"),
            copy(AWAITED, "{awaited_turn}", number="2"),
            without=[THREAD],
        )
        for status in ("complete", "partial", "failed", "cancelled")
    ),
    attack(
        "turn_is_awaited_while_its_thread_is_played",
        "in a round that is played again",
        change(THREAD, "{thread}", run_number="run_number + 1"),
        copy(AWAITED, "{awaited_turn}", number="2"),
    ),
    attack("replaced_judge_judges_no_more", "a judge who was replaced", OF_REPLACED),
    attack("awaited_turn_follows_the_one_before", "no number", copy(AWAITED, "{awaited_turn}", number="0")),
    attack(
        "awaited_turn_follows_the_one_before",
        "the last number that there is",
        copy(AWAITED, "{awaited_turn}", number="32767"),
    ),
    attack(
        "awaited_turn_follows_the_one_before",
        "a judgement behind the times for others",
        copy(AWAITED, "{awaited_judgement}", number="3"),
    ),
    attack("awaited_turn_is_never_edited", "more time", change(AWAITED, "{awaited_turn}", deadline="deadline + '1 h'")),
    attack("awaited_turn_is_never_edited", "an awaited turn deleted", remove(AWAITED, "{awaited_turn}")),
    attack("awaited_turn_is_never_edited", "none that were awaited", f"TRUNCATE {AWAITED}"),
)

EVENT = "debates_event"

test_an_event_is_guarded = refusal_test(
    attack("event_seq_once_per_debate", "the same number twice", copy(EVENT, "{last_event}")),
    attack("event_seq_starts_at_one", "number nought", copy(EVENT, "{last_event}", seq="0")),
    attack("event_audience_is_known", "an unknown audience", copy(EVENT, "{last_event}", seq="3", audience="'mice'")),
    attack("event_says_what_it_is", "a type that breaks the frame it stands in",
           copy(EVENT, "{last_event}", seq="3", type="""'a"b'""")),
    attack("event_says_what_it_is", "a type and a line more",
           copy(EVENT, "{last_event}", seq="3", type=r"E'debate:paused\n'")),
    attack("event_says_what_it_is", "data that is a list", copy(EVENT, "{last_event}", seq="3", data="'[]'")),
    attack("event_follows_the_one_before", "a gap", copy(EVENT, "{last_event}", seq="4")),
    attack("event_follows_the_one_before", "a last event taken off behind the triggers' back and one after it",
           remove(EVENT, "{last_event}"), copy(EVENT, "{event}", seq="3"), without=[EVENT]),
    attack("event_is_immutable", "other data", change(EVENT, "{event}", data="'{{}}'")),
    attack("event_is_immutable", "an event deleted", remove(EVENT, "{last_event}")),
    attack("event_is_immutable", "no events any more", "TRUNCATE debates_event CASCADE"),
)  # fmt: skip

test_the_name_of_all_logs_is_guarded = refusal_test(
    attack("epoch_is_the_only_one", "a second name", "INSERT INTO debates_epoch VALUES (2, gen_random_uuid(), now())")
)


def test_an_event_of_every_type_of_the_catalogue_is_taken(world):
    with nothing_stays():
        for name in TYPES:
            run("UPDATE debates_eventhead SET seq = seq + 1 WHERE debate_id = {debate}", world)
            run(
                "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
                f" SELECT debate_id, seq, '{name}', 'public', '{{{{}}}}', at FROM debates_eventhead"
                " WHERE debate_id = {debate}",
                world,
            )
        commit_so_far()


HEAD = "debates_eventhead"

test_the_head_of_a_stream_is_guarded = refusal_test(
    attack("event_head_only_grows", "back by one", change(HEAD, "{debate}", seq="seq - 1")),
    attack("event_head_only_grows", "the head of another", change(HEAD, "{debate}", debate_id="debate_id + 1000")),
    attack("event_head_only_grows", "no head", remove(HEAD, "{debate}")),
    attack(
        "event_head_only_grows",
        "as if words had been erased as often as can be counted",
        change(HEAD, "{debate}", erasures="2147483647"),
    ),
    attack(
        "event_head_only_grows",
        "as if no words had been erased",
        change(HEAD, "{debate}", erasures="erasures + 1"),
        change(HEAD, "{debate}", erasures="erasures - 1"),
    ),
    attack("event_head_is_the_last_event", "ahead of every event", change(HEAD, "{debate}", seq="seq + 1")),
    attack("event_head_is_the_last_event", "of a time to come", change(HEAD, "{debate}", at="'2999-01-01'")),
    attack(
        "event_head_is_the_last_event", "of the last year that is kept", change(HEAD, "{debate}", at="'9999-01-01'")
    ),
    attack("event_head_is_the_last_event", "of no time", change(HEAD, "{debate}", at="NULL")),
    attack(
        "event_is_not_ahead_of_its_head",
        "an event ahead of it",
        "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
        " SELECT debate_id, seq + 1, 'debate:paused', 'public', '{{}}', now() FROM debates_eventhead"
        " WHERE debate_id = {debate}",
    ),
    attack(
        "event_is_not_ahead_of_its_head",
        "an event of a log without a head",
        copy("debates_debate", "{debate}", title="'headless'"),
        "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
        " SELECT id, 1, 'debate:paused', 'public', '{{}}', now() FROM debates_debate WHERE title = 'headless'",
    ),
    attack(
        "event_is_not_of_the_future",
        "an event of the last year that is kept, with its head",
        change(HEAD, "{debate}", seq="seq + 1", at="'9999-12-29'"),
        "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
        " SELECT debate_id, seq, 'debate:paused', 'public', '{{}}', at FROM debates_eventhead"
        " WHERE debate_id = {debate}",
    ),
)
