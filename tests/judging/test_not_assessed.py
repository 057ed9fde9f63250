"""What the judge cannot judge is said with its reason and without a number, wherever somebody looks."""

import json
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from debates.models import Debate, Event, Thread
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.registry import format_of
from judging.models import Call
from scoring.models import Alert, Evaluation, ScoreChange
from tests import factories, playing
from tests.judging.erasure.erase import erase
from tests.judging.heuristics.test_subjects import CODE, GERMAN
from tests.playing import SYNTHESIS, ruling, script

pytestmark = pytest.mark.django_db
UNREAD = [
    pytest.param(GERMAN, "language_not_read", "in German", id="German"),
    pytest.param("Yes.", "too_little_text", "a single word", id="yes"),
    pytest.param(CODE, "mostly_code", "is code", id="code"),
]


def started(subject: str, *, rubric=None, **options) -> Debate:
    """An offline debate on two criteria, or on those of a rubric."""
    spec = CriterionSpec(
        title="Wells", subject=subject, rubric=rubric or playing.rubric("P1", "P2"), rounds=1, **options
    )
    draft = create_draft(spec=spec, by=None, now=timezone.now())
    return lifecycle.start(debate_id=draft.pk, by=None, now=timezone.now())


def played(subject: str, **options) -> Debate:
    debate = started(subject, **options)
    playing.work()
    debate.refresh_from_db()
    return debate


@pytest.mark.parametrize(("subject", "reason", "named"), UNREAD)
def test_a_subject_that_is_not_read_gets_no_number_anywhere(client, subject, reason, named):
    debate = played(subject)

    assert (debate.status, debate.partial, debate.partial_reason, debate.problem) == ("concluded", True, reason, "")
    assert set(Thread.objects.values_list("status", "ended_because")) == {("failed", reason)}
    assert (Evaluation.objects.count(), ScoreChange.objects.count(), Call.objects.count()) == (0, 0, 2)
    document = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()
    assert document["overall"] == dict.fromkeys(["before", "after", "recommendation", "band"]) | {"coverage": "0.00"}
    assert document["evaluations"] == []
    assert [(row["criterion"], row["reason"]) for row in document["notAssessed"]] == [("P1", reason), ("P2", reason)]
    assert named in document["notAssessed"][0]["why"]
    assert "model" in document["notAssessed"][0]["helps"]


@pytest.mark.parametrize(("subject", "reason", "named"), UNREAD)
def test_the_pages_say_why_and_what_helps(client, subject, reason, named):
    debate = played(subject)
    pages = [client.get(f"/debates/{debate.public_id}/{page}").content.decode() for page in ("", "result/")]

    for page in pages:
        assert "not assessed" in page
        assert named in page
        assert "language model" in page
        assert "2.20" not in page
    assert ">not assessed<" in client.get("/").content.decode()


@pytest.mark.parametrize(("subject", "reason", "named"), UNREAD)
def test_one_alert_says_it_of_all_criteria(subject, reason, named):
    debate = played(subject)

    alert = Alert.objects.get(debate=debate)
    assert (alert.code, alert.severity, alert.evidence["reason"]) == ("not_assessed", "warning", reason)
    assert alert.evidence["criteria"] == "P1, P2"
    assert named in alert.evidence["why"]
    assert "model" in alert.evidence["helps"]


@pytest.mark.parametrize("subject", [GERMAN, CODE], ids=["German", "code"])
def test_scores_that_came_along_are_kept_where_nobody_can_read_what_they_are_about(client, subject):
    initial = {code: (Decimal(7), Decimal("0.5")) for code in ("P1", "P2")}

    debate = played(subject, initial=initial)

    assert (debate.status, set(Evaluation.objects.values_list("final_score", flat=True))) == ("concluded", {Decimal(7)})
    assert set(Thread.objects.values_list("ended_because", flat=True)) == {"no_challenges"}
    page = client.get(f"/debates/{debate.public_id}/").content.decode()
    assert "No challenge was put." in page
    assert ">in play<" not in page


def test_a_criterion_that_no_rule_looks_for_is_left_out_and_the_others_are_played(client):
    rubric = playing.rubric("P1", "P2")
    rubric["criteria"][1] |= {"name": "Truthfulness", "question": "Is it true?"}

    debate = played(playing.SUBJECT, rubric=rubric)

    assert (debate.status, debate.partial_reason) == ("concluded", "criterion_not_judged")
    assert Evaluation.objects.get().key == "P1"
    [row] = format_of("criterion").result_document(debate=debate)["notAssessed"]
    assert (row["criterion"], row["reason"]) == ("P2", "criterion_not_judged")
    page = client.get(f"/debates/{debate.public_id}/").content.decode()
    assert "P2 Truthfulness." in page
    assert Alert.objects.get(code="not_assessed").evidence["criteria"] == "P2"


def test_a_criterion_about_a_task_is_left_out():
    rubric = playing.rubric("P1", "P2")
    rubric["criteria"][1] |= {"question": "Does it do what the task asks?"}

    debate = played(playing.SUBJECT, rubric=rubric)

    assert debate.partial_reason == "task_not_understood"


def test_a_model_may_say_that_it_cannot_judge_and_an_unknown_reason_is_no_answer():
    unable = {"reason": "language_not_read", "why": "This is Linear A."}
    answers = [
        {"purpose": "assess", "thread": "P1", "answer": {"not_assessed": unable}},
        {"purpose": "assess", "thread": "P2", "answer": {"not_assessed": {"reason": "tired", "why": "So."}}},
        {"purpose": "assess", "thread": "P3", "answer": {"score": "7", "confidence": "0.6", "reasoning": "Good."}},
    ]

    debate = playing.debate([*answers, *script([[ruling("1")]])], criteria=["P1", "P2", "P3"], initial={}, rounds=1)
    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "language_not_read, not_assessed")
    assert dict(Thread.objects.values_list("key", "ended_because"))["P1"] == "language_not_read"
    assert Alert.objects.get(code="not_assessed").evidence["why"] == "This is Linear A."
    assert Alert.objects.get(code="judge_failed").evidence["criterion"] == "P2"


def test_where_a_judge_failed_as_well_and_nothing_is_assessed_the_debate_has_failed_and_says_why_not(client):
    answers = [
        {"purpose": "assess", "thread": "P1", "answer": {"not_assessed": {"reason": "mostly_code", "why": "Code."}}},
        {"purpose": "assess", "thread": "P2", "error": "gone", "permanent": True},
        SYNTHESIS,
    ]

    debate = playing.debate(answers, criteria=["P1", "P2"], initial={}, rounds=1)
    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("failed", "No criterion could be assessed.")
    assert sorted(Alert.objects.values_list("code", flat=True)) == ["judge_failed", "not_assessed"]
    assert list(Thread.objects.values_list("status", "ended_because")) == [("failed", "mostly_code"), ("pending", "")]
    [row] = format_of("criterion").result_document(debate=debate)["notAssessed"]
    assert (row["criterion"], row["why"]) == ("P1", "Code.")
    assert "Code." in client.get(f"/debates/{debate.public_id}/").content.decode()


def test_what_was_said_stays_said_by_its_code_once_the_words_are_erased(client):
    debate = played(GERMAN)
    erase(debate, factories.moderator())

    [row, _] = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()["notAssessed"]

    assert (row["reason"], "in German" in row["why"]) == ("language_not_read", False)
    assert "reads English" in row["why"]


def test_nothing_is_recommended_from_less_than_half_of_the_weight(client):
    rubric = playing.rubric("P1", "S1")
    rubric["criteria"][0] |= {"weight": "1"}
    rubric["criteria"][1] |= {"weight": "2", "category": "solution"}

    initial = {"P1": (Decimal(6), Decimal("0.5"))}
    debate = played(playing.SUBJECT, rubric=rubric, criteria=["P1"], initial=initial)

    document = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()
    assert document["overall"] | {"before": "", "after": ""} == {
        "before": "", "after": "", "coverage": "0.333333", "recommendation": None, "band": document["overall"]["band"],
    }  # fmt: skip
    for page in (f"/debates/{debate.public_id}/", f"/debates/{debate.public_id}/result/"):
        assert "nothing is recommended from less than half of the weight" in client.get(page).content.decode()
    told = Event.objects.get(debate=debate, type="synthesis:complete").data["overall"]
    assert (told["recommendation"], told["coverage"]) == (None, "0.333333")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("subject", "reason", "named"), UNREAD)
def test_the_command_line_says_it_in_one_line_and_by_its_status(tmp_path, subject, reason, named):
    file, rubric, out = tmp_path / "wells.md", tmp_path / "small.json", StringIO()
    file.write_text(subject)
    rubric.write_text(json.dumps(playing.rubric("P1", "P2")))

    with pytest.raises(CommandError, match="Nothing could be assessed") as caught:
        call_command("run_debate", str(file), "--rubric", str(rubric), "--rounds", "1", stdout=out)

    assert caught.value.returncode == 3
    [line] = [row for row in out.getvalue().splitlines() if row.startswith("Not assessed")]
    assert line.startswith("Not assessed  every criterion: ")
    assert named in line
    assert "model" in line
