"""The page of one debate, and its result: for people, for programs."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from debates.models import Debate
from debates.types import Format
from judging import results
from judging.pages import people, scoreboard, synthesis, transcript, visible


@require_safe
def debate(request: HttpRequest, address: UUID) -> HttpResponse:
    """A debate as it is now: scores, how they moved, everything that was said."""
    shown = visible_debate(request, address)
    context = common(shown)
    if shown.format == Format.CRITERION.value:
        board = scoreboard.scoreboard(debate=shown)
        context |= {"board": board, "chapters": transcript.transcript(debate=shown, rows=board.rows)}
    return render(request, "debates/debate.html", context)


@require_safe
def result(request: HttpRequest, address: UUID) -> HttpResponse:
    """What a debate came to, under an address that stays."""
    shown = criterion_debate(request, address)
    return render(request, "debates/result.html", common(shown) | {"board": scoreboard.scoreboard(debate=shown)})


@require_safe
def result_document(request: HttpRequest, address: UUID) -> JsonResponse:
    """The same as one JSON document."""
    shown = criterion_debate(request, address)
    return JsonResponse(results.document(debate=shown), json_dumps_params={"ensure_ascii": False, "indent": 2})


def visible_debate(request: HttpRequest, address: UUID) -> Debate:
    """Return the debate at an address; whoever may not read it learns no more than that there is none."""
    found = visible.debate_at(address=address, visitor=request.user)
    if found is None:
        raise Http404("There is no debate at this address.")
    return found


def criterion_debate(request: HttpRequest, address: UUID) -> Debate:
    """Return the debate at an address, if it is of the format that has a result of this kind."""
    found = visible_debate(request, address)
    if found.format != Format.CRITERION.value:
        raise Http404("This debate has no result of this kind.")
    return found


def common(shown: Debate) -> dict[str, Any]:
    """Return what every page of a debate shows."""
    return {
        "debate": shown,
        "people": people.people(debate=shown),
        "synthesis": synthesis.newest(debate=shown),
        "seq": shown.head.seq,
        "now": timezone.now(),
    }
