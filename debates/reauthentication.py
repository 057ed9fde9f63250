"""Proving to be here still: asked of whoever is signed in before a secret is made or shown, or a right is given."""

import time
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

View = Callable[..., HttpResponseBase]
BY_PROVIDER = "socialaccount"
"""How allauth notes a sign-in through a provider."""
AUTHENTICATED_AT = "authenticated_by_provider_at"
"""In a session: when its person last gave the provider what they prove themselves with there."""


def has_second_factor(request: Any, user: AbstractBaseUser | AnonymousUser) -> bool:
    """Say whether the session of a request was signed in with a second factor that its person still has."""
    factors = factors_given(request, user)
    return bool(factors) and Authenticator.objects.filter(user=user.pk, pk__in=factors).exists()


def factors_given(request: Any, user: AbstractBaseUser | AnonymousUser) -> frozenset[int]:
    """Return the ids of the second factors that were given in the session of a request, also of those gone since."""
    # Without the user the records come back empty, whatever happened.
    records: list[dict[str, Any]] = get_authentication_records(request, user)
    return frozenset(record["id"] for record in records if record.get("method") == "mfa" and "id" in record)


def proof_of(user: Any) -> str:
    """Return how somebody proves to be here: by their factor, without one by password, without either by a provider.

    allauth takes each for the others; a password would then remove the factor that stands beside it.
    """
    if is_mfa_enabled(user):
        return "mfa"
    return "password" if user.has_usable_password() else BY_PROVIDER


def proved_lately(request: HttpRequest) -> bool:
    """Say whether somebody proved within minutes to be here still, to us or, without a proof of ours, to a provider.

    Coming back from a provider is none: it may know them from yesterday.
    """
    method = proof_of(request.user)
    if method == BY_PROVIDER:
        proofs = [request.session.get(AUTHENTICATED_AT, 0.0)]
    else:
        records: list[dict[str, Any]] = get_authentication_records(request, request.user)
        still = set(Authenticator.objects.filter(user=request.user.pk).values_list("pk", flat=True))
        proofs = [
            record["at"]
            for record in records
            if record["method"] == method
            and record.get("reauthenticated")
            and (method != "mfa" or record.get("id") in still)
        ]
    timeout: int = app_settings.REAUTHENTICATION_TIMEOUT
    return bool(proofs) and time.time() - max(proofs) < timeout


def note_provider(request: HttpRequest, claims: Mapping[str, Any]) -> None:
    """Keep in a session that has just been signed in when the provider says that its person proved themselves.

    Source: OpenID Connect Core 1.0, 2 (auth_time) and 3.1.2.1 (max_age, with which it has to be said).
    """
    said = claims.get("auth_time")
    at = float(said) if isinstance(said, (int, float)) else 0.0
    request.session[AUTHENTICATED_AT] = min(at, time.time())


def proof_required(view: View) -> View:
    """Send whoever is signed in and has not proved it lately to where that is done. What was posted is not kept."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not proved_lately(request):
            return ask_for_proof(request)
        return view(request, *args, **kwargs)

    return guarded


def ask_for_proof(request: HttpRequest) -> HttpResponse:
    return redirect(and_back(where_to_prove(request), request.get_full_path()))


def where_to_prove(request: HttpRequest) -> str:
    """Return the address where somebody gives their second factor again, or without one their password."""
    methods = get_adapter().get_reauthentication_methods(request.user)
    return str(methods[0]["url"] if methods else reverse("account_login"))


def and_back(address: str, path: str) -> str:
    return f"{address}?{urlencode({REDIRECT_FIELD_NAME: path})}"
