"""The front page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.pages import listing


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Public debates, found by title and by how far they are."""
    asked = request.GET
    found = listing.listing(query=asked.get("q", ""), group=asked.get("show", ""), page=asked.get("page", ""))
    return render(request, "debates/index.html", {"listing": found, "query": found.query})
