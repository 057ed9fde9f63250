"""The admin in Chromium: its colours can be read, and its pages keep to the site's policy."""

from __future__ import annotations

import pytest
from django.contrib import admin

from tests.browser.looking import faults, opened
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


@pytest.fixture
def paths(debate):
    """Pages of every kind that the admin has."""
    evaluation = debate.evaluations.first()
    return [
        "/admin/",
        "/admin/scoring/evaluation/",
        f"/admin/scoring/evaluation/{evaluation.pk}/change/",
        f"/admin/debates/debate/{debate.pk}/change/",
        "/admin/scoring/rubric/add/",
        "/admin/judging/verdict/",
    ]


LISTS = sorted(f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry)


def test_no_list_of_the_admin_scrolls_the_page_sideways_on_a_phone(debate, browser, live_server, session):
    with opened(browser, f"{live_server.url}/admin/", eyes="phone", session=session) as page:
        wide = {}
        for path in LISTS:
            assert page.goto(live_server.url + path).status == 200
            wide[path] = page.evaluate("document.documentElement.scrollWidth")

    assert len(wide) > 25
    assert {path: width for path, width in wide.items() if width != 390} == {}


@pytest.mark.parametrize("eyes", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_admin(paths, browser, live_server, session, eyes):
    for path in paths:
        with opened(browser, live_server.url + path, eyes=eyes, session=session) as page:
            assert (path, faults(page)) == (path, [])


def test_the_login_page_can_be_read(browser, live_server):
    for eyes in ("light", "dark"):
        with opened(browser, f"{live_server.url}/admin/login/", eyes=eyes) as page:
            assert (eyes, faults(page)) == (eyes, [])


def test_the_admin_breaks_nothing_of_the_policy(paths, browser, live_server, session):
    for path in paths:
        with opened(browser, live_server.url + path, session=session) as page:
            assert (path, page.complaints) == (path, [])
            assert page.title().endswith("Moot")
