"""Addresses of the resources of judging."""

from typing import Any

urlpatterns: list[Any] = []
