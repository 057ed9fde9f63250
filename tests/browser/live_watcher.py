"""What somebody sees who has the page of a debate open, and how long they wait for it."""

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

SHOWN = """() => {
  const all = (selector, place = document) => [...place.querySelectorAll(selector)]
  const words = (selector) => all(selector).map((one) => one.textContent.replace(/\\s+/g, " ").trim())
  const drawn = (curve) => [curve.dataset.criterion ?? curve.dataset.participant,
    curve.querySelector("polyline").getAttribute("points"),
    ...all("circle", curve).map((dot) => `${dot.getAttribute("cx")},${dot.getAttribute("cy")}`),
    curve.querySelector("text").getAttribute("y")]
  return {
    heading: words("header.heading"), overall: words(".overall"), synthesis: words(".synthesis"),
    scores: words(".scores"), curves: all("g.curve").map(drawn),
    lines: words(".chapter > summary"), chapters: words(".chapter-body"),
  } }"""
NOTE_MOVES = """() => {
  const from = document.querySelector(".bar").getBoundingClientRect().bottom
  const top = (one) => one.getBoundingClientRect().top
  // Who stands in a row may change places; the row of that number stays.
  const place = (one) => { const table = one.closest("table"), row = one.rowIndex
    return () => row === undefined ? one : table.rows[row] ?? one }
  const all = [...document.querySelectorAll("main > section, .top > *, table tr, summary, h2")].filter(
    (one) => one.getBoundingClientRect().height && top(one) >= from && top(one) < innerHeight)
  const before = all.map(top), places = all.map(place)
  window.watchedRows = all.length
  window.moves = []
  const look = () => {
    places.forEach((stands, index) => {
      const one = stands()
      const by = top(one) - before[index]
      if (one.isConnected && Math.abs(by) >= 8) { // half a line: rows of some faces grow by less
        window.moves.push([(one.id || one.className || one.nodeName), before[index], by])
        before[index] += by
      }
    })
    requestAnimationFrame(look)
  }
  look() }"""
"""Note in every frame which headings, sections and rows in sight are not where they were, by half a line or more."""
WAIT = 120.0


def shown(page: Page) -> dict[str, Any]:
    """Return everything on the page that tells of the debate: words, numbers, and where its lines are drawn."""
    found: dict[str, Any] = page.evaluate(SHOWN)
    return found


def until(page: Page, true: Callable[[], bool], *, seconds: float = WAIT) -> bool:
    """Wait until something is so, and say whether it came to be."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        page.wait_for_timeout(100)
    return true()


def connection(page: Page) -> str:
    return page.locator("[data-slot=connection]").inner_text()


def status(page: Page) -> str:
    return page.locator(".heading .status").inner_text()
