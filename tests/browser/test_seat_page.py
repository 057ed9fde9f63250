"""A person plays a debate to its end in a browser: from the invitation on, as the page moves, and without a script."""

import os

import pytest

from tests.browser.in_database import PASSWORD, PERSON
from tests.browser.live_site import live_site
from tests.browser.live_watcher import connection, status, until
from tests.browser.page_checks import EYES, faults, opened

pytestmark = pytest.mark.browser
SAID = "A ward is safe when everybody in it is, and I grant that doubt has its reasons."
TURNS = """SELECT string_agg(turn.kind || ': ' || turn.text, '; ' ORDER BY turn.id) FROM debates_turn turn
    JOIN debates_participant ON participant_id = debates_participant.id WHERE name = 'Konrad'"""


def state(page):
    return page.locator(".seat-state").inner_text()


def picture(page, name):
    """Keep a picture, where somebody asks for one."""
    if "PICTURES" in os.environ:
        page.screenshot(path=f"{os.environ['PICTURES']}/seat-{name}.png", full_page=True)


def sit_down(page, made):
    """Read what one is invited to, sign in, and take the seat."""
    assert "your framework:" in page.inner_text("main")
    assert "Who else takes part" in page.inner_text("main")
    assert faults(page) == []
    picture(page, "offer")
    page.click("text=I have an account: sign in")
    page.fill("[name=login]", PERSON)
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"**{made['invitation']}")
    assert "invited to speak as Konrad in" in page.inner_text("main")
    picture(page, "invitation")
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_url(f"**{made['address']}#seat-2")


def keeps_a_draft(page):
    """Write something, leave, and find it again, here and on another device; an emptied box stays empty."""
    address = page.url
    page.fill("textarea", SAID)
    page.wait_for_selector("text=Draft kept, on all your devices.")
    page.reload()
    assert page.input_value("textarea") == SAID
    assert f"{len(SAID)} so far." in page.inner_text(".limits")
    assert page.title().startswith("Your turn · ")
    other = elsewhere(page)
    assert other.input_value("textarea") == SAID
    other.fill("textarea", "From my other device.")
    other.wait_for_selector("text=Draft kept, on all your devices.")
    other.context.close()
    page.fill("textarea", "And from this one.")
    page.wait_for_selector("text=changed on another device since")
    page.evaluate("dispatchEvent(new Event('pagehide'))")  # as if it were left: nothing overtakes the other device
    page.wait_for_timeout(500)
    assert "From my other device." in page.request.get(address).text()
    page.click("[data-keep]")
    page.wait_for_selector("text=Draft kept, on all your devices.")
    page.reload()
    assert page.input_value("textarea") == "And from this one."
    page.fill("textarea", "")
    assert until(page, lambda: not page.inner_text("[data-kept]"))
    page.reload()
    assert page.input_value("textarea") == ""


def keeps_what_was_sent_and_led_nowhere(page):
    """Speak where that leads nowhere, as where one gives up waiting: the words were kept, and changes are."""
    page.route("**/turn/", lambda route: route.abort("aborted"))
    page.fill("textarea", f"{SAID} Or so.")
    with page.expect_response("**/draft/") as kept:
        page.click(".seat button:text-is('Speak')")
    assert kept.value.ok
    with page.expect_response("**/draft/") as kept:
        page.fill("textarea", f"{SAID} And more.")
    assert kept.value.ok
    page.unroute("**/turn/")
    page.reload()
    assert page.input_value("textarea") == f"{SAID} And more."
    page.fill("textarea", "")
    assert until(page, lambda: not page.inner_text("[data-kept]"))


def stays_where_the_site_does_not_answer(page):
    """Speak while nothing reaches the site: the page stays with its words, and a draft is kept once it answers."""
    for way in ("draft", "turn"):
        page.route(f"**/{way}/", lambda route: route.abort("aborted"))
    page.fill("textarea", f"{SAID} Offline.")
    page.click(".seat button:text-is('Speak')")
    assert until(page, lambda: page.inner_text("[data-kept]").startswith("Not sent: the site does not answer."))
    assert page.input_value("textarea") == f"{SAID} Offline."
    for way in ("draft", "turn"):
        page.unroute(f"**/{way}/")
    with page.expect_response("**/draft/") as kept:
        page.fill("textarea", f"{SAID} Online.")
    assert kept.value.ok
    page.fill("textarea", "")
    assert until(page, lambda: not page.inner_text("[data-kept]"))


def elsewhere(page):
    """Open the same page on another device of the same person."""
    context = page.context.browser.new_context()
    context.add_cookies(page.context.cookies())
    other = context.new_page()
    other.goto(page.url)
    return other


def lands_below_the_bar(page):
    """Follow every address within the page; what is jumped to is not covered."""
    covered = page.evaluate("""async () => {
        const found = [];
        for (const place of document.querySelectorAll("main [id]")) {
            if (place.closest("details:not([open]), [hidden]") || !place.offsetHeight) continue;
            place.scrollIntoView();
            await new Promise(requestAnimationFrame);
            const bar = document.querySelector(".bar").getBoundingClientRect();
            if (bar.top <= 0 && place.getBoundingClientRect().top < bar.bottom - 1) found.push(place.id);
        }
        return found;
    }""")
    assert covered == []


def speaks_after_a_refusal(page, eyes):
    """Say too much, be told so, and say something better."""
    page.fill("textarea", "x" * 8_001)
    assert "8001 so far." in page.inner_text(".limits")
    page.click(".seat button:text-is('Speak')")
    page.wait_for_selector(".refusal")
    assert "at most 8000 characters; got 8001. Your words are still here." in page.inner_text(".refusal")
    assert page.input_value("textarea") == "x" * 8_001
    assert faults(page) == []
    picture(page, f"refused-{eyes}")
    page.route("**/draft/", lambda route: route.abort("aborted"))  # where drafts alone are blocked, turns are sent
    page.fill("textarea", SAID)
    page.click(".seat button:text-is('Speak')")
    page.wait_for_selector("text=Your opening was taken down")
    page.unroute("**/draft/")
    assert page.input_value("textarea") == ""


def speaks_without_a_script(chromium, page, url):
    """Say something on a page that only shows how it stood when it was asked for."""
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    plain.goto(url)
    assert "It is your turn: your response in exchange 1." in state(plain)
    plain.fill("textarea", f"{SAID} So")
    plain.click("text=Keep draft")
    plain.wait_for_selector("text=Draft kept")
    assert plain.input_value("textarea") == f"{SAID} So"
    plain.fill("textarea", f"{SAID} So be it.")
    plain.click(".seat button:text-is('Speak')")
    plain.wait_for_selector("text=Your response in exchange 1 was taken down")
    context.close()


def test_a_person_plays_a_debate_to_its_result(chromium):
    with live_site() as site:
        made = site.act("table")
        with opened(chromium, site.url + made["invitation"], eyes="phone") as page:
            sit_down(page, made)
            assert "The debate has not begun." in state(page)
            assert until(page, lambda: connection(page) == "Connected, and not begun yet")
            site.act("start", made["debate"])
            assert until(page, lambda: "It is your turn: your opening." in state(page))
            assert until(page, lambda: connection(page) == "Live updates on")
            assert until(page, lambda: "It is your turn." in page.inner_text("[data-announcer]"))
            assert "Konrad is to speak: the opening." in page.inner_text(".awaited")
            assert page.evaluate("document.documentElement.scrollWidth") <= EYES["phone"]["viewport"]["width"]
            keeps_a_draft(page)
            keeps_what_was_sent_and_led_nowhere(page)
            stays_where_the_site_does_not_answer(page)
            lands_below_the_bar(page)
            assert {
                text for text in page.complaints if "409 (Conflict)" not in text
            } == set()  # the draft of two devices
            picture(page, "phone")

            speaks_after_a_refusal(page, "phone")
            assert until(page, lambda: "your response in exchange 1" in state(page))
            page.set_viewport_size({"width": 1280, "height": 900})
            page.emulate_media(color_scheme="dark")
            assert faults(page) == []
            picture(page, "dark")
            speaks_without_a_script(chromium, page, site.url + made["address"])

            assert until(page, lambda: status(page) == "concluded")
            assert "Nothing more is said in this debate." in state(page)
            said = site.stage.ask(TURNS)
            assert said == f"opening: {SAID}; response: {SAID} So be it."
