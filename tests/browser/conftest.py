"""A browser, and a debate to look at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright
from pytest_django.live_server_helper import LiveServer

from debates.models import Debate
from judging.services import control, creation
from judging.spec import CriterionSpec
from scoring.models import Evaluation
from scoring.services import moderation
from tests import factories, playing
from tests.playing import ruling, script

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LONG = "Donaudampfschifffahrtsgesellschaft" * 12


@pytest.fixture
def debate(live_server: LiveServer) -> Debate:
    """A concluded debate with every kind of answer, words that do not break, and scores in every state."""
    answers = script([[ruling("1.25", challenge="C1"), ruling("-2", challenge="C2")], [ruling("-0.5", challenge="C1")]])
    for answer in answers:
        if answer["purpose"] == "challenge":
            answer["answer"]["challenges"][0].update(text=f"Why? {LONG}", quote=LONG, severity="critical")
    rubric = playing.rubric("P1", "P2", "P3", "P4", "P5", "P6")
    rubric["criteria"] += playing.rubric("S1", "S2", category="solution")["criteria"]
    codes = [row["code"] for row in rubric["criteria"]]
    spec = CriterionSpec(
        title=f"Wells {LONG[:150]}", subject=f"{playing.SUBJECT}\n\n{LONG}", rubric=rubric, rounds=2,
        provider="scripted", script=[*answers, playing.SYNTHESIS], initial=dict.fromkeys(codes, ("6", "0.5")),
    )  # fmt: skip
    made = creation.create(spec=spec, by=None, now=timezone.now())
    control.start(debate_id=made.pk, by=None, now=timezone.now())
    playing.work()
    moderate(made)
    factories.criterion(factories.debate(parameters={"rubric": playing.rubric("P1")}))
    return Debate.objects.get(pk=made.pk)


def moderate(debate: Debate) -> None:
    """Override one score, freeze another."""
    alice, now = factories.moderator(), timezone.now()
    first, second = Evaluation.objects.filter(debate=debate).order_by("pk")[:2]
    moderation.override(order=factories.order(first, alice), value="8.5", now=now)
    moderation.freeze(order=factories.order(second, alice), now=now)


@pytest.fixture
def session(debate: Debate, live_server: LiveServer) -> dict[str, str]:
    """The cookie of a moderator who is logged in."""
    client = Client()
    client.force_login(factories.moderator("ruth"))
    host = urlsplit(live_server.url).hostname or ""
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": host, "path": "/"}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Chromium, for tests whose site is made of other processes."""
    with launched() as found:
        yield found


@pytest.fixture
def browser(debate: Debate, session: dict[str, str]) -> Iterator[Browser]:
    """Chromium, started after the rows are written: while it runs Django refuses to ask the database from here."""
    with launched() as found:
        yield found


@contextmanager
def launched() -> Iterator[Browser]:
    """Start Chromium and end it afterwards."""
    if CHROMIUM is None:
        assert not os.environ.get("CI"), "Chromium is missing, and in CI no test may be left out."
        pytest.skip("needs Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()
