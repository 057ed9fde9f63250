"""A limit of money is refused where nobody has said what a voice's model costs."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate
from debates.types import Status
from judging.engine import creation, lifecycle, locks
from judging.engine.creation import create_draft
from judging.errors import ModelNotReady
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.open.spec import ChairSpec, TableSpec
from judging.formats.panel.spec import JudgeSeat, PanelSpec, typed
from judging.formats.spec import Limits
from judging.models import PlannedStart
from judging.providers.openai import Openai
from tests import factories, playing
from tests.providers.conftest import row

pytestmark = pytest.mark.django_db
MONEY = Limits(money=Decimal(1))
MOTION = "Hospitals should require every nurse to be vaccinated."
WORDS = {"title": "A cache", "subject": "It keeps what was asked."}
ADVICE = "or limit tokens or calls instead"


def criterion(limits=MONEY, **voices):
    spec = CriterionSpec(**WORDS, rubric=playing.rubric("P1"), limits=limits, **voices)
    return create_draft(spec=spec, by=None, now=timezone.now())


def table(limits=MONEY, *, chair=None, **arbiter):
    chairs = [ChairSpec("Mira", **(chair or {})), ChairSpec("Konrad", provider="heuristic")]
    wanted = TableSpec(motion=MOTION, chairs=chairs, limits=limits, **arbiter)
    return create_draft(spec=wanted, by=None, now=timezone.now())


def panel(limits=MONEY, *, judge=None, reporter=None):
    seats = [JudgeSeat(), JudgeSeat(), JudgeSeat(**(judge or {}))]
    wanted = PanelSpec(
        **WORDS,
        task="Make it fast.",
        rubric=typed("design:100"),
        seats=seats,
        reporter=JudgeSeat(**(reporter or {})),
        limits=limits,
    )
    return create_draft(spec=wanted, by=None, now=timezone.now())


LARGE = {"provider": "openai", "model": "large"}
ALONE = {"provider": "openai", "model": "large@local"}
ASKED = [
    pytest.param(lambda **more: criterion(**LARGE, **more), "large@main", id="every voice of a criterion debate"),
    pytest.param(lambda **more: criterion(providers={"arbiter": "openai"}, **more), "judge@main", id="one purpose"),
    pytest.param(lambda **more: table(chair=ALONE, **more), "large@local", id="a chair"),
    pytest.param(lambda **more: table(**LARGE, **more), "large@main", id="the arbiter of an open debate"),
    pytest.param(lambda **more: panel(judge=LARGE, **more), "large@main", id="a judge of a panel"),
    pytest.param(lambda **more: panel(reporter=ALONE, **more), "large@local", id="who reports for a panel"),
]
PRICES = {name: (Decimal(0), Decimal(0)) for name in ("good", "large", "judge")}


@pytest.fixture
def endpoints(settings):
    """Settings of two endpoints, where one model of one has a price."""

    def priced(**about):
        url = "http://127.0.0.1:1/v1"
        settings.LLM_ENDPOINTS = {
            "main": row(url, models={"judge": "judge"}, **about), "local": row(url, **about)
        }  # fmt: skip

    priced()
    return priced


@pytest.mark.parametrize(("create", "model"), ASKED)
def test_a_limit_of_money_needs_the_price_of_every_model_that_may_be_asked(endpoints, create, model):
    with pytest.raises(Invalid, match=f"limits: money would not hold {model}, which has no price.*{ADVICE}"):
        create()

    assert Debate.objects.count() == 0


@pytest.mark.parametrize(("create", "model"), ASKED)
def test_with_a_price_even_of_nothing_or_with_another_limit_it_is_created(endpoints, create, model):
    create(limits=Limits(tokens=1000, calls=10))
    endpoints(prices=PRICES)
    create()

    assert list(Debate.objects.order_by("id").values_list("limit_money", flat=True)) == [None, Decimal(1)]


def test_who_is_no_model_needs_no_price(endpoints):
    criterion()
    table()
    panel()

    assert Debate.objects.count() == 3


def test_money_for_a_model_that_nobody_has_set_is_refused_by_what_is_missing(settings):
    settings.LLM_ENDPOINTS = {}

    with pytest.raises(Invalid, match="limits: money cannot be kept: No endpoint 'main' is set"):
        criterion(**LARGE)


# -- looked at again wherever play begins or goes on ------------------------------------------------------------------


UNPRICED = "large@main has no price, .* no limit of money holds it. Add its price to MOOT_LLM_PRICES, or to the prices"


@pytest.fixture
def priced_before(endpoints, monkeypatch):
    """A draft with a limit of money, whose model has no price any more, and another with a limit of calls."""
    monkeypatch.setattr(Openai, "preflight", lambda _, questions: [])
    endpoints(prices=PRICES)
    drafts = criterion(**LARGE), criterion(**LARGE, limits=Limits(calls=10))
    endpoints()
    return drafts


def test_a_draft_whose_model_has_no_price_any_more_is_not_started(priced_before):
    held, free = priced_before

    with pytest.raises(NotAllowedNow, match=f"{UNPRICED}.*The debate stays a draft") as refused:
        lifecycle.start(debate_id=held.pk, by=None, now=timezone.now())
    lifecycle.start(debate_id=free.pk, by=None, now=timezone.now())

    assert refused.value.code == "not_allowed_now"
    assert list(Debate.objects.order_by("id").values_list("status", flat=True)) == ["draft", "scheduled"]


def test_what_was_paused_is_resumed_once_its_model_has_a_price_again(priced_before, endpoints, settings, monkeypatch):
    held, _ = priced_before
    locks.move(debate=held, to=Status.SCHEDULED, action="started")
    lifecycle.pause(debate_id=held.pk, by=None, now=timezone.now())

    with pytest.raises(NotAllowedNow, match=f"{UNPRICED}.*The debate stays as it is"):
        lifecycle.resume(debate_id=held.pk, by=None, now=timezone.now())
    settings.LLM_ENDPOINTS = {}
    monkeypatch.setattr(Openai, "preflight", lambda _, questions: ["No endpoint is set."])
    with pytest.raises(ModelNotReady, match="No endpoint is set"):
        lifecycle.resume(debate_id=held.pk, by=None, now=timezone.now())
    monkeypatch.setattr(Openai, "preflight", lambda _, questions: [])
    endpoints(prices=PRICES)
    lifecycle.resume(debate_id=held.pk, by=None, now=timezone.now())

    held.refresh_from_db()
    assert held.status == "scheduled"


def test_a_planned_start_says_that_a_price_is_missing_and_keeps_no_other_from_starting(priced_before):
    now, olga = timezone.now(), factories.moderator("olga")
    for debate in priced_before:
        PlannedStart.objects.create(debate=debate, starts_at=now + timedelta(minutes=1), created_by=olga)

    assert creation.start_due(now=now + timedelta(minutes=2)) == [priced_before[1].pk]

    assert "large@main has no price" in PlannedStart.objects.get().problem
