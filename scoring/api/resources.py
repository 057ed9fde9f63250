"""Reading scores: rubrics, evaluations as they are and were, their facts, and the ledger."""

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api import etags
from debates.api.fields import Filled, GivenNumber, Moment, any_of
from debates.api.paging import PagingSerializer
from debates.api.permissions import ANYBODY, RequiredAccess
from debates.api.views import ApiView, CreateView, ListView, RetrieveView
from debates.selectors import one_moment
from debates.types import Scope
from scoring import rubrics, selectors
from scoring.api import serializers as api_serializers
from scoring.api.examples import ENTRY, EVALUATION, FACT
from scoring.enums import ActorKind
from scoring.errors import Stale
from scoring.models import Evaluation, Fact, Rubric, ScoreChange
from scoring.services import rubric_store

ENTRY_ID = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9][0-9]{0,8})")
"""A score by its public id, and the number of one of its entries."""


class StoreRubricInputRowSerializer(serializers.Serializer[Any]):
    """One criterion."""

    code = serializers.CharField(max_length=rubrics.LENGTHS["code"])
    name = serializers.CharField(max_length=rubrics.LENGTHS["name"])
    category = serializers.CharField(max_length=rubrics.LENGTHS["category"])
    question = serializers.CharField(max_length=rubrics.LENGTHS["question"])
    high = serializers.CharField(max_length=rubrics.LENGTHS["high"])
    low = serializers.CharField(max_length=rubrics.LENGTHS["low"])
    weight = GivenNumber()


class StoreRubricInputSerializer(serializers.Serializer[Any]):
    """A rubric as a rubric file has it, but without `categories` and with weights as text."""

    slug = serializers.SlugField(max_length=rubrics.LENGTHS["slug"])
    name = serializers.CharField(max_length=rubrics.LENGTHS["name"])
    description = serializers.CharField(
        max_length=rubrics.LENGTHS["description"], required=False, allow_blank=True, default=""
    )
    criteria = StoreRubricInputRowSerializer(many=True, allow_empty=False, max_length=rubrics.MOST_CRITERIA)  # type: ignore[call-arg]  # of the list


class RubricView(ApiView):
    tag, access, serializer_class = "rubrics", ANYBODY, api_serializers.RubricSerializer
    queryset = Rubric.objects.select_related("created_by").prefetch_related("criteria")


class Rubrics(RubricView, ListView, CreateView):
    """List rubrics in their newest version, newest first."""

    write_access = RequiredAccess(Scope.WRITE, "scoring.add_rubric")
    Input, if_match, only_new = StoreRubricInputSerializer, "optional", True
    example = {
        "slug": "wells",
        "name": "Wells",
        "criteria": [
            {
                "code": "W1",
                "name": "Water",
                "category": "yield",
                "question": "Is there water?",
                "high": "All year.",
                "low": "None.",
                "weight": "1",
            }
        ],
    }
    filters = ("slug",)

    def get_queryset(self) -> QuerySet[Rubric]:
        return rubrics.newest().select_related("created_by").prefetch_related("criteria")

    @extend_schema(operation_id="store_rubric")
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Store a rubric under a new slug, or the next version of one that is there.

        The next version names the one before it as `If-Match`: the ETag as it was given, or the version alone, `"3"`. With
        `If-None-Match: *` only a new slug will do. All versions stay, and debates keep the one that they were made with.
        The rubric of somebody else takes the permission `scoring.change_rubric` besides.
        """  # noqa: E501 -- the lines of the OpenAPI document
        return super().post(request, **kwargs)

    def act(self, row: None, data: dict[str, Any]) -> Rubric:
        must_be_new = etags.must_be_new(self.request)
        seen = None if must_be_new else etags.version_in(self.request)
        try:
            return rubric_store.store.once(self.record, snapshot=rubrics.checked(data), by=self.caller, seen=seen)
        except Stale as error:
            if seen is None and not must_be_new:
                raise etags.VersionNeeded from error
            raise

    def version_after(self, data: Any) -> str:
        return str(data["version"])


class OneRubric(RubricView, RetrieveView):
    """Show one version of a rubric. It never changes; the newest one is found by its slug."""

    version_field = "version"


class RubricVersions(RubricView, ListView):
    """List all versions of a rubric, of which the address names any, newest first."""

    def get_queryset(self) -> QuerySet[Rubric]:
        named = get_object_or_404(Rubric, public_id=self.kwargs["id"])
        return super().get_queryset().filter(slug=named.slug)


EVALUATIONS = ("debate", "thread", "participant")


class EvaluationView(ApiView):
    tag, access, serializer_class = "evaluations", ANYBODY, api_serializers.EvaluationSerializer
    queryset, debate_field = Evaluation.objects.select_related(*EVALUATIONS), "debate"


class Evaluations(EvaluationView, ListView):
    """List score accounts, newest first."""

    sorts = {"key": True, "category": True, "position": True}
    shows = EVALUATION
    filters = ("instrument", "key", "category", "participant")

    class Query(PagingSerializer):
        """In which state, and of late."""

        frozen = Filled(required=False, source="frozen_at__isnull")
        overridden = Filled(required=False, source="override_score__isnull")
        complete = serializers.BooleanField(required=False, source="debate_complete")
        updated_since = Moment(required=False, source="last_score_update__gte")


class OneEvaluation(EvaluationView, RetrieveView):
    """Show a score account with the facts it rests on, as it is or as it was.

    `as_of` takes a moment, `as_of_entry` a sequence number of its ledger.
    """

    version_field, shows = "moderation_version", {**EVALUATION, "facts": [FACT]}

    class Query(serializers.Serializer[Any]):
        """As it was when."""

        as_of = Moment(required=False)
        as_of_entry = serializers.IntegerField(
            required=False, min_value=1, max_value=10**6, help_text="Beyond the last entry: as it is now."
        )

    class Output(api_serializers.EvaluationSerializer):
        """A score account with its facts."""

        facts = api_serializers.FactSerializer(many=True, source="facts_shown")

    serializer_class = Output

    def get_object(self) -> Evaluation:
        with one_moment():
            row: Evaluation = super().get_object()
            if self.query:
                row = selectors.as_it_was(
                    evaluation=row, moment=self.query.get("as_of"), sequence=self.query.get("as_of_entry")
                )
            known = selectors.facts_until(row) if self.query else None
            row.facts_shown = selectors.facts_with_state(evaluation=row, known=known)  # type: ignore[attr-defined]  # for the serializer
        return row


class ScoreChangeView(ApiView):
    tag, access, serializer_class, shows = "score changes", ANYBODY, api_serializers.ScoreChangeSerializer, ENTRY
    queryset = ScoreChange.objects.select_related("evaluation__debate", "round", "actor", "reason")
    debate_field = "evaluation__debate"


class ScoreChanges(ScoreChangeView, ListView):
    """List entries of the ledger, oldest first."""

    newest_first = False
    filters = ("evaluation", "kind", "run")

    class Query(PagingSerializer):
        """Since when, and until when."""

        since = Moment(required=False, source="at__gte")
        as_of = Moment(required=False, source="at__lte")
        as_of_entry = serializers.IntegerField(required=False, min_value=1, max_value=10**6, source="sequence__lte")

    def paginate_queryset(self, queryset: QuerySet[Any]) -> Sequence[Any]:  # type: ignore[override]  # it always pages
        """Name the facts of all of a page, in one query."""
        return selectors.named(entries=super().paginate_queryset(queryset) or [])


class ModerationLog(ScoreChanges):
    """List what persons did to scores, newest first."""

    tag, newest_first = "moderation", True
    queryset = ScoreChangeView.queryset.exclude(actor_kind=ActorKind.ENGINE.value)


class OneScoreChange(ScoreChangeView, RetrieveView):
    """Show an entry of the ledger, by the id of its score, a colon, and its sequence."""

    def get_object(self) -> ScoreChange:
        named = ENTRY_ID.fullmatch(self.kwargs["id"])
        evaluation, sequence = named.groups() if named else (None, None)
        entry = get_object_or_404(self.get_queryset(), evaluation__public_id=evaluation, sequence=sequence)
        return selectors.named(entries=[entry])[0]


class Facts(ListView):
    """List the facts of scores, oldest first."""

    tag, access, serializer_class = "facts", ANYBODY, api_serializers.FactSerializer
    queryset, debate_field = Fact.objects.select_related("round", "evaluation"), "evaluation__debate"
    newest_first = False
    filters = ("kind",)

    class Query(PagingSerializer):
        """Of which evaluation."""

        evaluation = any_of(serializers.UUIDField(), source="evaluation__public_id")

    def paginate_queryset(self, queryset: QuerySet[Any]) -> Sequence[Any]:  # type: ignore[override]  # it always pages
        """Say of each whether it counts."""
        facts = super().paginate_queryset(queryset) or []
        return [selectors.with_state(fact=fact, evaluation=fact.evaluation) for fact in facts]
