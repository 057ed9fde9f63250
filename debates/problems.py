"""What a refusal over HTTP looks like, after RFC 9457, and how a request is named: the same everywhere."""

import re
import uuid
from http import HTTPStatus
from typing import Any

MEDIA_TYPE = "application/problem+json"
HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
# What RFC 9110 calls them, section 15.5. Before Python 3.13 they still have their older names.
RENAMED = {413: "Content Too Large", 414: "URI Too Long", 416: "Range Not Satisfiable", 422: "Unprocessable Content"}
TITLES = {int(status): status.phrase for status in HTTPStatus} | RENAMED


def document(*, status: int, code: str, detail: str, instance: str, request_id: str, **more: Any) -> dict[str, Any]:
    """Return a problem; ``instance`` is the path that was asked for. Halves of characters that it quotes become "?".

    Source: docs/reference/api.md, "Problems".
    """
    problem: dict[str, Any] = sendable(
        {
            "type": f"urn:moot:problem:{code}",
            "title": TITLES.get(status, "Problem"),
            "status": status,
            "code": code,
            "detail": detail,
            "instance": instance,
            "request_id": request_id,
            **more,
        }
    )
    return problem


def sendable(value: Any) -> Any:
    """Return texts, and lists and objects of them, as they can be sent as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [sendable(part) for part in value]
    return {sendable(name): sendable(part) for name, part in value.items()} if isinstance(value, dict) else value


def name_of(header: str) -> str:
    """Return the name of a request: as it names itself, where that is a name."""
    return header if GIVEN.fullmatch(header) else uuid.uuid4().hex
