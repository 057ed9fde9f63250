"""Scores, entries, facts and requests as lines of a plain table on a terminal."""

from collections.abc import Sequence

from debates.decimals import in_places
from scoring.models import Appeal, Approval, Evaluation, Fact, ScoreChange

ENTRIES = ("entry", "at (UTC)", "kind", "round", "value", "delta", "computed", "facts", "by", "reason")
SCORES = ("score", "instrument", "id", "initial", "computed", "override", "final", "version", "state")
APPEALS = ("id", "against", "state", "ground", "by", "words")
REQUESTS = ("id", "score", "now", "asked for", "by", "reason")


def of_score(evaluation: Evaluation) -> tuple[str, ...]:
    return (
        str(evaluation),
        evaluation.instrument,
        str(evaluation.public_id),
        in_places(evaluation.initial_score) or "",
        in_places(evaluation.computed_score) or "none",
        in_places(evaluation.override_score) or "none",
        in_places(evaluation.final_score) or "none",
        str(evaluation.moderation_version),
        "frozen" if evaluation.frozen_at else "",
    )


def of_request(asked: Approval) -> tuple[str, ...]:
    value, because = in_places(asked.evaluation.value), " ".join(str(asked.because).split())
    return (
        str(asked.public_id),
        str(asked.evaluation),
        value or "",
        in_places(asked.value) or "",
        str(asked.requested_by),
        because,
    )


def of_appeal(appeal: Appeal) -> tuple[str, ...]:
    row = appeal.entry or appeal.fact
    return (
        str(appeal.public_id),
        f"{appeal.about} of {row.evaluation if row else appeal.debate.title}",
        appeal.state,
        appeal.ground,
        str(appeal.appellant),
        " ".join(str(appeal.because).split()),
    )


def headline(evaluation: Evaluation) -> str:
    parts = [
        f"initial {in_places(evaluation.initial_score)}",
        f"computed {in_places(evaluation.computed_score) or 'none'}",
        f"override {in_places(evaluation.override_score) or 'none'}",
        f"final {in_places(evaluation.final_score) or 'none'}",
    ]
    if evaluation.frozen_at:
        parts.append(f"frozen since {evaluation.frozen_at:%Y-%m-%d %H:%M:%S} UTC, {len(evaluation.held)} facts held")
    version = f"moderation version {evaluation.moderation_version}"
    return f"{evaluation} is at {version}: {', '.join(parts)}"


def of_entry(entry: ScoreChange) -> tuple[str, ...]:
    return (
        str(entry.sequence),
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        entry.get_kind_display(),
        str(entry.round.number) if entry.round else "",
        f"{in_places(entry.value_before)} -> {in_places(entry.value_after)}",
        in_places(entry.delta) or "",
        in_places(entry.computed_after) or "",
        str(len(entry.facts) or ""),
        str(entry.actor or entry.actor_kind),
        " ".join(str(entry.reason or entry.reason_code).split()),
    )


def facts_of(entry: ScoreChange) -> list[str]:
    """Return every fact of an entry's run that had come by then, and what had become of it."""
    came = ScoreChange.objects.filter(evaluation=entry.evaluation_id, run_number=entry.run_number)
    ids = {
        fact for facts in came.filter(sequence__lte=entry.sequence).values_list("facts", flat=True) for fact in facts
    }
    lines = [
        (
            str(fact.public_id),
            str(fact.round.number),
            in_places(fact.amount) or "",
            "counts" if fact.pk in entry.basis else "held" if fact.pk in entry.held else "does not count",
        )
        for fact in Fact.objects.filter(pk__in=ids).select_related("round").order_by("pk")
    ]
    return aligned([("fact", "round", "amount", "now"), *lines])


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in rows]
