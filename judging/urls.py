"""Addresses of the public pages."""

from django.urls import path

from judging.views import appeals, debate, index, lifecycle, my_debates, new_debate, people, score_account, seat

urlpatterns = [
    path("", index.index, name="index"),
    path("debates/new/", new_debate.ChooseFormat.as_view(), name="new-debate"),
    path("debates/new/<uuid:new>/check/", new_debate.CheckNewDebate.as_view(), name="new-debate-check"),
    path("debates/new/<uuid:new>/discard/", new_debate.DiscardNewDebate.as_view(), name="new-debate-discard"),
    path("debates/new/<uuid:new>/<slug:step>/", new_debate.FillInStep.as_view(), name="new-debate-step"),
    path("debates/<uuid:address>/", debate.debate, name="debate"),
    path("debates/<uuid:address>/prepare/", lifecycle.PrepareDebate.as_view(), name="prepare-debate"),
    path("debates/<uuid:address>/conduct/<slug:action>/", lifecycle.ConductDebate.as_view(), name="conduct-debate"),
    path("debates/<uuid:address>/parts/", debate.some_parts, name="debate-parts"),
    path("debates/<uuid:address>/ballots/<uuid:seat>/", seat.FillInBallot.as_view(), name="ballot"),
    path("debates/<uuid:address>/turn/", seat.speak, name="speak"),
    path("debates/mine/", my_debates.my_debates, name="my-debates"),
    path("debates/<uuid:address>/people/", people.people, name="people"),
    path("debates/<uuid:address>/people/<uuid:number>/revoke/", people.end_role, name="take-role"),
    path("debates/<uuid:address>/people/<uuid:seat>/replace/", people.ReplacementPage.as_view(), name="replace-judge"),
    path("invitations/", people.site, name="invitations"),
    path("invitations/<uuid:number>/revoke/", people.revoke, name="revoke-invitation"),
    path("invitations/<str:invitation>/", people.invitation, name="invitation"),
    path("seats/", my_debates.my_seats, name="my-seats"),
    path("debates/<uuid:address>/draft/", seat.keep, name="keep-draft"),
    path("seats/<str:invitation>/", people.invitation, name="take-seat"),
    path("calendar/<str:token>.ics", my_debates.calendar, name="calendar"),
    path("mail/stop/<str:token>/<str:kind>/", my_debates.stop_mail, name="stop-mail"),
    path("moderation/", score_account.moderation_log, name="moderation"),
    path("moderation/feed.atom", index.revalidated(score_account.ModerationFeed()), name="moderation-feed"),
    path("debates/<uuid:address>/moderation/", score_account.moderation_log, name="debate-moderation"),
    path(
        "debates/<uuid:address>/moderation/feed.atom",
        index.revalidated(score_account.ModerationFeed()),
        name="debate-moderation-feed",
    ),
    path("debates/<uuid:address>/scores/<uuid:score>/", score_account.account, name="score-account"),
    path(
        "debates/<uuid:address>/scores/<uuid:score>/account.json", score_account.account_document, name="account-json"
    ),
    path("debates/<uuid:address>/scores/<uuid:score>/<int:entry>/", score_account.account_entry, name="account-entry"),
    path(
        "debates/<uuid:address>/scores/<uuid:score>/<int:entry>/appeal/",
        appeals.FileAppeal.as_view(),
        name="appeal-entry",
    ),
    path("debates/<uuid:address>/rulings/<uuid:fact>/appeal/", appeals.FileAppeal.as_view(), name="appeal-ruling"),
    path("debates/<uuid:address>/result/appeal/", appeals.FileAppeal.as_view(), name="appeal-result"),
    path("debates/<uuid:address>/appeals/", appeals.list_appeals, name="debate-appeals"),
    path("debates/<uuid:address>/appeals/<uuid:number>/", appeals.appeal, name="appeal"),
    path("debates/<uuid:address>/appeals/<uuid:number>/withdraw/", appeals.withdraw, name="withdraw-appeal"),
    path("moderation/appeals/", appeals.list_appeals, name="appeals"),
    path("debates/<uuid:address>/result/", debate.result, name="result"),
    path("debates/<uuid:address>/result.json", debate.result_document, name="result-document"),
    path("debates/<uuid:address>/papers/<slug:part>.md", debate.paper, name="paper"),
    path("debates/<uuid:address>/card.png", debate.draw_card, name="card"),
    path("debates/<uuid:address>/embed/", debate.embed, name="embed"),
    path("feed.atom", index.revalidated(index.PublicDebates()), name="feed"),
]
