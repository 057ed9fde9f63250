"""Scores, states and entries as moderators read them."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from debates.admin.read_only import shortened
from debates.decimals import two_places
from scoring.enums import BulkAction, EntryKind
from scoring.models import Approval, Evaluation, ScoreChange
from scoring.services.steps import Done
from scoring.types import Instrument

SITE = "admin"
States = Sequence[tuple[str, str]]

HAPPENED = {
    EntryKind.FREEZE: "is frozen at {after}. What is judged from now on is held.",
    EntryKind.OVERRIDE: "is set to {after}; it was {before}.",
    EntryKind.OVERRIDE_LIFTED: "is what the verdicts give again: {after}; the override was {before}.",
    EntryKind.STRIKE: "no longer counts what was struck: {after}; it was {before}.",
    EntryKind.REINSTATE: "counts again what was reinstated: {after}; it was {before}.",
    EntryKind.ROLLBACK: "is back where entry {target} had left it: {after}; it was {before}.",
    EntryKind.FALLBACK: "has nothing that counts, so its initial score {after} is final.",
}


def shown(value: Decimal | None) -> str:
    return "-" if value is None else two_places(value)


def link(model: str, pk: object, text: object) -> SafeString:
    """Return a link to the page of a row; ``model`` has its app before it, as in scoring_alert."""
    return format_html('<a href="{}">{}</a>', reverse(f"{SITE}:{model}_change", args=[pk]), text)


def states(row: Evaluation) -> States:
    """Return every state that a moderator has to know of: a word for its colour, and words to read."""
    badges = [
        ("frozen", "frozen") if row.frozen_at else None,
        ("overridden", "overridden") if row.override_score is not None else None,
        ("held", holds(row)) if row.held else None,
        _evaluated(row),
        ("complete", "complete") if row.debate_complete else None,
    ]
    return [state for state in badges if state]


HELD: Mapping[str, str] = {
    Instrument.CRITERION: "verdict", Instrument.ADHERENCE: "response", Instrument.PANEL: "judge's score",
    Instrument.STANDING: "standing",
}  # fmt: skip
"""What the facts of a score are called."""


def holds(row: Evaluation) -> str:
    number = len(row.held)
    return f"{number} {HELD[row.instrument]}{'' if number == 1 else 's'} held"


def _evaluated(row: Evaluation) -> tuple[str, str]:
    if row.final_score is None:
        return "not-evaluated", "not evaluated"
    if row.basis:
        return "counted", "counted"
    return "fallback", "initial score" if row.counted else "no verdicts"


def badges(of: States) -> SafeString:
    inside = format_html_join("", '<span class="badge badge-{}">{}</span>', of)
    return format_html('<span class="badges">{}</span>', inside)


def named(row: Evaluation) -> str:
    """Return a score with the debate that it is of: codes are the same in many debates."""
    return f"{row} in \u201c{shortened(row.debate.title, longest=60)}\u201d"


def frost(*, action: BulkAction, score: Evaluation | None) -> str:
    """Return what a bulk action does besides moving the value: freeze or unfreeze, and how much is held now."""
    if action is BulkAction.ROLLBACK:
        return ""
    moved = "frozen: no \u2192 yes" if action is BulkAction.FREEZE else "frozen: yes \u2192 no"
    return f"{moved}; {holds(score)}" if score and score.held else moved


def void(*, override: Decimal | None, asked: Approval | None) -> str:
    """Return what becomes void: an override, and a request that waits for a second person."""
    parts = []
    if override is not None:
        parts.append(f"the override of {shown(override)}")
    if asked is not None:
        parts.append(f"the request of {asked.requested_by} for {shown(asked.value)}")
    return " and ".join(parts)


def happened(done: Done) -> SafeString:
    parts = []
    for entry in done.entries:
        entry_link = link("scoring_scorechange", entry.pk, f"entry {entry.sequence}")
        parts.append(format_html("{} ({})", sentence(entry), entry_link))
    return format_html("{} {}", named(done.evaluation), format_html_join(" It ", "{}", ((part,) for part in parts)))


def logged(done: Done) -> str:
    """Return what an action did for Django's history; the reason stays in the ledger, where it can be erased."""
    return "; ".join(f"{entry.kind.replace('_', ' ')}, entry {entry.sequence}" for entry in done.entries)


def sentence(entry: ScoreChange) -> str:
    """Return what one entry did, to go on from the name of its score."""
    before, after = shown(entry.value_before), shown(entry.value_after)
    if entry.kind == EntryKind.UNFREEZE:
        held = {"apply": "what was held counts", "discard": "what was held is discarded"}[entry.held_choice]
        return f"is unfrozen, {held if entry.facts else 'nothing was held'}: {after}; it was {before}."
    return HAPPENED[EntryKind(entry.kind)].format(before=before, after=after, target=entry.target_sequence)
