"""What is no number, or no time that can be read, is refused by name wherever one is kept, whoever writes it."""

import pytest
from django.apps import apps
from django.db import models

from scoring.checks import APPS
from tests.schema.attacks import attack, change, copy, key, refusal_test, run

pytestmark = pytest.mark.django_db
ROWS = {
    "debates_debate": "{debate}",
    "scoring_evaluation": "{played}",
    "scoring_scorechange": "{entry}",
    "scoring_approval": "{approval}",
    "scoring_fact": "{played_fact}",
    "scoring_criterion": "{criterion}",
    "judging_call": "{call}",
    "judging_claim": "{claim}",
    "judging_verdict": "{verdict}",
    "judging_judgescore": "{judge_score}",
    "judging_consensus": "{consensus}",
    "judging_responseevaluation": "{response_evaluation}",
    "judging_effect": "{effect}",
    "judging_participantstate": "{state}",
    "judging_standing": "{standing_row}",
}
NUMBERS = [
    (model, field.column)
    for app in APPS
    for model in apps.get_app_config(app).get_models()
    for field in model._meta.concrete_fields
    if isinstance(field, models.DecimalField)
]


def nan(model: type[models.Model], column: str) -> str:
    """The statement that adds a row once more, with what is no number in one column."""
    name = model._meta.db_table
    if name not in ROWS:  # the world has no such row
        return f"INSERT INTO {name} (\"{column}\") VALUES ('NaN')"
    return copy(name, ROWS[name], **{column: "'NaN'"})


test_what_is_no_number_is_refused = refusal_test(
    *(attack("number_is_not_nan", f"{model._meta.db_table}.{column}", nan(model, column)) for model, column in NUMBERS)
)

test_no_number_becomes_none = refusal_test(
    *(
        attack(
            "number_is_not_nan",
            f"{model._meta.db_table}.{column}, later",
            f"UPDATE {model._meta.db_table} SET \"{column}\" = 'NaN' WHERE {key(model)} = {ROWS[model._meta.db_table]}",
        )
        for model, column in NUMBERS
        if model._meta.db_table in ROWS
    )
)

test_a_time_that_no_program_reads_is_refused = refusal_test(
    *(
        attack("time_can_be_read", f"debates_debate.started_at of {time}",
               change("debates_debate", "{debate}", started_at=f"'{time}'"))
        for time in ("-infinity", "infinity", "0001-01-01 BC", "10000-01-01")
    ),
    attack("time_can_be_read", "a turn that was said never",
           copy("debates_turn", "{turn_before}", slot="'x'", at="'-infinity'")),
    attack("time_can_be_read", "a score that was given never",
           copy("scoring_evaluation", "{played}", key="'new'", created_at="'-infinity'")),
    attack("time_can_be_read", "a claim for ever", change("judging_claim", "{claim}", claimed_at="'infinity'")),
)  # fmt: skip


def test_every_time_of_ours_can_be_read():
    times = {
        (model._meta.db_table, field.column)
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.DateTimeField)
    }

    bound = run(
        "SELECT k.conrelid::regclass::text, a.attname FROM pg_constraint k JOIN pg_attribute a"
        " ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) WHERE k.conname = 'time_can_be_read'"
    )

    assert times
    assert set(bound) == times
