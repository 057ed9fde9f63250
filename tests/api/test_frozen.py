"""A frozen score through the API: nothing but unfreezing moves it, and every refusal names the freeze."""

import pytest

from debates.models import Debate
from scoring.models import Evaluation
from tests import factories
from tests.api.clients import Api, code_of
from tests.moderators import frozen, overridden, state

pytestmark = pytest.mark.django_db
BECAUSE = {"reason": factories.REASON}


@pytest.fixture
def score() -> Evaluation:
    """A score of an ended debate, under an override, frozen."""
    made = factories.criterion(factories.debate())
    factories.count(made, "1")
    Debate.objects.update(status="concluded")
    ruth = factories.moderator("ruth")
    overridden(made, ruth)
    frozen(made, ruth)
    return made


def on(score: Evaluation, action: str) -> str:
    return f"/evaluations/{score.public_id}/{action}/"


def seen(score: Evaluation) -> dict[str, str]:
    return {"If_Match": f'"{score.moderation_version}-"'}


def test_nothing_but_to_unfreeze_it_is_previewed_on_a_frozen_score(score):
    before = state(score)

    answer = Api(factories.moderator()).post(on(score, "preview"), {"action": "rollback", "target": 1})

    assert code_of(answer) == (409, "frozen")
    assert "P1 Problem clarity is frozen since" in answer.json()["detail"]
    assert "Unfreeze it first." in answer.json()["detail"]
    assert state(score) == before


def test_it_is_not_moved_with_many_with_its_debate_or_by_who_may_not_unfreeze(score):
    before, alice = state(score), Api(factories.moderator())
    bob = Api(factories.person("bob", permissions=["view_evaluation", "freeze_evaluation", "override_evaluation"]))
    rows = [{"evaluation": str(score.public_id), "seen": score.moderation_version}]
    many = {**BECAUSE, "action": "rollback", "evaluations": rows}
    debate = f"/debates/{score.debate.public_id}"

    answers = {
        "many": alice.post("/evaluations/bulk/", many),
        "staged": alice.post("/rescore-sets/", many),
        "debate": alice.post(f"{debate}/rollback/", BECAUSE),
        "again": alice.post(f"{debate}/rerun/", BECAUSE),
        "unfreeze": bob.post(on(score, "unfreeze"), {**BECAUSE, "held": "discard"}, **seen(score)),
    }

    assert {name: code_of(answer) for name, answer in answers.items()} == {
        "many": (409, "bulk_refused"), "staged": (409, "bulk_refused"), "debate": (409, "frozen"),
        "again": (409, "frozen"), "unfreeze": (403, "not_permitted"),
    }  # fmt: skip
    assert {one["code"] for name in ("many", "staged") for one in answers[name].json()["refused"]} == {"frozen"}
    assert all("These scores are frozen: P1" in answers[name].json()["detail"] for name in ("debate", "again"))
    assert state(score) == before
