"""Why a rescore set was staged and cancelled goes with a debate that is in it, whatever became of the set."""

import pytest
from django.utils import timezone

from debates.models import Debate
from scoring.enums import BulkAction
from scoring.services import rescore
from tests import factories
from tests.judging.erasure.erase import CANARY, erase, everything

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("end", ["staged", "cancelled"])
def test_why_a_set_was_staged_and_cancelled_goes_with_a_debate_that_is_in_it(end):
    alice, evaluation = factories.moderator("alice"), factories.criterion(initial="6")
    about = {"by": alice, "now": timezone.now()}
    staged = rescore.stage(
        action=BulkAction.FREEZE, rows=[(evaluation.pk, None)], reason=f"{CANARY} asked for it.", **about
    )
    if end == "cancelled":
        rescore.cancel(set_id=staged.pk, reason=f"{CANARY} thought again.", **about)
    Debate.objects.update(status="concluded")
    assert CANARY in everything()

    erase(evaluation.debate, alice)

    assert CANARY not in everything()
