"""Erasures: whose words were taken away, by whom and why."""

from django.contrib import admin

from debates.admin import ReadOnly
from scoring.models import Erasure


@admin.register(Erasure)
class ErasureAdmin(ReadOnly[Erasure]):
    kept_because = "It says why words are missing from a history."
    list_display = ("pk", "scope", "debate", "participant", "user", "by", "because", "at")
    list_filter = ("scope",)
    list_select_related = ("debate", "participant", "user", "by", "because")
    search_fields = ("public_id", "debate__title", "by__name")
    ordering = ("-id",)
