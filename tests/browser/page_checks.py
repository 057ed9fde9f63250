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
ENLARGED = {"width": 640, "height": 450}
"""What is left of a desk's screen for a page that is shown at 200 %."""
SETTLE = "document.getAnimations().filter(one => one instanceof CSSTransition).forEach(one => one.finish())"
LEFT = "net::ERR_ABORTED"
OTHERWISE_IN_THE_DARK = ("link-in-text-block", "scrollable-region-focusable")
BESIDE_EVERY_PAGE = "#nav-sidebar"
"""The list of models in the admin, half of what there is to look at on most of its pages."""
AXE = """async ([exclude, rules, whole, passed]) => {
  const grave = rule => ["serious", "critical"].includes(rule.impact);
  const faults = ({violations}) =>
    violations.filter(grave).map(rule => `${rule.id}: ${rule.nodes[0].html.slice(0, 200)}`);
  const options = {preload: whole, selectors: false, resultTypes: ["violations"]};
  const left = axe._audit.rules.filter(rule => !grave(rule) || rule.id === "color-contrast");
  const off = Object.fromEntries(left.map(({id}) => [id, {enabled: false}]));
  const asked = rules.length ? {runOnly: rules} : {rules: off};
  const others = faults(await axe.run({exclude}, {...options, ...asked}));

  const hash = text => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (const letter of text) {
      high = Math.imul(high ^ letter.codePointAt(0), 2654435761);
      low = Math.imul(low ^ letter.codePointAt(0), 1597334677);
    }
    return 4294967296 * ((high ^ (low >>> 15)) & 0x1fffff) + ((low ^ (high >>> 13)) >>> 0);
  };
  const looks = new Map([[null, 0]]);
  const look = element => {  // with all that the element lies in; null if it may lie on something else
    if (!looks.has(element)) {
      const around = look(element.parentElement), style = getComputedStyle(element);
      const moved = around === null || ["absolute", "fixed", "sticky"].includes(style.position);
      const parts = [
        around, element.tagName, style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.filter,
        style.mixBlendMode, style.textShadow, style.webkitTextStroke, style.fontSize, style.fontWeight, style.transform,
        style.zIndex, style.marginTop,
      ];
      looks.set(element, moved ? null : hash(parts.join("|")));
    }
    return looks.get(element);
  };
  const known = new Set(passed), again = [], anew = [];
  const isText = node => node.nodeType === Node.TEXT_NODE && node.data.trim();
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.matches("input, select, textarea") && ![...element.childNodes].some(isText)) continue;
    (known.has(look(element)) ? again : anew).push(element);
  }
  const context = {include: [document.documentElement, ...anew], exclude: [...exclude, ...again]};
  const contrast = await axe.run(
    context, {...options, elementRef: true, resultTypes: ["violations", "passes"], runOnly: ["color-contrast"]});
  const well = new Set(contrast.passes.flatMap(rule => rule.nodes).map(node => look(node.element)));
  well.delete(null);
  return [[...others, ...faults(contrast)], [...well]];
}"""
PASSED: set[int] = set()
"""How texts look that axe has passed for contrast, each with all that it lies in: no such text is judged again.

Contrast takes two thirds of axe's time, and most texts of a page look as on the page before.
"""


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
    """Return what axe finds serious or critical, by all its rules or by contrast and some; who has met axe keeps it.

    Shape: ``whole`` is with what is the same on every page of the admin, which one test looks at: the list of models,
    and stylesheets, which axe would ask for anew for one of its rules, and their imports at wrong addresses.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    exclude = [] if whole else [[BESIDE_EVERY_PAGE]]
    faults_, passed = page.evaluate(AXE, [exclude, list(rules), whole, list(PASSED)])
    PASSED.update(passed)
    return list(faults_)


def faults_to_all_eyes(page: Page, *, whole: bool = False) -> dict[str, list[str]]:
    """Return what is wrong to whom: dark eyes differ from light ones in colours alone, and phones also in sizes.

    Most pages of the admin share their stylesheets, so those that are not looked at as a ``whole`` are looked at by
    light eyes on a wide screen and dark ones on a phone. What sticks out at the side is wrong to everybody.
    """
    found = {}
    for eyes in with_eyes(page, list(EYES) if whole else ("light", "dark phone")):
        wide, width = page.evaluate("document.documentElement.scrollWidth"), EYES[eyes]["viewport"]["width"]
        sticks_out = [f"{wide} wide on {width}"] if wide > width else []
        rules = OTHERWISE_IN_THE_DARK if "dark" in eyes else ()
        found[eyes] = sticks_out + faults(page, rules=rules, whole=whole)
    if whole:
        page.set_viewport_size(ENLARGED)
        wide = page.evaluate("document.documentElement.scrollWidth")
        found["enlarged"] = [f"{wide} wide at 200 %"] if wide > ENLARGED["width"] else []
    return {eyes: some for eyes, some in found.items() if some}
