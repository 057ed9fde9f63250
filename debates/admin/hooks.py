"""Webhooks and their deliveries at the desk."""

from __future__ import annotations

from django.contrib import admin

from debates.admin.reading import ReadOnly
from debates.models import Delivery, Webhook


@admin.register(Webhook)
class WebhookAdmin(ReadOnly[Webhook]):
    kept_because = "Its deliveries say what was told to whom; disable it instead."
    hidden = ("secret", "former_secret")
    list_display = ("id", "url", "owner", "debate", "state", "disabled_because", "created_at")
    list_filter = ("state",)
    list_select_related = ("owner", "debate")
    search_fields = ("url", "public_id", "owner__username")
    ordering = ("-id",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly[Delivery]):
    kept_because = "It says what was told to whom."
    list_display = ("id", "webhook", "event", "state", "attempts", "due_at", "settled_at")
    list_filter = ("state",)
    list_select_related = ("webhook", "event")
    search_fields = ("public_id", "webhook__url")
    ordering = ("-id",)
