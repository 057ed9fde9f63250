"""What the guards let through, and what the database makes of it."""

import pytest

from scoring import verify
from scoring.enums import EntryKind as K
from tests.schema.attacks import change, commit_so_far, nothing_stays, run
from tests.schema.entries import NEWEST, VALID, entry, opening
from tests.schema.test_bypass_attempts import ENTRY, replica
from tests.schema.test_erasure_guards import erasing
from tests.schema.test_scoring_guards import another

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", VALID)
def test_a_valid_entry_is_accepted(kind, world):
    with nothing_stays():
        run(entry(kind), world)
        commit_so_far()
        of = world[VALID[kind][0]]
        assert run(f"SELECT kind FROM {ENTRY} WHERE evaluation_id = {of} ORDER BY id DESC LIMIT 1") == [(kind,)]


def test_a_valid_opening_entry_is_accepted(world):
    with nothing_stays():
        run(another(), world)
        run(opening(), world)
        commit_so_far()
        assert run(f"SELECT version, final_score FROM scoring_evaluation WHERE id = {NEWEST}") == [(1, None)]


def test_an_entry_written_while_replicating_is_projected(world):
    with nothing_stays():
        commit_so_far()
        for statement in replica(entry(K.OVERRIDE)):
            run(statement, world)

        assert run("SELECT final_score FROM scoring_evaluation WHERE id = {played}", world) == [(4,)]


def broken_hashes() -> list[str]:
    """What is wrong but for answers of judges, which the rows of these tests never had."""
    about = ("hash", "chain", "fact was changed", "words")
    faults = [fault for fault in verify.verify().faults if "is not in its answer" not in fault.what]
    return [str(fault) for fault in faults if any(word in fault.what for word in about)]


def test_numbers_sent_with_an_entry_are_overwritten(world):
    """Sequence, values before, time and hashes are the database's, whatever was sent."""
    sent = {
        "sequence": "NULL", "value_before": "1", "value_after": "10", "computed_before": "1", "confidence_before": "0",
        "initial_score": "1", "frozen_before": "true", "at": "now() - interval '1 year'", "hash": "'x'",
        "previous_hash": "'x'", "facts_hash": "'x'",
    }  # fmt: skip

    with nothing_stays():
        run(entry(K.OVERRIDE, **sent), world)
        commit_so_far()

        [(*values, age)] = run(
            "SELECT sequence, value_before, value_after, delta, computed_before, frozen_before, initial_score,"
            f" extract(days FROM now() - at) FROM {ENTRY} WHERE evaluation_id = {{played}} ORDER BY id DESC LIMIT 1",
            world,
        )
        assert values == [3, 7.5, 4, -3.5, 7.5, False, 6]
        assert age == 0
        assert broken_hashes() == []


SENT = {
    "computed_score": "9", "override_score": "9", "confidence": "0.9", "counted": "true", "basis": "'{{7}}'",
    "held": "'{{7}}'", "frozen_at": "now()", "run_number": "7", "debate_complete": "true", "debate_round_count": "7",
    "version": "7", "moderation_version": "7", "last_score_update": "now()", "head_hash": "'x'",
}  # fmt: skip


def test_a_projection_sent_with_a_new_evaluation_is_emptied(world):
    with nothing_stays():
        run(another(**SENT), world)

        columns = ", ".join(["final_score", "head_hash::text", *list(SENT)[:-1]])
        [(final, head, *rest)] = run(f"SELECT {columns} FROM scoring_evaluation WHERE id = {NEWEST}")
        assert (final, head) == (None, "\\x")
        assert rest == [None, None, None, False, [], [], None, 1, False, 0, 0, 0, None]


def test_a_panel_may_be_opened_by_its_review_without_facts(world):
    with nothing_stays():
        run(another(instrument="'panel'", initial_score="3", initial_confidence="NULL"), world)
        run(opening(counted_after="true", confidence_after="NULL"), world)
        commit_so_far()

        assert run(f"SELECT counted, final_score FROM scoring_evaluation WHERE id = {NEWEST}") == [(True, None)]


@pytest.mark.parametrize(
    "words",
    [
        "Судья ошибся",
        "裁判误读了第三段的论点",
        "القاضي أخطأ",
        "השופט טעה כאן",
        "न्यायाधीश गलत",
        "판사가 세 번째 문단을 오독",
        "⚖️" * 10,
        "1234567890",
    ],
)
def test_a_reason_may_be_written_in_any_script(words, world):
    with nothing_stays():
        row = run(
            "INSERT INTO scoring_reason (salt, text) SELECT salt, '" + words + "' FROM scoring_reason"
            " WHERE id = {reason} RETURNING length(digest)",
            world,
        )

        assert row == [(64,)]


def test_words_and_names_may_be_blanked(world):
    blanked = [
        *(erasing(debate_id=one) for one in ("{debate}", "{judged_debate}")),
        erasing(scope="'user'", debate_id="NULL", user_id="{user}"),
        change("debates_turn", "{turn}", text="''"),
        change("debates_subject", "{subject}", text="''", title="''"),
        change("scoring_reason", "{reason}", text="''", salt="''"),
        change("scoring_actor", "{actor}", name="''", role="''"),
        change("judging_call", "{call}", raw_answer="''"),
        change("judging_challenge", "{challenge}", quote="''"),
        change("judging_verdict", "{verdict}", reasoning="''"),
    ]

    with nothing_stays():
        for statement in blanked:
            run(statement, world)
        commit_so_far()

        assert broken_hashes() == []
