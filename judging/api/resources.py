"""Reading what judging keeps: results and accounts, challenges, verdicts, panels, open debates; working reviews off."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.export_columns import Among
from debates.api.exporting import Export
from debates.api.fields import GivenNumber, any_of, words
from debates.api.paging import PagingSerializer
from debates.api.permissions import ANYBODY, RequiredAccess
from debates.api.views import ActionView, ApiView, ListView, RetrieveView
from debates.errors import NotFound
from debates.models import Debate
from debates.selectors import one_moment
from debates.types import Scope
from judging.api import serializers as api_serializers
from judging.engine import reviews, score_account
from judging.engine.reviews import Decision
from judging.formats.registry import FORMATS, format_of
from judging.models import (
    Challenge,
    Consensus,
    Effect,
    JudgeReport,
    JudgeScore,
    ParticipantState,
    ResponseEvaluation,
    Review,
    Standing,
    Verdict,
)
from judging.rules.persuasion import Surrender
from scoring.api.moderation import ReasonSerializer
from scoring.enums import ActorKind
from scoring.models import Evaluation


class Challenges(ListView):
    """List challenges, oldest first."""

    tag, access, serializer_class = "challenges", ANYBODY, api_serializers.ChallengeSerializer
    queryset, debate_field = Challenge.objects.select_related("thread__debate", "turn"), "thread__debate"
    newest_first = False
    filters = ("key", "run", "severity")


VERDICT = ("fact__evaluation", "round__thread__debate", "challenge", "call")


class VerdictView(ApiView):
    tag, access, serializer_class = "verdicts", ANYBODY, api_serializers.VerdictSerializer
    queryset = Verdict.objects.select_related(*VERDICT).defer("call__raw_answer")
    debate_field = "round__thread__debate"


class Verdicts(VerdictView, ListView):
    """List verdicts, oldest first."""

    newest_first, column = False, "fact_id"
    filters = ("evaluation", "key", "round", "run", "winner")


class OneVerdict(VerdictView, RetrieveView):
    """Show a verdict, by the id of its fact."""

    lookup_field = "fact__public_id"


class ExportVerdicts(Export):
    """Export rulings, oldest first, each with whether it counts now."""

    name, queryset = "verdicts", Verdict.objects.all()
    debate_field, column = "round__thread__debate", "fact_id"
    columns = {
        "debate": "round__thread__debate__public_id",
        "evaluation": "fact__evaluation__public_id",
        "verdict": "fact__public_id",
        "key": "round__thread__key",
        "run": "round__run_number",
        "round": "round__number",
        "challenge": "challenge__label",
        "severity": "challenge__severity",
        "winner": "winner",
        "adjustment": "fact__amount",
        "impact": "fact__impact",
        "confidence": "fact__weight",
        "counts": Among(F("fact_id"), F("fact__evaluation__basis")),
        "provider": "call__provider",
        "model": "call__model",
        "at": "fact__at",
        "reasoning": "reasoning",
    }


# Panels: judges' reports, what they gave, and how far they agreed after each round.


class ReportView(ApiView):
    tag, access, serializer_class = "panels", ANYBODY, api_serializers.JudgeReportSerializer
    queryset, debate_field = JudgeReport.objects.select_related("debate", "participant", "round", "turn"), "debate"


class Reports(ReportView, ListView):
    """List the sections of judges' reports, oldest first."""

    newest_first = False
    filters = ("participant", "round")

    class Query(PagingSerializer):
        """Those that could be read, or could not."""

        readable = serializers.BooleanField(required=False, allow_null=True, default=None)


class OneReport(ReportView, RetrieveView):
    """Show a section of a judge's report."""


class JudgeScores(ListView):
    """List what judges gave, criterion by criterion and round by round, oldest first."""

    tag, access, serializer_class = "panels", ANYBODY, api_serializers.JudgeScoreSerializer
    queryset = JudgeScore.objects.select_related(
        "fact__evaluation", "report__debate", "report__participant", "report__round"
    )
    debate_field, newest_first, column = "report__debate", False, "fact_id"
    filters = ("evaluation", "key", "round")

    class Query(PagingSerializer):
        """Of which judge."""

        participant = any_of(serializers.UUIDField(), source="report__participant__public_id")


class Consensuses(ListView):
    """List how far panels agreed after each of their rounds, oldest first."""

    tag, access, serializer_class = "panels", ANYBODY, api_serializers.ConsensusSerializer
    queryset, debate_field = Consensus.objects.select_related("debate", "round"), "debate"
    newest_first = False
    filters = ("round",)


class ReviewView(ApiView):
    tag, serializer_class = "reviews", api_serializers.ReviewSerializer
    access, write_access = (
        RequiredAccess(permission="judging.view_review"),
        RequiredAccess(Scope.MODERATE, "judging.resolve_review"),
    )
    queryset, debate_field = Review.objects.select_related("debate", "claimed_by", "settled_by"), "debate"


class Reviews(ReviewView, ListView):
    """List reviews, newest first."""

    filters = ("reason_code", "state")


class OneReview(ReviewView, RetrieveView):
    """Show a review."""


class ReviewAction(ReviewView, ActionView):
    """Something that is done to a review."""

    def answer(self, result: Review) -> Response:
        return self.reread()


class ClaimReview(ReviewAction):
    """Take a review on for 30 minutes, or hold it for another 30."""

    def act(self, row: Review, data: dict[str, Any]) -> Review:
        return reviews.claim.once(self.record, review_id=row.pk, by=self.caller, now=timezone.now())


class ReleaseReview(ReviewAction):
    """Give a review back, so that somebody else may take it on."""

    def act(self, row: Review, data: dict[str, Any]) -> Review:
        return reviews.release.once(self.record, review_id=row.pk, by=self.caller)


class SettleReview(ReviewAction):
    """Settle a review: each criterion in dispute gets its value as an override with its own reason, all in one step.

    `seen` is the moderation version of the criterion's score; a criterion without a score needs none.
    """

    example = {"decisions": {"correctness": {"value": "4", "reason": "The proof in section 2 holds.", "seen": 0}}}

    class Input(serializers.Serializer[Any]):
        """What is decided, by criterion."""

        class One(ReasonSerializer):
            """One decision."""

            value = GivenNumber()
            seen = serializers.IntegerField(
                required=False, min_value=0, max_value=10**6, allow_null=True, default=None,
                help_text="The `moderation_version` of the criterion's score that was seen; without a score, nothing.",
            )  # fmt: skip

        decisions = serializers.DictField(child=One(), allow_empty=False)

    def act(self, row: Review, data: dict[str, Any]) -> Review:
        decisions = {code: Decision(**decision) for code, decision in data["decisions"].items()}
        return reviews.settle.once(
            self.record, review_id=row.pk, by=self.caller, decisions=decisions, now=timezone.now(), door=ActorKind.API
        )


# -- what debates came to, and the schemas of the documents that say so ------------------------------------------------


RESULT: dict[str, Any] = {
    "format": "criterion",
    "debate": {
        "id": "573e0044-9fce-4497-83d3-bd2af503cfad",
        "title": "Wells",
        "format": "criterion",
        "status": "concluded",
        "partial": False,
        "partialReason": "",
        "rounds": 2,
    },
    "moderation": {"moved": []},
    "overall": {"before": "6.00", "after": "6.50", "coverage": "1.00", "recommendation": "refine", "band": "promising"},
    "scored": {"criteria": 1, "of": 1},
    "categories": [{"category": "problem", "before": "6.00", "after": "6.50"}],
    "strengths": [],
    "weaknesses": [],
    "survivalRate": "1.00",
    "verdicts": 1,
    "winners": {"evaluator": 1, "red_team": 0, "draw": 0},
    "confidence": "0.60",
    "evaluations": [
        {
            "id": "382d523c-5b43-4c2a-8d63-83965a563bd4",
            "criterion": "P1",
            "name": "Problem clarity",
            "category": "problem",
            "initial": "6.00",
            "computed": "6.50",
            "override": None,
            "final": "6.50",
            "initialConfidence": "0.50",
            "confidence": "0.60",
            "verdicts": 1,
            "rounds": 1,
            "run": 1,
            "complete": True,
            "frozen": False,
            "thread": "complete",
        }
    ],
    "notAssessed": [],
    "judgedBy": [
        {"role": "evaluator", "name": "Evaluator", "kind": "external", "provider": "external", "model": ""},
        {"role": "challenger", "name": "Red team", "kind": "external", "provider": "external", "model": ""},
        {"role": "arbiter", "name": "Arbiter", "kind": "external", "provider": "external", "model": ""},
    ],
    "fairness": None,
    "synthesis": "It holds where it is measured.",
    "synthesisOverall": "6.50",
}
"""An example of an answer: of the same debate as the example of one."""

NAMES: Mapping[str, str] = {name: f"{name.title()}Result" for name in FORMATS}
PLACES: Mapping[str, str] = {name: f"#/components/schemas/{title}" for name, title in NAMES.items()}
DOCUMENT: Mapping[str, Any] = {
    "oneOf": [{"$ref": place} for place in PLACES.values()],
    "discriminator": {"propertyName": "format", "mapping": dict(PLACES)},
}
SHARED = re.compile(r'"#/\$defs/(\w+)"')


def tell_results(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Add the schemas of the documents, and what they share within themselves, as components of their own."""
    for name, title in NAMES.items():
        written = json.dumps(FORMATS[name].result_schema())
        for part in SHARED.findall(written):
            written = written.replace(f'"#/$defs/{part}"', f'"{PLACES[name]}{part.title()}"')
        schema = {key: value for key, value in json.loads(written).items() if key not in {"$schema", "$id"}}
        schema |= {"title": title, "description": f"{schema['title']}. {schema.get('description', '')}".strip()}
        parts = {f"{title}{part.title()}": shape for part, shape in schema.pop("$defs", {}).items()}
        result["components"]["schemas"] |= {title: schema, **parts}
    return result


class Result(ApiView):
    """Show what a debate came to, as one document.

    The JSON Schema for its format is at `/api/v1/results/schemas/{of}/`.
    """

    tag, access, shows, answer_schema = "results", ANYBODY, RESULT, DOCUMENT

    def get_queryset(self) -> QuerySet[Debate]:
        return self.debates()

    def get(self, request: Request, **kwargs: Any) -> Response:
        with one_moment():
            debate = self.get_object()
            return Response(format_of(debate.format).result_document(debate=debate))


class ResultSchema(ApiView):
    """Show the JSON Schema of a format's result document."""

    tag, access, answer_schema = "results", ANYBODY, {"type": "object", "additionalProperties": True}

    def get(self, request: Request, of: str) -> Response:
        if of not in FORMATS:
            raise NotFound(f"There is no result document of the format {of[:40]!r}.")
        return Response(FORMATS[of].result_schema())


class ScoreAccountDocument(ApiView):
    """Show the account of a score: every entry, why it was written and what it rests on."""

    tag, access = "evaluations", ANYBODY
    answer_schema = {"type": "object", "additionalProperties": True}
    queryset, debate_field = Evaluation.objects.select_related("debate__subject"), "debate"

    def get(self, request: Request, **kwargs: Any) -> Response:
        with one_moment():
            account = score_account.account_of(evaluation=self.get_object())
            return Response(score_account.document(account=account))


# -- open debates as their judging left them ---------------------------------------------------------------------------


class ResponseEvaluationView(ApiView):
    tag, access, serializer_class = "response evaluations", ANYBODY, api_serializers.ResponseEvaluationSerializer
    queryset = ResponseEvaluation.objects.select_related(
        "turn__participant", "round__thread__debate", "fact__evaluation", "call"
    ).defer("call__raw_answer")
    debate_field = "round__thread__debate"


class ResponseEvaluations(ResponseEvaluationView, ListView):
    """List how responses of open debates were judged for fairness, oldest first."""

    newest_first = False
    filters = ("round", "participant", "turn", "evaluation", "state")


class OneResponseEvaluation(ResponseEvaluationView, RetrieveView):
    """Show how one response was judged."""


class Effects(ListView):
    """List what responses of open debates did to those who listened, oldest first."""

    tag, access, serializer_class = "effects", ANYBODY, api_serializers.EffectSerializer
    queryset = Effect.objects.select_related("turn__debate", "turn__round", "speaker", "listener")
    debate_field, newest_first = "turn__debate", False
    filters = ("round", "turn", "speaker", "listener", "weighed_by")


class States(ListView):
    """List where participants of open debates stood, at first and after each response that reached them."""

    tag, access, serializer_class = "states", ANYBODY, api_serializers.StateSerializer
    queryset = ParticipantState.objects.select_related("participant__debate", "effect__turn__round")
    debate_field, newest_first = "participant__debate", False
    filters = ("round", "participant")

    class Query(PagingSerializer):
        """Why they gave up."""

        surrender = any_of(words(Surrender))


class Standings(ListView):
    """List the standings of open debates, participant by participant after the openings and each exchange."""

    tag, access, serializer_class = "standings", ANYBODY, api_serializers.StandingSerializer
    queryset = Standing.objects.select_related("fact__evaluation", "round__thread__debate", "participant")
    debate_field, newest_first, column = "round__thread__debate", False, "fact_id"
    filters = ("round", "participant", "evaluation")
