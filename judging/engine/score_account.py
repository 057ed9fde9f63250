"""The public account of a score: every entry of its ledger, in which role it was written, why, what it rests on; and
the log of moderation, which is the entries that persons wrote.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from debates.decimals import in_places
from debates.models import Debate
from debates.selectors import Visitor, findable_debates
from judging.engine.appeals import DECIDED, ENTRIES_OF_SCORE, SHOWN
from judging.formats.registry import format_of
from judging.pages import transcript
from judging.pages.transcript import ShownFact
from scoring.enums import ActorKind, AppealState, EntryKind
from scoring.models import Actor, Appeal, BrokenSeal, Evaluation, Fact, ReplacedJudge, ScoreChange
from scoring.services import moderation_effect
from scoring.services.moderation_effect import ModerationEffect

KINDS: Mapping[str, str] = {
    EntryKind.OPENED: "Opened",
    EntryKind.ROUND: "Round counted",
    EntryKind.HELD: "Round held",
    EntryKind.COMPLETED: "Completed",
    EntryKind.FALLBACK: "Initial score kept",
    EntryKind.OVERRIDE: "Set by hand",
    EntryKind.OVERRIDE_LIFTED: "Override lifted",
    EntryKind.FREEZE: "Frozen",
    EntryKind.UNFREEZE: "Unfrozen",
    EntryKind.STRIKE: "Rulings struck",
    EntryKind.REINSTATE: "Rulings put back",
    EntryKind.ROLLBACK: "Taken back",
    EntryKind.RERUN: "Played again",
}
ENTRIES = ("evaluation__debate", "round", "actor", "reason", "approval__decided_by", "approval__decided_because")


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """One entry of an account as everybody may read it.

    Shape: ``facts`` are those that it brings or moves; ``name`` is empty unless the site names moderators; a second
    person's role and words are there where one approved it; ``appeals`` are against it or rulings it names, ``allowed``
    those that it allows.
    """

    entry: ScoreChange
    title: str
    by: str
    role: str
    name: str
    reason: str
    erased: bool
    second_role: str = ""
    second_name: str = ""
    second_reason: str = ""
    facts: Sequence[ShownFact] = ()
    appeals: Sequence[Appeal] = ()
    allowed: Sequence[Appeal] = ()

    @property
    def hash(self) -> str:
        return bytes(self.entry.hash).hex()

    @property
    def previous_hash(self) -> str:
        return bytes(self.entry.previous_hash).hex()

    @property
    def in_words(self) -> str:
        """Return where the value went and by whom, as pages show it."""
        entry, after = self.entry, in_places(self.entry.value_after)
        moved = f"{in_places(entry.value_before)} to {after}" if entry.delta else f"stays at {after}"
        by = who(self.role, organises=entry.by_organiser, name=self.name)
        if entry.approved:
            second = who(self.second_role, organises=entry.approved.decided_by_organiser, name=self.second_name)
            by = f"{by}; approved by {second}"
        return f"{f'begins at {after}' if entry.sequence == 1 else moved}, by {by}"

    @property
    def by_a_person(self) -> bool:
        return self.entry.actor_kind != ActorKind.ENGINE.value


@dataclass(frozen=True, slots=True)
class ScoreAccount:
    """A score with all of its entries, oldest first; ``effect`` is what persons did to it, if they acted on it."""

    debate: Debate
    evaluation: Evaluation
    entries: Sequence[ShownEntry]
    effect: ModerationEffect | None

    @property
    def moved(self) -> bool:
        return self.effect is not None and self.effect.moved


def account_of(*, evaluation: Evaluation) -> ScoreAccount:
    """Return the account of a score, in a number of queries that does not grow with it."""
    rows = list(evaluation.entries.select_related(*ENTRIES).order_by("sequence"))
    effect = moderation_effect.effects(evaluations=[evaluation]).get(evaluation.pk)
    return ScoreAccount(evaluation.debate, evaluation, shown_entries(debate=evaluation.debate, entries=rows), effect)


def shown_entries(*, debate: Debate, entries: Sequence[ScoreChange]) -> list[ShownEntry]:
    """Return entries of the scores of a debate with what they rest on."""
    facts = {fact for entry in entries for fact in entry.facts}
    known = {row.fact.pk: row for row in shown_facts(debate=debate, facts=facts)}
    appeals = appeals_about(entries)
    return [shown_entry(entry, facts=known, appeals=appeals) for entry in entries]


def shown_facts(*, debate: Debate, facts: Collection[int]) -> list[ShownFact]:
    """Return facts with what was said about them, and the passages of the subject that these quote."""
    if not facts:
        return []
    rows = Fact.objects.filter(pk__in=facts).select_related("round", "participant").in_bulk()
    words = format_of(debate.format).fact_statements(facts=facts)
    subject = debate.subject.text if debate.subject else ""
    return transcript.shown_facts(facts=rows.values(), words=words, subject=subject)


def appeals_about(entries: Sequence[ScoreChange]) -> list[Appeal]:
    """Return the appeals against entries, or rulings they name, and those that they allow; none that was withdrawn."""
    facts = [fact for entry in entries for fact in entry.facts]
    concerned = Q(entry__in=entries) | Q(act__in=entries) | Q(fact__in=facts)
    rows = Appeal.objects.filter(concerned).exclude(state=AppealState.WITHDRAWN.value).order_by("pk")
    return list(rows.select_related("debate", "decided_because"))


def shown_entry(entry: ScoreChange, *, facts: Mapping[int, ShownFact], appeals: Sequence[Appeal] = ()) -> ShownEntry:
    reason = entry.reason
    approval = entry.approved
    second = approval.decided_by if approval else None
    why = approval.decided_because if approval else None
    return ShownEntry(
        entry=entry,
        title=KINDS[entry.kind],
        by=entry.actor_kind,
        role=moderation_effect.acted_as(entry),
        name=named(entry.actor),
        reason=reason.text if reason else "",
        erased=reason is not None and not reason.text,
        second_role=moderation_effect.role_of(second.role) if second else "",
        second_name=named(second),
        second_reason=why.text if why else "",
        facts=[facts[pk] for pk in entry.facts if pk in facts],
        appeals=[row for row in appeals if row.entry_id == entry.pk or row.fact_id in entry.facts],
        allowed=[row for row in appeals if row.act_id == entry.pk],
    )


def who(role: str, *, organises: bool, name: str = "") -> str:
    """Return who acted, in words: the role, whether they organise the debate, and the name where it is told."""
    return ", ".join(part for part in (role, "who organises this debate" if organises else "", name) if part)


def named(actor: Actor | None) -> str:
    """Return the name of whoever acted, where the site names moderators."""
    return actor.name if actor is not None and settings.NAME_MODERATORS else ""


# The same as a document: everything that it takes to compute the score again.


HOW_TO_CHECK = (
    "Each entry begins at the value where the one before ended, names the hash of that one, and moves by delta. The"
    " facts in basis, with initial and parameters, give computedAfter by the rules at /api/v1/docs/ and in"
    " docs/reference/rules.md; override counts where there is one. Whoever runs the site proves the hashes, and every"
    " row behind them, with manage.py verify_ledger."
)


def document(*, account: ScoreAccount) -> dict[str, Any]:
    """Return an account as one document: decimals are text, times are of UTC.

    Source: docs/reference/results.md, "The account of a score".
    """
    evaluation, debate = account.evaluation, account.debate
    named_facts = {row.fact.pk: row.fact for entry in account.entries for row in entry.facts}
    without = account.effect.without if account.effect else evaluation.final_score
    return {
        "debate": {"id": str(debate.public_id), "title": debate.title, "status": debate.status},
        "evaluation": str(evaluation.public_id),
        "instrument": evaluation.instrument,
        "key": evaluation.key,
        "name": evaluation.name,
        "initial": in_places(evaluation.initial_score),
        "initialConfidence": in_places(evaluation.initial_confidence),
        "computed": in_places(evaluation.computed_score),
        "override": in_places(evaluation.override_score),
        "final": in_places(evaluation.final_score),
        "value": in_places(evaluation.value),
        "frozen": evaluation.frozen_at is not None,
        "movedByAPerson": account.moved,
        "withoutModeration": in_places(without),
        "parameters": debate.parameters["score"],
        "facts": [fact_document(fact) for fact in sorted(named_facts.values(), key=lambda fact: fact.pk)],
        "entries": [entry_document(row, facts=named_facts) for row in account.entries],
        "head": bytes(evaluation.head_hash).hex(),
        "check": HOW_TO_CHECK,
    }


def fact_document(fact: Fact) -> dict[str, Any]:
    return {
        "id": str(fact.public_id),
        "kind": fact.kind,
        "run": fact.run_number,
        "round": fact.round.number,
        "amount": in_places(fact.amount),
        "impact": in_places(fact.impact),
        "weight": in_places(fact.weight),
    }


def entry_document(row: ShownEntry, *, facts: Mapping[int, Fact]) -> dict[str, Any]:
    entry = row.entry
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "at": entry.at.isoformat(),
        "before": in_places(entry.value_before),
        "after": in_places(entry.value_after),
        "delta": in_places(entry.delta),
        "computedAfter": in_places(entry.computed_after),
        "overrideAfter": in_places(entry.override_after),
        "confidenceAfter": in_places(entry.confidence_after),
        "frozenAfter": entry.frozen_after,
        "countedAfter": entry.counted_after,
        "run": entry.run_number,
        "round": entry.round.number if entry.round else None,
        "basis": ids(entry.basis, facts),
        "held": ids(entry.held, facts),
        "heldChoice": entry.held_choice or None,
        "targetSequence": entry.target_sequence,
        "by": {"kind": row.by, "role": row.role, "organiser": row.entry.by_organiser, "name": row.name or None},
        "reason": row.reason or None,
        "reasonCode": entry.reason_code or None,
        "approvedBy": {
            "role": row.second_role,
            "organiser": entry.approved.decided_by_organiser,
            "name": row.second_name or None,
            "reason": row.second_reason or None,
        }
        if entry.approved
        else None,
        "restsOn": [transcript.fact_document(fact) for fact in row.facts],
        "appeals": [str(appeal.public_id) for appeal in row.appeals],
        "allows": [str(appeal.public_id) for appeal in row.allowed],
        "previousHash": row.previous_hash,
        "hash": row.hash,
    }


def ids(pks: Collection[int], facts: Mapping[int, Fact]) -> list[str]:
    return [str(facts[pk].public_id) for pk in pks if pk in facts]


def acts_of_persons(*, visitor: Visitor, debate: Debate | None = None) -> QuerySet[ScoreChange]:
    """Return the entries that persons wrote: of one debate, which the visitor may read, or of those they may find.

    The index ``entry_of_a_person`` has them alone, and only their ids are read: so a page of a long log is quick, and
    what its lines show is read of these lines alone.
    """
    entries = ScoreChange.objects.exclude(actor_kind=ActorKind.ENGINE.value).only("pk")
    return entries.filter(logged(visitor, debate, "evaluation__debate"))


def logged(visitor: Visitor, debate: Debate | None, column: str = "debate") -> Q:
    """Select what is in the log of a debate, which the visitor may read, or in that of all those they may find."""
    if debate is not None:
        return Q(**{column: debate})
    return Q(**{f"{column}__in": findable_debates(visitor=visitor).values("pk")})


def lines_of(entries: Sequence[ScoreChange]) -> list[ShownEntry]:
    """Return entries as the log shows them: what they rest on stands in the account of each."""
    read = ScoreChange.objects.select_related(*ENTRIES).in_bulk([entry.pk for entry in entries])
    rows = [read[entry.pk] for entry in entries]
    appeals = appeals_about(rows)
    return [shown_entry(row, facts={}, appeals=appeals) for row in rows]


def broken_seals(*, visitor: Visitor, debate: Debate | None = None) -> QuerySet[BrokenSeal]:
    rows = BrokenSeal.objects.select_related("debate", "ballot__participant", "ballot__round", "by", "because")
    return rows.filter(logged(visitor, debate))


def replaced_judges(*, visitor: Visitor, debate: Debate | None = None) -> QuerySet[ReplacedJudge]:
    rows = ReplacedJudge.objects.select_related("debate", "judge", "successor", "by", "because")
    return rows.filter(logged(visitor, debate))


def role_of(actor: Actor) -> str:
    """Return in which role somebody acted, with their name where the site names moderators."""
    role = moderation_effect.role_of(actor.role, otherwise="a person")
    return f"{role} ({named(actor)})" if named(actor) else role


def decided_appeals(*, visitor: Visitor, debate: Debate | None = None) -> QuerySet[Appeal]:
    return (
        Appeal.objects.filter(DECIDED, logged(visitor, debate))
        .select_related(*SHOWN)
        .prefetch_related(ENTRIES_OF_SCORE)
    )
