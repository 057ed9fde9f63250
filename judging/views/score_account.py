"""The public account of a score and of each entry of its ledger, as pages and as a document; and the log of moderation,
of the site and of one debate, as a page that goes on by a cursor and as an Atom feed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.views.decorators.http import require_safe

from debates.api.paging import BadCursor, Order, page_of
from debates.models import Debate
from debates.printable import UNWRITABLE, slug
from debates.selectors import one_moment
from judging.engine import appeals, score_account
from judging.engine.appeals import ShownAppeal, shown_appeal
from judging.engine.score_account import ENTRIES, ScoreAccount, ShownEntry
from judging.views.debate import known, visible_debate
from judging.views.index import MOST_IN_FEED
from scoring import selectors
from scoring.models import Appeal, BrokenSeal, Evaluation, Fact, ReplacedJudge, ScoreChange

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
    debate = visible_debate(request, visitor, address)
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
        debate = visible_debate(request, visitor, address)
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
    brought = selectors.brought_at(facts=facts) if facts else {}
    entries_appealed, facts_appealed = set(own.values_list("entry", flat=True)), set(own.values_list("fact", flat=True))
    return {
        "open_entries": {
            row.sequence for row in entries if row.pk not in entries_appealed and appeals.is_open(row.at, now=now)
        },
        "open_rulings": {
            row.pk for row in facts if row.pk not in facts_appealed and appeals.is_open(brought.get(row.pk), now=now)
        },
    }


def desk(request: HttpRequest) -> bool:
    """Say whether whoever looks may see the same score at the desk."""
    user = request.user
    return isinstance(user, User) and user.is_staff and user.has_perm("scoring.view_evaluation")


PER_PAGE = 50
MOST_APPEALS = 10
MOST_SEALS = 50
"""So many broken seals, and replaced judges, stand in the log of all debates; that of each has all of its own."""
NEWEST_FIRST = Order("id", descending=True, first="")


@require_safe
def moderation_log(request: HttpRequest, address: UUID | None = None) -> HttpResponse:
    """What persons did to scores of one debate, or of those that whoever looks may find."""
    debate = visible_debate(request, known(request), address) if address else None
    cursor = request.GET.get("after") or None
    with one_moment():
        entries = score_account.acts_of_persons(visitor=known(request), debate=debate)
        try:
            page = page_of(entries, cursor=cursor, size=PER_PAGE, order=NEWEST_FIRST)
        except BadCursor as error:
            raise Http404("There is no such page of the log.") from error
        values: dict[str, Any] = {"rows": score_account.lines_of(page.rows), "after": page.after, "debate": debate}
        if cursor is None:
            most = values["most"] = None if debate else MOST_SEALS
            decided = score_account.decided_appeals(visitor=known(request), debate=debate).order_by(
                "-decided_at", "-id"
            )
            values["appeals"] = [shown_appeal(row) for row in decided[:MOST_APPEALS]]
            seals = score_account.broken_seals(visitor=known(request), debate=debate).order_by("-id")
            values["seals"] = [(seal, score_account.role_of(seal.by)) for seal in seals[:most]]
            replaced = score_account.replaced_judges(visitor=known(request), debate=debate).order_by("-id")
            values["replaced"] = [(row, score_account.role_of(row.by)) for row in replaced[:most]]
        return render(request, "debates/moderation.html", values)


ToJudges = BrokenSeal | ReplacedJudge
Item = ShownEntry | ShownAppeal | ToJudges


class ModerationFeed(Feed[Item, Debate | None]):
    """The newest acts, decided appeals, broken seals and replaced judges as Atom: of the site as anybody finds them, or
    of a debate.
    """

    feed_type = Atom1Feed
    author_name = "Moot"

    def get_object(
        self, request: HttpRequest, *_args: Any, address: UUID | None = None, **_named: Any
    ) -> Debate | None:
        return visible_debate(request, AnonymousUser(), address) if address else None

    def title(self, debate: Debate | None) -> str:
        return f"Moderation of {debate.title}".translate(UNWRITABLE) if debate else "Moderation on Moot"

    def subtitle(self, _debate: Debate | None) -> str:
        return "What persons did to scores and decided about appeals, in which role, and why."

    def link(self, debate: Debate | None) -> str:
        return reverse("debate-moderation", args=[debate.public_id]) if debate else reverse("moderation")

    def feed_url(self, debate: Debate | None) -> str:
        return f"{self.link(debate)}feed.atom"

    def items(self, debate: Debate | None) -> list[Item]:
        entries = score_account.acts_of_persons(visitor=AnonymousUser(), debate=debate)
        decided = score_account.decided_appeals(visitor=AnonymousUser(), debate=debate)
        items: list[Item] = [
            *score_account.lines_of(list(entries.order_by("-id")[:MOST_IN_FEED])),
            *map(shown_appeal, decided.order_by("-decided_at", "-id")[:MOST_IN_FEED]),
            *score_account.broken_seals(visitor=AnonymousUser(), debate=debate).order_by("-id")[:MOST_IN_FEED],
            *score_account.replaced_judges(visitor=AnonymousUser(), debate=debate).order_by("-id")[:MOST_IN_FEED],
        ]
        return sorted(items, key=self.item_pubdate, reverse=True)[:MOST_IN_FEED]

    def item_title(self, item: Item) -> str:
        if isinstance(item, ShownAppeal):
            about = item.evaluation.name if item.evaluation else "the result"
            return f"Appeal {item.ended}: {about}".translate(UNWRITABLE)
        if isinstance(item, BrokenSeal):
            return f"Seal broken: the ballot of {item.ballot.participant.name}".translate(UNWRITABLE)
        if isinstance(item, ReplacedJudge):
            return f"Judge replaced: {item.judge.name} by {item.successor.name}".translate(UNWRITABLE)
        return f"{item.title}: {item.entry.evaluation.name}".translate(UNWRITABLE)

    def item_description(self, item: Item) -> str:
        if isinstance(item, ShownAppeal):
            ground, reason = item.appeal.get_ground_display(), item.appeal.decided_because
            by = score_account.who(item.role, organises=item.appeal.decided_by_organiser, name=item.name)
            return escape(f"{ground}. By {by}. {reason}".translate(UNWRITABLE))
        if isinstance(item, ToJudges):
            by = score_account.who(score_account.role_of(item.by), organises=item.by_organiser)
            return escape(f"By {by}. {item.because}".translate(UNWRITABLE))
        words = f"{item.in_words}. {item.entry.reason or ''}".strip()
        return escape(f"{words[0].upper()}{words[1:]}".translate(UNWRITABLE))

    def item_link(self, item: Item) -> str:
        if isinstance(item, ShownAppeal):
            return reverse("appeal", args=[item.appeal.debate.public_id, item.appeal.public_id])
        if isinstance(item, ToJudges):
            anchor = "seal" if isinstance(item, BrokenSeal) else "replaced"
            return f"{reverse('debate-moderation', args=[item.debate.public_id])}#{anchor}-{item.public_id}"
        evaluation = item.entry.evaluation
        names = [evaluation.debate.public_id, evaluation.public_id, item.entry.sequence]
        return reverse("account-entry", args=names)

    def item_guid(self, item: Item) -> str:
        if isinstance(item, ShownAppeal):
            return f"urn:uuid:{item.appeal.public_id}"
        if isinstance(item, ToJudges):
            return f"urn:uuid:{item.public_id}"
        return f"urn:sha256:{item.hash}"

    def item_pubdate(self, item: Item) -> datetime:
        if isinstance(item, ShownAppeal):
            assert item.appeal.decided_at is not None  # noqa: S101 -- appeal_decided_says_who_why_and_when
            return item.appeal.decided_at
        return item.at if isinstance(item, ToJudges) else item.entry.at

    def item_updateddate(self, item: Item) -> datetime:
        return self.item_pubdate(item)
