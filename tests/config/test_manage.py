"""``manage.py`` where something is missing: what Moot needs, settings that mean something, the tables."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import postgres
from tests.environment import plain

ROOT = Path(__file__).parent.parent.parent


def test_the_wrong_python_is_told_which_is_the_right_one():
    bare = [sys.executable, "-I", "-S", str(ROOT / "manage.py"), "version"]

    done = subprocess.run(bare, capture_output=True, text=True, check=False)

    told = f"{sys.executable} does not have what Moot needs. Use .venv/bin/python, which `make run` makes.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_setting_that_means_nothing_is_told_in_one_line():
    asked = {"DJANGO_SETTINGS_MODULE": "config.settings", "MOOT_LLM_MODEL": "small"}
    wrong = {**os.environ, **asked, "MOOT_LLM_BASE_URL": "nonsense"}

    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "doctor"], capture_output=True, text=True, check=False, env=wrong
    )

    told = "Settings: Endpoint main: base_url must begin with http:// or https://.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_variable_that_is_none_is_told_of_in_one_line_and_leaves_nothing_verified():
    wrong = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "MOOT_PROVIDER_RETRIES": "many"}
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "verify_ledger"],
        capture_output=True, text=True, check=False, env=wrong,
    )  # fmt: skip

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (3, "", 1)
    assert "MOOT_PROVIDER_RETRIES" in done.stderr


def test_a_check_of_the_database_wakes_the_embedded_server(tmp_path):
    nowhere = {**plain(), "DJANGO_SETTINGS_MODULE": "config.settings", "MOOT_DATA_DIR": str(tmp_path / ("far" * 40))}
    check = [sys.executable, str(ROOT / "manage.py"), "check", "--database", "default"]

    done = subprocess.run(check, capture_output=True, text=True, check=False, env=nowhere)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The path of the database socket")


def test_what_cannot_be_written_is_taken_for_no_verdict():
    """For those who prove something, 1 says that it does not hold."""
    prove = [sys.executable, str(ROOT / "manage.py"), "conformance", str(ROOT / "tests" / "vectors")]
    asked = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    reading, writing = os.pipe()
    os.close(reading)

    unread = subprocess.run(prove, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, env=asked)
    os.close(writing)
    with Path("/dev/full").open("w") as full:
        unwritten = subprocess.run(prove, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=asked)

    assert (unread.returncode, unread.stderr) == (141, "")
    told = "What it has to say cannot be written: No space left on device.\n"
    assert (unwritten.returncode, unwritten.stderr) == (74, told)


def test_what_a_command_leaves_undone_that_nobody_reads_is_said_with_its_status():
    speak = """
from debates.management.base import BaseCommand, Unwritten
class Command(BaseCommand):
    requires_system_checks = []
    def handle(self, **_options):
        raise Unwritten("It is played on.") from BrokenPipeError()
Command().run_from_argv(["manage.py", "speak"])
"""
    asked = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}

    done = subprocess.run(
        [sys.executable, "-c", f"import django\ndjango.setup()\n{speak}"],
        capture_output=True, text=True, check=False, env=asked, cwd=ROOT,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (141, "", "It is played on.\n")


def test_what_is_left_undone_is_said_also_where_the_rest_of_what_was_said_cannot_be_written_either():
    speak = """
from debates.management.base import BaseCommand, Unwritten
class Command(BaseCommand):
    requires_system_checks = []
    def handle(self, **_options):
        try:
            self.stdout.write("x" * 10_000)
            self.stdout.flush()
        except Unwritten as error:
            raise Unwritten("It is played on.") from error.__cause__
Command().run_from_argv(["manage.py", "speak"])
"""
    asked = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}

    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", f"import django\ndjango.setup()\n{speak}"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=asked, cwd=ROOT,
        )  # fmt: skip

    said = "What it has to say cannot be written: No space left on device.\nIt is played on.\n"
    assert (done.returncode, done.stderr) == (74, said)


def test_what_a_terminal_has_no_character_for_is_written_all_the_same(tmp_path):
    vectors = tmp_path / "caf\u00e9.json"
    vectors.write_bytes((ROOT / "tests" / "vectors" / "overall.json").read_bytes())
    plain_terminal = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONIOENCODING": "ascii"}

    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "conformance", str(vectors)],
        capture_output=True, text=True, check=False, env=plain_terminal,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert "caf\\u00e9.json" in done.stdout


def test_a_document_stays_json_where_a_terminal_has_no_character_for_it():
    words = ["caf\u00e9", "\u4e8c", "\U0001f600"]
    speak = f"import manage, json\nmanage.run = lambda: print(json.dumps({words!a}, ensure_ascii=False))\nmanage.main()"

    for encoding in ("ascii", "latin-1", "utf-8"):
        told = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONIOENCODING": encoding}
        done = subprocess.run([sys.executable, "-c", speak], capture_output=True, check=False, env=told, cwd=ROOT)

        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout.decode(encoding)) == words


def test_a_command_that_is_mistyped_wakes_no_database(tmp_path):
    nowhere = {**plain(), "DJANGO_SETTINGS_MODULE": "config.settings", "MOOT_DATA_DIR": str(tmp_path / ("far" * 40))}

    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "verfiy_ledger"],
        capture_output=True, text=True, check=False, env=nowhere,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Unknown command: 'verfiy_ledger'")


@pytest.mark.parametrize("command", ["migrate", "worker", "ledger_head"])
def test_a_command_whose_database_is_away_says_so_without_a_traceback(command):
    away = {**plain(), "SECRET_KEY": "s", "DATABASE_URL": "postgresql://me:hidden@127.0.0.1:1/moot"}

    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), command], capture_output=True, text=True, check=False, env=away
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The database does not answer: ")
    assert not {"Traceback", "hidden"} & set(re.split(r"\W", done.stderr))


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DATABASE_URL", "postgresql://me:hidden@127.0.0.1:1/moot"), ("MOOT_PROVIDER_RETRIES", "many")],
)
def test_a_report_that_cannot_be_taken_now_is_kept_by_the_mail_server(variable, value):
    failed = b"Content-Type: message/rfc822\n\nMessage-ID: <" + b"0" * 32 + b"@moot.example.org>\nAction: failed\n"
    away = {**plain(), "SECRET_KEY": "s", "DATABASE_URL": "postgresql://127.0.0.1:1/moot", variable: value}

    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "record_bounce"],
        input=failed, capture_output=True, check=False, env=away,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (75, b"")


def test_a_command_that_comes_before_the_tables_is_told_to_wait_for_them():
    with postgres.throwaway_cluster() as server:
        early = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": server.url()}
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "verify_ledger"],
            capture_output=True, text=True, check=False, env=early,
        )  # fmt: skip

    told = (
        "The database does not have the tables of this release. Wait until `make run` prints the address, "
        "or make them: .venv/bin/python manage.py migrate\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "", told)
