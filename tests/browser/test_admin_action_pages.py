"""The pages of the desk in Chromium: each keeps the site's policy, fits a phone and can be read, in light and dark."""

import pytest
from django.utils import timezone

from debates.decimals import in_places
from scoring.models import Alert, Approval, Evaluation, RescoreSet, ScoreChange
from scoring.services import rubric_store
from tests import acts, factories, playing
from tests.browser.browser_site import choose
from tests.browser.page_checks import faults_to_all_eyes
from tests.moderation_actions import ACTS
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
SCORE, DEBATE, RESCORE = "scoring/evaluation/", "debates/debate/", "scoring/rescoreset/"
KEY, HOOK, REVIEW, ALERT = "debates/apikey/", "debates/webhook/", "judging/review/", "scoring/alert/"
PAGES = {
    "the desk": "",
    "scores": SCORE,
    "frozen scores": SCORE + "?is_frozen=yes",
    "alerts": ALERT,
    "the ledger": "scoring/scorechange/",
    "what people did": "admin/logentry/",
    "an overridden score": SCORE + "{overridden}/change/",
    "a frozen score": SCORE + "{frozen}/change/",
    "a score": SCORE + "{plain}/change/",
    "its history": SCORE + "{plain}/history/",
    "unfreeze": SCORE + "{frozen}/unfreeze/",
    "unfreeze and override": SCORE + "{frozen}/unfreeze_override/",
    "unfreeze and strike": SCORE + "{frozen}/unfreeze_strike/?facts={fact}",
    "unfreeze and roll back": SCORE + "{frozen}/unfreeze_roll_back/?target=1",
    "an override of what is frozen": SCORE + "{frozen}/override/",
    "freeze": SCORE + "{plain}/freeze/",
    "override": SCORE + "{plain}/override/",
    "lift": SCORE + "{overridden}/lift/",
    "strike": SCORE + "{plain}/strike/?facts={fact_of_plain}",
    "reinstate": SCORE + "{struck}/reinstate/?facts={fact_struck}",
    "roll back": SCORE + "{plain}/roll_back/?target=1",
    "as of an entry": SCORE + "{plain}/as_of/?sequence=2",
    "an entry": "scoring/scorechange/{entry}/change/",
    "an alert": ALERT + "{alert}/change/",
    "acknowledge": ALERT + "{alert}/acknowledge/",
    "dismiss": ALERT + "{alert}/dismiss/",
    "a request": "scoring/approval/{asked}/change/",
    "approve": "scoring/approval/{asked}/approve/",
    "refuse": "scoring/approval/{asked}/refuse/",
    "a staged set": RESCORE + "{staged}/change/",
    "apply a set": RESCORE + "{staged}/apply/",
    "cancel a set": RESCORE + "{staged}/cancel/",
    "a review": REVIEW + "{review}/change/",
    "claim": REVIEW + "{review}/claim/",
    "settle": REVIEW + "{review}/settle/",
    "settle what is held": REVIEW + "{held}/settle/",
    "give back": REVIEW + "{held}/release/",
    "how judges do": "judging/judgereport/health/",
    "verdicts": "judging/verdict/",
    "a debate": DEBATE + "{debate}/change/",
    "rerun": DEBATE + "{debate}/rerun/",
    "roll back all": DEBATE + "{other}/roll_back/",
    "start": DEBATE + "{draft}/start/",
    "pause": DEBATE + "{running}/pause/",
    "resume": DEBATE + "{paused}/resume/",
    "stop": DEBATE + "{running}/stop/",
    "cancel a debate": DEBATE + "{running}/cancel/",
    "conclude again": DEBATE + "{failed}/retry_synthesis/",
    "pause what has ended": DEBATE + "{debate}/pause/",
    "invite": "debates/participant/{seat}/invite/",
    "a rubric": "scoring/rubric/{rubric}/change/",
    "make a key": KEY + "make/",
    "revoke a key": KEY + "{key}/revoke/",
    "make a webhook": HOOK + "make/",
    "a new secret": HOOK + "{hook}/rotate/",
    "test a webhook": HOOK + "{hook}/test/",
    "update a webhook": HOOK + "{hook}/edit/",
    "delete a webhook": HOOK + "{hook}/remove/",
    "disable a webhook": HOOK + "{hook}/disable/",
    "enable a webhook": HOOK + "{hook_off}/enable/",
    "send again": "debates/delivery/{delivery}/redeliver/",
}  # fmt: skip

MADE = {
    "review": "queue: Claim", "held": "queue: Settle", "draft": "debate: Start", "running": "debate: Pause",
    "paused": "debate: Resume", "failed": "debate: Conclude again", "other": "debate: Roll back all",
    "seat": "debate: Invite somebody", "key": "access: Revoke", "hook": "access: New secret",
    "hook_off": "access: Enable", "delivery": "access: Send again",
}  # fmt: skip
"""Rows that are made as they are for an act."""


@pytest.fixture(scope="module")
def ruth(site):
    """A moderator who may do everything."""
    return factories.moderator("ruth")


@pytest.fixture(scope="module")
def rows(played, ruth):
    """The row of each page, brought to where the page has something to say."""
    overridden, frozen, plain, struck = Evaluation.objects.filter(debate=played).order_by("pk")[:4]
    factories.count_after_the_end(frozen, "2")
    found = {"fact": frozen.basis[0], "fact_of_plain": plain.basis[0], "fact_struck": struck.basis[0]}
    order = factories.order(struck, ruth)
    entry = acts.strike(order=order, facts=struck.basis[:1], now=timezone.now()).entries[0]
    found |= waiting(plain, frozen) | {name: ACTS[act].make(ruth) for name, act in MADE.items()}
    found |= {"overridden": overridden, "frozen": frozen, "plain": plain, "struck": struck, "entry": entry}
    found["rubric"] = rubric_store.store(snapshot={**playing.rubric("P1", "P2"), "slug": "seen"}, by=None)
    found["debate"] = played
    return {name: getattr(row, "pk", row) for name, row in found.items()}


def waiting(plain, frozen):
    """One of each thing about a score that waits for a moderator."""
    freeze = ScoreChange.objects.get(evaluation=frozen, kind="freeze")
    who = {"because": freeze.reason}
    line = {"id": plain.pk, "name": str(plain), "seen": plain.moderation_version, "value_after": "6"}
    line |= {"value_before": in_places(plain.value)}
    about = {"evaluation": plain, "code": "net_capped", "severity": "critical", "evidence": {"raw": "6"}}
    wanted = {"evaluation": plain, "value": 9, "value_seen": plain.value, "seen": 1, "door": "moderator"}
    return {
        "alert": Alert.objects.create(debate=plain.debate, facts_digest="x", **about),
        "asked": Approval.objects.create(requested_by=freeze.actor, **wanted, **who),
        "staged": RescoreSet.objects.create(action="rollback", lines=[line], staged_by=freeze.actor, **who),
    }


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_the_policy_fits_a_phone_and_can_be_read(room, ruth, rows, name):
    page = room.sit_down(ruth, at="/admin/" + PAGES[name].format(**rows))

    assert page.complaints == []
    assert page.title().endswith("Moot")
    assert page.locator("h1").count() >= 1
    assert faults_to_all_eyes(page) == {}


@pytest.mark.parametrize("action", ["freeze_selected", "unfreeze_selected", "roll_back_selected"])
def test_the_page_of_a_bulk_action_keeps_the_policy_fits_a_phone_and_can_be_read(room, ruth, rows, action):
    page = room.sit_down(ruth, at=f"/admin/scoring/evaluation/?of_debate={rows['debate']}")
    choose(page, action)

    assert "8 chosen" in page.locator("#content").inner_text()
    assert page.complaints == []
    assert faults_to_all_eyes(page) == {}
