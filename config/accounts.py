"""Who may sign in and how: no public sign-up, and a second factor where it is required of staff."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest


class ClosedAccounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts are made by moderators and by invitation, never by sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say that nobody signs up."""
        return False


def has_second_factor(request: HttpRequest) -> bool:
    """Say whether this session was signed in with a second factor."""
    # Without the user the records come back empty, whatever happened.
    records: list[dict[str, Any]] = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


def lacks_second_factor(request: HttpRequest) -> bool:
    """Say whether a member of the staff still owes the second factor that the settings require."""
    required: bool = settings.STAFF_NEED_SECOND_FACTOR
    return required and request.user.is_active and request.user.is_staff and not has_second_factor(request)


def where_to_give_it(request: HttpRequest) -> str:
    """Return the name of the page on which somebody gives, or first sets up, the second factor."""
    return "mfa_reauthenticate" if is_mfa_enabled(request.user) else "mfa_activate_totp"
