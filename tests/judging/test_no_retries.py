"""With ``MOOT_PROVIDER_RETRIES=0`` everything is asked once, and what is of no use is not asked for again."""

import pytest

from judging.models import Call
from tests import playing
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}


@pytest.fixture(autouse=True)
def once(settings):
    settings.PROVIDER_RETRIES = 0


def played(*first):
    debate = playing.debate([*first, ASSESS, *script([[ruling("1")]])], initial={}, rounds=1)
    playing.work()
    debate.refresh_from_db()
    return debate


def test_what_is_of_use_at_once_plays_a_whole_debate():
    debate = played()

    assert (debate.status, debate.partial) == ("concluded", False)
    assert set(Call.objects.values_list("attempt", "outcome")) == {(1, "used")}


@pytest.mark.parametrize(
    ("purpose", "status"), [("assess", "failed"), ("judge", "concluded"), ("synthesise", "failed")]
)
@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        pytest.param({"answer": "I would rather not say."}, "rejected", id="no use"),
        pytest.param({"error": "busy", "permanent": False}, "failed", id="no answer"),
    ],
)
def test_what_is_of_no_use_is_not_asked_for_again(purpose, status, said, outcome):
    debate = played({"purpose": purpose, **said})

    assert debate.status == status
    assert list(Call.objects.filter(purpose=purpose).values_list("attempt", "outcome")) == [(1, outcome)]
