"""Reading scores."""

import copy
from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import F, Max, Q, QuerySet, prefetch_related_objects

from debates.errors import Invalid, NotFound
from debates.printable import clock
from scoring.enums import ActorKind, EntryKind
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.types import Instrument

TO_THE_SECOND = "%Y-%m-%d %H:%M:%S"


def history(*, evaluation: Evaluation) -> QuerySet[ScoreChange]:
    """Return every entry of an evaluation with who wrote it and why, oldest first."""
    return evaluation.entries.select_related("actor", "reason", "round").order_by("sequence")


def as_of(*, evaluation: Evaluation, moment: datetime | None = None, sequence: int | None = None) -> ScoreChange | None:
    """Return the entry that says what a score was at a moment or after a sequence; nothing if it was not open yet.

    Shape: exactly one of ``moment`` and ``sequence``.
    Raises: ``Invalid`` for neither or both, or a sequence below 1.
    """
    if (moment is None) == (sequence is None):
        raise Invalid("as_of takes a moment or a sequence, one of the two.")
    entries = history(evaluation=evaluation).reverse()
    if sequence is not None:
        if sequence < 1:
            raise Invalid(f"sequence must be 1 or more; got {sequence}.")
        return entries.filter(sequence__lte=sequence).first()
    return entries.filter(at__lte=moment).first()


def as_it_was(*, evaluation: Evaluation, moment: datetime | None = None, sequence: int | None = None) -> Evaluation:
    """Return an evaluation in memory as it was at a moment or after a sequence; it is looked at and never saved.

    Shape: exactly one of ``moment`` and ``sequence``.
    Raises: ``Invalid``; ``NotFound`` if it was not open yet.
    """
    entry = as_of(evaluation=evaluation, moment=moment, sequence=sequence)
    if entry is None:
        raise NotFound("This score was not open yet.")
    until = evaluation.entries.filter(sequence__lte=entry.sequence)
    frozen = until.filter(kind=EntryKind.FREEZE.value).last() if entry.frozen_after else None
    then = copy.copy(evaluation)
    then.follow(entry)
    then.frozen_at = frozen.at if frozen else None
    people = until.exclude(actor_kind=ActorKind.ENGINE.value).aggregate(newest=Max("sequence"))
    then.moderation_version = people["newest"] or 0
    moved = until.filter(~Q(delta=0) | ~Q(applied=0) | Q(kind__in=(EntryKind.ROUND.value, EntryKind.FALLBACK.value)))
    then.last_score_update = moved.values_list("at", flat=True).last()
    return then


def with_state(*, fact: Fact, evaluation: Evaluation) -> Fact:
    """Return a fact that says as ``state`` whether it counts, is held, or is out."""
    state = "counted" if fact.pk in evaluation.basis else "held" if fact.pk in evaluation.held else "out"
    fact.state = state  # type: ignore[attr-defined]  # said, not stored
    return fact


def facts_until(evaluation: Evaluation) -> set[int]:
    """Return the facts that entries name up to the version of an evaluation, as it is or was."""
    entries = evaluation.entries.filter(sequence__lte=evaluation.version)
    return {fact for facts in entries.values_list("facts", flat=True) for fact in facts}


def facts_with_state(*, evaluation: Evaluation, known: Collection[int] | None = None) -> list[Fact]:
    """Return the facts of an evaluation, all of them or those known, oldest first, each with its state."""
    rows = Fact.objects.filter(evaluation=evaluation).select_related("round").order_by("pk")
    rows = rows if known is None else rows.filter(pk__in=known)
    return [with_state(fact=fact, evaluation=evaluation) for fact in rows]


def named(*, entries: Sequence[ScoreChange]) -> Sequence[ScoreChange]:
    """Return entries that carry the public ids of their facts as ``facts_named``, and who approved them."""
    prefetch_related_objects(entries, "approval__decided_by", "approval__decided_because")
    fact_ids = {fact for entry in entries for fact in entry.facts}
    names = dict(Fact.objects.filter(pk__in=fact_ids).values_list("pk", "public_id")) if fact_ids else {}
    for entry in entries:
        entry.facts_named = [names[fact] for fact in entry.facts]  # type: ignore[attr-defined]  # said, not stored
    return entries


def agreed_value(*, evaluation: Evaluation) -> Decimal | None:
    """Return the override that a second person approved and that the one that stands now rests on, if there is one."""
    if evaluation.override_score is None:
        return None
    return evaluation.entries.order_by("sequence").values_list("covered_value", flat=True).last()


def round_numbers(*, facts: Sequence[int]) -> dict[int, int]:
    return dict(Fact.objects.filter(pk__in=facts).values_list("pk", "round__number"))


def who_moved_it(*, evaluation: Evaluation, seen: int) -> str:
    """Return, for people, what moderators did to an evaluation since the version that somebody saw."""
    later = history(evaluation=evaluation).filter(sequence__gt=seen).exclude(actor_kind="engine")
    lines = [
        f"{entry.actor or entry.actor_kind}: {entry.get_kind_display()} at {clock(entry.at, pattern=TO_THE_SECOND)}"
        for entry in later[:5]
    ]
    if not lines:
        now = evaluation.moderation_version
        return f"Nobody has seen version {seen} of this score: it is at version {now}. Look at it and name that one."
    return f"This score is no longer as you saw it (version {seen}): {'; '.join(lines)}. Look again and decide anew."


def journeys(*, debate_id: int) -> dict[str, list[str]]:
    """Return how each computed score went in its newest run: {criterion: [after round 1, after round 2, ...]}."""
    rows = (
        ScoreChange.objects.filter(evaluation__debate_id=debate_id, kind=EntryKind.ROUND.value)
        .filter(run_number=F("evaluation__run_number"))
        .order_by("evaluation_id", "sequence")
        .values_list("evaluation__key", "computed_after")
    )
    scores_by_criterion: dict[str, list[str]] = {}
    for key, score in rows:
        scores_by_criterion.setdefault(key, []).append(f"{score:.2f}")
    return scores_by_criterion


def struck(*, debates: Collection[int] | QuerySet[Any], instrument: Instrument) -> set[int]:
    """Return the facts of some debates' scores that a moderator has struck, and that nobody has put back since.

    What is left out for another reason is not among them. A rollback takes back what came after its target.
    """
    kinds = [kind.value for kind in (EntryKind.STRIKE, EntryKind.REINSTATE, EntryKind.ROLLBACK)]
    of_debates = ScoreChange.objects.filter(evaluation__debate__in=debates, evaluation__instrument=instrument.value)
    rows = of_debates.filter(kind__in=kinds).order_by("evaluation_id", "sequence")
    went: dict[int, list[tuple[int, frozenset[int]]]] = {}
    for account, at, kind, facts, target in rows.values_list(
        "evaluation_id", "sequence", "kind", "facts", "target_sequence"
    ):
        steps = went.setdefault(account, [(0, frozenset())])
        now = steps[-1][1]
        if kind == EntryKind.ROLLBACK:
            now = next(then for sequence, then in reversed(steps) if sequence <= (target or 0))
        else:
            now = now | set(facts) if kind == EntryKind.STRIKE else now - set(facts)
        steps.append((at, now))
    return {fact for steps in went.values() for fact in steps[-1][1]}


def left_out(*, evaluation: Evaluation) -> set[int]:
    """Return the facts of this run that neither count nor are held: struck, discarded, replaced or rolled back over.

    Those of rounds that have not come to the ledger wait: a debate that counts at the end keeps a round when it is
    judged, and counts it later.
    """
    run = evaluation.run_number
    rounds = evaluation.entries.filter(run_number=run, round__isnull=False).values("round_id")
    facts = Fact.objects.filter(evaluation=evaluation, run_number=run, round__in=rounds)
    return set(facts.values_list("pk", flat=True)) - {*evaluation.basis, *evaluation.held}


def brought_at(*, facts: Collection[Fact]) -> dict[int, datetime]:
    """Return when facts came to count, or to be held: {fact: time of its entry}; those that wait are not there."""
    keys = {fact.pk for fact in facts}
    kinds = [kind.value for kind in (EntryKind.OPENED, EntryKind.ROUND, EntryKind.HELD)]
    of_scores = ScoreChange.objects.filter(evaluation__in={fact.evaluation_id for fact in facts}, kind__in=kinds)
    rows = of_scores.filter(facts__overlap=sorted(keys)).values_list("facts", "at")
    return {fact: at for brought, at in rows for fact in brought if fact in keys}


def reinstatable(*, evaluation: Evaluation) -> set[int]:
    """Return the facts that can be put back one by one: what is left out, of a panel only beside its own round.

    A panel's score is of one round of its judges. Where none of them counts any more, any one round can be put back.
    A standing is one snapshot, of which nothing is put back.
    Source: docs/reference/ledger.md, "reinstate".
    """
    if evaluation.instrument == Instrument.STANDING.value:
        return set()
    out = left_out(evaluation=evaluation)
    if evaluation.instrument != Instrument.PANEL.value or not evaluation.basis:
        return out
    counted = Fact.objects.filter(pk__in=evaluation.basis).values("round_id")
    return set(Fact.objects.filter(pk__in=out, round__in=counted).values_list("pk", flat=True))
