"""The admin: everything can be read there, nothing of a history can be changed."""

from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.mail import outbox
from debates.models import Debate, IdempotencyKey, Mail, Participant
from debates.types import MailKind
from scoring.models import Evaluation, Rubric
from tests import factories, rows_in_every_table
from tests.moderators import client_of, proved
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
OURS = ("debates", "scoring", "judging")
MODELS = [model for model in admin.site._registry if model._meta.app_label in (*OURS, "procrastinate")]


def named(model: type[Model]) -> str:
    return model.__name__


def page(model: type[Model], view: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}", args=args)


def test_the_index_of_the_admin_lists_what_there_is():
    page_ = client_of(factories.moderator()).get("/admin/").content.decode()

    assert "Moot moderation" in page_
    assert page(Evaluation, "changelist") in page_


def test_whoever_may_only_view_sees_pages_without_a_button_to_save():
    debate = rows_in_every_table.one("first")
    client = client_of(factories.person("bob", permissions=["debates.view_debate"]))

    shown = client.get(page(Debate, "change", debate.pk))

    assert shown.status_code == 200
    assert "_save" not in shown.content.decode()


def test_deleting_says_nothing_about_a_row_to_whoever_may_not_see_it():
    debate = rows_in_every_table.one("first")

    assert client_of(factories.person("bob")).get(page(Debate, "delete", debate.pk)).status_code == 403
    assert client_of(factories.moderator()).get(page(Debate, "delete", 0)).status_code == 403


def test_somebody_who_acted_cannot_be_deleted():
    rows_in_every_table.one("first")
    acted = User.objects.get(username="first")
    client = proved(client_of(factories.moderator()))

    shown = client.post(reverse("admin:auth_user_delete", args=[acted.pk]), {"post": "yes"})

    assert "Cannot delete user" in shown.content.decode()
    assert User.objects.filter(pk=acted.pk).exists()


def mail_to(user: User) -> None:
    now = timezone.now()
    Mail.objects.create(kind=MailKind.CONCLUDED.value, about="1", person=user, due_at=now, next_attempt_at=now)


def factor_of(user: User) -> None:
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})


@pytest.mark.parametrize(
    "leave",
    [
        pytest.param(mail_to, id="a mail"),
        pytest.param(
            lambda user: IdempotencyKey.objects.create(owner=user, key="0" * 64, digest="0" * 64), id="a kept form"
        ),
        pytest.param(factor_of, id="a second factor"),
    ],
)
@pytest.mark.parametrize("by", [{"superuser": True}, {"permissions": ["auth.view_user", "auth.delete_user"]}])
def test_somebody_is_deleted_with_what_is_theirs_alone(leave, by, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    plain = User.objects.create_user("plain")
    leave(plain)

    gone = proved(client_of(factories.person("bob", **by))).post(
        reverse("admin:auth_user_delete", args=[plain.pk]), {"post": "yes"}
    )

    assert (gone.status_code, User.objects.filter(pk=plain.pk).exists()) == (302, False)


def test_mail_that_waits_about_an_account_goes_with_it_and_others_stays():
    plain, bob = User.objects.create_user("plain", email="plain@example.org"), factories.moderator("bob")
    EmailAddress.objects.create(user=plain, email="another@example.org")
    User.objects.create_user("other", email="Shared@example.org")
    EmailAddress.objects.create(user=plain, email="shared@example.org")
    for address in ("Plain@example.org", "another@example.org", "shared@example.org"):
        outbox.due(kind=MailKind.ACCOUNT, about=uuid4(), address=address, secret="[]", now=timezone.now())

    proved(client_of(bob)).post(reverse("admin:auth_user_delete", args=[plain.pk]), {"post": "yes"})

    assert not User.objects.filter(pk=plain.pk).exists()
    assert [mail.address for mail in Mail.objects.all()] == ["shared@example.org"]


def test_somebody_who_acted_at_the_desk_is_not_deleted_and_the_page_says_why():
    plain = User.objects.create_user("plain")
    LogEntry.objects.log_actions(plain.pk, [plain], CHANGE, change_message="Changed.")
    client, at = proved(client_of(factories.moderator())), reverse("admin:auth_user_delete", args=[plain.pk])

    for shown in (client.get(at), client.post(at, {"post": "yes"})):
        assert "has acted at the desk cannot be deleted" in shown.content.decode()
    assert User.objects.filter(pk=plain.pk).exists()


def test_nobody_deletes_their_own_account():
    bob = factories.person("bob", superuser=True)
    factor_of(bob)
    client = proved(client_of(bob))

    alone = client.post(reverse("admin:auth_user_delete", args=[bob.pk]), {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": [bob.pk], "post": "yes"}
    listed = client.post(reverse("admin:auth_user_changelist"), chosen)

    assert (alone.status_code, "somebody else deletes it" in listed.content.decode()) == (403, True)
    assert User.objects.filter(pk=bob.pk).exists()


@pytest.mark.slow
def test_every_list_asks_the_same_number_of_queries_for_one_row_and_for_three():
    client = client_of(factories.moderator())
    rows_in_every_table.rows(1)
    one = {model: queries(client, page(model, "changelist")) for model in MODELS}
    rows_in_every_table.rows(2, prefix="more")

    assert {model: queries(client, page(model, "changelist")) for model in MODELS} == one
    assert all(model._default_manager.count() >= 3 for model in MODELS)


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert client.get(path).status_code == 200
    assert '"debates_debate"."parameters",' not in " ".join(query["sql"] for query in caught)  # which may be megabytes
    return len(caught)


@pytest.mark.parametrize("model", ["debates/event", "debates/turn", "judging/call", "judging/verdict"])
def test_a_search_that_finds_nothing_looks_once(model):
    rows_in_every_table.rows(1)
    client = client_of(factories.person("root", superuser=True))

    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"/admin/{model}/", {"q": "zebra"})

    assert (answer.status_code, list(answer.context["cl"].result_list)) == (200, [])
    assert len([query for query in queries if "%ZEBRA%" in query["sql"].upper()]) == 1


def test_a_score_that_is_not_evaluated_is_never_shown_as_a_number():
    factories.criterion()

    shown = client_of(factories.moderator()).get(page(Evaluation, "changelist")).content.decode()

    assert '<td class="field-final">not evaluated</td>' in shown


def test_words_of_participants_stay_words():
    debate = rows_in_every_table.one("first")
    attack = "<script>alert(1)</script>"
    factories.rewrite(Debate.objects.filter(pk=debate.pk), title=attack)
    factories.rewrite(Participant.objects.filter(pk=debate.participants.first().pk), name=attack)
    client = client_of(factories.moderator())

    for path in (page(Debate, "changelist"), page(Debate, "change", debate.pk), page(Participant, "changelist")):
        shown = client.get(path).content.decode()
        assert "&lt;script&gt;alert(1)" in shown
        assert attack not in shown


def test_the_jobs_are_not_filtered_by_lock():
    rows_in_every_table.one("first")

    assert "lock" not in str(admin.site._registry[ProcrastinateJob].list_filter)
    assert list(admin.site._registry[ProcrastinateJob].inlines) == []


def test_rubrics_are_written_on_their_own_pages_to_which_the_admin_leads():
    rows_in_every_table.one("first")
    rubric = Rubric.objects.get(slug="first")
    client = client_of(factories.moderator())

    shown = client.get(page(Rubric, "change", rubric.pk)).content.decode()

    assert client.get(page(Rubric, "add")).headers["Location"] == reverse("new-rubric")
    assert reverse("rubric", args=[rubric.public_id]) in shown
    assert rubric.criteria.get().question in shown
    assert "Edit as version 2" in client.get(reverse("rubric", args=[rubric.public_id])).content.decode()
