"""Looking at pages: with which eyes, and what is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page

EYES: Mapping[str, Mapping[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    "dark phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}
SETTLE = "document.getAnimations().filter(one => one instanceof CSSTransition).forEach(one => one.finish())"
COLOURS = ("color-contrast", "link-in-text-block")
BESIDE_EVERY_PAGE = "#nav-sidebar"
"""The list of models in the admin, half of what there is to look at on most of its pages."""
GRAVE = """([context, options]) => axe.run(context, {...options, resultTypes: ["violations"]})
  .then(({violations}) => violations.filter(one => ["serious", "critical"].includes(one.impact))
  .map(one => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`))"""


@contextmanager
def opened(browser: Browser, url: str, *, eyes: str = "light", session: Any = None) -> Iterator[Page]:
    """Open a page as somebody with these eyes."""
    context = browser.new_context(**EYES[eyes])
    if session:
        context.add_cookies([session])
    page = watched(context)
    page.goto(url)
    yield page
    context.close()


def watched(context: BrowserContext) -> Page:
    """Return a new page that notes what the browser complains of, and what it asks for.

    What was asked for before both lists were cleared fails because the page that asked was left.
    """
    page = context.new_page()
    page.complaints, page.requested = complaints, requested = [], []  # type: ignore[attr-defined]
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda one: complaints.append(f"failed: {one.url}") if one.url in requested else None)
    page.on("request", lambda request: requested.append(request.url))
    return page


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")


def with_all_eyes(page: Page) -> Iterator[str]:
    """Look at a page with all eyes in turn, without loading it anew."""
    for name, eyes in EYES.items():
        page.set_viewport_size(eyes["viewport"])
        page.emulate_media(color_scheme=eyes["color_scheme"])
        page.evaluate(SETTLE)
        yield name


def faults(page: Page, *, rules: Sequence[str] = (), whole: bool = False) -> list[str]:
    """Return what axe finds serious or critical, by all its rules or by some; a page that has met axe keeps it.

    Shape: ``whole`` is with what is the same on every page of the admin, which one test looks at: the list of models,
    and stylesheets, which axe would ask for anew for one of its rules, and their imports at wrong addresses.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    context = {"exclude": [] if whole else [[BESIDE_EVERY_PAGE]]}
    options = {"preload": whole, **({"runOnly": list(rules)} if rules else {})}
    found: list[str] = page.evaluate(GRAVE, [context, options])
    return found


def faults_to_all_eyes(page: Page, *, whole: bool = False) -> dict[str, list[str]]:
    """Return what is wrong to whom, looking with all eyes: dark ones differ from light ones in colours alone.

    What sticks out at the side is wrong to everybody.
    """
    found = {}
    for eyes in with_all_eyes(page):
        wide, width = page.evaluate("document.documentElement.scrollWidth"), EYES[eyes]["viewport"]["width"]
        sticks_out = [f"{wide} wide on {width}"] if wide > width else []
        found[eyes] = sticks_out + faults(page, rules=COLOURS if "dark" in eyes else (), whole=whole)
    return {eyes: some for eyes, some in found.items() if some}
