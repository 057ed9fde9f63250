"""Signing in through a provider of OpenID Connect that the settings name: accounts of its people, and no other's."""

import hashlib
import logging
from functools import wraps
from typing import Any, cast

from allauth.account.internal.decorators import login_not_required
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect import views
from allauth.utils import generate_username_candidate
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponseBase
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from config.accounts import invitation_at, is_good
from debates.errors import DomainError
from debates.printable import Fields
from debates.reauthentication import BY_PROVIDER, View, proof_of
from debates.services import invitations
from scoring.constraint_errors import guard_of

log = logging.getLogger(__name__)
NAME_IS_TAKEN = frozenset({"auth_user_username_key", "account_name_once_in_any_case"})


class ProviderAccounts(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts of people whom the provider knows: made by invitation, or at once where the settings say so."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Say whether somebody who has no account yet gets one."""
        if settings.SIGN_UP in {"provider", "open"}:
            return True
        return is_good(invitation_at(sociallogin.state.get("next") or ""))

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Make the account; where somebody took its name meanwhile, under the name with an ending."""
        try:
            return self.let_in(request, sociallogin, form)
        except IntegrityError as error:
            if guard_of(error) not in NAME_IS_TAKEN:
                raise
        sociallogin.user.username = generate_username_candidate(sociallogin.user.username, 4)
        return self.let_in(request, sociallogin, form)

    def let_in(self, request: HttpRequest, sociallogin: SocialLogin, form: Any) -> User:
        """Make the account, and let it in by the invitation that its person comes with: both, or neither.

        Raises: ``IntegrityError`` for a name that somebody took meanwhile.
        """
        way = sociallogin.state.get("next") or ""
        try:
            with transaction.atomic():
                user: User = super().save_user(request, sociallogin, form)
                if text := invitation_at(way):
                    invitations.let_in(text=text, by=user, now=timezone.now())
        except DomainError as refusal:
            raise ImmediateHttpResponse(redirect(way)) from refusal
        return user


@require_POST
def login(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Lead to the provider, to sign in there.

    No identity of the provider is bound to an account that is signed in: whoever finds a session left open would have
    a way in that stays.
    """
    if {*request.GET, *request.POST} - {"next", "csrfmiddlewaretoken"}:
        raise Http404("One signs in here, and nothing else.")
    if request.user.is_authenticated and not proves_by_provider(request):
        return redirect("index")
    lead = ask_anew if request.user.is_authenticated else views.login
    try:
        return by_a_page(request, lead(request, provider_id))
    except OSError as error:  # as every failure to reach a site is
        log.warning(Fields("provider of sign-ins does not answer", problem=type(error).__name__))
        return cast("HttpResponseBase", render_authentication_error(request, provider_id, exception=error))


def by_a_page(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Lead to another site by a page that goes on by itself.

    The policy of our pages lets their forms lead nowhere else, by no redirect either; and wherever a provider signs
    people in, and leads them on the way, is for it to say.
    """
    if not isinstance(response, HttpResponseRedirectBase):
        return response
    values = {"openid": settings.OPENID_NAME, "address": response.url}
    page = render(request, "account/to_provider.html", values)
    page.headers["Refresh"] = f"0; url={response.url}"
    return page


def proves_by_provider(request: HttpRequest) -> bool:
    """Say whether somebody has nothing but their provider to prove with that they are here still."""
    user = request.user
    return bool(settings.OPENID_NAME) and user.is_authenticated and proof_of(user) == BY_PROVIDER


def ask_anew(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Lead whoever is signed in to the provider, which is to ask who they are and not to remember it.

    Whoever comes back is signed in anew, as who they are there: nothing is bound to the session that was open.
    """
    try:
        provider = views.OpenIDConnectOAuth2Adapter(request, provider_id).get_provider()
    except SocialApp.DoesNotExist as error:
        raise Http404("There is no such provider.") from error
    asked = {**provider.get_auth_params(), "prompt": "login", "max_age": "0"}
    next_url = get_next_redirect_url(request)
    response: HttpResponseBase = provider.redirect(request, AuthProcess.LOGIN, next_url=next_url, auth_params=asked)
    return response


def prove_or(view: View) -> View:
    """Send whoever has no password to their provider where others give theirs again."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not proves_by_provider(request):
            return view(request, *args, **kwargs)
        values = {"openid": settings.OPENID_NAME, "redirect_field_value": get_next_redirect_url(request)}
        return render(request, "account/prove_by_provider.html", values)

    return guarded


class OfItsIssuer(views.OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth has no types
    """Knows a person by who says so and by their name there: the same name elsewhere is somebody else's."""

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        """Bind the identity to its issuer, as a digest of both, which is never too long for its column."""
        login = super().complete_login(request, app, token, **kwargs)
        issuer: str = self.openid_config["issuer"]
        login.account.uid = hashlib.sha256(f"{issuer}\n{login.account.uid}".encode()).hexdigest()
        return login


@login_not_required  # type: ignore[untyped-decorator]  # allauth has no types
def callback(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Come back from the provider, as who it says."""
    try:
        response: HttpResponseBase = OAuth2CallbackView.adapter_view(OfItsIssuer(request, provider_id))(request)
    except SocialApp.DoesNotExist as error:
        raise Http404("There is no such provider.") from error
    return response
