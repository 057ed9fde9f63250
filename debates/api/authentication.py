"""Who is asking: a program with a bearer key. Sessions are known by ``config.sessions``."""

from copy import copy
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from debates.models import ApiKey
from debates.models.access import SHOWN, bearer_in
from debates.printable import CONTEXT
from debates.services import keys


class BearerKey(BaseAuthentication):
    """``Authorization: Bearer moot_...``; the request is its owner's, within the scopes of the key."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        text = bearer_in(request.headers.get("Authorization", ""))
        if text is None:
            return None
        about = {"key": text[:SHOWN]} if text.startswith(keys.BEGINS) else {}  # what is no key may be another secret
        request._request.asked_by = about  # type: ignore[attr-defined]  # noqa: SLF001 -- read where requests are logged
        key = keys.key_of(text=text, now=timezone.now())
        if key is None:
            raise AuthenticationFailed("This key is unknown, revoked or expired.", code="bad_key")
        about["user"] = str(key.owner_id)
        CONTEXT.set(CONTEXT.get() | about)
        return key.owner, key

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Moot"'


def key_in(request: Any) -> ApiKey | None:
    return request.auth if isinstance(request.auth, ApiKey) else None


def asked_anew(request: HttpRequest) -> HttpRequest:
    """Return a request without what was known of who asks: their session is read, and they are looked up, again."""
    anew = copy(request)
    anew.session = type(anew.session)(anew.session.session_key)
    anew.user = anew.looked_up(anew)  # type: ignore[attr-defined]  # by whom it was looked up in the first place
    return anew
