"""Addresses of the API, version 1. Each app brings its resources; what is at none of them is a problem, too."""

from django.urls import include, path, re_path

from config import api_docs

urlpatterns = [
    path("", api_docs.Index.as_view()),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.Docs.as_view(url_name="api:api-schema"), name="api-docs"),
    *(path("", include(module)) for module in api_docs.RESOURCES),
    re_path(r"^.*[^/]$", api_docs.without_slash, name=api_docs.NOWHERE),
    re_path(r"^.*$", api_docs.Nowhere.as_view(), name=api_docs.NOWHERE),
]
