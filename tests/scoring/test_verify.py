"""What verify_ledger finds when somebody has switched the guards off and changed a row."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from scoring import verify
from scoring.models import Evaluation
from tests import factories
from tests.scoring.history import sql, tell

pytestmark = pytest.mark.django_db
TABLES = (
    "debates_debate", "debates_round", "scoring_actor", "scoring_evaluation", "scoring_fact", "scoring_reason",
    "scoring_scorechange",
)  # fmt: skip
HASH = "the hash is another"
FACT = "a fact was changed"
STATE = "the state does not follow from its kind"


@pytest.fixture(scope="module")
def story(django_db_setup, django_db_blocker) -> Iterator[Evaluation]:
    """The score of ``story.tell``, its tables without triggers and without constraints, as their owner can make them.

    Each test's own transaction is a savepoint inside this one.
    """
    outer = transaction.atomic()
    outer._from_testcase = True  # as Django's own tests do: durable services run inside it
    with django_db_blocker.unblock(), outer:
        assert connection.settings_dict["NAME"].startswith("test_"), "mark the module with django_db"
        told = tell()
        for table in TABLES:
            sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for table in ("scoring_scorechange", "scoring_evaluation", "scoring_fact"):
            drop_constraints(table)
        yield told
        transaction.set_rollback(True)


def drop_constraints(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('c', 'u', 'f')"
            " ORDER BY contype = 'u'",
            [table],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}" CASCADE')


FORGE = """
DO $$
DECLARE
  entry scoring_scorechange; account scoring_evaluation; parameters text; digest text; previous bytea := '';
BEGIN
  SELECT * INTO account FROM scoring_evaluation WHERE key = 'P1';
  SELECT d.parameters ->> 'score' INTO parameters FROM debates_debate d WHERE d.id = account.debate_id;
  FOR entry IN SELECT * FROM scoring_scorechange WHERE evaluation_id = account.id ORDER BY sequence LOOP
    SELECT r.digest INTO digest FROM scoring_reason r WHERE r.id = entry.reason_id;
    entry.facts_hash := moot_facts_hash_v1(entry.basis || entry.held);
    entry.previous_hash := previous;
    entry.hash := moot_entry_hash_v1(previous, entry, moot_account_hash_v1(account, parameters), digest);
    previous := entry.hash;
    UPDATE scoring_scorechange SET facts_hash = entry.facts_hash, previous_hash = entry.previous_hash, hash = entry.hash
      WHERE id = entry.id;
  END LOOP;
  UPDATE scoring_evaluation SET head_hash = previous WHERE id = account.id;
END $$
"""


def forge_the_chain() -> None:
    """Compute every hash of the score again with the database's own functions, so that the chain fits the lie."""
    sql(FORGE)


def of_accounts(**options: object) -> list[verify.Fault]:
    """Return the faults of accounts, without those of rows that are not what was sealed: tests/judging/sealed."""
    return [fault for fault in verify.verify(**options).faults if not fault.row]


def found(evaluation: Evaluation, **options: object) -> set[tuple[int | None, str]]:
    """Return what does not agree, entry and fault; all of it must be in this one evaluation."""
    faults = of_accounts(**options)
    assert {fault.evaluation for fault in faults} <= {str(evaluation.public_id)}
    return {(fault.entry, fault.what) for fault in faults}


def test_forging_an_honest_chain_changes_nothing(story):
    heads = verify.heads()

    forge_the_chain()

    assert found(story, heads=heads) == set()


def of(sequence: int, change: str) -> str:
    """The statement that changes an entry of the score."""
    return (
        f"UPDATE scoring_scorechange SET {change} WHERE sequence = {sequence}"
        " AND evaluation_id = (SELECT id FROM scoring_evaluation WHERE key = 'P1')"
    )


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'completed'", "initial_score = 5", "value_before = 5", "value_after = 5", "confidence_before = 0.1",
        "confidence_after = 0.1", "computed_before = 2", "computed_after = 2", "run_number = 2", "basis = '{1}'",
        "held = '{1}'", "override_after = 5", "frozen_before = NOT frozen_before", "frozen_after = NOT frozen_after",
        "counted_after = false", "complete_after = true", "rounds_after = 9", "round_id = coalesce(round_id, 0) + 1000",
        "facts = '{1}'", "facts_hash = 'x'", "raw_sum = 1", "cumulative_raw = 1", "capped_net = 1",
        "held_choice = 'discard'", "target_sequence = 1", "actor_kind = 'system'",
        "actor_id = coalesce(actor_id, 0) + 1000",
        "reason_code = 'other'",
        "reason_id = (SELECT id FROM scoring_reason r WHERE r.id IS DISTINCT FROM reason_id LIMIT 1)",
        "at = at - interval '1 second'",
        "idempotency_key = 'other'", "hash = 'x'",
    ],
)  # fmt: skip
def test_every_column_of_an_entry_is_bound_by_its_hash(story, change):
    """Three entries are changed at once: each is hashed with what it says of the one before, whatever that says now."""
    for sequence in (2, 6, 12):
        sql(of(sequence, change))

    assert found(story) >= {(sequence, HASH) for sequence in (2, 6, 12)}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE scoring_fact SET amount = 2.9 WHERE amount = 3", id="an amount, where the cap hides it"),
        pytest.param("UPDATE scoring_fact SET impact = 0.2 WHERE impact = 0.1", id="an impact"),
        pytest.param("UPDATE scoring_fact SET weight = 0.5 WHERE amount = 2", id="a weight that does not weigh"),
        pytest.param("UPDATE scoring_fact SET parts = '{\"a\": \"1.50\"}' WHERE amount = 2", id="its parts"),
        pytest.param("UPDATE scoring_fact SET at = at - interval '1 day' WHERE amount = 2", id="its time"),
        pytest.param("UPDATE scoring_fact SET kind = 'response' WHERE amount = 2", id="its kind"),
        pytest.param("UPDATE scoring_fact SET run_number = 2 WHERE amount = 2", id="its run"),
        pytest.param(
            "UPDATE scoring_fact SET round_id = (SELECT min(id) FROM debates_round) WHERE amount = 2", id="its round"
        ),
        pytest.param(
            "WITH new AS (INSERT INTO debates_participant"
            " (public_id, debate_id, role, kind, name, position, provider, model)"
            " SELECT gen_random_uuid(), id, 'judge', 'human', 'Bob', 1, '', '' FROM debates_debate RETURNING id)"
            " UPDATE scoring_fact SET participant_id = new.id FROM new WHERE amount = 2",
            id="whose it is",
        ),
    ],
)  # fmt: skip
def test_a_changed_fact_is_found_at_every_entry_that_counts_it(story, change):

    sql(change)

    assert {entry for entry, what in found(story) if what == FACT} >= {3, 4, 5, 6, 7, 8, 11, 12}


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("key", "'P9'"), ("category", "'market'"), ("weight", "2"), ("position", "7"),
        ("public_id", "gen_random_uuid()"),
        ("instrument", "'adherence'"), ("participant_id", "-1"), ("thread_id", "(SELECT max(id) FROM debates_thread)"),
        ("debate_id", "-1"), ("initial_score", "6.5"), ("initial_confidence", "0.6"),
    ],
)  # fmt: skip
def test_whose_score_it_is_is_bound_by_every_entry(story, column, value):
    if column == "debate_id":
        value = "(SELECT max(id) FROM debates_debate)"
        factories.debate()

    sql(f"UPDATE scoring_evaluation SET {column} = {value} WHERE key = 'P1'")

    assert {fault.entry for fault in of_accounts()} >= set(range(1, 13)) - ({2, 3} if "initial" in column else set())


def test_changed_parameters_are_found_even_where_they_change_no_score(story):
    sql("""UPDATE debates_debate SET parameters = jsonb_set(parameters, '{score,confidence_cap}', '"0.4"')""")

    faults = {(fault.entry, fault.what) for fault in of_accounts()}

    assert {(entry, HASH) for entry in range(1, 13)} <= faults


@pytest.mark.parametrize("document", ["[]", "null", '"x"', '{"score": []}', '{"play": "at_end"}'])
@pytest.mark.parametrize("column", ["debates_debate SET parameters", "scoring_fact SET parts"])
def test_a_document_that_is_none_of_ours_is_a_fault_and_no_crash(story, column, document):
    sql(f"UPDATE {column} = '{document}'")

    assert of_accounts()


def test_what_was_found_before_something_unreadable_is_named_too(story, monkeypatch):
    def prove(account):
        yield verify.Fault(account.name, 7, "found before")
        raise TypeError

    monkeypatch.setattr(verify, "prove", prove)

    assert [fault.what for fault in of_accounts()][:2] == ["found before", "it cannot be proved (TypeError)"]


def test_parameters_that_cannot_be_read_are_a_fault_and_no_crash(story):
    sql("UPDATE debates_debate SET parameters = '{}'")

    whats = {fault.what for fault in of_accounts()}

    assert any(what.startswith("it cannot be recomputed (KeyError") for what in whats)


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("computed_score", "9", "the evaluation's computed score is another"),
        ("override_score", "9", "the evaluation's state is not that of its last entry"),
        ("confidence", "0.9", "the evaluation's confidence is another"),
        ("counted", "false", "the evaluation's state is not that of its last entry"),
        ("basis", "'{}'", "the evaluation's state is not that of its last entry"),
        ("held", "'{1}'", "the evaluation's state is not that of its last entry"),
        ("frozen_at", "NULL", "the evaluation's state is not that of its last entry"),
        ("frozen_at", "now() - interval '1 day'", "it was frozen at another time"),
        ("run_number", "2", "the evaluation's state is not that of its last entry"),
        ("debate_complete", "true", "the evaluation's state is not that of its last entry"),
        ("debate_round_count", "1", "the evaluation's state is not that of its last entry"),
        ("version", "11", "the evaluation is at another version than its ledger"),
        ("moderation_version", "1", "the moderation version is another"),
        ("last_score_update", "now()", "the time of its last update is another"),
        ("head_hash", "'x'", "the evaluation's head is another"),
    ],
)
def test_a_changed_column_of_the_evaluation_is_found(story, column, value, what):

    sql(f"UPDATE scoring_evaluation SET {column} = {value} WHERE key = 'P1'")

    assert (12, what) in found(story)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (of(3, "value_before = 5"), (3, "the value before is not the value after the entry before")),
        (of(3, "computed_before = 5"), (3, "the computed score before is another")),
        (of(3, "confidence_before = 0.1"), (3, "the confidence before is another")),
        (of(3, "frozen_before = true"), (3, "it was frozen otherwise before")),
        (of(3, "initial_score = 5"), (3, "the initial score is another")),
        (of(3, "value_after = 5"), (3, "the value is not override, else computed, else initial")),
        (of(3, "computed_after = 5, value_after = 5"), (3, "the computed score is not what the facts give")),
        (of(3, "confidence_after = 0.1"), (3, "the confidence is not what the facts give")),
        (of(3, "raw_sum = 1"), (3, "the raw sum is not what the facts give")),
        (of(7, "raw_sum = 1"), (7, "the raw sum is not what the facts give")),
        (of(3, "cumulative_raw = 1"), (3, "the sum of the basis is not what the facts give")),
        (of(3, "capped_net = 1"), (3, "the capped net is not what the facts give")),
        (of(3, "basis = basis[2:]"), (3, STATE)),
        (of(3, "counted_after = false"), (3, STATE)),
        (of(3, "rounds_after = 5"), (3, STATE)),
        (of(3, "run_number = 2"), (3, STATE)),
        (of(3, "facts = facts[2:]"), (3, "it is about other facts")),
        (of(3, "kind = 'held'"), (3, "it is of a kind that its frozen flag does not allow")),
        (of(3, "kind = 'opened'"), (3, "an account is opened once, by its first entry")),
        (of(3, "kind = 'whim'"), (3, "it cannot be recomputed (ValueError: 'whim' is not a valid EntryKind)")),
        (of(3, "kind = 'fallback'"), (3, "it falls back over counted facts")),
        (of(5, "kind = 'override'"), (5, "it is of a kind that its frozen flag does not allow")),
        (of(6, "held_choice = 'discard'"), (6, STATE)),
        (of(7, "override_after = 5"), (7, "the value is not override, else computed, else initial")),
        (of(7, "kind = 'override_lifted'"), (7, "there was no override to lift")),
        (of(7, "actor_kind = 'engine'"), (7, "nobody signed it")),
        (of(7, "actor_id = NULL"), (7, "nobody signed it")),
        (of(7, "reason_id = NULL"), (7, "nobody signed it")),
        (of(7, "kind = 'rerun'"), (7, "its run is not the next one")),
        (of(7, "computed_alone = 5"), (7, "what its author alone has decided is another")),
        (of(7, "computed_alone = NULL"), (7, "what its author alone has decided is another")),
        (of(7, "covered_value = 4"), (7, "its override rests on another approval")),
        (of(7, "second_person_from = 1"), (7, "nobody approved an override beyond the threshold")),
        (of(9, "facts = '{}'"), (9, STATE)),
        (of(11, "target_sequence = 2"), (11, STATE)),
        (of(12, "frozen_after = false"), (12, STATE)),
        (
            "UPDATE scoring_fact SET amount = 2.9 WHERE amount = 3",
            (3, "the sum of the basis is not what the facts give"),
        ),
        ("DELETE FROM scoring_fact WHERE amount = 2", (3, "facts are missing")),
        (
            (
                "INSERT INTO scoring_fact"
                " SELECT id + 1000, gen_random_uuid(), run_number, kind, amount, impact, weight, parts,"
                " at, evaluation_id, participant_id, round_id FROM scoring_fact WHERE amount = 2"
            ),
            (12, "facts were brought by no entry"),
        ),
        (
            (
                "UPDATE debates_round SET thread_id = (SELECT thread_id FROM scoring_evaluation WHERE key = 'P2')"
                " WHERE number = 2"
            ),
            (3, "its round is of another thread"),
        ),
        ("DELETE FROM scoring_scorechange WHERE sequence = 7", (7, "the sequence has a gap")),
        ("UPDATE scoring_scorechange SET sequence = 20 - sequence WHERE sequence > 1", (2, "the sequence has a gap")),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_a_lie_is_found_even_where_the_chain_was_forged_to_match(story, change, fault):
    sql(change)
    forge_the_chain()

    assert fault in found(story)


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        pytest.param(
            of(7, "actor_id = (SELECT id FROM scoring_actor WHERE name = 'bob')"),
            12,
            id="another person's name under it",
        ),
        pytest.param('UPDATE scoring_fact SET parts = \'{"a": "1"}\' WHERE amount = 2', 12, id="other parts of a fact"),
        pytest.param(
            "UPDATE scoring_evaluation SET weight = 2 WHERE key = 'P1'", 12, id="another weight of the criterion"
        ),
        pytest.param(
            "UPDATE scoring_reason SET text = 'Forged words.', digest = moot_digest(salt || 'Forged words.') WHERE id ="
            " (SELECT min(reason_id) FROM scoring_scorechange)",
            12,
            id="other words and their digest",
        ),
    ],
)
def test_a_lie_that_agrees_with_itself_is_found_by_the_head_that_was_kept(story, change, entry):
    heads = verify.heads()
    sql("INSERT INTO scoring_actor (user_id, name, role) SELECT max(user_id), 'bob', '' FROM scoring_actor")

    sql(change)
    forge_the_chain()

    assert found(story) == set()
    assert found(story, heads=heads) == {(entry, "the entry is not the one whose head was kept")}


REWIND = """
UPDATE scoring_evaluation e SET version = s.sequence, moderation_version = s.sequence, head_hash = s.hash,
  frozen_at = NULL
FROM scoring_scorechange s WHERE s.evaluation_id = e.id AND s.sequence = 11
"""


def test_a_thread_that_is_in_another_run_than_its_ledger_is_found(story):
    sql("UPDATE debates_thread SET run_number = 2 WHERE id = %(thread)s", thread=story.thread_id)

    assert found(story) == {(12, "its thread is in another run than its ledger")}


def test_a_last_entry_taken_off_is_found_by_the_head_that_was_kept(story):
    heads = verify.heads()

    sql("DELETE FROM scoring_scorechange WHERE sequence = 12")
    sql(REWIND)

    assert found(story) == set()
    assert [str(fault) for fault in of_accounts(heads=heads)] == [
        (
            f"evaluation {story.public_id}, entry 12: the entry is not the one whose head was kept:"
            f" expected {heads.scores[str(story.public_id)][1]}, found no such entry"
        )
    ]


def test_an_evaluation_without_entries_is_found(story):
    sql("DELETE FROM scoring_scorechange")

    assert {fault.what for fault in of_accounts()} == {"it has no opening entry"}


REASON = "(SELECT reason_id FROM scoring_scorechange WHERE sequence = 7)"


@pytest.mark.parametrize("whole", [True, False], ids=["of everything", "of its debate"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param("text = 'The judge was bribed, I am sure.'", id="other words"),
        pytest.param("text = 'The judge was bribed, I am sure.', salt = ''", id="other words, and no salt to tell"),
        pytest.param("salt = repeat('x', 32)", id="another salt"),
    ],
)
def test_changed_words_of_a_reason_are_found(story, change, whole):
    sql(f"UPDATE scoring_reason SET {change} WHERE id = {REASON}")

    faults = found(story, debate_id=None if whole else story.debate_id)

    assert {(entry, what.split(" reason ")[0]) for entry, what in faults} == {(7, "the words of")}


def test_a_changed_digest_of_a_reason_is_found(story):
    sql(f"UPDATE scoring_reason SET digest = 'x' WHERE id = {REASON}")

    assert (7, HASH) in found(story)
