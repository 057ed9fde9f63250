"""The ballot of a person in a browser: quotes by marking, a draft that comes back, and the score that it moves."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.db import connection
from django.urls import reverse

from debates.models import Ballot, TurnDraft
from debates.services import seats
from judging.models import Consensus, Effect, ParticipantState
from scoring.models import Evaluation
from tests import factories, playing
from tests.browser.live_watcher import until
from tests.browser.page_checks import ENLARGED, EYES, faults_to_all_eyes, unfold
from tests.judging import arbiter_seats
from tests.judging.formats.open import test_judging_seats
from tests.judging.formats.panel.play import AGREEING, answer
from tests.judging.formats.panel.seats import PERSON, SCRIPT, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import analysis
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
QUOTED = "The tests run in CI"
MARK = """(words) => { const at = subject.value.indexOf(words)
  subject.focus(); subject.setSelectionRange(at, at + words.length) }"""


@pytest.fixture(scope="module")
def played(site):
    """Panels of a person and two scripts that wait for a ballot: one to look at, one to give it; and debates that wait
    for their arbiter, and for who judges responses.
    """
    scripts = [answer(judge, 0, analysis(*AGREEING[judge - 1])) for judge in (2, 3)]
    panels = {
        name: (debate := waits(scripts, sits=(PERSON, SCRIPT, SCRIPT)), sit(debate, 1, name)) for name in ("ida", "jo")
    }
    return {
        **panels,
        "ruled": arbiter_seats.waits(rounds=arbiter_seats.ROUNDS[:1]),
        "weighed": test_judging_seats.waits(persuasion_judge="human"),
    }


@pytest.fixture
def look(room, played):
    """Open the page of a ballot as the judge whose it is."""

    def opened(name):
        debate, judge = played[name]
        return room.sit_down(judge, at=reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id]))

    return opened


def worked():
    try:
        playing.work()
    finally:
        connection.close()


def picture(page, name):
    """Keep a picture for each kind of eyes, where somebody asks for one."""
    for eyes in ("light", "dark", "phone", "enlarged") if "PICTURES" in os.environ else ():
        page.set_viewport_size(ENLARGED if eyes == "enlarged" else EYES[eyes]["viewport"])
        page.emulate_media(color_scheme="dark" if eyes == "dark" else "light")
        page.screenshot(path=f"{os.environ['PICTURES']}/{name}-{eyes}.png", full_page=True)


def test_a_judge_whose_page_catches_up_hears_that_it_is_their_turn(look, played):
    [debate, _], page = played["ida"], look("ida")

    def before_it_was_asked_for(route):
        html = re.sub(r'data-seq="[0-9]+" data-epoch', 'data-seq="0" data-epoch', route.fetch().text())
        route.fulfill(body=re.sub("<li data-judge[^>]*></li>", "", html), content_type="text/html")

    page.route(f"**/debates/{debate.public_id}/", before_it_was_asked_for)
    page.route_web_socket("**/ws/**", lambda line: line.close())
    page.route("**/stream/**", lambda route: route.abort())
    page.goto(f"/debates/{debate.public_id}/")

    assert until(page, lambda: "It is your turn." in page.inner_text("[data-announcer]"))


def test_a_ballot_is_filled_with_quotes_kept_over_a_reload_given_and_counted(look, played):
    [debate, _], page = played["ida"], look("ida")
    page.get_by_role("button", name="Quote what is marked, on Design").click()
    assert "Mark the words that you want to quote first." in page.inner_text("[data-kept]")

    for code in ("c0", "c1"):
        page.evaluate(MARK, QUOTED)
        page.locator(f"[data-quote*='{code}-quotes']").press("Enter")
        page.fill(f"[name={code}-score]", "4")
        page.fill(f"[name={code}-reasoning]", f"{code} so.")
        page.fill(f"[name={code}-improvement]", "More.")
    page.get_by_text("Draft kept, on all your devices.").wait_for()
    page.reload()

    assert page.input_value("[name=c0-quotes]") == page.input_value("[name=c1-quotes]") == QUOTED
    assert not Ballot.objects.exists()
    page.get_by_role("button", name="Give the ballot").click()
    page.get_by_text("Your ballot was given").wait_for()
    assert "4" in page.inner_text("main ul")
    with ThreadPoolExecutor(1) as beside:  # the browser's loop is that of this thread
        beside.submit(worked).result()
    debate.refresh_from_db()
    assert (debate.status, Consensus.objects.get().agreed) == ("concluded", True)
    assert page.complaints == []


def invited(room, debate, seat):
    """Take a seat by its invitation, in a browser; return the page of its ballot, looked at by all eyes."""
    person = factories.person(seat.name.split()[-1].lower())
    page = room.sit_down(person, at=reverse("take-seat", args=[seats.invite(participant_id=seat.pk, by=None)]))
    page.get_by_role("button", name=f"Take the seat as {person.username}").click()
    page.goto(reverse("ballot", args=[debate.public_id, seat.public_id]))
    picture(page, f"{person.username}-empty")
    assert faults_to_all_eyes(page) == {}
    page.set_viewport_size(EYES["light"]["viewport"])
    page.emulate_media(color_scheme="light")
    return page


def given(page, *, kept, quote="", **typed):
    """Fill a ballot in, perhaps with a passage marked and quoted by keyboard; reload, and give it as it was kept."""
    for name, value in typed.items():
        field = page.locator(f"[name='{name.replace('_', '-', 1)}']")
        field.select_option(value) if field.evaluate("field => field.tagName") == "SELECT" else field.fill(value)
    if quote:
        page.evaluate(MARK, quote)
        page.locator(f"[data-quote='ballot-{kept}']").press("Enter")
    drafts = TurnDraft.objects.all()
    for words in (*typed.values(), quote):
        drafts = drafts.filter(text__contains=words)
    assert until(page, drafts.exists)
    page.get_by_text("Draft kept, on all your devices.").wait_for()
    picture(page, f"{kept}-filled")
    page.reload()
    assert page.input_value(f"[name='{kept}']") == (quote or typed[kept.replace("-", "_")])
    page.get_by_role("button", name="Give the ballot").click()
    page.get_by_text("Your ballot was given").wait_for()
    picture(page, f"{kept}-given")
    assert page.complaints == []
    with ThreadPoolExecutor(1) as beside:  # the browser's loop is that of this thread
        beside.submit(worked).result()


def test_an_arbiter_who_is_invited_rules_and_the_score_moves(room, played):
    debate = played["ruled"]
    page = invited(room, debate, arbiter_seats.seat_of(debate))

    for at in (0, 1):
        page.select_option(f"[name='e{at}-winner']", "evaluator")
        page.fill(f"[name='e{at}-adjustment']", "0,5")
        page.fill(f"[name='e{at}-impact']", "0.1")
    given(page, kept="e0-reasoning", e0_reasoning="The text says so.", e1_reasoning="It is conceded.")

    score = Evaluation.objects.get(debate=debate)
    assert score.final_score > score.initial_score


def test_people_who_are_invited_judge_how_a_response_argues_and_what_it_does(room, played):
    debate = played["weighed"]
    words = "the ward must be safe"
    page = invited(room, debate, debate.participants.get(role="judge", name="Evaluator"))
    marks = {f"{name}_score": "12.5" for name in ("honesty", "consistency")}
    for name in ("steel_manning", "self_critique"):
        page.fill(f"[name='{name}-score']", "12.5")

    given(page, quote=words, kept="honesty-quotes", honesty_notes="It says what it wants.", **marks)

    assert Evaluation.objects.get(debate=debate, instrument="adherence").final_score == 50
    page = invited(room, debate, debate.participants.get(role="judge", name="Judge of persuasion"))

    given(page, kept="l0-persuasion", l0_persuasion="0.4", l0_attack="0.5", l0_evidence="0.2")

    effect = Effect.objects.get(turn__debate=debate)
    assert (effect.source, effect.persuasion) == ("judge", Decimal("0.4"))
    assert ParticipantState.objects.filter(effect=effect).exists()


@pytest.fixture
def writing(look):
    """A page that writes a draft, none of whose requests is caught any more afterwards."""
    page = look("jo")
    yield page
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate("document.querySelector('[data-keep]').form.remove()")


def types(page, words):
    page.fill("[name=c0-reasoning]", words)


def is_kept(words):
    return json.loads(TurnDraft.objects.get(participant__user__username="jo").text)["c0-reasoning"] == words


def test_enter_in_a_score_keeps_a_draft_and_gives_nothing(writing):
    types(writing, "Nearly done")
    writing.press("[name=c0-score]", "Enter")
    writing.get_by_text("Draft kept, on all your devices.").wait_for()

    assert is_kept("Nearly done")
    assert writing.locator(".refusal").count() == 0


def test_a_draft_whose_answer_was_lost_is_written_on_by_the_same_page(writing):
    arrives = iter([False, True, False])

    def lose(route):
        if next(arrives):
            route.fetch()
        route.abort()

    writing.route("**/ballots/**", lose, times=3)
    for words in ("Once", "Once upon", "Once upon a"):
        with writing.expect_event("requestfailed"):
            types(writing, words)
    types(writing, "Once upon a time")
    writing.get_by_text("Draft kept, on all your devices.").wait_for()

    assert is_kept("Once upon a time")


def test_words_are_kept_when_a_page_is_left_while_earlier_ones_are_under_way(writing):
    def answer_never(route):
        route.fetch()
        under_way.append(route)

    under_way = []
    writing.route("**/ballots/**", answer_never, times=1)
    types(writing, "There was")
    assert until(writing, lambda: under_way)
    types(writing, "There was a king")
    with writing.expect_response(lambda answer: answer.request.method == "POST"):
        writing.evaluate("dispatchEvent(new Event('pagehide'))")

    assert is_kept("There was a king")


def test_words_that_were_changed_while_they_were_refused_are_kept_without_another_key(writing):
    held = []
    writing.route("**/ballots/**", lambda route: held.append(route), times=1)  # noqa: PLW0108 -- a built-in takes no marks
    types(writing, "Far too much")
    assert until(writing, lambda: held)
    types(writing, "Enough")
    writing.wait_for_timeout(2000)  # the page would have kept them, were it not asking still
    held[0].fulfill(status=400, json={"code": "invalid", "detail": "That is too much."})
    writing.get_by_text("Draft kept, on all your devices.").wait_for()

    assert is_kept("Enough")


def test_a_page_writes_on_and_gives_its_ballot_after_somebody_signed_in_in_another_tab(writing):
    token = {"name": "csrftoken", "value": "x" * 32, "domain": "localhost", "path": "/"}
    writing.context.add_cookies([token])
    types(writing, "And then")
    writing.get_by_text("Draft kept, on all your devices.").wait_for()

    writing.context.add_cookies([token | {"value": "y" * 32}])
    writing.get_by_role("button", name="Give the ballot").click()

    writing.get_by_text("What you wrote is still here.").wait_for()
    assert writing.input_value("[name=c0-reasoning]") == "And then"


def test_a_status_that_stays_is_said_once(writing):
    writing.evaluate("""() => {
      window.changes = 0
      new MutationObserver((seen) => { changes += seen.length }).observe(
        document.querySelector("[data-kept]"), { childList: true })
    }""")
    button = writing.get_by_role("button", name="Quote what is marked, on Design")
    button.click()
    changes = writing.evaluate("changes")
    button.click()

    assert writing.evaluate("changes") == changes == 1


def test_a_ballot_can_be_read_by_all_eyes(look):
    page = look("jo")
    unfold(page)
    picture(page, "ballot")
    page.set_viewport_size(EYES["light"]["viewport"])

    assert faults_to_all_eyes(page, whole=True) == {}
