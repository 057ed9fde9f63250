"""What debates came to, and the schema of the document that says so."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.permissions import ANYBODY
from debates.api.views import ApiView
from debates.errors import NotFound
from debates.models import Debate
from debates.selectors import one_moment
from judging.api import documents
from judging.api.examples import RESULT
from judging.formats.registry import FORMATS, format_of


class Result(ApiView):
    """Show what a debate came to, as one document.

    The JSON Schema for its format is at `/api/v1/results/schemas/{of}/`.
    """

    tag, access, shows, answer_schema = "results", ANYBODY, RESULT, documents.DOCUMENT

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
