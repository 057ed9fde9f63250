"""Addresses of debates and of what judging keeps."""

from django.urls import path

from debates.api.views import at
from judging.api import (
    create,
    debates,
    exports,
    external_play,
    metrics,
    open_debates,
    panels,
    resources,
    results,
    seats,
)

DEBATE = "debates/<uuid:id>/"
THREAD = f"{DEBATE}threads/<str:key>/"

urlpatterns = [
    path("debates/", at(GET=debates.Debates, POST=create.CreateDebate)),
    path(DEBATE, at(GET=debates.OneDebate)),
    path(f"{DEBATE}result/", at(GET=results.Result)),
    path(f"{DEBATE}start/", at(POST=debates.StartDebate)),
    path(f"{DEBATE}pause/", at(POST=debates.PauseDebate)),
    path(f"{DEBATE}resume/", at(POST=debates.ResumeDebate)),
    path(f"{DEBATE}stop/", at(POST=debates.StopDebate)),
    path(f"{DEBATE}cancel/", at(POST=debates.CancelDebate)),
    path(f"{DEBATE}visibility/", at(POST=debates.ChangeVisibility)),
    path(f"{DEBATE}rerun/", at(POST=debates.RerunDebate)),
    path(f"{DEBATE}rollback/", at(POST=debates.RollBackDebate)),
    path(f"{DEBATE}retry-synthesis/", at(POST=debates.RetrySynthesis)),
    path(f"{DEBATE}complete/", at(POST=external_play.CompleteDebate)),
    path(f"{THREAD}rounds/", at(POST=external_play.PostRound)),
    path(f"{THREAD}complete/", at(POST=external_play.CompleteThread)),
    path("results/schemas/<slug:of>/", at(GET=results.ResultSchema)),
    path("exports/verdicts.<slug:kind>", at(GET=exports.ExportVerdicts)),
    path("participants/<uuid:id>/invite/", at(POST=seats.Invite)),
    path("seats/", at(POST=seats.TakeSeat)),
    path("awaited-turns/<uuid:id>/speak/", at(POST=seats.Speak)),
    path("metrics/", at(GET=metrics.Figures)),
    path("challenges/", at(GET=resources.Challenges)),
    path("verdicts/", at(GET=resources.Verdicts)),
    path("verdicts/<uuid:id>/", at(GET=resources.OneVerdict)),
    path("reports/", at(GET=panels.Reports)),
    path("reports/<uuid:id>/", at(GET=panels.OneReport)),
    path("judge-scores/", at(GET=panels.JudgeScores)),
    path("consensuses/", at(GET=panels.Consensuses)),
    path("response-evaluations/", at(GET=open_debates.ResponseEvaluations)),
    path("response-evaluations/<uuid:id>/", at(GET=open_debates.OneResponseEvaluation)),
    path("effects/", at(GET=open_debates.Effects)),
    path("states/", at(GET=open_debates.States)),
    path("standings/", at(GET=open_debates.Standings)),
    path("reviews/", at(GET=resources.Reviews)),
    path("reviews/<uuid:id>/", at(GET=resources.OneReview)),
    path("reviews/<uuid:id>/claim/", at(POST=resources.ClaimReview)),
    path("reviews/<uuid:id>/release/", at(POST=resources.ReleaseReview)),
    path("reviews/<uuid:id>/settle/", at(POST=resources.SettleReview)),
]
