"""A desk with something to do on it, always the same: ``python -m tests.browser.screenshot_data`` makes it.

It prints the rows that there are, and the cookies of a moderator and of a senior moderator, as JSON.
"""

import json
import os
import sys
from typing import Any

TITLE = "A tool library in the old fire station"
SUBJECT = """The town will let us have the ground floor of the old fire station for one euro a year until 2029.
We would lend drills, ladders and a sewing machine, two evenings a week, for a membership of 20 euros a year.
37 households have put their names down and paid. Insurance costs 310 euros a year. The fee covers that."""
CRITERIA = {"P1": "Need", "P2": "Evidence of need", "S1": "Running costs", "S2": "People who run it"}
CHALLENGES = (
    ("skeptic", "critical", "37 households", "Names are cheap. Who of the 37 has borrowed anything anywhere before?"),
    ("realist", "significant", "until 2029", "What becomes of the tools when the lease ends?"),
    ("first-principles", "minor", "two evenings a week", "Why open by the clock and not by lending on call?"),
)
DEFENCE = "They have paid 20 euros each, in advance, and 29 of them answered what they would borrow first."
RULINGS = {
    "P1": (("0.5", "-0.25", "0"), ("0.25", "0", "0")),
    "P2": (("3", "0.25", "0"), ("-0.5", "0", "0")),
    "S1": (("-0.75", "-0.5", "0"), ("0.25", "0", "0")),
    "S2": (("0.25", "0.5", "-0.25"), ("0.5", "0", "0")),
}
REASONS = {
    "evaluator": "The payment in advance answers the challenge; the survey of 29 is evidence.",
    "red_team": "Nothing is said about the years after 2029, and the fee does not cover a second insurance.",
    "draw": "Both have a point, and neither names a figure.",
}
WHY = {
    "freeze": "The figure of 37 households is being checked with the town.",
    "override": "The town confirms the costs in writing; the judges did not see that letter.",
}


def rubric() -> dict[str, Any]:
    from tests import playing

    made = playing.rubric(*[code for code in CRITERIA if code.startswith("P")])
    made["criteria"] += playing.rubric(*[code for code in CRITERIA if code.startswith("S")], category="plan")[
        "criteria"
    ]
    for row in made["criteria"]:
        row["name"] = CRITERIA[row["code"]]
    return {**made, "slug": "neighbourhood", "name": "Neighbourhood"}


def answers(code: str) -> list[dict[str, Any]]:
    """Return what is said and ruled about one criterion."""
    from tests.playing import ruling, script

    rounds = [
        [ruling(adjustment, challenge=f"C{number}") for number, adjustment in enumerate(one, start=1)]
        for one in RULINGS[code]
    ]
    said = script(rounds, thread=code)
    for one in said:
        words(one["answer"])
    return said


def words(answer: dict[str, Any]) -> None:
    """Put sensible words in the place of those that tests make do with."""
    for row, (persona, severity, quote, text) in zip(answer.get("challenges", ()), CHALLENGES, strict=False):
        row.update(persona=persona, severity=severity, quote=quote, text=text)
    for row in answer.get("presses", ()):
        row["text"] = "Paid once is not used twice. What did they borrow in the first month?"
    for row in answer.get("defences", ()):
        row["text"] = DEFENCE
    for row in answer.get("verdicts", ()):
        row["reasoning"] = REASONS[row["winner"]]


def played(by: Any) -> Any:
    """Play the debate; one score was frozen before the first verdict came."""
    from django.utils import timezone

    from judging.engine import lifecycle
    from judging.engine.creation import create_draft
    from judging.formats.criterion.spec import CriterionSpec
    from scoring.models import Evaluation
    from tests import acts, factories, playing

    spec = CriterionSpec(
        title=TITLE, subject=SUBJECT, rubric=rubric(), rounds=2, provider="scripted",
        script=[*(one for code in CRITERIA for one in answers(code)), playing.SYNTHESIS],
        initial=dict.fromkeys(CRITERIA, ("6", "0.5")),
    )  # fmt: skip
    made = create_draft(spec=spec, by=None, now=timezone.now())
    lifecycle.start(debate_id=made.pk, by=None, now=timezone.now())
    held = Evaluation.objects.get(debate=made, key="S2")
    acts.freeze(order=factories.order(held, by, seen=None, reason=WHY["freeze"]), now=timezone.now())
    playing.work()
    return made


def disputed() -> Any:
    """Make a panel that came to no agreement on one criterion."""
    from decimal import Decimal

    from django.db import transaction

    from debates.models import Participant
    from judging.models import Review
    from scoring.enums import FactKind
    from scoring.services.rounds import Given
    from tests import factories

    with transaction.atomic():
        debate = factories.debate(status="awaiting_review", title="Which of three designs for the reading room")
        given = [
            Given(
                FactKind.JUDGE_SCORE, Decimal(score),
                participant=Participant.objects.create(debate=debate, role="judge", name=name, provider="scripted"),
            )
            for name, score in (("Judge 1", "2"), ("Judge 2", "4.5"))
        ]  # fmt: skip
    factories.panel(debate, key="feasibility", scores=given)
    return Review.objects.create(
        debate=debate, round_number=0, reason_code="criterion_spread", disputed=["feasibility"], policy={}
    )


def member(name: str, group: str) -> Any:
    """Make somebody of the staff who belongs to a group."""
    from django.contrib.auth.models import Group, User

    from tests import factories

    factories.person(name).groups.add(Group.objects.get(name=group))
    return User.objects.get(username=name)


def cookie(user: Any) -> str:
    """Sign somebody in and return their session."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from scoring.groups import MODERATOR, SENIOR
    from scoring.models import Alert, Evaluation

    ruth, sena = member("ruth", MODERATOR), member("sena", SENIOR)
    debate, review = played(ruth), disputed()
    found = {
        "debate": debate.pk,
        "review": review.pk,
        "scores": dict(Evaluation.objects.filter(debate=debate).values_list("key", "pk")),
        "alert": Alert.objects.get(debate=debate, code="extreme_verdict").pk,
        "cookies": {"ruth": cookie(ruth), "sena": cookie(sena)},
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
