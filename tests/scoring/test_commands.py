"""verify_ledger, ledger_head and moderate, as an operator types them."""

import errno
import io
import json
import os

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from debates.models import Debate, Subject
from tests.scoring.commands import NOBODY, refused, said
from tests.scoring.history import sql, tell

pytestmark = pytest.mark.django_db


def tamper(change: str) -> None:
    connection.check_constraints()
    sql("ALTER TABLE scoring_evaluation DISABLE TRIGGER USER")
    sql(f"UPDATE scoring_evaluation SET {change} WHERE key = 'P1'")


# -- verify_ledger and ledger_head ----------------------------------------


def test_an_honest_ledger_is_proved():
    story = tell()

    assert said("verify_ledger") == "2 evaluations, 13 entries: nothing that does not agree.\n"
    assert said("verify_ledger", "--debate", story.debate.public_id).startswith("2 evaluations")
    assert json.loads(said("verify_ledger", "--json")) == {
        "ok": True, "evaluations": 2, "entries": 13, "faults": [], "heads": 0,
    }  # fmt: skip


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
            "debate": "",
            "row": "",
        }
    ]


def test_heads_are_kept_in_a_file_and_checked_against_it(tmp_path):
    story = tell()
    file = tmp_path / "heads.json"

    connection.check_constraints()

    assert said("ledger_head", "--out", file).startswith("Wrote the heads of 2 evaluations and 2 logs to")
    agrees = "2 evaluations, 13 entries: nothing that does not agree.\n"
    assert said("verify_ledger", "--heads", file) == f"4 kept heads compared.\n{agrees}"
    of_one = said("verify_ledger", "--heads", file, "--debate", story.debate.public_id)
    assert of_one == f"3 kept heads compared.\n{agrees}"
    again, kept = json.loads(said("ledger_head")), json.loads(file.read_text())
    assert {**again, "made_at": kept["made_at"]} == kept
    assert (set(kept), set(kept["logs"])) == (
        {"version", "made_at", "heads", "logs"}, {"site", str(story.debate.public_id)},
    )  # fmt: skip

    for part, name in (("heads", str(story.public_id)), ("logs", str(story.debate.public_id)), ("logs", "site")):
        other = json.loads(file.read_text())
        other[part][name]["hash"] = "ab"
        changed = tmp_path / f"{part} {name}.json"
        changed.write_text(json.dumps(other))
        assert refused("verify_ledger", "--heads", changed)[0] == 1


def test_the_chain_of_a_debate_that_is_gone_is_named_by_its_number(tmp_path):
    tell()
    about = {"format": "criterion", "title": "Gone", "status": "draft", "parameters": {}}
    gone = Debate.objects.create(subject=Subject.objects.get(), **about)
    connection.check_constraints()
    number, site = gone.pk, json.loads(said("ledger_head"))["logs"]["site"]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE debates_debate DISABLE TRIGGER debate_20_kept")
    gone.delete()
    connection.check_constraints()
    file = tmp_path / "heads.json"
    said("ledger_head", "--out", file)

    logs = json.loads(file.read_text())["logs"]
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("verify_ledger", "--heads", str(file), stdout=out)

    assert (logs["site"], logs[f"number {number}"]["number"]) == (site, 2)
    removed = f"debate number {number}, debate {number}: the row was removed"
    off = " while debate_20_kept of debates_debate was switched off"
    assert out.getvalue().splitlines()[:-2] == [removed + off, removed]


def test_heads_are_never_written_over_others(tmp_path):
    file = tmp_path / "heads.json"
    file.write_text("kept")

    told = f"{file} is there already, and what was kept is never overwritten. Name a new file."
    assert refused("ledger_head", "--out", file) == (2, told)
    assert refused("ledger_head", "--out", tmp_path) == (2, f"{tmp_path} is there already, {told.split(', ')[1]}")
    nowhere = tmp_path / "none" / "heads.json"
    assert refused("ledger_head", "--out", nowhere) == (2, f"{nowhere} cannot be written: No such file or directory.")
    assert file.read_text() == "kept"


def test_heads_that_cannot_be_written_whole_leave_no_file(tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    file = tmp_path / "heads.json"

    assert refused("ledger_head", "--out", file) == (2, f"{file} cannot be written: No space left on device.")
    assert list(tmp_path.iterdir()) == []


def heads_file(*, version: object = 1, heads: object = None, logs: object = None) -> str:
    return json.dumps({"version": version, "heads": heads or {}, "logs": logs or {}})


def test_a_file_without_heads_is_no_comparison(tmp_path):
    file = tmp_path / "heads.json"
    file.write_text(heads_file())

    with pytest.raises(CommandError, match="holds no heads, so nothing can be compared with it"):
        said("verify_ledger", "--heads", file)


HEAD = {"sequence": 1, "number": 1, "hash": "ab"}


@pytest.mark.parametrize(
    "content",
    [
        None, "", "{}", "[]", '{"heads": {"x": {}}}', heads_file(heads={NOBODY: 5}), heads_file(heads={"site": HEAD}),
        heads_file(logs={NOBODY: {"number": 1}}), heads_file(logs={NOBODY: {**HEAD, "hash": "no"}}),
        heads_file(version=2, heads={NOBODY: HEAD}), "[" * 100_000,
        heads_file(logs={"site": HEAD}).replace('"number": 1', '"number": 1e999'),
    ],
)  # fmt: skip
def test_heads_that_cannot_be_read_are_refused(tmp_path, content):
    file = tmp_path / "heads.json"
    if content is not None:
        file.write_text(content)

    with pytest.raises(CommandError, match="cannot be read" if content is None else "not written by ledger_head"):
        said("verify_ledger", "--heads", file)


def test_where_nothing_can_be_verified_that_is_no_answer():
    tell()
    sql("ALTER TABLE debates_seal RENAME COLUMN salt TO pepper")

    status, told = refused("verify_ledger")

    assert status == 3
    assert told.startswith("The ledger cannot be verified: column s.salt does not exist")


def test_an_unknown_debate_is_a_bad_argument():
    assert refused("verify_ledger", "--debate", NOBODY) == (2, f"There is no debate {NOBODY}.")
