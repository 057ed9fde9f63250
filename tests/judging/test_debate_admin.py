"""Conducting debates at the desk, and settling reviews."""

from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Debate, Thread
from debates.types import Status, ThreadStatus
from judging.formats.responses.spec import MOST_RESPONSES
from scoring.admin.bulk import AsSeenForm
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Alert, Evaluation
from tests import acts, factories, playing
from tests.moderators import address, client_of, member, words
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
PAGES = ("start", "pause", "resume", "stop", "cancel", "retry_synthesis", "rerun", "roll_back")
NOW = timezone.now()


def offered(client, debate):
    page = client.get(address("debates_debate", "change", debate.pk)).content.decode()
    return {name for name in PAGES if f'href="{address("debates_debate", name, debate.pk)}"' in page}


def act(client, page, debate, **given):
    seen = {"seen": versions(debate)} if page in {"rerun", "roll_back"} else {}
    return words(client.post(address("debates_debate", page, debate.pk), {**seen, **given}, follow=True))


def versions(debate):
    rows = Evaluation.objects.filter(debate=debate).values_list("pk", "moderation_version")
    return ",".join(f"{pk}:{seen}" for pk, seen in rows)


@pytest.fixture
def sue():
    return client_of(member(SENIOR))


@pytest.fixture
def started():
    return playing.debate(script([[ruling("1")]]), criteria=("P1", "P2"))


@pytest.fixture
def concluded(transactional_db):
    made = playing.debate(script([[ruling("1")]]), criteria=("P1", "P2"), rounds=1)
    playing.work()
    return Debate.objects.get(pk=made.pk)


@pytest.mark.parametrize(
    ("status", "names"),
    [
        ("draft", {"start", "cancel"}),
        ("running", {"pause", "stop", "cancel"}),
        ("paused", {"resume", "stop", "cancel"}),
        ("scheduled", {"pause", "stop", "cancel"}),
        ("awaiting_review", {"pause", "cancel"}),
        ("concluding", {"pause", "stop", "cancel"}),
        ("concluded", {"rerun"}),
        ("failed", {"cancel", "rerun", "retry_synthesis"}),
        ("cancelled", {"rerun"}),
    ],
)
def test_a_debate_offers_what_its_status_allows(sue, status, names):
    debate = factories.debate(status="draft")
    factories.criterion(debate)
    Debate.objects.update(status=status)
    if names & {"rerun"}:
        Thread.objects.update(status=ThreadStatus.COMPLETE)

    assert offered(sue, debate) == names


def test_whoever_may_view_debates_alone_is_not_told_of_alerts_or_of_what_went_wrong(sue):
    debate = factories.debate()
    Alert.objects.create(debate=debate, code="net_capped", severity="info", evidence={}, facts_digest="d")
    factories.rewrite(Debate.objects.filter(pk=debate.pk), problem="A worker died.", stop_reason="It ran too long.")
    told = ("Open alerts", "A worker died.", "It ran too long.")
    carl = client_of(factories.person("carl", permissions=["debates.view_debate"]))

    carls, sues = (words(client.get(address("debates_debate", "change", debate.pk))) for client in (carl, sue))

    assert [what for what in told if what in carls] == []
    assert [what for what in told if what in sues] == list(told)


def test_what_cannot_succeed_is_not_offered_and_says_why(sue):
    empty, half, frozen = (factories.debate(status=status) for status in ("failed", "running", "running"))
    factories.criterion(half)
    for key in ("P1", "P2"):
        one = factories.criterion(frozen, key=key)
        acts.freeze(order=factories.order(one, factories.moderator(f"who froze {key}")), now=NOW)
    for debate, status in ((half, "failed"), (frozen, "cancelled")):
        Debate.objects.filter(pk=debate.pk).update(status=status)

    assert [offered(sue, one) for one in (empty, half, frozen)] == [
        {"cancel", "retry_synthesis"},
        {"cancel", "rerun"},
        set(),
    ]
    for debate, page, why in (
        (empty, "rerun", "Nothing of this debate was assessed"),
        (half, "retry_synthesis", "Only a debate whose synthesis failed is concluded again."),
        (frozen, "rerun", "These scores are frozen: P1, P2. Unfreeze them first."),
    ):
        shown = sue.get(address("debates_debate", page, debate.pk))
        assert why in words(shown)
        assert 'name="_act"' not in shown.content.decode()


def test_a_debate_is_paused_resumed_and_stopped(sue, started):
    assert "is paused" in act(sue, "pause", started)
    assert "goes on" in act(sue, "resume", started)
    assert "Nothing was changed" in act(sue, "stop", started, reason="no")
    assert "is being concluded" in act(sue, "stop", started, reason=factories.REASON)

    assert Debate.objects.get().status == Status.CONCLUDING
    assert set(Thread.objects.values_list("ended_because", flat=True)) == {"stopped"}


def test_a_debate_is_cancelled(sue, started):
    assert "is cancelled" in act(sue, "cancel", started)
    assert Debate.objects.get().status == Status.CANCELLED


@pytest.mark.parametrize("page", ["start", "resume", "retry_synthesis", "rerun", "roll_back"])
def test_what_does_not_fit_the_status_is_refused_in_words(sue, started, page):
    shown = sue.get(address("debates_debate", page, started.pk))
    said = act(sue, page, started, reason=factories.REASON)

    assert "This debate is live. \u201c" in words(shown)
    assert 'name="_act"' not in shown.content.decode()
    assert any(part in said for part in ("cannot be started", "Only a", "is rerun once", "is rolled back once"))
    assert Debate.objects.get().status == Status.RUNNING


@pytest.mark.django_db(transaction=True)
def test_a_concluded_debate_is_played_again_in_part(sue, concluded):
    assert "is played again" in act(sue, "rerun", concluded, criteria=["P2"], reason=factories.REASON)

    runs = dict(Evaluation.objects.values_list("key", "run_number"))
    assert runs == {"P1": 1, "P2": 2}


@pytest.mark.django_db(transaction=True)
def test_a_rerun_of_what_was_never_assessed_is_refused(sue, concluded):
    said = act(sue, "rerun", concluded, criteria=["P9"], reason=factories.REASON)

    assert "P9 is not one of the available choices" in said
    assert set(Evaluation.objects.values_list("run_number", flat=True)) == {1}


@pytest.mark.django_db(transaction=True)
def test_all_scores_of_a_debate_go_back_at_once(sue, concluded):
    assert "2 scores of" in act(sue, "roll_back", concluded, reason=factories.REASON)
    assert set(Evaluation.objects.values_list("final_score", flat=True)) == {Decimal(6)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", ["rerun", "roll_back"])
def test_what_takes_a_debate_back_shows_each_score_and_is_refused_when_somebody_was_first(sue, concluded, page):
    where = address("debates_debate", page, concluded.pk)
    shown, seen = words(sue.get(where)), versions(concluded)
    first, second = Evaluation.objects.order_by("key")
    acts.override(order=factories.order(first, factories.moderator("ruth")), value="3", now=NOW)

    late = sue.post(where, {"reason": factories.REASON, "seen": seen})
    unseen = sue.post(where, {"reason": factories.REASON})

    assert f"Becomes void {first} 7.00 6.00 counted complete - {second} 7.00 6.00" in shown
    assert f"{first}: This score is no longer as you saw it (version 0): ruth: override at" in words(late)
    assert f"{first} 3.00 6.00 overridden counted complete the override of 3.00" in words(late)
    assert factories.REASON in late.content.decode()
    assert f'name="seen" value="{versions(concluded)}"' in late.content.decode()
    assert "Say which moderation_version you saw of P1, P2." in words(unseen)
    assert set(Evaluation.objects.values_list("run_number", "final_score")) == {(1, Decimal(3)), (1, Decimal(7))}


@pytest.mark.django_db(transaction=True)
def test_the_scores_of_the_longest_batch_fit_into_the_form_and_what_does_not_is_said(sue, concluded):
    rows = ",".join(f"{10**9 + number}:12" for number in range(MOST_RESPONSES))
    assert AsSeenForm({"reason": factories.REASON, "seen": rows}).is_valid()

    where = address("debates_debate", "roll_back", concluded.pk)
    told = words(sue.post(where, {"reason": factories.REASON, "seen": "1" * 200_001}))
    assert "Ensure this value has at most 200000 characters" in told


@pytest.mark.django_db(transaction=True)
def test_a_frozen_score_holds_a_rollback_and_a_rerun_back_by_name(sue, concluded):
    one = Evaluation.objects.get(key="P1")
    acts.freeze(order=factories.order(one, factories.moderator("ruth")), now=NOW)

    assert "roll_back" not in offered(sue, concluded)
    assert "These scores are frozen: P1" in words(sue.get(address("debates_debate", "roll_back", concluded.pk)))
    for page in ("roll_back", "rerun"):
        assert "These scores are frozen: P1" in act(sue, page, concluded, reason=factories.REASON)
    assert set(Evaluation.objects.values_list("final_score", flat=True)) == {Decimal(7)}


@pytest.mark.parametrize("group", [AUDITOR, MODERATOR, SENIOR])
@pytest.mark.parametrize("page", PAGES)
def test_each_page_of_a_debate_as_each_group(started, page, group):
    client = client_of(member(group))
    where = address("debates_debate", page, started.pk)

    codes = client.get(where).status_code, client.post(where, {"reason": factories.REASON}).status_code

    may = group == SENIOR or (group == MODERATOR and page in {"pause", "resume"})
    assert codes in ({(200, 200), (200, 302)} if may else {(403, 403)})


def test_whoever_made_a_debate_may_pause_it_without_another_right(started):
    mo = member(MODERATOR)
    Debate.objects.filter(pk=started.pk).update(created_by=mo)

    assert "is paused" in act(client_of(mo), "pause", started)


def test_the_page_of_a_score_shows_the_words_of_the_arbiter(transactional_db, sue):
    playing.debate(script([[ruling("1", reasoning="The plan names its numbers.")]]), rounds=1)
    playing.work()

    shown = words(sue.get(address("scoring_evaluation", "change", Evaluation.objects.get().pk)))

    assert "C1 (skeptic), evaluator prevails 1.00" in shown.replace("+", "")
    assert "The plan names its numbers." in shown
    score = Evaluation.objects.get()
    preview = words(sue.get(address("scoring_evaluation", "strike", score.pk) + f"?facts={score.basis[0]}"))
    assert "Ceases to count: round 1, C1 (skeptic), evaluator prevails, +1.00." in preview
