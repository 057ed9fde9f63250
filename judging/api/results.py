"""What debates came to, the schemas of the documents that say so, and the public account of a score."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.permissions import ANYBODY
from debates.api.views import ApiView
from debates.errors import NotFound
from debates.models import Debate
from debates.selectors import one_moment
from judging.api.examples import RESULT
from judging.engine import score_account
from judging.formats.registry import FORMATS, format_of
from scoring.models import Evaluation

NAMES: Mapping[str, str] = {name: f"{name.title()}Result" for name in FORMATS}
PLACES: Mapping[str, str] = {name: f"#/components/schemas/{title}" for name, title in NAMES.items()}
DOCUMENT: Mapping[str, Any] = {
    "oneOf": [{"$ref": place} for place in PLACES.values()],
    "discriminator": {"propertyName": "format", "mapping": dict(PLACES)},
}
SHARED = re.compile(r'"#/\$defs/(\w+)"')


def tell_results(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Add the schemas of the documents, and what they share within themselves, as components of their own."""
    for name, title in NAMES.items():
        written = json.dumps(FORMATS[name].result_schema())
        for part in SHARED.findall(written):
            written = written.replace(f'"#/$defs/{part}"', f'"{PLACES[name]}{part.title()}"')
        schema = {key: value for key, value in json.loads(written).items() if key not in {"$schema", "$id"}}
        schema |= {"title": title, "description": f"{schema['title']}. {schema.get('description', '')}".strip()}
        parts = {f"{title}{part.title()}": shape for part, shape in schema.pop("$defs", {}).items()}
        result["components"]["schemas"] |= {title: schema, **parts}
    return result


class Result(ApiView):
    """Show what a debate came to, as one document.

    The JSON Schema for its format is at `/api/v1/results/schemas/{of}/`.
    """

    tag, access, shows, answer_schema = "results", ANYBODY, RESULT, DOCUMENT

    def get_queryset(self) -> QuerySet[Debate]:
        return self.debates()

    def get(self, request: Request, **kwargs: Any) -> Response:
        with one_moment():
            debate = self.get_object()
            return Response(format_of(debate.format).result_document(debate=debate))


class ResultSchema(ApiView):
    """Show the JSON Schema of a format's result document."""

    tag, access, answer_schema = "results", ANYBODY, {"type": "object", "additionalProperties": True}

    def get(self, request: Request, of: str) -> Response:
        if of not in FORMATS:
            raise NotFound(f"There is no result document of the format {of[:40]!r}.")
        return Response(FORMATS[of].result_schema())


class ScoreAccountDocument(ApiView):
    """Show the account of a score: every entry, why it was written and what it rests on."""

    tag, access = "evaluations", ANYBODY
    answer_schema = {"type": "object", "additionalProperties": True}
    queryset, debate_field = Evaluation.objects.select_related("debate__subject"), "debate"

    def get(self, request: Request, **kwargs: Any) -> Response:
        with one_moment():
            account = score_account.account_of(evaluation=self.get_object())
            return Response(score_account.document(account=account))
