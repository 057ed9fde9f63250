"""What whoever closes a debate is shown of its result."""

from judging.formats import prompts
from judging.types import Material, Purpose

LONG = {"question": "Is it? " * 30, "high": "It is. " * 20, "low": "It is not. " * 20}
RESULT = {
    "overall": {"after": "61.20"},
    "criteria": [
        {"code": f"C{number}", "name": f"Criterion {number}", **LONG, "initial": "6.00", "final": f"7.{number:02}"}
        for number in range(1, 31)
    ],
    "strengths": ["C7"],
    "survivalRate": "0.51",
}


def test_the_synthesis_of_thirty_criteria_is_shown_each_of_them_and_everything_beside_them():
    material = Material(subject_title="Wells", subject="They are deep.", result=RESULT)

    _, user = prompts.messages(purpose=Purpose.SYNTHESISE, material=material)

    assert [number for number in range(1, 31) if f"'final': '7.{number:02}'" not in user.text] == []
    assert "'strengths': ['C7']" in user.text
    assert "'survivalRate': '0.51'" in user.text
    assert "(cut)" not in user.text
