"""Files of worked numbers are run through the rules; what differs is said, and what is malformed is refused."""

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from judging.management.commands import conformance
from judging.management.commands.conformance import KINDS, BadVectors

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests" / "vectors"
CASE = {"id": "I1", "accountability": "strict", "requires": False, "total": "59", "expect": {"interject": True}}


@pytest.fixture
def vectors(tmp_path):
    def write(cases, kind="interjection", name="some.json"):
        path = tmp_path / name
        path.write_text(json.dumps({"kind": kind, "cases": cases}), encoding="utf-8")
        return path

    return write


def outcomes(*paths):
    return list(conformance.run(paths=paths))


@pytest.mark.parametrize("outcome", outcomes(OWN), ids=lambda outcome: f"{outcome.file.stem}: {outcome.case}")
def test_our_own_numbers_agree(outcome):
    assert outcome.difference == ""


def test_there_are_numbers_of_every_kind():
    assert {json.loads(path.read_text())["kind"] for path in OWN.glob("*.json")} == set(KINDS)


def test_a_case_that_agrees_is_equal(vectors):
    path = vectors([CASE])

    assert outcomes(path) == [conformance.CaseOutcome(path, "I1", "")]
    assert outcomes(path)[0].equal


def test_a_case_that_differs_says_where(vectors):
    path = vectors([CASE, {**CASE, "id": "I2", "total": "60"}])

    assert [outcome.difference for outcome in outcomes(path)] == ["", "interject: expected true, got false"]


def test_a_refusal_can_be_expected(vectors):
    refused = {**CASE, "total": "sixty", "expect": {"refused": "not_a_number"}}

    assert outcomes(vectors([refused]))[0].equal


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        pytest.param({"total": "sixty"}, "refused as not_a_number: total must be a number", id="a refusal"),
        pytest.param(
            {"total": "sixty", "expect": {"refused": "out_of_range"}}, "refused as not_a_number", id="another refusal"
        ),
        pytest.param(
            {"expect": {"refused": "invalid"}},
            'expected to be refused as invalid, got {"interject": true}',
            id="no refusal",
        ),
        pytest.param({"totl": "59"}, "no rule reads totl", id="a key without effect"),
        pytest.param(
            {"expect": {"interjects": True}}, "there is no value 'interjects'; there are interject", id="a typo"
        ),
        pytest.param({"expect": {"interject": 1}}, "interject: expected 1, got true", id="one is not true"),
        pytest.param({"expect": {"interject": None}}, "interject: expected null, got true", id="nothing is not true"),
        pytest.param({"expect": []}, 'expected [], got {"interject": true}', id="another shape"),
    ],
)
def test_what_is_not_equal_is_a_difference(vectors, change, difference):
    found = outcomes(vectors([{**CASE, **change}]))[0]

    assert not found.equal
    assert found.difference.startswith(difference)


def test_a_key_without_effect_is_found_inside_too(vectors):
    participant = {"stance": "0", "conviction": "0", "persuasion": [], "attack": [], "surrendered": False, "mood": "1"}
    case = {"id": "S", "participants": {"A": participant}, "expect": {"winner": "A"}}

    assert outcomes(vectors([case], kind="standing"))[0].difference == "no rule reads mood"


def test_notes_need_no_effect(vectors):
    assert outcomes(vectors([{**CASE, "note": "why", "title": "what", "source": "where", "why": "so"}]))[0].equal


@pytest.mark.parametrize("total", [59, "59.0", "+59", "059.000"], ids=repr)
def test_numbers_may_be_written_in_any_plain_way(vectors, total):
    assert outcomes(vectors([{**CASE, "total": total}]))[0].equal


def test_a_fraction_in_json_is_not_read_as_a_float(tmp_path):
    path = tmp_path / "some.json"
    path.write_text(
        '{"kind": "criterion", "cases": [{"id": 1, "initial": 4.4, "confidence": 0.1,'
        ' "rounds": [[{"adjustment": -0.5, "impact": 0.2}]], "expect": {"final": 3.9, "confidence": 0.30}}]}'
    )

    assert outcomes(path) == [conformance.CaseOutcome(path, "1", "")]


@pytest.mark.parametrize(
    ("expected", "actual", "difference"),
    [
        pytest.param("9.00", Decimal(9), "", id="numbers are compared by value"),
        pytest.param("-0", Decimal(0), "", id="there is one zero"),
        pytest.param(2, 2, "", id="whole numbers"),
        pytest.param("2", 2, "", id="whole numbers as text"),
        pytest.param("9", Decimal("9.01"), 'expected "9", got "9.01"', id="different numbers"),
        pytest.param("nine", Decimal(9), 'expected "nine", got "9"', id="a word for a number"),
        pytest.param(None, Decimal(9), 'expected null, got "9"', id="nothing for a number"),
        pytest.param("9", None, 'expected "9", got null', id="a number for nothing"),
        pytest.param(True, Decimal(1), 'expected true, got "1"', id="true is not 1"),
        pytest.param("strong", "strong", "", id="equal words"),
        pytest.param("strong", "weak", 'expected "strong", got "weak"', id="different words"),
        pytest.param(None, None, "", id="nothing at all"),
        pytest.param(["1", None], (Decimal(1), None), "", id="equal lists"),
        pytest.param(["1", "2"], [Decimal(1), Decimal(3)], '[1]: expected "2", got "3"', id="a list that differs"),
        pytest.param(["1"], [Decimal(1), Decimal(2)], 'expected ["1"], got ["1", "2"]', id="a longer list"),
        pytest.param({"a": {"b": "1"}}, {"a": {"b": Decimal(1), "c": 2}}, "", id="fewer values than there are"),
        pytest.param({"a": {"b": "1"}}, {"a": {"b": Decimal(2)}}, 'a.b: expected "1", got "2"', id="a nested value"),
        pytest.param({"a": ["1"]}, {"a": [Decimal(2)]}, 'a[0]: expected "1", got "2"', id="a value in a list"),
    ],
)
def test_values_are_compared(expected, actual, difference):
    assert conformance.difference(expected=expected, actual=actual) == difference


def test_a_directory_stands_for_the_files_below_it_by_name(vectors, tmp_path):
    (tmp_path / "deep").mkdir()
    files = [vectors([CASE], name=name) for name in ("deep/c.json", "b.json", "a.json")]
    (tmp_path / "notes.txt").write_text("not a vector")

    assert [outcome.file for outcome in outcomes(tmp_path)] == sorted(files)


def test_a_directory_without_vectors_is_refused(tmp_path):
    with pytest.raises(BadVectors, match=r"there is no \*\.json"):
        outcomes(tmp_path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadVectors, match="cannot be read: No such file or directory"):
        outcomes(tmp_path / "gone.json")


def test_the_command_prints_a_line_for_each_case_and_the_count(vectors, capsys):
    path = vectors([CASE])

    call_command("conformance", path)

    assert capsys.readouterr().out.splitlines() == [f"{path} I1 equal", "1 equal, 0 different"]


def test_the_command_exits_with_1_on_a_difference(vectors, capsys):
    path = vectors([CASE, {**CASE, "id": "I2", "total": "60"}])

    with pytest.raises(SystemExit) as caught:
        call_command("conformance", path)

    assert caught.value.code == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path} I1 equal",
        f"{path} I2 different: interject: expected true, got false",
        "1 equal, 1 different",
    ]


def test_the_command_exits_with_2_on_bad_input(tmp_path):
    with pytest.raises(CommandError) as caught:
        call_command("conformance", tmp_path / "gone.json")

    assert caught.value.returncode == 2


def test_a_number_beyond_all_numbers_is_bad_input(tmp_path):
    path = tmp_path / "some.json"
    path.write_text('{"kind": "state", "cases": [{"id": "U1", "stance": 1e99999999999999999999}]}', encoding="utf-8")

    with pytest.raises(CommandError, match="1e99999999999999999999 has too large an exponent") as caught:
        call_command("conformance", path)

    assert caught.value.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "last"),
    [
        pytest.param(["tests/vectors"], 0, "equal, 0 different", id="all equal"),
        pytest.param(["pyproject.toml"], 2, "is not JSON", id="not a vector file"),
        pytest.param([], 2, "PATH", id="no path"),
    ],
)
def test_the_command_line_gives_the_status(arguments, status, last):
    done = subprocess.run(
        [sys.executable, "manage.py", "conformance", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == status
    assert last in (done.stdout or done.stderr).splitlines()[-1]
