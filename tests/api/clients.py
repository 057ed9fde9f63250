"""How tests ask the API: as nobody, or with a key."""

import json
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from debates.services import keys
from debates.types import Scope

V1 = "/api/v1"
ALL = [one.value for one in Scope]


def key_for(owner: User, *, scopes: Sequence[str] = ALL) -> str:
    return keys.issue(owner=owner, by=None, name="A test", scopes=scopes, now=timezone.now())[1]


class Api:
    """A client of the API; ``owner`` is whose key it brings, if it brings one."""

    def __init__(self, owner: User | None = None, *, scopes: Sequence[str] = ALL) -> None:
        self.owner = owner
        self.headers = {"Authorization": f"Bearer {key_for(owner, scopes=scopes)}"} if owner else {}
        self.client = Client(raise_request_exception=False)

    def get(self, path: str, /, headers: dict[str, str] | None = None, **query: Any) -> Any:
        return self.client.get(V1 + path, query, headers={**self.headers, **(headers or {})})

    def post(self, path: str, body: Any = None, /, *, method: str = "POST", **headers: str) -> Any:
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method, V1 + path, json.dumps({} if body is None else body), content_type="application/json",
            headers={**self.headers, **more},
        )  # fmt: skip


def code_of(response: Any) -> tuple[int, str]:
    """Return the status and code of a problem, which is one in every respect."""
    told = response.json()
    assert response.headers["Content-Type"] == "application/problem+json"
    assert told["status"] == response.status_code
    assert told["request_id"] == response.headers["X-Request-ID"]
    return response.status_code, told["code"]
