"""A limit of money is refused where nobody has said what a voice's model costs."""

from decimal import Decimal

import pytest
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.open.spec import ChairSpec, TableSpec
from judging.formats.panel.spec import JudgeSeat, PanelSpec, typed
from judging.formats.spec import Limits
from tests import playing
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
