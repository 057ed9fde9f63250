"""The public account of a score, as one document."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.permissions import ANYBODY
from debates.api.views import ApiView
from debates.selectors import one_moment
from judging.engine import score_account
from scoring.models import Evaluation


class ScoreAccountDocument(ApiView):
    """Show the account of a score: every entry, why it was written and what it rests on."""

    tag, access = "evaluations", ANYBODY
    answer_schema = {"type": "object", "additionalProperties": True}
    queryset, debate_field = Evaluation.objects.select_related("debate__subject"), "debate"

    def get(self, request: Request, **kwargs: Any) -> Response:
        with one_moment():
            account = score_account.account_of(evaluation=self.get_object())
            return Response(score_account.document(account=account))
