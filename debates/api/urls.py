"""Addresses of the resources of the event."""

from django.urls import path

from debates.api import reading
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
    path("debates/<uuid:debate>/events/", at(GET=reading.Events)),
]
