"""Addresses of accounts: allauth's, without anything that is not used here."""

from allauth.account import views
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.socialaccount.views import login_cancelled
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path

from config import openid
from config.accounts import (
    AddressView,
    NewRecoveryCodes,
    RecoveryCodesView,
    SetUpFactor,
    SignInView,
    SignUpView,
    second_factor_first,
)
from config.profile import profile
from debates.reauthentication import proof_required


def without_password(_request: HttpRequest) -> HttpResponse:
    """Refuse a first password to an account whose password was taken away: whoever did that gives another.

    Raises: ``PermissionDenied``.
    """
    raise PermissionDenied("This account has no password; a moderator can give it one.")


MAIL = {"mail_is_sent": lambda: settings.MAIL_IS_SENT, "mail_goes_nowhere": lambda: settings.MAIL_GOES_NOWHERE}
"""What pages that lead to a mail say: a site without a way to send any promises none."""

urlpatterns = [
    path("login/", second_factor_first(SignInView.as_view()), name="account_login"),
    path("signup/", second_factor_first(SignUpView.as_view()), name="account_signup"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", openid.prove_or(views.reauthenticate), name="account_reauthenticate"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("password/set/", without_password, name="account_set_password"),  # where the page above leads such an account
    path("password/reset/", views.PasswordResetView.as_view(extra_context=MAIL), name="account_reset_password"),
    path(
        "password/reset/done/",
        views.PasswordResetDoneView.as_view(extra_context=MAIL),
        name="account_reset_password_done",
    ),
    path("password/reset/key/done/", views.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("email/", proof_required(AddressView.as_view(extra_context=MAIL)), name="account_email"),
    path(
        "confirm-email/",
        views.EmailVerificationSentView.as_view(extra_context=MAIL),
        name="account_email_verification_sent",
    ),
    path("confirm-email/<str:key>/", views.confirm_email, name="account_confirm_email"),
    path("profile/", profile, name="profile"),
    path("openid/<slug:provider_id>/login/", openid.login, name="openid_connect_login"),
    path("openid/<slug:provider_id>/callback/", openid.callback, name="openid_connect_callback"),
    path("openid/cancelled/", login_cancelled, name="socialaccount_login_cancelled"),
    path("2fa/", mfa.index, name="mfa_index"),
    path("2fa/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path("2fa/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("2fa/totp/activate/", proof_required(SetUpFactor.as_view()), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", proof_required(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("2fa/recovery-codes/", proof_required(RecoveryCodesView.as_view()), name="mfa_view_recovery_codes"),
    path(
        "2fa/recovery-codes/generate/", proof_required(NewRecoveryCodes.as_view()), name="mfa_generate_recovery_codes"
    ),
    path(
        "2fa/recovery-codes/download/",
        proof_required(recovery_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
