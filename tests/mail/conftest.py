"""A site that sends its mail to a sink on loopback."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from config import mail as mail_settings
from judging.engine import tasks
from tests.mail.sink import Sink, sinking


@pytest.fixture
def sink(settings) -> Iterator[Sink]:
    """A mail server, named by the site's settings."""
    with sinking() as running:
        for name, value in mail_settings.settings_of(running.url).items():
            setattr(settings, name, value)
        settings.MAIL_IS_SENT, settings.EMAIL_TIMEOUT = True, 5
        settings.SITE_URL = "https://moot.example.org"
        yield running


@pytest.fixture
def send(monkeypatch) -> Callable[..., None]:
    """Do what a worker does at one look, now or as of another moment."""

    def look(at=None) -> None:
        with monkeypatch.context() as patch:
            if at is not None:
                patch.setattr(timezone, "now", lambda: at)
            asyncio.run(tasks.send_due_mail())

    return look
