"""API keys at the desk: made for oneself, shown once, revoked; and the requests that were done once."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.utils import timezone

from debates.admin.action_pages import Closed, Outcome, Page, StaffRequest
from debates.admin.read_only import ReadOnly
from debates.admin.secret_pages import Making
from debates.models import ApiKey, IdempotencyKey
from debates.printable import clock
from debates.services import keys
from debates.services.idempotency import RequestRecord
from debates.types import Scope


class KeyForm(forms.Form):
    """What a key is for, what it may do, and how long."""

    name = forms.CharField(
        max_length=keys.LONGEST_NAME, help_text="What the key is for, so that you know which one to revoke."
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope.value, scope.value) for scope in Scope],
        widget=forms.CheckboxSelectMultiple,
        help_text="No scope allows what you may not do yourself.",
    )
    expires_at = forms.DateTimeField(required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        zone = timezone.get_current_timezone_name()
        self.fields["expires_at"].help_text = f"A day and a time, {zone}. Empty: it does not expire."


class RevokePage(Page[ApiKey]):
    """Ends a key for good."""

    name, title, grave = "revoke", "Revoke", True
    says = "The next request with this key is refused. It cannot be undone; make a new one."

    def may(self, request: StaffRequest, row: ApiKey) -> bool:
        return row.owner_id == request.user.pk or request.user.has_perm("debates.change_apikey")

    def closed(self, request: StaffRequest, row: ApiKey) -> Closed | None:
        return Closed(f"It was revoked at {clock(row.revoked_at)}.") if row.revoked_at else None

    def act(self, *, request: StaffRequest, row: ApiKey, cleaned_data: Mapping[str, Any]) -> Outcome:
        keys.revoke(key_id=row.pk, by=request.user, now=timezone.now())
        return Outcome(told=f"{row} is revoked.", logged="revoked")


@admin.register(ApiKey)
class ApiKeyAdmin(Making[ApiKey]):
    kept_because = "It says who asked; revoke it instead."
    pages = (RevokePage(),)
    hidden = ("digest",)
    making_title, making_form, secret_is = "Make an API key", KeyForm, "The key"
    list_display = ("name", "prefix", "owner", "scopes", "last_used_at", "expires_at", "revoked_at")
    list_filter = ("revoked_at",)
    search_fields = ("name", "prefix", "owner__username")

    def make(self, record: RequestRecord | None, *, by: User, cleaned_data: Mapping[str, Any]) -> tuple[ApiKey, str]:
        """Make a key; a form that is sent twice makes two, for the text of the first is kept nowhere."""
        return keys.issue(owner=by, by=by, now=timezone.now(), **cleaned_data)


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(ReadOnly[IdempotencyKey]):
    kept_because = "It keeps a request from being done twice; it goes by itself."
    about = "Requests to the API with a key of their own, and forms, so that a repeated one is not done twice."
    hidden = ("digest", "body")  # an answer may hold a secret that is shown once
    list_display = ("key", "owner", "api_key", "status", "at")
    search_fields = ("key", "owner__username")
