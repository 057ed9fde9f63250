"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("config.account_urls")),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("api/v1/", include(("config.api_urls", "api"))),
    path("rubrics/", include("scoring.urls")),
    path("", include("judging.urls")),
]

handler400 = "config.problems.bad_request"
handler403 = "config.problems.denied"
handler429 = "config.problems.too_many"
handler404 = "config.problems.not_found"
handler500 = "config.problems.broken"
