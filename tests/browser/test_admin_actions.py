"""What is done at the desk, in Chromium: an act by each kind of form. ``tests/test_admin_acts.py`` has every act."""

import pytest
from django.urls import reverse

from scoring.groups import MODERATOR, SENIOR
from tests import factories
from tests.browser.browser_site import choose, fill, sent
from tests.moderation_actions import ACTS, GROUPS, REASON, state
from tests.moderators import member
from tests.test_admin_acts import IN_CHROMIUM, SECRETS, at
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


@pytest.fixture(scope="module")
def played(site):
    """Nothing: each act is about rows of its own."""


@pytest.fixture(scope="module")
def people(site):
    return {group: member(group) for group in GROUPS}


def in_browser(page, act):
    """Do an act in the browser, and return what the desk says then."""
    link = page.locator(".object-tools .offer").get_by_role("link", name=act.button, exact=True)
    if link.count():
        link.click()
        fill(page, **act.given)
        said = sent(page)
    else:
        form = page.locator("details.action", has=page.locator("summary", has_text=act.button))
        if form.get_attribute("open") is None:
            form.locator("summary").click()
        for name, text in act.given.items():
            form.locator(f"[name={name}]").fill(text)
        with page.expect_navigation():
            form.get_by_role("button", name=act.button, exact=True).click()
        said = page.locator(".messagelist").inner_text()
    assert page.complaints == []
    return said


@pytest.mark.parametrize("name", IN_CHROMIUM.values())
def test_an_act_of_each_kind_is_offered_and_done(room, people, name):
    act = ACTS[name]
    user = people[act.may[0]]
    row = act.make(user)

    assert act.says in in_browser(room.sit_down(user, at=at(row, "change")), act)
    assert state(row, act.left) == act.left


BULK = {
    "freeze_selected": ("Freeze scores: done, 2 of 2.", {}),
    "unfreeze_selected": ("Unfreeze scores: done, 2 of 2.", {"choice": "apply"}),
    "roll_back_selected": ("Roll scores back to their opening: done, 2 of 2.", {}),
}


def test_many_scores_are_chosen_in_a_list_and_acted_on(room, people):
    debate = factories.debate()
    rows = [factories.criterion(debate, key=key) for key in ("P1", "P2")]
    for row in rows:
        factories.count(row, "1")
    list_ = f"/admin/scoring/evaluation/?of_debate={debate.pk}"
    page = room.sit_down(people[SENIOR], at=list_)
    for action, (says, given) in BULK.items():
        choose(page, action)
        fill(page, reason=REASON, **given)
        assert says in sent(page)
        assert page.url.endswith(list_)
    assert page.complaints == []


@pytest.mark.parametrize("name", SECRETS)
def test_what_has_a_secret_is_made_and_its_secret_can_be_read(room, people, name):
    model, button, given = SECRETS[name]
    page = room.sit_down(people[MODERATOR], at=reverse(f"admin:debates_{model._meta.model_name}_changelist"))
    page.get_by_role("link", name=button).click()
    fill(page, **given)
    page.get_by_role("button", name=button).click()

    assert len(page.locator("code.secret").inner_text()) > 30
    assert page.complaints == []
    assert model.objects.filter(owner=people[MODERATOR]).count() == 1
