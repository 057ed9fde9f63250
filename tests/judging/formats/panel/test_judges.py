"""How judges of panels do, over all their panels."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from debates.types import Kind
from judging.engine import metrics
from judging.engine.metrics import Judge
from judging.formats.panel.results import panel_document
from judging.formats.panel.spec import JudgeSeat
from judging.models import JudgeReport
from judging.pages import participants
from judging.rules.consensus import Policy
from judging.rules.fairness import Fairness
from tests import factories, playing
from tests.judging.formats.panel.play import THERE, alone, answer, moves, played, stays
from tests.judging.formats.panel.seats import PERSON, PROGRAM, give, sit
from tests.judging.formats.panel.small_panel import analysis, revision
from tests.moderators import client_of
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES, pytest.mark.usefixtures("no_pauses")]
SINCE = timezone.now() - timedelta(days=30)
ALONE = Policy(debate_rounds=0)
MODELS = [JudgeSeat(provider="scripted", model=name) for name in ("a", "b", "c")]


def test_a_lenient_judge_is_seen_against_the_others():
    for _ in range(2):
        played(alone(("5", "4"), ("4", "4"), ("4", "4")), seats=MODELS, policy=Policy(debate_rounds=0))

    found = metrics.health(since=SINCE)

    assert list(found) == [Judge("scripted", "a"), Judge("scripted", "b"), Judge("scripted", "c")]
    first = found[Judge("scripted", "a")]
    assert (first.leniency, first.deviation) == (Decimal("0.5"), Decimal("0.5"))
    assert found[Judge("scripted", "b")].leniency == Decimal("-0.25")
    assert (first.reports, first.unreadable, first.scores, first.calls) == (2, 0, 4, 2)


def test_who_cannot_be_read_moves_and_invents_is_counted():
    answers = [
        *alone(("5", "4"), ("2", "4"), None),
        stays(1, 1, design="5"),
        moves(2, 1, "Everybody has measured it", design="5"),
    ]
    answers[1]["cost"] = "0.25"

    played(answers, seats=MODELS, policy=Policy(debate_rounds=1))

    found = metrics.health(since=SINCE)
    second, third = found[Judge("scripted", "b")], found[Judge("scripted", "c")]
    assert (second.moved, second.refused, second.missing, second.cost) == (0, 1, 1, Decimal("0.25"))
    assert (third.reports, third.unreadable, third.unreadable_rate, third.leniency) == (2, 2, 1, None)
    assert second.unreadable_rate == 0


def test_a_judge_moves_in_a_debate_and_not_while_it_reads_alone():
    own = analysis("5", "4", revisions=[revision("design", "4.5", THERE)])

    played(
        [answer(1, 0, own), *alone(None, ("2", "4"), ("4.5", "4"))[1:], moves(2, 1, THERE, design="3"),
         stays(1, 1, design="4.5"), stays(3, 1, design="4.5")],
        seats=MODELS,
        policy=Policy(debate_rounds=1),
    )  # fmt: skip

    found = metrics.health(since=SINCE)
    assert [judge.moved for judge in found.values()] == [0, 1, 0]


def test_who_judges_otherwise_in_the_other_order_is_counted():
    other = {**alone(("2", "4"))[0], "swapped": True}
    played([other, *alone(("4", "4"), ("3", "4"), ("3", "4"))], seats=MODELS, fairness=Fairness(swap=True))

    found = metrics.health(since=SINCE)
    assert [(one.flipped, one.swapped) for one in found.values()] == [(1, 2), (0, 2), (0, 2)]
    assert [one.flip_rate for one in found.values()] == [Decimal("0.5"), 0, 0]


def test_offline_judges_are_told_apart_by_how_they_read():
    played([], seats=[JudgeSeat(), JudgeSeat(), JudgeSeat()], policy=Policy(debate_rounds=0))

    assert [one.strategy for one in metrics.health(since=SINCE)] == ["dialectic", "logic", "rhetoric"]


def test_who_says_that_it_cannot_judge_a_subject_is_not_one_that_cannot_be_read():
    unable = answer(1, 0, {"not_assessed": {"reason": "language_not_read", "why": "This is Linear A."}})
    played([unable, *alone(("4", "4"), ("4", "4"), None)[1:]], seats=MODELS, policy=ALONE)

    found = metrics.health(since=SINCE)

    assert [(one.not_assessed, one.unreadable) for one in found.values()] == [(1, 0), (0, 0), (0, 1)]


def test_people_and_programs_are_two_judges_with_names():
    for kind, scores in ((PERSON, ("5", "4")), (PROGRAM, ("1", "1"))):
        debate = played(alone(None, ("3", "2"))[1:], seats=[kind, JudgeSeat(provider="scripted")], policy=ALONE)
        give(debate, 1, sit(debate, 1, kind.kind), analysis(*scores))
        playing.work()
    client = client_of(factories.moderator())

    found = metrics.health(since=SINCE)
    page = client.get(reverse("admin:judging_judgereport_health")).content.decode()

    people, programs = Judge("", "", kind=Kind.HUMAN), Judge("", "", kind=Kind.EXTERNAL)
    assert (found[people].leniency, found[programs].leniency) == (Decimal(2), Decimal("-1.5"))
    assert '<th scope="row">all people</th><td class="n">+2.00</td>' in page
    assert '<th scope="row">all programs</th><td class="n">−1.50</td>' in page


def test_what_was_before_is_left_out():
    played(alone(("5", "4"), ("4", "4"), ("4", "4")), policy=Policy(debate_rounds=0))

    assert JudgeReport.objects.count() == 3
    assert metrics.health(since=timezone.now() + timedelta(days=1)) == {}


def test_the_desk_shows_how_judges_do():
    played(alone(("5", "4"), ("4", "4"), None), seats=MODELS, policy=Policy(debate_rounds=0))
    client = client_of(factories.moderator())

    page = client.get(reverse("admin:judging_judgereport_health"))
    listed = client.get(reverse("admin:judging_judgereport_changelist"))

    words = page.content.decode()
    assert page.status_code == 200
    assert '<th scope="row">scripted a</th><td class="n">+0.50</td>' in words
    assert '<td class="n">1</td><td class="n">0</td><td class="n">1</td><td class="n">100 %</td>' in words  # c
    assert reverse("admin:judging_judgereport_health") in listed.content.decode()


def test_who_may_not_see_reports_does_not_see_how_judges_do():
    client = client_of(factories.person("bob"))

    assert client.get(reverse("admin:judging_judgereport_health")).status_code == 403


def test_the_result_names_each_judge_by_the_model_that_answered(monkeypatch):
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))
    monkeypatch.setattr(participants, "KNOWN", {})

    document = panel_document(debate=debate)

    assert {row["model"] for row in document["judges"]} == {row["model"] for row in document["judgedBy"]} != {""}
