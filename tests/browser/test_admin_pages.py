"""The admin in Chromium: every list and every row's page fits every screen, keeps the policy and can be read."""

import pytest
from django.contrib import admin
from django.urls import reverse

from tests import factories, rows_in_every_table
from tests.browser.page_checks import faults_to_all_eyes
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)
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


@pytest.mark.parametrize("path", TO_SIGN_IN)
def test_the_pages_of_signing_in_keep_the_policy_and_can_be_read(room, ruth, path):
    page = room.sit_down(None if "login" in path else ruth, at=path)
    assert page.complaints == []
    assert faults_to_all_eyes(page) == {}
