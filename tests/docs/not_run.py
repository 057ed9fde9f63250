"""Commands of the documentation that no test runs, each with the reason. They are checked as far as that goes."""

FIRST_RUN = "the tutorial begins with it"
SUITE = "is, or is part of, what runs this test"
CONTAINERS = "needs Docker and its registry"
MACHINE = "changes the machine: accounts, units of systemd, files below /etc"
INDEX = "needs the package index"

LEFT_OUT: dict[str, dict[str, str]] = {
    "README.md": {"make run": FIRST_RUN, "make test": SUITE},
    "docs/how-to/start-and-stop.md": {
        "make run": FIRST_RUN,
        "python manage.py db dump": "docs/how-to/back-up.md dumps",
        "python manage.py db restore": "docs/how-to/back-up.md restores",
    },
    "docs/how-to/upgrade.md": {"make run": FIRST_RUN},
    "docs/how-to/change-the-code.md": {
        "make format": "changes the code that is tested",
        "rm debates/migrations": "changes the code that is tested",
        "git checkout": "changes the code that is tested",
        ".venv/bin/python manage.py makemigrations": "changes the code that is tested",
        "make lint": SUITE,
        ".venv/bin/pytest": SUITE,
        "make lock": INDEX,
    },
    "docs/how-to/deploy.md": {
        "docker": CONTAINERS,
        "sudo useradd": MACHINE,
        "sudo python3 -m venv .venv": MACHINE,
        "sudo .venv/bin/pip": INDEX,
        "sudo cp deploy/systemd": MACHINE,
        "sudo systemctl": MACHINE,
        "cd /srv/moot": MACHINE,
        "sudo deploy/moot": "changes the machine; tests/deploy/test_files.py runs the script",
        "sudo sh": "changes the machine; tests/deploy/test_roles_script.py runs the script",
    },
    "docs/how-to/back-up.md": {
        "docker": CONTAINERS,
        "sudo": MACHINE,
        "pg_restore": "needs a server that speaks TLS; tests/config/test_restore.py reads a dump into PostgreSQL 16",
    },
    "docs/how-to/send-mail.md": {
        "sudo": "changes the machine; tests/deploy/test_files.py reads a file that is made so"
    },
    "docs/how-to/calibrate-a-judge.md": {
        "python manage.py calibrate labels.csv --provider": "asks a model; docs/how-to/use-a-model.md asks one"
    },
    "docs/how-to/judge-files.md": {
        "python manage.py judge design.md": "asks three models; docs/how-to/use-a-model.md asks one"
    },
    "docs/how-to/use-a-model.md": {
        ".venv/bin/python manage.py run_debate --format open": "asks a model very often; the command before does"
    },
    "docs/how-to/play-elsewhere.md": {"": "tests/api/test_how_to.py runs the page"},
    "docs/how-to/appeal.md": {
        "curl": "names a score of yours; tests/judging/test_appeal_pages.py goes the whole way by the API"
    },
    "docs/how-to/take-part.md": {"": "tests/api/test_speaking.py runs the page"},
    "docs/how-to/write-a-rubric.md": {"python3 -c": "needs a site and a key; tests/api/test_how_to.py runs it"},
    "docs/how-to/receive-webhooks.md": {"curl": "needs a receiver on the internet; tests/api/test_how_to.py runs one"},
    "docs/reference/stream.md": {"curl": "goes on without an end; tests/debates/ reads such streams"},
    "docs/reference/commands.md": {
        "python manage.py judge FILE": "a shape; docs/how-to/judge-files.md fills it",
        "python manage.py calibrate labels.csv --provider": "asks a model; docs/how-to/use-a-model.md asks one",
    },
    "docs/explanation/threat-model.md": {
        "python -m venv audit": INDEX,
        "audit/bin/pip install": INDEX,
        "audit/bin/pip-audit": "asks a service on the internet what is known of each dependency",
    },
}
"""Page, then the beginning of a command, then why it is not run."""
