"""What is no number, or no time or document that can be read, is refused by name wherever one is kept."""

import pytest
from django.apps import apps
from django.db import models

from scoring.definitions import APPS
from tests.schema.attacks import attack, change, copy, key, nothing_stays, refusal_test, run

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


DOCUMENTS = {
    "nested 64 deep": "(repeat('[', 65) || repeat(']', 65))::jsonb",
    "nested 3000 deep": "(repeat('[', 3000) || repeat(']', 3000))::jsonb",
    "a number of 5000 digits": "to_jsonb(repeat('7', 5000)::numeric)",
    "a number of 5000 digits below nothing": "to_jsonb(-repeat('7', 5000)::numeric)",
}
test_a_document_that_no_program_reads_is_refused = refusal_test(
    *(
        attack("document_can_be_read", f"{name} in an alert",
               change("scoring_alert", "{alert}", again=f"again || jsonb_build_array({document})"))
        for name, document in DOCUMENTS.items()
    ),
    *(
        attack("document_can_be_read", f"{name} in what a fact is made of",
               copy("scoring_fact", "{played_fact}", parts=f"jsonb_build_object('x', {document})"))
        for name, document in DOCUMENTS.items()
    ),
    attack("document_can_be_read", "a debate with parameters of great depth",
           copy("debates_debate", "{debate}", parameters=DOCUMENTS["nested 3000 deep"])),
)  # fmt: skip


def test_a_document_that_programs_read_is_taken(world):
    digits = "repeat('7', 308)::numeric, repeat('7', 5000), (repeat('[', 62) || repeat(']', 62))::jsonb"
    parts = f"jsonb_build_object('x', jsonb_build_array({digits}))"

    with nothing_stays():
        run(copy("scoring_fact", "{played_fact}", parts=parts), world)


@pytest.mark.parametrize(
    ("guard", "kind"), [("time_can_be_read", models.DateTimeField), ("document_can_be_read", models.JSONField)]
)
def test_every_time_and_document_of_ours_can_be_read(guard, kind):
    columns = {
        (model._meta.db_table, field.column)
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, kind)
    }

    bound = run(
        "SELECT k.conrelid::regclass::text, a.attname FROM pg_constraint k JOIN pg_attribute a"
        f" ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) WHERE k.conname = '{guard}'"
    )

    assert columns
    assert set(bound) == columns
