"""verify_ledger, ledger_head and moderate, as an operator types them."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.scoring.story import sql, tell

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-0000-0000-000000000000"


def said(*words: object) -> str:
    out = io.StringIO()
    call_command(*[str(word) for word in words], stdout=out)
    return out.getvalue()


def refused(*words: object) -> tuple[int, str]:
    """The exit status and the sentence of a command that ends with an error."""
    with pytest.raises(CommandError) as refusal:
        said(*words)
    return refusal.value.returncode, str(refusal.value)


def tamper(change: str) -> None:
    connection.check_constraints()
    sql("ALTER TABLE scoring_evaluation DISABLE TRIGGER USER")
    sql(f"UPDATE scoring_evaluation SET {change} WHERE key = 'P1'")


# -- verify_ledger and ledger_head ----------------------------------------


def test_an_honest_ledger_is_proved():
    story = tell()

    assert said("verify_ledger") == "2 evaluations, 13 entries: nothing that does not agree.\n"
    assert said("verify_ledger", "--debate", story.debate.public_id).startswith("2 evaluations")
    assert json.loads(said("verify_ledger", "--json")) == {"ok": True, "evaluations": 2, "entries": 13, "faults": []}


def test_a_fault_is_named_and_ends_with_status_1():
    story = tell()
    tamper("moderation_version = 5")
    out = io.StringIO()

    with pytest.raises(CommandError, match="in one place") as refusal:
        call_command("verify_ledger", stdout=out)

    assert refusal.value.returncode == 1
    assert out.getvalue().splitlines() == [
        f"evaluation {story.public_id}, entry 12: the moderation version is another: expected 12, found 5",
        "2 evaluations, 13 entries: 1 fault.",
    ]


def test_a_fault_is_named_as_json():
    story = tell()
    tamper("moderation_version = 5")
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("verify_ledger", "--json", stdout=out)

    assert json.loads(out.getvalue())["faults"] == [
        {
            "evaluation": str(story.public_id),
            "entry": 12,
            "what": "the moderation version is another",
            "expected": "12",
            "found": "5",
        }
    ]


def test_heads_are_kept_in_a_file_and_checked_against_it(tmp_path):
    story = tell()
    file = tmp_path / "heads.json"

    assert said("ledger_head", "--out", file).startswith("Wrote the heads of 2 evaluations to")
    assert said("verify_ledger", "--heads", file) == "2 evaluations, 13 entries: nothing that does not agree.\n"
    assert json.loads(said("ledger_head"))["heads"] == json.loads(file.read_text())["heads"]

    kept = json.loads(file.read_text())
    kept["heads"][str(story.public_id)]["hash"] = "ab"
    file.write_text(json.dumps(kept))
    assert refused("verify_ledger", "--heads", file)[0] == 1


def test_heads_are_never_written_over_others(tmp_path):
    file = tmp_path / "heads.json"
    file.write_text("kept")

    told = f"{file} is there already, and heads that were kept are never overwritten. Name a new file."
    assert refused("ledger_head", "--out", file) == (2, told)
    assert refused("ledger_head", "--out", tmp_path) == (2, f"{tmp_path} is there already, {told.split(', ')[1]}")
    nowhere = tmp_path / "none" / "heads.json"
    assert refused("ledger_head", "--out", nowhere) == (2, f"{nowhere} cannot be written: No such file or directory.")
    assert file.read_text() == "kept"


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"heads": {"x": {}}}', f'{{"heads": {{"{NOBODY}": 5}}}}'])
def test_heads_that_cannot_be_read_are_refused(tmp_path, content):
    file = tmp_path / "heads.json"
    if content is not None:
        file.write_text(content)

    with pytest.raises(CommandError, match="cannot be read" if content is None else "not written by ledger_head"):
        said("verify_ledger", "--heads", file)


def test_an_unknown_debate_is_a_bad_argument():
    assert refused("verify_ledger", "--debate", NOBODY) == (2, f"There is no debate {NOBODY}.")
