"""The how-tos for a PostgreSQL of one's own and for servers, command by command, on a bare server."""

from collections.abc import Iterator

import pytest

from tests import postgres
from tests.debates.servers import free_port
from tests.docs.harness import Stage, answers_at, says

OWN = "docs/how-to/use-your-own-postgresql.md"
DEPLOY = "docs/how-to/deploy.md"
MANAGE = ".venv/bin/python manage.py"
NOTHING = "System check identified no issues (0 silenced).\n"
AGREES = "nothing that does not agree.\n"
SECRET = [("password for new role", "secret"), ("it again", "secret")]
PRODUCTION = {
    "MOOT_ENVIRONMENT": "production",
    "SECRET_KEY": "only-for-this-test-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGH",
    "ALLOWED_HOSTS": "localhost",
}


def bare(server: postgres.Throwaway, *, administered: bool = False) -> None:
    """Leave nothing of ours on a server but, where it is administered, the role that an administrator makes."""
    with server.connect() as connection:
        connection.execute("DROP DATABASE IF EXISTS moot WITH (FORCE)")
        for role in ("moot", "moot_app", "moot_owner"):
            connection.execute(f"DROP ROLE IF EXISTS {role}")
        if administered:
            connection.execute("CREATE ROLE moot_app NOLOGIN")


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[Stage, postgres.Throwaway]]:
    """A stage, and a server that its commands reach as they would reach one on this machine."""
    with postgres.short_directory() as directory, postgres.throwaway_cluster() as server:
        stage = Stage(directory, PGHOST=str(server.places.run), PGUSER="postgres")
        yield stage, server
        stage.end()


def test_a_postgresql_of_ones_own_with_one_role_then_with_two_then_in_production(place):
    stage, server = place
    port = free_port()
    stage.environment["RUN"] = f"--port {port} --no-samples"
    bare(server, administered=True)

    def anew() -> None:
        stage.end()
        bare(server)

    told = stage.follow(
        OWN,
        words={
            "@localhost/": server.url(user="", name="").partition("//")[2],
            "--port 8000": f"--port {port}",
            "collectstatic --no-input": "collectstatic --no-input --dry-run",  # it would write into the project
        },
        before={
            "createuser --pwprompt moot_owner": anew,
            ".venv/bin/python manage.py check --deploy": lambda: stage.run(exported(PRODUCTION)),
        },
        answers={"createuser": SECRET},
        servers={
            "make run": says("Moot is running at"),
            ".venv/bin/python manage.py serve": answers_at(port),
            ".venv/bin/python manage.py worker": says("The worker is playing."),
        },
    )

    assert told[f"{MANAGE} check --database default"] == NOTHING
    assert told[f"{MANAGE} check --deploy"] == NOTHING.replace("(0", "(2")  # HSTS beyond this one name
    assert "No migrations to apply." in told[f"{MANAGE} migrate"]
    assert "static files" in told[f"{MANAGE} collectstatic --no-input"]
    assert server.ask("SELECT tableowner FROM pg_tables WHERE tablename = 'scoring_scorechange'") == ("moot_owner",)
    assert stage.end()[-1] == 0  # the worker has handed its work back


def exported(environment: dict[str, str]) -> str:
    return "\n".join(f"export {name}='{value}'" for name, value in environment.items())


def test_a_server_is_looked_at_once_it_stands(place):
    stage, server = place
    stage.environment |= {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}

    told = stage.follow(
        DEPLOY,
        answers={
            "python manage.py createsuperuser": [
                ("Username", "anna"),
                ("Email address:", ""),
                ("Password:", "a long one 47"),
                ("Password (again):", "a long one 47"),
            ]
        },
    )

    assert "Superuser created successfully." in told["python manage.py createsuperuser"]
    assert told["python manage.py check --database default"] == NOTHING
    assert told["python manage.py verify_ledger"].endswith(AGREES)
    assert (stage.directory / "deploy" / "moot.env").exists()
    assert server.ask("SELECT username, is_superuser FROM auth_user WHERE username = 'anna'") == ("anna", True)


def test_a_new_release_is_migrated_looked_at_and_proved(place):
    stage, server = place
    stage.environment |= {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}

    migrated, checked, proved = stage.follow("docs/how-to/upgrade.md").values()

    assert "No migrations to apply." in migrated
    assert checked == NOTHING
    assert proved.endswith(AGREES)


def test_both_web_servers_start_with_the_options_of_the_page(place):
    stage, server = place
    stage.environment |= {"DATABASE_URL": server.url()}
    first, second = free_port(), free_port()

    stage.follow(
        "docs/how-to/serve-many-watchers.md",
        words={"port=8000": f"port={first}", "--port 8000": f"--port {second}"},
        servers={"daphne": answers_at(first), "uvicorn": answers_at(second)},
    )

    assert len(stage.servers) == 2
