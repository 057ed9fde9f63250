"""The OpenAPI document: valid, complete, committed as it is; and the page that shows it, from local files alone."""

import json
import re

import jsonschema
import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from debates import event_schemas
from debates.api import urls as event
from judging.api import urls as judged
from judging.api.resources import RESULT
from judging.formats.registry import FORMATS, format_of
from scoring.api import urls as score
from tests import factories
from tests.api.clients import Api
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [WITHOUT_COLLECTED_FILES]


@pytest.fixture(scope="module")
def schema():
    with GENERATOR_STATS.silence():
        GENERATOR_STATS.reset()
        made = json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True)))
        assert GENERATOR_STATS._warn_cache == {}
        assert GENERATOR_STATS._error_cache == {}
    return made


def every(schema):
    return [one for methods in schema["paths"].values() for one in methods.values()]


def test_every_number_of_a_version_says_of_what_it_is(schema):
    about = {
        (name, field): part.get("description", "")
        for name, model in schema["components"]["schemas"].items()
        for field, part in model.get("properties", {}).items()
        if field in {"version", "moderation_version", "seen"}
    }

    assert len(about) >= 8
    assert [where for where, text in about.items() if not text] == []


@pytest.mark.slow
def test_the_document_is_valid_and_the_one_that_is_committed(schema):
    """Where they differ: manage.py spectacular --format openapi-json --file docs/reference/openapi.json"""
    validate_schema(schema)

    assert schema["openapi"] == "3.1.0"
    assert schema == json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.django_db
def test_the_document_that_is_served_is_the_same(schema):
    served = Client().get("/api/v1/schema/").json()

    assert served["paths"] == schema["paths"]


def test_every_operation_says_what_it_does_and_how_it_refuses(schema):
    operations = every(schema)

    assert [one["operationId"] for one in operations if not one.get("summary") or one["tags"] == [""]] == []
    refused = {one["responses"]["404"]["$ref"] for one in operations}
    assert refused == {"#/components/responses/Problem404"}
    assert "application/problem+json" in schema["components"]["responses"]["Problem404"]["content"]
    assert len({one["operationId"] for one in operations}) == len(operations)


def test_all_that_is_read_but_an_export_may_be_unchanged(schema):
    read = {path: methods["get"]["responses"] for path, methods in schema["paths"].items() if "get" in methods}

    unchanging = {path for path, answers in read.items() if "304" not in answers}

    assert unchanging == {path for path in read if path.startswith("/api/v1/exports/")} != set()


@pytest.mark.django_db
def test_an_answer_has_the_headers_that_the_document_names(schema):
    alice, score = Api(factories.moderator()), factories.criterion()
    shapes, refusals = schema["paths"], schema["components"]["responses"]
    frozen = shapes["/api/v1/evaluations/{id}/freeze/"]["post"]["responses"]["200"]
    always = {"X-Request-ID", "RateLimit", "RateLimit-Policy"}
    freeze, key = f"/evaluations/{score.public_id}/freeze/", {"Idempotency_Key": "once"}
    done, again = (alice.post(freeze, {"reason": factories.REASON}, **key) for _ in range(2))

    answers = [
        (alice.get("/debates/"), shapes["/api/v1/debates/"]["get"]["responses"]["200"], {"ETag"}),
        (again, frozen, {"ETag", "Idempotency-Replayed"}),
        (alice.post("/health/"), refusals["Problem404"], set()),
        (alice.post(freeze, method="PUT"), refusals["Problem405"], {"Allow"}),
    ]

    assert done.content == again.content
    for answer, described, more in answers:
        assert set(described["headers"]) == always | more
        assert set(described["headers"]) - set(answer.headers) == set()


def test_a_script_and_responses_are_a_list_or_the_text_of_one(schema):
    body = schema["components"]["schemas"]["Responses"]["properties"]

    assert [body[name]["type"] for name in ("script", "responses")] == [["array", "string"]] * 2


def test_what_is_sent_has_an_example(schema):
    without = [
        one["operationId"]
        for one in every(schema)
        if "requestBody" in one and "examples" not in one["requestBody"]["content"]["application/json"]
    ]

    assert without == []


def test_the_main_answers_and_every_problem_have_an_example(schema):
    shown = {
        one["operationId"]
        for one in every(schema)
        if "examples" in one["responses"].get("200", {}).get("content", {}).get("application/json", {})
    }
    problems = schema["components"]["responses"].values()

    assert shown == {
        "debates",
        "one_debate",
        "evaluations",
        "one_evaluation",
        "score_changes",
        "one_score_change",
        "moderation_log",
        "result",
    }
    assert all("examples" in one["content"]["application/problem+json"] for one in problems)


def contents(schema):
    """Every body and every answer with an example: its shape and its examples."""
    bodies = [one["requestBody"] for one in every(schema) if "requestBody" in one]
    answers = [answer for one in every(schema) for answer in one["responses"].values()]
    for one in (*bodies, *answers, *schema["components"]["responses"].values()):
        for content in one.get("content", {}).values():
            if "examples" in content:
                yield content["schema"], [example["value"] for example in content["examples"].values()]


def test_every_example_is_what_its_schema_says_and_has_no_field_besides(schema):
    for shape, values in contents(schema):
        whole = {**shape, "unevaluatedProperties": False, "components": schema["components"]}
        validator = jsonschema.Draft202012Validator(whole, format_checker=jsonschema.FormatChecker())
        assert [error.message for value in values for error in validator.iter_errors(value)] == []

    jsonschema.Draft202012Validator(format_of("criterion").result_schema()).validate(RESULT)


def test_every_view_takes_the_example_of_its_body():
    views = {
        address.callback.cls
        for urls in (event, score, judged)
        for address in urls.urlpatterns
        if address.callback.cls.example is not None or address.callback.cls.examples
    }
    refused = {
        view.__name__: body.errors
        for view in views
        for value in (view.examples or {"": view.example}).values()
        if not (body := view().input_class(value)(data=value)).is_valid()
    }

    assert len(views) > 20
    assert refused == {}


def test_every_type_of_event_is_in_the_document(schema):
    shapes = schema["components"]["schemas"]
    streamed = shapes["StreamedEvent"]

    assert list(streamed["discriminator"]["mapping"]) == list(event_schemas.TYPES)
    assert [one["$ref"] for one in streamed["oneOf"]] == list(streamed["discriminator"]["mapping"].values())
    for type, place in streamed["discriminator"]["mapping"].items():
        assert shapes[place.rpartition("/")[2]]["properties"]["type"] == {"const": type}
    assert shapes["WebhookMessage"]["properties"]["type"]["enum"] == [*event_schemas.TYPES, "webhook:test"]
    assert schema["webhooks"]["event"]["post"]["requestBody"]["content"]


def test_pages_of_events_say_that_they_come_without_the_words_that_streams_join(schema):
    shapes = schema["components"]["schemas"]

    about = [shapes[name]["properties"]["data"].get("description", "") for name in ("Event", "DebateEvent")]

    assert all("without the words" in text for text in about)


def test_the_result_is_one_of_three_documents_told_apart_by_their_format(schema):
    shapes = schema["components"]["schemas"]
    [result] = [one for one in every(schema) if one["operationId"] == "result"]

    shape = result["responses"]["200"]["content"]["application/json"]["schema"]

    assert set(shape["discriminator"]["mapping"]) == set(FORMATS)
    for name, place in shape["discriminator"]["mapping"].items():
        assert {"$ref": place} in shape["oneOf"]
        document = shapes[place.rpartition("/")[2]]
        assert document["properties"]["format"]["const"] == name
        assert "format" in document["required"]


def reached(schema, *roots):
    """The names of the components that some shapes lead to."""
    names, new = set(), set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(roots)))
    while new:
        names |= new
        inner = json.dumps([schema["components"]["schemas"][name] for name in new])
        new = set(re.findall(r'"#/components/schemas/(\w+)"', inner)) - names
    return names


def parts(shape):
    """A shape and everything in it."""
    yield shape
    inner = shape.values() if isinstance(shape, dict) else shape if isinstance(shape, list) else ()
    for one in inner:
        yield from parts(one)


def test_bodies_are_closed_and_answers_open(schema):
    """A field that is not known is refused in a body; in an answer, and in an event, fields may come."""
    shapes = schema["components"]["schemas"]
    bodies = reached(schema, [one["requestBody"] for one in every(schema) if "requestBody" in one])
    answers = reached(schema, [one["responses"] for one in every(schema)], shapes["StreamedEvent"], schema["webhooks"])

    assert [name for name in bodies if "properties" in shapes[name] and shapes[name]["additionalProperties"]] == []
    assert [name for name in answers for one in parts(shapes[name]) if is_closed(one)] == []
    assert {name for name in bodies & answers if "properties" in shapes[name]} == set()


def is_closed(shape):
    return isinstance(shape, dict) and shape.get("additionalProperties") is False


def test_a_debate_is_not_created_without_a_body(schema):
    assert schema["paths"]["/api/v1/debates/"]["post"]["requestBody"]["required"] is True


def models(shape, name):
    """The names under which generators of clients write models down: the title, or the way to it."""
    if not isinstance(shape, dict):
        return
    if "properties" in shape or "enum" in shape:
        yield shape.get("title", name)
    for field, inner in shape.get("properties", {}).items():
        yield from models(inner, f"{name}_{field}")
    for number, inner in enumerate([*shape.get("oneOf", []), *shape.get("anyOf", []), *shape.get("allOf", [])]):
        yield from models(inner, f"{name}_type_{number}")
    yield from models(shape.get("items"), f"{name}_item")
    yield from models(shape.get("additionalProperties"), f"{name}_additional_property")


def test_no_two_models_have_one_name_for_a_generator_of_clients(schema):
    names = [
        re.sub(r"[^a-z0-9]", "", name.lower())
        for component, shape in schema["components"]["schemas"].items()
        for name in models(shape, component)
    ]

    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert len(names) > 200


@pytest.mark.django_db
def test_the_page_that_shows_it_needs_no_other_host_and_relaxes_its_own_styles_alone():
    page = Client().get("/api/v1/docs/")
    script = Client().get("/api/v1/docs/?script=")
    other = Client().get("/")

    text = page.content.decode() + script.content.decode()
    assert re.findall(r"(?:src|href)=\"(?:https?:)?//[^\"]+", text) == []
    assert "<script>" not in text
    assert "style-src 'self' 'unsafe-inline'" in page.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in other.headers["Content-Security-Policy"]
    assert "script-src 'self';" in page.headers["Content-Security-Policy"]
