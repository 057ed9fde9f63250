"""When the arbiter interjects, and about what."""

from decimal import Decimal

import pytest

from judging.rules import adherence
from judging.rules.adherence import Accountability, Marks, Violation

FAIR = {"steel_manning": "15", "self_critique": "8", "consistency": "15", "honesty": "8"}


def marks(violations=0, **changed):
    return Marks(**{name: Decimal(mark) for name, mark in {**FAIR, **changed}.items()}, violations=violations)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(marks(), [], id="nothing at the thresholds"),
        pytest.param(marks(steel_manning="14.99"), [Violation.STRAW_MANNING], id="weak steel-manning"),
        pytest.param(marks(steel_manning="0"), [Violation.STRAW_MANNING], id="no steel-manning"),
        pytest.param(marks(self_critique="7.99"), [Violation.MISSING_SELF_CRITIQUE], id="no self-critique"),
        pytest.param(marks(consistency="14.99", violations=1), [Violation.FRAMEWORK_INCONSISTENCY], id="major"),
        pytest.param(marks(consistency="15", violations=1), [], id="a minor violation"),
        pytest.param(marks(consistency="0"), [], id="inconsistency without a violation"),
        pytest.param(marks(honesty="7.99"), [Violation.RHETORICAL_EVASION], id="low honesty"),
        pytest.param(
            marks(violations=2, steel_manning="0", self_critique="0", consistency="0", honesty="0"),
            [
                Violation.STRAW_MANNING,
                Violation.MISSING_SELF_CRITIQUE,
                Violation.FRAMEWORK_INCONSISTENCY,
                Violation.RHETORICAL_EVASION,
            ],
            id="everything, in order",
        ),
    ],
)
def test_violations_are_found_in_order(given, expected):
    assert list(adherence.violations(marks=given)) == expected


@pytest.mark.parametrize(
    ("accountability", "requires", "total", "expected"),
    [
        ("moderate", True, "39.99", True),
        ("moderate", True, "40", False),
        ("moderate", False, "0", False),
        ("strict", True, "100", True),
        ("strict", False, "59.99", True),
        ("strict", False, "60", False),
        ("relaxed", True, "0", False),
        ("relaxed", False, "0", False),
    ],
)
def test_accountability_decides(accountability, requires, total, expected):
    assert (
        adherence.decide(accountability=Accountability(accountability), requires=requires, total=Decimal(total))
        is expected
    )


@pytest.mark.parametrize("accountability", list(Accountability))
def test_a_debate_can_switch_interjections_off(accountability):
    assert not adherence.decide(accountability=accountability, requires=True, total=Decimal(0), enabled=False)


@pytest.mark.parametrize("accountability", list(Accountability))
def test_a_judgement_that_failed_never_leads_to_an_interjection(accountability):
    assert adherence.interjection(accountability=accountability, marks=None) is None


@pytest.mark.parametrize(
    ("accountability", "given", "expected"),
    [
        pytest.param(
            Accountability.MODERATE,
            marks(steel_manning="0", self_critique="0", honesty="0"),
            Violation.STRAW_MANNING,
            id="one violation at a time, the first",
        ),
        pytest.param(
            Accountability.MODERATE, marks(honesty="0", consistency="25"), None, id="a total of 48 passes as moderate"
        ),
        pytest.param(
            Accountability.STRICT,
            marks(honesty="0", consistency="25"),
            Violation.RHETORICAL_EVASION,
            id="but not strict",
        ),
        pytest.param(Accountability.STRICT, marks(), Violation.LOW_ADHERENCE, id="a low total alone is low adherence"),
        pytest.param(
            Accountability.STRICT,
            marks(consistency="16", violations=1),
            Violation.LOW_ADHERENCE,
            id="a minor violation is not what a low total is about",
        ),
        pytest.param(
            Accountability.STRICT,
            Marks(Decimal(15), Decimal(15), Decimal(15), Decimal(15)),
            None,
            id="a total of exactly 60 passes",
        ),
        pytest.param(Accountability.RELAXED, marks(steel_manning="0"), None, id="relaxed says nothing"),
    ],
)
def test_an_interjection_is_about_one_thing(accountability, given, expected):
    assert adherence.interjection(accountability=accountability, marks=given) is expected


def test_a_float_total_is_refused():
    with pytest.raises(TypeError):
        adherence.decide(accountability=Accountability.STRICT, requires=False, total=59.9)
