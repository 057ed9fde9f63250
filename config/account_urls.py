"""Addresses of signing in: allauth's, without sign-up, e-mail and anything that is not used here."""

from allauth.account.views import account_inactive, login, logout, password_change, reauthenticate
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def without_password(_request: HttpRequest) -> HttpResponse:
    """Refuse a first password to an account whose password was taken away: whoever did that gives another.

    Raises: ``PermissionDenied``.
    """
    raise PermissionDenied("This account has no password; a moderator can give it one.")


urlpatterns = [
    path("login/", login, name="account_login"),
    path("logout/", logout, name="account_logout"),
    path("inactive/", account_inactive, name="account_inactive"),
    path("reauthenticate/", reauthenticate, name="account_reauthenticate"),
    path("password/change/", password_change, name="account_change_password"),
    path("password/set/", without_password, name="account_set_password"),  # where the page above leads such an account
    path("2fa/", include("allauth.mfa.urls")),
]
