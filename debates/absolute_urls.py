"""Whole addresses of the site's pages, for what is read elsewhere: mail, calendars, terminals."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse


def whole(name: str, *args: Any) -> str:
    """Return the whole address of a page, by the name of its pattern."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def host() -> str:
    """Return the name of the site's host, for ids that are to be unique in the world."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"
