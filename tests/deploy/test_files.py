"""What ``deploy/`` names is there: variables, commands with their options, files, addresses."""

import re
import shlex
import subprocess
from configparser import ConfigParser
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml
from django.core.management import load_command_class
from django.core.management.base import CommandParser
from django.urls import resolve

from config import asgi
from debates.printable import SECRET_IN_PATH
from debates.services import mail_delivery
from judging.formats import pdf_text
from tests.docs import blocks
from tests.environment import plain
from tests.project.source_files import ROOT, text

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load(text(DEPLOY / "compose.yaml"))
OURS = [one for one in COMPOSE["services"].values() if one.get("image") == "moot"]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NGINX = text(DEPLOY / "nginx.conf")
APP_OF = {"migrate": "django.core", "serve": "config", "worker": "judging", "retain": "judging", "collectstatic": None}


def parser_of(command: str) -> CommandParser:
    app = APP_OF[command] or "django.contrib.staticfiles"
    return load_command_class(app, command).create_parser("manage.py", command)


def unit(path: Path) -> ConfigParser:
    found = ConfigParser(interpolation=None, strict=False)
    found.optionxform = str
    found.read(path)
    return found


def test_a_worker_that_is_to_stop_may_end_the_mail_that_it_is_handing_over():
    needed = mail_delivery.lease().total_seconds() + 5
    of_unit = unit(DEPLOY / "systemd" / "moot-worker@.service")["Service"]["TimeoutStopSec"]
    of_containers = COMPOSE["services"]["worker-1"]["stop_grace_period"].removesuffix("s")

    assert min(int(of_unit), int(of_containers)) >= needed


def variables(name: str) -> set[str]:
    return set(re.findall(r"^#?\s?([A-Z_]+)=", text(DEPLOY / name), flags=re.MULTILINE))


def test_every_variable_is_a_documented_setting_or_read_when_the_database_is_made():
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", text(ROOT / "docs/reference/settings.md"), flags=re.MULTILINE))
    read = set(re.findall(r"\$\{?([A-Z_]+)", text(DEPLOY / "roles.sh"))) | {"POSTGRES_PASSWORD"}

    assert variables("moot.env.example") - documented - read == set()
    assert read - {"POSTGRES_USER"} <= variables("moot.env.example")


@pytest.mark.parametrize("service", OURS, ids=lambda one: " ".join(one["command"][2:4]))
def test_every_container_runs_a_command_with_options_that_it_knows(service):
    python, manage, command, *options = service["command"]

    assert (python, manage) == ("python", "manage.py")
    assert parser_of(command).parse_args(options)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_every_unit_runs_a_command_with_options_that_it_knows(path):
    section = unit(path)["Service"]
    python, manage, command, *options = shlex.split(section["ExecStart"].replace("%i", "8000"))

    assert (python, manage) == (f"{section['WorkingDirectory']}/.venv/bin/python", "manage.py")
    assert parser_of(command).parse_args(options)
    assert section["EnvironmentFile"] == "/etc/moot.env"
    assert (section["Restart"], unit(path)["Unit"]["StartLimitIntervalSec"]) == ("always", "0")


def test_there_are_two_web_processes_and_two_workers_and_all_wait_for_the_migration():
    played = [one["command"][2] for one in OURS]

    assert sorted(played) == ["migrate", "serve", "serve", "worker", "worker"]
    for service in OURS:
        wanted = "database" if service["command"][2] == "migrate" else "migrate"
        assert list(service["depends_on"]) == [wanted]


def test_only_the_migration_is_told_how_to_become_the_owner():
    told = {service["command"][2]: service.get("environment", {}) for service in OURS}

    nothing = dict.fromkeys(("MIGRATION_DATABASE_URL", "POSTGRES_PASSWORD", "MOOT_OWNER_PASSWORD"), "")
    proxy = {"MOOT_TRUSTED_PROXIES": told["serve"]["MOOT_TRUSTED_PROXIES"]}
    assert told == {"migrate": {}, "serve": {**nothing, **proxy}, "worker": nothing}
    units = {path.name: text(path) for path in (DEPLOY / "systemd").glob("*.service")}
    kept = {name: re.findall(r"^UnsetEnvironment=(.+)$", unit, flags=re.MULTILINE) for name, unit in units.items()}
    played = {name for name, unit in units.items() if re.search(r"manage\.py (serve|worker)", unit)}
    assert {name: [set(line.split()) for line in kept[name]] for name in played} == {
        "moot-web@.service": [set(nothing)], "moot-worker@.service": [set(nothing)],
    }  # fmt: skip


def test_every_file_that_a_container_is_given_is_there():
    given = [volume.split(":")[0] for one in COMPOSE["services"].values() for volume in one.get("volumes", [])]
    files = {name for name in given if name.startswith("./")} - {"./tls"}
    copied = re.findall(r"^COPY (.+) \S+$", text(DEPLOY / "Dockerfile"), flags=re.MULTILINE)

    missing = [name for name in files if not (DEPLOY / name).exists()]
    missing += [name for line in copied for name in line.split() if not (ROOT / name).exists()]

    assert missing == []
    assert {one["env_file"] for one in COMPOSE["services"].values() if "env_file" in one} == {"moot.env"}
    assert (ROOT / OURS[0]["build"]["dockerfile"]).exists()


def test_the_image_holds_every_app():
    copied = set(re.findall(r"^COPY (\w+) \w+$", text(DEPLOY / "Dockerfile"), flags=re.MULTILINE))

    assert copied >= {"config", "debates", "scoring", "judging", "templates", "static", "samples"}


def test_the_proxy_leads_to_the_web_processes():
    serving = [name for name, one in COMPOSE["services"].items() if one.get("command", ["", "", ""])[2] == "serve"]

    asked = re.findall(r"^\s+server ([\w-]+:\d+) max_fails=0;", NGINX, flags=re.MULTILINE)
    assert asked == [f"{name}:8000" for name in serving]


def test_the_proxy_passes_streams_on_unbuffered_and_pages_as_they_are():
    [shape] = re.findall(r"location ~ (\S+) \{", NGINX)
    routes = [route for kind in ("http", "websocket") for route in asgi.router.application_mapping[kind].routes]
    streams = [str(route.pattern) for route in routes if str(route.pattern)]
    pages = [route for route in ("/", "/admin/", "/api/v1/schema/") if resolve(route)]

    assert [route for route in streams if not re.match(shape, f"/{route}")] == []
    assert [route for route in pages if re.match(shape, route)] == []


def test_what_a_caller_says_of_its_address_is_replaced_and_not_believed():
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    assert "proxy_set_header X-Forwarded-Proto https;" in NGINX
    assert 'proxy_set_header X-Forwarded-Host "";' in NGINX
    assert 'proxy_set_header Forwarded "";' in NGINX
    assert "$proxy_add_x_forwarded_for" not in NGINX
    assert "MOOT_TRUSTED_PROXIES=127.0.0.1\n" in text(DEPLOY / "moot.env.example")
    nginx = COMPOSE["services"]["nginx"]["networks"]["default"]["ipv4_address"]
    assert {one["environment"]["MOOT_TRUSTED_PROXIES"] for one in OURS if one["command"][2] == "serve"} == {nginx}


def test_how_much_the_proxy_lets_through_is_written_where_uploads_are_and_is_enough_for_a_pdf():
    [most] = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    howto = ROOT / "docs" / "how-to"

    assert f"at most {most} MB together" in text(howto / "hold-a-debate.md")
    assert f"`client_max_body_size` in `nginx.conf`: {most} MB" in text(howto / "deploy.md")
    assert int(most) * 1_000_000 > pdf_text.MOST_BYTES


def test_no_other_container_is_given_the_address_of_the_proxy():
    nginx = ip_address(COMPOSE["services"]["nginx"]["networks"]["default"]["ipv4_address"])
    [network] = COMPOSE["networks"]["default"]["ipam"]["config"]
    subnet, given = (ip_network(network[name]) for name in ("subnet", "ip_range"))

    assert given.subnet_of(subnet)
    assert nginx in subnet
    assert nginx not in given
    assert ip_address(network["gateway"]) in set(subnet) - set(given) - {nginx}


def test_nothing_is_migrated_while_the_database_is_still_being_made_and_answers_at_its_socket_alone():
    [_, asked] = COMPOSE["services"]["database"]["healthcheck"]["test"]

    assert "--host 127.0.0.1" in asked


def test_the_proxy_answers_under_the_name_of_the_site_alone():
    first, *ours = re.findall(r"^    server \{\n(.+?)^    \}", NGINX, flags=re.MULTILINE | re.DOTALL)

    assert re.findall(r"listen (.+);", first) == ["80 default_server", "443 ssl http2 default_server"]
    assert first.endswith(" return 444;\n")
    assert [re.findall(r"server_name (.+);", server) for server in ours] == [["moot.example.org"]] * 2
    assert not any("default_server" in server for server in ours)


def test_the_proxy_keeps_figures_to_the_machines_beside_it():
    assert re.search(r"location = /metrics \{\s+deny all;\s+\}", NGINX)
    assert resolve("/metrics")


def test_the_proxys_log_holds_no_query_and_no_header():
    [line] = re.findall(r"log_format quiet '(.+)';", NGINX)

    assert re.findall(r"\$(request_uri|uri|args|query_string|request|http_\w+|cookie_\w+)\b", line) == []
    cut = re.compile(re.search(r'"~(.+)" "\$until\.\.\.";', NGINX)[1].replace("(?<", "(?P<"))
    for place in re.search(r"\(\?:(.+?)\)", SECRET_IN_PATH.pattern)[1].split("|"):
        assert cut.match(f"/accounts/{place}/token/")["until"] == f"/accounts/{place}/"
        assert cut.match(f"/{place}/token")["until"] == f"/{place}/"


def test_no_log_of_the_proxy_but_that_one_holds_the_addresses_of_requests():
    assert re.findall(r"^\s+(?:error|access)_log (.+);", NGINX, flags=re.MULTILINE) == [
        "/var/log/nginx/access.log quiet",
        "/var/log/nginx/error.log emerg",
    ]


def test_a_command_on_a_server_reads_the_settings_of_its_processes_and_runs_under_no_others(tmp_path):
    file = tmp_path / "moot.env"
    settings = {
        "MOOT_ENVIRONMENT": "production",
        "SECRET_KEY": "$(touch evil)" + "k" * 60,
        "ALLOWED_HOSTS": "moot.example.org",
        "DATABASE_URL": "postgresql://app:secret@db.example.org/moot",
    }
    file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    def asked(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**plain(), "MOOT_ENV_FILE": str(path)}
        command = [str(DEPLOY / "moot"), *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    shown = asked(Path(file.name), "diffsettings", "--output", "unified")
    refused, kept = (asked(tmp_path / "nowhere.env", command) for command in ("migrate", "record_bounce"))

    assert "'HOST': 'db.example.org'" in shown.stdout
    assert "$(touch evil)" in shown.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["moot.env"]
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "nowhere.env cannot be read" in refused.stderr
    assert (kept.returncode, kept.stderr) == (75, refused.stderr)


def test_what_records_bounces_is_given_the_settings_of_the_app_role_and_not_the_owners(tmp_path):
    kept, made = tmp_path / "moot.env", tmp_path / "moot-bounce.env"
    kept.write_text(text(DEPLOY / "moot.env.example"))
    command, _ = blocks.commands("docs/how-to/send-mail.md")
    script = shlex.split(command)[-1].replace("/etc/moot.env", str(kept)).replace("/etc/moot-bounce.env", str(made))
    subprocess.run(["sh", "-c", script], check=True)

    names = set(re.findall(r"^([A-Z_]+)=", text(made), flags=re.MULTILINE))
    assert names == variables("moot.env.example") - {
        "MIGRATION_DATABASE_URL",
        "MOOT_OWNER_PASSWORD",
        "POSTGRES_PASSWORD",
    }
    assert made.stat().st_mode & 0o777 == 0o600
    [forward] = blocks.of("docs/how-to/send-mail.md", "text")
    assert forward.startswith('\\moot, "|')  # what people answer is kept
    assert forward.strip().endswith(f'MOOT_ENV_FILE=/etc/{made.name} /srv/moot/deploy/moot record_bounce"')
