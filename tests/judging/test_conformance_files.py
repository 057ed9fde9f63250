"""Files of worked numbers that are malformed are refused by file, case and key, whatever they hold."""

import json

import pytest

from judging.management.commands import conformance
from judging.management.commands.conformance import BadVectors


def outcomes(*paths):
    return list(conformance.run(paths=paths))


def written(path, kind, case):
    path.write_text(json.dumps({"kind": kind, "cases": [{"id": "X1", **case}]}), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path):
    return tmp_path / "some.json"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param("{", "is not JSON", id="half a file"),
        pytest.param("", "is not JSON", id="an empty file"),
        pytest.param("\udcff", "is not JSON", id="not UTF-8"),
        pytest.param('{"kind": "interjection", "cases": [NaN]}', "NaN is no number", id="NaN"),
        pytest.param("[" * 200_000, "is not JSON", id="too deep"),
        pytest.param("[]", "the file must be an object", id="a list"),
        pytest.param('{"cases": []}', "the file has no key 'kind'", id="no kind"),
        pytest.param(
            '{"kind": "score", "cases": []}', "unknown kind 'score'; known: consensus, crit", id="another kind"
        ),
        pytest.param('{"kind": ["state"], "cases": []}', "unknown kind ['state']", id="a list of kinds"),
        pytest.param('{"kind": "state"}', "the file has no key 'cases'", id="no cases"),
        pytest.param('{"kind": "state", "cases": {}}', "'cases' of the file must be a list", id="cases by name"),
        pytest.param('{"kind": "state", "cases": []}', "'cases' of the file must not be empty", id="nothing to run"),
        pytest.param('{"kind": "state", "cases": [1]}', "case 1 must be an object", id="a case that is a number"),
        pytest.param('{"kind": "state", "cases": [{"expect": []}]}', "case 1 has no key 'id'", id="no id"),
        pytest.param('{"kind": "state", "cases": [{"id": "U1"}]}', "case U1 has no key 'expect'", id="no expectation"),
        pytest.param(
            '{"kind": "state", "cases": [{"id": "U1", "expect": 1}]}', "'expect' of case U1 must be", id="a bare number"
        ),
    ],
)
def test_a_malformed_file_is_refused_by_name(tmp_path, content, complaint):
    path = tmp_path / "broken.json"
    path.write_bytes(content.encode(errors="surrogateescape"))

    with pytest.raises(BadVectors) as caught:
        outcomes(path)

    assert caught.value.message.startswith(f"{path}: ")
    assert complaint in caught.value.message


VOICE = {"stance": "0", "conviction": "0", "persuasion": [], "attack": [], "surrendered": False}
CASES = {
    "consensus": {"weights": ["1"], "scores": [["4"], ["4"]]},
    "criterion": {"initial": "5", "confidence": "0.5", "rounds": [[{"adjustment": "1", "impact": "0"}]]},
    "interjection": {"accountability": "strict", "requires": False, "total": "59"},
    "overall": {"categories": {"all": {"weight": "1", "scores": ["5"]}}},
    "standing": {"participants": {"A": VOICE}},
    "state": {"rules": "classic", "stance": "0", "conviction": "0", "steps": [["0", "0"]]},
}
OPTIONAL = {
    "consensus": {"accepts": [True, True], "round": 1, "not_applicable": [], "quorum": 2, "spread": "0.5"},
    "criterion": {"weight_by_confidence": True, "adjustment_cap": "5"},
    "interjection": {"enabled": True},
    "overall": {},
    "standing": {"credit": "shared"},
    "state": {"options": {}},
}
NAMES = {("categories",), ("participants",)}
"""Objects whose keys are names that anybody may choose."""


def keys(node, path=()):
    if isinstance(node, list):
        return keys(node[0], (*path, 0)) if node else []
    if not isinstance(node, dict):
        return []
    own = [] if path in NAMES else [(*path, key) for key in node]
    return own + [found for key, value in node.items() for found in keys(value, (*path, key))]


def changed(case, path, value=None, *, gone=False):
    copy = json.loads(json.dumps(case))
    node = copy
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    if gone:
        del node[path[-1]]
    return copy


REQUIRED = [(kind, path) for kind, case in CASES.items() for path in keys(case)]
ALL = [(kind, path) for kind, case in CASES.items() for path in keys({**case, **OPTIONAL[kind]})]


@pytest.mark.parametrize("optional", [False, True], ids=["smallest", "with every option"])
@pytest.mark.parametrize("kind", CASES)
def test_a_well_formed_case_runs(file, kind, optional):
    case = {**CASES[kind], **(OPTIONAL[kind] if optional else {})}
    expect = [{}] if kind == "state" else {}

    assert outcomes(written(file, kind, {**case, "expect": expect}))[0].equal


@pytest.mark.parametrize(("kind", "path"), REQUIRED, ids=str)
def test_a_missing_key_is_refused_by_name(file, kind, path):
    written(file, kind, {**changed(CASES[kind], path, gone=True), "expect": {}})

    with pytest.raises(BadVectors) as caught:
        outcomes(file)

    assert caught.value.message.startswith(f"{file}: ")
    assert "case X1" in caught.value.message
    assert f"has no key {path[-1]!r}" in caught.value.message


@pytest.mark.parametrize("value", [None, 1, "?", True, [], {}, [[]], [1], {"a": 1}], ids=repr)
@pytest.mark.parametrize(("kind", "path"), ALL, ids=str)
def test_whatever_a_key_holds_there_is_an_answer(file, kind, path, value):
    case = changed({**CASES[kind], **OPTIONAL[kind]}, path, value)
    written(file, kind, {**case, "expect": {"nothing": 1}})

    try:
        answer = outcomes(file)[0].difference
    except BadVectors as refusal:
        answer = refusal.message if "case X1" in refusal.message else ""

    assert answer != ""


@pytest.mark.parametrize(
    ("kind", "change", "complaint"),
    [
        ("state", {"steps": [["0"]]}, "'steps' of case X1 must be pairs of persuasion and attack"),
        ("state", {"steps": ["0"]}, "'steps' of case X1 must be a list of lists"),
        ("consensus", {"scores": ["4"]}, "'scores' of case X1 must hold a list or null for each judge"),
        ("consensus", {"accepts": [True]}, "'accepts' of case X1 must hold one word for each judge"),
        ("consensus", {"not_applicable": ["0"]}, "'not_applicable' of case X1 must hold positions of criteria"),
        ("interjection", {"requires": "yes"}, "'requires' of case X1 must be true or false"),
        ("criterion", {"rounds": [[1]]}, "a verdict of round 1 of case X1 must be an object"),
    ],
)
def test_a_value_of_the_wrong_shape_is_refused_by_name(file, kind, change, complaint):
    written(file, kind, {**CASES[kind], **change, "expect": {}})

    with pytest.raises(BadVectors) as caught:
        outcomes(file)

    assert caught.value.message == f"{file}: {complaint}."
