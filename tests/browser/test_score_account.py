"""From the score board to what moved a score and why, in Chromium, with every eye and with no script at all."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import faults_to_all_eyes
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


def test_a_reader_sees_why_a_score_stands_where_it_does_and_who_of_which_role_moved_it(room, played):
    page = room.sit_down(at=f"/debates/{played.public_id}/")
    page.get_by_role("link", name="Account of Name of P1").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Name of P1")
    expect(page.locator("dl").first).to_contain_text("8.50")
    entry = page.locator(".entry-person")
    expect(entry).to_contain_text("an administrator")
    expect(entry).not_to_contain_text("alice")
    assert faults_to_all_eyes(page, whole=True) == {}

    page.locator(".entry").filter(has_text="Round counted 1").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="What it rests on")).to_be_visible()
    expect(page.locator("mark")).to_have_count(1)
    assert faults_to_all_eyes(page, whole=True) == {}
    page.get_by_role("link", name="in the transcript (ruling").first.click()
    expect(page.locator("[data-said]:target")).to_have_count(1)
    assert page.complaints == []


def test_the_log_of_moderation_and_the_marked_headline_are_sound_to_every_eye(room, played):
    page = room.sit_down(at=f"/debates/{played.public_id}/moderation/")
    expect(page.locator(".entry")).to_have_count(2)
    assert faults_to_all_eyes(page, whole=True) == {}

    page.goto(f"{room.url}/debates/{played.public_id}/result/")
    expect(page.locator(".moved")).to_contain_text("without a moderator’s act")
    assert faults_to_all_eyes(page, whole=True) == {}
