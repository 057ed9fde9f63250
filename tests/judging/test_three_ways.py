"""Sixty requests, good and bad, through the pages, the API and the commands: the same outcome, code and field."""

import json
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from debates.errors import DomainError
from debates.models import Debate
from judging.engine.creation import create_draft
from judging.formats import files
from judging.formats.registry import format_of
from judging.management.commands import judge, run_debate
from judging.models import NewDebate
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import Api
from tests.providers.conftest import row

pytestmark = pytest.mark.django_db
GOOD = None
MOTION = "Cities should make public transport free."
BASE = {
    "criterion": {"title": "Soil probes", "subject": f"# Soil probes\n\n{playing.SUBJECT}", "rubric": "small"},
    "open": {"motion": MOTION, "preset": "classic_clash"},
    "panel": {
        "title": "probes.md", "subject": playing.SUBJECT, "task": "Say what is measured.",
        "criteria": [{"name": "clarity", "weight": "60"}, {"name": "structure", "weight": "40"}],
    },
}  # fmt: skip
PAIRS = [{"name": "clarity", "weight": "60"}]


def weighs(weight, name="clarity"):
    return {"criteria": [{"name": name, "weight": weight}]}


INVALID = "invalid"
MODEL = {"provider": "openai", "model": "large"}
FREE = {"provider": "openai", "model": "unpriced"}
ROWS = [
    ("criterion", {}, GOOD),
    ("criterion", {"rounds": 1}, GOOD),
    ("criterion", {"rounds": 5}, GOOD),
    ("criterion", {"rounds": 0}, (INVALID, "rounds")),
    ("criterion", {"rounds": 6}, (INVALID, "rounds")),
    ("criterion", {"rounds": -1}, (INVALID, "rounds")),
    ("criterion", {"rubric": "nothing"}, ("not_found", "rubric")),
    ("criterion", {"criteria": ["P1"]}, GOOD),
    ("criterion", {"criteria": ["P1", "P2"]}, GOOD),
    ("criterion", {"criteria": ["X1"]}, (INVALID, "criteria")),
    ("criterion", {"criteria": ["P1", "P1"]}, (INVALID, "criteria")),
    ("criterion", {"limits": {"calls": 0}}, (INVALID, "limits.calls")),
    ("criterion", {"limits": {"calls": -3}}, (INVALID, "limits.calls")),
    ("criterion", {"limits": {"calls": 4}}, (INVALID, "limits.calls")),
    ("criterion", {"limits": {"calls": 5}}, GOOD),
    ("criterion", {"limits": {"calls": 1_000_000}}, GOOD),
    ("criterion", {"limits": {"calls": 1_000_001}}, (INVALID, "limits.calls")),
    ("criterion", {"limits": {"calls": 5}, "fairness": {"swap": True}}, (INVALID, "limits.calls")),
    ("criterion", {"fairness": {"swap": True, "repeats": 3}}, GOOD),
    ("criterion", {"fairness": {"repeats": 2}}, (INVALID, "fairness.repeats")),
    ("criterion", {"fairness": {"repeats": 5}}, GOOD),
    ("criterion", {"provider": "heuristic"}, GOOD),
    ("criterion", {"provider": "oracle"}, (INVALID, "provider")),
    ("criterion", {"provider": "scripted"}, (INVALID, "script")),
    ("criterion", {"provider": "scripted", "script": [{"answer": "Yes."}]}, GOOD),
    ("criterion", {"provider": "scripted", "script": [{"say": "Yes."}]}, (INVALID, "script")),
    ("criterion", {"provider": "scripted", "script": [{"answer": "Yes.", "tokens_in": "many"}]}, (INVALID, "script")),
    ("open", {"provider": "scripted", "script": [{"answer": "Yes.", "error": "No."}]}, (INVALID, "script")),
    ("open", {"provider": "scripted", "script": [{"answer": "Yes.", "seconds": 3}]}, GOOD),
    ("open", {"provider": "scripted", "script": ["Yes."]}, (INVALID, "script")),
    ("criterion", {"provider": "openai", "model": "m" * 121}, (INVALID, "model")),
    ("criterion", {"panel": "no id"}, (INVALID, "panel")),
    ("criterion", {"panel": "0b5cb2a2-5a9c-4b2f-8f3c-2d8a8a6f0f11"}, ("not_found", "panel")),
    ("criterion", {"criteria_per_assessment": 0}, (INVALID, "criteria_per_assessment")),
    ("criterion", {"criteria_per_assessment": 2, "limits": {"calls": 4}}, GOOD),
    ("criterion", {"limits": {"tokens": 0}}, (INVALID, "limits.tokens")),
    ("criterion", {"limits": {"tokens": 1}}, GOOD),
    ("criterion", {"limits": {"money": "0.000001"}}, GOOD),
    ("criterion", {"limits": {"money": "0"}}, ("out_of_range", "limits.money")),
    ("criterion", {"limits": {"money": "much"}}, ("not_a_number", "limits.money")),
    ("criterion", {"limits": {"money": "1000000"}}, ("out_of_range", "limits.money")),
    ("criterion", {**MODEL, "limits": {"tokens": 400}}, (INVALID, "limits.tokens")),
    ("criterion", {**MODEL, "limits": {"tokens": 100_000}}, GOOD),
    ("criterion", {**MODEL, "limits": {"money": "0.0001"}}, (INVALID, "limits.money")),
    ("criterion", {**MODEL, "limits": {"money": "1.50"}}, GOOD),
    ("criterion", {**FREE, "limits": {"money": "1.50"}}, (INVALID, "limits.money")),
    ("criterion", {**FREE, "limits": {"tokens": 100_000}}, GOOD),
    ("open", {}, GOOD),
    ("open", {"motion": "Why?"}, (INVALID, "motion")),
    ("open", {"motion": "Why nots?"}, (INVALID, "motion")),
    ("open", {"motion": "Why not so?"}, GOOD),
    ("open", {"motion": "x" * 2_001}, (INVALID, "motion")),
    ("open", {"exchanges": 0}, (INVALID, "exchanges")),
    ("open", {"exchanges": 30}, GOOD),
    ("open", {"exchanges": 31}, (INVALID, "exchanges")),
    ("open", {"tone": "heated"}, GOOD),
    ("open", {"tone": "loud"}, (INVALID, "tone")),
    ("open", {"accountability": "strict"}, GOOD),
    ("open", {"accountability": "none"}, (INVALID, "accountability")),
    ("open", {"judging": "quick"}, GOOD),
    ("open", {"judging": "some"}, (INVALID, "judging")),
    ("open", {"judging": "off", "accountability": "strict"}, (INVALID, "accountability")),
    ("open", {"judging": "off", "fairness": {"swap": True}}, (INVALID, "fairness.swap")),
    ("open", {"turn_seconds": 0}, (INVALID, "turn_seconds")),
    ("open", {"turn_seconds": 2_592_000}, GOOD),
    ("open", {"turn_seconds": 2_592_001}, (INVALID, "turn_seconds")),
    ("open", {"judge_concurrency": 13}, (INVALID, "judge_concurrency")),
    ("open", {"rule_set": "firm"}, GOOD),
    ("open", {"rule_set": "soft"}, (INVALID, "rule_set")),
    ("open", {"fairness": {"blind_names": True}}, GOOD),
    ("open", {"limits": {"calls": 2}}, (INVALID, "limits.calls")),
    ("open", {"limits": {"calls": 3}}, GOOD),
    ("open", {**MODEL, "limits": {"tokens": 99}}, (INVALID, "limits.tokens")),
    ("open", {**MODEL, "limits": {"money": "0.0001"}}, (INVALID, "limits.money")),
    ("open", {**MODEL, "limits": {"money": "2"}}, GOOD),
    ("panel", {}, GOOD),
    ("panel", {"criteria": PAIRS}, GOOD),
    ("panel", weighs("0"), ("out_of_range", "criteria")),
    ("panel", weighs("-1"), ("out_of_range", "criteria")),
    ("panel", weighs("much"), ("not_a_number", "criteria")),
    ("panel", weighs("1", name="clear?"), (INVALID, "criteria")),
    ("panel", {"criteria": PAIRS * 2}, (INVALID, "criteria")),
    ("panel", {"rounds": 0}, GOOD),
    ("panel", {"rounds": 4}, (INVALID, "rounds")),
    ("panel", {"task": "x" * 8_001}, (INVALID, "task")),
    ("panel", {"judges": 1}, GOOD),
    ("panel", {"judges": 9}, GOOD),
    ("panel", {"limits": {"calls": 2}}, (INVALID, "limits.calls")),
    ("panel", {"limits": {"calls": 3}}, GOOD),
    ("panel", {"limits": {"tokens": -1}}, (INVALID, "limits.tokens")),
    ("panel", {"limits": {"money": "0.1234567"}}, ("out_of_range", "limits.money")),
]


def named(row):
    return f"{row[0]} {row[1]}"[:60]


def merged(name, change):
    """Return the body of a request."""
    body = {**BASE[name], **change}
    if isinstance(body.get("judges"), int):
        body["judges"] = [{}] * body["judges"]
    return body


@pytest.fixture
def olga(client, settings):
    settings.LLM_ENDPOINTS = {"main": row("http://127.0.0.1:1/v1", prices={"large": (Decimal("2.50"), Decimal(10))})}
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    person = factories.person("olga")
    person.groups.add(Group.objects.get(name="Organiser"))
    client.force_login(person)
    return person


def top(path):
    """Return a field, without the rows and parts that the ways name each in its own manner."""
    first, _, rest = path.partition(".")
    return path if first in {"limits", "fairness"} and rest else first


def by_api(name, change, person):
    answer = Api(person).post("/debates/", {"format": name, **merged(name, change)})
    if answer.status_code == 201:
        return GOOD
    problem = answer.json()
    return problem["code"], top(problem["errors"][0]["pointer"].strip("/").replace("/", "."))


def fields_of(form, change, body):
    """Return what a browser sends of a step: what it shows, and what was changed."""
    sent = {}
    for field in form:
        value = field.value()
        if value not in (None, "", False) and field.name != "files":
            sent[field.html_name] = "on" if value is True else value
    for key in change:
        value = body[key]
        if isinstance(value, dict):
            sent |= {f"{key}.{part}": "on" if inner is True else inner for part, inner in value.items()}
        elif key == "criteria" and value and isinstance(value[0], dict):
            sent |= {"chosen": "criteria", "typed": "\n".join(f"{row['name']}: {row['weight']}" for row in value)}
        elif key == "script":
            sent[key] = "\n".join(map(json.dumps, value))
        elif key == "judges":
            sent |= {f"judges.{number}.provider": "heuristic" if number < len(value) else "" for number in range(9)}
        else:
            sent[key] = value
    return sent


def by_page(name, change, person, client):
    body = merged(name, change)
    if name == "open":  # a page names the chairs one by one
        body.pop("preset")
        body["chairs"] = [{"name": "Mira", "stance": "0.8"}, {"name": "Otto", "stance": "-0.7"}]
    kept = {key: value for key, value in body.items() if key not in change or key in BASE[name]}
    new = NewDebate.objects.create(owner=person, format=name, body=kept)
    asked = {key: f"{key}.{next(iter(body[key]))}" if isinstance(body[key], dict) else key for key in change}
    for step in [step for step in format_of(name).steps if any(step.holds(path) for path in asked.values())]:
        address = reverse("new-debate-step", args=[new.public_id, step.name])
        here = [key for key in change if step.holds(asked[key])]
        shown = client.get(address).context["form"]
        answer = client.post(address, fields_of(shown, here, body))
        if answer.status_code != 302:
            [(place, faults), *_] = answer.context["form"].errors.as_data().items()
            place = "criteria" if place in {"typed", "chosen"} else place
            return faults[0].code, top(place)
    check = reverse("new-debate-check", args=[new.public_id])
    answer = client.post(check)
    if answer.status_code == 302:
        return GOOD
    fault = answer.context["faults"][0][0]
    return fault.code, top(fault.field)


def words_of(name, body, tmp_path):
    """Return the words of the command line that ask for this."""
    words = {
        key: value for key, value in body.items() if key not in {"title", "subject", "limits", "fairness", "judges"}
    }
    line = []
    if name != "open":
        file = tmp_path / "probes.md"
        file.write_text(body["subject"])
        line.append(str(file))
    if "script" in words:
        (tmp_path / "script.json").write_text(json.dumps(words["script"]))
        words["script"] = str(tmp_path / "script.json")
    for key, value in words.items():
        texts = value if isinstance(value, list) else [value]
        pairs = [f"{text['name']}:{text['weight']}" if isinstance(text, dict) else str(text) for text in texts]
        line.append(f"--{key.replace('_', '-')}={','.join(pairs)}")
    line += [f"--max-{limit}={most}" for limit, most in body.get("limits", {}).items()]
    for option, value in body.get("fairness", {}).items():
        line.append(f"--{option.replace('_', '-')}" if value is True else f"--{option}={value}")
    if "judges" in body:
        line.append(f"--judges={len(body['judges'])}")
    return line if name != "open" else ["--format=open", *line]


def by_command(name, change, tmp_path):
    module, called = (judge, "judge") if name == "panel" else (run_debate, "run_debate")
    line = words_of(name, merged(name, change), tmp_path)
    options = vars(module.Command().create_parser("manage.py", called).parse_args(line))
    try:
        if name == "panel":
            spec = judge.spec_of(options, subject=files.read_paths(options["files"]))
            create_draft(spec=spec, by=None, now=timezone.now())
        else:
            run_debate.created(options)
    except DomainError as refusal:
        return refusal.code, top(refusal.field)
    return GOOD


@pytest.mark.parametrize(("name", "change", "outcome"), ROWS, ids=map(named, ROWS))
def test_a_request_has_one_outcome_by_page_api_and_command(name, change, outcome, olga, client, tmp_path):
    ways = {
        "page": by_page(name, change, olga, client),
        "api": by_api(name, change, olga),
        "command": by_command(name, change, tmp_path),
    }

    assert ways == dict.fromkeys(ways, outcome)
    assert Debate.objects.count() == (3 if outcome is GOOD else 0)


def test_there_are_sixty_of_them():
    assert len(ROWS) >= 60
