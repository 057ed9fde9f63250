"""The papers of a panel, to be taken away: the report of each judge, and the final report, as Markdown."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from debates.selectors import one_moment
from debates.types import Format
from judging.formats.panel import reports, results
from judging.views.debate import known, visible_debate


@require_safe
def paper(request: HttpRequest, address: UUID, part: str) -> HttpResponse:
    """One paper of a panel as it is now: ``final``, or the report of the judge with this number."""
    visitor = known(request)
    with one_moment():
        shown = visible_debate(visitor, address)
        if shown.format != Format.PANEL.value:
            raise Http404("This debate has no papers.")
        document = results.panel_document(debate=shown)
    found = reports.papers(document=document)
    if part not in found:
        raise Http404("There is no such paper.")
    name = reports.file_name(title=shown.title, date=document["date"], part=part)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(found[part], content_type="text/markdown; charset=utf-8", headers=headers)
