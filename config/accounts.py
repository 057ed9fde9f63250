"""Who may sign in and how: no public sign-up, and a second factor where it is required of staff."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject


class ClosedAccounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts are made by moderators and by invitation, never by sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say that nobody signs up."""
        return False


def has_second_factor(request: HttpRequest, user: User | AnonymousUser) -> bool:
    """Say whether the session of a request was signed in with a second factor."""
    # Without the user the records come back empty, whatever happened.
    records: list[dict[str, Any]] = get_authentication_records(request, user)
    return any(record.get("method") == "mfa" for record in records)


def owes_second_factor(request: HttpRequest, user: User | AnonymousUser) -> bool:
    """Say whether somebody is a member of the staff whose session lacks the second factor that the settings require."""
    required: bool = settings.STAFF_NEED_SECOND_FACTOR
    return required and user.is_active and user.is_staff and not has_second_factor(request, user)


def lacks_second_factor(request: HttpRequest) -> bool:
    """Say whether who is signed in still owes the second factor."""
    return owes_second_factor(request, request.user)


class NoPermissionWithoutSecondFactor:
    """Takes every permission from a session that owes the second factor, at every door: it sees what others see."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Have the user looked up, when somebody wants to know, without what they may not do yet."""
        request.user = SimpleLazyObject(lambda: in_session(request))  # type: ignore[assignment]  # as Django does
        return self.answer(request)


def in_session(request: HttpRequest) -> User | AnonymousUser:
    """Return who is signed in; ``owes_second_factor`` says so where they do, for templates."""
    user = get_user(request)
    if isinstance(user, User) and owes_second_factor(request, user):
        user.has_perm = user.has_perms = user.has_module_perms = no  # type: ignore[method-assign]  # of this object alone
        user.owes_second_factor = True  # type: ignore[attr-defined]  # said, not stored
    return user


def no(*_asked: object, **_about: object) -> bool:
    """Say no."""
    return False


def where_to_give_it(request: HttpRequest) -> str:
    """Return the name of the page on which somebody gives, or first sets up, the second factor."""
    return "mfa_reauthenticate" if is_mfa_enabled(request.user) else "mfa_activate_totp"
