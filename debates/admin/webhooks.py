"""Webhooks at the desk: registered for oneself, updated, disabled, deleted; deliveries are looked at and sent again."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from debates import event_schemas
from debates.admin.action_pages import Acting, Closed, Outcome, Page, StaffRequest
from debates.admin.secret_pages import Making
from debates.models import Delivery, Webhook
from debates.services import webhooks
from debates.services.idempotency import RequestRecord
from debates.types import HookState


class HookForm(forms.Form):
    """Where, and of what."""

    url = forms.CharField(max_length=500, help_text="https://host/path")
    types = forms.MultipleChoiceField(
        required=False,
        choices=[(name, name) for name in event_schemas.TYPES],
        help_text="None chosen means every type of event.",
    )


class WebhookPage(Page[Webhook]):
    """What is done to a webhook by its owner, or by whoever may change webhooks."""

    def may(self, request: StaffRequest, row: Webhook) -> bool:
        return webhooks.may_use(webhook=row, by=request.user)


class InState(WebhookPage):
    """What is done to a webhook in one state of it."""

    done: str
    when: HookState

    def closed(self, request: StaffRequest, row: Webhook) -> Closed | None:
        return None if row.state == self.when.value else Closed(f"This webhook is {row.state}.")

    @abstractmethod
    def service(self, *, webhook_id: int, by: User) -> str:
        """Do it, and return what to tell besides."""

    def act(self, *, request: StaffRequest, row: Webhook, cleaned_data: Mapping[str, Any]) -> Outcome:
        more = self.service(webhook_id=row.pk, by=request.user)
        return Outcome(told=f"{row} {self.done}.{more}", logged=self.done)


class DisablePage(InState):
    name, title, done, when, grave = "disable", "Disable", "is told nothing more", HookState.ACTIVE, True
    says = "What waits for it is given up. Its owner cannot enable again what somebody else disabled."

    def closed(self, request: StaffRequest, row: Webhook) -> Closed | None:
        return None if webhooks.may_disable(webhook=row, by=request.user) else Closed("This webhook is disabled.")

    def may(self, request: StaffRequest, row: Webhook) -> bool:
        return webhooks.may_end(webhook=row, by=request.user)

    def service(self, *, webhook_id: int, by: User) -> str:
        webhooks.disable(webhook_id=webhook_id, by=by, now=timezone.now())
        return ""


class EnablePage(InState):
    name, title, done, when = "enable", "Enable", "is told again", HookState.DISABLED
    says = "It is told of what happens from now on."

    def may(self, request: StaffRequest, row: Webhook) -> bool:
        return webhooks.may_enable(webhook=row, by=request.user)

    def service(self, *, webhook_id: int, by: User) -> str:
        webhooks.enable(webhook_id=webhook_id, by=by)
        return ""


class RotatePage(InState):
    name, title, done, when, proof = "rotate", "New secret", "has a new secret", HookState.ACTIVE, True
    says = "For a day deliveries are signed with both. The new secret is shown once."

    def service(self, *, webhook_id: int, by: User) -> str:
        return f" It is {webhooks.rotate(webhook_id=webhook_id, by=by, now=timezone.now())[1]}"


class Test(InState):
    name, title, done, when = "test", "Send a test", "is sent a test", HookState.ACTIVE
    says = "It is signed as events are, and tried once. What comes of it is among the deliveries, also in the API."

    def service(self, *, webhook_id: int, by: User) -> str:
        return f" It is delivery {webhooks.send_test(webhook_id=webhook_id, by=by, now=timezone.now()).pk}."


class Update(WebhookPage):
    """Has it told elsewhere, or of something else."""

    name, title, form_class, proof = "edit", "Update", HookForm, True
    says = "It counts from now on, under the same secret; what waits goes to the new address."

    def form(self, request: StaffRequest, row: Webhook, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        return super().form(request, row, data=data, initial={"url": row.url, "types": row.types, **initial})

    def act(self, *, request: StaffRequest, row: Webhook, cleaned_data: Mapping[str, Any]) -> Outcome:
        webhook = webhooks.update(webhook_id=row.pk, by=request.user, **cleaned_data)
        return Outcome(told=f"{webhook} is told of {', '.join(webhook.types) or 'everything'}.", logged="updated")


class Delete(WebhookPage):
    """Deletes it with its deliveries."""

    name, title, grave = "remove", "Delete", True
    says = "Its deliveries and their logs are deleted with it, and nothing more is sent. To keep them, disable it."

    def may(self, request: StaffRequest, row: Webhook) -> bool:
        return webhooks.may_end(webhook=row, by=request.user)

    def act(self, *, request: StaffRequest, row: Webhook, cleaned_data: Mapping[str, Any]) -> Outcome:
        webhooks.delete(webhook_id=row.pk, by=request.user)
        goes_to = reverse(f"{admin.site.name}:debates_webhook_changelist")
        return Outcome(told=f"{row} is deleted.", logged="deleted", goes_to=goes_to)


@admin.register(Webhook)
class WebhookAdmin(Making[Webhook]):
    kept_because = "Its deliveries say what was told to whom; delete it with them on its own page, or disable it."
    pages = (Update(), Test(), RotatePage(), DisablePage(), EnablePage(), Delete())
    hidden = ("secret", "former_secret")
    making_title, making_form, secret_is = "Register a webhook", HookForm, "Its secret"
    list_display = ("id", "url", "owner", "debate", "state", "disabled_because", "created_at")
    list_filter = ("state",)
    search_fields = ("url", "public_id", "owner__username")

    def named(self, row: Webhook) -> str:
        return f"{row}: {row.url}"

    def make(self, record: RequestRecord | None, *, by: User, cleaned_data: Mapping[str, Any]) -> tuple[Webhook, str]:
        return webhooks.register.once(record, owner=by, now=timezone.now(), **cleaned_data)


class RedeliverPage(Page[Delivery]):
    """Sends a delivery now: a settled one once more, one that failed before its time."""

    name, title = "redeliver", "Send again"
    says = "It is sent under the id it always had."

    def may(self, request: StaffRequest, row: Delivery) -> bool:
        return webhooks.may_use(webhook=row.webhook, by=request.user)

    def closed(self, request: StaffRequest, row: Delivery) -> Closed | None:
        if row.webhook.state == HookState.DISABLED.value:
            return Closed("Its webhook is disabled. Enable it first.")
        soon = row.due_at is not None and row.due_at <= timezone.now() + webhooks.LEASE
        return Closed("It is under way, or due within a minute.") if soon else None

    def act(self, *, request: StaffRequest, row: Delivery, cleaned_data: Mapping[str, Any]) -> Outcome:
        webhooks.redeliver(delivery_id=row.pk, by=request.user, now=timezone.now())
        return Outcome(told=f"{row} is sent again.", logged="sent again")


@admin.register(Delivery)
class DeliveryAdmin(Acting[Delivery]):
    kept_because = "It says what was told to whom."
    pages = (RedeliverPage(),)
    about = "What was sent to webhooks, or waits to be sent: one row for each event and webhook, and each test."
    list_display = ("id", "webhook", "webhook__url", "event", "state", "attempts", "due_at", "settled_at")
    list_filter = ("state",)
    search_fields = ("public_id", "webhook__url")
