"""Addresses of the resources of the event."""

from django.urls import path

from debates.api import exports, resources, webhooks
from debates.api.views import at

urlpatterns = [
    path("subjects/", at(GET=resources.Subjects)),
    path("subjects/<uuid:id>/", at(GET=resources.OneSubject)),
    path("participants/", at(GET=resources.Participants)),
    path("participants/<uuid:id>/", at(GET=resources.OneParticipant)),
    path("threads/", at(GET=resources.Threads)),
    path("threads/<uuid:id>/", at(GET=resources.OneThread)),
    path("rounds/", at(GET=resources.Rounds)),
    path("rounds/<uuid:id>/", at(GET=resources.OneRound)),
    path("turns/", at(GET=resources.Turns)),
    path("turns/<uuid:id>/", at(GET=resources.OneTurn)),
    path("awaited-turns/", at(GET=resources.AwaitedTurns)),
    path("awaited-turns/<uuid:id>/", at(GET=resources.OneAwaitedTurn)),
    path("events/", at(GET=resources.AllEvents)),
    path("debates/<uuid:debate>/events/", at(GET=resources.Events)),
    path("exports/transcripts.<slug:kind>", at(GET=exports.ExportTranscripts)),
    path("exports/events.<slug:kind>", at(GET=exports.ExportEvents)),
    path("api-keys/", at(GET=webhooks.ApiKeys)),
    path("api-keys/<uuid:id>/revoke/", at(POST=webhooks.RevokeApiKey)),
    path("webhooks/", at(GET=webhooks.Webhooks, POST=webhooks.RegisterWebhook)),
    path("webhooks/<uuid:id>/", at(GET=webhooks.OneWebhook, DELETE=webhooks.DeleteWebhook)),
    path("webhooks/<uuid:id>/change/", at(POST=webhooks.UpdateWebhook)),
    path("webhooks/<uuid:id>/rotate/", at(POST=webhooks.RotateSecret)),
    path("webhooks/<uuid:id>/test/", at(POST=webhooks.TestWebhook)),
    path("webhooks/<uuid:id>/disable/", at(POST=webhooks.DisableWebhook)),
    path("webhooks/<uuid:id>/enable/", at(POST=webhooks.EnableWebhook)),
    path("deliveries/", at(GET=webhooks.Deliveries)),
    path("deliveries/<uuid:id>/redeliver/", at(POST=webhooks.Redeliver)),
]
