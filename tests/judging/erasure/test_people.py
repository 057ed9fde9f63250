"""Erasing a voice or a person: their words, names and keys go, and nobody else's; what they came to stays."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from debates import event_log
from debates.errors import Invalid, NotAllowedNow
from debates.mail import outbox, preferences
from debates.models import (
    ApiKey,
    Debate,
    Delivery,
    IdempotencyKey,
    Invitation,
    Mail,
    MailStop,
    Membership,
    Participant,
    Profile,
    Webhook,
)
from debates.services import invitations, keys
from debates.services.invitations import Offer
from debates.types import MailKind, MemberRole, News
from judging.engine import appeals, creation, erasure, lifecycle, reviews
from judging.engine.erasure import ERASED
from judging.formats.open import results, spec
from judging.models import Call, PlannedStart, Review, Synthesis, Verdict
from scoring import verify
from scoring.enums import AlertState, BulkAction
from scoring.models import Actor, Alert, Appeal, Evaluation, Reason, RescoreSet, ScoreChange
from scoring.services import alerts, cases, rescore
from scoring.types import AlertCode, Finding
from tests import acts, factories, playing, rows_in_every_table
from tests.api.clients import Api
from tests.judging.arbiter_seats import rule, seat_of, sit, waits
from tests.judging.erasure.erase import CANARY, WHY, chair, erase, everything, says, seated
from tests.judging.formats.open import playing as open_debates
from tests.judging.formats.open import scripts
from tests.judging.formats.open.playing import KONRAD, MIRA
from tests.judging.formats.open.test_verify import unguarded
from tests.moderators import client_of, proved
from tests.playing import ruling

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_one_voice_goes_and_the_others_stay(debate, alice):
    bob, charlie = chair(debate, "Bob Stone"), chair(debate, "Charlie")
    factories.again(debate)
    gone, stays = says(bob, "I said so."), says(charlie, "I did not.")
    factories.over(debate)

    erase(bob, alice)

    for row in (bob, charlie, gone, stays):
        row.refresh_from_db()
    assert (bob.name, charlie.name) == ("[erased 4]", "Charlie")
    assert (gone.text, stays.text) == ("", "I did not.")
    assert Call.objects.exclude(raw_answer="").count() == 0  # a judge may have quoted anybody
    assert verify.verify().faults == ()


def test_the_address_to_which_a_seat_was_offered_goes_with_its_voice(debate, alice):
    seat = chair(debate, "Zora Quill")
    about = {"debate": debate, "expires_at": timezone.now() + timedelta(days=1)}
    Invitation.objects.create(**about, seat=seat, email="zora.quill@example.org", digest="a" * 64)
    others = Invitation.objects.create(
        **about, seat=chair(debate, "Charlie"), email="charlie@example.org", digest="b" * 64
    )

    erase(seat, alice)

    assert "quill" not in everything().lower()
    others.refresh_from_db()
    assert (others.email, others.revoked_at) == ("charlie@example.org", None)


def test_mail_that_waits_to_offer_a_seat_goes_with_its_voice(debate, alice, settings):
    settings.MAIL_IS_SENT = True
    drafted = factories.debate(status="draft")
    seat, other = chair(drafted, "Zora Quill"), chair(drafted, "Charlie")
    for one, address in ((seat, "zora.quill@example.org"), (other, "charlie@example.org")):
        invitations.invite(offer=Offer(debate=drafted, seat=one, email=address), by=None, now=timezone.now())

    counts = erasure.preview(target=seat)
    erase(seat, alice)

    assert counts["mail"] == 1
    assert "quill" not in everything().lower()
    assert Mail.objects.get().address == "charlie@example.org"


@pytest.mark.parametrize(
    "whose", [pytest.param(seat_of, id="the seat"), pytest.param(lambda debate: seat_of(debate).user, id="the person")]
)
def test_the_reasons_that_an_arbiter_gave_go_with_its_voice(whose, alice):
    ruled = waits(rounds=([ruling("-1.5", "-0.1")],))
    rule(ruled, sit(ruled), [{**ruling("-1.5", "-0.1"), "reasoning": f"I, {CANARY}, say so."}])
    playing.work()
    assert Verdict.objects.get().reasoning == f"I, {CANARY}, say so."

    erase(whose(ruled), alice)

    assert CANARY not in everything()
    assert verify.verify().faults == ()


@pytest.mark.django_db(transaction=True)  # switches guards off, after what they guard was written
def test_a_score_loses_the_name_of_its_person_and_keeps_its_value(alice):
    bob = seated("Bob Stone")
    held = bob.debate
    score = factories.criterion(held)
    mine = factories.criterion(held, key="P2")
    sql("UPDATE scoring_evaluation SET participant_id = %s, name = 'Bob Stone' WHERE id = %s", bob.pk, mine.pk)
    staged = {
        "staged_by": Actor.objects.create(user=alice, name="x"),
        "because": Reason.objects.create(salt="s" * 16, text=WHY),
    }
    lines = [{"id": row.pk, "evaluation": str(row.public_id), "name": str(row)} for row in (score, mine)]
    kept = RescoreSet.objects.create(action="freeze", lines=lines, **staged)
    Debate.objects.filter(pk=held.pk).update(status="concluded")
    LogEntry.objects.log_actions(alice.pk, [mine], CHANGE, change_message="frozen")

    with CaptureQueriesContext(connection) as asked:
        erase(bob, alice)

    mine.refresh_from_db()
    kept.refresh_from_db()
    locks = [query["sql"] for query in asked if "FOR NO KEY UPDATE" in query["sql"]]
    assert ["scoring_rescoreset" in lock for lock in locks[:2]] == [True, False]
    assert str(mine.public_id) in locks[0]  # what is rewritten is locked in the order of those who apply it
    assert LogEntry.objects.get().object_repr == ERASED
    assert mine.name == "[erased 1]"
    assert [line["name"] for line in kept.lines] == [str(score), ERASED]


@pytest.mark.parametrize("name", ["score", "stance", "utilitarian", "classic", "wrong", "winner"])
def test_who_is_called_as_a_setting_is_goes_and_the_setting_stays(alice, client, name):
    debate = open_debates.played(chairs=(replace(MIRA, name=name), replace(KONRAD, side="Konrad")), exchanges=1)
    before = json.dumps(debate.parameters)
    numbers = Synthesis.objects.get(debate=debate).numbers

    erase(debate.participants.get(name=name), alice)

    debate.refresh_from_db()
    as_named = json.loads(before)
    as_named["table"]["chairs"][0]["name"] = "[erased 1]"
    assert debate.parameters == as_named
    told = Synthesis.objects.get(debate=debate).numbers
    assert told["scores"] == {"[erased 1]": numbers["scores"][name], "Konrad": numbers["scores"]["Konrad"]}
    assert {key: value for key, value in told.items() if key not in {"scores", "states", "adherence"}} == {
        key: value for key, value in numbers.items() if key not in {"scores", "states", "adherence"}
    }
    assert client.get(f"/debates/{debate.public_id}/").status_code == 200
    assert verify.verify().faults == ()


def test_who_is_called_as_an_erased_voice_is_takes_no_name_from_one(alice):
    chairs = (replace(MIRA, name="[erased 2]"), KONRAD, replace(MIRA, name="[erased of Bonn"))
    debate = open_debates.played(chairs=chairs, exchanges=1)

    erase(debate.participants.get(name="Konrad"), alice)
    names = set(debate.participants.filter(role="chair").values_list("name", flat=True))
    erase(debate, alice)

    assert names == {"[erased 2]", "[erased 6]", "[erased of Bonn"}
    assert set(debate.participants.filter(role="chair").values_list("name", flat=True)) == {
        "[erased 2]", "[erased 6]", "[erased 3]"
    }  # fmt: skip
    assert "Bonn" not in everything()
    assert verify.verify().faults == ()


def sql(statement: str, *values: object) -> None:
    """Change what the guards protect, as only a test may."""
    with unguarded(Evaluation), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_a_chair_of_an_open_debate_loses_its_name_everywhere_and_what_it_came_to_stays(alice):
    held = open_debates.played(chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=2)
    before = results.outcome_numbers(debate=held)
    chair_of = held.participants.get(name="Mirabel Stone")
    assert "Mirabel" in str(before)

    erase(chair_of, alice)

    held.refresh_from_db()
    after = results.outcome_numbers(debate=held)
    assert json.loads(json.dumps(before, default=str).replace("Mirabel Stone", "[erased 1]")) == json.loads(
        json.dumps(after, default=str)
    )
    assert held.turns.filter(participant=chair_of).exclude(text="").count() == 0
    assert "Mirabel" not in everything(but="debates_turn")  # where others go on naming her
    assert verify.verify().faults == ()


def test_a_long_name_and_what_a_voice_was_given_to_say_go_with_it(alice, monkeypatch):
    monkeypatch.setattr(spec, "LONGEST_NAME", 80)
    name = "Mirabel Stone of the long and honourable house of the Stones by the river"
    answers = scripts.script({"purpose": "sum_up", "error": f"{name} is too much for us.", "permanent": True})
    chairs = (replace(MIRA, name=name), KONRAD)
    held = open_debates.played(provider="scripted", script=answers, chairs=chairs, exchanges=1)
    assert name in held.problem

    erase(held.participants.get(name=name), alice)

    assert set(Call.objects.filter(purpose="evaluate").values_list("about", flat=True)) == {"[erased 1]", "Konrad"}
    assert "Mirabel" not in everything(but="debates_turn")
    assert "ward must be safe" not in everything(but="debates_turn")  # of the script: others say it, too


def test_what_a_failed_judge_said_goes_from_the_alert_and_the_rest_of_its_evidence_stays(alice):
    answers = scripts.script({"purpose": "evaluate", "error": "Mirabel Stone is too much.", "permanent": True})
    held = open_debates.played(
        provider="scripted", script=answers, chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=1
    )
    kept = {one.pk: {**one.evidence} for one in Alert.objects.filter(debate=held)}
    assert {one.pop("why") for one in kept.values()} == {"Mirabel Stone is too much."}

    erase(held.participants.get(name="Mirabel Stone"), alice)

    assert {one.pk: one.evidence for one in Alert.objects.filter(debate=held)} == kept
    assert "Mirabel" not in everything(but="debates_turn")
    assert verify.verify().faults == ()


def test_somebody_who_sat_in_two_open_debates_under_crossed_names_goes_from_both(alice):
    ann = factories.person("ann")
    first, second = (open_debates.played(chairs=(MIRA, KONRAD), exchanges=1) for _ in range(2))
    with unguarded(Participant):  # who played for themselves is then theirs
        for debate, name in ((first, "Mira"), (second, "Konrad")):
            debate.participants.filter(name=name).update(user=ann, kind="human", provider="")

    erase(ann, alice)

    names = [
        [card["name"] for card in Debate.objects.get(pk=debate.pk).parameters["table"]["chairs"]]
        for debate in (first, second)
    ]
    assert names == [["[erased 1]", "Konrad"], ["Mira", "[erased 2]"]]


def test_the_reason_why_an_alert_was_acknowledged_goes_although_it_was_dismissed_later(debate, alice):
    bob = factories.moderator("bob")
    finding = Finding(AlertCode.JUDGE_FAILED, {"purpose": "judge"})
    alerts.raise_alerts(debate_id=debate.pk, evaluation=None, findings=[finding], facts=())
    alert = Alert.objects.get(debate=debate)
    for by, state, reason in (
        (bob, AlertState.ACKNOWLEDGED, "Bob Quillon has heard of it."),
        (alice, AlertState.DISMISSED, "It was a passing fault of the line."),
    ):
        alerts.handle(alert_ids=[alert.pk], by=by, state=state, reason=reason, now=timezone.now())

    erase(bob, alice)

    alert.refresh_from_db()
    answers = [(answer.state, answer.because.text) for answer in alert.answers.select_related("because")]
    assert answers == [("acknowledged", ""), ("dismissed", "It was a passing fault of the line.")]
    assert "quillon" not in everything().lower()
    assert verify.verify().faults == ()


def test_a_person_goes_with_seats_reasons_signature_keys_hooks_and_account(debate, alice):
    bob = factories.moderator("bob.quillon")
    User.objects.filter(pk=bob.pk).update(first_name="Bob", email="bob@example.org", last_name="Quillon")
    address = EmailAddress.objects.create(user=bob, email="bob@example.org")
    SocialAccount.objects.create(user=bob, provider="openid", uid="bob", extra_data={"name": "Bob Quillon"})
    offer = Offer(debate=debate, role=MemberRole.GUEST, email="Bob@example.org")
    invitation, way_in = invitations.invite(offer=offer, by=alice, now=timezone.now())
    role = Membership.objects.create(debate=debate, user=bob, role="guest")
    Profile.objects.create(user=bob)
    evaluation = Evaluation.objects.get(debate=debate)
    order = factories.order(evaluation, bob, reason="I am Bob Quillon and know better.")
    acts.override(order=order, value="4", now=timezone.now())
    seat = chair(debate, "Bob Quillon", bob)
    factories.again(debate)
    said = says(seat, "Bob Quillon speaks.")
    factories.over(debate)
    key, text = keys.issue(owner=bob, by=None, name="Bob's phone", scopes=["read"], now=timezone.now())
    hook = Webhook.objects.create(owner=bob, url="https://bob.example.org/", secret="whsec_bob")
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    Delivery.objects.get_or_create(webhook=hook, event=debate.events.latest("seq"), defaults={"due_at": timezone.now()})
    for row in (bob, address, seat, key, hook):
        LogEntry.objects.log_actions(alice.pk, [row], CHANGE, change_message="changed")

    erase(bob, alice)

    left = everything().lower()
    assert [word for word in ("bob", "quillon", "whsec_bob") if word in left] == []
    said.refresh_from_db()
    hook.refresh_from_db()
    assert (said.text, hook.state) == ("", "disabled")
    assert keys.key_of(text=text, now=timezone.now()) is None
    invitation.refresh_from_db()
    role.refresh_from_db()
    assert (invitation.email, invitation.revoked_at is None, role.revoked_at is None) == ("", False, False)
    with pytest.raises(Invalid):
        invitations.invited(text=way_in, now=timezone.now())
    assert not Profile.objects.exists()
    assert ApiKey.objects.get(pk=key.pk).revoked_at is not None
    assert User.objects.get(pk=bob.pk).has_usable_password() is False
    assert verify.verify().faults == ()


def test_what_somebody_had_claimed_is_free_for_others_once_they_are_erased(alice):
    rows_in_every_table.one("first")
    review, appeal, bob = Review.objects.get(), Appeal.objects.get(), factories.moderator("bob")
    claims = ((reviews.claim, {"review_id": review.pk}), (appeals.claim, {"appeal_id": appeal.pk}))
    for claim, of in claims:
        claim(**of, by=bob, now=timezone.now())

    counts = erase(bob, alice).counts

    assert counts["claims of the person"] == 2
    for claim, of in claims:
        claim(**of, by=alice, now=timezone.now())


def test_who_is_called_as_an_erased_account_is_goes_like_everybody_and_once(alice):
    bob = factories.person("bob", email="bob@example.org")
    bob.username = f"erased-{bob.pk}"
    bob.set_password("a long enough secret")
    bob.save()

    first, second = erase(bob, alice), erase(User.objects.get(pk=bob.pk), alice)

    bob.refresh_from_db()
    assert (bob.email, bob.is_active, bob.has_usable_password()) == ("", False, False)
    assert (first.counts["accounts"], second.counts) == (1, {})


def test_whoever_took_the_name_of_an_erased_account_keeps_nobody_from_being_erased(alice):
    bob = factories.person("bob", email="bob@example.org")
    factories.person(f"Erased-{bob.pk}")

    erase(bob, alice)
    second = erase(User.objects.get(pk=bob.pk), alice)

    bob.refresh_from_db()
    assert bob.username.startswith(f"erased-{bob.pk}-")
    assert (bob.email, bob.is_active, second.counts) == ("", False, {})


def former_address(debate, alice, *, anothers):
    """Bob, who had an address to which he was invited, and has another; what is on its way there now."""
    bob, former, now = factories.person("bob", email="Bob@old.example.org"), "bob@old.example.org", timezone.now()
    offer = Offer(debate=debate, role=MemberRole.GUEST, email=former)
    invitation, way_in = invitations.invite(offer=offer, by=alice, now=now)
    bob.email = "bob@example.org"
    bob.save()
    if anothers:
        factories.person("carl", email=former)
    MailStop.objects.create(digest=preferences.digests_of(former)[0])
    outbox.due(kind=MailKind.INVITATION, about=1, address=former, now=now)
    return bob, invitation, way_in


def test_what_was_sent_to_a_former_address_of_a_person_goes_with_them(debate, alice, settings):
    settings.MAIL_IS_SENT = True
    bob, invitation, way_in = former_address(debate, alice, anothers=False)

    counts = erasure.preview(target=bob)
    erase(bob, alice)

    assert (counts["addresses in invitations"], counts["mail to the person"], counts["mail that is not wanted"]) == (
        1, 2, 1,
    )  # fmt: skip
    invitation.refresh_from_db()
    assert (invitation.email, invitation.revoked_at is None) == ("", False)
    with pytest.raises(Invalid):
        invitations.invited(text=way_in, now=timezone.now())
    assert (Mail.objects.count(), MailStop.objects.count()) == (0, 0)


def test_an_address_that_is_deleted_in_the_admin_is_neither_in_its_history_nor_in_mail(alice, client, settings):
    settings.STAFF_NEED_SECOND_FACTOR, settings.MAIL_IS_SENT = False, True
    bob = factories.person("bob", email="bob@example.org")
    outbox.due(kind=MailKind.ACCOUNT, about=1, address="Bob@example.org", now=timezone.now())
    client.force_login(factories.person("root", superuser=True))
    row = EmailAddress.objects.create(user=bob, email="bob@example.org")
    client.post(reverse("admin:account_emailaddress_delete", args=[row.pk]), {"post": "yes"})

    [line] = LogEntry.objects.all()
    assert (str(line), line.object_id) == ("Changed “bob” — Deleted a mail address.", str(bob.pk))
    assert "bob@" not in everything().lower(), "the account has it no more either"


@pytest.mark.parametrize("by", ["its page", "the list"])
def test_an_account_that_is_deleted_in_the_admin_leaves_no_name_in_the_history(by, alice, client, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    bob = User.objects.create_user("bob.quillon", email="bob@example.org")
    LogEntry.objects.log_actions(alice.pk, [bob], CHANGE, change_message="Changed bob.quillon.")
    client.force_login(alice)
    proved(client)

    if by == "its page":
        client.post(reverse("admin:auth_user_delete", args=[bob.pk]), {"post": "yes"})
    else:
        form = {"action": "delete_selected", "_selected_action": [bob.pk], "post": "yes"}
        client.post(reverse("admin:auth_user_changelist"), form)

    assert not User.objects.filter(pk=bob.pk).exists()
    assert set(LogEntry.objects.values_list("object_repr", "object_id")) == {(ERASED, str(bob.pk))}
    assert "quillon" not in everything(but="django_session").lower()


def test_the_address_of_a_webhook_that_was_deleted_is_not_in_the_admins_history(alice, client, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    bob = factories.person("bob")
    client.force_login(factories.person("root", superuser=True))
    hook = Webhook.objects.create(owner=bob, url="https://bob.example.org/", secret="whsec_bob")
    for page in ("disable", "remove"):
        client.post(reverse(f"admin:debates_webhook_{page}", args=[hook.pk]))

    erase(bob, alice)

    assert not Webhook.objects.exists()
    assert LogEntry.objects.count() == 2
    assert "bob.example.org" not in everything()


def test_an_answer_that_was_kept_about_a_persons_webhook_goes_with_them(alice):
    bob, rights = factories.person("bob"), ["debates.view_webhook", "debates.change_webhook"]
    hook = Webhook.objects.create(owner=bob, url="https://bob.example.org/", secret="whsec_bob")
    carol = Api(factories.person("carol", permissions=rights))
    carol.post(f"/webhooks/{hook.public_id}/disable/", Idempotency_Key="order-1")
    assert "bob.example.org" in IdempotencyKey.objects.get().body

    erase(bob, alice)

    assert not IdempotencyKey.objects.exists()


def test_an_answer_that_was_kept_about_a_persons_conflict_of_interest_goes_with_them(debate, alice):
    bob, declares = factories.person("bob.quillon"), Api(factories.person("root", superuser=True))
    about = {"debate": str(debate.public_id), "person": bob.username, "reason": "They wrote the text."}
    declares.post("/conflicts/", about, Idempotency_Key="order-1")
    assert bob.username in IdempotencyKey.objects.get().body

    erase(bob, alice)

    assert not IdempotencyKey.objects.exists()


def test_an_erased_person_is_signed_in_nowhere_and_was_never_here_last(alice, client):
    bob = factories.person("bob")
    client.force_login(bob)
    anothers = client_of(alice)

    erase(bob, alice)

    bob.refresh_from_db()
    assert bob.last_login is None
    assert [row.session_key for row in Session.objects.all()] == [anothers.session.session_key]


def test_a_sign_in_that_waits_for_the_second_factor_goes_with_its_person(alice, client):
    bob = factories.person("bob")
    bob.set_password("eight small ducks")
    bob.save()
    totp.TOTP.activate(bob, totp.generate_totp_secret())
    answer = client.post(reverse("account_login"), {"login": "bob", "password": "eight small ducks"})
    assert answer["Location"] == reverse("mfa_authenticate")
    assert client.session["account_authentication_methods"][0]["username"] == "bob"

    erase(bob, alice)

    assert not Session.objects.exists()


def test_why_a_start_that_a_person_planned_failed_goes_with_them(alice):
    bob, now = factories.person("bob"), timezone.now()
    for number, by in enumerate((bob, alice)):
        held = factories.debate(status="draft", title=f"Number {number}")
        PlannedStart.objects.create(
            debate=held, starts_at=now + timedelta(hours=1), created_by=by, problem=f"{by} lacks a permission."
        )

    erase(bob, alice)

    assert PlannedStart.objects.get().created_by == alice
    assert "bob lacks" not in everything()


def test_what_a_webhook_was_not_told_of_yet_is_told_still_and_what_came_of_its_attempts_goes(alice):
    held, bob = factories.debate(status="concluded"), factories.person("bob")
    chair(held, "Bob", bob)
    hook = Webhook.objects.create(owner=alice, url="https://example.org/", secret="whsec_alice")
    event_log.append(
        debate_id=held.pk, news=[News("debate:paused", {}), News("debate:resumed", {})], now=timezone.now()
    )
    waiting, dead = Delivery.objects.filter(webhook=hook).order_by("pk")
    Delivery.objects.update(log=[{"problem": "Bob Quillon is at lunch."}])
    Delivery.objects.filter(pk=dead.pk).update(state="dead", due_at=None, settled_at=timezone.now())

    erase(bob, alice)

    assert list(Delivery.objects.values_list("pk", "state", "log")) == [(waiting.pk, "waiting", [])]
    assert erasure.preview(target=bob) == {}


def test_what_is_sent_to_a_former_address_of_a_person_stays_where_it_is_anothers_now(debate, alice, settings):
    settings.MAIL_IS_SENT = True
    bob, invitation, _ = former_address(debate, alice, anothers=True)

    erase(bob, alice)

    invitation.refresh_from_db()
    assert (invitation.email, invitation.revoked_at is None) == ("", False)
    assert (Mail.objects.count(), MailStop.objects.count()) == (2, 1)


def test_a_debate_in_which_a_person_only_answered_is_told_of_their_erasure_too(debate, alice):
    bob = factories.moderator("bob")
    finding = Finding(AlertCode.JUDGE_FAILED, {"purpose": "judge"})
    alerts.raise_alerts(debate_id=debate.pk, evaluation=None, findings=[finding], facts=())
    reason = "Bob Quillon has heard of it."
    alert = Alert.objects.get(debate=debate)
    alerts.handle(alert_ids=[alert.pk], by=bob, state=AlertState.ACKNOWLEDGED, reason=reason, now=timezone.now())

    erase(bob, alice)

    debate.head.refresh_from_db()
    assert debate.head.erasures == 1


def test_a_debate_is_told_where_somebody_else_acted_for_the_reason_of_a_person(debate, alice):
    bob, evaluation = factories.moderator("bob"), Evaluation.objects.get(debate=debate)
    about = {"action": BulkAction.FREEZE, "rows": [(evaluation.pk, None)], "reason": "Bob Quillon found it out."}
    staged = rescore.stage(**about, by=bob, now=timezone.now())
    rescore.apply(set_id=staged.pk, by=alice, now=timezone.now())

    erase(bob, alice)

    debate.head.refresh_from_db()
    assert debate.head.erasures == 1
    assert ScoreChange.objects.get(kind="freeze").reason.text == ""


def test_a_debate_is_told_where_a_person_stands_by_name_and_gave_no_reason(debate, alice):
    bob, evaluation = factories.moderator("bob"), Evaluation.objects.get(debate=debate)
    cases.remark(evaluation_id=evaluation.pk, by=bob, text="Look at this one.", now=timezone.now())

    erase(bob, alice)

    debate.head.refresh_from_db()
    assert debate.head.erasures == 1


@pytest.mark.parametrize(
    ("status", "act"),
    [
        ("draft", lambda about: lifecycle.start(**about)),
        ("draft", lambda about: creation.plan_start(**about, starts_at=timezone.now() + timedelta(hours=1))),
        ("concluded", lambda about: lifecycle.rerun(**about, reason=WHY)),
        ("failed", lambda about: lifecycle.retry_synthesis(**about)),
    ],
    ids=["started", "planned", "rerun", "concluded again"],
)
def test_a_debate_in_which_an_erased_person_sat_is_not_played(status, act, alice):
    bob = factories.person("bob")
    held = factories.debate(status=status)
    chair(held, "Bob", bob)
    erase(bob, alice)

    with pytest.raises(NotAllowedNow, match="Words of this debate were erased"):
        act({"debate_id": held.pk, "by": alice, "now": timezone.now()})

    held.refresh_from_db()
    assert held.status == status


def test_two_records_of_one_person_lose_their_names(debate, alice):
    bob = factories.person("bob")
    for role in ("Moderator", "Auditor"):
        Actor.objects.create(user=bob, name="bob", role=role)
        Actor.objects.create(user=bob, name="bobby", role=role)

    erase(bob, alice)

    assert list(Actor.objects.filter(user=bob).values_list("name", flat=True).distinct()) == [""]


def test_the_last_superuser_stays_and_nobody_erases_themselves(alice):
    bob = factories.person("bob")

    with pytest.raises(NotAllowedNow):
        erase(alice, bob)
    with pytest.raises(Invalid):
        erase(bob, bob)


def test_a_persons_words_in_a_debate_that_goes_on_keep_the_person_back(alice):
    bob = factories.person("bob")
    chair(factories.debate(status="running"), "Bob", bob)

    with pytest.raises(NotAllowedNow):
        erase(bob, alice)


def test_an_erasure_opens_every_session_and_every_kept_answer_once(alice):
    bob = factories.person("bob")

    with CaptureQueriesContext(connection) as queries:
        erase(bob, alice)

    reads = [query["sql"] for query in queries if query["sql"].startswith(("SELECT", "DECLARE"))]
    assert sum('"session_data"' in sql for sql in reads) == 1
    assert sum('"debates_idempotencykey"."body" FROM' in sql for sql in reads) == 1
