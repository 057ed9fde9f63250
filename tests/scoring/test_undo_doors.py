"""Undo from the page of a score, through the API, and from the command line."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.models import Debate
from scoring.enums import BulkAction
from scoring.groups import AUDITOR, MODERATOR
from scoring.models import Evaluation
from scoring.services import bulk
from scoring.services.bulk import BulkOrder
from tests import acts, factories
from tests.api.clients import Api, code_of
from tests.moderators import client_of, frozen, member, of_score, overridden, send, state, words
from tests.scoring.commands import said
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
BECAUSE = {"reason": factories.REASON}


def both_frozen(score, by):
    other = factories.criterion(score.debate, key="P7")
    rows = [(score.pk, None), (other.pk, None)]
    order = BulkOrder(action=BulkAction.FREEZE, rows=rows, by=by, reason=factories.REASON)
    bulk.act(order=order, now=timezone.now())
    return other


def test_the_page_says_what_is_undone_and_what_that_changes(client, alice, score):
    overridden(score, alice, "8")

    shown = words(client.get(of_score("undo", score)))
    after = send(client, "undo", score)

    assert "override by alice" in shown
    assert "Value 8.00 6.50" in shown
    assert "Undone." in after
    assert "6.50; the override was 8.00" in after


def test_what_was_held_since_is_asked_about_on_the_page(client, alice, score):
    frozen(score, alice)
    factories.count(score, "2")

    shown = words(client.get(of_score("undo", score)))

    assert "If what was held is applied now then Value 6.50 8.50" in shown
    assert "This field is required" in send(client, "undo", score)
    assert "what was held counts: 8.50; it was 6.50" in send(client, "undo", score, choice="apply")


def test_an_act_on_many_scores_is_listed_and_undone_whole(client, alice, score):
    other = both_frozen(score, alice)

    shown = words(client.get(of_score("undo", score)))

    assert "It was one act on 2 scores." in shown
    assert "And 1 more score." in send(client, "undo", score)
    assert Evaluation.objects.get(pk=other.pk).frozen_at is None


def test_the_undo_of_an_act_on_many_scores_is_logged_of_each(client, alice, score):
    other = both_frozen(score, alice)

    send(client, "undo", score)

    lines = LogEntry.objects.filter(user=alice, change_message="undid the last act, 2 entries")
    assert set(lines.values_list("object_id", flat=True)) == {str(score.pk), str(other.pk)}


def test_one_score_of_many_is_undone_alone(client, alice, score):
    other = both_frozen(score, alice)

    assert "is unfrozen" in send(client, "undo", score, alone="on")
    assert Evaluation.objects.get(pk=other.pk).frozen_at is not None


@pytest.fixture
def hidden(alice, score):
    """A score of a private debate that was frozen in one act with the public one, and somebody who may not read it."""
    other = factories.criterion(factories.debate(title="Kept from fred"), key="P7")
    Debate.objects.filter(pk=other.debate_id).update(visibility="private")
    rows = [(score.pk, None), (other.pk, None)]
    bulk.act(
        order=BulkOrder(action=BulkAction.FREEZE, rows=rows, by=alice, reason=factories.REASON), now=timezone.now()
    )
    score.refresh_from_db()
    return other


@pytest.fixture
def fred():
    return factories.person("fred", permissions=["view_evaluation", "unfreeze_evaluation"])


def test_an_act_on_a_score_that_one_may_not_see_is_undone_alone_by_the_api(score, hidden, fred):
    path, seen = f"/evaluations/{score.public_id}/undo/", {"If_Match": f'"{score.moderation_version}"'}

    whole = Api(fred).post(path, BECAUSE, **seen)
    assert code_of(whole) == (409, "not_allowed_now")
    assert "(alone)" in whole.json()["detail"]
    assert [Evaluation.objects.get(pk=row.pk).frozen_at is None for row in (score, hidden)] == [False, False]

    alone = Api(fred).post(path, {**BECAUSE, "alone": True}, **seen)
    assert [entry["kind"] for entry in alone.json()["entries"]] == ["unfreeze"]
    assert Evaluation.objects.get(pk=hidden.pk).frozen_at is not None


def test_the_page_shows_nothing_of_a_score_that_one_may_not_see(score, hidden, fred):
    shown = words(client_of(fred).get(of_score("undo", score)))

    assert "Choose this score alone" in shown
    assert "Kept from fred" not in shown
    assert "Choose this score alone" in send(client_of(fred), "undo", score)
    assert "is unfrozen" in send(client_of(fred), "undo", score, alone="on")
    assert Evaluation.objects.get(pk=hidden.pk).frozen_at is not None


def test_the_page_takes_as_many_queries_for_two_scores_as_for_twelve(client, alice, score):
    def queries(*others):
        rows = [(row.pk, None) for row in (score, *others)]
        order = BulkOrder(action=BulkAction.FREEZE, rows=rows, by=alice, reason=factories.REASON)
        bulk.act(order=order, now=timezone.now())
        client.get(of_score("undo", score))
        with CaptureQueriesContext(connection) as taken:
            assert f"one act on {len(rows)} scores" in words(client.get(of_score("undo", score)))
            number = len(taken)
        send(client, "undo", score)
        return number

    others = [factories.criterion(score.debate, key=f"P{number}") for number in range(20, 31)]

    few, many = queries(*others[:1]), queries(*others)
    assert (few, few) == (few, many)


def test_what_cannot_be_undone_says_why_and_has_no_form(client, alice, score):
    page = client.get(of_score("undo", score))
    overridden(score, alice)
    entry = score.version
    overridden(score, alice, "7")

    assert "Nobody has acted on" in words(page)
    assert 'name="_act"' not in page.content.decode()
    late = words(client.get(of_score("undo", score) + f"?entry={entry}"))
    assert re.search(r"somebody has acted on .* since: override \(entry \d+\) by alice", late)


def test_undo_is_offered_where_there_is_something_to_undo_and_to_whoever_may(alice, score):
    ruth, auditor = client_of(member(MODERATOR)), client_of(member(AUDITOR))
    link = f'href="{of_score("undo", score)}"'
    assert link not in ruth.get(of_score("change", score)).content.decode()
    overridden(score, alice)

    assert link in ruth.get(of_score("change", score)).content.decode()
    assert link not in auditor.get(of_score("change", score)).content.decode()
    assert auditor.get(of_score("undo", score)).status_code == 403


def test_the_api_previews_and_undoes(alice, score):
    api, path = Api(alice), f"/evaluations/{score.public_id}/"
    acts.strike(order=factories.order(score, alice), facts=score.basis[:1], now=timezone.now())
    score.refresh_from_db()

    preview = api.post(f"{path}preview/", {"action": "undo"}).json()
    unseen = api.post(f"{path}undo/", BECAUSE)
    done = api.post(f"{path}undo/", BECAUSE, If_Match=f'"{score.moderation_version}"', Idempotency_Key="one")
    again = api.post(f"{path}undo/", BECAUSE, If_Match=f'"{score.moderation_version}"', Idempotency_Key="one")

    assert code_of(unseen) == (428, "version_needed")
    assert preview["then"]["value"] == done.json()["evaluation"]["value"] == "6.50"
    assert [entry["kind"] for entry in done.json()["entries"]] == ["reinstate"]
    assert again.json() == done.json()


def test_the_api_refuses_who_may_not_and_what_somebody_did_since(alice, score):
    path = f"/evaluations/{score.public_id}/undo/"
    frozen(score, alice)
    fred = factories.person("fred", permissions=["view_evaluation", "freeze_evaluation"])
    seen = {"If_Match": f'"{score.moderation_version}"'}
    before = state(score)

    assert code_of(Api(fred).post(path, BECAUSE, **seen)) == (403, "not_permitted")
    assert code_of(Api(alice).post(path, BECAUSE, If_Match='"1"')) == (412, "stale")
    assert code_of(Api(alice).post(path, {**BECAUSE, "entry": 1}, **seen)) == (409, "not_allowed_now")
    assert state(score) == before


def test_the_command_says_what_the_last_act_was_and_undoes_it(alice, score):
    overridden(score, alice)
    mine = ["undo", "--as", "alice", "--reason", factories.REASON]

    with pytest.raises(CommandError, match=r"The last act was override \(entry \d+\) by alice .* add --seen"):
        said("moderate", *mine)

    assert "override lifted: 8.00 -> 6.50" in said("moderate", *mine, "--seen", score.moderation_version)
    assert "override: 6.50 -> 8.00" in said("moderate", "undo", score.public_id, *mine[1:], "--seen", score.version + 1)


def test_the_preview_of_the_api_takes_what_the_undo_takes(score, hidden, fred):
    path, asked = f"/evaluations/{score.public_id}/preview/", {"action": "undo"}

    assert "(alone)" in Api(fred).post(path, asked).json()["detail"]
    assert code_of(Api(fred).post(path, {**asked, "alone": True, "entry": 1})) == (409, "not_allowed_now")
    assert Api(fred).post(path, {**asked, "alone": True}).status_code == 200
