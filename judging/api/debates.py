"""Debates: found, created, conducted, and what they came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api import shapes
from debates.api.doors import Act, Many, One
from debates.api.fields import GivenNumber, words
from debates.api.paging import Paging
from debates.models import Debate
from debates.types import Conduct, Format, Scope, Status, Visibility
from judging.api import tables
from judging.api.fairness import Created, Options, fairness_of
from judging.api.limits import MostSpent, limits_of
from judging.services import control, creation, external, repeats
from judging.services import tables as table_services
from judging.spec import OPTIONAL_PERSONAS, PERSONAS, UPDATES, CriterionSpec
from scoring import rubrics
from scoring.kinds import ActorKind
from scoring.services import moderation
from scoring.types import Parameters


class Debates(Many):
    """List debates, newest first."""

    tag, everybody, Output = "debates", True, shapes.Debate

    class Query(Paging):
        """Which."""

        status = words(Status, required=False)
        format = words(Format, required=False)
        visibility = words(Visibility, required=False)
        conducted_by = words(Conduct, required=False)
        title = serializers.CharField(required=False, max_length=200, source="title__icontains")
        created_since = serializers.DateTimeField(required=False, source="created_at__gte")
        concluded_since = serializers.DateTimeField(required=False, source="concluded_at__gte")

    def rows(self) -> QuerySet[Debate]:
        """Return them."""
        return self.debates()


class OneDebate(One):
    """Show a debate."""

    tag, everybody, Output = "debates", True, shapes.Debate

    def row(self) -> Debate:
        """Return it."""
        return self.one(self.debates())


class First(serializers.Serializer[Any]):
    """What a criterion's account is opened with."""

    score = GivenNumber(help_text="1 to 10, at most 2 places.")
    confidence = GivenNumber(required=False, default="0.5", help_text="0 to 1, at most 2 places.")


class CreateDebate(Act):
    """Create a draft of a debate. Everything is checked before anything is written; nothing is played yet.

    Without `format` it is a criterion debate. With `conducted_by: external` that is played elsewhere: give every
    criterion's initial score, start it, post rounds. With `format: open`, chairs debate a motion.
    """

    tag, permission, answers = "debates", "debates.add_debate", status.HTTP_201_CREATED
    Output = Created
    example = {
        "title": "Soil probes",
        "subject": "We will measure 120 wells in 2027.",
        "rubric": "venture",
        "rounds": 2,
    }
    examples: ClassVar[Mapping[str, Any]] = {"An open debate": tables.EXAMPLE}

    class Input(serializers.Serializer[Any]):
        """A criterion debate as somebody wants it."""

        format = serializers.ChoiceField(
            choices=[Format.CRITERION.value], required=False, default=Format.CRITERION.value
        )
        title = serializers.CharField(max_length=200)
        subject = serializers.CharField(max_length=200_000)
        rubric = serializers.SlugField(help_text="The slug of a stored rubric.", max_length=50)
        criteria = serializers.ListField(
            child=serializers.CharField(max_length=20), required=False, default=list, max_length=100
        )
        rounds = serializers.IntegerField(required=False, default=3, min_value=1, max_value=5)
        challenges_per_criterion = serializers.IntegerField(required=False, default=3, min_value=1, max_value=10)
        personas = serializers.ListField(
            child=serializers.ChoiceField(choices=[*PERSONAS, *OPTIONAL_PERSONAS]),
            required=False,
            default=list(PERSONAS),
            max_length=6,
        )
        score_updates = serializers.ChoiceField(choices=list(UPDATES), required=False, default=UPDATES[0])
        initial = serializers.DictField(child=First(), required=False, default=dict)
        provider = serializers.CharField(required=False, default="heuristic", max_length=40)
        providers = serializers.DictField(child=serializers.CharField(max_length=40), required=False, default=dict)
        model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
        limits = MostSpent(required=False, default=dict)
        fairness = Options(required=False, default=dict)
        visibility = words(Visibility, required=False, default=Visibility.PUBLIC.value)
        conducted_by = words(Conduct, required=False, default=Conduct.ENGINE.value)
        weight_by_confidence = serializers.BooleanField(required=False, default=False)

    shapes_by_format: ClassVar[Mapping[str, Any]] = {Format.OPEN.value: tables.OpenDebateInput}

    @classmethod
    def bodies(cls) -> Sequence[Any]:
        """Return the shapes that a body may have: one for each format."""
        return [cls.Input, *cls.shapes_by_format.values()]

    def body(self, data: Mapping[str, Any]) -> Any:
        """Return the shape of the format that is asked for."""
        wanted = data.get("format")
        return self.shapes_by_format.get(wanted, self.Input) if isinstance(wanted, str) else self.Input

    def act(self, row: Any, given: dict[str, Any]) -> Debate:
        """Create it."""
        if given["format"] == Format.OPEN.value:
            made = table_services.create(wanted=tables.spec_of(given), by=self.person, now=timezone.now())
        else:
            made = creation.create(spec=spec_of(given), by=self.person, now=timezone.now())
        return Debate.objects.select_related("subject", "head").get(pk=made.pk)


def spec_of(given: Mapping[str, Any]) -> CriterionSpec:
    """Return a request for a debate as the service takes it."""
    same = {name: given[name] for name in PLAIN}
    initial = {code: (one["score"], one["confidence"]) for code, one in given["initial"].items()}
    return CriterionSpec(
        **same,
        rubric=rubrics.snapshot(slug=given["rubric"]),
        initial=initial,
        limits=limits_of(given["limits"]),
        fairness=fairness_of(given["fairness"]),
        visibility=Visibility(given["visibility"]),
        conducted_by=Conduct(given["conducted_by"]),
        score=Parameters.from_options({"weight_by_confidence": given["weight_by_confidence"]}),
    )


PLAIN = (
    "title", "subject", "criteria", "rounds", "challenges_per_criterion", "personas", "score_updates", "provider",
    "providers", "model",
)  # fmt: skip


class OnDebate(Act):
    """Something that is done to the play of a debate: by who made it, and by whoever may change debates."""

    tag = "debates"
    Output: ClassVar[Any] = shapes.Debate

    def row(self) -> Debate:
        """Return it."""
        return self.one(self.debates())

    def may(self, row: Debate) -> None:
        """Refuse whoever may not conduct it."""
        control.may_conduct(by=self.person, debate=row)

    def answer(self, done: Any) -> Response:
        """Return the debate as it is now."""
        return self.shown(Debate.objects.select_related("subject", "head").get(pk=done.pk))


class Plain(OnDebate):
    """Something that needs no words."""

    service: ClassVar[Callable[..., Debate]]

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        """Call the service."""
        return type(self).service(debate_id=row.pk, by=self.person, now=timezone.now())


class StartDebate(Plain):
    """Start a draft: open the accounts and play. What is conducted elsewhere then waits for its client's rounds."""

    service = staticmethod(control.start)

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        """Start it, here or elsewhere."""
        if row.conducted_by == Conduct.EXTERNAL.value:
            return external.start(debate_id=row.pk, by=self.person, now=timezone.now())
        return super().act(row, given)


class PauseDebate(Plain):
    """Pause a debate in play: calls in flight are still written down, no further one is made."""

    service = staticmethod(control.pause)


class ResumeDebate(Plain):
    """Let a paused debate go on where it was."""

    service = staticmethod(control.resume)


class CancelDebate(Plain):
    """Cancel a debate: nothing more is played or counted; what was counted stays in the ledger."""

    service = staticmethod(control.cancel)


class RetrySynthesis(Plain):
    """Try again to conclude a debate whose synthesis failed; its scores have stood all along."""

    service = staticmethod(control.retry_synthesis)


class Why(serializers.Serializer[Any]):
    """Why."""

    reason = serializers.CharField(max_length=4000, help_text="At least 10 visible characters.")


class StopDebate(OnDebate):
    """Conclude a debate now: rounds that have counted stay counted, unfinished threads end partial."""

    Input = Why
    example = {"reason": "The budget for this week is used up."}

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        """Stop it."""
        return control.stop(debate_id=row.pk, by=self.person, reason=given["reason"], now=timezone.now())


class RerunDebate(OnDebate):
    """Play an ended criterion debate again, or some of its criteria, from the initial scores, in a new run."""

    scope, permission = Scope.MODERATE, "scoring.rerun_evaluation"
    example = {"reason": "The subject was cut short the first time.", "criteria": ["P1"]}

    class Input(Why):
        """Why, and which criteria; none named means all."""

        criteria = serializers.ListField(
            child=serializers.CharField(max_length=40), required=False, default=list, max_length=100
        )

    def may(self, row: Debate) -> None:
        """It has a permission of its own, asked at the door."""

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        """Rerun it."""
        return repeats.rerun(
            debate_id=row.pk,
            by=self.person,
            reason=given["reason"],
            criteria=given["criteria"],
            now=timezone.now(),
            door=ActorKind.API,
        )


class RollBackDebate(OnDebate):
    """Take every score of an ended debate back to its opening, all of them or none."""

    scope, permission, Input = Scope.MODERATE, "scoring.rollback_evaluation", Why

    def may(self, row: Debate) -> None:
        """It has a permission of its own, asked at the door."""

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        """Roll it back."""
        moderation.roll_back_debate(
            debate_id=row.pk, by=self.person, reason=given["reason"], now=timezone.now(), door=ActorKind.API
        )
        return row
