"""Addresses of the resources of the event."""

from django.urls import path

from debates.api import exports, resources, webhooks

urlpatterns = [
    path("subjects/", resources.Subjects.as_view()),
    path("subjects/<uuid:id>/", resources.OneSubject.as_view()),
    path("participants/", resources.Participants.as_view()),
    path("participants/<uuid:id>/", resources.OneParticipant.as_view()),
    path("threads/", resources.Threads.as_view()),
    path("threads/<uuid:id>/", resources.OneThread.as_view()),
    path("rounds/", resources.Rounds.as_view()),
    path("rounds/<uuid:id>/", resources.OneRound.as_view()),
    path("turns/", resources.Turns.as_view()),
    path("turns/<uuid:id>/", resources.OneTurn.as_view()),
    path("awaited-turns/", resources.AwaitedTurns.as_view()),
    path("awaited-turns/<uuid:id>/", resources.OneAwaitedTurn.as_view()),
    path("events/", resources.AllEvents.as_view()),
    path("debates/<uuid:debate>/events/", resources.Events.as_view()),
    path("exports/transcripts.<slug:kind>", exports.ExportTranscripts.as_view()),
    path("exports/events.<slug:kind>", exports.ExportEvents.as_view()),
    path("api-keys/", webhooks.ApiKeys.as_view()),
    path("api-keys/<uuid:id>/revoke/", webhooks.RevokeApiKey.as_view()),
    path("webhooks/", webhooks.Webhooks.as_view()),
    path("webhooks/<uuid:id>/", webhooks.OneWebhook.as_view()),
    path("webhooks/<uuid:id>/change/", webhooks.UpdateWebhook.as_view()),
    path("webhooks/<uuid:id>/rotate/", webhooks.RotateSecret.as_view()),
    path("webhooks/<uuid:id>/test/", webhooks.TestWebhook.as_view()),
    path("webhooks/<uuid:id>/disable/", webhooks.DisableWebhook.as_view()),
    path("webhooks/<uuid:id>/enable/", webhooks.EnableWebhook.as_view()),
    path("deliveries/", webhooks.Deliveries.as_view()),
    path("deliveries/<uuid:id>/redeliver/", webhooks.Redeliver.as_view()),
]
