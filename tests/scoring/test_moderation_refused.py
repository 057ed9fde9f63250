"""What moderators may not do to a score: without permission, reason, or knowledge of where it stands."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from debates.errors import Invalid, NotFound
from scoring.enums import EntryKind, HeldChoice
from scoring.errors import NotPermitted
from scoring.services import cases, moderation
from scoring.services.actions import Intent
from scoring.services.entries import actor_of
from tests import acts, factories
from tests.module_fixtures import nested
from tests.scoring.test_moderation import now_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("proof")]
NOW = timezone.now()


@pytest.mark.parametrize(
    ("intent", "told"),
    [
        pytest.param(Intent(EntryKind.FREEZE, facts=[1]), "freeze takes no facts", id="which would hold them"),
        pytest.param(Intent(EntryKind.STRIKE, facts=[1], value="5"), "strike takes no value", id="a strike"),
        pytest.param(Intent(EntryKind.OVERRIDE, value="5", choice=HeldChoice.APPLY), "takes no held", id="an override"),
        pytest.param(
            Intent(EntryKind.UNFREEZE, choice=HeldChoice.APPLY, then=Intent(EntryKind.OVERRIDE, value="5", target=1)),
            "override takes no target",
            id="a further step",
        ),
    ],
)
def test_what_an_action_does_not_read_is_refused(intent, told):
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match=told):
        moderation.perform(order=factories.order(evaluation, factories.moderator()), intent=intent, now=NOW)

    assert evaluation.entries.count() == 1


@pytest.mark.parametrize(
    "reason", ["", " ", "too short", "\t\n" * 20, "\u200b" * 30, "\u00a0" * 12, "a" + "\u2060" * 20]
)
def test_a_reason_has_ten_visible_characters(reason):
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="10 visible characters"):
        acts.override(order=factories.order(evaluation, factories.moderator(), reason=reason), value="5", now=NOW)

    assert now_of(evaluation).version == 1


@pytest.mark.parametrize("note", ["\u200b", "\u00ad", "\u3164", "\u2800", "\u2060\ufeff"])
def test_a_note_or_a_remark_has_a_character_that_can_be_seen(note):
    evaluation, alice = factories.criterion(), factories.moderator()

    with pytest.raises(Invalid, match="a character that can be seen"), nested():
        acts.freeze(order=factories.order(evaluation, alice, note=note), now=NOW)
    with pytest.raises(Invalid, match=r"^text must have a character that can be seen\.$") as refused:
        cases.remark(evaluation_id=evaluation.pk, by=alice, text=note, now=NOW)

    assert refused.value.field == "text"
    assert now_of(evaluation).version == 1


def test_a_reason_may_be_written_in_any_script():
    evaluation = factories.criterion()

    acts.override(order=factories.order(evaluation, factories.moderator(), reason="Судья ошибся"), value="5", now=NOW)

    assert now_of(evaluation).final_score == 5


def test_rounds_that_count_meanwhile_do_not_make_an_order_stale():
    evaluation = factories.criterion(initial="6")
    early = factories.order(evaluation, factories.moderator())
    factories.count(evaluation, "1")

    acts.override(order=early, value="5", now=NOW)

    assert now_of(evaluation).final_score == 5


@pytest.mark.parametrize("value", ["0.99", "10.01", "5.555", "five", "NaN", "1e1", "", None, True])
def test_an_override_stays_on_the_scale(value):
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="from 1 to 10 with at most 2 places"):
        acts.override(order=factories.order(evaluation, factories.moderator()), value=value, now=NOW)


def test_an_action_without_the_version_seen_is_refused():
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="moderation_version"):
        acts.override(order=factories.order(evaluation, factories.moderator(), seen=None), value="5", now=NOW)


def test_what_is_not_there_cannot_be_rolled_back():
    alice = factories.moderator()
    order = replace(factories.order(factories.criterion(), alice), evaluation_id=-1)

    with pytest.raises(NotFound, match="no such evaluation"):
        acts.roll_back(order=order, target=1, now=NOW)
    with pytest.raises(NotFound, match="no such debate"):
        moderation.roll_back_debate(debate_id=-1, by=alice, reason=factories.REASON, now=NOW)


def test_whoever_is_not_logged_in_has_no_name_to_write_down():
    with pytest.raises(NotPermitted, match="Log in first"):
        actor_of(AnonymousUser())


@pytest.mark.parametrize("name", ["\u3164", "\u115f", "\uffa0"])
def test_whoever_has_a_name_of_which_nothing_can_be_seen_signs_nothing(name):
    with pytest.raises(NotPermitted, match="Nothing can be seen of the name"), nested():
        actor_of(factories.person(name))
