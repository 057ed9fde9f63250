"""Reading challenges, verdicts and reviews; working reviews off."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from debates.api.fields import GivenNumber, any_of, words
from debates.api.paging import Paging
from debates.api.views import Act, Many, One
from debates.types import Scope
from judging.api import serializers as api_serializers
from judging.engine import reviews
from judging.engine.reviews import Decision
from judging.models import Challenge, Review, Verdict
from judging.types import ReviewReason, ReviewState, Severity, Winner
from scoring.enums import ActorKind


class Challenges(Many):
    """List challenges, oldest first."""

    tag, everybody, newest_first, Output = "challenges", True, False, api_serializers.Challenge

    class Query(Paging):
        """Of which debate, criterion and run, and how severe."""

        debate = any_of(serializers.UUIDField(), source="thread__debate__public_id")
        key = any_of(serializers.CharField(max_length=40), source="thread__key")
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="run_number")
        severity = any_of(words(Severity))

    def rows(self) -> QuerySet[Challenge]:
        return Challenge.objects.select_related("thread__debate", "turn").filter(thread__debate__in=self.debates())


VERDICT = ("fact__evaluation", "round__thread__debate", "challenge", "call")


class Verdicts(Many):
    """List verdicts, oldest first."""

    tag, everybody, newest_first, Output = "verdicts", True, False, api_serializers.Verdict
    column = "fact_id"

    class Query(Paging):
        """Of which debate, criterion, round and run, and who won."""

        debate = any_of(serializers.UUIDField(), source="round__thread__debate__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
        key = any_of(serializers.CharField(max_length=40), source="round__thread__key")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="round__run_number")
        winner = any_of(words(Winner))

    def rows(self) -> QuerySet[Verdict]:
        return Verdict.objects.select_related(*VERDICT).filter(round__thread__debate__in=self.debates())


class OneVerdict(One):
    """Show a verdict, by the id of its fact."""

    tag, everybody, Output = "verdicts", True, api_serializers.Verdict

    def row(self) -> Verdict:
        rows = Verdict.objects.select_related(*VERDICT).filter(round__thread__debate__in=self.debates())
        return self.one(rows, fact__public_id=self.kwargs["id"])


REVIEW = ("debate", "claimed_by", "settled_by")


class Reviews(Many):
    """List reviews, newest first."""

    tag, permission, Output = "reviews", "judging.view_review", api_serializers.Review

    class Query(Paging):
        """Of which debate, why, and where they stand."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        reason_code = any_of(words(ReviewReason))
        state = any_of(words(ReviewState))

    def rows(self) -> QuerySet[Review]:
        return Review.objects.select_related(*REVIEW).filter(debate__in=self.debates())


class OneReview(One):
    """Show a review."""

    tag, permission, Output = "reviews", "judging.view_review", api_serializers.Review

    def row(self) -> Review:
        return self.one(Review.objects.select_related(*REVIEW).filter(debate__in=self.debates()))


class OnReview(Act):
    """Something that is done to a review."""

    tag, scope, permission, Output = "reviews", Scope.MODERATE, "judging.resolve_review", api_serializers.Review

    def row(self) -> Review:
        return self.one(Review.objects.filter(debate__in=self.debates()))

    def answer(self, done: Any) -> Response:
        return self.shown(Review.objects.select_related(*REVIEW).get(pk=done.pk))


class ClaimReview(OnReview):
    """Take a review on for 30 minutes, or hold it for another 30."""

    def act(self, row: Review, given: dict[str, Any]) -> Review:
        return reviews.claim.once(self.record, review_id=row.pk, by=self.caller, now=timezone.now())


class ReleaseReview(OnReview):
    """Give a review back, so that somebody else may take it on."""

    def act(self, row: Review, given: dict[str, Any]) -> Review:
        return reviews.release.once(self.record, review_id=row.pk, by=self.caller)


class SettleReview(OnReview):
    """Settle a review: each criterion in dispute gets its value as an override with its own reason, all in one step.

    `seen` is the moderation version of the criterion's score; a criterion without a score needs none.
    """

    example = {"decisions": {"correctness": {"value": "4", "reason": "The proof in section 2 holds.", "seen": 0}}}

    class Input(serializers.Serializer[Any]):
        """What is decided, by criterion."""

        class One(serializers.Serializer[Any]):
            """One decision."""

            value = GivenNumber()
            reason = serializers.CharField(max_length=4000)
            seen = serializers.IntegerField(
                required=False, min_value=0, max_value=10**6, allow_null=True, default=None,
                help_text="The `moderation_version` of the criterion's score that was seen; without a score, nothing.",
            )  # fmt: skip

        decisions = serializers.DictField(child=One(), allow_empty=False)

    def act(self, row: Review, given: dict[str, Any]) -> Review:
        decisions = {code: Decision(**one) for code, one in given["decisions"].items()}
        return reviews.settle.once(
            self.record, review_id=row.pk, by=self.caller, decisions=decisions, now=timezone.now(), door=ActorKind.API
        )
