"""What statements write and read is what the ORM writes and reads."""

from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.db import DatabaseError, DataError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates import prepared_statements
from debates.models import Round, Subject, Thread
from judging.engine import conductor, play
from scoring import verify
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.services import accounts, entries, rounds
from tests import factories, playing
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
insert, write = prepared_statements.insert, prepared_statements.write
OF_THE_MOMENT = {"scoring_scorechange": {"id", "at", "hash"}, "scoring_fact": {"id", "at"}}
"""What the database gives a row anew each time; of all other tables it is the number alone."""


@dataclass
class Comparison:
    """Has the ORM write what statements are given, takes that back, and compares it with what they write."""

    compared: Counter = field(default_factory=Counter)

    def insert(self, rows):
        new = list(rows)
        if new:
            model = type(new[0])
            with transaction.atomic():
                copies = [model(**{name: value for name, value in vars(row).items() if name[0] != "_"}) for row in new]
                expected = stored(model.objects.bulk_create(copies))
                transaction.set_rollback(True)
            assert stored(insert(new)) == expected
            assert all(vars(row).keys() >= vars(copy).keys() for row, copy in zip(new, copies, strict=True))
            self.compared[model.__name__] += len(new)
        return new


def stored(rows):
    model = type(rows[0])
    table, key = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT to_jsonb(t) - %s::text[] FROM {table} t WHERE {key} = ANY(%s) ORDER BY {key}",
            [sorted(OF_THE_MOMENT.get(table, {"id"})), [row.pk for row in rows]],
        )
        return cursor.fetchall()


def test_a_debate_leaves_the_rows_that_the_orm_would_have_left(monkeypatch):
    comparison = Comparison()
    debate = playing.debate(
        script(
            [[ruling("+1.5", "0.05"), ruling("-0.25", challenge="C2")], [ruling("+0.1"), ruling("0", challenge="C2")]]
        ),
        rounds=2,
    )
    monkeypatch.setattr(prepared_statements, "insert", comparison.insert)

    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert comparison.compared.keys() == {
        "Call",
        "Challenge",
        "Defence",
        "Fact",
        "Round",
        "ScoreChange",
        "Turn",
        "Verdict",
    }
    assert (comparison.compared["Fact"], comparison.compared["ScoreChange"]) == (4, 3)


def test_what_is_read_is_what_the_orm_reads():
    playing.debate(script([[ruling("+1.5", "0.05")]]), rounds=1)
    playing.work()
    evaluation = Evaluation.objects.get()
    fact = Fact.objects.select_related("round").get()

    [locked] = accounts.lock(evaluations=[evaluation.pk])
    [earlier] = rounds.earlier_of(evaluation)

    for own, other in ((locked, evaluation), (earlier, fact)):
        attributes = [column.attname for column in own._meta.concrete_fields]
        assert [getattr(own, name) for name in attributes] == [getattr(other, name) for name in attributes]
    assert earlier.round.number == fact.round.number


def test_what_the_database_gives_comes_back_with_the_row():
    [subject] = prepared_statements.insert(
        [Subject(title="Wells", text="Every well, in 2027.", created_at=timezone.now())]
    )

    assert Subject.objects.get(pk=subject.pk).public_id == subject.public_id
    assert not subject._state.adding


def test_no_rows_are_no_statement(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert prepared_statements.insert([]) == []


def test_rows_that_leave_the_database_different_columns_are_not_written_together():
    now = timezone.now()
    numbered = Round(pk=1, thread_id=1, run_number=1, number=1, opened_at=now)

    with pytest.raises(ValueError, match="leave the same columns"):
        prepared_statements.insert([Round(thread_id=1, run_number=1, number=2, opened_at=now), numbered])


@pytest.mark.parametrize("text", ["before\x00after", "half a \ud83d character"])
def test_what_the_database_cannot_store_is_refused(text):
    with pytest.raises(DataError), transaction.atomic():
        prepared_statements.insert([Subject(title=text, text="Every well.", created_at=timezone.now())])


def test_a_row_that_is_gone_is_not_updated():
    with pytest.raises(DatabaseError, match="not there any more"), transaction.atomic():
        prepared_statements.update(Thread(pk=0, fence=2), "fence")


def test_values_that_no_column_of_play_has_are_not_written():
    with pytest.raises(TypeError, match="set"):
        prepared_statements.as_json({1})


class WrittenTogether(Comparison):
    """The same of what waited until several steps had been taken."""

    def write(self, statement, new):
        model = type(new[0])
        with transaction.atomic():
            copies = [model(**{name: value for name, value in vars(row).items() if name[0] != "_"}) for row in new]
            expected = stored(model.objects.bulk_create(copies))
            transaction.set_rollback(True)
        write(statement, new)
        assert stored(new) == expected
        self.compared[model.__name__] += len(new)


def test_threads_that_are_written_together_leave_the_rows_that_the_orm_would_have_left(monkeypatch):
    comparison, gathered = WrittenTogether(), []
    record_together = play.record_together
    rounds_ = [[ruling("+1.5", "0.05"), ruling("-0.25", challenge="C2")], [ruling("+0.1"), ruling("0", challenge="C2")]]
    debate = playing.debate(script(rounds_), criteria=("P1", "P2", "P3", "P4"), rounds=2)
    monkeypatch.setattr(prepared_statements, "write", comparison.write)
    monkeypatch.setattr(
        conductor.answers, "_together", lambda answers: [gathered.append(len(answers)), record_together(answers)][1]
    )

    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert max(gathered) > 1
    assert (comparison.compared["Fact"], comparison.compared["ScoreChange"]) == (16, 12)
    assert not verify.verify(debate_id=debate.pk).faults


def opened(thread, number):
    return Round(thread=thread, run_number=1, number=number, opened_at=timezone.now())


def test_rows_of_several_steps_are_one_statement_and_have_their_numbers_before():
    thread = factories.thread(factories.debate(status="running", started_at=timezone.now()))

    with transaction.atomic(), CaptureQueriesContext(connection) as asked, prepared_statements.together(3):
        numbers = [insert([opened(thread, number)])[0].pk for number in (1, 2, 3)]
        prepared_statements.update(thread, "fence")

    inserts = [query["sql"] for query in asked if "debates_round" in query["sql"] and "INSERT" in query["sql"]]
    assert len(inserts) == 1
    assert [row.pk for row in Round.objects.filter(thread=thread).order_by("number")] == sorted(numbers)


def test_who_reads_meanwhile_finds_what_was_to_be_written_together():
    thread = factories.thread(factories.debate(status="running", started_at=timezone.now()))

    with transaction.atomic(), prepared_statements.together(2):
        insert([opened(thread, 1)])
        assert thread.rounds.count() == 1


def test_nothing_is_written_of_steps_that_break():
    thread = factories.thread(factories.debate(status="running", started_at=timezone.now()))

    def break_off():
        with transaction.atomic(), prepared_statements.together(2):
            insert([opened(thread, 1)])
            raise KeyError("broken")

    with pytest.raises(KeyError):
        break_off()

    insert([opened(thread, 2)])
    assert [row.number for row in thread.rounds.all()] == [2]


def test_the_database_is_held_to_what_was_expected_of_it():
    playing.debate(script([[ruling("+1.5", "0.05")]]), rounds=1)
    playing.work()
    evaluation = Evaluation.objects.get()
    entry = ScoreChange(
        evaluation=evaluation, kind="completed", computed_after=evaluation.computed_score,
        confidence_after=evaluation.confidence, actor_kind="engine", **entries.after(entries.state_of(evaluation)),
    )  # fmt: skip

    with pytest.raises(DatabaseError, match="was to be"), transaction.atomic(), prepared_statements.together(1):
        prepared_statements.insert_foreseen(entry, after=evaluation.pk, sequence=evaluation.version + 2)
