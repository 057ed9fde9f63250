"""What judges of a panel do not assess: they abstain and say why; criteria nobody looks for are left out."""

from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.panel.reports import of_task
from judging.formats.panel.results import panel_document
from judging.formats.panel.spec import JudgeSeat, PanelSpec, typed
from judging.models import JudgeReport, Review
from scoring import verify
from scoring.models import Alert, Evaluation
from tests import playing
from tests.judging.formats.panel import play
from tests.judging.formats.panel.small_panel import analysis
from tests.judging.heuristics.test_subjects import CODE, ENGLISH, GERMAN

pytestmark = pytest.mark.django_db
LONG = f"{ENGLISH} Six farmers asked for it, because their wells ran dry in 2025. It costs 310 euros a year."


def draft(subject: str, *, criteria: str = "design:60,clarity:40", **options) -> Debate:
    spec = PanelSpec(title="Wells", subject=subject, task="Find water.", rubric=typed(criteria), **options)
    return create_draft(spec=spec, by=None, now=timezone.now())


def played(subject: str, **options) -> Debate:
    debate = lifecycle.start(debate_id=draft(subject, **options).pk, by=None, now=timezone.now())
    playing.work()
    debate.refresh_from_db()
    return debate


def judge(file: Path, criteria: str, out: StringIO) -> None:
    """Have a panel judge a file; what is told on the way goes to the same place as the table."""
    call_command("judge", str(file), "--task", "Find water.", "--criteria", criteria, stdout=out, stderr=out)


@pytest.mark.parametrize(
    ("subject", "reason", "named"),
    [
        pytest.param(GERMAN, "language_not_read", "in German", id="German"),
        pytest.param("Yes.", "too_little_text", "a single word", id="yes"),
    ],
)
def test_a_subject_that_no_judge_reads_is_put_before_a_person_with_why(client, subject, reason, named):
    debate = played(subject)

    assert (debate.status, Review.objects.get().reason_code) == ("awaiting_review", "quorum_lost")
    assert (Evaluation.objects.count(), set(JudgeReport.objects.values_list("readable", flat=True))) == (0, {False})
    document = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()
    assert {one["notAssessed"]["reason"] for one in document["judges"]} == {reason}
    assert (document["now"]["overall"], document["now"]["recommendation"]) == (None, "")
    page = client.get(f"/debates/{debate.public_id}/").content.decode()
    final = client.get(f"/debates/{debate.public_id}/papers/final.md").content.decode()
    for shown in (page, final):
        assert "no judge can judge it" in shown
        assert named in shown
        assert "language model" in shown
        assert "could not be read" not in shown
    alert = Alert.objects.get(debate=debate, code="not_assessed")
    assert (alert.evidence["reason"], alert.evidence["judges"]) == (reason, "Judge 1, Judge 2, Judge 3")
    assert not Alert.objects.filter(code="judge_failed").exists()
    assert verify.verify().faults == ()


def test_code_is_read_by_a_panel():
    assert played(CODE).status in {"concluded", "awaiting_review"}
    assert Evaluation.objects.count() == 2


def test_the_others_go_on_where_one_judge_of_three_cannot_read_it():
    unable = {"not_assessed": {"reason": "language_not_read", "why": "This is Linear A."}}
    answers = [play.answer(1, 0, analysis("4", "4")), play.answer(2, 0, analysis("4", "4")), play.answer(3, 0, unable)]

    debate = play.played(answers)

    assert debate.status == "concluded"
    third = panel_document(debate=debate)["judges"][2]
    assert (third["notAssessed"]["why"], third["overall"]) == ("This is Linear A.", None)
    assert Alert.objects.get(code="not_assessed").evidence["judges"] == "Judge 3"


def test_criteria_that_no_offline_judge_looks_for_are_left_out_and_said(client):
    debate = played(LONG, criteria="design:60,truthfulness:40")

    [design, truth] = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()["criteria"]
    assert (design["share"], design["notAssessed"]) == ("1.00", None)
    assert (truth["share"], truth["final"], truth["notAssessed"]["reason"]) == ("0.00", None, "criterion_not_judged")
    assert "not assessed: Truthfulness is not something" in client.get(f"/debates/{debate.public_id}/").content.decode()


def test_a_criterion_about_the_task_is_left_out_of_offline_panels_and_asked_of_models():
    offline = draft(LONG, criteria="design:60,task fulfilment:40")
    seats = [JudgeSeat(), JudgeSeat(provider="scripted")]
    mixed = draft(LONG, criteria="design:60,task fulfilment:40", seats=seats, script=[play.REPORT])

    assert offline.parameters["panel"]["not_assessed"] == {"task fulfilment": "task_not_understood"}
    assert mixed.parameters["panel"]["not_assessed"] == {}


def test_a_panel_is_refused_of_which_less_than_half_could_be_judged():
    with pytest.raises(Invalid, match="cannot judge more than half of the weight") as refused:
        draft(LONG, criteria="design:40,truthfulness:60")

    assert ("a model" in refused.value.message, refused.value.field) == (True, "judges")
    assert draft(LONG, criteria="design:50,truthfulness:50").parameters["panel"]["not_assessed"]


def test_it_is_said_that_offline_judges_do_not_understand_the_task(client):
    debate = played(LONG)

    page = client.get(f"/debates/{debate.public_id}/").content.decode()
    assert "Offline judges do not understand a task" in page
    assert {one["readsTask"] for one in panel_document(debate=debate)["judges"]} == {False}


def test_one_offline_judge_among_models_is_said_not_to_understand_the_task():
    seats = [JudgeSeat(provider="scripted"), JudgeSeat()]
    document = panel_document(debate=draft(LONG, criteria="design:60", seats=seats, script=[play.REPORT]))

    assert of_task(document).startswith("Judge 2 does not understand a task:")


@pytest.mark.django_db(transaction=True)
def test_the_command_line_says_why_and_ends_with_the_status_of_a_review(tmp_path):
    file, out = tmp_path / "brunnen.md", StringIO()
    file.write_text(GERMAN)

    with pytest.raises(CommandError, match="A person must decide") as caught:
        judge(file, "design:1", out)

    assert caught.value.returncode == 3
    assert "Not assessed. Judge 1, Judge 2 and Judge 3: The offline judge reads English" in out.getvalue()
    assert "No consensus: no judge can judge it." in out.getvalue()
    assert "They do not agree: no judge gives any scores." in out.getvalue()
    assert "could not be read" not in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_the_command_line_shows_a_criterion_that_is_left_out(tmp_path):
    file, out = tmp_path / "wells.md", StringIO()
    file.write_text(LONG)

    with suppress(CommandError):  # whether the judges agree is not what is looked at
        judge(file, "design:60,irony:40", out)

    [row] = [line for line in out.getvalue().splitlines() if line.startswith("Irony ")]
    assert row.endswith("not assessed")
    assert "Not assessed. Irony: " in out.getvalue()
    assert "Offline judges do not understand a task" in out.getvalue()
