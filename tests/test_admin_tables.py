"""Every table in the admin: it can be read there, and nothing of a history can be changed."""

from collections.abc import Iterator

import pytest
from django.db.models import Model
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.models import Acceptance, Epoch, Invitation, MailStop, Membership, Profile, TurnDraft
from debates.models.seal import Block, Seal
from judging.models import NewDebate, PlannedStart
from scoring.models import (
    AlertAnswer,
    Assignment,
    BrokenSeal,
    InternalNote,
    OrganiserRule,
    Remark,
    ReplacedJudge,
    Threshold,
)
from tests import factories, rows_in_every_table
from tests.moderators import client_of
from tests.module_fixtures import rolled_back
from tests.test_admin import MODELS, OURS, page
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOT_SHOWN = {
    Epoch,
    Seal,
    Block,
    Threshold,
    OrganiserRule,
    Invitation,
    Acceptance,
    Membership,
    Profile,
    MailStop,
    NewDebate,
    PlannedStart,
    TurnDraft,
    InternalNote,  # shown with its reason
    AlertAnswer,  # shown with its alert
    BrokenSeal,  # shown with its ballot, and in the log of moderation
    ReplacedJudge,  # shown in the log of moderation, and with the ballot
    Remark,  # shown with the case, as is who has it
    Assignment,
}
"""Written by the database or a migration alone; digests that ``verify_ledger`` reads, and a copy of a setting.

Whom a debate invited, with their addresses, is for those who conduct it; a profile, a draft and
what somebody is filling in are their person's own.
"""


def named(model: type[Model]) -> str:
    return model.__name__


@pytest.fixture(scope="module", autouse=True)
def row_of_everything(django_db_setup: None, django_db_blocker: object) -> Iterator[None]:
    """One row in every table."""
    with rolled_back(django_db_blocker):
        rows_in_every_table.one("first")
        yield


def test_every_table_of_ours_is_registered():
    from django.apps import apps

    models = {model for app in OURS for model in apps.get_app_config(app).get_models()}

    assert models - NOT_SHOWN == set(MODELS) - {ProcrastinateJob}


@pytest.mark.parametrize("model", MODELS, ids=named)
def test_every_page_answers_a_superuser(model):
    client = client_of(factories.moderator())
    row = model._default_manager.order_by("pk").first()

    paths = [page(model, "changelist"), page(model, "change", row.pk), page(model, "history", row.pk)]

    assert [client.get(path).status_code for path in paths] == [200, 200, 200]
    assert client.get(page(model, "changelist") + "?q=first&o=1").status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=named)
def test_nothing_of_a_history_is_added_changed_or_deleted(model):
    client = client_of(factories.moderator())
    row = model._default_manager.order_by("pk").first()
    before = model._default_manager.values().get(pk=row.pk)

    added = client.post(page(model, "add"), {"name": "new"})
    changed = client.post(page(model, "change", row.pk), {"name": "new"})
    deleted = client.post(page(model, "delete", row.pk), {"post": "yes"}, follow=True)

    assert added.status_code == 403 or added.headers["Location"] in {reverse("new-debate"), reverse("new-rubric")}
    assert changed.status_code == 403
    assert "was not deleted." in deleted.content.decode()
    assert model._default_manager.values().get(pk=row.pk) == before


@pytest.mark.parametrize("model", MODELS, ids=named)
def test_no_list_offers_to_delete_what_is_selected(model):
    shown = client_of(factories.moderator()).get(page(model, "changelist")).content.decode()

    assert "delete_selected" not in shown
    assert 'name="_save"' not in shown
