"""The tutorial and the how-tos for a laptop, command by command, on one data directory from its first start on."""

import re
import shutil
import signal
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

from tests import postgres
from tests.debates.servers import free_port
from tests.docs import blocks
from tests.docs.harness import Stage, says
from tests.project.source_files import ROOT
from tests.providers import endpoint

TUTORIAL = "docs/tutorial/first-debate.md"
BACK_UP = "docs/how-to/back-up.md"
LEDGER = "docs/explanation/ledger.md"
OVER = "Moot has stopped; everything is kept for the next start."
ID = "01234567-89ab-cdef-0123-456789abcdef"
AGREES = "nothing that does not agree.\n"
ENTRIES = "SELECT count(*), max(id), max(encode(hash, 'hex')) FROM scoring_scorechange"
QUESTION = "SELECT {} FROM {} ORDER BY id DESC LIMIT 1"


class Laptop:
    """A stage, the address of its site, and its database."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.port = free_port()
        self.database = postgres.Throwaway(stage.directory / "data" / "postgres")
        stage.environment["RUN"] = f"--port {self.port} --no-worker"  # the samples would be played beside the tests

    def page(self, path: str = "/") -> str:
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            return answer.read().decode()

    def forget_samples(self) -> None:
        """Take the jobs of the samples away, which would be played beside everything here."""
        with self.database.connect(name="moot") as connection:
            connection.execute("DELETE FROM procrastinate_jobs")

    def newest(self, table: str, what: str = "public_id") -> str:
        return str(self.database.ask(QUESTION.format(what, table))[0])


@pytest.fixture(scope="module")
def laptop() -> Iterator[Laptop]:
    with postgres.short_directory() as directory:
        found = Laptop(Stage(directory))
        yield found
        found.stage.end()
        if found.database.cluster.lives():
            found.database.stop()


def test_the_tutorial_word_by_word(laptop):
    seen: list[str] = []

    def score_of_mine() -> str:
        if not seen:
            [debate] = re.findall(r'href="/debates/([\w-]{36})/"[^>]*>\s*A repair café for the library', laptop.page())
            listed = laptop.stage.run(f".venv/bin/python manage.py moderate show {debate}")
            seen.extend([debate, *re.findall(r"[\da-f]{8}-[\da-f-]{27}", listed)])
        return seen[-1]

    told = laptop.stage.follow(
        TUTORIAL,
        servers={"make run": says("Moot is running at")},
        before={"cat > idea.md": laptop.forget_samples},
        words={ID: score_of_mine},
    )

    _, played, shown, overridden, proved = told.values()
    begun, reported = blocks.of(TUTORIAL, "text")
    [site] = laptop.stage.servers.values()
    assert begun.replace(":8000", f":{laptop.port}") in site.said
    assert reported in played
    assert "computed" in shown
    assert "7.50" in overridden
    assert "overridden" in laptop.page(f"/debates/{seen[0]}/")
    assert proved.endswith(AGREES)
    laptop.stage.end(signal.SIGINT)
    assert OVER in site.said
    assert not laptop.database.cluster.lives()


def told_in_order(told: dict[str, str], *words: str) -> None:
    """Each command has said its words."""
    missing = [
        (command, word, said) for (command, said), word in zip(told.items(), words, strict=True) if word not in said
    ]
    assert missing == []


def test_the_database_is_handled_by_hand(laptop):
    told = laptop.stage.follow("docs/how-to/start-and-stop.md")

    told_in_order(told, ": stopped.", "started to stay.", "Stopped.", "epoch is now")


def test_psql_names_the_guards_that_refuse(laptop):
    shell = blocks.commands(LEDGER)[-1]
    [attack] = blocks.of(LEDGER, "sql")
    laptop.stage.run("python manage.py db start")

    told = laptop.stage.follow(LEDGER, stdin={shell: attack})[shell]

    laptop.stage.run("python manage.py db stop")
    assert re.findall(r"CONSTRAINT NAME:  (\w+)", told) == re.findall(r"-- (\w+)", attack)


def test_a_backup_is_made_restored_and_restored_elsewhere(laptop):
    stage = laptop.stage
    kept = f"{stage.directory}/kept/"
    (stage.directory / "kept").mkdir()
    with postgres.throwaway_cluster() as server:
        stage.environment |= {"PGHOST": str(server.places.run), "PGUSER": "postgres"}
        app, owner = (server.url(user=user, name="moot_restored") for user in ("moot_app", "moot_owner"))

        told = stage.follow(
            BACK_UP,
            words={
                "/backups/": kept,
                "/elsewhere/": kept,
                "moot_before_20261121_101500": lambda: database_before(laptop),
                "postgresql://moot_app:secret@localhost/moot_restored": app,
                "postgresql://moot_owner:secret@localhost/moot_restored": owner,
            },
        )

        entries = server.ask(ENTRIES, name="moot_restored")
    [dropped] = (said for command, said in told.items() if command.startswith("psql"))
    [elsewhere] = (said for command, said in told.items() if " db restore " in command)  # both: the second was the last
    assert "DROP DATABASE" in dropped
    assert "/moot_restored, and proved it." in elsewhere
    compared, _erased = list(told.values())[-2:]
    assert compared.endswith(AGREES)
    stage.run("unset DATABASE_URL MIGRATION_DATABASE_URL; python manage.py db start")
    assert laptop.database.ask(ENTRIES) == entries
    stage.run("unset DATABASE_URL MIGRATION_DATABASE_URL; python manage.py db stop")


def database_before(laptop: Laptop) -> str:
    """Return the name under which the last restore has kept the database before."""
    question = "SELECT datname FROM pg_database WHERE datname ~ '^moot_before_' ORDER BY datname DESC LIMIT 1"
    return str(laptop.database.ask(question)[0])


def test_words_are_erased_and_what_is_old_is_let_go(laptop):
    told = laptop.stage.follow(
        "docs/how-to/erase-and-retain.md",
        words={
            "--debate PUBLIC_ID": lambda: f"--debate {laptop.newest('debates_debate')}",
            "--participant PUBLIC_ID": lambda: f"--participant {laptop.newest('debates_participant')}",
            "USERNAME": "moderator",
        },
        before={"python manage.py erase --debate": lambda: laptop.stage.run("python manage.py db start")},
    )

    told_in_order(told, *["Nothing was changed;"] * 3, AGREES, "", "")


def test_files_are_judged(laptop):
    page = "docs/how-to/judge-files.md"
    app = laptop.stage.directory / "app"
    app.mkdir()
    for name, source in (("cache.py", "config/server_command.py"), ("limits.py", "config/parent_watch.py")):
        shutil.copy(ROOT / source, app / name)
    (app / "logo.png").write_bytes(b"\x89PNG")

    tables = laptop.stage.follow(page, ends={"python manage.py judge": (0, 3)}).values()

    assert ["Correctness" in table for table in tables] == [True, True]
    assert ["Left out: app/logo.png (not UTF-8 text)." in table for table in tables] == [False, True]
    assert len(list((laptop.stage.directory / "data" / "reports").glob("*.final.md"))) == 2


def test_a_judge_is_calibrated(laptop):
    page = "docs/how-to/calibrate-a-judge.md"
    texts, _ = blocks.of(page, "csv")
    words = ["The park is cooler because its trees give shade", "Buses run every ten minutes, as the plan says"]
    rows = [f'"{word}, and we measured {number} of them in 2024.",{number}' for number, word in enumerate(words, 2)]
    laptop.stage.directory.joinpath("labels.csv").write_text(
        "\n".join([texts.strip(), *(f"{row},trams" for row in rows)])
    )

    [table] = laptop.stage.follow(page).values()

    assert "Rank correlation with the labels" in table


def test_a_debate_that_happened_is_judged(laptop):
    page = "docs/how-to/judge-a-debate-that-happened.md"
    laptop.stage.directory.joinpath("debate.txt").write_text(blocks.of(page, "text")[0])

    [table] = laptop.stage.follow(page).values()

    assert "Lena" in table
    assert "Tomas" in table


def test_responses_are_judged_without_a_debate(laptop):
    page = "docs/how-to/judge-responses.md"
    laptop.stage.directory.joinpath("answers.csv").write_text(blocks.of(page, "csv")[0])

    tables = laptop.stage.follow(page).values()

    assert ["first     Mira" in table for table in tables] == [True, True]
    assert ["2 responses: 2 scored." in table for table in tables] == [True, False]


def test_a_rubric_of_ones_own_is_tried(laptop):
    place = laptop.stage.directory / "path" / "to"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "samples/rubrics/exhibition.json", place / "your.json")

    [table] = laptop.stage.follow("docs/how-to/write-a-rubric.md").values()

    assert "Judged by  heuristic" in table


def test_debates_of_both_formats_are_played_and_a_key_is_made_as_the_reference_says(laptop):
    criterion, table, key, sealed = laptop.stage.follow("docs/reference/commands.md").values()

    assert "Judged by  heuristic" in criterion
    assert "Arbiter (opening)" in table
    assert key.startswith("moot_")
    assert "Sealed anew: " in sealed


def test_a_model_is_asked(laptop):
    page = "docs/how-to/use-a-model.md"
    prices, several = (block.strip() for block in blocks.of(page, "dotenv"))
    with endpoint.running() as served:
        laptop.stage.environment |= {
            "MOOT_LLM_BASE_URL": served.url,
            "MOOT_LLM_API_KEY": "k",
            "MOOT_LLM_MODEL": "by-shape",
        }

        told = laptop.stage.follow(page, before={"make llm": lambda: laptop.stage.run(quoted(prices))})

    laptop.stage.run(f"{quoted(several)}\npython manage.py check")
    assert served.asked
    told_in_order(told, "", "GOOD main", "Judged by  openai")


def quoted(settings: str) -> str:
    """Return lines of a file of settings as the shell reads them."""
    return re.sub(r"^(\w+)=(.+)$", r"export \1='\2'", settings, flags=re.MULTILINE)
