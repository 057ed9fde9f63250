"""The page of a batch and its result: sorted, cut into pages, with words, marks and would-be interjections."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judging.formats.responses import results
from judging.formats.spec import Limits
from judging.models import ResponseEvaluation
from scoring.models import Evaluation
from tests import acts, factories
from tests.api.clients import Api, code_of
from tests.judging.formats.responses.batches import MOTION, drafted, judged, lines, marks, row
from tests.judging.heuristics.test_subjects import GERMAN
from tests.moderators import client_of
from tests.texts import address, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
HIGH, LOW = marks("21", "20", "22", "20"), marks("3", "2", "20", "9")
UP = [{"thread": "r-2", "answer": LOW}, {"answer": HIGH}]


def result(debate, **query):
    page = Client().get(address(debate, "result/"), query)
    assert page.status_code == 200
    return page


def ids(page):
    return [shown.line.id for shown in page.context["listing"].rows]


def test_the_page_says_what_a_batch_came_to_and_its_result_has_every_response():
    debate = judged(lines(3), provider="scripted", script=UP)

    page, whole = words(address(debate)), words(address(debate, "result/"))

    for text in (page, whole):
        assert "3 of 3 responses have a score; the mean is 66.67 of 100." in text
        assert "a debate would be interrupted for 1 of them" in text
        assert "would interject: straw manning" in text
        assert "Batch of responses" in text
    assert "Arbiter scripted prepared answers" in page
    assert "Mira chair a transcript" in page
    assert words("/").count("3 of 3 judged") == 1


def test_a_response_that_the_offline_judge_does_not_read_says_so_beside_its_marks():
    text = f"{lines(1)}\n{json.dumps({'response': GERMAN})}"
    by_rule = judged(text)
    by_script = judged(text, provider="scripted", script=[{"answer": HIGH}])
    unread = "This is in German, which the offline judge does not read: its marks say nothing."

    assert [words(address(by_rule, page)).count(unread) for page in ("", "result/")] == [1, 1]
    assert unread not in words(address(by_script, "result/"))
    assert "not read: German" in words(address(by_rule, "result/")), "in its row"
    counts = "marks of a response in another language say nothing, and count in the means all the same."
    assert [counts in words(address(batch)) for batch in (by_rule, by_script)] == [True, False]


def test_a_framework_in_own_words_that_the_offline_judge_does_not_read_is_said_beside_the_marks():
    by_rule = judged(lines(4))
    by_script = judged(lines(4), provider="scripted", script=[{"answer": HIGH}])
    unread = (
        "The offline judge does not read a framework in own words: for consistency it looked only for contradictions."
    )

    assert [words(address(by_rule, page)).count(unread) for page in ("", "result/")] == [1, 1]
    assert unread not in words(address(by_script, "result/"))


def test_a_batch_that_is_over_and_small_shows_every_response_in_the_order_of_its_file():
    small, large, limited = judged(lines(3)), judged(lines(21)), judged(lines(12), limits=Limits(calls=10))

    shown = [[line.number for line in results.newest(batch)] for batch in (small, limited)]

    assert shown == [list(range(1, 4)), list(range(1, 13))]
    assert ["Some of the responses" in words(address(batch)) for batch in (small, large)] == [False, True]


def test_no_more_is_read_than_the_parts_that_are_drawn():
    debate = judged(lines(30))

    with CaptureQueriesContext(connection) as newest:
        values = results.page(debate=debate, only={"newest"}).values
    with CaptureQueriesContext(connection) as outcome:
        outcome_alone = results.page(debate=debate, only={"outcome"}).values

    judged_last = ResponseEvaluation.objects.filter(turn__debate=debate).order_by("-pk")[:20]
    slots = [evaluation.turn.slot for evaluation in judged_last]
    assert [shown.line.number for shown in values["newest"]] == [int(slot.rpartition(":")[2]) for slot in slots]
    assert ("outcome" in values, "newest" in outcome_alone) == (False, False)
    asked = [[query["sql"] for query in queries.captured_queries] for queries in (newest, outcome)]
    assert [any('"slot" IN' in sql for sql in each) for each in asked] == [True, False]
    assert set(results.page(debate=debate, only=None).values) == {"batch", "outcome", "newest"}


def test_the_result_is_sorted_by_any_column_and_filtered():
    debate = judged(lines(3), provider="scripted", script=UP)

    assert ids(result(debate)) == ["r-1", "r-2", "r-3"]
    assert ids(result(debate, sort="total"))[0] == "r-2"
    assert ids(result(debate, sort="-total"))[-1] == "r-2"
    assert ids(result(debate, sort="-speaker")) == ["r-2", "r-1", "r-3"]
    assert ids(result(debate, only="interjection")) == ["r-2"]
    assert ids(result(debate, sort="nothing", page="x")) == ["r-1", "r-2", "r-3"]
    for sort in results.SORTS:
        assert len(ids(result(debate, sort=sort))) == 3
    assert 'aria-sort="descending"' in result(debate, sort="-honesty").content.decode()


def test_a_large_batch_is_cut_into_pages_in_a_fixed_number_of_queries():
    few, many = drafted(lines(3)), drafted(lines(120))

    def queries(debate):
        with CaptureQueriesContext(connection) as asked:
            page = result(debate)
        return len(asked), page

    assert queries(few)[0] == (found := queries(many))[0]
    assert len(ids(found[1])) == 50
    assert ids(result(many, page="3"))[-1] == "r-120"
    assert "Page 3 of 3" in result(many, page="3").content.decode()


def test_what_is_left_and_what_was_only_glanced_at_is_said():
    partial = judged(lines(12), limits=Limits(calls=10))
    quick = judged(lines(1), judging="quick")

    assert "2 are left: ask for the same batch again, and nothing is paid twice" in words(address(partial))
    assert "not judged" in words(address(partial, "result/"))
    assert "1 of 1 response was glanced at. That gives no number." in words(address(quick))
    assert "None of 4 responses has been judged yet." in words(address(drafted(lines(4))))


def test_a_batch_is_asked_for_judged_and_read_by_the_api():
    api = Api(factories.moderator())
    body = {"format": "responses", "motion": MOTION, "responses": [row(1), row(2)], "judging": "quick"}

    made = api.post("/debates/", body)
    from_text = api.post("/debates/", body | {"responses": lines(2)})
    bad = api.post("/debates/", body | {"responses": f"{lines(1)}\n{{"})

    assert (made.status_code, from_text.status_code) == (201, 201)
    assert made.json()["cost"]["calls"] == 0
    assert code_of(bad) == (400, "invalid")
    assert "line 2 is not JSON" in bad.content.decode()
    assert code_of(api.post("/debates/", body | {"fairness": {"swap": True}})) == (400, "unknown_field")
    document = api.get(f"/debates/{made.json()['id']}/result/").json()
    assert [line["id"] for line in document["rows"]] == ["r-1", "r-2"]


def test_a_batch_is_made_in_steps_from_a_file():
    from django.core.files.uploadedfile import SimpleUploadedFile

    from debates.models import Debate

    client = client_of(factories.moderator())
    step = client.post("/debates/new/", {"format": "responses"})["Location"]
    file = SimpleUploadedFile("answers.csv", b"id,response\na,It helps everybody.\nb,It helps nobody.\n")
    wrong = SimpleUploadedFile("answers.csv", b"id,response\na,short\n")

    refused = client.post(step, {"motion": MOTION, "responses_file": wrong})
    after = client.post(step, {"motion": MOTION, "responses_file": file})
    while "check" not in after["Location"]:
        after = client.post(after["Location"], {})
    check = client.get(after["Location"])
    client.post(after["Location"])

    debate = Debate.objects.get()
    assert refused.status_code == 422
    assert "line 2: response must have at least 10 characters; got 5" in refused.content.decode()
    assert "a,short" in refused.content.decode()
    assert check.status_code == 200
    assert debate.parameters["batch"]["ids"] == ["a", "b"]
    assert [line.id for line in results.lines(debate=debate)] == ["a", "b"]


def test_lists_say_that_a_person_moved_a_score_of_a_batch():
    debate = judged(lines(2))
    before = results.summaries(debates=[debate])[debate.pk]
    score = Evaluation.objects.filter(debate=debate).first()

    acts.override(order=factories.order(score, factories.moderator()), value="12", now=timezone.now())

    assert (before.moved, results.summaries(debates=[debate])[debate.pk].moved) == (False, True)
