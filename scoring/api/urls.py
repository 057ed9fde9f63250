"""Addresses of the resources of the score."""

from django.urls import path

from debates.api.doors import at
from scoring.api import desk, exports, many, moderation, reading

SCORE = "evaluations/<uuid:id>/"

urlpatterns = [
    path("rubrics/", at(GET=reading.Rubrics, POST=reading.StoreRubric)),
    path("rubrics/<uuid:id>/", at(GET=reading.OneRubric)),
    path("rubrics/<uuid:id>/versions/", at(GET=reading.RubricVersions)),
    path("evaluations/", at(GET=reading.Evaluations)),
    path(SCORE, at(GET=reading.OneEvaluation)),
    path("score-changes/", at(GET=reading.ScoreChanges)),
    path("score-changes/<str:id>/", at(GET=reading.OneScoreChange)),
    path("facts/", at(GET=reading.Facts)),
    path(f"{SCORE}preview/", at(POST=moderation.PreviewAction)),
    path(f"{SCORE}freeze/", at(POST=moderation.Freeze)),
    path(f"{SCORE}unfreeze/", at(POST=moderation.Unfreeze)),
    path(f"{SCORE}override/", at(POST=moderation.Override)),
    path(f"{SCORE}lift/", at(POST=moderation.Lift)),
    path(f"{SCORE}strike/", at(POST=moderation.Strike)),
    path(f"{SCORE}reinstate/", at(POST=moderation.Reinstate)),
    path(f"{SCORE}rollback/", at(POST=moderation.RollBack)),
    path("evaluations/bulk/", at(POST=many.Bulk)),
    path("exports/evaluations.<slug:kind>", at(GET=exports.ExportEvaluations)),
    path("exports/ledger.<slug:kind>", at(GET=exports.ExportLedger)),
    path("alerts/", at(GET=desk.Alerts)),
    path("alerts/<uuid:id>/", at(GET=desk.OneAlert)),
    path("alerts/<uuid:id>/handle/", at(POST=desk.HandleAlert)),
    path("approvals/", at(GET=desk.Approvals)),
    path("approvals/<uuid:id>/", at(GET=desk.OneApproval)),
    path("approvals/<uuid:id>/approve/", at(POST=desk.Approve)),
    path("approvals/<uuid:id>/refuse/", at(POST=desk.Refuse)),
    path("rescore-sets/", at(GET=many.RescoreSets, POST=many.StageRescoreSet)),
    path("rescore-sets/<uuid:id>/", at(GET=many.OneRescoreSet)),
    path("rescore-sets/<uuid:id>/apply/", at(POST=many.ApplyRescoreSet)),
    path("rescore-sets/<uuid:id>/cancel/", at(POST=many.CancelRescoreSet)),
]
