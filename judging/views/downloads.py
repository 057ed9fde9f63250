"""The papers of a debate, to be taken away as Markdown: of a panel the report of each judge, and the final report."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from debates.selectors import one_moment
from judging.formats.registry import format_of
from judging.views.debate import known, visible_debate


@require_safe
def paper(request: HttpRequest, address: UUID, part: str) -> HttpResponse:
    """One paper of a debate as it is now, such as ``final``, or the report of the judge with this number."""
    visitor = known(request)
    with one_moment():
        shown = visible_debate(visitor, address)
        papers = format_of(shown.format).papers(debate=shown)
    if part not in papers:
        raise Http404("There is no such paper.")
    headers = {"Content-Disposition": f'attachment; filename="{papers[part].file_name}"'}
    return HttpResponse(papers[part].text, content_type="text/markdown; charset=utf-8", headers=headers)
