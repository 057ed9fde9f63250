"""Addresses of the resources of the event."""

from django.urls import path

from debates.api import exports, outside, reading
from debates.api.doors import at

urlpatterns = [
    path("subjects/", at(GET=reading.Subjects)),
    path("subjects/<uuid:id>/", at(GET=reading.OneSubject)),
    path("participants/", at(GET=reading.Participants)),
    path("participants/<uuid:id>/", at(GET=reading.OneParticipant)),
    path("threads/", at(GET=reading.Threads)),
    path("threads/<uuid:id>/", at(GET=reading.OneThread)),
    path("rounds/", at(GET=reading.Rounds)),
    path("rounds/<uuid:id>/", at(GET=reading.OneRound)),
    path("turns/", at(GET=reading.Turns)),
    path("turns/<uuid:id>/", at(GET=reading.OneTurn)),
    path("awaited-turns/", at(GET=reading.AwaitedTurns)),
    path("awaited-turns/<uuid:id>/", at(GET=reading.OneAwaitedTurn)),
    path("events/", at(GET=reading.AllEvents)),
    path("debates/<uuid:debate>/events/", at(GET=reading.Events)),
    path("exports/transcripts.<slug:kind>", at(GET=exports.ExportTranscripts)),
    path("exports/events.<slug:kind>", at(GET=exports.ExportEvents)),
    path("api-keys/", at(GET=outside.ApiKeys)),
    path("api-keys/<uuid:id>/revoke/", at(POST=outside.RevokeApiKey)),
    path("webhooks/", at(GET=outside.Webhooks, POST=outside.RegisterWebhook)),
    path("webhooks/<uuid:id>/", at(GET=outside.OneWebhook, DELETE=outside.DeleteWebhook)),
    path("webhooks/<uuid:id>/change/", at(POST=outside.UpdateWebhook)),
    path("webhooks/<uuid:id>/rotate/", at(POST=outside.RotateSecret)),
    path("webhooks/<uuid:id>/test/", at(POST=outside.TestWebhook)),
    path("webhooks/<uuid:id>/disable/", at(POST=outside.DisableWebhook)),
    path("webhooks/<uuid:id>/enable/", at(POST=outside.EnableWebhook)),
    path("deliveries/", at(GET=outside.Deliveries)),
    path("deliveries/<uuid:id>/redeliver/", at(POST=outside.Redeliver)),
]
