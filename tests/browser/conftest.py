"""A site to look at with a browser, and a debate that has every kind of answer."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.browser.browser_site import Room, furnished, launched, served
from tests.playing import ruling, script

LONG = "Donaudampfschifffahrtsgesellschaft" * 12


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The address of a site of this module, whose rows are written for good until the module ends."""
    with django_db_blocker.unblock(), furnished(), served() as url:
        yield url


@pytest.fixture(scope="module")
def played(site: str) -> Any:
    """What is played before the browser starts; a module that looks at something else plays that instead."""
    return concluded()


@pytest.fixture
def transactional_db(site: str) -> None:
    """Leave the rows of a test where they are: the database is emptied once, after the module."""


@pytest.fixture(scope="module")
def furniture(site: str, played: Any) -> Iterator[Room]:
    """A browser before the site."""
    with launched() as browser:
        yield Room(site, browser)


@pytest.fixture
def room(transactional_db: None, furniture: Room) -> Room:
    """The site with a browser before it."""
    return furniture


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Chromium, for tests whose site is made of other processes."""
    with launched() as found:
        yield found


def concluded() -> Debate:
    """A concluded debate with every kind of answer, words that do not break, and scores in every state."""
    answers = script([[ruling("1.25", challenge="C1"), ruling("-2", challenge="C2")], [ruling("-0.5", challenge="C1")]])
    for answer in answers:
        if answer["purpose"] == "challenge":
            answer["answer"]["challenges"][0].update(text=f"Why? {LONG}", quote=LONG, severity="critical")
    rubric = playing.rubric("P1", "P2", "P3", "P4", "P5", "P6")
    rubric["criteria"] += playing.rubric("S1", "S2", category="solution")["criteria"]
    rubric["criteria"][-1] |= {"name": LONG[:45], "category": LONG[:60]}
    codes = [row["code"] for row in rubric["criteria"]]
    spec = CriterionSpec(
        title=f"Wells {LONG[:150]}", subject=f"{playing.SUBJECT}\n\n{LONG}", rubric=rubric, rounds=2,
        provider="scripted", script=[*answers, playing.SYNTHESIS], initial=dict.fromkeys(codes, ("6", "0.5")),
    )  # fmt: skip
    made = create_draft(spec=spec, by=None, now=timezone.now())
    lifecycle.start(debate_id=made.pk, by=None, now=timezone.now())
    playing.work()
    moderate(made)
    factories.criterion(factories.debate(parameters={"rubric": playing.rubric("P1")}))
    return Debate.objects.get(pk=made.pk)


def moderate(debate: Debate) -> None:
    alice, now = factories.moderator(), timezone.now()
    first, second = Evaluation.objects.filter(debate=debate).order_by("pk")[:2]
    acts.override(order=factories.order(first, alice), value="8.5", now=now)
    acts.freeze(order=factories.order(second, alice), now=now)
