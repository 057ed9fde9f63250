"""Every act of the desk as a member of each group, in Chromium as the first who may: done, or refused."""

import re
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from debates.models import ApiKey, Webhook
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Evaluation, RescoreSet, Rubric, ScoreChange
from tests import acts, factories
from tests.browser.browser_site import ACT, choose, fill, offers, refused, sent
from tests.moderation_actions import ACTS, GROUPS, MODERATORS, REASON, boss, score, state
from tests.moderators import client_of, member, proved, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


@pytest.fixture(scope="module")
def played(site):
    """Nothing: each act is about rows of its own."""


@pytest.fixture(scope="module")
def people(site):
    return {group: member(group) for group in GROUPS}


LIST = "/admin/scoring/evaluation/"


def at(row, page):
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk])


@pytest.fixture(scope="module")
def desks(people):
    """The same members without a browser."""
    return {group: proved(client_of(user), lasting=3600) for group, user in people.items()}


def offered(desk, row):
    """What the page of a row offers: as links, and as forms that stand on it."""
    page = desk.get(at(row, "change")).content.decode()
    found = re.findall(r'<li class="offer"><a href="[^"]*">([^<]*)</a>|<summary>([^<]*?) *</summary>', page)
    return [link or form for link, form in found]


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
        form.get_by_role("button", name=act.button, exact=True).click()
        said = page.locator(".messagelist").inner_text()
    assert page.complaints == []
    return said


def without(desk, path, act):
    """Do the same without one: send what the form holds and what is filled in."""
    form = desk.get(path).content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    given = {name: value or re.search(rf'name="{name}" value="([^"]*)"', form)[1] for name, value in act.given.items()}
    return words(desk.post(path, {**hidden, **given, "_act": "1"}, follow=True))


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_offered_to_each_group_that_may_and_done_and_refused_to_every_other(room, people, desks, name):
    act = ACTS[name]
    for group, user in people.items():
        row, desk = act.make(user), desks[group]
        before, path = state(row, act.left), at(row, act.page)

        assert (group, act.button in offered(desk, row)) == (group, group in act.may)
        if group not in act.may:
            answer = desk.get(path)
            assert (group, answer.status_code, "This is not open to you" in words(answer)) == (group, 403, True)
            assert state(row, act.left) == before
        else:
            first = group == act.may[0]
            said = in_browser(room.sit_down(user, at=at(row, "change")), act) if first else without(desk, path, act)
            assert act.says in said
            assert (group, state(row, act.left)) == (group, act.left)
            assert LogEntry.objects.filter(user=user, object_id=str(row.pk)).exists()


BULK = {
    "freeze": ("Freeze scores: done, 2 of 2.", MODERATORS, {}),
    "unfreeze": ("Unfreeze scores: done, 2 of 2.", MODERATORS, {"choice": "apply"}),
    "rollback": ("Roll scores back to their opening: done, 2 of 2.", (SENIOR,), {}),
}
CHOSEN = {"freeze": "freeze_selected", "unfreeze": "unfreeze_selected", "rollback": "roll_back_selected"}


def two(action):
    """Two scores of a debate, frozen where they are to be unfrozen."""
    debate = factories.debate()
    for key in ("P1", "P2"):
        made = factories.criterion(debate, key=key)
        factories.count(made, "1")
        if action == "unfreeze":
            acts.freeze(order=factories.order(made, boss()), now=timezone.now())
    return debate


@pytest.mark.parametrize("action", BULK)
def test_many_scores_are_acted_on_by_each_group_that_may_and_by_no_other(room, people, action):
    says, may, given = BULK[action]
    for group, user in people.items():
        debate = two(action)
        page = room.sit_down(user, at=f"{LIST}?of_debate={debate.pk}")
        assert (group, page.locator(f"option[value={CHOSEN[action]}]").count()) == (group, int(group in may))
        if group in may:
            choose(page, CHOSEN[action])
            assert page.complaints == []
            fill(page, reason=REASON, **given)
            assert says in sent(page)
            assert page.url.endswith(f"?of_debate={debate.pk}")
        else:
            assert (group, refused(page, f"{LIST}bulk/{action}/")) == (group, True)
        entries = ScoreChange.objects.filter(evaluation__debate=debate, kind=action, actor__user=user)
        assert (group, entries.count()) == (group, 2 if group in may else 0)


MADE = {
    "an API key": (ApiKey, "Make an API key", {"name": "sums", "scopes": "read"}, MODERATORS),
    "a webhook": (Webhook, "Register a webhook", {"url": "https://example.org/hook"}, MODERATORS),
}


@pytest.mark.parametrize("name", MADE)
def test_what_has_a_secret_is_made_by_each_group_that_may_and_its_secret_can_be_read(room, people, name):
    model, button, given, may = MADE[name]
    list_ = reverse(f"admin:debates_{model._meta.model_name}_changelist")
    for group, user in people.items():
        page = room.sit_down(user, at=list_)
        assert (group, page.get_by_role("link", name=button).count()) == (group, int(group in may))
        if group in may:
            page.get_by_role("link", name=button).click()
            fill(page, **given)
            page.get_by_role("button", name=button).click()
            assert len(page.locator("code.secret").inner_text()) > 30
            assert page.complaints == []
        else:
            assert (group, refused(page, f"{list_}make/")) == (group, True)
        assert (group, model.objects.filter(owner=user).count()) == (group, int(group in may))


def test_a_rubric_is_written_by_senior_moderators_alone(room, people):
    list_ = reverse("admin:scoring_rubric_changelist")
    for group in (AUDITOR, MODERATOR):
        page = room.sit_down(people[group], at=list_)
        assert page.locator(".addlink[href*='rubric/add']").count() == 0
        assert refused(page, f"{list_}add/")
    page = room.sit_down(people[SENIOR], at=f"{list_}add/")
    one = {"position": "1", "category": "need", "weight": "1", "question": "Who?", "high": "All", "low": "None"}
    fill(page, name="Streets", slug="streets", **{
        f"criteria-0-{name}": text for name, text in {**one, "code": "C1", "name": "Need"}.items()
    })  # fmt: skip
    page.locator("input[name=_save]").click()

    assert "was added successfully" in page.locator(".messagelist").inner_text()
    assert page.complaints == []
    assert Rubric.objects.get(slug="streets").created_by == people[SENIOR]


def test_nobody_approves_their_own_request_and_somebody_else_does(room, people, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    row = score()
    page = room.sit_down(people[SENIOR], at=at(row, "override"))
    fill(page, value="9", reason=REASON)
    assert "has not moved: 9.00 waits for a second person" in sent(page)
    page.locator(".messagelist a").click()
    page.wait_for_url("**/approval/*/change/")
    assert offers(page) == ["Take back"]
    address = page.url
    page.goto(address.replace("change", "approve"))
    assert "somebody else has to approve it" in page.get_by_role("status").inner_text()
    assert page.locator(ACT).count() == 0
    assert page.get_by_role("link", name="Take back").count() == 1

    assert offers(room.sit_down(people[MODERATOR], at=address)) == []
    page = room.sit_down(member(SENIOR, "sena"), at=address.replace("change", "approve"))
    fill(page, reason=REASON)

    assert "is set to 9.00; it was 6.50" in sent(page)
    assert Evaluation.objects.get(pk=row.pk).value == 9


def test_a_set_is_staged_in_the_list_and_cancelled_by_who_may(room, people):
    debate = two("freeze")
    page = room.sit_down(people[MODERATOR], at=f"{LIST}?of_debate={debate.pk}")
    choose(page, "freeze_selected")
    fill(page, reason=REASON)
    page.locator("input[name=_stage]").click()
    assert "Staged 2 scores. Nothing has moved yet." in page.locator(".messagelist").inner_text()
    staged = page.url
    assert offers(room.sit_down(people[AUDITOR], at=staged)) == []

    page.locator(".object-tools .offer a", has_text="Cancel").click()
    fill(page, reason=REASON)

    assert "The set was cancelled; nothing has moved." in sent(page)
    assert RescoreSet.objects.latest("pk").state == "cancelled"
