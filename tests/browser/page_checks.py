"""Looking at pages: with which eyes, and what is found."""

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
ENLARGED = {"width": 640, "height": 450}
"""What is left of a desk's screen for a page that is shown at 200 %."""
SETTLE = "document.getAnimations().filter(one => one instanceof CSSTransition).forEach(one => one.finish())"
LEFT = "net::ERR_ABORTED"
COLOURS = ("color-contrast", "link-in-text-block")
OF_SIZE = ("scrollable-region-focusable",)
BESIDE_EVERY_PAGE = "#nav-sidebar"
"""The list of models in the admin, half of what there is to look at on most of its pages."""
NEW_LOOK = "data-new-look"
LOOKS = """known => {
  const seen = new Set(known), fresh = new Set()
  const behind = element => {
    const layers = []
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at)
      const clear = backgroundColor === "rgba(0, 0, 0, 0)"
      const shows = !clear || backgroundImage !== "none" || opacity !== "1"
      if (shows) layers.push(backgroundColor, backgroundImage, opacity)
      if (!clear && !backgroundColor.startsWith("rgba")) break
    }
    return layers
  }
  for (const element of document.body.querySelectorAll("*")) {
    element.removeAttribute("data-new-look")
    const says = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
    if (!(says || element.matches("input, select, textarea")) || !element.checkVisibility()) continue
    const own = getComputedStyle(element), around = getComputedStyle(element.parentElement)
    const look = [own.color, own.fontSize, own.fontWeight, own.textShadow, own.textDecorationLine, own.visibility,
      own.position, element.matches(":disabled"), around.color, ...behind(element)].join(" ")
    if (seen.has(look)) continue
    fresh.add(look)
    element.setAttribute("data-new-look", "")
  }
  return [...fresh]
}"""
"""What the contrast of words depends on: whoever shows words in a way that is not known yet is marked."""
JUDGED: set[str] = set()
"""The looks of words that axe was shown in this process: most pages have no others, and contrast takes it longest."""
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

    What a page that is left was still waiting for is ended by the browser, which is no complaint.
    """
    page = context.new_page()
    page.complaints, page.requested = complaints, requested = [], []  # type: ignore[attr-defined]
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda one: complaints.append(f"failed: {one.url}") if one.failure != LEFT else None)
    page.on("request", lambda request: requested.append(request.url))
    return page


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")


def with_eyes(page: Page, names: Sequence[str]) -> Iterator[str]:
    """Look at a page with some eyes in turn, without loading it anew."""
    for name in names:
        eyes = EYES[name]
        page.set_viewport_size(eyes["viewport"])
        page.emulate_media(color_scheme=eyes["color_scheme"])
        page.evaluate(SETTLE)
        yield name


def faults(page: Page, *, rules: Sequence[str] = (), whole: bool = False) -> list[str]:
    """Return what axe finds serious or critical, by all its rules or by some; a page that has met axe keeps it.

    Words are judged by their colours where they look as no words did before.

    Shape: ``whole`` is with what is the same on every page of the admin, which one test looks at: the list of models,
    and stylesheets, which axe would ask for anew for one of its rules, and their imports at wrong addresses.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    context: dict[str, Any] = {"exclude": [] if whole else [[BESIDE_EVERY_PAGE]]}
    options = {"preload": whole, "selectors": False}
    if whole:
        return grave(page, context, options | ({"runOnly": list(rules)} if rules else {}))
    found = []
    if not rules or set(COLOURS) & set(rules):
        looks = page.evaluate(LOOKS, list(JUDGED))
        if looks:
            found = grave(page, {"include": [[f"[{NEW_LOOK}]"]], **context}, {"runOnly": list(COLOURS), **options})
        JUDGED.update(() if found else looks)
    others = [rule for rule in rules if rule not in COLOURS]
    if others:
        found += grave(page, context, {"runOnly": others, **options})
    elif not rules:
        found += grave(page, context, {"rules": {name: {"enabled": False} for name in COLOURS}, **options})
    return found


def grave(page: Page, context: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
    found: list[str] = page.evaluate(GRAVE, [context, options])
    return found


def faults_to_all_eyes(page: Page, *, whole: bool = False) -> dict[str, list[str]]:
    """Return what is wrong to whom: dark eyes differ from light ones in colours alone, and phones also in sizes.

    Most pages of the admin share their stylesheets, so those that are not looked at as a ``whole`` are looked at by
    light eyes on a wide screen and dark ones on a phone. What sticks out at the side is wrong to everybody.
    """
    found = {}
    for eyes in with_eyes(page, list(EYES) if whole else ("light", "dark phone")):
        wide, width = page.evaluate("document.documentElement.scrollWidth"), EYES[eyes]["viewport"]["width"]
        sticks_out = [f"{wide} wide on {width}"] if wide > width else []
        rules = (*COLOURS, *OF_SIZE) if "dark" in eyes else ()
        found[eyes] = sticks_out + faults(page, rules=rules, whole=whole)
    if whole:
        page.set_viewport_size(ENLARGED)
        wide = page.evaluate("document.documentElement.scrollWidth")
        found["enlarged"] = [f"{wide} wide at 200 %"] if wide > ENLARGED["width"] else []
    return {eyes: some for eyes, some in found.items() if some}
