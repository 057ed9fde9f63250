"""Whatever is shown of a debate is as the OpenAPI document says, in every format and status, to whoever asks."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import jsonschema
import pytest
from django.core.cache import caches
from django.test import override_settings

from debates.api.paging import MOST
from debates.models import AwaitedTurn, Debate
from debates.types import Format, Status
from scoring.models import Evaluation
from scoring.services import rubric_store
from tests import factories, one_connection, playing
from tests.api.clients import V1, Api
from tests.api.every_debate import DEBATES, boss, left_alone
from tests.module_fixtures import rolled_back
from tests.project.source_files import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
DOCUMENT = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text(encoding="utf-8"))
SHOWN = {path: methods["get"] for path, methods in DOCUMENT["paths"].items() if "get" in methods}
LISTS = [path for path in SHOWN if "{" not in path]
OF_A_DEBATE = [f"{V1}/debates/{rest}" for rest in ("{id}/", "{id}/result/", "{debate}/events/")]
OF_A_SCORE = [f"{V1}/evaluations/{{id}}/{rest}" for rest in ("", "?as_of_entry=1", "account/", "remarks/")]
OF_A_SEAT = [f"{V1}/awaited-turns/{{id}}/{rest}" for rest in ("", "ballot/")]


@pytest.fixture(scope="module")
def debates(django_db_setup: None, django_db_blocker: Any) -> Iterator[Mapping[str, Debate]]:
    """A debate of each format in each status, and in what else becomes of one."""
    retries, appeals = {"PROVIDER_RETRIES": 0}, {"APPEALS_OPEN_PER_PERSON": 99, "APPEALS_PER_DAY": 99}
    with rolled_back(django_db_blocker), one_connection.one_connection(), override_settings(**retries, **appeals):
        factories.moderator("boss"), factories.moderator("second")
        rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
        yield {name: left_alone(*steps) for name, steps in DEBATES.items()}


# -- the document ------------------------------------------------------------------------------------------------------


def closed(shape: Any) -> Any:
    """Return a shape in which no field may be that it does not name."""
    if isinstance(shape, list):
        return [closed(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    return {name: closed(part) for name, part in shape.items()} | (
        {"additionalProperties": False} if isinstance(shape.get("properties"), dict) else {}
    )


COMPONENTS = closed(DOCUMENT["components"])


def innermost(error: Any) -> Any:
    """Return what is wrong; of several shapes, within that of which the least is."""
    while error.context:
        shape, _ = Counter(part.schema_path[0] for part in error.context).most_common()[-1]
        error = next(part for part in error.context if part.schema_path[0] == shape)
    return error


@cache
def described(path: str, status: str) -> tuple[str, Any]:
    """Return of which type an answer is, and what validates it."""
    answer = SHOWN[path]["responses"][status]
    if "$ref" in answer:
        answer = DOCUMENT["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    [(media, content)] = answer["content"].items()
    shape = {**closed(content["schema"]), "components": COMPONENTS}
    return media, jsonschema.Draft202012Validator(shape, format_checker=jsonschema.FormatChecker())


def read(path: str, asker: Api, address: str, *, faults: list[str], of: str = "a list") -> Any:
    """Return what an address answers; what of that is not as the document says is added to the faults."""
    caches["pace"].clear()
    answer = asker.client.get(address, headers=asker.headers)
    status, media = str(answer.status_code), answer.headers["Content-Type"]
    if status not in SHOWN[path]["responses"] or status == "500" or described(path, status)[0] != media:
        faults.append(f"{of}: {address}: {status} {media}")
        return {}
    errors = described(path, status)[1].iter_errors(answer.json())
    faults += [f"{of}: {path}: {error.json_path}: {error.message[:200]}" for error in map(innermost, errors)]
    return answer.json() if status == "200" else {}


def signed_in() -> Api:
    api = Api()
    api.client.force_login(factories.person("reader"))
    return api


ASKERS = {"nobody": Api, "a session": signed_in, "a moderator's key": lambda: Api(boss())}


@pytest.mark.parametrize("asker", ["nobody", "a moderator's key"])
def test_every_list_and_rows_of_it_of_every_kind_are_as_described(debates, asker):
    faults: list[str] = []
    api = ASKERS[asker]()

    for path in LISTS:
        paged = any(parameter["name"] == "page_size" for parameter in SHOWN[path].get("parameters", ()))
        address, rows = f"{path}?page_size={MOST}" if paged else path, []
        while address:
            page = read(path, api, address, faults=faults)
            rows, address = [*rows, *page.get("results", ())], page.get("next")
        alike = {(row.get("kind"), row.get("state")): row["id"] for row in rows if "id" in row}
        for row_id in alike.values() if f"{path}{{id}}/" in SHOWN else ():
            read(f"{path}{{id}}/", api, f"{path}{row_id}/", faults=faults)

    assert faults == []


@pytest.mark.parametrize("asker", ["a session", "a moderator's key"])
def test_every_debate_its_log_and_its_result_are_as_described(debates, asker):
    faults: list[str] = []
    api = ASKERS[asker]()

    for name, debate in debates.items():
        for path in OF_A_DEBATE:
            read(path, api, path.format(id=debate.public_id, debate=debate.public_id), faults=faults, of=name)

    assert faults == []


def test_the_scores_of_every_debate_are_as_described(debates):
    faults: list[str] = []
    names = {debate.pk: name for name, debate in debates.items()}
    api = Api(boss())

    for score in Evaluation.objects.order_by("debate_id", "instrument", "pk").distinct("debate_id", "instrument"):
        for path in OF_A_SCORE:
            read(path.partition("?")[0], api, path.format(id=score.public_id), faults=faults, of=names[score.debate_id])

    assert faults == []


def test_what_is_shown_to_those_who_sit_there_is_as_described(debates):
    faults, papers = [], set()

    for name, debate in debates.items():
        for seat in debate.participants.exclude(user=None):
            api = Api(seat.user)
            for path in OF_A_DEBATE:
                read(path, api, path.format(id=debate.public_id, debate=debate.public_id), faults=faults, of=name)
            for turn, path in product(AwaitedTurn.objects.filter(participant=seat), OF_A_SEAT):
                paper = read(path, api, path.format(id=turn.public_id), faults=faults, of=name)
                papers |= {part for part in ("bench", "ruling", "response", "given") if paper.get(part)}

    assert faults == []
    assert papers == {"bench", "ruling", "response", "given"}


def test_every_status_of_every_format_is_among_them(debates):
    ends = {Status.DRAFT, Status.RUNNING, Status.PAUSED, Status.CONCLUDING, Status.CONCLUDED, Status.CANCELLED}
    of_some = {
        (Format.CRITERION, Status.SCHEDULED), (Format.PANEL, Status.AWAITING_REVIEW), (Format.CRITERION, Status.FAILED),
        (Format.OPEN, Status.FAILED), (Format.PANEL, Status.FAILED),
    }  # fmt: skip

    stands = {(debate.format, debate.status) for debate in debates.values()}

    assert stands == {*of_some, *product(Format, ends)}
