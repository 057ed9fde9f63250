"""What a judge answers where it cannot judge has a reason, a sentence, and a word on what helps."""

import pytest

from judging.types import HELPS_UNABLE, WHY_UNABLE, NotAssessed, Unable, are_unable


@pytest.mark.parametrize("reason", Unable)
def test_every_reason_says_why_and_what_helps(reason):
    answer = NotAssessed(reason, "Here it is German.")

    assert answer.helps == HELPS_UNABLE[reason] != ""
    assert WHY_UNABLE[reason].endswith(".")
    assert answer.answer == {"not_assessed": {"reason": reason.value, "why": "Here it is German."}}


@pytest.mark.parametrize(
    ("codes", "unable"),
    [
        ([], False),
        (["mostly_code"], True),
        (["mostly_code", "too_little_text"], True),
        (["mostly_code", "over"], False),
    ],
)
def test_a_debate_was_not_assessed_where_every_thread_ended_for_it(codes, unable):
    assert are_unable(codes) == unable
