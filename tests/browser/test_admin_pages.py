"""The admin in Chromium: every list fits a phone, keeps to the site's policy, and can be read; so does the way in."""

from __future__ import annotations

import pytest
from django.contrib import admin

from tests.browser.looking import faults, faults_to_all_eyes, opened
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]
LISTS = sorted(f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry)


def test_every_list_of_the_admin_fits_a_phone_keeps_the_policy_and_can_be_read(debate, browser, live_server, session):
    with opened(browser, f"{live_server.url}/admin/", eyes="dark phone", session=session) as page:
        for path in LISTS:
            assert page.goto(live_server.url + path).status == 200
            assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, 390)
            assert (path, page.complaints) == (path, [])
            assert (path, faults(page)) == (path, [])

    assert len(LISTS) > 25


def test_the_login_page_can_be_read(browser, live_server):
    with opened(browser, f"{live_server.url}/admin/login/") as page:
        assert page.complaints == []
        assert faults_to_all_eyes(page) == {}
