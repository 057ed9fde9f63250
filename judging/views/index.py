"""The front page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.pages import listing


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Public debates, found by title and by how far they are."""
    query, group = request.GET.get("q", ""), request.GET.get("show", "")
    found = listing.listing(query=query, group=group, page=request.GET.get("page", ""))
    return render(request, "debates/index.html", {"listing": found, "query": query})
