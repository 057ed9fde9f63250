"""The admin: everything can be read there, nothing of a history can be changed."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.models import Debate, Participant
from scoring import rubrics
from scoring.admin.rubrics import MOST_ON_A_PAGE
from scoring.models import Criterion, Evaluation, Rubric
from tests import factories, rows_in_every_table
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
OURS = ("debates", "scoring", "judging")
MODELS = [model for model in admin.site._registry if model._meta.app_label in (*OURS, "procrastinate")]


def named(model: type[Model]) -> str:
    return model.__name__


def page(model: type[Model], view: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}", args=args)


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_index_of_the_admin_lists_what_there_is():
    page_ = as_user(factories.moderator()).get("/admin/").content.decode()

    assert "Moot moderation" in page_
    assert page(Evaluation, "changelist") in page_


def test_whoever_may_only_view_sees_pages_without_a_button_to_save():
    debate = rows_in_every_table.one("first")
    client = as_user(factories.person("bob", permissions=["debates.view_debate"]))

    shown = client.get(page(Debate, "change", debate.pk))

    assert shown.status_code == 200
    assert "_save" not in shown.content.decode()


def test_deleting_says_nothing_about_a_row_to_whoever_may_not_see_it():
    debate = rows_in_every_table.one("first")

    assert as_user(factories.person("bob")).get(page(Debate, "delete", debate.pk)).status_code == 403
    assert as_user(factories.moderator()).get(page(Debate, "delete", 0)).status_code == 403


def test_somebody_who_acted_cannot_be_deleted():
    rows_in_every_table.one("first")
    acted = User.objects.get(username="first")

    shown = as_user(factories.moderator()).post(reverse("admin:auth_user_delete", args=[acted.pk]), {"post": "yes"})

    assert "Cannot delete user" in shown.content.decode()
    assert User.objects.filter(pk=acted.pk).exists()


@pytest.mark.slow
def test_every_list_asks_the_same_number_of_queries_for_one_row_and_for_twelve():
    client = as_user(factories.moderator())
    rows_in_every_table.rows(1)
    one = {model: queries(client, page(model, "changelist")) for model in MODELS}
    rows_in_every_table.rows(11, prefix="more")

    assert {model: queries(client, page(model, "changelist")) for model in MODELS} == one
    assert all(model._default_manager.count() >= 12 for model in MODELS)


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert client.get(path).status_code == 200
    return len(caught)


def test_a_score_that_is_not_evaluated_is_never_shown_as_a_number():
    factories.criterion()

    shown = as_user(factories.moderator()).get(page(Evaluation, "changelist")).content.decode()

    assert '<td class="field-final">not evaluated</td>' in shown


def test_words_of_participants_stay_words():
    debate = rows_in_every_table.one("first")
    attack = "<script>alert(1)</script>"
    factories.rewrite(Debate.objects.filter(pk=debate.pk), title=attack)
    factories.rewrite(Participant.objects.filter(pk=debate.participants.first().pk), name=attack)
    client = as_user(factories.moderator())

    for path in (page(Debate, "changelist"), page(Debate, "change", debate.pk), page(Participant, "changelist")):
        shown = client.get(path).content.decode()
        assert "&lt;script&gt;alert(1)" in shown
        assert attack not in shown


def test_the_jobs_are_not_filtered_by_lock():
    rows_in_every_table.one("first")

    assert "lock" not in str(admin.site._registry[ProcrastinateJob].list_filter)
    assert list(admin.site._registry[ProcrastinateJob].inlines) == []


# -- what may be edited ----------------------------------------------------------------------------------------------


def rubric_form(*, weight: str = "1", criteria: int = 1, **more: str) -> dict[str, str]:
    one = {"category": "one", "weight": weight, "question": "?", "high": "+", "low": "-"}
    forms = {
        f"criteria-{number}-{field}": value
        for number in range(criteria)
        for field, value in {**one, "position": str(number + 1), "code": f"C{number}", "name": f"Name {number}"}.items()
    }
    management = {"criteria-TOTAL_FORMS": str(criteria), "criteria-INITIAL_FORMS": "0"}
    return {"name": "Mine", "slug": "mine", "description": "", **management, **forms, **more}


def test_a_rubric_is_made_with_its_criteria():
    alice = factories.moderator()

    as_user(alice).post(page(Rubric, "add"), rubric_form(criteria=2))

    rubric = Rubric.objects.get(slug="mine")
    assert (rubric.created_by, rubric.criteria.count()) == (alice, 2)


def test_a_criterion_is_edited_on_the_page_of_its_rubric():
    rows_in_every_table.one("first")
    rubric = Rubric.objects.get(slug="first")
    criterion = rubric.criteria.get()
    ids = {"criteria-INITIAL_FORMS": "1", "criteria-0-id": str(criterion.pk), "criteria-0-rubric": str(rubric.pk)}

    as_user(factories.moderator()).post(page(Rubric, "change", rubric.pk), rubric_form(weight="0.25", **ids))

    first, second = Rubric.objects.filter(slug="first").order_by("version")
    assert [[str(one.weight) for one in row.criteria.all()] for row in (first, second)] == [["1.000000"], ["0.250000"]]
    assert (first.pk, first.version, second.version) == (rubric.pk, 1, 2)


def test_the_next_version_of_a_rubric_has_the_ends_of_lines_that_its_file_has():
    texts = dict.fromkeys(("criteria-0-question", "criteria-0-high", "criteria-0-low", "description"), "One.\r\nTwo.")

    as_user(factories.moderator("alice")).post(page(Rubric, "add"), rubric_form() | texts)

    rubric = rubrics.snapshot(slug="mine")
    assert {rubric["description"], *(rubric["criteria"][0][name] for name in ("question", "high", "low"))} == {
        "One.\nTwo."
    }


def test_whoever_saves_a_rubric_goes_on_with_the_version_that_was_saved():
    rows_in_every_table.one("first")
    rubric = Rubric.objects.get(slug="first")
    ids = {"criteria-INITIAL_FORMS": "1", "criteria-0-rubric": str(rubric.pk)}
    ids["criteria-0-id"] = str(rubric.criteria.get().pk)

    told = as_user(factories.moderator()).post(
        page(Rubric, "change", rubric.pk), rubric_form(weight="0.25", **ids, _continue="1"), follow=True
    )

    newest = page(Rubric, "change", Rubric.objects.get(slug="first", version=2).pk)
    assert told.redirect_chain == [(newest, 302)]
    assert f'<a href="{newest}">' in str(next(iter(told.context["messages"])))
    assert "_save" in told.content.decode()


def test_a_version_that_somebody_else_followed_is_shown_and_not_saved_over():
    rows_in_every_table.one("first")
    rubric = Rubric.objects.get(slug="first")
    ids = {
        "criteria-INITIAL_FORMS": "1",
        "criteria-0-id": str(rubric.criteria.get().pk),
        "criteria-0-rubric": str(rubric.pk),
    }
    alice, bob = as_user(factories.moderator("alice")), as_user(factories.moderator("bob"))
    at = page(Rubric, "change", rubric.pk)
    assert "_save" in bob.get(at).content.decode()

    alice.post(at, rubric_form(weight="0.25", **ids))
    told = bob.post(at, rubric_form(weight="0.75", **ids)).content.decode()

    assert "is at version 2, by alice" in told
    assert "0.75" in told, "what was written is still in the form"
    assert Rubric.objects.filter(slug="first").count() == 2
    assert "_save" not in bob.get(at).content.decode()
    assert bob.get(page(Rubric, "delete", rubric.pk)).status_code in {302, 403}


def test_a_rubric_of_somebody_else_is_changed_by_who_may_change_rubrics():
    rights = ["scoring.add_rubric", "scoring.view_rubric"]
    alice, bob = (factories.person(name, permissions=rights) for name in ("alice", "bob"))
    as_user(alice).post(page(Rubric, "add"), rubric_form())
    at = page(Rubric, "change", Rubric.objects.get(slug="mine").pk)

    assert "_save" in as_user(alice).get(at).content.decode()
    assert "_save" not in as_user(bob).get(at).content.decode()
    assert as_user(bob).post(at, rubric_form()).status_code == 403


def test_a_new_rubric_takes_a_slug_that_is_free():
    rows_in_every_table.one("first")

    told = as_user(factories.moderator()).post(page(Rubric, "add"), rubric_form(slug="first")).content.decode()

    assert "is at version 1" in told
    assert Rubric.objects.filter(slug="first").count() == 1


@pytest.mark.parametrize(
    ("form", "said"),
    [
        pytest.param({"weight": "0"}, "criterion_weight_is_positive", id="a weight of nothing"),
        pytest.param({"weight": "1001"}, "less than or equal to 1000", id="a weight beyond all proportion"),
        pytest.param({"weight": "NaN"}, "Enter a number", id="a weight that is no number"),
        pytest.param({"criteria-0-question": " "}, "This field is required", id="a question of blanks"),
        pytest.param({"criteria-0-high": "x" * 4001}, "at most 4000 characters", id="a text that is too long"),
        pytest.param({"description": "x" * 4001}, "at most 4000 characters", id="a description that is too long"),
        pytest.param({"criteria": 0}, "at least 1 form", id="no criteria"),
    ],
)
def test_a_rubric_is_held_to_what_rubric_files_are_held_to(form, said):
    answer = as_user(factories.moderator()).post(page(Rubric, "add"), rubric_form(**form))

    assert said in answer.content.decode()
    assert not Rubric.objects.filter(slug="mine").exists()


def test_a_long_rubric_is_sent_as_uploads_are():
    shown = as_user(factories.moderator()).get(page(Rubric, "add")).content.decode()

    assert '<form enctype="multipart/form-data"' in shown


def test_a_rubric_with_more_criteria_than_a_form_can_hold_is_only_shown():
    rubric = Rubric.objects.create(slug="long", name="Long", criteria_count=MOST_ON_A_PAGE + 1)
    row = {"category": "one", "question": "?", "high": "+", "low": "-", "weight": 1}
    Criterion.objects.bulk_create(
        Criterion(rubric=rubric, position=number, code=f"X{number}", name="One", **row)
        for number in range(1, MOST_ON_A_PAGE + 2)
    )
    client = as_user(factories.moderator())

    assert "_save" not in client.get(page(Rubric, "change", rubric.pk)).content.decode()
    assert client.post(page(Rubric, "change", rubric.pk), rubric_form()).status_code == 403
