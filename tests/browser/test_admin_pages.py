"""The admin in Chromium: every list and every row's page fits every screen, keeps the policy and can be read."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib import admin
from django.urls import reverse

from scoring.models import Evaluation
from tests import factories, rows_in_every_table
from tests.browser.page_checks import BESIDE_EVERY_PAGE, faults_to_all_eyes
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)
STYLES = Path(admin.__file__).parent / "static" / "admin"
TO_SIGN_IN = ("/admin/login/", "/accounts/2fa/totp/activate/", "/accounts/2fa/", "/accounts/password/change/")


@pytest.fixture(scope="module")
def played(site):
    """A row in every table."""
    return rows_in_every_table.one("first")


@pytest.fixture(scope="module")
def ruth(site):
    """A moderator who may do everything, and signs in with a password."""
    made = factories.moderator("ruth")
    made.set_password("a password of many letters")
    made.save(update_fields=["password"])
    return made


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label_lower)
def test_a_list_and_a_row_fit_every_screen_keep_the_policy_and_can_be_read(room, ruth, model):
    list_ = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    row = model._default_manager.order_by("pk").first()
    for path in (list_, *([f"{list_}{row.pk}/change/"] if row else [])):
        page = room.sit_down(ruth, at=path)
        assert page.locator("h1").inner_text() != ""
        assert (path, page.complaints) == (path, [])
        assert (path, faults_to_all_eyes(page)) == (path, {})


@pytest.mark.parametrize("row", [False, True], ids=["list", "row"])
def test_a_page_can_be_read_by_everybody_with_the_models_beside_it(room, ruth, row):
    evaluation = Evaluation.objects.earliest("pk")
    page = room.sit_down(ruth, at=f"/admin/scoring/evaluation/{f'{evaluation.pk}/change/' if row else ''}")

    assert page.locator(f"{BESIDE_EVERY_PAGE} .current-model").count() == 1
    assert faults_to_all_eyes(page, whole=True) == {}


def test_words_that_nobody_can_read_are_found_on_a_page_that_was_looked_at_before(room, ruth):
    page = room.sit_down(ruth, at="/admin/scoring/evaluation/")
    assert faults_to_all_eyes(page) == {}
    page.evaluate("document.querySelector('h1').style.color = 'rgb(120, 121, 122)'")

    for _ in range(2):  # and again, for whoever asks again
        found = faults_to_all_eyes(page)
        assert {fault.split(":")[0] for faults in found.values() for fault in faults} == {"color-contrast"}


def test_no_stylesheet_turns_a_page_with_the_screen():
    sheets = [*STYLES.glob("css/*.css"), *Path(settings.BASE_DIR, "static").rglob("*.css")]

    assert len(sheets) > 10
    assert [sheet.name for sheet in sheets if "orientation" in sheet.read_text()] == []


@pytest.mark.parametrize("path", TO_SIGN_IN)
def test_the_pages_of_signing_in_keep_the_policy_and_can_be_read(room, ruth, path):
    page = room.sit_down(None if "login" in path else ruth, at=path)
    assert page.complaints == []
    assert faults_to_all_eyes(page) == {}
