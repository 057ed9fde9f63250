"""Whatever somebody wrote reaches the operator's terminal and the log as something to be read, never to be obeyed."""

import json
import logging
import unicodedata
from contextvars import Context
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.core.management.color import color_style
from django.db import IntegrityError
from django.utils import timezone

from debates.printable import Fields, Formatter, is_unseen, printable
from tests import acts, factories

OURS = sorted(name for name, app in get_commands().items() if app in {"config", "debates", "scoring", "judging"})
HOSTILE = "title\x1b[2J\x1b]0;gone\x07\r\x9b31m\u202egnp\u2066\u200f\ufeff\u2028\U000e0041\x7f\b"
READ = (
    "title\\u001b[2J\\u001b]0;gone\\u0007\\u000d\\u009b31m\\u202egnp\\u2066\\u200f\\ufeff\\u2028"
    "\\udb40\\udc41\\u007f\\u0008"
)


def unseen(text):
    return [
        character for character in text if unicodedata.category(character) in {"Cc", "Cf", "Cs"} and character != "\n"
    ]


def test_what_a_terminal_would_obey_is_written_as_json_escapes_it():
    assert printable(HOSTILE) == READ
    assert json.loads(f'"{printable(HOSTILE)}"') == HOSTILE


@pytest.mark.parametrize(
    "text", ["plain", "caf\u00e9 \u00a0 \u3000 \u0627\u0644", "a\tb\nc", "\U0001f469\u200d\U0001f4bb"]
)
def test_words_of_any_script_stay_as_they_are(text):
    assert printable(text) == text


def test_every_character_that_is_not_seen_is_escaped():
    kept = {"\n", "\t", "\u200c", "\u200d"}
    unseen_ones = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"}}

    assert {character for character in unseen_ones if not is_unseen(character)} == kept


def test_every_app_of_ours_is_looked_at():
    assert {"moderate", "verify_ledger", "run_debate", "judge", "up", "doctor", "api_key"} <= set(OURS)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_every_command_writes_what_can_be_read(name, stream, monkeypatch):
    command, out = load_command_class(get_commands()[name], name), StringIO()
    monkeypatch.setattr(type(command), "handle", lambda self, *_words, **_options: getattr(self, stream).write(HOSTILE))

    command.execute(stdout=out, stderr=out, no_color=True, force_color=False, skip_checks=True)

    assert out.getvalue() == f"{READ}\n"


@pytest.mark.parametrize("name", OURS)
def test_what_a_command_refuses_can_be_read_and_keeps_its_colour(name):
    command, out = load_command_class(get_commands()[name], name), StringIO()
    out.isatty = lambda: True
    command.style = color_style(force_color=True)
    command.stderr = type(command.stderr)(out)
    command.stderr.style_func = command.style.ERROR

    command.stderr.write(f"{CommandError(HOSTILE)}")

    assert READ in out.getvalue()
    assert out.getvalue().count("\x1b") == 2  # ours, before and after


@pytest.mark.django_db
def test_a_reason_and_a_name_reach_whoever_moderates_without_their_tricks():
    evaluation = factories.criterion(factories.debate(title=HOSTILE), initial="6")
    acts.freeze(
        order=factories.order(evaluation, factories.moderator(), reason=f"A reason {HOSTILE}"), now=timezone.now()
    )
    out = StringIO()

    call_command("moderate", "show", str(evaluation.public_id), stdout=out, stderr=out)

    assert "\\u001b[2J" in out.getvalue()
    assert unseen(out.getvalue()) == []


@pytest.fixture
def taken():
    """A logger, and what it writes."""
    out = StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(Formatter("{levelname} {message}", style="{"))
    logger = logging.getLogger("moot.tests.printable")
    logger.addHandler(handler)
    yield logger, out
    logger.removeHandler(handler)


@pytest.mark.django_db
def test_a_row_that_the_database_refuses_is_not_in_the_log(taken):
    logger, out = taken
    names = ["Zanzibar", "zanzibar"]

    try:
        for name in names:
            factories.person(name)
    except IntegrityError:
        logger.exception(Fields("not storable", debate=7))

    assert "duplicate key value violates unique constraint" in out.getvalue()
    assert out.getvalue().count("Traceback") == 2  # also of what Django says instead
    assert "zanzibar" not in out.getvalue().lower()


def test_a_line_of_the_log_can_be_read_whoever_wrote_it(taken):
    logger, out = taken

    logger.warning("Not Found: %s", HOSTILE)
    logger.warning(Fields(HOSTILE, title=HOSTILE))
    logger.error("broke", exc_info=ValueError(HOSTILE))

    assert unseen(out.getvalue()) == []
    assert out.getvalue().count("[2J") >= 4


def test_every_handler_of_the_log_writes_so():
    formatters = settings.LOGGING["formatters"]

    assert {formatters[handler["formatter"]]["()"] for handler in settings.LOGGING["handlers"].values()} == {
        "debates.printable.Formatter"
    }


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/invitations/SECRET/", "/invitations/.../"),
        ("/seats/SECRET/?next=1", "/seats/.../?next=1"),
        ("/calendar/SECRET", "/calendar/..."),
        ("/mail/stop/SECRET/turn/", "/mail/stop/.../turn/"),
        ("/accounts/password/reset/key/1-SECRET/", "/accounts/password/reset/key/.../"),
        ("/accounts/confirm-email/SECRET/", "/accounts/confirm-email/.../"),
        ("/debates/new/", "/debates/new/"),
    ],
)
def test_what_lets_its_holder_in_is_not_in_the_log(path, logged):
    record = logging.makeLogRecord({"msg": "Forbidden (%s): %s", "args": ("CSRF cookie not set.", path)})

    line = Context().run(Formatter("{message}", style="{").format, record)  # with nothing said of a request

    assert line == f"Forbidden (CSRF cookie not set.): {logged}"
