"""Taking a whole debate back through the API, on the versions of its scores that somebody saw."""

import pytest

from debates.models import Debate, Thread
from judging.api.debates import MOST_SCORES
from judging.formats.responses.spec import MOST_RESPONSES
from scoring.models import Evaluation
from scoring.services.bulk import CAP
from tests import factories
from tests.api.clients import Api, code_of
from tests.judging.formats.open.test_verify import unguarded
from tests.moderators import overridden

pytestmark = pytest.mark.django_db
BECAUSE = {"reason": factories.REASON}
NOBODYS = "00000000-0000-4000-8000-000000000000"


def seen(debate: Debate) -> list[dict[str, object]]:
    rows = Evaluation.objects.filter(debate=debate).order_by("pk")
    return [{"evaluation": str(one.public_id), "seen": one.moderation_version} for one in rows]


@pytest.mark.parametrize("action", ["rollback", "rerun"])
def test_a_debate_is_taken_back_as_it_was_seen_or_not_at_all(action):
    debate, alice = factories.debate(), Api(factories.moderator())
    first, second = (factories.criterion(debate, key=key) for key in ("P1", "P2"))
    factories.count(first, "1")
    Thread.objects.update(status="complete")
    Debate.objects.update(status="concluded")
    looked = seen(debate)
    overridden(second, factories.moderator("ruth"))

    def ask(rows):
        return alice.post(f"/debates/{debate.public_id}/{action}/", {**BECAUSE, "evaluations": rows})

    late = ask(looked)
    refused = [ask(rows) for rows in (seen(debate)[:1], [{"evaluation": NOBODYS, "seen": 0}])]

    assert code_of(late) == (412, "stale")
    assert (
        "P2 Problem clarity: This score is no longer as you saw it (version 0): ruth: override" in late.json()["detail"]
    )
    assert [code_of(one) for one in refused] == [(422, "invalid"), (422, "invalid")]
    assert [one.json()["detail"] for one in refused] == [
        "Say which moderation_version you saw of P2.", f"evaluations: this debate has no {NOBODYS}.",
    ]  # fmt: skip
    assert Evaluation.objects.get(key="P2").value == 8
    assert ask(seen(debate)).status_code == 200
    assert Evaluation.objects.get(key="P2").value == 6


def test_a_debate_with_more_scores_than_a_bulk_action_takes_is_taken_back_as_it_was_seen():
    debate, alice = factories.debate(status="concluded"), Api(factories.moderator())
    place = factories.thread(debate, key="main")
    about = {"debate": debate, "thread": place, "instrument": "adherence", "initial_score": 20}
    with unguarded(Evaluation):
        Evaluation.objects.bulk_create(
            Evaluation(key=f"R{number}", name=f"R{number}", **about) for number in range(CAP + 1)
        )

    answer = alice.post(f"/debates/{debate.public_id}/rollback/", {**BECAUSE, "evaluations": seen(debate)})

    assert answer.status_code == 200
    assert MOST_SCORES >= MOST_RESPONSES
