"""Addresses of debates and of what judging keeps."""

from django.urls import path, register_converter
from django.urls.converters import PathConverter

from judging.api import appeals, debates, metrics, resources, seats

DEBATE = "debates/<uuid:id>/"
THREAD = f"{DEBATE}threads/<code:key>/"


class CodeConverter(PathConverter):
    """The code of a criterion: any characters, slashes and new lines among them."""

    regex = r"[\s\S]+"


register_converter(CodeConverter, "code")

urlpatterns = [
    path("debates/", debates.Debates.as_view()),
    path(DEBATE, debates.OneDebate.as_view()),
    path(f"{DEBATE}result/", resources.Result.as_view()),
    path(f"{DEBATE}start/", debates.StartDebate.as_view()),
    path(f"{DEBATE}pause/", debates.PauseDebate.as_view()),
    path(f"{DEBATE}resume/", debates.ResumeDebate.as_view()),
    path(f"{DEBATE}deadline/", debates.MoveDeadline.as_view()),
    path(f"{DEBATE}stop/", debates.StopDebate.as_view()),
    path(f"{DEBATE}cancel/", debates.CancelDebate.as_view()),
    path(f"{DEBATE}visibility/", debates.ChangeVisibility.as_view()),
    path(f"{DEBATE}rerun/", debates.RerunDebate.as_view()),
    path(f"{DEBATE}rollback/", debates.RollBackDebate.as_view()),
    path(f"{DEBATE}retry-synthesis/", debates.RetrySynthesis.as_view()),
    path(f"{DEBATE}complete/", debates.CompleteDebate.as_view()),
    path(f"{THREAD}rounds/", debates.PostRound.as_view()),
    path(f"{THREAD}complete/", debates.CompleteThread.as_view()),
    path("results/schemas/<slug:of>/", resources.ResultSchema.as_view()),
    path("exports/verdicts.<slug:kind>", resources.ExportVerdicts.as_view()),
    path("participants/<uuid:id>/invite/", seats.Invite.as_view()),
    path("participants/<uuid:id>/replace/", seats.ReplaceJudge.as_view()),
    path("seats/", seats.TakeSeat.as_view()),
    path("awaited-turns/<uuid:id>/speak/", seats.Speak.as_view()),
    path("awaited-turns/<uuid:id>/ballot/", seats.GiveBallot.as_view()),
    path("evaluations/<uuid:id>/account/", resources.ScoreAccountDocument.as_view()),
    path("metrics/", metrics.Figures.as_view()),
    path("challenges/", resources.Challenges.as_view()),
    path("verdicts/", resources.Verdicts.as_view()),
    path("verdicts/<uuid:id>/", resources.OneVerdict.as_view()),
    path("reports/", resources.Reports.as_view()),
    path("reports/<uuid:id>/", resources.OneReport.as_view()),
    path("judge-scores/", resources.JudgeScores.as_view()),
    path("consensuses/", resources.Consensuses.as_view()),
    path("response-evaluations/", resources.ResponseEvaluations.as_view()),
    path("response-evaluations/<uuid:id>/", resources.OneResponseEvaluation.as_view()),
    path("effects/", resources.Effects.as_view()),
    path("states/", resources.States.as_view()),
    path("standings/", resources.Standings.as_view()),
    path("appeals/", appeals.Appeals.as_view()),
    path("appeals/<uuid:id>/", appeals.OneAppeal.as_view()),
    path("appeals/<uuid:id>/withdraw/", appeals.WithdrawAppeal.as_view()),
    path("appeals/<uuid:id>/claim/", appeals.ClaimAppeal.as_view()),
    path("appeals/<uuid:id>/release/", appeals.ReleaseAppeal.as_view()),
    path("appeals/<uuid:id>/decide/", appeals.DecideAppeal.as_view()),
    path("reviews/", resources.Reviews.as_view()),
    path("reviews/<uuid:id>/", resources.OneReview.as_view()),
    path("reviews/<uuid:id>/claim/", resources.ClaimReview.as_view()),
    path("reviews/<uuid:id>/release/", resources.ReleaseReview.as_view()),
    path("reviews/<uuid:id>/settle/", resources.SettleReview.as_view()),
]
