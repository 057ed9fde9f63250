"""Debates: created, found, conducted; here, or elsewhere: then rounds with verdicts come in, and scores go out."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api import serializers as api_serializers
from debates.api.fields import Moment, Number, words
from debates.api.paging import PagingSerializer
from debates.api.permissions import ANYBODY, RequiredAccess
from debates.api.views import V1, ActionView, ApiView, CreateView, ListView, RetrieveView
from debates.models import Debate, Round, Thread
from debates.services import rights, visibility
from debates.services.idempotency import UseCase
from debates.types import Conduct, Scope, Visibility
from judging.api import serializers as judging_serializers
from judging.engine import external_play, human_turns, lifecycle
from judging.engine.creation import create_draft
from judging.engine.external_play import PartRejected, Posted
from judging.formats.criterion.spec import MOST_CHALLENGES
from judging.formats.parsing import LONGEST_TEXT, Concluded
from judging.formats.registry import DEFAULT, FORMATS, format_of
from scoring.api import serializers as scores
from scoring.api.bulk import SEEN, RowSerializer
from scoring.api.moderation import ReasonSerializer, each_once, ids_of
from scoring.api.resources import EVALUATIONS
from scoring.enums import ActorKind
from scoring.models import Evaluation
from scoring.services import moderation

LONGEST_POINT = 4000
MOST_POINTS = 20
DEBATE: dict[str, Any] = {
    "id": "573e0044-9fce-4497-83d3-bd2af503cfad",
    "format": "criterion",
    "title": "Wells",
    "motion": "",
    "subject": "155ac449-ae53-4063-8e0d-798d6cf5dbf0",
    "repeat_of": None,
    "status": "concluded",
    "conducted_by": "external",
    "visibility": "public",
    "rounds": 2,
    "limits": {"money": None, "tokens": None, "calls": None},
    "partial": False,
    "partial_reason": "",
    "stop_reason": "",
    "problem": "",
    "seq": 14,
    "created_at": "2026-11-22T07:27:01.106569Z",
    "started_at": "2026-11-22T07:27:01.186718Z",
    "concluded_at": "2026-11-22T07:27:01.556177Z",
}
"""An example of an answer: the debate whose only round is the example of a posted one."""


class CostSerializer(serializers.Serializer[Any]):
    """What a debate costs at most, and what its fairness options add to that.

    Tokens and money go by earlier calls of the same judge; null where there were none.
    """

    calls = serializers.IntegerField()
    extra_calls = serializers.IntegerField()
    extra_tokens = serializers.IntegerField(allow_null=True)
    extra_money = Number(allow_null=True)


class CreatedSerializer(api_serializers.DebateSerializer):
    """A new debate with what it will cost; null where it is conducted elsewhere."""

    cost = serializers.SerializerMethodField()

    @extend_schema_field(CostSerializer(allow_null=True))
    def get_cost(self, row: Debate) -> Any:
        """Return what it will cost."""
        here = row.conducted_by == Conduct.ENGINE.value
        return CostSerializer(format_of(row.format).cost(debate=row)).data if here else None


class DebateView(ApiView):
    tag, access, shows = "debates", ANYBODY, DEBATE
    serializer_class: Any = api_serializers.DebateSerializer
    queryset = Debate.objects.select_related("subject", "head", "repeat_of")

    def get_queryset(self) -> QuerySet[Debate]:
        return self.debates()


class Debates(DebateView, ListView, CreateView):
    """List debates, newest first."""

    write_access = RequiredAccess(Scope.WRITE, "debates.add_debate")
    sorts = {"title": False}
    Input = PolymorphicProxySerializer(
        component_name="CreateDebateInput",
        serializers=[format_.serializer for format_ in FORMATS.values()],
        resource_type_field_name=None,
    )
    examples = {name: format_.example for name, format_ in FORMATS.items()}
    filters = ("status", "format", "visibility", "conducted_by")

    class Query(PagingSerializer):
        """Called what, and since when."""

        title = serializers.CharField(required=False, max_length=200, source="title__icontains")
        created_since = Moment(required=False, source="created_at__gte")
        concluded_since = Moment(required=False, source="concluded_at__gte")

    def get_queryset(self) -> QuerySet[Debate]:
        return super().get_queryset().defer("parameters", "subject__text", "repeat_of__parameters")

    def get_serializer_class(self) -> type[api_serializers.DebateSerializer]:
        return CreatedSerializer if self.request.method == "POST" else api_serializers.DebateSerializer

    @extend_schema(operation_id="create_debate")
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Create a draft of a debate. Everything is checked before anything is written; nothing is played yet.

        `format` says of which kind: without it a criterion debate. With `conducted_by: external` a criterion debate is
        played elsewhere: give every criterion's initial score, start it, post rounds.
        """
        return super().post(request, **kwargs)

    def input_class(self, data: Mapping[str, Any]) -> Any:
        """Return the serializer of the format that a body names."""
        named = data.get("format", DEFAULT)
        if not isinstance(named, str) or named not in FORMATS:
            raise ValidationError({"format": [f"It must be one of {', '.join(FORMATS)}."]})
        return format_of(named).serializer

    def act(self, row: None, data: dict[str, Any]) -> Debate:
        spec = format_of(data["format"]).spec_of(data=data, readable=self.debates())
        return create_draft.once(self.record, spec=spec, by=self.person, now=timezone.now())

    def answer(self, result: Debate) -> Response:
        return self.respond(Debate.objects.select_related("subject", "head", "repeat_of").get(pk=result.pk))


class OneDebate(DebateView, RetrieveView):
    """Show a debate."""


class DebateAction(DebateView, ActionView):
    """Something that is done to a debate."""

    def answer(self, result: Any) -> Response:
        return self.reread()


class ConductView(DebateAction):
    """Something that is done to the play of a debate: by who made it, and by whoever may change debates."""

    def check_object_permissions(self, request: Request, obj: Debate) -> None:
        rights.may_conduct(by=self.person, debate=obj)


class LifecycleView(ConductView):
    """Something that takes what is sent with it as it is, if anything is."""

    service: ClassVar[UseCase[..., Debate]]

    def act(self, row: Debate, data: dict[str, Any]) -> Debate:
        return self.service.once(self.record, debate_id=row.pk, by=self.person, now=timezone.now(), **data)


class StartDebate(LifecycleView):
    """Start a draft: open the accounts and play. What is conducted elsewhere then waits for its client's rounds."""

    service = lifecycle.start

    def act(self, row: Debate, data: dict[str, Any]) -> Debate:
        if row.conducted_by == Conduct.EXTERNAL.value:
            return external_play.start.once(self.record, debate_id=row.pk, by=self.person, now=timezone.now())
        return super().act(row, data)


class HoldUpView(LifecycleView):
    """Holding up play, which moderators may do, too."""

    def check_object_permissions(self, request: Request, obj: Debate) -> None:
        rights.may_pause(by=self.person, debate=obj)


class PauseDebate(HoldUpView):
    """Pause a debate in play: calls in flight are still written down, no further one is made."""

    service = lifecycle.pause


class ResumeDebate(HoldUpView):
    """Let a paused debate go on where it was."""

    service = lifecycle.resume


class CancelDebate(LifecycleView):
    """Cancel a debate: nothing more is played or counted; what was counted stays in the ledger."""

    service = lifecycle.cancel


class RetrySynthesis(LifecycleView):
    """Try again to conclude a debate whose synthesis failed; its scores have stood all along."""

    service = lifecycle.retry_synthesis


class ChangeVisibility(ConductView):
    """Change who may read a debate. Live streams of those who may not any more are closed at once."""

    example = {"visibility": "private"}

    class Input(serializers.Serializer[Any]):
        """Who may read it from now on."""

        visibility = words(Visibility)

    def act(self, row: Debate, data: dict[str, Any]) -> Debate:
        chosen = Visibility(data["visibility"])
        return visibility.change.once(
            self.record, debate_id=row.pk, by=self.person, visibility=chosen, now=timezone.now()
        )


class MoveDeadline(LifecycleView):
    """Move the deadline of everybody who is awaited in a debate, before it has passed, earlier or later.

    It is moved for all alike, also for who has given a ballot already; each has a new awaited turn, told by
    `turn:awaited`. Ids of turns that were awaited before are still good to answer with.
    """

    service = human_turns.move_deadline
    example = {"deadline": "2027-03-01T18:30:00Z"}

    class Input(serializers.Serializer[Any]):
        """Until when."""

        deadline = Moment(help_text="In the future, at most 30 days ahead.")


class StopDebate(LifecycleView):
    """Conclude a debate now: rounds that have counted stay counted, unfinished threads end partial."""

    class Input(serializers.Serializer[Any]):
        """Why."""

        reason = serializers.CharField(
            max_length=lifecycle.LONGEST_REASON, help_text="At least 10 visible characters. It stays on the debate."
        )

    service = lifecycle.stop
    example = {"reason": "The budget for this week is used up."}


MOST_SCORES = 5_000
"""Scores of one debate: a batch of so many responses has as many."""


class WhyAsSeenSerializer(ReasonSerializer):
    """Why, and on which versions of its scores this was decided; without them they are taken as they then stand."""

    evaluations = RowSerializer(many=True, required=False, max_length=MOST_SCORES)  # type: ignore[call-arg]  # of the list


def seen_of(row: Debate, data: Mapping[str, Any]) -> dict[int, int] | None:
    """Return {score: moderation version} as the service takes it; nothing where none is named.

    Raises: ``Invalid`` naming those that are not of this debate, or are named twice.
    """
    if "evaluations" not in data:
        return None
    named = [score["evaluation"] for score in data["evaluations"]]
    each_once(named, field="evaluations")
    ids = ids_of(Evaluation.objects.filter(debate=row), named, refusal="evaluations: this debate has no {}.")
    return {pk: score["seen"] for pk, score in zip(ids, data["evaluations"], strict=True) if score["seen"] is not None}


class RewindView(DebateAction):
    """Something that takes scores of a debate back, as they were seen."""

    Input: ClassVar[Any] = WhyAsSeenSerializer
    service: ClassVar[UseCase[..., Any]]

    def act(self, row: Debate, data: dict[str, Any]) -> Any:
        asked = {name: value for name, value in data.items() if name != "evaluations"}
        about = {"debate_id": row.pk, "by": self.person, "now": timezone.now(), "door": ActorKind.API}
        return self.service.once(self.record, **about, **asked, seen=seen_of(row, data))


class RerunDebate(RewindView):
    """Play an ended criterion debate again, or some of its criteria, from the initial scores, in a new run."""

    write_access, service = RequiredAccess(Scope.MODERATE, "scoring.rerun_evaluation"), lifecycle.rerun
    example = {"reason": "The subject was cut short the first time.", "criteria": ["P1"]}

    class Input(WhyAsSeenSerializer):
        """Why, which criteria, and on which versions; no criteria named means all."""

        criteria = serializers.ListField(
            child=serializers.CharField(max_length=40), required=False, default=list, max_length=100
        )


class RollBackDebate(RewindView):
    """Take every score of an ended debate back to its opening, all of them or none."""

    write_access = RequiredAccess(Scope.MODERATE, "scoring.rollback_evaluation")
    service = moderation.roll_back_debate
    example = {"reason": "The judge was shown the wrong subject.", "evaluations": [SEEN]}


# -- conducted elsewhere -----------------------------------------------------------------------------------------------


class ConductElsewhereView(ConductView):
    """Something that is done to a debate by the program that conducts it, whose rulings it may have posted."""

    def check_object_permissions(self, request: Request, obj: Debate) -> None:
        rights.may_conduct(by=self.person, debate=obj, allowed_party=rights.POSTED)


PARTS_OF_A_ROUND: dict[str, Any] = {"many": True, "required": False, "default": list, "max_length": MOST_CHALLENGES}
"""What a round has at most of each, for every part of it is about another challenge."""


class PostRound(ConductElsewhereView):
    """Post the next round of a thread: what was said, and how it was ruled. It is counted like the engine's own.

    Challenges of round 1 are named C1, C2, ... in the order they come in; later rounds may press those still open.
    Every defence needs a verdict, and nothing else gets one.
    """

    tag, answers = "rounds", status.HTTP_201_CREATED
    serializer_class = scores.EvaluationSerializer
    example = {
        "number": 1,
        "challenges": [{"persona": "skeptic", "severity": "significant", "text": "Who pays?"}],
        "defences": [{"challenge": "C1", "reply": "defend", "text": "The district does."}],
        "verdicts": [
            {
                "challenge": "C1",
                "winner": "evaluator",
                "adjustment": "0.5",
                "impact": "0.1",
                "reasoning": "The contract is quoted.",
            }
        ],
    }

    class Input(serializers.Serializer[Any]):
        """One round."""

        number = serializers.IntegerField(min_value=1, max_value=5)
        challenges = judging_serializers.PostedChallengeSerializer(**PARTS_OF_A_ROUND)
        presses = judging_serializers.PostedPressSerializer(**PARTS_OF_A_ROUND)
        defences = judging_serializers.PostedDefenceSerializer(**PARTS_OF_A_ROUND)
        verdicts = judging_serializers.PostedVerdictSerializer(**PARTS_OF_A_ROUND)

    def write(self, row: Debate) -> Response:
        """Count it once, or write down that it was refused: after its own transaction, which leaves nothing of it."""
        try:
            return super().write(row)
        except PartRejected as refused:
            external_play.keep_rejected(refused=refused, by=self.caller, now=timezone.now())
            raise

    def act(self, row: Debate, data: dict[str, Any]) -> Any:
        return external_play.post_round.once(
            self.record,
            debate_id=row.pk,
            key=self.kwargs["key"],
            by=self.caller,
            posted=Posted(**data),
            now=timezone.now(),
        )

    def answer(self, result: Any) -> Response:
        rows = Evaluation.objects.select_related(*EVALUATIONS)
        return self.respond(
            get_object_or_404(rows, debate__public_id=self.kwargs["id"], thread__key=self.kwargs["key"])
        )

    def location(self, data: Any) -> str:
        """Return the address of the round; the answer is its score."""
        posted = Round.objects.get(
            thread__public_id=data["thread"], run_number=data["run"], number=self.request.data["number"]
        )
        return f"{V1}/rounds/{posted.public_id}/"


class CompleteThread(ConductElsewhereView):
    """End a thread before its last round, partial: what has counted stays counted."""

    tag, serializer_class = "threads", scores.EvaluationSerializer

    def act(self, row: Debate, data: dict[str, Any]) -> Thread:
        return external_play.complete_thread.once(
            self.record, debate_id=row.pk, key=self.kwargs["key"], by=self.caller, now=timezone.now()
        )

    def answer(self, result: Thread) -> Response:
        return self.respond(get_object_or_404(Evaluation.objects.select_related(*EVALUATIONS), thread=result))


def points() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_POINT), required=False, default=list, max_length=MOST_POINTS
    )


class CompleteDebate(ConductElsewhereView):
    """Conclude a debate that is conducted elsewhere, with its arbiter's words if it has any.

    Where a thread has rounds left and something open, the debate is concluded as partial: `completed_early`.
    """

    example = {"summary": "It holds where it is measured.", "strengths": [], "weaknesses": [], "advice": []}

    class Input(serializers.Serializer[Any]):
        """What the arbiter says."""

        summary = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)
        strengths = points()
        weaknesses = points()
        advice = points()

    def act(self, row: Debate, data: dict[str, Any]) -> Debate:
        return external_play.complete.once(
            self.record, debate_id=row.pk, by=self.caller, words=Concluded(**data), now=timezone.now()
        )
