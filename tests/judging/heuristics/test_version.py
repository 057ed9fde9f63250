"""The answers on record for this version: a change of any of them is a new version."""

import json

import pytest

from judging import heuristics
from tests.judging.heuristics.dry_run import samples
from tests.judging.heuristics.record import PATH, answers

RECORD = json.loads(PATH.read_text(encoding="utf-8"))


def test_the_record_is_of_this_version():
    assert RECORD["version"] == heuristics.VERSION


@pytest.mark.parametrize("name", sorted(samples()))
def test_a_version_keeps_giving_the_answers_on_record(name):
    assert answers(name) == RECORD["answers"][name]
