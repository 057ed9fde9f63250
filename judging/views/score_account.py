"""The public account of a score, and of each entry of its ledger, at addresses that stay; and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from debates.models import Debate
from debates.printable import slug
from debates.selectors import one_moment
from judging.engine import appeals, score_account
from judging.engine.appeals import Against
from judging.engine.score_account import ENTRIES, ScoreAccount
from judging.views.debate import known, visible_debate
from scoring.models import Appeal, Evaluation, Fact, ScoreChange

NO_SCORE = "There is no such score in this debate."


def score_of(debate: Debate, score: UUID) -> Evaluation:
    evaluation = Evaluation.objects.filter(debate=debate, public_id=score).first()
    if evaluation is None:
        raise Http404(NO_SCORE)
    evaluation.debate = debate
    return evaluation


def account_at(request: HttpRequest, address: UUID, score: UUID) -> ScoreAccount:
    """Return the account at an address; whoever may not read the debate learns no more than that there is none."""
    visitor = known(request)
    debate = visible_debate(visitor, address)
    return score_account.account_of(evaluation=score_of(debate, score))


@require_safe
def account(request: HttpRequest, address: UUID, score: UUID) -> HttpResponse:
    """A score with everything that moved it, oldest first."""
    with one_moment():
        values = account_at(request, address, score)
        offered = appealable(request, values.debate, [row.entry for row in values.entries])
    own = {"account": values, "debate": values.debate, "desk": desk(request), **offered}
    return render(request, "debates/account.html", own)


@require_safe
def account_entry(request: HttpRequest, address: UUID, score: UUID, entry: int) -> HttpResponse:
    """One entry of a score's ledger, with what it rests on in full."""
    visitor = known(request)
    with one_moment():
        debate = visible_debate(visitor, address)
        evaluation = score_of(debate, score)
        row = evaluation.entries.select_related(*ENTRIES).filter(sequence=entry).first()
        if row is None:
            raise Http404("This score has no such entry.")
        row.evaluation = evaluation
        [shown_entry] = score_account.shown_entries(debate=debate, entries=[row])
        offered = appealable(request, debate, [row], [ruling.fact for ruling in shown_entry.facts])
    values = {"row": shown_entry, "evaluation": evaluation, "debate": debate, "desk": desk(request), **offered}
    return render(request, "debates/account_entry.html", values)


@require_safe
def account_document(request: HttpRequest, address: UUID, score: UUID) -> JsonResponse:
    with one_moment():
        values = account_at(request, address, score)
        document = score_account.document(account=values)
    name = slug(f"{values.debate.title} {values.evaluation.key}")
    headers = {"Content-Disposition": f'attachment; filename="{name}.account.json"'}
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 2}, headers=headers)


def appealable(
    request: HttpRequest, debate: Debate, entries: Sequence[ScoreChange], facts: Sequence[Fact] = ()
) -> dict[str, set[int]]:
    """Return the numbers of the entries, and the keys of the rulings, against which whoever looks can appeal still.

    The page of an appeal asks the rest.
    """
    if not appeals.may_appeal(by=known(request), debate=debate):
        return {"open_entries": set(), "open_rulings": set()}
    now, own = timezone.now(), Appeal.objects.filter(person=request.user.pk, debate=debate)
    entries_appealed, facts_appealed = set(own.values_list("entry", flat=True)), set(own.values_list("fact", flat=True))
    return {
        "open_entries": {
            row.sequence
            for row in entries
            if row.pk not in entries_appealed and appeals.is_open(Against(debate, entry=row), now=now)
        },
        "open_rulings": {
            row.pk
            for row in facts
            if row.pk not in facts_appealed and appeals.is_open(Against(debate, fact=row), now=now)
        },
    }


def desk(request: HttpRequest) -> bool:
    """Say whether whoever looks may see the same score at the desk."""
    user = request.user
    return isinstance(user, User) and user.is_staff and user.has_perm("scoring.view_evaluation")
