"""``manage.py practise``: something to do at the desk, for moderators who have never done it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.utils import timezone

from debates.management.base import BaseCommand, person
from debates.models import Debate
from debates.services import rights
from debates.types import Conduct, Visibility
from judging.engine import external_play, lifecycle
from judging.engine.creation import create_draft
from judging.engine.external_play import Posted
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.panel import spec as panel_spec
from judging.formats.panel.spec import JudgeSeat, PanelSpec
from judging.rules.consensus import Policy
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.services import moderation
from scoring.services.actions import ACTIONS, Intent
from scoring.services.steps import Order

REASON = "To practise with: what is judged from now on is held."


class Command(BaseCommand):
    help = "Make a debate with an alert and with held verdicts, and a panel that needs a person, to practise with."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as", dest="username", required=True, metavar="USERNAME", help="who freezes the score")

    def handle(self, *_args: Any, **options: Any) -> None:
        by = person(options["username"])
        scene = json.loads((Path(settings.BASE_DIR) / "samples" / "practice" / "desk.json").read_text(encoding="utf-8"))
        rights.permitted(by=by, permission=ACTIONS[EntryKind.FREEZE].permission)
        debate = frozen_midway(scene, by=by)
        panel = undecided(scene["panel"])
        self.stdout.write(f"{debate.title}: an alert, and one score that is frozen and holds a verdict.")
        self.stdout.write(f"{panel.title}: the worker plays it now; then it waits in Reviews.")


def frozen_midway(scene: Mapping[str, Any], *, by: User) -> Debate:
    """Make a debate that is conducted from here: a round counts, a score is frozen, and its next round is held.

    It is nobody's, so that whoever practises moderates it, also where organisers do not moderate.
    """
    about = scene["debate"]
    spec = CriterionSpec(**about, visibility=Visibility.PRIVATE, conducted_by=Conduct.EXTERNAL)
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    external_play.start(debate_id=debate.pk, by=None, now=timezone.now())
    post(debate, scene["before"])
    score = Evaluation.objects.get(debate=debate, key=scene["held"])
    order = Order(evaluation_id=score.pk, by=by, reason=REASON)
    moderation.perform(order=order, intent=Intent(EntryKind.FREEZE), now=timezone.now())
    post(debate, scene["while_frozen"])
    return debate


def post(debate: Debate, rounds: Mapping[str, Any]) -> None:
    for key, posted in rounds.items():
        external_play.post_round(debate_id=debate.pk, key=key, by=None, posted=Posted(**posted), now=timezone.now())


def undecided(about: Mapping[str, Any]) -> Debate:
    """Start a scripted panel of two judges who are far apart about one criterion."""
    seat = JudgeSeat(provider="scripted")
    spec = PanelSpec(
        title=about["title"],
        subject=about["subject"],
        task=about["task"],
        rubric=panel_spec.typed(about["criteria"]),
        seats=[seat, seat],
        reporter=seat,
        policy=Policy(debate_rounds=0),
        script=about["script"],
        visibility=Visibility.PRIVATE,
    )
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    return lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
