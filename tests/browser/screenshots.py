"""The pictures of docs/how-to/moderate.md: ``python -m tests.browser.screenshots`` makes them anew.

It brings a database, a site and a debate of its own, works at the desk as a moderator does, and takes pictures on the
way. Moments are replaced by one moment, so that the pictures change only when the pages do.
"""

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from tests.crash.harness import ROOT, Stage, stage

PICTURES = ROOT / "docs" / "how-to" / "moderate"
SIZE = {"width": 1000, "height": 640}
ONE_MOMENT = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const moment = /(\\d{1,2} [A-Z][a-z]{2} \\d{4},|\\d{4}-\\d{2}-\\d{2}) \\d{2}:\\d{2}(:\\d{2})?( UTC)?/g;
  while (walk.nextNode()) walk.currentNode.data = walk.currentNode.data.replace(moment, "2 Mar 2026, 14:30 UTC");
}"""


@dataclass
class Desk:
    """A browser at a site with something to do."""

    url: str
    scene: dict[str, Any]
    browser: Browser

    @contextlib.contextmanager
    def somebody(self, name: str, **eyes: Any) -> Iterator[Page]:
        """Sit down as somebody."""
        context = self.browser.new_context(viewport=SIZE, **eyes)
        context.add_cookies([{"name": "sessionid", "value": self.scene["cookies"][name], "url": self.url}])
        context.add_init_script("localStorage.setItem('django.admin.navSidebarIsOpen', 'false')")
        yield context.new_page()
        context.close()

    def score(self, code: str, page: str = "change") -> str:
        """Return the address of a page of a score."""
        return f"{self.url}/admin/scoring/evaluation/{self.scene['scores'][code]}/{page}/"


def taken(page: Page, name: str, *, at: str = "") -> None:
    """Take a picture of what is in sight, from a place of the page on."""
    page.evaluate(ONE_MOMENT)
    if at:
        page.locator(at).first.evaluate("one => one.scrollIntoView({block: 'start'})")
    page.screenshot(path=PICTURES / f"{name}.png")


def act(page: Page, reason: str) -> None:
    """Give a reason and do it."""
    page.get_by_label("Reason").fill(reason)
    page.locator("input[name=_act]").click()
    page.locator(".messagelist").wait_for()


def queue(desk: Desk) -> None:
    """Begin the day: what waits, and the evidence of an alert."""
    with desk.somebody("ruth") as page:
        page.goto(f"{desk.url}/admin/")
        taken(page, "desk")
        page.goto(f"{desk.url}/admin/scoring/alert/{desk.scene['alert']}/acknowledge/")
        taken(page, "alert")
        act(page, "Looking at the first ruling of this thread now.")


def holding(desk: Desk) -> None:
    """Decide about what was held, and set a score by hand in the same step."""
    with desk.somebody("ruth") as page:
        page.goto(desk.score("S2", "unfreeze"))
        taken(page, "held", at=".looks")
        page.goto(desk.score("S2", "unfreeze_override"))
        page.get_by_label("Apply: it counts").check()
        page.get_by_label("Value").fill("7.5")
        act(page, "Six names are on the rota, the judges counted two.")


def striking(desk: Desk) -> None:
    """Strike one verdict from its own row, and override with a preview."""
    with desk.somebody("ruth") as page:
        page.goto(desk.score("P2"))
        page.get_by_role("link", name="Strike round 1, C1").click()
        taken(page, "strike", at=".preview")
        act(page, "The ruling rests on a survey that nobody has seen.")
        page.goto(desk.score("S1", "override"))
        page.get_by_label("Value").fill("6.25")
        page.locator("input[name=_preview]").click()
        taken(page, "override")
        act(page, "The town confirms the costs in writing.")


def going_back(desk: Desk) -> None:
    """Roll back, and roll the rollback back, as a senior moderator; then look at the course of it all."""
    with desk.somebody("sena") as page:
        page.goto(f"{desk.score('S1', 'roll_back')}?target=2")
        taken(page, "roll-back", at=".preview")
        act(page, "The second round repeated the first.")
        page.goto(desk.score("S1"))
        page.locator("a[href$='?target=5']").click()
        act(page, "The letter of the town stands; the rollback was hasty.")
        page.goto(desk.score("S1"))
        taken(page, "course", at="#course-heading")


def second_person(desk: Desk) -> None:
    """Ask for a large override; somebody else decides."""
    with desk.somebody("ruth") as page:
        page.goto(desk.score("P1", "override"))
        page.get_by_label("Value").fill("9")
        act(page, "The town has asked for such a place in every plan since 2019.")
    with desk.somebody("sena") as page:
        page.goto(f"{desk.url}/admin/scoring/approval/")
        page.locator("#result_list tbody a").first.click()
        page.locator(".object-tools .offer a", has_text="Approve").click()
        taken(page, "second-person")


def many(desk: Desk) -> None:
    """Freeze many scores at once, looked at first."""
    with desk.somebody("ruth") as page:
        page.goto(f"{desk.url}/admin/scoring/evaluation/?of_debate={desk.scene['debate']}")
        page.locator("#action-toggle").check()
        page.get_by_label("Action:").select_option("freeze_selected")
        page.get_by_role("button", name="Go").click()
        taken(page, "many")


def review(desk: Desk) -> None:
    """Take on a review and settle it."""
    with desk.somebody("ruth") as page:
        page.goto(f"{desk.url}/admin/judging/review/{desk.scene['review']}/claim/")
        page.locator("input[name=_act]").click()
        page.locator(".messagelist").wait_for()
        page.goto(f"{desk.url}/admin/judging/review/{desk.scene['review']}/settle/")
        taken(page, "review")


DAY = (queue, holding, striking, going_back, second_person, many, review)


@contextlib.contextmanager
def site(here: Stage) -> Iterator[str]:
    """Serve pages at a port that is free, until it is done."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "daphne", "--port", str(port), "--verbosity", "0", "config.asgi:application"]
    environment = {**here.environment, "MOOT_SECOND_PERSON_FROM": "2", "MOOT_ENVIRONMENT_LABEL": "rehearsal"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    here.processes.append(process)
    for _ in range(120):
        with contextlib.suppress(URLError, ConnectionError):
            urlopen(f"http://127.0.0.1:{port}/admin/login/", timeout=5).close()
            break
        time.sleep(0.25)
    yield f"http://127.0.0.1:{port}"


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    PICTURES.mkdir(exist_ok=True)
    with stage(heart="5", stalled="30") as here, site(here) as url, sync_playwright() as playwright:
        made = subprocess.run(
            [sys.executable, "-m", "tests.browser.screenshot_data"],
            cwd=ROOT, env=here.environment, check=True, stdout=subprocess.PIPE,
        )  # fmt: skip
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        desk = Desk(url, json.loads(made.stdout), browser)
        for part in DAY:
            part(desk)
        browser.close()
    for picture in sorted(Path(PICTURES).glob("*.png")):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
