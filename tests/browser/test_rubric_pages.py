"""Rubrics in Chromium: read and written at a desk, in the dark and on a phone, and without any script."""

import re

import pytest
from playwright.sync_api import expect

from scoring import rubrics
from scoring.models import Rubric
from scoring.services import rubric_store
from tests import factories
from tests.browser.page_checks import faults_to_all_eyes, unfold
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


@pytest.fixture(scope="module")
def played(site):
    """The rubric of thirty that ships, whose next version says something else."""
    first = rubric_store.newest_of(slug="venture") or rubric_store.write(snapshot=venture(), by=None)
    snapshot = rubrics.snapshot_of(first)
    rows = [{**row, "question": f"In the end: {row['question']}"} for row in snapshot["criteria"][1:]]
    return rubric_store.write(snapshot={**snapshot, "criteria": rows}, by=None, seen=first.version)


def venture():
    from scoring.bundled import FOLDER

    return rubrics.read((FOLDER / "venture.json").read_text())


@pytest.fixture
def writer():
    if (alice := factories.User.objects.filter(username="writer").first()) is None:
        alice = factories.person("writer", permissions=["add_rubric", "change_rubric"])
    return alice


@pytest.mark.parametrize("way", ["/rubrics/", "/rubrics/{}/", "/rubrics/{}/?open=all", "/rubrics/{}/compare/"])
def test_a_page_of_rubrics_can_be_read_by_everybody(room, played, way):
    page = room.sit_down(at=way.format(played.public_id))

    assert page.complaints == []
    unfold(page)
    assert faults_to_all_eyes(page, whole=True) == {}


@pytest.mark.parametrize("way", ["/rubrics/new/", "/rubrics/{}/next/", "/rubrics/import/"])
def test_a_form_of_rubrics_can_be_used_by_everybody(room, played, writer, way):
    page = room.sit_down(writer, at=way.format(played.public_id))

    assert page.complaints == []
    unfold(page)
    assert faults_to_all_eyes(page, whole=True) == {}


def test_a_rubric_is_written_on_a_phone_with_rows_added_moved_and_mended(room, writer):
    page = room.sit_down(writer, at="/rubrics/new/", eyes="phone")
    page.get_by_label("Slug").fill("phone")
    page.get_by_label("Name").first.fill("From a phone")
    write(page, 1, code="A1", name="First")
    page.get_by_role("button", name="Add a criterion").click()
    expect(page).to_have_url(re.compile("#criterion-2$"))
    write(page, 2, code="A1", name="Second")

    page.get_by_role("button", name="Move up criterion 2").click()
    page.get_by_role("button", name="Save the rubric").click()

    assert page.get_by_role("alert").locator("a").all_inner_texts() == ["Criterion 2 (A1)"]
    expect(page.get_by_text("The code A1 is used more than once.")).to_be_visible()
    assert faults_to_all_eyes(page, whole=True) == {}
    write(page, 2, code="A2")
    page.get_by_role("button", name="Save the rubric").click()
    expect(page.get_by_role("heading", name="From a phone")).to_be_visible()
    rows = rubrics.snapshot_of(Rubric.objects.get(slug="phone"))["criteria"]
    assert [(row["code"], row["name"]) for row in rows] == [("A1", "Second"), ("A2", "First")]


def test_enter_in_a_field_stores_nothing_and_loses_nothing(room, writer):
    page = room.sit_down(writer, at="/rubrics/new/")
    page.get_by_label("Slug").fill("entered")

    page.get_by_label("Slug").press("Enter")

    expect(page).to_have_title(re.compile("^New rubric"))
    assert page.get_by_label("Slug").input_value() == "entered"


def write(page, number, **texts):
    row = page.locator(f"#criterion-{number}")
    every = {"category": "aims", "weight": "1", "question": "Why?", "high": "Clear.", "low": "Unclear."}
    for name, value in ({**every, **texts} if "name" in texts else texts).items():
        row.locator(f"[name$='-{name}']").fill(value)
