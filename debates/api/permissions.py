"""Who may come in, and how often."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.conf import settings
from django.core.cache import caches
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from debates import addresses
from debates.api.authentication import key_in
from debates.reauthentication import proved_lately, where_to_prove
from debates.types import Scope


@dataclass(frozen=True, slots=True)
class RequiredAccess:
    """What it takes to come in.

    Shape: ``scope`` of a key; ``permission`` is Django's, for whoever comes in at all; ``everybody`` lets in who is not
    signed in; ``proof`` asks whoever comes in a session to have proved lately to be here still, as a secret is shown.
    """

    scope: Scope = Scope.READ
    permission: str = ""
    everybody: bool = False
    proof: bool = False


ANYBODY = RequiredAccess(everybody=True)


class MayEnter(BasePermission):
    """Let in who is signed in, holds the permission that the view names, and whose key has its scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Say so; the message names what is missing."""
        access: RequiredAccess = view.access_for(request.method)
        key = key_in(request)
        if not request.user.is_authenticated:
            return access.everybody
        if key is not None and access.scope.value not in key.scopes:
            self.message, self.code = f"This key lacks the scope {access.scope.value}.", "missing_scope"
            return False
        if access.permission and not request.user.has_perm(access.permission):
            self.message, self.code = f"You lack the permission {access.permission}.", "not_permitted"
            return False
        http = request._request  # noqa: SLF001 -- Django's request
        if access.proof and key is None and not proved_lately(http):
            self.message, self.code = f"Prove at {where_to_prove(http)} that it is you, and ask again.", "proof_needed"
            return False
        return True


class Pace(BaseThrottle):
    """So many requests a minute for a key, a person or, without either, an address; counted in each web process.

    It keeps a client that runs wild from the others. Against an attack only a proxy helps.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        most = settings.API_PER_MINUTE if request.user.is_authenticated else settings.API_PER_MINUTE_ANONYMOUS
        self.minute, cache = int(time.time()) // 60, caches["pace"]
        name = f"api:{self.who(request)}:{self.minute}"
        cache.add(name, 0, timeout=120)
        asked = cache.incr(name)
        view.pace = self.headers(policy=name.split(":")[1], most=most, left=max(0, most - asked))
        return bool(asked <= most)

    def headers(self, *, policy: str, most: int, left: int) -> Mapping[str, str]:
        """Return what tells a client how many requests are left, and for how many seconds.

        Source: draft-ietf-httpapi-ratelimit-headers-10; docs/reference/api.md, "Pace and origins".
        """
        return {
            "RateLimit-Policy": f'"{policy}";q={most};w=60',
            "RateLimit": f'"{policy}";r={left};t={ceil(self.wait())}',
        }

    def who(self, request: Request) -> str:
        key = key_in(request)
        if key is not None:
            return f"key:{key.pk}"
        return (
            f"user:{request.user.pk}"
            if request.user.is_authenticated
            else f"at:{addresses.counted(self.get_ident(request))}"
        )

    def wait(self) -> float:
        return (self.minute + 1) * 60 - time.time()
