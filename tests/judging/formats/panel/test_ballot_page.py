"""The ballot of a person as a page: made from the rubric, kept while it is written, given once, read by nobody else."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.models import Ballot, TurnDraft
from debates.types import Visibility
from judging.engine import erasure, human_turns, lifecycle
from judging.engine.erasure import Order
from judging.models import Consensus, JudgeReport
from judging.pages import ballot_form
from judging.rules.consensus import Policy
from scoring.services import conflicts
from tests import factories, playing
from tests.api.clients import Api
from tests.judging.formats.panel.play import AGREEING, APART, THERE, answer, moves
from tests.judging.formats.panel.seats import PERSON, SCRIPT, awaited, give, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import analysis, revision
from tests.moderators import client_of, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
SITS = (PERSON, SCRIPT, SCRIPT)


def panel(rows=AGREEING, *more, **options):
    return waits([answer(judge, 0, analysis(*rows[judge - 1])) for judge in (2, 3)] + list(more), sits=SITS, **options)


def page_of(debate):
    return reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id])


def typed(design="4", tests="4", **more):
    return {
        "c0-score": design, "c0-reasoning": "design so.", "c0-quotes": "The tests run in CI", "c0-improvement": "More.",
        "c1-score": tests, "c1-reasoning": "tests so.", "c1-quotes": "The tests run in CI", "c1-improvement": "More.",
        **more,
    }  # fmt: skip


def test_a_form_is_made_from_the_rubric_and_what_it_comes_to_is_what_a_model_answers():
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))

    shown = words(client.get(page_of(debate)))
    assert "The ballot of Judge 1 is awaited" in words(client.get(reverse("debate", args=[debate.public_id])))
    form = {**typed(), "awaited": str(awaited(debate, 1).public_id)}
    sent, again = (client.post(page_of(debate), form, follow=True) for _ in range(2))

    assert "Everybody judges alone first" in shown
    assert "Design" in shown
    assert "5 means:" in shown
    assert "Your ballot was given" in words(sent)
    assert words(again) == words(sent), "the button was pressed twice"
    given = json.loads(Ballot.objects.get().answer)
    assert given["criteria"] == analysis("4", "4")["criteria"]
    playing.work()
    assert Consensus.objects.get().agreed
    assert client.post(page_of(debate), form).status_code == 302


def test_what_is_no_ballot_comes_back_with_why_and_all_that_was_typed():
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))

    refused = client.post(page_of(debate), typed(design="6"))

    assert refused.status_code == 422
    assert "What you wrote is still here." in words(refused)
    assert 'value="6"' in refused.content.decode()
    assert not Ballot.objects.exists()


@pytest.mark.parametrize(
    ("more", "faults"),
    [
        pytest.param(
            {"c0-reasoning": "", "c1-score": ""},
            {
                "c0-reasoning": "Design: Why: This must not be empty.",
                "c1-score": "Tests: Score: This must not be empty.",
            },
            id="all that is empty at once",
        ),
        pytest.param(
            {"c1-score": "9"},
            {"c1-score": "Tests: Score: This must be a number from 1 to 5 with at most 2 places."},
            id="a number",
        ),
        pytest.param(
            {"q2-question": "Is it so?"},
            {"q2-answer": "Question 3: Its answer: This must not be empty."},
            id="questions",
        ),
        pytest.param(
            dict.fromkeys(("c0-score", "c0-reasoning", "c0-quotes", "c0-improvement"), "")
            | dict.fromkeys(("c1-score", "c1-reasoning", "c1-quotes", "c1-improvement"), "")
            | {"unable-why": "It is in Thai."},
            {"unable-reason": "Why not: Choose one of them."},
            id="a reason",
        ),
        pytest.param(
            {"c0-not_applicable": "No design here."},
            {"c0-not_applicable": f"Design: It does not apply, because: {ballot_form.NOT_APPLICABLE}"},
            id="a score of what does not apply",
        ),
        pytest.param(
            {"c0-reasoning": "x" * 8_001},
            {"c0-reasoning": "Design: Why: This has 8001 characters; at most 8000 are kept."},
            id="words that are too long",
        ),
    ],
)
def test_what_is_refused_is_told_by_the_names_on_the_form_at_its_fields(more, faults):
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))

    page = unescape(client.post(page_of(debate), typed(**more)).content.decode())

    told = re.findall(r'<li><a href="#ballot-([\w-]+)"[^>]*>(.*?)</a>(.*?)</li>', page)
    assert {at: f"{label}{said}" for at, label, said in told} == faults
    for name in faults:
        assert re.search(
            rf'name="{name}"[^>]* aria-invalid="true"[^>]* aria-describedby="[^"]*ballot-{name}_error"', page
        )
        assert f'id="ballot-{name}_error"' in page


def test_a_ballot_that_comes_when_nobody_is_signed_in_any_more_is_shown_as_a_copy():
    debate = panel(visibility=Visibility.PRIVATE)
    sit(debate, 1, "ida")

    answer = Client().post(f"{page_of(debate)}?turn=1", typed())

    assert answer.status_code == 403
    assert ">\ndesign so.</textarea>" in answer.content.decode()
    assert f"/accounts/login/?next={page_of(debate)}%3Fturn%3D1" in answer.content.decode()
    assert not Ballot.objects.exists()


def test_a_draft_is_kept_and_found_again_with_and_without_a_script():
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))

    by_script = client.post(page_of(debate), typed(design="3", draft="0"), headers={"Accept": "application/json"})
    elsewhere = client.post(page_of(debate), typed(design="2", draft="0"), headers={"Accept": "application/json"})
    lost = {"before": urlencode(typed(design="3")), "draft": "0"}
    further = client.post(page_of(debate), typed(design="4", **lost), headers={"Accept": "application/json"})
    by_hand = client.post(page_of(debate), {**typed(design="1"), "draft": further.json()["draft"], "keep": "1"})

    assert further.json()["draft"] > by_script.json()["draft"]
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (409, "saved_elsewhere")
    assert by_hand.status_code == 302
    assert json.loads(TurnDraft.objects.get().text)["c0-score"] == "1"
    assert 'value="1"' in client.get(page_of(debate)).content.decode()


def test_a_refused_ballot_goes_on_from_its_own_draft_and_says_where_another_device_has_a_newer_one():
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))
    client.post(page_of(debate), typed(design="3", draft="0"), headers={"Accept": "application/json"})

    wrong = client.post(page_of(debate), typed(design="6", draft="0")).content.decode()
    older = client.post(page_of(debate), {**typed(design="2", draft="0"), "keep": "1"}).content.decode()

    assert 'name="draft" value="0"' in wrong
    assert "data-elsewhere" not in wrong
    assert f'name="draft" value="{TurnDraft.objects.get().pk}"' in older
    assert '<form method="post" enctype="multipart/form-data" data-elsewhere>' in older


@pytest.mark.parametrize(
    ("newer", "stays"),
    [pytest.param("2", True, id="of another device"), pytest.param("3", False, id="of the same words")],
)
def test_what_another_device_kept_since_outlives_a_ballot_that_is_given(newer, stays):
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))
    by_script = {"headers": {"Accept": "application/json"}}
    first = client.post(page_of(debate), typed(design="1", draft="0"), **by_script).json()["draft"]
    client.post(page_of(debate), typed(design=newer, draft=first), **by_script)

    given = client.post(page_of(debate), typed(design="3", draft=first), follow=True)

    assert Ballot.objects.count() == 1
    assert TurnDraft.objects.exists() == stays
    assert ("What you had written" in words(given)) == stays


def test_enter_on_the_page_that_tells_of_a_newer_draft_overwrites_it_no_more_than_it_gives_the_ballot():
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))
    client.post(page_of(debate), typed(design="3", draft="0"), headers={"Accept": "application/json"})
    older = client.post(page_of(debate), {**typed(design="2", draft="0"), "keep": "1"}).content.decode()
    newest = TurnDraft.objects.get()
    [first] = re.findall(r'<button type="submit" class="first" name="keep" value="(\w+)"', older)

    again = client.post(page_of(debate), {**typed(design="2", draft=str(newest.pk)), "keep": first})

    assert again.status_code == 409
    assert "changed on another device" in again.content.decode()
    assert (TurnDraft.objects.get(), Ballot.objects.count()) == (newest, 0)


def in_a_debate_round():
    """A panel whose first judge, ida, is to answer the others."""
    debate = panel(APART, answer(2, 1, moves(2, 1, THERE, design="4")["answer"]), moves(3, 1, THERE, design="4"))
    ida = sit(debate, 1, "ida")
    client = client_of(ida)
    give(debate, 1, ida, analysis(*APART[0]))
    playing.work()
    return debate, client


def test_in_a_debate_round_the_others_are_shown_and_a_score_is_kept_or_changed():
    debate, client = in_a_debate_round()

    shown = words(client.get(page_of(debate)))
    client.post(
        page_of(debate),
        {
            "c0-score": "4", "c0-defence": "It was warm.", "c0-because": "Nobody measured.", "c0-quotes": THERE,
            "accepts": "on", "a0": "on",
        },
    )  # fmt: skip
    playing.work()

    assert "Judge 2 gives 2" in shown
    assert "design so." in shown
    body = JudgeReport.objects.get(participant=seat_of(debate, 1), round__number=1).body
    assert (body["scores"]["design"], body["accepts"], body["agrees_with"]) == ("4", True, ["Judge 2"])
    assert Consensus.objects.latest("pk").agreed


def test_a_ballot_that_is_sent_again_after_others_were_erased_is_refused():
    debate, client = in_a_debate_round()
    form = {"c0-score": "4", "c0-defence": "It was warm.", "c0-because": "Nobody measured.", "c0-quotes": THERE}
    form |= {"accepts": "on", "a0": "on", "awaited": str(awaited(debate, 1).public_id)}
    assert client.post(page_of(debate), form).status_code == 302
    playing.work()
    order = Order(target=seat_of(debate, 2), by=factories.moderator("alice"), reason="The person has asked.")
    erasure.erase(order=order)

    refused = client.post(page_of(debate), form)

    assert refused.status_code == 409
    assert "This ballot of yours was given already; it stays as it is." in words(refused)


def test_somebody_says_that_they_cannot_judge():
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))

    client.post(page_of(debate), {"unable-reason": "language_not_read", "unable-why": "I read no such code."})

    assert json.loads(Ballot.objects.get().answer)["not_assessed"]["reason"] == "language_not_read"


@pytest.mark.parametrize(
    ("more", "why", "still"),
    [
        pytest.param(
            {"unable-reason": "language_not_read", "unable-why": "I read no such code."},
            "Give scores, or say why you cannot judge this, and not both",
            {"unable-why": "I read no such code.", "c0-score": "4"},
            id="scores beside why there are none",
        ),
        pytest.param(
            {"c1-score": "", "c1-not_applicable": "No code."},
            f"Tests: It does not apply, because : {ballot_form.NOT_APPLICABLE}",
            {"c1-not_applicable": "No code.", "c1-reasoning": "tests so.", "c1-quotes": "The tests run in CI"},
            id="words beside why a criterion does not apply",
        ),
    ],
)
def test_no_words_of_a_ballot_are_dropped_unsaid(more, why, still):
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))

    refused = client.post(page_of(debate), typed(**more))

    assert refused.status_code == 422
    assert why in words(refused)
    assert {name: refused.context["form"][name].value() for name in still} == still
    assert not Ballot.objects.exists()


@pytest.mark.parametrize("name", ["unable-why", "q0-question"])
def test_what_is_written_is_never_folded_away(name):
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))
    folded = client.get(page_of(debate)).content.decode()
    client.post(page_of(debate), {name: "I read no such code.", "keep": "1", "draft": "0"})

    page = client.get(page_of(debate)).content.decode()

    assert 'class="more-fields" open' not in folded
    assert page.count('class="more-fields" open') == 1
    assert f'name="{name}"' in page.split('class="more-fields" open')[1].split("</details>")[0]


def test_nobody_else_sees_the_page_whatever_rights_they_have():
    debate = panel()
    sit(debate, 1, "ida")
    at = page_of(debate)

    assert Client().get(at).status_code == 302
    for other in (factories.person("bob"), factories.moderator("erna"), factories.person("root", superuser=True)):
        assert client_of(other).get(at).status_code == 404
        assert client_of(other).post(at, typed()).status_code == 404


def test_before_and_after_a_ballot_is_awaited_the_page_says_so():
    debate = panel()
    ida = sit(debate, 1, "ida")
    give(debate, 1, ida, analysis(*AGREEING[0]))
    playing.work()
    client = client_of(ida)

    late = client.post(page_of(debate), typed())

    assert "Your ballot was given" in words(client.get(page_of(debate)))
    assert late.status_code in {409, 422}


def test_own_pages_lead_to_the_ballot_until_it_is_given():
    debate = waits([answer(3, 0, analysis("4", "4"))])
    ida = sit(debate, 1, "ida")
    client = client_of(ida)
    before = [client.get(reverse(name)).content.decode() for name in ("my-seats", "my-debates")]
    give(debate, 1, ida, analysis("4", "4"))
    after = client.get(reverse("my-seats")).content.decode()

    assert all(page_of(debate) in text for text in before)
    assert "It is your turn" in before[0]
    assert "It is your turn" not in after


def test_a_ballot_that_may_be_amended_comes_back_as_it_was_typed():
    debate = waits([answer(3, 0, analysis("4", "4"))], policy=Policy(amend=True, confidence="whole"))
    client = client_of(sit(debate, 1, "ida"))
    first = typed(
        tests="",
        confidence="0.5",
        strengths="Short.",
        **{"c1-not_applicable": "No code.", "q0-question": "Why?", "q0-answer": "So."},
    )
    first = {name: text for name, text in first.items() if name not in {"c1-reasoning", "c1-quotes", "c1-improvement"}}
    client.post(page_of(debate), first)

    shown = client.get(page_of(debate))
    form = shown.context["form"]
    assert json.loads(Ballot.objects.get().answer)["criteria"][1] == {
        "criterion": "tests",
        "not_applicable": "No code.",
    }
    assert {
        name: form[name].value() for name in ("c0-score", "c1-not_applicable", "confidence", "strengths", "q0-answer")
    } == {
        "c0-score": "4",
        "c1-not_applicable": "No code.",
        "confidence": "0.5",
        "strengths": "Short.",
        "q0-answer": "So.",
    }
    assert "Amend the ballot" in words(shown)
    client.post(page_of(debate), {**first, "c0-score": "3"})
    assert [row.number for row in Ballot.objects.order_by("pk")] == [1, 2]


@pytest.mark.parametrize(
    ("typed_anew", "counts"),
    [
        pytest.param({"c0-reasoning": "A better word."}, "4", id="a word"),
        pytest.param({"c0-score": "3"}, "3", id="its own score"),
    ],
)
def test_a_score_that_a_ballot_by_api_revises_stays_revised_unless_the_page_amends_it(typed_anew, counts):
    debate = waits([answer(3, 0, analysis("4", "4"))], policy=Policy(amend=True))
    ida = sit(debate, 1, "ida")
    client = client_of(ida)
    give(debate, 1, ida, analysis("2", "4", revisions=[revision("design", "4", THERE)]))

    page = client.get(page_of(debate))
    form = {name: field.value() for name in page.context["form"].fields if (field := page.context["form"][name])}
    sent = {name: text or "" for name, text in form.items()} | typed_anew
    for _ in range(2):
        client.post(page_of(debate), {**sent, **hidden_in(page)})

    assert [row.number for row in Ballot.objects.order_by("pk")] == [1, 2], "the button was pressed twice"
    give(debate, 2, sit(debate, 2, "bob"), analysis("4", "4"))
    playing.work()
    assert JudgeReport.objects.get(participant=seat_of(debate, 1)).body["scores"]["design"] == counts
    assert "design, revised: 4 A second look." in words(page)


def hidden_in(page):
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.content.decode()))


@pytest.mark.parametrize(
    ("earlier", "counts"),
    [
        pytest.param([], "2", id="none"),
        pytest.param([analysis("2", "4", revisions=[revision("design", "4", THERE)])], "4", id="another"),
    ],
)
def test_of_what_a_ballot_by_api_revises_only_that_stays_which_the_page_showed(earlier, counts):
    debate = waits([answer(3, 0, analysis("4", "4"))], policy=Policy(amend=True))
    ida = sit(debate, 1, "ida")
    client = client_of(ida)
    for ballot in earlier:
        give(debate, 1, ida, ballot)

    page = client.get(page_of(debate))
    give(debate, 1, ida, analysis("2", "4", revisions=[revision("design", "5", THERE)]))
    client.post(page_of(debate), {**typed(design="2"), **hidden_in(page)})

    give(debate, 2, sit(debate, 2, "bob"), analysis("4", "4"))
    playing.work()
    assert JudgeReport.objects.get(participant=seat_of(debate, 1)).body["scores"]["design"] == counts


@pytest.mark.parametrize("more", [{}, {"keep": "1"}], ids=["given", "kept"])
def test_what_comes_when_the_time_was_up_comes_back_with_why_to_be_copied(more):
    debate = panel()
    client = client_of(sit(debate, 1, "ida"))
    client.post(page_of(debate), {**typed(design="3"), "keep": "1"})
    late = awaited(debate, 1)
    human_turns.forfeit(thread_id=late.round.thread_id, now=late.deadline)

    refused = client.post(page_of(debate), {**typed(), **more, "awaited": str(late.public_id)})
    kept = client.get(page_of(debate))

    assert refused.status_code == 409
    assert 'class="refusal" role="alert"' in refused.content.decode()
    assert ">\ndesign so.</textarea>" in refused.content.decode()
    assert ">\n3</textarea>" in kept.content.decode()
    assert ">Score (criterion 1)</label>" in kept.content.decode()


SECRET = "Nobody else reads it before the round closes."


@pytest.mark.parametrize(
    ("ends", "after"),
    [
        pytest.param("closed", "It stays as it is. design: 4", id="closed"),
        pytest.param("stopped", "It was not counted: play ended before the round was closed.", id="stopped"),
        pytest.param("unsealed", "It stays as it is. design: 4", id="unsealed"),
    ],
)
def test_a_ballot_is_called_unread_only_while_it_is(ends, after):
    debate = waits([answer(3, 0, analysis("4", "4"))])
    ida, root = sit(debate, 1, "ida"), factories.moderator("root")
    ballot = give(debate, 1, ida, analysis("4", "4"))
    client = client_of(ida)
    before = words(client.get(page_of(debate)))

    if ends == "closed":
        give(debate, 2, sit(debate, 2, "bob"), analysis("4", "4"))
    elif ends == "stopped":
        lifecycle.stop(debate_id=debate.pk, by=root, reason=factories.REASON, now=timezone.now())
    else:
        conflicts.break_seal(ballot_id=ballot.pk, by=root, reason=factories.REASON, now=timezone.now())
    playing.work()
    page = words(client.get(page_of(debate)))

    assert (SECRET in before, SECRET in page) == (True, False)
    assert after in page


def test_a_ballot_that_may_be_amended_is_called_unread_only_while_no_version_was_unsealed():
    debate = waits([answer(3, 0, analysis("4", "4"))], policy=Policy(amend=True))
    ida, root = sit(debate, 1, "ida"), factories.moderator("root")
    client = client_of(ida)
    first = give(debate, 1, ida, analysis("4", "4"))
    pages = [words(client.get(page_of(debate)))]

    conflicts.break_seal(ballot_id=first.pk, by=root, reason=factories.REASON, now=timezone.now())
    pages.append(words(client.get(page_of(debate))))
    give(debate, 1, ida, analysis("3", "4"))
    pages.append(words(client.get(page_of(debate))))

    assert ["Nobody reads it, or hears that it was given" in page for page in pages] == [True, False, False]
    assert ["everybody heard that it was given" in page for page in pages] == [False, True, True]


def test_a_second_ballot_comes_back_with_why_below_the_one_that_was_given():
    debate = panel()
    ida = sit(debate, 1, "ida")
    give(debate, 1, ida, analysis(*AGREEING[0]))

    refused = client_of(ida).post(page_of(debate), typed(**{"c0-reasoning": "Another view."}))

    assert refused.status_code == 409
    assert "was given already" in words(refused)
    assert ">\nAnother view.</textarea>" in refused.content.decode()


UNABLE = {"not_assessed": {"reason": "language_not_read", "why": "I read no such code."}}
DESIGN = analysis("4", "4")["criteria"][0]
NO_CODE = {"criterion": "tests", "not_applicable": "No code.", "quotes": True}


@pytest.mark.parametrize(
    ("amend", "said", "shown"),
    [
        pytest.param(False, {**UNABLE, "criteria": True}, "I read no such code.", id="no list"),
        pytest.param(True, {**UNABLE, "criteria": True, "strengths": True}, "I read no such code.", id="no lists"),
        pytest.param(True, {**UNABLE, "criteria": [5], "questions": [5]}, "I read no such code.", id="no rows"),
        pytest.param(True, {"criteria": [DESIGN, NO_CODE]}, "design so.", id="no quotes"),
        pytest.param(False, {"criteria": [DESIGN, NO_CODE], "effects": True}, "design so.", id="of other ballots"),
        pytest.param(False, {"criteria": [DESIGN, NO_CODE]}, "does not apply: No code.", id="what does not apply"),
    ],
)
def test_a_ballot_is_shown_whatever_a_program_put_beside_what_is_read(amend, said, shown):
    debate = waits([answer(3, 0, analysis("4", "4"))], policy=Policy(amend=amend))
    ida = sit(debate, 1, "ida")
    given = Api(ida).post(f"/awaited-turns/{awaited(debate, 1).public_id}/ballot/", {"answer": said})

    page = client_of(ida).get(page_of(debate))

    assert (given.status_code, page.status_code) == (201, 200)
    assert shown in words(page)
