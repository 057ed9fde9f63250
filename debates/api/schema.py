"""The OpenAPI document, made from the attributes of the views."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, PolymorphicProxySerializer
from rest_framework import serializers, status

from debates import event_schemas
from debates.api import problem_examples
from debates.api.permissions import RequiredAccess
from debates.api.unknown_fields import NothingSerializer
from debates.api.views import ApiView
from debates.types import WEBHOOK_TEST

PROBLEM = "application/problem+json"
SCHEMAS = "#/components/schemas/"


class FaultSerializer(serializers.Serializer[Any]):
    """One thing that is wrong with a request."""

    pointer = serializers.CharField(help_text="Where: a JSON pointer into the body, or the name of a parameter.")
    code = serializers.CharField()
    detail = serializers.CharField()


class RefusedScoreSerializer(serializers.Serializer[Any]):
    """A score that refuses what is done to many, and why."""

    evaluation = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    code = serializers.CharField()
    why = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """What went wrong, after RFC 9457. ``code`` is stable; ``detail`` is for people."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    code = serializers.CharField()
    detail = serializers.CharField()
    instance = serializers.CharField()
    request_id = serializers.CharField()
    errors = FaultSerializer(many=True, required=False)  # type: ignore[assignment]  # a field, not the framework's property
    refused = RefusedScoreSerializer(many=True, required=False, help_text="With the code `bulk_refused`.")


class Described(AutoSchema):
    """How one method of one address is described."""

    view: ApiView  # type: ignore[override]  # every address of ours is one

    @property
    def access(self) -> RequiredAccess:
        return self.view.access_for(self.method)

    @property
    def doc(self) -> str:
        """Where two methods share a class each has words of its own."""
        return (getattr(self.view, self.method.lower()).__doc__ or type(self.view).__doc__ or "").strip()

    def get_operation_id(self) -> str:
        """Return the name of the class, in the form of a function."""
        name = type(self.view).__name__
        return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")

    def get_tags(self) -> list[str]:
        return [self.view.tag]

    def get_summary(self) -> str:
        return self.doc.partition("\n")[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        """Return the rest of it, and what it takes to come in."""
        needs = [f"Scope of a key: `{self.access.scope.value}`."]
        needs += [f"Permission: `{self.access.permission}`."] if self.access.permission else []
        lines = "\n".join(line.strip() for line in self.doc.partition("\n")[2].strip().splitlines())
        return "\n\n".join(part for part in (lines, " ".join(needs)) if part)

    def get_override_parameters(self) -> list[Any]:
        """Return the parameters of the address and the headers that are read."""
        read = self.method != "POST" and self.view.Query is not NothingSerializer
        parameters: list[Any] = [self.view.Query] if read else []
        if self.method == "GET" and self.view.media == ApiView.media:
            about = "The ETag of what one has already; where it is still so, the answer is 304."
            parameters.append(header("If-None-Match", {"type": "string"}, about))
        if self.method != "POST":
            return parameters
        if self.view.answers == status.HTTP_201_CREATED:
            address, created = {"type": "string", "format": "uri"}, [status.HTTP_201_CREATED]
            parameters.append(header("Location", address, "The address of what was made.", response=created))
        key = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
        about = "The caller's own name for this request: repeated, it is done once."
        parameters.append(header("Idempotency-Key", key, about))
        if self.view.if_match:
            tag = {"type": "string", "pattern": '^"[0-9]{1,9}(-[0-9a-f]*)?"$', "example": '"3"'}
            about = "The ETag of what this was decided on; another one is refused with 412."
            parameters.append(header("If-Match", tag, about, required=self.view.if_match == "required"))
        if self.view.only_new:
            about = "Only where there is nothing yet; else 412."
            parameters.append(header("If-None-Match", {"type": "string", "enum": ["*"]}, about))
        return parameters

    def _unwrap_list_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._unwrap_list_serializer(serializer, direction)
        most = getattr(serializer, "max_length", None)
        return {**schema, "maxItems": most} if schema and schema.get("type") == "array" and most else schema

    def get_request_serializer(self) -> Any:
        return self.view.Input if self.method == "POST" else None

    def _get_request_for_media_type(self, serializer: Any, direction: Any = "request") -> tuple[Any, bool]:
        """Return the shape of the body and whether there must be one: where one of several is asked for, there must."""
        schema, required = super()._get_request_for_media_type(serializer, direction)  # type: ignore[no-untyped-call]  # theirs
        return schema, required or isinstance(serializer, PolymorphicProxySerializer)

    def _map_serializer(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> Any:  # noqa: FBT001, FBT002 -- drf-spectacular's signature
        """Return the shape of a body closed, because a strange field is refused, and that of an answer open."""
        schema = super()._map_serializer(serializer, direction, bypass_extensions)  # type: ignore[no-untyped-call]  # theirs
        return (
            {**schema, "additionalProperties": False} if direction == "request" and "properties" in schema else schema
        )

    def get_response_serializers(self) -> Any:
        return {**self.successes(), **self.problems()}

    def successes(self) -> dict[Any, Any]:
        if self.method == "DELETE":
            return {str(status.HTTP_204_NO_CONTENT): OpenApiResponse(None, description="Done.")}
        code = self.view.answers if self.method == "POST" else status.HTTP_200_OK
        examples = example_of(self.view.shows) if self.method == "GET" else []
        shape = self.view.answer_schema or self.view.get_serializer_class()
        answers: dict[Any, Any] = {
            (str(code), *self.view.media): OpenApiResponse(shape, description="Done.", examples=examples)
        }
        answers |= {code: OpenApiResponse(shape, description="Done.") for code, shape in self.view.also.items()}
        if (
            self.method == "GET" and self.view.media == ApiView.media
        ):  # a file that is written as it is sent has no ETag
            answers[304] = OpenApiResponse(None, description="What If-None-Match names is still so.")
        return answers

    def problems(self) -> dict[Any, Any]:
        codes = {400, 401, 403, 404, 405, 406, 422, 429, 500, 503, *self.view.refuses}
        codes |= {409, 412, 413, 415, 428} if self.method == "POST" else set()
        return {
            (str(code), PROBLEM): OpenApiResponse(
                ProblemSerializer,
                description=problem_examples.REFUSALS[code].when,
                examples=example_of(problem_examples.example(code)),
            )
            for code in sorted(codes)
        }

    def get_paginated_name(self, serializer_name: str) -> str:
        return f"{serializer_name}Page"

    def get_examples(self) -> list[OpenApiExample]:
        examples = self.view.examples or ({} if self.view.example is None else {"Example": self.view.example})
        named = examples if self.method == "POST" else {}
        return [OpenApiExample(name, value=value, request_only=True) for name, value in named.items()]

    def get_auth(self) -> list[Any]:
        """Return how to sign in; where everybody may read, nobody has to."""
        return [*super().get_auth(), *([{}] if self.access.everybody else [])]

    def get_serializer_name(self, serializer: Any, direction: str) -> str:
        """Return what the document calls a serializer: its class, within the view that it stands in."""
        return "".join(part.removesuffix("Serializer") for part in type(serializer).__qualname__.split("."))


def header(name: str, shape: dict[str, Any], about: str, **options: Any) -> OpenApiParameter:
    return OpenApiParameter(name, shape, OpenApiParameter.HEADER, description=about, **options)


def example_of(answer: Any) -> list[OpenApiExample]:
    """Return an answer as the example of one, if there is any."""
    return [] if answer is None else [OpenApiExample("Example", value=answer, response_only=True)]


def share_problems(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Name each refusal once, and refer to it from every operation."""
    shared = result["components"].setdefault("responses", {})
    for methods in result["paths"].values():
        for operation in methods.values():
            for code, answer in operation["responses"].items():
                if PROBLEM in answer.get("content", {}):
                    shared[f"Problem{code}"] = answer
                    operation["responses"][code] = {"$ref": f"#/components/responses/Problem{code}"}
    result["components"]["responses"] = dict(sorted(shared.items()))
    return result


def tell_headers(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Say of every answer which headers it has: each is described once."""
    components = result["components"]
    components["headers"] = {
        name: {"description": about, "schema": {"type": "integer" if name == "Retry-After" else "string"}}
        for name, about in HEADERS.items()
    }
    for code, answer in components["responses"].items():
        answer["headers"] = references("X-Request-ID", *OF_REFUSALS.get(code, PACE))
    for methods in result["paths"].values():
        for method, operation in methods.items():
            named = {parameter["name"] for parameter in operation.get("parameters", [])}
            names = ["X-Request-ID", *PACE, *(["Idempotency-Replayed"] if method == "post" else [])]
            for code, answer in operation["responses"].items():
                changed = code != "202" and named & {"If-Match", "If-None-Match"}
                if "$ref" not in answer:
                    answer.setdefault("headers", {}).update(references(*names, *(["ETag"] if changed else [])))
    return result


def references(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


PACE = ("RateLimit", "RateLimit-Policy")
OF_REFUSALS: Mapping[str, Sequence[str]] = {
    "Problem405": (*PACE, "Allow"),
    "Problem413": (),
    "Problem429": (*PACE, "Retry-After"),
    "Problem500": (),
    "Problem503": ("Retry-After",),
}
"""Headers of some refusals; all others have those of the pace."""
HEADERS: Mapping[str, str] = {
    "Allow": "The methods that the address knows.",
    "ETag": "What If-Match names of what was changed, and If-None-Match of what was read.",
    "Idempotency-Replayed": "`true` where this is the answer to an earlier request under the same Idempotency-Key.",
    "RateLimit": "How many requests are left (r) until the next minute, in how many seconds it comes (t).",
    "RateLimit-Policy": "How many requests there are (q) in how many seconds (w).",
    "Retry-After": "In how many seconds to come again.",
    "X-Request-ID": "Under which the log has the rest.",
}


def tell_events(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Add the catalogue of events as they are streamed, and what webhooks are told."""
    events = json.loads(json.dumps(event_schemas.frame_schema()).replace('"#/$defs/', f'"{SCHEMAS}Event'))
    models = {f"Event{name}": {**shape, "title": f"Event{name}"} for name, shape in events.pop("$defs").items()}
    message = {
        "type": "object",
        "required": ["type", "timestamp", "debate", "seq", "epoch", "data"],
        "properties": {
            "type": {"enum": [*event_schemas.TYPES, WEBHOOK_TEST]},
            "timestamp": {"type": "string", "format": "date-time"},
            "debate": {"type": ["string", "null"], "format": "uuid", "description": "Null in a test."},
            "seq": {"type": ["integer", "null"], "minimum": 1, "description": "Null in a test."},
            "epoch": {
                "type": ["string", "null"],
                "format": "uuid",
                "description": "Names the logs that `seq` is a place in; null in a test.",
            },
            "data": {"type": "object", "description": "As of a StreamedEvent, without words."},
        },
    }
    result["components"]["schemas"] |= {**models, "StreamedEvent": events, "WebhookMessage": message}
    result["webhooks"] = {"event": {"post": WEBHOOK}}
    return result


WEBHOOK: Mapping[str, Any] = {
    "summary": "An event, told to a webhook",
    "description": "See docs/reference/webhooks.md.",
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebhookMessage"}}}},
    "responses": {"2XX": {"description": "It was taken."}, "410": {"description": "Send nothing more."}},
}


class BearerKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # theirs
    """How a bearer key is described."""

    target_class = "debates.api.authentication.BearerKey"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An API key, made in the admin or by a command."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # theirs
    """How a session is described."""

    target_class = "config.sessions.SignedIn"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "Writes also need X-CSRFToken."}
