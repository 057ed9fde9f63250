"""What debates came to, and the schema of the document that says so."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.views import Door
from debates.errors import NotFound
from debates.selectors import one_moment
from judging.api import documents
from judging.api.examples import RESULT
from judging.formats.registry import FORMATS, format_of


class Result(Door):
    """Show what a debate came to, as one document.

    The JSON Schema for its format is at `/api/v1/results/schemas/{of}/`.
    """

    tag, everybody, shows = "results", True, RESULT

    Output: ClassVar[Any] = documents.DOCUMENT

    def get(self, request: Request, **at: Any) -> Response:
        self.asked()
        with one_moment():
            found = self.one(self.debates())
            return Response(format_of(found.format).result_document(debate=found))


class ResultSchema(Door):
    """Show the JSON Schema of a format's result document."""

    tag, everybody = "results", True
    Output: ClassVar[Any] = {"type": "object", "additionalProperties": True}

    def get(self, request: Request, **at: Any) -> Response:
        self.asked()
        of = self.kwargs["of"]
        if of not in FORMATS:
            raise NotFound(f"There is no result document of the format {of[:40]!r}.")
        return Response(FORMATS[of].result_schema())
