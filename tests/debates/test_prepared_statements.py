"""What statements write and read is what the ORM writes and reads."""

from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.db import DatabaseError, DataError, connection, transaction
from django.utils import timezone

from debates import prepared_statements
from debates.models import Round, Subject, Thread
from scoring.models import Evaluation, Fact
from scoring.services import accounts, rounds
from tests import playing
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
insert = prepared_statements.insert
OF_THE_MOMENT = {"scoring_scorechange": {"id", "at", "hash"}}
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
