"""Who may sign in and how: no public sign-up, and a second factor where it is required of who has rights."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import ChangePasswordForm
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from debates import addresses, sealing, selectors
from debates.reauthentication import View, and_back, has_second_factor
from debates.sealing import Purpose

LOCKOUTS = frozenset({"too_many_login_attempts", "rate_limited"})


class ClosedAccounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts are made by moderators and by invitation, never by sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return under what failures are counted that come from one visitor's network."""
        return addresses.counted(super().get_client_ip(request))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody begins who asked for no page: the desk, or the debates for whoever has no desk."""
        return reverse("admin:index" if request.user.is_staff else "index")

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Return how somebody proves to be here still: by the factor alone where there is one."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method for method in methods if method["id"] != "reauthenticate"] or methods

    def validation_error(self, code: str, *args: Any) -> Exception:
        """Return what a form refuses with; a lockout is an answer of its own, whichever form it was met in."""
        if code in LOCKOUTS:
            raise ImmediateHttpResponse(respond_429(self.request))
        error: Exception = super().validation_error(code, *args)
        return error


class SealedFactors(DefaultMFAAdapter):  # type: ignore[misc]  # as above
    """Second factors, sealed in the database."""

    def encrypt(self, text: str) -> str:
        return sealing.seal(text, purpose=Purpose.SECOND_FACTOR)

    def decrypt(self, encrypted_text: str) -> str:
        """Return what was written; where no key of the site opens it, what no code fits; to nothing some would."""
        return sealing.opened(encrypted_text, purpose=Purpose.SECOND_FACTOR) or generate_totp_secret()


class ChangePassword(ChangePasswordForm):  # type: ignore[misc]  # as above
    """A new password after the present one, which counts as a sign-in where it is wrong."""

    def clean_oldpassword(self) -> str:
        """Have the present password checked where failures are counted."""
        password: str = self.cleaned_data["oldpassword"]
        adapter = ClosedAccounts()
        if not adapter.reauthenticate(self.user, password):
            raise adapter.validation_error("enter_current_password")
        return password


class SetUpFactor(ActivateTOTPView):  # type: ignore[misc]  # as above
    """Set up a code generator. The code that proves it counts as given: nobody is asked for the next one at once."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the factor, and that it was given."""
        response: HttpResponse = super().form_valid(form)
        factor = Authenticator.objects.get(user=self.request.user, type=Authenticator.Type.TOTP)
        post_authentication(self.request, factor, reauthenticated=True)
        return response


def owes_second_factor(request: HttpRequest, user: User) -> bool:
    """Say whether somebody with rights is in a session that lacks the second factor which the settings require."""
    required: bool = settings.STAFF_NEED_SECOND_FACTOR
    return required and not has_second_factor(request, user) and selectors.has_rights(user=user)


def lacks_second_factor(request: HttpRequest) -> bool:
    return getattr(request.user, "owes_second_factor", False)


class Unproved(AnonymousUser):
    """Somebody in a session that owes the second factor: nobody, but for templates that lead to where it is given."""

    owes_second_factor = True


class NobodyWithoutSecondFactor:
    """Has a session that owes the second factor count for nobody's, but where one signs in, proves it, and signs out.

    There the account is itself, without a permission.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Have the user looked up when somebody wants to know."""
        request.user = SimpleLazyObject(lambda: in_session(request))  # type: ignore[assignment]  # as Django does
        return self.answer(request)


def in_session(request: HttpRequest) -> User | AnonymousUser:
    """Return who is signed in. See ``NobodyWithoutSecondFactor``."""
    user = get_user(request)
    if not isinstance(user, User) or not owes_second_factor(request, user):
        return user
    if not request.path.startswith(reverse("account_login").removesuffix("login/")):
        return Unproved()
    user.has_perm = user.has_perms = user.has_module_perms = no  # type: ignore[method-assign]  # of this object alone
    user.owes_second_factor = True  # type: ignore[attr-defined]  # said, not stored
    return user


def no(*_asked: object, **_about: object) -> bool:
    return False


def second_factor_first(view: View) -> View:
    """Send whoever is signed in and owes the second factor to where it is given or first set up, and on from there."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if lacks_second_factor(request):
            page = "mfa_reauthenticate" if is_mfa_enabled(request.user) else "mfa_activate_totp"
            return redirect(and_back(reverse(page), get_next_redirect_url(request) or reverse("index")))
        return view(request, *args, **kwargs)

    return guarded
