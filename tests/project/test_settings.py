"""Settings: a laptop needs none, production refuses to run without those that matter, and each is written down."""

import json
import os
import re
import runpy
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from environs import EnvError

from config import settings
from tests import fork_server
from tests.environment import plain
from tests.project.source_files import ROOT, code, text

PRODUCTION = {
    "MOOT_ENVIRONMENT": "production",
    "SECRET_KEY": "k" * 60,
    "ALLOWED_HOSTS": "moot.example.org",
    "DATABASE_URL": "postgresql://app:secret@db.example.org/moot",
}


def ask(expression: str, *, data: object, **environment: str) -> subprocess.CompletedProcess[str]:
    program = f"import json; from config import settings; print(json.dumps({expression}, default=str))"
    return fork_server.run("-c", program, environment={**plain(), "MOOT_DATA_DIR": str(data), **environment})


def test_a_laptop_needs_no_setting_and_keeps_its_secret_to_itself(tmp_path):
    first = ask("[settings.SECRET_KEY, settings.DEBUG, settings.EMBEDDED_ROOT]", data=tmp_path)
    again = ask("settings.SECRET_KEY", data=tmp_path)

    secret, debug, cluster = json.loads(first.stdout)
    assert json.loads(again.stdout) == secret
    assert len(secret) >= 50
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert (debug, cluster) == (False, str(tmp_path / "postgres"))


def test_all_who_start_at_a_time_read_the_same_secret_also_where_an_empty_file_was_left(tmp_path, monkeypatch):
    at_once = threading.Barrier(4)

    def read(_process):
        at_once.wait(timeout=30)
        return settings.laptop_secret()

    for number in range(20):
        directory = tmp_path / str(number)
        monkeypatch.setattr(settings, "DATA_DIR", directory)
        if number % 2:
            directory.mkdir()
            (directory / "secret_key").touch()
        with ThreadPoolExecutor(4) as processes:
            [secret] = set(processes.map(read, range(4)))
        assert (len(secret) >= 50, (directory / "secret_key").read_text()) == (True, secret)


def test_a_secret_that_cannot_be_read_is_refused_with_whose_directory_it_is_in_and_the_way_out(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    (tmp_path / "secret_key").mkdir()

    with pytest.raises(ImproperlyConfigured) as refused:
        settings.laptop_secret()

    assert str(refused.value) == (
        f"{tmp_path / 'secret_key'} cannot be read or made: Is a directory. {tmp_path} belongs to {tmp_path.owner()};"
        " run as that user, or set MOOT_DATA_DIR to another directory."
    )


def test_the_directory_of_the_secret_is_made_so_that_the_server_of_the_database_may_pass_through(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "new" / "data")
    before = os.umask(0o077)
    try:
        settings.laptop_secret()
    finally:
        os.umask(before)

    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "new/data")}
    assert modes == {0o711 if os.geteuid() == 0 else 0o700}


def test_production_runs_with_what_it_needs(tmp_path):
    told = ask(
        "[settings.DATABASES['default']['HOST'], settings.SESSION_COOKIE_SECURE, settings.SECURE_SSL_REDIRECT]"
        " + settings.SECURE_REDIRECT_EXEMPT",
        data=tmp_path,
        **PRODUCTION,
    )

    assert json.loads(told.stdout) == ["db.example.org", True, True, "^(healthz|readyz|metrics)$"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param({"SECRET_KEY": ""}, "Production needs SECRET_KEY", id="no secret"),
        pytest.param({"SECRET_KEY": "short"}, "a SECRET_KEY under 50 characters", id="a short secret"),
        pytest.param({"ALLOWED_HOSTS": ""}, "an empty ALLOWED_HOSTS", id="no host"),
        pytest.param({"ALLOWED_HOSTS": "*"}, "'*' in it", id="every host"),
        pytest.param({"ALLOWED_HOSTS": "moot.example.org:443"}, "ALLOWED_HOSTS are names", id="a host with a port"),
        pytest.param({"ALLOWED_HOSTS": "https://moot.example.org"}, "ALLOWED_HOSTS are names", id="a site for a host"),
        pytest.param({"ALLOWED_HOSTS": "moot.example.org web-1"}, "ALLOWED_HOSTS are names", id="a blank for a comma"),
        pytest.param(
            {"MOOT_WEBHOOK_HOSTS": "https://a.b/"}, "MOOT_WEBHOOK_HOSTS are names", id="an address for a host"
        ),
        pytest.param({"MOOT_WEBHOOK_HOSTS": "a.b:80"}, "MOOT_WEBHOOK_HOSTS are names", id="a receiver with a port"),
        pytest.param({"DATABASE_URL": "postgresql://u:p@h"}, "DATABASE_URL must name a database", id="nameless"),
        pytest.param(
            {"MIGRATION_DATABASE_URL": "postgresql://h/moot?sslmod=require", "MOOT_DATABASE_ROLE": "owner"},
            "MIGRATION_DATABASE_URL has an option that libpq does not know: sslmod",
            id="a misspelt option",
        ),
        pytest.param(
            {"MIGRATION_DATABASE_URL": "abc"},
            "MIGRATION_DATABASE_URL must name a PostgreSQL database",
            id="an address that this process does not use",
        ),
        pytest.param({"MOOT_DEBUG": "true"}, "Production refuses MOOT_DEBUG", id="debugging"),
        pytest.param({"DATABASE_URL": ""}, "Production needs DATABASE_URL", id="no database"),
        pytest.param({"DATABASE_URL": "sqlite:///moot"}, "must name a PostgreSQL database", id="another database"),
        pytest.param({"DATABASE_URL": "'postgresql://h/moot'"}, "DATABASE_URL must name a Post", id="quotes"),
        pytest.param(
            {"DATABASE_URL": "postgresql://u:a[b@h/moot"}, "DATABASE_URL cannot be read", id="an odd password"
        ),
        pytest.param(
            {"MOOT_ENVIRONMENT": "laptop", "DATABASE_URL": "", "MOOT_APP_ROLE": "other"},
            "MOOT_APP_ROLE needs DATABASE_URL",
            id="a role that the embedded server does not have",
        ),
        pytest.param(
            {"MOOT_ENVIRONMENT": "laptop", "DATABASE_URL": "", "MOOT_APP_ROLE": "moot_owner"},
            "MOOT_APP_ROLE needs DATABASE_URL",
            id="the owner of the tables on the embedded server",
        ),
        pytest.param({"MOOT_ENV_FILE": "/nowhere.env"}, "MOOT_ENV_FILE names /nowhere.env, which", id="no file"),
        pytest.param({"MOOT_ENV_FILE": "/"}, "MOOT_ENV_FILE names /, which", id="a directory"),
        pytest.param({"MOOT_STALLED_SECONDS": "5"}, "must be greater than MOOT_HEARTBEAT_SECONDS", id="hasty rescue"),
        pytest.param({"MOOT_TRUSTED_PROXIES": "1"}, "names addresses and networks", id="a number of proxies"),
        pytest.param({"MOOT_BEHIND_TLS_PROXY": "true"}, "needs MOOT_TRUSTED_PROXIES", id="a proxy without a name"),
        pytest.param({"EMAIL_URL": "file:relative"}, "console: or file:///directory", id="a directory of nowhere"),
        pytest.param({"DEFAULT_FROM_EMAIL": "Moot moot@example.org"}, "DEFAULT_FROM_EMAIL is an", id="no sender"),
        pytest.param({"DEFAULT_FROM_EMAIL": "Moot <moot@>"}, "DEFAULT_FROM_EMAIL is an", id="a sender from nowhere"),
        pytest.param({"DEFAULT_FROM_EMAIL": ""}, "DEFAULT_FROM_EMAIL is an", id="an empty sender"),
        pytest.param({"DEFAULT_FROM_EMAIL": "a@x.org, b@x.org"}, "DEFAULT_FROM_EMAIL is an", id="two senders"),
        pytest.param({"MOOT_CORS_ORIGINS": "lab.example"}, "MOOT_CORS_ORIGINS names sites", id="no origin"),
        pytest.param({"MOOT_CORS_ORIGINS": "http://[x"}, "MOOT_CORS_ORIGINS names sites", id="half an origin"),
        pytest.param({"MOOT_EMBED_ORIGINS": "http://[x"}, "MOOT_EMBED_ORIGINS names sites", id="half a place"),
        pytest.param({"MOOT_SITE_URL": "http://[x"}, "MOOT_SITE_URL is the address", id="half a site"),
        pytest.param({"MOOT_SITE_URL": "https://moot.example.org:abc"}, "MOOT_SITE_URL is the address", id="no port"),
        pytest.param({"MOOT_SITE_URL": "https://moot.example.org:"}, "MOOT_SITE_URL is the address", id="empty port"),
        pytest.param({"MOOT_CORS_ORIGINS": "https://a.b:65536"}, "MOOT_CORS_ORIGINS names sites", id="a high port"),
        pytest.param({"MOOT_OPENID_URL": "http://[x"}, "MOOT_OPENID_URL is the address", id="half a provider"),
        pytest.param({"MOOT_SECOND_PERSON_FROM": "10000"}, "MOOT_SECOND_PERSON_FROM", id="more than a score has"),
        pytest.param({"MOOT_SECOND_PERSON_FROM": "0.0123456"}, "at most six decimal places", id="a part of a point"),
        pytest.param({"CSRF_TRUSTED_ORIGINS": "moot.example.org"}, "CSRF_TRUSTED_ORIGINS names sites", id="no scheme"),
        pytest.param({"MOOT_LOCK_SECONDS": "1e10"}, "MOOT_LOCK_SECONDS", id="more than PostgreSQL counts"),
        pytest.param({"MOOT_IDLE_IN_TRANSACTION_SECONDS": "1e10"}, "MOOT_IDLE_IN_TRANSACTION_SECONDS", id="idle"),
        pytest.param({"SECURE_HSTS_SECONDS": "-5"}, "SECURE_HSTS_SECONDS", id="seconds before now"),
        pytest.param({"MOOT_OPENID_URL": "id.example.org"}, "MOOT_OPENID_URL is the address", id="no provider"),
        pytest.param({"MOOT_ENVIRONMENT": "staging"}, "Must be one of: laptop, production", id="an unknown place"),
        pytest.param({"MOOT_ROUNDS_AT_ONCE": "0"}, "MOOT_ROUNDS_AT_ONCE", id="no round at once"),
        pytest.param({"MOOT_PROVIDER_RETRIES": "many"}, "MOOT_PROVIDER_RETRIES", id="a number in words"),
        pytest.param({"MOOT_PROVIDER_RETRIES": "-1"}, "MOOT_PROVIDER_RETRIES", id="fewer attempts than one"),
        pytest.param({"MOOT_PROVIDER_RETRIES": "11"}, "MOOT_PROVIDER_RETRIES", id="attempts without end"),
    ],
)
def test_nonsense_is_refused_by_name_before_anything_runs(change, sentence, tmp_path, monkeypatch):
    for name in os.environ:
        monkeypatch.delenv(name)
    files = {"MOOT_ENV_FILE": os.devnull, "MOOT_DATA_DIR": str(tmp_path)}
    for name, value in {**files, **PRODUCTION, **change}.items():
        monkeypatch.setenv(name, value)

    with pytest.raises((ImproperlyConfigured, EnvError)) as caught:
        runpy.run_path(settings.__file__)  # a process of its own would take most of its time to import Django

    assert sentence in str(caught.value).splitlines()[-1]


@pytest.mark.parametrize(
    "change",
    [
        {"EMAIL_URL": "smtp://me:sword\uff20fish@mail.example.org"},
        {"EMAIL_URL": "smtp://me:a[swordfish]b@mail.example.org"},
        {"EMAIL_URL": "smtp://me:swordfish#1@mail.example.org"},
        {"MOOT_LLM_BASE_URL": "https//me:swordfish@models.example.org/v1"},
        {"MOOT_LLM_BASE_URL": "https://me:a[swordfish]b@models.example.org/v1"},
    ],
)
def test_a_password_in_an_address_that_is_not_understood_is_told_to_nobody(change, tmp_path):
    refused = ask("0", data=tmp_path, **change)

    assert (refused.returncode, "ImproperlyConfigured" in refused.stderr, "fish" in refused.stderr) == (1, True, False)


def test_a_file_of_settings_that_is_no_text_is_refused_by_name(tmp_path):
    file = tmp_path / "site.env"
    file.write_bytes(b"MOOT_PROVIDER_RETRIES=\xff\n")

    told = ask("0", data=tmp_path, MOOT_ENV_FILE=str(file))

    assert told.returncode != 0
    assert f"MOOT_ENV_FILE names {file}, which is no file of text" in told.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("site", "sender"),
    [
        ("https://moot.example.org", "Moot <moot@moot.example.org>"),
        ("https://moot.example.org.", "Moot <moot@moot.example.org>"),
        ("http://[::1]:8000", "Moot <moot@[::1]>"),
        ("http://127.0.0.1:8000", "Moot <moot@127.0.0.1>"),
    ],
)
def test_mail_comes_from_the_site_wherever_it_is(site, sender, tmp_path):
    told = ask("settings.DEFAULT_FROM_EMAIL", data=tmp_path, MOOT_SITE_URL=site)

    assert (json.loads(told.stdout), told.stderr) == (sender, "")


@pytest.mark.parametrize(("module", "numbers"), [("config.settings", ["0", "0"]), ("config.asgi", ["10", "7"])])
def test_who_serves_pages_alone_has_a_pool_of_the_size_that_a_file_of_settings_says(module, numbers, tmp_path):
    file = tmp_path / "site.env"
    file.write_text("MOOT_DATABASE_POOL=7\n")
    program = f"import {module}; from django.conf import settings; print(settings.POOLED)"
    base = {**plain(), **PRODUCTION, "MOOT_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}

    told = [
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={**base, **more}, capture_output=True, check=True)
        for more in ({}, {"MOOT_ENV_FILE": str(file)})
    ]

    assert [one.stdout.decode().strip() for one in told] == numbers


def test_only_this_name_is_pinned_to_https_unless_more_is_asked_for(tmp_path):
    asked = "[settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD]"
    more = {"SECURE_HSTS_INCLUDE_SUBDOMAINS": "true", "SECURE_HSTS_PRELOAD": "true"}

    plain, wide = (ask(asked, data=tmp_path, **PRODUCTION, **change) for change in ({}, more))

    assert json.loads(plain.stdout) == [31_536_000, False, False]
    assert json.loads(wide.stdout) == [31_536_000, True, True]


def test_a_file_of_settings_is_named_to_other_programs_so_that_they_find_it_wherever_they_begin(tmp_path):
    file = tmp_path / "site.env"
    file.write_text("MOOT_PROVIDER_RETRIES=4\n")
    relative = os.path.relpath(file, ROOT)

    told = ask(
        "[settings.os.environ['MOOT_ENV_FILE'], settings.PROVIDER_RETRIES]", data=tmp_path, MOOT_ENV_FILE=relative
    )

    named, retries = json.loads(told.stdout)
    assert Path(named).is_absolute()
    assert file.samefile(named)
    assert retries == 4


def test_a_file_of_settings_says_where_data_lives(tmp_path):
    file = tmp_path / "site.env"
    file.write_text(f"MOOT_DATA_DIR={tmp_path / 'data'}\n")
    program = "from config import settings; print(settings.DATA_DIR)"

    named = {**plain(), "MOOT_ENV_FILE": str(file)}
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=named, capture_output=True, check=False)

    assert (told.stdout.decode(), told.stderr.decode()) == (f"{tmp_path / 'data'}\n", "")


def test_settings_that_can_be_read_once_reach_programs_that_are_started_from_here(tmp_path):
    reading, writing = os.pipe()
    os.write(writing, b"MOOT_PROVIDER_RETRIES=4\n")
    os.close(writing)
    asks = "import subprocess, sys; from config import settings; print(settings.PROVIDER_RETRIES)"
    program = f"{asks}; sys.stdout.flush(); subprocess.run([sys.executable, '-c', {asks!r}])"
    named = {**plain(), "MOOT_DATA_DIR": str(tmp_path), "MOOT_ENV_FILE": f"/dev/fd/{reading}"}

    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=named, pass_fds=[reading], capture_output=True, check=False
    )
    os.close(reading)

    assert (told.stdout.decode(), told.stderr.decode()) == ("4\n4\n", "")


def test_owner_and_app_role_are_told_apart_where_two_addresses_are_given(tmp_path):
    two = {**PRODUCTION, "MIGRATION_DATABASE_URL": "postgresql://owner:secret@db.example.org/moot"}

    app = ask("settings.DATABASES['default']['USER']", data=tmp_path, **two)
    owner = ask("settings.DATABASES['default']['USER']", data=tmp_path, **two, MOOT_DATABASE_ROLE="owner")
    alone = ask("settings.DATABASES['default']['USER']", data=tmp_path, **PRODUCTION, MOOT_DATABASE_ROLE="owner")
    empty = {**PRODUCTION, "MIGRATION_DATABASE_URL": "", "MOOT_DATABASE_ROLE": "owner"}
    unset = ask("settings.DATABASES['default']['USER']", data=tmp_path, **empty)
    strange = ask("0", data=tmp_path, **{**empty, "MIGRATION_DATABASE_URL": "mysql://h/moot"})

    assert [json.loads(told.stdout) for told in (app, owner, alone, unset)] == ["app", "owner", "app", "app"]
    assert "MIGRATION_DATABASE_URL must name a PostgreSQL database" in strange.stderr


def test_blanks_in_a_list_are_no_part_of_its_items(tmp_path):
    change = {"ALLOWED_HOSTS": "A.example, .b.example,[::1]", "MOOT_TRUSTED_PROXIES": "10.0.0.1, 10.0.0.2"}

    told = ask("[settings.ALLOWED_HOSTS, settings.TRUSTED_PROXIES]", data=tmp_path, **{**PRODUCTION, **change})

    assert json.loads(told.stdout) == [["A.example", ".b.example", "[::1]"], ["10.0.0.1/32", "10.0.0.2/32"]]


def test_a_replica_is_asked_with_connections_that_cannot_write_and_nothing_changes_without_one(tmp_path):
    about = "[list(settings.DATABASES), settings.DATABASE_ROUTERS, settings.MIDDLEWARE[-1]]"
    options = "settings.DATABASES['replica']['OPTIONS']['options']"
    address = {"DATABASE_READ_URL": "postgresql://app:secret@standby.example.org/moot"}

    without = ask(about, data=tmp_path, **PRODUCTION)
    named = ask(about, data=tmp_path, **PRODUCTION, **address)
    asked = ask(options, data=tmp_path, **PRODUCTION, **address)
    strange = ask(options, data=tmp_path, **PRODUCTION, DATABASE_READ_URL="mysql://standby.example.org/moot")

    assert json.loads(without.stdout) == [["default"], [], "django.middleware.clickjacking.XFrameOptionsMiddleware"]
    own = [["default", "replica"], ["debates.replica.Router"], "config.middleware.FromReplica"]
    assert json.loads(named.stdout) == own
    assert json.loads(asked.stdout).endswith("-c default_transaction_read_only=on")
    assert "DATABASE_READ_URL must name a PostgreSQL database" in strange.stderr


def test_every_setting_that_is_read_is_written_down_and_no_other():
    read = set()
    for file in code():
        read |= set(re.findall(r"""\b(?:env\.\w+|required|listed)\(\s*"([A-Z_]+)\"""", text(file)))
        read |= set(re.findall(r"""\benviron(?:\.get\(|\[)\s*"(MOOT_[A-Z_]+)\"""", text(file)))

    page = text(ROOT / "docs" / "reference" / "settings.md")
    written = set(re.findall(r"^\| `([A-Z_]+)` \|", page, flags=re.MULTILINE))

    assert written == read
