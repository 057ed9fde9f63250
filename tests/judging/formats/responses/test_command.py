"""``judge_responses``: from a file to a table; what was interrupted goes on, and what is known is not asked again."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from debates.management.base import Unwritten
from debates.models import Debate
from judging.engine import lifecycle, tasks
from judging.models import Call
from tests.judging.formats.responses.batches import MOTION, lines, marks
from tests.judging.heuristics.test_subjects import GERMAN

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
HIGH = marks("21", "20", "22", "20")


def run(path, *arguments):
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("judge_responses", str(path), "--motion", MOTION, *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), err.getvalue(), error
    return out.getvalue(), err.getvalue(), None


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(lines(12), encoding="utf-8")
    return path


def test_a_file_becomes_a_table_and_the_same_again_asks_nothing(answers):
    table, told, problem = run(answers)
    again, _, _ = run(answers)

    first, second = Debate.objects.order_by("pk")
    assert problem is None
    assert table.splitlines()[0].split()[:4] == ["Response", "Speaker", "Framework", "Total"]
    assert "12 responses: 12 scored. Mean" in table
    assert "The offline judge does not read frameworks in own words" in told
    assert "    12 of 12" in told
    assert again == table
    assert Call.objects.filter(debate=first, known=False).count() == 12
    assert not Call.objects.filter(debate=second, known=False).exists()


def test_how_many_responses_the_offline_judge_does_not_read_is_said(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(f"{lines(1)}\n{json.dumps({'response': GERMAN})}\n", encoding="utf-8")

    _, told, _ = run(path)

    assert "Responses not in English, whose marks by the offline judge say nothing: 1. Name a model." in told


def test_what_was_interrupted_goes_on_with_the_same_command(answers, monkeypatch):
    async def interrupted(**_about):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(tasks, "play_to_the_end", interrupted)
        _, _, ended = run(answers)
    paused = Debate.objects.get()
    assert ended.returncode == 130
    assert str(ended) == (
        "Interrupted. It is played on by the same command, or by any worker; in the admin it can be cancelled: "
        f"{reverse('admin:debates_debate_change', args=[paused.pk])}"
    )
    lifecycle.pause(debate_id=paused.pk, by=None, now=paused.created_at)

    table, told, problem = run(answers)

    assert Debate.objects.get().pk == paused.pk
    assert "; it goes on" in told
    assert (problem, "12 responses: 12 scored." in table) == (None, True)


def test_whoever_cannot_be_told_any_more_is_told_who_plays_it_on(answers, monkeypatch):
    async def unwritten(**_about):
        raise Unwritten from BrokenPipeError()

    monkeypatch.setattr(tasks, "play_to_the_end", unwritten)

    with pytest.raises(Unwritten, match=r"^It is played on by the same command, or by any worker; ") as refused:
        run(answers)

    assert isinstance(refused.value.__cause__, BrokenPipeError)


def test_what_a_limit_leaves_is_said_and_judged_by_the_same_command(answers):
    _, _, short = run(answers, "--max-calls", "10")
    table, _, problem = run(answers, "--max-calls", "10")

    assert short.returncode == 1
    assert "Not judged: 2 (budget spent). The same command again judges them" in str(short)
    assert (problem, "12 scored" in table) == (None, True)


def test_what_could_not_be_judged_is_said_and_is_no_success(answers, tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"thread": "r-3", "answer": "no JSON"}, {"answer": HIGH}]), encoding="utf-8")

    _, _, problem = run(answers, "--provider", "scripted", "--script", str(script))

    assert problem.returncode == 1
    assert str(problem).startswith("Not judged: 1, because the judge's answer could not be read. The same command")


def test_bad_input_is_refused_with_its_place_and_nothing_is_made(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("response\nshort\n", encoding="utf-8")

    _, _, problem = run(path)

    assert (problem.returncode, Debate.objects.exists()) == (2, False)
    assert "line 2: response must have at least 10 characters; got 5." in str(problem)
    assert run(tmp_path / "none.csv")[2].returncode == 2


def test_the_document_is_printed_and_a_quick_look_has_words_for_numbers(answers):
    document, told, _ = run(answers, "--json", "--judging", "quick")
    table, _, _ = run(answers, "--judging", "quick")

    assert (json.loads(document)["responses"]["quick"], told) == (12, "")
    assert "12 responses: 12 quick. Would interject: 0." in table
    assert "not tried" in table
