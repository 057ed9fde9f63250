"""Addresses of signing in: allauth's, without sign-up, e-mail and anything that is not used here."""

from allauth.account.views import account_inactive, login, logout, password_change, reauthenticate
from django.urls import include, path

urlpatterns = [
    path("login/", login, name="account_login"),
    path("logout/", logout, name="account_logout"),
    path("inactive/", account_inactive, name="account_inactive"),
    path("reauthenticate/", reauthenticate, name="account_reauthenticate"),
    path("password/change/", password_change, name="account_change_password"),
    path("2fa/", include("allauth.mfa.urls")),
]
