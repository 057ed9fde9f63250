"""What a database must be before Moot writes into it."""

import re

import pytest
from django.core.checks import Tags, run_checks
from django.db import connection, connections

from config import checks


@pytest.fixture
def odd(transactional_db):
    """The alias of a database that knows no encoding."""
    name = f"{connection.settings_dict['NAME']}_odd"
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0"
        )
    connections["odd"] = other = connection.copy("odd")
    other.settings_dict["NAME"] = name
    yield "odd"
    other.close()
    del connections["odd"]
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name}")


def test_a_database_of_another_encoding_is_named_with_the_command_that_makes_it_anew(odd):
    [fault] = checks.database_is_fit(databases=[odd])

    assert fault.id == "config.E001"
    assert "is encoded in SQL_ASCII, which cannot hold every text; it must be UTF8." in fault.msg
    assert fault.hint.startswith("Make it anew: createdb --encoding UTF8 --template template0 --owner ROLE ")


def test_whatever_looks_at_the_database_before_it_writes_is_told(odd):
    assert [fault.id for fault in run_checks(tags=[Tags.database], databases=[odd])] == ["config.E001"]


@pytest.mark.django_db
def test_a_server_that_is_too_old_is_named(monkeypatch):
    monkeypatch.setattr(checks, "OLDEST", 99)

    [fault] = checks.database_is_fit(databases=["default"])

    assert fault.id == "config.E002"
    assert re.fullmatch(r"PostgreSQL \d\d is too old; it must be 99 or newer\.", fault.msg)


@pytest.mark.django_db
def test_the_database_of_the_tests_is_fit():
    assert list(checks.database_is_fit(databases=["default"])) == []
