"""An event from nothing, as people hold it who have a browser and a mailbox and nothing else: with scripts and without.

A site of its own runs here with a worker, and hands its mail to a sink on loopback. Nothing is put into the database
but the first account, which the operator makes.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.in_database import OPERATOR, PASSWORD
from tests.browser.live_site import LiveSite, live_site
from tests.browser.page_checks import EYES
from tests.debates.servers import free_port
from tests.mail.sink import Sink, sinking
from tests.playing import SUBJECT

pytestmark = pytest.mark.browser
NEW_PASSWORD = "another one of many letters"
MOTION = "Cities should make public transport free."
CRITERION = {
    "code": "C1", "name": "Cost", "category": "money", "weight": "1", "question": "Is it said who pays, and how much?",
    "high": "Every cost is named and covered.", "low": "Nobody knows what it costs.",
}  # fmt: skip
BROKEN = 500
LINK = re.compile(r"https?://\S+")


@dataclass
class Event:
    """A site with its mail, and the browser before it."""

    site: LiveSite
    sink: Sink
    browser: Browser
    read: list[EmailMessage] = field(default_factory=list)

    def mail(self, to: str, subject: str) -> EmailMessage:
        """Wait for a mail that was not looked at yet, and return it."""

        def come() -> EmailMessage | None:
            mails = [mail for address, mail in self.sink.mails if address == to and mail not in self.read]
            return next((mail for mail in mails if subject in str(mail["Subject"])), None)

        self.site.stage.until(come)
        mail = come()
        assert mail is not None
        self.read.append(mail)
        return mail


@dataclass(eq=False)
class Somebody:
    """A person with a browser of their own."""

    name: str
    page: Page
    script: bool

    @property
    def address(self) -> str:
        return f"{self.name}@example.org"

    def sees(self, text: str, *, seconds: int = 60) -> None:
        """Wait until a page says something: a page with a script moves by itself, without one it is asked for anew."""
        for _ in range(4 * seconds):
            if text in self.page.inner_text("main"):
                return
            self.page.wait_for_timeout(250)
            if not self.script:
                self.page.reload()
        raise AssertionError(f"{self.name} does not see {text!r} but: {self.page.inner_text('main')}")


@pytest.fixture(scope="module")
def event(chromium: Browser) -> Iterator[Event]:
    with sinking() as sink, pytest.MonkeyPatch.context() as patch:
        port = free_port()
        patch.setenv("EMAIL_URL", sink.url)
        patch.setenv("MOOT_SITE_URL", f"http://127.0.0.1:{port}")
        with live_site(port=port) as site:
            site.act("operator")
            yield Event(site, sink, chromium)


@contextmanager
def somebody(event: Event, name: str, *, script: bool) -> Iterator[Somebody]:
    """Let somebody open a browser; no page of theirs may break, and no script in it."""
    context = event.browser.new_context(base_url=event.site.url, java_script_enabled=script, **EYES["light"])
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda answer: errors.append(answer.url) if answer.status >= BROKEN else None)
    yield Somebody(name, page, script)
    context.close()
    assert errors == []


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(preferencelist=("plain",))
    assert part is not None
    return str(part.get_content())


def link_in(mail: EmailMessage) -> str:
    """Return the first address in a mail, which is what it is sent for."""
    found = LINK.search(text_of(mail))
    assert found
    return found[0]


def sign_in(person: Somebody, password: str = PASSWORD) -> None:
    person.page.fill("[name=login]", person.name)
    person.page.fill("[name=password]", password)
    person.page.click("main form button")


def sign_up(person: Somebody, mail: EmailMessage) -> None:
    """Make an account by the link in a mail; its address is filled in already."""
    page = person.page
    page.goto(link_in(mail))
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Username").fill(person.name)
    for label in ("Password", "Password (again)"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    assert page.get_by_label("Email").input_value() == person.address
    page.get_by_role("button", name="Make the account, and come").click()
    assert page.locator(".menu summary").is_visible()


def invite_organiser(operator: Somebody, address: str) -> None:
    """Invite somebody to the group that may make debates and rubrics, after proving to be here."""
    page = operator.page
    page.goto("/accounts/login/")
    sign_in(operator)
    page.goto("/")
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Invitations").click()
    if "reauthenticate" in page.url:
        page.fill("[name=password]", PASSWORD)
        page.click("main form button")
    page.get_by_label("Mail address").fill(address)
    page.get_by_label("Group").select_option(label="Organiser")
    page.get_by_role("button", name="Make the invitation").click()
    assert f"It goes by mail to {address}" in page.inner_text("main")


def make_rubric(page: Page, slug: str) -> None:
    page.goto("/rubrics/")
    page.locator("main").get_by_role("link", name="New rubric").click()
    page.get_by_label("Slug").fill(slug)
    page.get_by_label("Name").first.fill(f"Rubric {slug}")
    for name, value in CRITERION.items():
        page.fill(f"[name='criteria-0-{name}']", value)
    page.get_by_role("button", name="Save the rubric").click()
    assert page.inner_text("h1") == f"Rubric {slug}"


def make_debate(page: Page, format_name: str, fields: dict[str, str]) -> str:
    """Go through the steps of a new debate, and return the address of the draft."""
    page.goto("/")
    page.locator("header").get_by_role("link", name="New debate").click()
    page.locator(f".format-card:has([value='{format_name}']) button").click()
    for _ in range(10):
        if "/check/" in page.url:
            break
        for name, value in fields.items():
            box = page.locator(f"[name='{name}']").first
            if not box.count():
                continue
            if box.evaluate("box => box.type") == "radio":
                page.locator(f"[name='{name}'][value='{value}']").check()
            elif box.evaluate("box => box.tagName") == "SELECT":
                box.select_option(value)
            else:
                box.fill(value)
        page.click(".onward button")
    assert "has to be mended" not in page.inner_text("main"), page.inner_text("main")
    page.click(".onward button")
    assert page.url.endswith("/prepare/"), page.inner_text("main")
    return page.url.removesuffix("prepare/")


def invite_speaker(page: Page, debate: str, *, seat: str, address: str) -> None:
    """Invite somebody to a seat, on the page of the debate's people, to which the draft's page leads."""
    page.goto(f"{debate}prepare/")
    page.get_by_role("link", name="Invite to a seat, and see who has come").click()
    page.get_by_label("As what").select_option(label=f"Speaker: takes the seat of {seat}")
    page.get_by_label("Mail address").fill(address)
    page.get_by_role("button", name="Make the invitation").click()
    assert f"It goes by mail to {address}" in page.inner_text("main")


def start(page: Page, debate: str) -> None:
    page.goto(f"{debate}prepare/")
    page.get_by_role("button", name="Start now").click()
    assert page.url == debate


def speak(event: Event, person: Somebody, words: str) -> None:
    """Come by the mail that says whose turn it is, write, find the words again after a reload, and speak."""
    page = person.page
    page.goto(link_in(event.mail(person.address, "Your turn")))
    person.sees("It is your turn:")
    page.fill("textarea[name=text]", words[: len(words) // 2])
    if person.script:
        page.wait_for_selector("text=Draft kept, on all your devices.")
    else:
        page.get_by_role("button", name="Keep draft").click()
        person.sees("Draft kept")
    page.reload()
    assert page.input_value("textarea[name=text]") == words[: len(words) // 2]
    page.fill("textarea[name=text]", words)
    page.get_by_role("button", name="Speak").click()
    person.sees("was taken down")


def result_of(event: Event, person: Somebody) -> str:
    """Follow the mail that says that a debate is concluded, and return what the page of its result says."""
    person.page.goto(link_in(event.mail(person.address, "Concluded")))
    if not person.page.url.endswith("/result/"):
        person.page.goto(f"{person.page.url.partition('#')[0]}result/")
    return person.page.inner_text("main")


def confirm_address(event: Event, person: Somebody) -> None:
    person.page.goto(link_in(event.mail(person.address, "Confirm your mail address")))
    person.page.locator("main").get_by_role("button").click()
    assert event.site.stage.ask(f"SELECT verified FROM account_emailaddress WHERE email = '{person.address}'")


def set_password_anew(event: Event, person: Somebody) -> None:
    """Sign out, ask for a link by mail, and sign in with the password that is set by it."""
    page = person.page
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Sign out").click()
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="I forgot my password").click()
    page.fill("[name=email]", person.address)
    page.get_by_role("button", name="Send the link").click()
    page.goto(link_in(event.mail(person.address, "A new password")))
    page.fill("[name=password1]", NEW_PASSWORD)
    page.fill("[name=password2]", NEW_PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    page.locator("main").get_by_role("link", name="Sign in").click()
    sign_in(person, NEW_PASSWORD)
    assert page.locator(".menu summary").inner_text().endswith(person.name)


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without any"])
def test_an_event_is_held_from_nothing(event, script):
    own = "" if script else "-plain"
    with (
        somebody(event, OPERATOR, script=script) as operator,
        somebody(event, f"olga{own}", script=script) as olga,
        somebody(event, f"alice{own}", script=script) as alice,
        somebody(event, f"bob{own}", script=script) as bob,
    ):
        invite_organiser(operator, olga.address)
        sign_up(olga, event.mail(olga.address, "You are invited"))
        confirm_address(event, olga)
        make_rubric(olga.page, f"costs{own}")

        judged = {"title": "Soil probes", "subject": SUBJECT, "rubric": f"costs{own}"}
        start(olga.page, make_debate(olga.page, "criterion", judged))
        assert "Cost" in result_of(event, olga)

        chairs = {"chairs.0.name": "Ada", "chairs.0.kind": "human", "chairs.1.name": "Ben", "chairs.1.kind": "human"}
        debate = make_debate(olga.page, "open", {"motion": MOTION, "exchanges": "1", **chairs})
        for person, seat in ((alice, "Ada"), (bob, "Ben")):
            invite_speaker(olga.page, debate, seat=seat, address=person.address)
            sign_up(person, event.mail(person.address, "You are invited"))
            assert f"You speak here as {seat}" in person.page.inner_text("main")
        start(olga.page, debate)
        said = {alice: f"Buses without tickets fill at once. {own}", bob: f"Somebody pays for the bus anyway. {own}"}
        for turn in ("As an opening", "In answer to that"):
            for person, words in said.items():
                speak(event, person, f"{turn}: {words}")
        for person in (alice, bob, olga):
            assert MOTION in result_of(event, person)
        bob.page.goto(debate)
        for words in said.values():
            assert f"In answer to that: {words}".strip() in bob.page.content()

        alike = {f"judges.{number}.strategy": "logic" for number in range(3)}  # so that they agree
        panel = {"title": f"cache{own}.py", "task": "Keep answers for an hour.", "subject": SUBJECT, **alike}
        start(olga.page, make_debate(olga.page, "panel", panel))
        assert f"cache{own}.py" in result_of(event, olga)

        set_password_anew(event, alice)
        everybody = {person.address for person in (operator, olga, alice, bob)}

    for to, mail in event.sink.mails:
        assert str(mail["To"]) == to
        assert not any(address in mail.as_string() for address in everybody - {to})
