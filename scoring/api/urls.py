"""Addresses of the resources of the score."""

from django.urls import path

from debates.api.views import at
from scoring.api import bulk, exports, moderation, queues, resources

SCORE = "evaluations/<uuid:id>/"

urlpatterns = [
    path("rubrics/", at(GET=resources.Rubrics, POST=resources.StoreRubric)),
    path("rubrics/<uuid:id>/", at(GET=resources.OneRubric)),
    path("rubrics/<uuid:id>/versions/", at(GET=resources.RubricVersions)),
    path("evaluations/", at(GET=resources.Evaluations)),
    path(SCORE, at(GET=resources.OneEvaluation)),
    path("score-changes/", at(GET=resources.ScoreChanges)),
    path("score-changes/<str:id>/", at(GET=resources.OneScoreChange)),
    path("facts/", at(GET=resources.Facts)),
    path(f"{SCORE}preview/", at(POST=moderation.PreviewAction)),
    path(f"{SCORE}freeze/", at(POST=moderation.Freeze)),
    path(f"{SCORE}unfreeze/", at(POST=moderation.Unfreeze)),
    path(f"{SCORE}override/", at(POST=moderation.Override)),
    path(f"{SCORE}lift/", at(POST=moderation.Lift)),
    path(f"{SCORE}strike/", at(POST=moderation.Strike)),
    path(f"{SCORE}reinstate/", at(POST=moderation.Reinstate)),
    path(f"{SCORE}rollback/", at(POST=moderation.RollBack)),
    path("evaluations/bulk/", at(POST=bulk.Bulk)),
    path("exports/evaluations.<slug:kind>", at(GET=exports.ExportEvaluations)),
    path("exports/ledger.<slug:kind>", at(GET=exports.ExportLedger)),
    path("alerts/", at(GET=queues.Alerts)),
    path("alerts/<uuid:id>/", at(GET=queues.OneAlert)),
    path("alerts/<uuid:id>/handle/", at(POST=queues.HandleAlert)),
    path("approvals/", at(GET=queues.Approvals)),
    path("approvals/<uuid:id>/", at(GET=queues.OneApproval)),
    path("approvals/<uuid:id>/approve/", at(POST=queues.Approve)),
    path("approvals/<uuid:id>/refuse/", at(POST=queues.Refuse)),
    path("rescore-sets/", at(GET=bulk.RescoreSets, POST=bulk.StageRescoreSet)),
    path("rescore-sets/<uuid:id>/", at(GET=bulk.OneRescoreSet)),
    path("rescore-sets/<uuid:id>/apply/", at(POST=bulk.ApplyRescoreSet)),
    path("rescore-sets/<uuid:id>/cancel/", at(POST=bulk.CancelRescoreSet)),
]
