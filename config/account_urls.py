"""Addresses of signing in: allauth's, without sign-up, e-mail and anything that is not used here."""

from allauth.account.views import account_inactive, login, logout, password_change, reauthenticate
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.accounts import SetUpFactor, second_factor_first
from debates.reauthentication import proof_required


def without_password(_request: HttpRequest) -> HttpResponse:
    """Refuse a first password to an account whose password was taken away: whoever did that gives another.

    Raises: ``PermissionDenied``.
    """
    raise PermissionDenied("This account has no password; a moderator can give it one.")


urlpatterns = [
    path("login/", second_factor_first(login), name="account_login"),
    path("logout/", logout, name="account_logout"),
    path("inactive/", account_inactive, name="account_inactive"),
    path("reauthenticate/", reauthenticate, name="account_reauthenticate"),
    path("password/change/", password_change, name="account_change_password"),
    path("password/set/", without_password, name="account_set_password"),  # where the page above leads such an account
    path("2fa/", mfa.index, name="mfa_index"),
    path("2fa/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path("2fa/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("2fa/totp/activate/", proof_required(SetUpFactor.as_view()), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", proof_required(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("2fa/recovery-codes/", proof_required(recovery_codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "2fa/recovery-codes/generate/",
        proof_required(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/download/",
        proof_required(recovery_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
