"""Addresses of the resources of scoring."""

from typing import Any

urlpatterns: list[Any] = []
