"""One site, one Chromium and the people of a desk, for all tests of a module: who opens a page finds the browser warm.

Rows are written for good and the database is emptied once, after the module, so each test makes rows of its own.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import connections
from django.test import modify_settings
from django.test.testcases import LiveServerThread
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.page_checks import EYES, watched
from tests.moderators import client_of, proved

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ACT = "input[name=_act]"


@dataclass
class Room:
    """A site, and a page for each person who looks at it."""

    url: str
    browser: Browser
    pages: dict[int, Page] = field(default_factory=dict)

    def sit_down(self, user: Any = None, *, at: str = "/admin/", eyes: str = "light") -> Page:
        """Open a page of the site as somebody who is signed in, or as a visitor, with nothing to complain of yet."""
        key = user.pk if user else 0
        if key not in self.pages:
            context = self.browser.new_context(base_url=self.url, **EYES["light"])
            if user:
                context.add_cookies([self.cookie(user)])
            self.pages[key] = watched(context)
            self.pages[key].route_web_socket("**", lambda line: None)  # open, and silent: this site has no sockets
        page = self.pages[key]
        if "/admin/" not in page.url:  # what a page before that moves by itself still waits for is no complaint of this
            page.goto("about:blank")  # one; elsewhere a process for nothing would take longer than the page
        page.set_viewport_size(EYES[eyes]["viewport"])
        page.emulate_media(color_scheme=EYES[eyes]["color_scheme"], media="screen")
        page.complaints.clear()  # type: ignore[attr-defined]  # looking.watched adds it
        page.requested.clear()  # type: ignore[attr-defined]  # as above
        page.goto(at)
        return page

    def cookie(self, user: Any) -> Any:
        client = proved(client_of(user), lasting=3600)  # the tests of a module take their time
        host = urlsplit(self.url).hostname
        return {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": host, "path": "/"}


@contextmanager
def served() -> Iterator[str]:
    """Serve the site; static files are kept by the browser, as WhiteNoise lets it."""
    with modify_settings(ALLOWED_HOSTS={"append": "localhost"}):
        thread = LiveServerThread("localhost", static_handler=lambda site: site)
        thread.daemon = True
        thread.start()
        thread.is_ready.wait()
        if thread.error:
            raise thread.error
        yield f"http://localhost:{thread.port}"
        thread.terminate()


@contextmanager
def launched() -> Iterator[Browser]:
    if CHROMIUM is None:
        assert not os.environ.get("CI"), "Chromium is missing, and in CI no test may be left out."
        pytest.skip("needs Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def furnished() -> Iterator[None]:
    """Let rows be written for good, also while Chromium runs in this thread; empty the database afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # the loop of Playwright rests while a test asks
        yield
    connections.close_all()
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def offers(page: Page) -> list[str]:
    """Return what the page of a row offers to do."""
    links = page.locator(".object-tools .offer a").all_inner_texts()
    return links + page.locator("details.action summary").all_inner_texts()


def fill(page: Page, **given: str) -> None:
    """Fill a form in by the names of its fields; a choice is taken by its value, or the first there is."""
    for name, value in given.items():
        field_ = page.locator(f"[name='{name}']:not([type=hidden])")
        if field_.first.get_attribute("type") in {"radio", "checkbox"}:
            (page.locator(f"[name='{name}'][value='{value}']") if value else field_).first.check()
        else:
            field_.fill(value)


def sent(page: Page) -> str:
    """Send the form of an action, and return what the desk says then."""
    with page.expect_navigation():
        page.locator(ACT).click()
    return page.locator(".messagelist").inner_text()


def choose(page: Page, action: str) -> None:
    """Choose every score of a list, and what to do to them."""
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").select_option(action)
    page.get_by_role("button", name="Go").click()


def refused(page: Page, path: str) -> bool:
    """Say whether a page is refused, in words, to whoever asks for it by its address."""
    answer = page.request.get(path)
    return answer.status == HTTPStatus.FORBIDDEN and "This is not open to you" in answer.text()
