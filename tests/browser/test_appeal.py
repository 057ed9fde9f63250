"""An appeal, in Chromium: who takes part sees who moved a score and why, appeals, and a second moderator answers."""

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from debates.models import Membership
from judging.engine import appeals
from scoring.constraint_errors import guard_of
from scoring.errors import ActedOnIt
from scoring.models import Appeal, ScoreChange
from scoring.services.entries import actor_of, reason_record
from tests import factories
from tests.browser.page_checks import faults_to_all_eyes
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
WORDS = "The second paragraph was not about the wells at all."
NOTE = "quinquereme"
SOMEBODY_ELSE = "appeal_is_decided_by_somebody_who_did_not_act"
CLAIMED = """UPDATE scoring_appeal SET state = 'claimed', claimed_by_id = %s, lease_until = now() + interval '1 hour'
WHERE id = %s"""
DECIDED = """UPDATE scoring_appeal SET state = 'dismissed', claimed_by_id = NULL, lease_until = NULL,
decided_by_id = %s, decided_because_id = %s, decided_at = now() WHERE id = %s"""


def in_sql(appeal: Appeal, *, by, role: str | None) -> str | None:
    """Claim and decide an appeal past every service, and return the name of the guard that refuses."""
    actor = actor_of(by).pk
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            reason = reason_record(factories.REASON).pk
            if role:
                cursor.execute(f"SET LOCAL ROLE {role}")
            cursor.execute(CLAIMED, [actor, appeal.pk])
            cursor.execute(DECIDED, [actor, reason, appeal.pk])
            transaction.set_rollback(True)
    except DatabaseError as error:
        return guard_of(error)
    return None


def test_a_participant_appeals_and_is_answered_by_a_second_moderator(room, played):
    evaluation = played.evaluations.get(key="P1")
    act = ScoreChange.objects.filter(evaluation=evaluation, actor__isnull=False).order_by("sequence").first()
    first, paula, bob = act.actor.user, factories.person("paula"), factories.moderator("bob")
    Membership.objects.create(debate=played, user=paula, role="participant")

    # She sees why the score stands where it does, and who of which role moved it.
    page = room.sit_down(paula, at=f"/debates/{played.public_id}/")
    page.get_by_role("link", name="Account of Name of P1").click()
    entry = page.locator(f"#entry-{act.sequence}")
    expect(entry).to_contain_text("an administrator")
    expect(entry).to_contain_text(act.reason.text)

    # She appeals.
    entry.get_by_role("link", name="Appeal against entry").click()
    assert faults_to_all_eyes(page, whole=True) == {}
    page.get_by_label("A passage was misread").check()
    page.get_by_label("Why").fill(WORDS)
    page.get_by_role("button", name="Appeal", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your appeal")
    expect(page.get_by_text(WORDS)).to_be_visible()
    assert faults_to_all_eyes(page, whole=True) == {}
    appeal = Appeal.objects.get(person=paula)
    address = page.url

    # Nobody else reads her words, and whoever wrote the entry is refused: on the page, by the service, by raw SQL.
    anybody = room.sit_down(at=address)
    expect(anybody.get_by_text("waits for a decision")).to_be_visible()
    expect(anybody.get_by_text(WORDS)).to_have_count(0)
    desk = reverse("admin:scoring_appeal_claim", args=[appeal.pk])
    alice = room.sit_down(first, at=desk)
    expect(alice.get_by_text(appeals.ACTED)).to_be_visible()
    with pytest.raises(ActedOnIt):
        appeals.claim(appeal_id=appeal.pk, by=first, now=timezone.now())
    assert in_sql(appeal, by=first, role=settings.APP_ROLE) == SOMEBODY_ELSE
    assert in_sql(appeal, by=first, role=None) == SOMEBODY_ELSE
    assert in_sql(appeal, by=bob, role=settings.APP_ROLE) is None

    # A second moderator finds it in the queue, takes it on, and decides.
    second = room.sit_down(bob, at="/admin/")
    second.get_by_role("link", name="Appeals (1)").first.click()
    second.locator("#result_list tbody th a").first.click()
    expect(second.locator("dd.words").first).to_have_text(WORDS)
    second.get_by_role("link", name="Claim", exact=True).click()
    second.get_by_role("button", name="Claim").click()
    expect(second.get_by_role("heading", name="Decide")).to_be_visible()
    assert faults_to_all_eyes(second) == {}
    second.get_by_label("Dismiss it").check()
    second.get_by_label("Reason").fill("The passage is about the wells, in both sentences.")
    second.get_by_label("Internal note").fill(f"Ask the {NOTE}.")
    second.get_by_role("button", name="Decide").click()
    expect(second.get_by_text("The appeal is dismissed.")).to_be_visible()

    # Everybody reads both, and nobody but the desk the note.
    for reader, at in ((page, address), (anybody, address), (anybody, f"{room.url}/moderation/")):
        reader.goto(at)
        expect(reader.get_by_text(WORDS)).to_be_visible()
        expect(reader.get_by_text("The passage is about the wells, in both sentences.").first).to_be_visible()
        assert NOTE not in reader.content()
        assert faults_to_all_eyes(reader, whole=True) == {}
    page.goto(f"{room.url}{reverse('my-debates')}")
    expect(page.get_by_role("heading", name="Your appeals")).to_be_visible()
    assert faults_to_all_eyes(page, whole=True) == {}
    assert page.complaints == anybody.complaints == second.complaints == []
