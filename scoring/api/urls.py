"""Addresses of the resources of the score."""

from django.urls import path

from scoring.api import bulk, conflicts, exports, moderation, queues, resources

SCORE = "evaluations/<uuid:id>/"

urlpatterns = [
    path("rubrics/", resources.Rubrics.as_view()),
    path("rubrics/<uuid:id>/", resources.OneRubric.as_view()),
    path("rubrics/<uuid:id>/versions/", resources.RubricVersions.as_view()),
    path("evaluations/", resources.Evaluations.as_view()),
    path(SCORE, resources.OneEvaluation.as_view()),
    path("score-changes/", resources.ScoreChanges.as_view()),
    path("score-changes/<str:id>/", resources.OneScoreChange.as_view()),
    path("moderation/", resources.ModerationLog.as_view()),
    path("facts/", resources.Facts.as_view()),
    path(f"{SCORE}preview/", moderation.PreviewAction.as_view()),
    path(f"{SCORE}freeze/", moderation.Freeze.as_view()),
    path(f"{SCORE}unfreeze/", moderation.Unfreeze.as_view()),
    path(f"{SCORE}override/", moderation.Override.as_view()),
    path(f"{SCORE}lift/", moderation.Lift.as_view()),
    path(f"{SCORE}strike/", moderation.Strike.as_view()),
    path(f"{SCORE}reinstate/", moderation.Reinstate.as_view()),
    path(f"{SCORE}rollback/", moderation.RollBack.as_view()),
    path(f"{SCORE}undo/", moderation.Undo.as_view()),
    path(f"{SCORE}remark/", moderation.AddRemark.as_view()),
    path(f"{SCORE}remarks/", moderation.Remarks.as_view()),
    path("evaluations/bulk/", bulk.Bulk.as_view()),
    path("exports/evaluations.<slug:kind>", exports.ExportEvaluations.as_view()),
    path("exports/ledger.<slug:kind>", exports.ExportLedger.as_view()),
    path("alerts/", queues.Alerts.as_view()),
    path("alerts/handle/", queues.HandleAlerts.as_view()),
    path("alerts/<uuid:id>/", queues.OneAlert.as_view()),
    path("alerts/<uuid:id>/handle/", queues.HandleAlert.as_view()),
    path("approvals/", queues.Approvals.as_view()),
    path("approvals/<uuid:id>/", queues.OneApproval.as_view()),
    path("approvals/<uuid:id>/approve/", queues.Approve.as_view()),
    path("approvals/<uuid:id>/refuse/", queues.Refuse.as_view()),
    path("conflicts/", conflicts.Conflicts.as_view()),
    path("conflicts/<uuid:id>/", conflicts.OneConflict.as_view()),
    path("conflicts/<uuid:id>/withdraw/", conflicts.WithdrawConflict.as_view()),
    path("rescore-sets/", bulk.RescoreSets.as_view()),
    path("rescore-sets/<uuid:id>/", bulk.OneRescoreSet.as_view()),
    path("rescore-sets/<uuid:id>/apply/", bulk.ApplyRescoreSet.as_view()),
    path("rescore-sets/<uuid:id>/cancel/", bulk.CancelRescoreSet.as_view()),
]
