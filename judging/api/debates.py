"""Debates: found, conducted, and what they came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from debates.api import serializers as api_serializers
from debates.api.fields import Moment, any_of, words
from debates.api.paging import Paging, ordering
from debates.api.views import Act, Many, One
from debates.errors import Invalid
from debates.models import Debate
from debates.services import rights, visibility
from debates.services.idempotency import UseCase
from debates.types import Conduct, Format, Scope, Status, Visibility
from judging.api.examples import DEBATE
from judging.engine import external_play, lifecycle
from scoring.api.bulk import SEEN, Row
from scoring.enums import ActorKind
from scoring.models import Evaluation
from scoring.services import bulk, moderation


class Debates(Many):
    """List debates, newest first."""

    tag, everybody, Output = "debates", True, api_serializers.Debate
    sorts = {"title": False}
    shows = {"results": [DEBATE], "next": None}

    class Query(Paging):
        """Which."""

        ordering = ordering("title")
        status = any_of(words(Status))
        format = any_of(words(Format))
        visibility = any_of(words(Visibility))
        conducted_by = any_of(words(Conduct))
        title = serializers.CharField(required=False, max_length=200, source="title__icontains")
        created_since = Moment(required=False, source="created_at__gte")
        concluded_since = Moment(required=False, source="concluded_at__gte")

    def rows(self) -> QuerySet[Debate]:
        return self.debates()


class OneDebate(One):
    """Show a debate."""

    tag, everybody, Output, shows = "debates", True, api_serializers.Debate, DEBATE

    def row(self) -> Debate:
        return self.one(self.debates())


class OnDebate(Act):
    """Something that is done to the play of a debate: by who made it, and by whoever may change debates."""

    tag = "debates"
    Output: ClassVar[Any] = api_serializers.Debate

    def row(self) -> Debate:
        return self.one(self.debates())

    def may(self, row: Debate) -> None:
        rights.may_conduct(by=self.person, debate=row)

    def answer(self, done: Any) -> Response:
        rows = Debate.objects.select_related("subject", "head", "repeat_of")
        return self.shown(rows.get(public_id=self.kwargs["id"]))


class Plain(OnDebate):
    """Something that needs no words."""

    service: ClassVar[UseCase[..., Debate]]

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        return self.service.once(self.record, debate_id=row.pk, by=self.person, now=timezone.now())


class StartDebate(Plain):
    """Start a draft: open the accounts and play. What is conducted elsewhere then waits for its client's rounds."""

    service = lifecycle.start

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        if row.conducted_by == Conduct.EXTERNAL.value:
            return external_play.start.once(self.record, debate_id=row.pk, by=self.person, now=timezone.now())
        return super().act(row, given)


class PauseDebate(Plain):
    """Pause a debate in play: calls in flight are still written down, no further one is made."""

    service = lifecycle.pause


class ResumeDebate(Plain):
    """Let a paused debate go on where it was."""

    service = lifecycle.resume


class CancelDebate(Plain):
    """Cancel a debate: nothing more is played or counted; what was counted stays in the ledger."""

    service = lifecycle.cancel


class RetrySynthesis(Plain):
    """Try again to conclude a debate whose synthesis failed; its scores have stood all along."""

    service = lifecycle.retry_synthesis


class ChangeVisibility(OnDebate):
    """Change who may read a debate. Live streams of those who may not any more are closed at once."""

    example = {"visibility": "private"}

    class Input(serializers.Serializer[Any]):
        """Who may read it from now on."""

        visibility = words(Visibility)

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        chosen = Visibility(given["visibility"])
        return visibility.change.once(
            self.record, debate_id=row.pk, by=self.person, visibility=chosen, now=timezone.now()
        )


class Why(serializers.Serializer[Any]):
    """Why."""

    reason = serializers.CharField(max_length=4000, help_text="At least 10 visible characters.")


class StopDebate(OnDebate):
    """Conclude a debate now: rounds that have counted stay counted, unfinished threads end partial."""

    class Input(Why):
        """Why."""

        reason = serializers.CharField(
            max_length=lifecycle.LONGEST_REASON, help_text="At least 10 visible characters. It stays on the debate."
        )

    example = {"reason": "The budget for this week is used up."}

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        return lifecycle.stop.once(
            self.record, debate_id=row.pk, by=self.person, reason=given["reason"], now=timezone.now()
        )


class WhyAsSeen(Why):
    """Why, and on which versions of its scores this was decided; without them they are taken as they then stand."""

    evaluations = Row(many=True, required=False, max_length=bulk.CAP)  # type: ignore[call-arg]  # of the list


def seen_of(row: Debate, given: Mapping[str, Any]) -> dict[int, int] | None:
    """Return {score: moderation version} as the service takes it; nothing where none is named.

    Raises: ``Invalid`` naming those that are not of this debate, or come without a version.
    """
    if "evaluations" not in given:
        return None
    found = dict(Evaluation.objects.filter(debate=row).values_list("public_id", "pk"))
    strange = [str(one["evaluation"]) for one in given["evaluations"] if one["evaluation"] not in found]
    if strange:
        raise Invalid(f"evaluations: this debate has no {', '.join(strange[:5])}.")
    return {found[one["evaluation"]]: one["seen"] for one in given["evaluations"] if one["seen"] is not None}


class RerunDebate(OnDebate):
    """Play an ended criterion debate again, or some of its criteria, from the initial scores, in a new run."""

    scope, permission = Scope.MODERATE, "scoring.rerun_evaluation"
    example = {"reason": "The subject was cut short the first time.", "criteria": ["P1"]}

    class Input(WhyAsSeen):
        """Why, which criteria, and on which versions; no criteria named means all."""

        criteria = serializers.ListField(
            child=serializers.CharField(max_length=40), required=False, default=list, max_length=100
        )

    def may(self, row: Debate) -> None:
        """It has a permission of its own, asked at the door."""

    def act(self, row: Debate, given: dict[str, Any]) -> Debate:
        return lifecycle.rerun.once(
            self.record,
            debate_id=row.pk,
            by=self.person,
            reason=given["reason"],
            criteria=given["criteria"],
            seen=seen_of(row, given),
            now=timezone.now(),
            door=ActorKind.API,
        )


class RollBackDebate(OnDebate):
    """Take every score of an ended debate back to its opening, all of them or none."""

    scope, permission, Input = Scope.MODERATE, "scoring.rollback_evaluation", WhyAsSeen
    example = {"reason": "The judge was shown the wrong subject.", "evaluations": [SEEN]}

    def may(self, row: Debate) -> None:
        """It has a permission of its own, asked at the door."""

    def act(self, row: Debate, given: dict[str, Any]) -> Any:
        return moderation.roll_back_debate.once(
            self.record,
            debate_id=row.pk,
            by=self.person,
            reason=given["reason"],
            seen=seen_of(row, given),
            now=timezone.now(),
            door=ActorKind.API,
        )
