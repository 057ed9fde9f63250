"""Fairness options at every door: what they cost is said before anything starts; what has no effect is refused."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate, Participant
from judging.engine import creation, metrics
from judging.engine.creation import create_draft
from judging.formats import costs
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.open.spec import TableSpec, from_preset
from judging.formats.panel.spec import PanelSpec, typed
from judging.formats.registry import format_of
from judging.models import Call, Verdict
from judging.rules.fairness import Fairness
from scoring.admin.evidence import shortly
from scoring.models import Alert
from tests import playing

pytestmark = pytest.mark.django_db
SIX = Fairness(swap=True, repeats=3)
BLIND = Fairness(blind_names=True)


def table(**wanted):
    about = {"motion": "Schools should begin an hour later.", "chairs": from_preset("classic_clash"), **wanted}
    return create_draft(spec=TableSpec(**about), by=None, now=timezone.now())


def criterion(**wanted):
    spec = CriterionSpec(title="Wells", subject="We will measure.", rubric=playing.rubric("P1", "P2"), **wanted)
    return create_draft(spec=spec, by=None, now=timezone.now())


def panel(**wanted):
    spec = PanelSpec(title="A cache", subject="It is warm.", task="Make it fast.", rubric=typed("design:1"), **wanted)
    return create_draft(spec=spec, by=None, now=timezone.now())


@pytest.mark.parametrize(
    ("make", "calls", "extra"),
    [
        pytest.param(lambda: criterion(rounds=2, fairness=SIX), 2 + 2 * 2 * 8 + 1, 2 * 2 * 5, id="criterion"),
        pytest.param(lambda: table(exchanges=2, fairness=SIX), 1 + 2 + 2 * 2 * 8 + 1, 2 * 2 * 5, id="open"),
        pytest.param(lambda: panel(fairness=SIX), 3 * 6 * 4 + 1, 3 * 4 * 5, id="panel"),
        pytest.param(panel, 3 * 4 + 1, 0, id="a panel that judges once"),
    ],
)
def test_what_a_debate_will_cost_is_known_before_it_starts(make, calls, extra):
    debate = make()

    cost = format_of(debate.format).cost(debate=debate)

    assert (cost.calls, cost.extra_calls) == (calls, extra)


def test_tokens_and_money_go_by_earlier_calls_of_the_same_judge():
    verdict = {"purpose": "judge", "tokens_in": 90, "tokens_out": 10, "cost": "0.002"}
    answers = [verdict | {"answer": {"verdicts": [playing.ruling("1")]}}, *playing.script([[playing.ruling("1")]])]

    before = format_of("criterion").cost(debate=playing.debate(answers, rounds=1, fairness=SIX))
    playing.work()
    after = format_of("criterion").cost(debate=playing.debate(answers, rounds=1, fairness=SIX))

    assert (before.extra_tokens, before.extra_money) == (None, None)
    assert (after.extra_tokens, after.extra_money) == (500, Decimal("0.010000"))
    assert "what they cost is not known yet" in costs.told(before)
    assert "about 500 tokens and 0.010000 in money" in costs.told(after)


def test_what_a_model_usually_costs_is_asked_once_for_all_who_are_it():
    three = panel(fairness=SIX)
    voices = [Participant(kind="engine", provider="openai", model=model) for model in ("a", "b", "a", "a", "b")]

    with CaptureQueriesContext(connection) as by_purpose:
        format_of("panel").cost(debate=three)
    with CaptureQueriesContext(connection) as by_model:
        creation.usual_money(voices, calls=5)
    with CaptureQueriesContext(connection) as calls_alone:
        format_of("panel").calls(debate=three)

    means = [sum("AVG(" in query["sql"] for query in queries) for queries in (by_purpose, by_model, calls_alone)]
    assert means == [len({purpose for _, purpose in format_of("panel").judgements(debate=three)}), 2, 0]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        pytest.param(lambda: criterion(fairness=BLIND), "go by their roles", id="names in a criterion debate"),
        pytest.param(lambda: panel(fairness=BLIND), "there is no name", id="names in a panel"),
        pytest.param(lambda: table(judging="quick", fairness=SIX), "no response is judged here", id="nothing judged"),
    ],
)
def test_what_has_no_effect_is_refused(make, told):
    with pytest.raises(Invalid, match=told):
        make()
    assert not Debate.objects.exists()


def test_the_commands_say_what_it_will_cost_and_play_it():
    told = StringIO()
    motion = "Schools should begin an hour later."
    call_command(
        "run_debate", "--format", "open", "--motion", motion, "--exchanges", "1", "--swap", "--blind-names",
        stdout=StringIO(), stderr=told,
    )  # fmt: skip

    assert "\nAt most 12 calls, if nothing fails. 2 of them because everything is judged 2 times" in told.getvalue()
    debate = Debate.objects.get()
    assert debate.parameters["fairness"] == {"swap": True, "blind_names": True, "repeats": 1}
    assert Call.objects.filter(debate=debate, purpose="evaluate", outcome="used").count() == 4


def test_how_often_a_judge_flips_is_counted():
    answers = [
        {"purpose": "judge", "thread": "P1", "swapped": True, "answer": {"verdicts": [playing.ruling("-1")]}},
        *playing.script([[playing.ruling("1")]]),
    ]
    playing.debate(answers, criteria=("P1", "P2"), rounds=1, fairness=Fairness(swap=True))
    playing.work()

    [found] = metrics.flips()
    assert Verdict.objects.count() == 2
    assert (found.provider, found.judged, found.flipped, found.rate) == ("scripted", 2, 1, Decimal("0.5000"))


@pytest.mark.parametrize(
    ("swapped", "raised"),
    [
        pytest.param(playing.ruling("-1", "-0.05"), [], id="each follows its winner, together they are a draw at 0.03"),
        pytest.param(
            playing.ruling("-2", "0.05"),
            ["by ruling 2 of 2, in the other order: the red team wins, with -2 and confidence 0.05"],
            id="one of them goes against its own winner",
        ),
    ],
)
def test_a_ruling_goes_against_its_winner_by_what_it_says_itself(swapped, raised):
    answers = [
        {"purpose": "judge", "swapped": True, "answer": {"verdicts": [swapped]}},
        *playing.script([[playing.ruling("1", "0.1")]]),
    ]
    playing.debate(answers, rounds=1, fairness=Fairness(swap=True))
    playing.work()

    alerts = Alert.objects.filter(code="winner_sign_mismatch")
    assert [shortly(alert) for alert in alerts] == raised
