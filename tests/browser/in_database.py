"""What the live browser tests do in their database."""

import json
import sys
from typing import Any

PERSON, PASSWORD = "konrad", "a password of many letters"
OPERATOR = "operator"
ATTACK = "\"'><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">{{ 7|add:7 }}"


def prepare(criteria: int, rounds: int, seconds: float) -> dict[str, Any]:
    """Create a scripted debate in which everybody tries to break out of the page and every call takes ``seconds``."""
    from django.utils import timezone

    from judging.engine.creation import create_draft
    from judging.formats.criterion import format as criterion
    from judging.formats.criterion.spec import CriterionSpec
    from tests import playing
    from tests.playing import ruling

    codes = [f"K{number}" for number in range(1, criteria + 1)]
    rulings = [[ruling("1", "0.05", reasoning=ATTACK), ruling("-0.25", challenge="C2")]] * rounds
    answers = playing.script(rulings, seconds=seconds)
    for answer in answers:
        if answer["purpose"] == "challenge":
            answer["answer"]["challenges"][0].update(text=ATTACK, quote=ATTACK)
        if answer["purpose"] == "defend":
            answer["answer"]["defences"][0]["text"] = ATTACK
    spec = CriterionSpec(
        title="Wells", subject=playing.SUBJECT, rubric=playing.rubric(*codes), rounds=rounds, provider="scripted",
        script=[*answers, playing.SYNTHESIS], initial=dict.fromkeys(codes, ("6", "0.5")),
    )  # fmt: skip
    criterion.VOICES = [  # from the beginning: the ledger's proof finds a name that was changed later
        (role, "<img src=x onerror=alert(1)>" if role == "challenger" else name) for role, name in criterion.VOICES
    ]
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    return {"debate": debate.pk, "address": f"/debates/{debate.public_id}/"}


def table() -> dict[str, Any]:
    """Create an open debate of one exchange in which one of two chairs is a person's, with an account for them."""
    from dataclasses import replace

    from django.contrib.auth.models import User
    from django.urls import reverse
    from django.utils import timezone

    from debates.services import seats
    from judging.engine.creation import create_draft
    from judging.formats.open.spec import TableSpec
    from tests.judging.formats.open.playing import KONRAD, MIRA, MOTION

    User.objects.create_user(username=PERSON, password=PASSWORD)
    chairs = (MIRA, replace(KONRAD, kind="human"))
    wanted = TableSpec(motion=MOTION, chairs=chairs, exchanges=1, turn_seconds=900)
    debate = create_draft(spec=wanted, by=None, now=timezone.now())
    invitation = seats.invite(participant_id=debate.participants.get(name="Konrad").pk, by=None)
    return {
        "debate": debate.pk,
        "address": f"/debates/{debate.public_id}/",
        "invitation": reverse("take-seat", args=[invitation]),
    }


def operator() -> dict[str, Any]:
    """Make the first account of a site, as ``createsuperuser`` does."""
    from django.contrib.auth.models import User

    return {"id": User.objects.create_superuser(OPERATOR, email=f"{OPERATOR}@example.org", password=PASSWORD).pk}


def moving_table(seconds: float) -> dict[str, Any]:
    """Create an open debate of three in which the arbiter interjects and one gives up; every call takes a while."""
    from django.utils import timezone

    from judging.engine.creation import create_draft
    from judging.formats.open.spec import ChairSpec, TableSpec
    from tests.judging.formats.open.playing import MIRA, MOTION
    from tests.judging.formats.open.scripts import UNFAIR, script

    chairs = (
        MIRA,
        ChairSpec("Konrad", "", "-0.6", "0.45", "adaptive"),
        ChairSpec("Otto", "", "0.3", "0.55", "empathetic"),
    )
    calm = {"purpose": "respond", "thread": "Konrad", "answer": {"text": "I hold my ground here.", "quotes": []}}
    unfair = {"purpose": "evaluate", "thread": "Konrad", "answer": UNFAIR}
    said = script(calm, unfair, response="However, consider this, think about it and understand it: the ward.")
    answers = [{**one, "seconds": seconds} for one in said]
    wanted = TableSpec(motion=MOTION, chairs=chairs, exchanges=2, provider="scripted", script=answers)
    debate = create_draft(spec=wanted, by=None, now=timezone.now())
    return {"debate": debate.pk, "address": f"/debates/{debate.public_id}/"}


def moving_panel(seconds: float) -> dict[str, Any]:
    """Create a panel of three that agrees after two debate rounds; every call takes a while."""
    from tests.judging.formats.panel.play import THERE, alone, drafted, moves, stays

    answers = [
        *alone(("5", "4"), ("3", "4"), ("4", "4")),
        moves(1, 1, THERE, design="4"), stays(2, 1, design="3", accepts=True), stays(3, 1, design="4", accepts=True),
        stays(1, 2, design="4", accepts=True), moves(2, 2, THERE, design="4"), stays(3, 2, design="4", accepts=True),
    ]  # fmt: skip
    debate = drafted([{**one, "seconds": seconds} for one in answers])
    return {"debate": debate.pk, "address": f"/debates/{debate.public_id}/"}


def start(debate_id: int) -> dict[str, Any]:
    from django.utils import timezone

    from judging.engine import lifecycle

    return {"status": lifecycle.start(debate_id=debate_id, by=None, now=timezone.now()).status}


def moderate(debate_id: int) -> dict[str, Any]:
    from django.utils import timezone

    from scoring.models import Evaluation
    from tests import acts, factories

    alice, now = factories.moderator(f"alice-{debate_id}"), timezone.now()
    first, second = Evaluation.objects.filter(debate=debate_id).order_by("pk")[:2]
    acts.override(order=factories.order(first, alice), value="9.25", now=now)
    acts.freeze(order=factories.order(second, alice), now=now)
    return {"overridden": first.key, "frozen": second.key}


def perform(name: str, *words: str) -> None:
    """Do one act and print what came of it as JSON."""
    acts = (prepare, table, operator, moving_table, moving_panel, start, moderate)
    act = next(one for one in acts if one.__name__ == name)
    sys.stdout.write(json.dumps(act(*(json.loads(one) for one in words))))
