"""A database whose tables another release made: every command refuses it in one sentence and leaves it as it was."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import fork_server, postgres
from tests.crash.harness import migrated_server
from tests.debates.servers import free_port
from tests.environment import plain

PROJECT = Path(__file__).resolve().parents[2]
REFUSED = (
    "This database was made {origin}, so nothing was changed in it: to keep what it holds, write it to a file"
    " with `manage.py db dump FILE` ({reader} reads that back); to start anew, {anew}."
)
LAPTOP = "name another directory in MOOT_DATA_DIR"
SERVER = "name an empty database in DATABASE_URL"
FIRST = (
    "INSERT INTO django_migrations (app, name, applied) VALUES ('debates', '0002_guards_v1', now())",
    {"origin": "before Moot 0.1", "reader": "the release that made it"},
)
CHECKOUT = (
    "DROP FUNCTION moot_entry_append() CASCADE; COMMENT ON TABLE scoring_scorechange IS 'of other guards'",
    {
        "origin": "by another checkout of Moot (scoring_scorechange: the guard entry_10_append is missing)",
        "reader": "the checkout that made it",
    },
)
EVERYTHING = (
    "SELECT string_agg(format('%s %s %s', c.relname, c.relkind, pg_relation_filenode(c.oid)), ', ' ORDER BY c.oid),"
    " (SELECT string_agg(m::text, E'\\n' ORDER BY m.id) FROM django_migrations m)"
    " FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace"
)


@dataclass(frozen=True, kw_only=True)
class Old:
    """A laptop's database that something else made, and the sentence that refuses it."""

    server: postgres.Throwaway
    words: dict[str, str]

    def refused(self, anew: str) -> str:
        return REFUSED.format(**self.words, anew=anew)


@pytest.fixture(scope="module", params=[FIRST, CHECKOUT], ids=["before the first release", "another checkout"])
def old(request: pytest.FixtureRequest) -> Iterator[Old]:
    statement, words = request.param
    with migrated_server(name="postgres") as server:
        run(server, statement)
        yield Old(server=server, words=words)


def run(server: postgres.Throwaway, statements: str) -> None:
    with server.connect(name="moot") as connection:
        connection.execute(statements)


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return fork_server.run("manage.py", *words, environment={**plain(), **environment})


@pytest.mark.parametrize(
    "command",
    [["migrate"], ["verify_ledger"], ["worker"], ["up", "--no-worker", "--port", "PORT"], ["db", "new-epoch"]],
    ids=" ".join,
)
def test_a_laptops_database_is_refused_and_left_as_it_was(old, command):
    before = old.server.ask(EVERYTHING)

    words = [str(free_port()) if word == "PORT" else word for word in command]

    done = manage(*words, MOOT_DATA_DIR=str(old.server.root.parent))

    sentence = f"{'CommandError: ' if command[0] in {'up', 'db'} else ''}{old.refused(LAPTOP)}"
    status = 3 if command == ["verify_ledger"] else 1
    assert (done.returncode, done.stdout, done.stderr.strip()) == (status, "", sentence)
    assert old.server.ask(EVERYTHING) == before


def test_whoever_runs_a_server_is_told_to_name_another_database(old):
    done = manage("migrate", DATABASE_URL=old.server.url(), MIGRATION_DATABASE_URL=old.server.url(user="moot_owner"))
    served = manage("serve", "--port", str(free_port()), DATABASE_URL=old.server.url())

    assert (done.returncode, done.stderr) == (1, f"{old.refused(SERVER)}\n")
    assert (served.returncode, served.stderr) == (1, f"CommandError: {old.refused(SERVER)}\n")


def test_the_check_of_a_database_says_it_too(old):
    done = manage("check", "--database", "default", DATABASE_URL=old.server.url())

    assert done.returncode == 1
    assert old.refused(SERVER) in done.stderr
    assert "System check identified 1 issue" in done.stderr


def test_what_such_a_database_holds_can_be_written_to_a_file(old, tmp_path):
    done = manage("db", "dump", str(tmp_path / "kept"), MOOT_DATA_DIR=str(old.server.root.parent))

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "kept").stat().st_size > 0


def test_a_newer_database_is_refused_by_the_name_of_what_is_not_known():
    with migrated_server() as server:
        server.ask(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '0900_later', now()) RETURNING id"
        )
        done = manage("migrate", DATABASE_URL=server.url(), MIGRATION_DATABASE_URL=server.url(user="moot_owner"))

    assert done.returncode == 1
    assert done.stderr.startswith(
        "This database was made by another release of Moot (scoring.0900_later is not one of this one's migrations), "
    )


def test_an_empty_database_is_given_tables_and_one_of_this_release_is_taken_as_it_is():
    with postgres.throwaway_cluster() as server:
        place = {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}

        migrations = [manage("migrate", **place) for _ in range(2)]

    assert [migration.returncode for migration in migrations] == [0, 0]
    assert "No migrations to apply." in migrations[1].stdout


def test_what_was_there_before_the_tables_were_made_is_named_and_taken_for_no_other_checkout():
    with postgres.throwaway_cluster() as server:
        place = {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}
        run(server, "CREATE VIEW own_figures AS SELECT 1 AS figure; ALTER VIEW own_figures OWNER TO moot_owner")
        made = manage("migrate", **place)
        check = manage("check", "--database", "default", **place)

    assert made.returncode == 0
    assert check.returncode == 1
    assert "the view own_figures is none of ours" in check.stderr
    assert "checkout" not in check.stderr


def test_a_database_whose_guards_stand_is_taken_whoever_made_it_and_known_again_when_they_do_not():
    with migrated_server() as server:
        place = {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}
        run(server, "COMMENT ON TABLE scoring_scorechange IS 'of other guards'")
        before = manage("migrate", **place)
        run(server, "DROP FUNCTION moot_entry_append() CASCADE")
        after = manage("migrate", **place)

    assert (before.returncode, before.stderr) == (0, "")
    assert after.returncode == 1
    assert "the function moot_entry_append() is missing" in after.stderr
    assert "checkout" not in after.stderr
