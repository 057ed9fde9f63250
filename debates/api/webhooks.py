"""One's own API keys, webhooks and their deliveries."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates import event_schemas, selectors
from debates.api import serializers as api_serializers
from debates.api.authentication import key_in
from debates.api.fields import Choice, any_of, event_types, words
from debates.api.paging import Paging
from debates.api.views import Act, Many, One, Remove
from debates.errors import NotFound
from debates.models import ApiKey, Debate, Delivery, Webhook
from debates.services import keys, webhooks
from debates.types import WEBHOOK_TEST, DeliveryState, HookState, Scope


class OwnKeys:
    """Which keys one manages: all of one's own; through a key without the scope for it, that key alone."""

    person: Any
    request: Any

    def keys(self) -> QuerySet[ApiKey]:
        own, key = ApiKey.objects.filter(owner=self.person), key_in(self.request)
        return own if key is None or Scope.KEYS.value in key.scopes else own.filter(pk=key.pk)


class ApiKeys(OwnKeys, Many):
    """List one's own API keys, without what they open; a key lists itself, with the scope `keys` all of its owner's.

    They are made in the admin or by a command.
    """

    tag, Output = "api keys", api_serializers.ApiKey

    def rows(self) -> QuerySet[ApiKey]:
        return self.keys()


class RevokeApiKey(OwnKeys, Act):
    """Revoke one of one's own API keys, for good; a key revokes itself, with the scope `keys` any of its owner's."""

    tag, Output = "api keys", api_serializers.ApiKey

    def row(self) -> ApiKey:
        return self.one(self.keys())

    def act(self, row: ApiKey, given: dict[str, Any]) -> ApiKey:
        return keys.revoke.once(self.record, key_id=row.pk, by=self.person, now=timezone.now())


class Hooks:
    """Whose webhooks one sees: one's own, and all with the permission to view them."""

    person: Any

    def hooks(self) -> QuerySet[Webhook]:
        rows = Webhook.objects.select_related("debate")
        return rows if self.person.has_perm("debates.view_webhook") else rows.filter(owner=self.person)


class Webhooks(Hooks, Many):
    """List webhooks, newest first."""

    tag, scope, Output = "webhooks", Scope.WEBHOOKS, api_serializers.Webhook

    class Query(Paging):
        """Where they stand."""

        state = any_of(words(HookState))

    def rows(self) -> QuerySet[Webhook]:
        return self.hooks()


class OneWebhook(Hooks, One):
    """Show a webhook."""

    tag, scope, Output = "webhooks", Scope.WEBHOOKS, api_serializers.Webhook

    def row(self) -> Webhook:
        return self.one(self.hooks())


class WithSecret(api_serializers.Webhook):
    """A webhook with its secret, which is shown now and never again."""

    secret = serializers.CharField()


class RegisterWebhook(Act):
    """Have an address told of events: of one debate or of all that a list shows, of some types or of every one."""

    tag, scope, permission, answers = "webhooks", Scope.WEBHOOKS, "debates.add_webhook", status.HTTP_201_CREATED
    Output, proof = WithSecret, True
    example = {"url": "https://example.org/moot", "types": ["debate:concluded"]}

    class Input(serializers.Serializer[Any]):
        """Where, and of what."""

        url = serializers.CharField(max_length=500)
        debate = serializers.UUIDField(required=False)
        types = serializers.ListField(child=event_types(), required=False, default=list, max_length=100)

    def act(self, row: Any, given: dict[str, Any]) -> tuple[Webhook, str]:
        return webhooks.register.once(
            self.record,
            owner=self.person,
            url=given["url"],
            types=given["types"],
            debate=self.about(given.get("debate")),
            now=timezone.now(),
        )

    def answer(self, done: tuple[Webhook, str]) -> Response:
        return self.shown(done[0])

    def about(self, debate: UUID | None) -> Debate | None:
        """Return the debate it is about.

        Raises: ``NotFound`` naming the field.
        """
        found = self.debates().filter(public_id=debate).first() if debate is not None else None
        if debate is not None and found is None:
            raise NotFound(f"debate: there is no debate {debate} that you may read.")
        return found


class OnWebhook(Hooks, Act):
    """Something that is done to a webhook."""

    tag, scope = "webhooks", Scope.WEBHOOKS
    Output: ClassVar[Any] = api_serializers.Webhook

    def row(self) -> Webhook:
        return self.one(self.hooks())


class UpdateWebhook(OnWebhook):
    """Have a webhook told at another address, or of other types, from now on; what is left out stays as it is."""

    example = {"types": ["debate:concluded"]}

    class Input(serializers.Serializer[Any]):
        """Where, and of what; no types means every one."""

        url = serializers.CharField(max_length=500, required=False)
        types = serializers.ListField(child=event_types(), required=False, max_length=100)

    def act(self, row: Webhook, given: dict[str, Any]) -> Webhook:
        return webhooks.update.once(self.record, webhook_id=row.pk, by=self.person, **given)


class TestWebhook(OnWebhook):
    """Send a webhook a test, signed as events are: once, and whatever it is told of otherwise."""

    Output = api_serializers.Delivery

    def act(self, row: Webhook, given: dict[str, Any]) -> Delivery:
        return webhooks.send_test.once(self.record, webhook_id=row.pk, by=self.person, now=timezone.now())


class DeleteWebhook(Hooks, Remove):
    """Delete a webhook with its deliveries and their logs; nothing more is sent to it."""

    tag, scope = "webhooks", Scope.WEBHOOKS

    def row(self) -> Webhook:
        return self.one(self.hooks())

    def act(self, row: Webhook) -> None:
        webhooks.delete(webhook_id=row.pk, by=self.person)


class RotateSecret(OnWebhook):
    """Give a webhook a new secret. For a day deliveries are signed with the former one as well."""

    Output, proof = WithSecret, True

    def act(self, row: Webhook, given: dict[str, Any]) -> tuple[Webhook, str]:
        return webhooks.rotate.once(self.record, webhook_id=row.pk, by=self.person, now=timezone.now())

    def answer(self, done: tuple[Webhook, str]) -> Response:
        return self.shown(done[0])


class DisableWebhook(OnWebhook):
    """Tell a webhook nothing more; what waits for it is given up."""

    def act(self, row: Webhook, given: dict[str, Any]) -> Webhook:
        return webhooks.disable.once(self.record, webhook_id=row.pk, by=self.person, now=timezone.now())


class EnableWebhook(OnWebhook):
    """Tell a disabled webhook of what happens from now on."""

    def act(self, row: Webhook, given: dict[str, Any]) -> Webhook:
        return webhooks.enable.once(self.record, webhook_id=row.pk, by=self.person)


DELIVERY = ("webhook", "event__debate")


class Sent(Hooks):
    """Which deliveries one sees: those of the webhooks one sees, of events that one may read."""

    def deliveries(self) -> QuerySet[Delivery]:
        return selectors.readable_deliveries(visitor=self.person).filter(webhook__in=self.hooks())


class Deliveries(Sent, Many):
    """List deliveries with the log of their attempts, newest first, of events that one may read."""

    tag, scope, Output = "webhooks", Scope.WEBHOOKS, api_serializers.Delivery

    class Query(Paging):
        """Of which webhook and type, and where they stand."""

        webhook = any_of(serializers.UUIDField(), source="webhook__public_id")
        state = any_of(words(DeliveryState))
        type = any_of(Choice(choices=[*event_schemas.TYPES, WEBHOOK_TEST]), source="told_type")

    def rows(self) -> QuerySet[Delivery]:
        told_type = Coalesce("event__type", Value(WEBHOOK_TEST))
        return self.deliveries().select_related(*DELIVERY).annotate(told_type=told_type)


class Redeliver(Sent, Act):
    """Send a delivery now, under the id it always had: a settled one once more, one that failed before its time."""

    tag, scope, Output = "webhooks", Scope.WEBHOOKS, api_serializers.Delivery

    def row(self) -> Delivery:
        return self.one(self.deliveries())

    def act(self, row: Delivery, given: dict[str, Any]) -> Delivery:
        return webhooks.redeliver.once(self.record, delivery_id=row.pk, by=self.person, now=timezone.now())

    def answer(self, done: Any) -> Response:
        return self.shown(Delivery.objects.select_related(*DELIVERY).get(pk=done.pk))
