"""One panel of a person, a program, an offline judge and a model: invited, two rounds, one late, one seal broken."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from debates.models import Ballot, Membership
from debates.services import seats
from judging.engine import ballots, human_turns
from judging.formats.panel import results
from judging.formats.panel.spec import JudgeSeat, PanelSpec, typed
from judging.models import Consensus, JudgeReport
from judging.rules.consensus import Policy
from scoring import verify
from tests import factories, playing
from tests.api.clients import Api
from tests.judging.formats.panel.seats import awaited, seat_of
from tests.judging.formats.panel.small_panel import FIVE
from tests.providers import conftest as providers
from tests.providers import endpoint as loopback
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
CODES = ("correctness", "testing")
QUOTED = "Each key has an owner, and nobody else writes it."
SUBJECT = f"""# A cache for answers

{QUOTED} The cache keeps an answer for one hour and refuses to serve a stale one, because a stale answer cost us
two orders in March. It holds at most 10 000 answers; the oldest one goes first. A lookup takes 0.4 ms at the median and
1.1 ms at the 99th percentile, measured over 2 million requests in May. If the store is away, a request is answered
without the cache, and a counter says so.

Tests cover expiry, eviction and a store that is away; 41 of them run on every commit. Two writers of one key are not
tested, and a clock that goes backwards is not either. We have not measured memory.
"""
WHY = "Somebody says that this ballot was bought."
DAY = timedelta(days=1)


def row(code, score):
    return {"criterion": code, "score": score, "quotes": [QUOTED], "reasoning": f"{code} so.", "improvement": "More."}


def section(code, score):
    return {
        "criterion": code, "score": score, "defence": "It holds.", "challenge": "Does yours?", "because": "So it is.",
        "quotes": [QUOTED],
    }  # fmt: skip


def model(handler, body):
    """What the model answers: low marks alone, and the same in the debate, on whatever it is asked about."""
    asked = body["messages"][-1]["content"]
    if "sections" in body["tools"][0]["function"]["parameters"]["required"]:
        disputed = [code for code in CODES if f'"{code}"' in asked or code in asked]
        said = {"sections": [section(code, "1.5") for code in disputed], "accepts": False, "agrees_with": []}
    else:
        said = {
            "criteria": [row(code, "1.5") for code in CODES], "questions": FIVE, "revisions": [], "strengths": [],
            "weaknesses": [],
        }  # fmt: skip
    handler.answer(body, json.dumps(said))


@pytest.fixture(scope="module")
def played():
    """Nothing is played before the browser starts."""


@pytest.fixture
def debate(room, settings, monkeypatch):
    monkeypatch.setattr(loopback.Handler, "judging", model, raising=False)
    with loopback.running() as server:
        settings.LLM_ENDPOINTS = {"main": providers.row(server.url, model="judging", prices={})}
        with ThreadPoolExecutor(1) as beside:
            yield beside.submit(held).result()


def held():
    """Ask for the panel as an organiser, and play it as far as it goes without ballots."""
    from judging.engine import lifecycle
    from judging.engine.creation import create_draft

    try:
        providers.taken_to_answer()
        sits = [JudgeSeat(kind="human"), JudgeSeat(kind="external"), JudgeSeat(), JudgeSeat(provider="openai")]
        spec = PanelSpec(
            title="A cache for answers",
            subject=SUBJECT,
            task="Never serve a stale answer.",
            rubric=typed("correctness:60,testing:40"),
            seats=sits,
            policy=Policy(debate_rounds=1),
            ballot_seconds=int(DAY.total_seconds()),
        )
        olga = factories.person("olga", permissions=["debates.add_debate"])
        draft = create_draft(spec=spec, by=olga, now=timezone.now())
        lifecycle.start(debate_id=draft.pk, by=None, now=timezone.now())
        playing.work()
        return type(draft).objects.get(pk=draft.pk)
    finally:
        connection.close()


def beside(work, *about):
    """Do something on a thread of its own: the browser's loop is that of the test's."""

    def done():
        try:
            return work(*about)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(done).result()


def test_a_person_a_program_an_offline_judge_and_a_model_judge_on_one_panel(room, debate):
    ida, bot, root = factories.person("ida"), factories.person("bot"), factories.moderator("root")
    invited = {number: seats.invite(participant_id=seat_of(debate, number).pk, by=None) for number in (1, 2)}

    page = room.sit_down(ida, at=reverse("take-seat", args=[invited[1]]))
    page.get_by_role("button", name="Take the seat as ida").click()
    program = Api(bot, scopes=["read", "write"])
    assert program.post("/seats/", {"invitation": invited[2]}).status_code == 200

    page.goto(f"{room.url}{reverse('ballot', args=[debate.public_id, seat_of(debate, 1).public_id])}")
    for place in range(len(CODES)):
        page.fill(f"[name=c{place}-score]", "5")
        page.fill(f"[name=c{place}-reasoning]", "It says what it measured.")
        page.fill(f"[name=c{place}-improvement]", "Measure memory.")
        page.fill(f"[name=c{place}-quotes]", QUOTED)
    page.get_by_role("button", name="Give the ballot").click()
    page.get_by_text("Your ballot was given").wait_for()

    sealed = Ballot.objects.get(round__thread__debate=debate)
    desk = room.sit_down(root, at=reverse("admin:debates_ballot_break", args=[sealed.pk]))
    desk.get_by_label("Reason").fill(WHY)
    desk.locator("input[name=_act]").click()
    desk.get_by_text("The seal is broken.").wait_for()
    assert "It says what it measured." in desk.inner_text("main")
    log = room.sit_down(factories.person("visitor"), at=reverse("debate-moderation", args=[debate.public_id]))
    assert WHY in log.inner_text("main")
    assert "It says what it measured." not in log.content()

    said = {
        "criteria": [row(code, "4") for code in CODES], "questions": [], "revisions": [], "strengths": [],
        "weaknesses": [],
    }  # fmt: skip
    assert program.post(f"/awaited-turns/{awaited(debate, 2).public_id}/ballot/", {"answer": said}).status_code == 201
    beside(playing.work)

    disputed = [gap.code for gap in ballots.paper(seat=seat_of(debate, 2)).bench.gaps]
    kept = {"sections": [section(code, "4") for code in disputed], "accepts": True, "agrees_with": []}
    assert program.post(f"/awaited-turns/{awaited(debate, 2).public_id}/ballot/", {"answer": kept}).status_code == 201
    thread = debate.threads.get()
    beside(lambda: human_turns.forfeit(thread_id=thread.pk, now=timezone.now() + 2 * DAY))
    beside(playing.work)

    debate.refresh_from_db()
    document = results.panel_document(debate=debate)
    assert debate.status == "awaiting_review"
    reports = JudgeReport.objects.filter(debate=debate).order_by("round__number", "participant__position")
    assert list(reports.values_list("round__number", "participant__name", "readable")) == [
        *((0, f"Judge {number}", True) for number in (1, 2, 3, 4)),
        (1, "Judge 1", False), (1, "Judge 2", True), (1, "Judge 3", True), (1, "Judge 4", True),
    ]  # fmt: skip
    assert Consensus.objects.filter(debate=debate).count() == 2
    groups = [when["groups"] for when in document["agreement"].values()]
    assert [(group["people"]["judges"], group["machines"]["judges"]) for group in groups] == [
        (["Judge 1"], ["Judge 2", "Judge 3", "Judge 4"]), ([], ["Judge 2", "Judge 3", "Judge 4"]),
    ]  # fmt: skip
    assert verify.verify(debate_id=debate.pk).faults == ()
    page.goto(f"{room.url}{reverse('result', args=[debate.public_id])}")
    shown = page.inner_text("main")
    assert all(f"Judge {number}" in shown for number in (1, 2, 3, 4))
    assert not Membership.objects.filter(debate=debate, user=root).exists()
