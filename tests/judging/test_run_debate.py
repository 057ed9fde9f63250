"""``manage.py run_debate``: a debate from a file to its result, offline, and what it refuses."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.management.commands.run_debate import Command, created, told
from scoring import bundled
from tests import playing
from tests.judging.formats.open.test_verify import unguarded
from tests.playing import ruling, script

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SAMPLES = Path(__file__).parent.parent.parent / "samples"
RUBRIC = str(SAMPLES / "rubrics" / "venture.json")


def run(*words: str) -> str:
    out = StringIO()
    call_command("run_debate", *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def subject(tmp_path):
    file = tmp_path / "wells.md"
    file.write_text(f"# Deep wells\n\n{playing.SUBJECT}\n")
    return str(file)


def test_the_same_text_gives_the_same_report_twice(subject):
    first, second = (run(subject, "--rubric", RUBRIC, "--criteria", "P1,S2,R4") for _ in range(2))

    assert first == second
    assert first.startswith("Deep wells\n")
    assert "Judged by  heuristic" in first


def test_the_result_document_says_what_came_of_it(subject, tmp_path):
    answers = tmp_path / "answers.json"
    assess = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}
    answers.write_text(json.dumps([assess, *script([[ruling("1.5", "0.1")]]), playing.SYNTHESIS]))

    document = json.loads(
        run(subject, "--rubric", RUBRIC, "--criteria", "P1", "--rounds", "1", "--script", str(answers), "--json")
    )

    [one] = document["evaluations"]
    assert (one["initial"], one["final"], one["confidence"]) == ("6.00", "7.50", "0.60")
    assert document["overall"] == {
        "before": "6.00", "after": "7.50", "coverage": "0.20", "recommendation": None, "band": "strong",
    }  # fmt: skip
    assert document["scored"] == {"criteria": 1, "of": 1}
    assert (document["survivalRate"], document["strengths"], document["synthesis"]) == ("1.00", ["P1"], "It is so.")
    assert (document["verdicts"], document["winners"]) == (1, {"evaluator": 1, "red_team": 0, "draw": 0})


def test_a_debate_that_cannot_conclude_says_so_by_its_status(subject, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps([{"purpose": "assess", "error": "gone", "permanent": True}]))

    with pytest.raises(CommandError, match=r"The debate is failed\. No criterion could be assessed\.") as caught:
        run(subject, "--rubric", RUBRIC, "--criteria", "P1", "--script", str(answers))

    assert caught.value.returncode == 1


@pytest.mark.parametrize(
    ("words", "names"),
    [
        pytest.param(["/nowhere.md"], "subject: /nowhere.md cannot be read", id="no such subject"),
        pytest.param(["{empty}"], "is empty", id="empty subject"),
        pytest.param(["{binary}"], "is written in UTF-16", id="binary subject"),
        pytest.param(["{long}"], "at most 200000 are allowed", id="long subject"),
        pytest.param(
            ["{subject}", "--rubric", "nothing"],
            "rubric: There is no rubric 'nothing'; there are: exhibition, venture. Nor is there a file of this name.",
            id="no such rubric",
        ),
        pytest.param(["{subject}", "--rubric", "/nowhere.json"], "rubric: /nowhere.json cannot be read", id="no file"),
        pytest.param(["{subject}", "--criteria", "X1"], "criteria: X1 is not in the rubric", id="unknown criterion"),
        pytest.param(["{subject}", "--rounds", "6"], "rounds: Ensure this value is less than", id="six rounds"),
        pytest.param(["{subject}", "--provider", "oracle"], "provider must be one of", id="unknown provider"),
        pytest.param(["{subject}", "--script", "{subject}"], "is not JSON", id="script in prose"),
        pytest.param([], "subject: a criterion debate needs a text file", id="no file"),
        pytest.param(["{subject}", "--tone", "heated"], "--tone: only debates of --format open", id="a tone"),
        pytest.param(["{subject}", "--script", "{deep}"], "is not JSON that can be read", id="script without a bottom"),
        pytest.param(["{subject}", "--rubric", "{deep}"], "The rubric is not JSON", id="rubric without a bottom"),
        pytest.param(["{subject}", "--rubric", "{empty}"], "rubric: .*/empty is empty", id="empty rubric"),
        pytest.param(["{subject}", "--rubric", "{binary}"], "rubric: .*/binary is written in", id="binary rubric"),
        pytest.param(["{subject}", "--rubric", "{long}"], "rubric: .* at most 200000 are", id="long rubric"),
        pytest.param(["{subject}", "--max-calls", "0"], "limits.calls: Ensure this value is greater", id="no calls"),
    ],
)
def test_what_cannot_be_played_is_refused_by_name_and_leaves_nothing(words, names, subject, tmp_path):
    bundled.store_missing()  # a test whose rows are committed begins with none
    files = {"subject": subject, "empty": tmp_path / "empty", "binary": tmp_path / "binary", "long": tmp_path / "long"}
    files["empty"].write_text(" \n")
    files["binary"].write_bytes(b"\xff\xfe\x00")
    files["long"].write_text("x" * 200_001)
    files["deep"] = tmp_path / "deep.json"
    files["deep"].write_text("[" * 100_000)
    rubric = [] if "--rubric" in words else ["--rubric", RUBRIC]

    with pytest.raises(CommandError, match=names) as caught:
        run(*(word.format(**files) for word in words), *rubric)

    assert caught.value.returncode == 2
    assert Debate.objects.count() == 0


def test_a_score_that_nothing_counted_towards_does_not_look_like_a_result(subject):
    words = [subject, "--rubric", RUBRIC, "--criteria", "P1"]
    debate = created(vars(Command().create_parser("manage.py", "run_debate").parse_args(words)))
    with unguarded(Debate):  # nobody may ask for so few
        Debate.objects.filter(pk=debate.pk).update(limit_calls=1)
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    playing.work()
    debate.refresh_from_db()

    report = told(debate, as_json=False)

    assert " kept: nothing counted " in report
    assert "Rulings    none" in report


class Terminal(StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_of_every_score_that_moves_unless_the_document_is_asked_for(subject, tmp_path):
    assess = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}
    gone = {"purpose": "judge", "thread": "P2", "round": 2, "error": "gone", "permanent": True}
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps([assess, gone, *script([[ruling("1.5")], [ruling("-0.25")]]), playing.SYNTHESIS]))
    words = [subject, "--rubric", RUBRIC, "--criteria", "P1,P2", "--rounds", "2", "--script", str(answers)]
    out, document = Terminal(), Terminal()

    call_command("run_debate", *words, stdout=out)
    call_command("run_debate", *words, "--json", stdout=document)

    lines = out.getvalue().partition("Deep wells\n")[0].splitlines()
    moves = [line for line in lines if "->" in line]
    assert sorted(line.partition("/4  ")[2] for line in moves) == [
        "round 1  P1    6.00 -> 7.50", "round 1  P2    6.00 -> 7.50", "round 2  P1    7.50 -> 7.25",
    ]  # fmt: skip
    assert [line.partition("/")[0] for line in moves] == ["  1", "  2", "  3"]
    assert [line for line in lines if line not in moves] == ["         P2 ended early: judge_failed"]
    assert json.loads(document.getvalue())["overall"]["after"] == "7.38"


def test_the_address_of_the_debate_is_printed_unless_the_document_is_asked_for(subject):
    bundled.store_missing()
    said, quiet = StringIO(), StringIO()

    call_command("run_debate", subject, "--criteria", "P1", "--rounds", "1", stdout=StringIO(), stderr=said)
    call_command("run_debate", subject, "--criteria", "P1", "--json", stdout=StringIO(), stderr=quiet)

    debate = Debate.objects.earliest("pk")
    assert f"on the site: {reverse('debate', args=[debate.public_id])}\n" in said.getvalue()
    assert "on the site" not in quiet.getvalue()


def test_a_rubric_file_needs_no_particular_name_and_what_is_wrong_in_it_is_said_with_its_place(
    subject, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text(Path(RUBRIC).read_text(encoding="utf-8"), encoding="utf-8")
    Path("odd").write_text('{"slug": "odd", "name": "Odd", "criteria": []}', encoding="utf-8")

    assert "Rulings" in run(subject, "--rubric", "mine", "--criteria", "P1", "--rounds", "1")
    with pytest.raises(CommandError, match=r"^rubric: odd: criteria must be a list of 1 to 100 criteria"):
        run(subject, "--rubric", "odd")


def test_a_criterion_with_a_name_that_no_score_can_carry_is_refused_before_anything_is_asked(subject, tmp_path):
    rubric = json.loads(Path(RUBRIC).read_text(encoding="utf-8"))
    rubric["criteria"][0]["name"] = "x" * 121
    (tmp_path / "long.json").write_text(json.dumps(rubric), encoding="utf-8")

    with pytest.raises(CommandError, match=r"criterion 1 \(P1\): name must have at most 120 characters; got 121"):
        run(subject, "--rubric", str(tmp_path / "long.json"), "--criteria", "P1", "--rounds", "1")

    assert not Debate.objects.exists()


def test_what_a_debate_will_cost_is_not_told_in_the_colour_of_errors(subject):
    terminal = Terminal()

    call_command(Command(stderr=terminal, force_color=True), subject, "--rubric", RUBRIC, "--criteria", "P1")

    assert "\nAt most " in terminal.getvalue()
    assert "\x1b" not in terminal.getvalue()
