"""Addresses of the public pages."""

from django.urls import path

from judging.views import debate, index, seat

urlpatterns = [
    path("", index.index, name="index"),
    path("debates/<uuid:address>/", debate.debate, name="debate"),
    path("debates/<uuid:address>/parts/", debate.some_parts, name="debate-parts"),
    path("debates/<uuid:address>/turn/", seat.speak, name="speak"),
    path("seats/<str:invitation>/", seat.take, name="take-seat"),
    path("debates/<uuid:address>/result/", debate.result, name="result"),
    path("debates/<uuid:address>/result.json", debate.result_document, name="result-document"),
    path("debates/<uuid:address>/papers/<slug:part>.md", debate.paper, name="paper"),
]
