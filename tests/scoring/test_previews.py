"""What a preview shows is what the action then does; and what else becomes void."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from debates.errors import DomainError, Invalid, NotAllowedNow, NotFound
from debates.models import Debate
from scoring.enums import EntryKind, HeldChoice
from scoring.errors import Frozen
from scoring.models import Evaluation
from scoring.rules import numbers
from scoring.services import accounts, moderation, previews
from scoring.services.actions import Intent
from scoring.services.steps import author_of
from tests import acts, factories
from tests.examples import examples

pytestmark = pytest.mark.django_db
NOW = timezone.now()
FREEZE = Intent(EntryKind.FREEZE)
LIFT = Intent(EntryKind.OVERRIDE_LIFTED)
APPLY = Intent(EntryKind.UNFREEZE, choice=HeldChoice.APPLY)
DISCARD = Intent(EntryKind.UNFREEZE, choice=HeldChoice.DISCARD)


def override(value: object) -> Intent:
    return Intent(EntryKind.OVERRIDE, value=value)


def shown(evaluation: Evaluation, intent: Intent) -> previews.Preview:
    return previews.preview(evaluation_id=evaluation.pk, intent=intent, by=None)


def do(evaluation: Evaluation, intent: Intent, by) -> None:
    order = factories.order(evaluation, by)
    moderation.perform(order=order, intent=intent, now=NOW)
    evaluation.refresh_from_db()


def figures(evaluation: Evaluation) -> previews.Figures:
    row = Evaluation.objects.get(pk=evaluation.pk)
    amounts = list(row.facts.filter(pk__in=row.basis).values_list("amount", flat=True))
    return previews.Figures(
        value=row.value,
        final=row.final_score,
        computed=row.computed_score,
        override=row.override_score,
        confidence=row.confidence,
        frozen=row.frozen_at is not None,
        counts=bool(row.basis) or row.override_score is not None,
        mean=numbers.mean(amounts) if row.instrument == "panel" and row.override_score is None else None,
    )


def played() -> Evaluation:
    """6, then +2, then +1 of two verdicts: 9."""
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, factories.verdict("2", "0.1"))
    factories.count(evaluation, "2", "-1")
    return evaluation


def held() -> Evaluation:
    """The same, frozen, with a further -3 held."""
    evaluation = played()
    do(evaluation, FREEZE, factories.moderator())
    factories.count(evaluation, factories.verdict("-3", "-0.2"))
    return evaluation


def overridden() -> Evaluation:
    evaluation = played()
    do(evaluation, override("4.5"), factories.moderator())
    return evaluation


def frozen_and_ended() -> Evaluation:
    evaluation = factories.criterion(initial="6")
    do(evaluation, FREEZE, factories.moderator())
    evaluation.thread.status = "failed"
    evaluation.thread.save()
    return evaluation


def struck() -> Evaluation:
    evaluation = played()
    do(evaluation, Intent(EntryKind.STRIKE, facts=evaluation.basis[:1]), factories.moderator())
    return evaluation


def panel() -> Evaluation:
    return factories.panel(factories.debate())


CASES = [
    pytest.param(played, lambda _: FREEZE, id="freeze"),
    pytest.param(played, lambda _: override("3.25"), id="override"),
    pytest.param(overridden, lambda _: override("9"), id="override over an override"),
    pytest.param(overridden, lambda _: LIFT, id="lift"),
    pytest.param(played, lambda one: Intent(EntryKind.STRIKE, facts=one.basis[1:]), id="strike"),
    pytest.param(struck, lambda one: Intent(EntryKind.REINSTATE, facts=[min(one.basis) - 1]), id="reinstate"),
    pytest.param(played, lambda _: Intent(EntryKind.ROLLBACK, target=1), id="roll back to the opening"),
    pytest.param(overridden, lambda _: Intent(EntryKind.ROLLBACK, target=2), id="roll back over an override"),
    pytest.param(held, lambda _: APPLY, id="unfreeze and apply"),
    pytest.param(held, lambda _: DISCARD, id="unfreeze and discard"),
    pytest.param(frozen_and_ended, lambda _: APPLY, id="unfreeze with a fallback"),
    pytest.param(panel, lambda one: Intent(EntryKind.STRIKE, facts=one.basis[:1]), id="strike a judge"),
    pytest.param(panel, lambda _: override("4.5"), id="override a panel"),
]


@pytest.mark.parametrize(("made", "intended"), CASES)
def test_what_is_shown_is_what_is_done(made, intended):
    evaluation = made()
    before = figures(evaluation)
    basis = set(evaluation.basis)

    preview = shown(evaluation, intended(evaluation))
    do(evaluation, intended(evaluation), factories.moderator("bob"))

    assert (preview.now, preview.then) == (before, figures(evaluation))
    assert {fact.pk for fact in preview.facts_in} == set(evaluation.basis) - basis
    assert {fact.pk for fact in preview.facts_out} == basis - set(evaluation.basis)
    assert preview.falls_back == (evaluation.entries.last().kind == "fallback")


STEPS = st.one_of(
    st.tuples(st.just("count"), st.sampled_from(["3", "-3", "0.5", "-1.25"])),
    st.tuples(st.just("freeze"), st.none()),
    st.tuples(st.sampled_from(["apply", "discard"]), st.none()),
    st.tuples(st.just("override"), st.sampled_from(["1", "9.99", "11", "5.5"])),
    st.tuples(st.just("lift"), st.none()),
    st.tuples(st.sampled_from(["strike", "reinstate"]), st.integers(0, 5)),
    st.tuples(st.just("rollback"), st.integers(0, 8)),
)


def intended(evaluation: Evaluation, name: str, given: object) -> Intent:
    facts = list(evaluation.facts.order_by("pk").values_list("pk", flat=True))
    some = facts[given : given + 2] if isinstance(given, int) else []
    return {
        "freeze": FREEZE,
        "apply": APPLY,
        "discard": DISCARD,
        "override": override(given),
        "lift": LIFT,
        "strike": Intent(EntryKind.STRIKE, facts=some),
        "reinstate": Intent(EntryKind.REINSTATE, facts=some),
        "rollback": Intent(EntryKind.ROLLBACK, target=given),
    }[name]


@settings(max_examples=examples(25), deadline=None)
@given(steps=st.lists(STEPS, min_size=4, max_size=10))
def test_in_any_order_a_preview_equals_its_effect_or_its_refusal(steps):
    evaluation = factories.criterion(initial="6")
    alice = User.objects.filter(username="alice").first() or factories.moderator()

    for name, given_ in steps:
        if name == "count":
            factories.count(evaluation, given_)
            continue
        intent = intended(evaluation, name, given_)
        try:
            expected: object = shown(evaluation, intent).then
        except DomainError as refusal:
            expected = (refusal.code, refusal.message)
        try:
            do(evaluation, intent, alice)
            found: object = figures(evaluation)
        except DomainError as refusal:
            found = (refusal.code, refusal.message)
        assert found == expected


def test_a_preview_writes_nothing():
    evaluation = held()

    with CaptureQueriesContext(connection) as queries:
        shown(evaluation, APPLY)

    assert [one["sql"] for one in queries if not one["sql"].startswith("SELECT")] == []


def test_a_rollback_shows_what_it_makes_void():
    evaluation = overridden()

    preview = shown(evaluation, Intent(EntryKind.ROLLBACK, target=2))

    assert [entry.kind for entry in preview.entries_undone] == ["round", "override"]
    assert preview.override_dropped == Decimal("4.5")
    assert [fact.amount for fact in preview.facts_out] == [2, -1]


def test_discarded_facts_are_shown_as_lost():
    evaluation = held()

    assert [fact.amount for fact in shown(evaluation, DISCARD).held_discarded] == [-3]
    assert shown(evaluation, APPLY).held_discarded == ()


def test_a_waiting_request_is_shown_as_void(settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    evaluation = played()
    alice = factories.moderator()
    waiting = acts.override(order=factories.order(evaluation, alice), value="3", now=NOW)

    assert shown(evaluation, FREEZE).approval_voided == waiting


@pytest.mark.parametrize(("value", "needs"), [("6.99", True), ("7", True), ("7.01", False), ("10", False)])
def test_a_preview_says_whether_a_second_person_is_needed(value, needs, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    evaluation = played()

    assert shown(evaluation, override(value)).needs_second_person is needs


@pytest.mark.parametrize(
    ("intent", "refusal"),
    [
        pytest.param(override("5"), Frozen, id="a frozen score"),
        pytest.param(Intent(EntryKind.ROUND), Invalid, id="what nobody orders"),
        pytest.param(Intent(EntryKind.UNFREEZE), NotAllowedNow, id="an unfreeze without a choice"),
    ],
)
def test_a_preview_refuses_what_the_action_refuses(intent, refusal):
    evaluation = held()

    with pytest.raises(refusal):
        shown(evaluation, intent)


def test_a_rollback_to_nowhere_is_refused():
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="target"):
        shown(evaluation, Intent(EntryKind.ROLLBACK))
    with pytest.raises(Invalid, match="nothing to go back over"):
        shown(evaluation, Intent(EntryKind.ROLLBACK, target=1))


def test_a_rollback_to_another_run_waits_for_the_end_of_play():
    evaluation = played()
    [locked] = accounts.lock(evaluations=[evaluation.pk])
    alice = factories.moderator()
    author = author_of(order=factories.order(evaluation, alice))
    accounts.rerun(evaluation=locked, run=2, author=author)
    back = Intent(EntryKind.ROLLBACK, target=3)

    with pytest.raises(NotAllowedNow, match="another run"):
        shown(evaluation, back)

    Debate.objects.filter(pk=evaluation.debate_id).update(status="concluded")
    assert shown(evaluation, back).then.final == 9


def test_an_unknown_evaluation_is_not_found():
    with pytest.raises(NotFound):
        previews.preview(evaluation_id=-1, intent=FREEZE, by=None)
