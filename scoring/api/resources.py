"""Reading scores: rubrics, evaluations as they are and were, their facts, and the ledger."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api import etags
from debates.api.fields import GivenNumber, Moment, any_of, words
from debates.api.paging import Paging, ordering
from debates.api.views import Act, Door, Many, One
from scoring import rubrics, selectors
from scoring.api import serializers as api_serializers
from scoring.api.examples import ENTRY, EVALUATION, FACT
from scoring.enums import EntryKind, FactKind
from scoring.errors import Stale
from scoring.models import Evaluation, Fact, Rubric, ScoreChange
from scoring.services import rubric_store
from scoring.types import Instrument

ENTRY_ID = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9][0-9]{0,8})")
"""A score by its public id, and the number of one of its entries."""


class Rubrics(Many):
    """List rubrics in their newest version, newest first."""

    tag, everybody, Output = "rubrics", True, api_serializers.Rubric

    class Query(Paging):
        """Which."""

        slug = any_of(serializers.CharField(max_length=50))

    def rows(self) -> QuerySet[Rubric]:
        return rubrics.newest().select_related("created_by").prefetch_related("criteria")


class OneRubric(One):
    """Show one version of a rubric. It never changes; the newest one is found by its slug."""

    tag, everybody, versioned, Output = "rubrics", True, "version", api_serializers.Rubric

    def row(self) -> Rubric:
        return self.one(Rubric.objects.select_related("created_by").prefetch_related("criteria"))


class RubricVersions(Many):
    """List all versions of a rubric, of which the address names any, newest first."""

    tag, everybody, Output = "rubrics", True, api_serializers.Rubric

    def rows(self) -> QuerySet[Rubric]:
        rows = Rubric.objects.select_related("created_by").prefetch_related("criteria")
        return rows.filter(slug=self.one(Rubric.objects.all()).slug)


class StoreRubric(Act):
    """Store a rubric under a new slug, or the next version of one that is there.

    The next version names the one before it as `If-Match`: the ETag as it was given, or the version alone, `"3"`. With
    `If-None-Match: *` only a new slug will do. All versions stay, and debates keep the one that they were made with.
    The rubric of somebody else takes the permission `scoring.change_rubric` besides.
    """

    tag, permission, answers = "rubrics", "scoring.add_rubric", status.HTTP_201_CREATED
    versioned, only_new = "optional", True
    Output = api_serializers.Rubric
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

    class Input(serializers.Serializer[Any]):
        """A rubric as a rubric file has it, but without `categories` and with weights as text."""

        class Row(serializers.Serializer[Any]):
            """One criterion."""

            code = serializers.CharField(max_length=20)
            name = serializers.CharField(max_length=120)
            category = serializers.CharField(max_length=60)
            question = serializers.CharField(max_length=4000)
            high = serializers.CharField(max_length=4000)
            low = serializers.CharField(max_length=4000)
            weight = GivenNumber()

        slug = serializers.SlugField(max_length=50)
        name = serializers.CharField(max_length=120)
        description = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")
        criteria = Row(many=True, allow_empty=False, max_length=rubrics.MOST_CRITERIA)  # type: ignore[call-arg]  # of the list

    def act(self, row: Any, given: dict[str, Any]) -> Rubric:
        """Check and store it.

        Raises: ``VersionNeeded``, ``BadVersion``, and as the service.
        """
        must_be_new = etags.must_be_new(self.request)
        seen = None if must_be_new else etags.given(self.request)
        try:
            return rubric_store.store.once(self.record, snapshot=rubrics.checked(given), by=self.caller, seen=seen)
        except Stale as error:
            if seen is None and not must_be_new:
                raise etags.VersionNeeded from error
            raise

    def version_after(self, data: Any) -> str:
        """Return the version that the next one has to name."""
        return str(data["version"])


EVALUATIONS = ("debate", "thread", "participant")


class Evaluations(Many):
    """List score accounts, newest first."""

    tag, everybody, Output = "evaluations", True, api_serializers.Evaluation
    sorts = {"key": True, "category": True, "position": True}
    shows = {"results": [EVALUATION], "next": None}

    class Query(Paging):
        """Of which debate, on which scale, and in which state."""

        ordering = ordering("key", "category", "position")
        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        instrument = any_of(words(Instrument))
        key = any_of(serializers.CharField(max_length=40))
        category = any_of(serializers.CharField(max_length=60))
        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        frozen = serializers.BooleanField(required=False, source="frozen_at__isnull")
        overridden = serializers.BooleanField(required=False, source="override_score__isnull")
        complete = serializers.BooleanField(required=False, source="debate_complete")
        updated_since = Moment(required=False, source="last_score_update__gte")

    def rows(self) -> QuerySet[Evaluation]:
        return Evaluation.objects.select_related(*EVALUATIONS).filter(debate__in=self.debates())

    def chosen(self, rows: QuerySet[Any], asked: Mapping[str, Any]) -> QuerySet[Any]:
        """Return what the filters leave; frozen and overridden are asked the other way round in the database."""
        turned = {name: not asked[name] for name in ("frozen_at__isnull", "override_score__isnull") if name in asked}
        return super().chosen(rows, {**asked, **turned})


class OneEvaluation(Door):
    """Show a score account with the facts it rests on, as it is or as it was.

    `as_of` takes a moment, `as_of_entry` a sequence number of its ledger.
    """

    tag, everybody, versioned = "evaluations", True, "moderation_version"
    shows = {**EVALUATION, "facts": [FACT]}

    class Query(serializers.Serializer[Any]):
        """As it was when."""

        as_of = Moment(required=False)
        as_of_entry = serializers.IntegerField(
            required=False, min_value=1, max_value=10**6, help_text="Beyond the last entry: as it is now."
        )

    class Output(api_serializers.Evaluation):
        """A score account with its facts."""

        facts = api_serializers.Fact(many=True, source="facts_shown")

    def get(self, request: Request, **at: Any) -> Response:
        asked = self.asked()
        rows = Evaluation.objects.select_related(*EVALUATIONS).filter(debate__in=self.debates())
        found = self.one(rows)
        if asked:
            found = selectors.as_it_was(evaluation=found, moment=asked.get("as_of"), sequence=asked.get("as_of_entry"))
        facts = selectors.facts_with_state(evaluation=found, known=selectors.facts_until(found) if asked else None)
        found.facts_shown = facts  # type: ignore[attr-defined]  # for the shape
        return self.shown(found)


ENTRIES = ("evaluation__debate", "round", "actor", "reason")


class ScoreChanges(Many):
    """List entries of the ledger, oldest first."""

    tag, everybody, newest_first, Output = "score changes", True, False, api_serializers.ScoreChange
    shows = {"results": [ENTRY], "next": None}

    class Query(Paging):
        """Of which debate or evaluation, of what kind, and until when."""

        debate = any_of(serializers.UUIDField(), source="evaluation__debate__public_id")
        evaluation = any_of(serializers.UUIDField(), source="evaluation__public_id")
        kind = any_of(words(EntryKind))
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="run_number")
        since = Moment(required=False, source="at__gte")
        as_of = Moment(required=False, source="at__lte")
        as_of_entry = serializers.IntegerField(required=False, min_value=1, max_value=10**6, source="sequence__lte")

    def rows(self) -> QuerySet[ScoreChange]:
        return ScoreChange.objects.select_related(*ENTRIES).filter(evaluation__debate__in=self.debates())

    def dressed(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Name the facts of all of them, in one query."""
        return selectors.named(entries=rows)


class OneScoreChange(One):
    """Show an entry of the ledger, by the id of its score, a colon, and its sequence."""

    tag, everybody, Output, shows = "score changes", True, api_serializers.ScoreChange, ENTRY

    def row(self) -> ScoreChange:
        """Return it.

        Raises: ``NotFound``.
        """
        named = ENTRY_ID.fullmatch(self.kwargs["id"])
        evaluation, sequence = named.groups() if named else (None, None)
        rows = ScoreChange.objects.select_related(*ENTRIES).filter(evaluation__debate__in=self.debates())
        row = self.one(rows, evaluation__public_id=evaluation, sequence=sequence)
        return selectors.named(entries=[row])[0]


class Facts(Many):
    """List the facts of scores, oldest first."""

    tag, everybody, newest_first, Output = "facts", True, False, api_serializers.Fact

    class Query(Paging):
        """Of which evaluation or debate, and of what kind."""

        debate = any_of(serializers.UUIDField(), source="evaluation__debate__public_id")
        evaluation = any_of(serializers.UUIDField(), source="evaluation__public_id")
        kind = any_of(words(FactKind))

    def rows(self) -> QuerySet[Fact]:
        return Fact.objects.select_related("round", "evaluation").filter(evaluation__debate__in=self.debates())

    def dressed(self, rows: Sequence[Any]) -> Sequence[Any]:
        return [selectors.with_state(fact=one, evaluation=one.evaluation) for one in rows]
