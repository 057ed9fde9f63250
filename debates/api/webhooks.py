"""One's own API keys, webhooks and their deliveries."""

from typing import Any

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates import event_schemas, selectors
from debates.api import serializers as api_serializers
from debates.api.authentication import key_in
from debates.api.fields import Choice, any_of, event_types
from debates.api.paging import PagingSerializer
from debates.api.permissions import RequiredAccess
from debates.api.views import ActionView, ApiView, CreateView, ListView, RetrieveView
from debates.errors import NotFound
from debates.models import ApiKey, Delivery, Webhook
from debates.services import keys, webhooks
from debates.types import WEBHOOK_TEST, Scope


class ApiKeyView(ApiView):
    """Which keys one manages: all of one's own; through a key without the scope for it, that key alone."""

    tag, serializer_class = "api keys", api_serializers.ApiKeySerializer

    def get_queryset(self) -> QuerySet[ApiKey]:
        own, key = ApiKey.objects.filter(owner=self.person), key_in(self.request)
        return own if key is None or Scope.KEYS.value in key.scopes else own.filter(pk=key.pk)


class ApiKeys(ApiKeyView, ListView):
    """List one's own API keys, without what they open; a key lists itself, with the scope `keys` all of its owner's.

    They are made in the admin or by a command.
    """


class RevokeApiKey(ApiKeyView, ActionView):
    """Revoke one of one's own API keys, for good; a key revokes itself, with the scope `keys` any of its owner's."""

    def act(self, row: ApiKey, data: dict[str, Any]) -> ApiKey:
        return keys.revoke.once(self.record, key_id=row.pk, by=self.person, now=timezone.now())


class WebhookView(ApiView):
    """Whose webhooks one sees: one's own, and all with the permission to view them."""

    tag = "webhooks"
    serializer_class: Any = api_serializers.WebhookSerializer
    access = write_access = RequiredAccess(Scope.WEBHOOKS)

    def sees_all(self) -> bool:
        return self.person.has_perm("debates.view_webhook")

    def webhooks(self) -> QuerySet[Webhook]:
        rows = Webhook.objects.select_related("debate").defer("debate__parameters")
        return rows if self.sees_all() else rows.filter(owner=self.person)

    def get_queryset(self) -> QuerySet[Any]:
        return self.webhooks()


class WithSecretSerializer(api_serializers.WebhookSerializer):
    """A webhook with its secret, which is shown now and never again."""

    secret = serializers.CharField()


class RegisterWebhookInputSerializer(serializers.Serializer[Any]):
    """Where, and of what."""

    url = serializers.CharField(max_length=500)
    debate = serializers.UUIDField(required=False)
    types = serializers.ListField(child=event_types(), required=False, default=list, max_length=100)


class Webhooks(WebhookView, ListView, CreateView):
    """List webhooks, newest first."""

    write_access = RequiredAccess(Scope.WEBHOOKS, "debates.add_webhook", proof=True)
    Input = RegisterWebhookInputSerializer
    example = {"url": "https://example.org/moot", "types": ["debate:concluded"]}
    filters = ("state",)

    def get_serializer_class(self) -> type[api_serializers.WebhookSerializer]:
        return WithSecretSerializer if self.request.method == "POST" else api_serializers.WebhookSerializer

    @extend_schema(operation_id="register_webhook")
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Have an address told of events: of one debate or of all that a list shows, of some types or of every one."""
        return super().post(request, **kwargs)

    def act(self, row: None, data: dict[str, Any]) -> tuple[Webhook, str]:
        debate = self.debates().filter(public_id=data["debate"]).first() if "debate" in data else None
        if "debate" in data and debate is None:
            raise NotFound(f"debate: there is no debate {data['debate']} that you may read.")
        return webhooks.register.once(
            self.record, owner=self.person, url=data["url"], types=data["types"], debate=debate, now=timezone.now()
        )

    def answer(self, result: tuple[Webhook, str]) -> Response:
        return self.respond(result[0])


class OneWebhook(WebhookView, RetrieveView, generics.DestroyAPIView[Any]):
    """Show a webhook."""

    @extend_schema(operation_id="delete_webhook")
    def delete(self, request: Request, **kwargs: Any) -> Response:
        """Delete a webhook with its deliveries and their logs; nothing more is sent to it."""
        return super().delete(request, **kwargs)

    def perform_destroy(self, instance: Webhook) -> None:
        webhooks.delete(webhook_id=instance.pk, by=self.person)


class UpdateWebhook(WebhookView, ActionView):
    """Have a webhook told at another address, or of other types, from now on; what is left out stays as it is."""

    write_access = RequiredAccess(Scope.WEBHOOKS, proof=True)
    example = {"types": ["debate:concluded"]}

    class Input(serializers.Serializer[Any]):
        """Where, and of what; no types means every one."""

        url = serializers.CharField(max_length=500, required=False)
        types = serializers.ListField(child=event_types(), required=False, max_length=100)

    def act(self, row: Webhook, data: dict[str, Any]) -> Webhook:
        return webhooks.update.once(self.record, webhook_id=row.pk, by=self.person, **data)


class TestWebhook(WebhookView, ActionView):
    """Send a webhook a test, signed as events are: once, and whatever it is told of otherwise."""

    serializer_class = api_serializers.DeliverySerializer

    def act(self, row: Webhook, data: dict[str, Any]) -> Delivery:
        return webhooks.send_test.once(self.record, webhook_id=row.pk, by=self.person, now=timezone.now())


class RotateSecret(WebhookView, ActionView):
    """Give a webhook a new secret. For a day deliveries are signed with the former one as well."""

    serializer_class, write_access = WithSecretSerializer, RequiredAccess(Scope.WEBHOOKS, proof=True)

    def act(self, row: Webhook, data: dict[str, Any]) -> tuple[Webhook, str]:
        return webhooks.rotate.once(self.record, webhook_id=row.pk, by=self.person, now=timezone.now())

    def answer(self, result: tuple[Webhook, str]) -> Response:
        return self.respond(result[0])


class DisableWebhook(WebhookView, ActionView):
    """Tell a webhook nothing more; what waits for it is given up."""

    def act(self, row: Webhook, data: dict[str, Any]) -> Webhook:
        return webhooks.disable.once(self.record, webhook_id=row.pk, by=self.person, now=timezone.now())


class EnableWebhook(WebhookView, ActionView):
    """Tell a disabled webhook of what happens from now on."""

    def act(self, row: Webhook, data: dict[str, Any]) -> Webhook:
        return webhooks.enable.once(self.record, webhook_id=row.pk, by=self.person)


DELIVERY = ("webhook", "event__debate")


class DeliveryView(WebhookView):
    """Which deliveries one sees: those of the webhooks one sees, of events that one may read."""

    serializer_class = api_serializers.DeliverySerializer

    def get_queryset(self) -> QuerySet[Delivery]:
        rows = selectors.readable_deliveries(visitor=self.person)
        if self.sees_all():
            return rows
        # As a list: beside a query, PostgreSQL asks first of everybody's deliveries who may read them.
        return rows.filter(webhook__in=list(self.webhooks().values_list("pk", flat=True)))


class Deliveries(DeliveryView, ListView):
    """List deliveries with the log of their attempts, newest first, of events that one may read."""

    filters = ("webhook", "state")

    class Query(PagingSerializer):
        """Of which type."""

        type = any_of(Choice(choices=[*event_schemas.TYPES, WEBHOOK_TEST]), source="told_type")

    def get_queryset(self) -> QuerySet[Delivery]:
        told_type = Coalesce("event__type", Value(WEBHOOK_TEST))
        rows = super().get_queryset().select_related(*DELIVERY).defer("event__debate__parameters")
        return rows.annotate(told_type=told_type)


class Redeliver(DeliveryView, ActionView):
    """Send a delivery now, under the id it always had: a settled one once more, one that failed before its time."""

    def act(self, row: Delivery, data: dict[str, Any]) -> Delivery:
        return webhooks.redeliver.once(self.record, delivery_id=row.pk, by=self.person, now=timezone.now())

    def answer(self, result: Delivery) -> Response:
        return self.respond(Delivery.objects.select_related(*DELIVERY).get(pk=result.pk))
