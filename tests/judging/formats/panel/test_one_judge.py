"""A panel of one judge: nobody to argue with, a quorum of one, and a result that claims no agreement."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator

from debates.models import Debate, Round
from judging.engine import creation
from judging.engine.creation import requested
from judging.formats.panel import reports, results
from judging.formats.registry import format_of
from judging.models import Consensus, Review
from judging.rules.consensus import Policy
from judging.views.debate import kind_of
from scoring import verify
from tests import factories, playing
from tests.api.clients import Api
from tests.judging.formats.panel.play import MUTE, alone, panel, played
from tests.judging.formats.panel.seats import PERSON, SCRIPT, give, sit, waits
from tests.judging.formats.panel.small_panel import SUBJECT, analysis
from tests.moderators import words

pytestmark = pytest.mark.django_db
ASKED_FOR_MORE = Policy(early_exit=False, debate_rounds=3)


def test_one_judge_decides_without_a_debate_whatever_was_asked_for():
    debate = played(alone(("5", "4")), seats=[SCRIPT], policy=ASKED_FOR_MORE)

    kept = debate.parameters["panel"]["policy"]
    assert (kept["quorum"], kept["debate_rounds"], kept["early_exit"]) == (1, 0, True)
    assert debate.status == "concluded"
    assert list(Round.objects.values_list("number", flat=True)) == [0]
    found = Consensus.objects.get().found
    assert (found["agreed"], found["counted"], found["needed"], found["overall"]) == (True, 1, 1, "4.6")
    assert not verify.verify(debate_id=debate.pk).faults


def test_page_papers_and_document_say_that_there_is_no_agreement_to_measure():
    debate = played(alone(("5", "4")), seats=[SCRIPT])

    document = results.panel_document(debate=debate)
    page = words(Client().get(reverse("debate", args=[debate.public_id])))
    result = words(Client().get(reverse("result", args=[debate.public_id])))
    paper = reports.papers(document=document)["final"]

    for shown in (page, result):
        assert "One judge: no agreement to measure." in shown
        assert "Consensus" not in shown
    assert "**One judge**: overall **4.60** of 5." in paper
    assert "One judge: no agreement to measure." in paper
    assert "Consensus" not in paper
    assert document["agreement"]["first"]["alpha"]["interval"]["value"] is None
    assert not list(Draft202012Validator(format_of("panel").result_schema()).iter_errors(document))


def test_one_judge_who_cannot_be_read_leaves_it_to_a_person():
    debate = played([{"thread": "Judge 1", "round": 0, **MUTE}], seats=[SCRIPT])

    assert (debate.status, Review.objects.get().reason_code) == ("awaiting_review", "quorum_lost")


def test_one_person_judges_alone():
    debate = waits([], sits=(PERSON,))

    give(debate, 1, sit(debate, 1, "ida"), analysis("2", "4"))
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert results.panel_document(debate=debate)["outcome"]["recommendation"] == "fail"


def test_it_is_asked_for_by_the_api_and_held_again():
    api = Api(factories.moderator("mara"), scopes=["read", "write"])
    body = {
        "format": "panel", "title": "A cache", "subject": SUBJECT, "task": "Make it fast.", "template": "code",
        "judges": [{"strategy": "logic"}],
    }  # fmt: skip

    made = api.post("/debates/", body)
    debate = Debate.objects.latest("pk")
    format_ = format_of("panel")
    again = requested(format_=format_, body=format_.request_of(debate=debate), by=None)

    assert made.status_code == 201, made.content
    assert debate.parameters["panel"]["policy"]["quorum"] == 1
    assert len(again.seats) == 1
    refused = api.post("/debates/", {**body, "policy": {"quorum": 3}})
    assert refused.status_code == 422
    assert "at most the number of judges, 1; got 3" in refused.content.decode()


@pytest.mark.parametrize(("rounds", "said"), [(0, "no debate round"), (1, "1 round"), (3, "3 rounds")])
def test_lists_links_and_the_last_step_say_how_many_debate_rounds_a_panel_has(rounds, said, client):
    debate = panel(alone(("5", "4"), ("5", "4")), judges=2, policy=Policy(quorum=1, debate_rounds=rounds))
    mara = factories.person("mara", superuser=True)
    client.force_login(mara)
    copy = creation.copy_debate(debate_id=debate.pk, by=mara)

    addresses = (reverse("index"), reverse("new-debate-check", args=[copy.public_id]))
    pages = [words(client.get(address)) for address in addresses]

    assert [said in page for page in pages] == [True, True]
    assert kind_of(debate) == f"panel, {said}"
    assert not rounds or "no debate round" not in "".join(pages)


@pytest.mark.django_db(transaction=True)
def test_the_command_says_one_judge(tmp_path):
    (tmp_path / "cache.md").write_text(SUBJECT, encoding="utf-8")
    script = tmp_path / "script.json"
    script.write_text(json.dumps(alone(("5", "4"))), encoding="utf-8")
    printed, said = StringIO(), StringIO()

    call_command(
        "judge", str(tmp_path / "cache.md"), "--task", "Make it fast.", "--criteria", "design:60,tests:40",
        "--judges", "1",        "--script", str(script), "--out", "", stdout=printed, stderr=said,
    )  # fmt: skip

    assert "Judged by one judge, Judge 1: no agreement to measure. Recommendation: pass." in printed.getvalue()
    assert "One judge: 4.6" in said.getvalue()
    assert "They agree" not in said.getvalue()
