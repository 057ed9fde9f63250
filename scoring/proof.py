"""The proof of one evaluation: its chain, hashes, states and scores again from the facts, trusting no column."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from debates.decimals import plain
from debates.errors import DomainError
from debates.types import ThreadStatus
from scoring import hashing, reach_proof
from scoring.enums import MODERATOR_KINDS, ActorKind, EntryKind, HeldChoice, ReasonCode
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.rules import criterion, transitions
from scoring.rules.transitions import State
from scoring.services.computing import compute_from, parameters_of, verdict_facts
from scoring.services.entries import state_after, state_of
from scoring.types import Instrument, Parameters

ROUNDS = frozenset({EntryKind.ROUND, EntryKind.HELD})
BRINGS_FACTS = ROUNDS | {EntryKind.OPENED}
ONLY_FROZEN = frozenset({EntryKind.HELD, EntryKind.UNFREEZE})
EVEN_FROZEN = ONLY_FROZEN | {EntryKind.COMPLETED}
COUNTED_AT_THE_END = frozenset({ThreadStatus.COMPLETE, ThreadStatus.PARTIAL, ThreadStatus.FAILED})

Check = tuple[str, object, object]
"""What would be wrong, what is expected, what was found."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not agree: where, at which entry, what was expected and what was found.

    Shape: a fault of an account names its ``evaluation``; one of a row or a log its ``debate``, where it has one, and
    the ``row``.
    """

    evaluation: str
    entry: int | None
    what: str
    expected: str = ""
    found: str = ""
    debate: str = ""
    row: str = ""

    def __str__(self) -> str:
        named = {"evaluation": self.evaluation, "entry": self.entry, "debate": self.debate, "": self.row}
        place = ", ".join(f"{word} {name}".strip() for word, name in named.items() if name) or "no evaluation"
        values = f": expected {self.expected}, found {self.found}" if self.expected or self.found else ""
        return f"{place}: {self.what}{values}"


def about_fact(fact: Fact, what: str, *, expected: str = "", found: str = "") -> Fault:
    """Return what is wrong about a fact, at the entry that brought it."""
    brought = ScoreChange.objects.filter(evaluation=fact.evaluation_id, facts__contains=[fact.pk]).order_by("sequence")
    place = brought.values_list("sequence", flat=True).first()
    return Fault(str(fact.evaluation.public_id), place, what, expected, found)


def line_of(*values: object) -> str:
    return ", ".join(plain(value) if isinstance(value, Decimal) else str(value) for value in values)


@dataclass(frozen=True)
class ProvedAccount:
    """Everything an evaluation's proof reads.

    Shape: ``chain`` in order; ``parts`` of each fact and ``parameters`` of the score as PostgreSQL prints them.
    """

    evaluation: Evaluation
    chain: Sequence[ScoreChange]
    facts: Mapping[int, Fact]
    parts: Mapping[int, str]
    parameters: str | None

    @cached_property
    def by_round(self) -> Mapping[tuple[int | None, int], tuple[int, ...]]:
        rounds: dict[tuple[int | None, int], tuple[int, ...]] = defaultdict(tuple)
        for fact_id in sorted(self.facts):
            fact = self.facts[fact_id]
            rounds[fact.round_id, fact.run_number] += (fact_id,)
        return rounds

    @cached_property
    def rules(self) -> Parameters:
        return parameters_of(self.evaluation)

    @cached_property
    def digest(self) -> str:
        """Return what every entry's hash says of whose score it is."""
        return hashing.account_hash(evaluation=self.evaluation, parameters=self.parameters)

    @property
    def name(self) -> str:
        return str(self.evaluation.public_id)

    @property
    def instrument(self) -> Instrument:
        return Instrument(self.evaluation.instrument)


def prove(account: ProvedAccount) -> list[Fault]:
    """Return what does not agree in one evaluation: its chain, its hashes, f, and the row that projects it.

    Source: docs/explanation/ledger.md, "Proof".
    """
    if not account.chain:
        return [Fault(account.name, None, "it has no opening entry")]
    faults: list[Fault] = []
    for index, entry in enumerate(account.chain):
        faults += _found(account.name, index + 1, lambda: _entry(account, index, entry))  # noqa: B023 -- called at once
    return faults + _found(account.name, account.chain[-1].sequence, lambda: _whole(account))


def _found(name: str, place: int, checks: Callable[[], Iterator[Check]]) -> list[Fault]:
    faults = []
    try:
        for what, expected, found in checks():
            if expected != found:
                faults.append(Fault(name, place, what, str(expected), str(found)))
    except (ArithmeticError, DomainError, LookupError, TypeError, ValueError) as error:
        faults.append(Fault(name, place, f"it cannot be recomputed ({type(error).__name__}: {error})"))
    return faults


def _entry(account: ProvedAccount, index: int, entry: ScoreChange) -> Iterator[Check]:
    before = account.chain[index - 1] if index else None
    yield "the sequence has a gap", index + 1, entry.sequence
    yield from _links(account, entry, before)
    yield from _hashes(account, entry, before)
    yield from _permitted(account, entry, account.chain[:index])
    yield "the state does not follow from its kind", _state(account, entry, account.chain[:index]), state_after(entry)
    yield from _scores(account, entry)
    yield from reach_proof.checks(account, entry, account.chain[:index])


def _links(account: ProvedAccount, entry: ScoreChange, before: ScoreChange | None) -> Iterator[Check]:
    evaluation = account.evaluation
    value = before.value_after if before else evaluation.initial_score
    yield "the value before is not the value after the entry before", value, entry.value_before
    yield "it was frozen otherwise before", before.frozen_after if before else False, entry.frozen_before
    yield "the computed score before is another", before.computed_after if before else None, entry.computed_before
    confidence = before.confidence_after if before else evaluation.initial_confidence
    yield "the confidence before is another", confidence, entry.confidence_before
    yield "the initial score is another", evaluation.initial_score, entry.initial_score
    earliest = max(evaluation.debate.created_at, before.at) if before else evaluation.debate.created_at
    yield "it is dated before the entry before it, or its debate", True, entry.at >= earliest
    yield "the delta is not after minus before", entry.value_after - entry.value_before, entry.delta
    known = [value for value in (entry.override_after, entry.computed_after, entry.initial_score) if value is not None]
    yield "the value is not override, else computed, else initial", known[0], entry.value_after
    start, end = (
        entry.initial_score if value is None else value for value in (entry.computed_before, entry.computed_after)
    )
    yield "the applied delta is not computed after minus before", end - start, entry.applied


def _hashes(account: ProvedAccount, entry: ScoreChange, before: ScoreChange | None) -> Iterator[Check]:
    previous = bytes(before.hash) if before else b""
    named = {*entry.basis, *entry.held, *entry.facts}
    yield "facts are missing", [], sorted(named - set(account.facts))
    known = sorted({*entry.basis, *entry.held} & set(account.facts))
    counted = hashing.facts_hash((account.facts[fact_id], account.parts[fact_id]) for fact_id in known)
    yield "a fact was changed", counted.hex(), bytes(entry.facts_hash).hex()
    yield "the chain is broken", previous.hex(), bytes(entry.previous_hash).hex()
    own = hashing.entry_hash(entry=entry, previous=previous, account=account.digest, facts=bytes(entry.facts_hash))
    yield "the hash is another", own.hex(), bytes(entry.hash).hex()


def _permitted(account: ProvedAccount, entry: ScoreChange, earlier: Sequence[ScoreChange]) -> Iterator[Check]:
    """Return whether an entry of its kind may stand where it stands."""
    kind = EntryKind(entry.kind)
    yield "an account is opened once, by its first entry", not earlier, kind is EntryKind.OPENED
    before = state_after(earlier[-1]) if earlier else State()
    allowed = EVEN_FROZEN if before.frozen else frozenset(EntryKind) - ONLY_FROZEN
    yield "it is of a kind that its frozen flag does not allow", True, kind in allowed
    yield "it is about other facts", _own(account, entry, before), tuple(entry.facts)
    brought = [account.facts[fact] for fact in entry.facts if kind in BRINGS_FACTS and fact in account.facts]
    threads = {fact.round.thread_id for fact in brought}
    yield "its round is of another thread", set(), threads - {account.evaluation.thread_id}
    if kind is EntryKind.REINSTATE and account.instrument is Instrument.PANEL:
        counted = {account.facts[fact].round_id for fact in entry.basis if fact in account.facts}
        yield "it makes several rounds of a panel count", 1, len(counted)
    if kind in ROUNDS:
        yield "it has no facts", True, bool(entry.facts)
    if kind in MODERATOR_KINDS:
        signed = entry.actor_id and entry.reason_id and entry.actor_kind != ActorKind.ENGINE.value
        yield "nobody signed it", True, bool(signed)
    if kind is EntryKind.FALLBACK:
        yield "it falls back over counted facts", False, before.counted
    if kind is EntryKind.OVERRIDE_LIFTED:
        yield "there was no override to lift", True, before.override is not None
    if kind is EntryKind.RERUN:
        highest = max((earlier_entry.run_number for earlier_entry in earlier), default=0)
        yield "its run is not the next one", highest + 1, entry.run_number


def _own(account: ProvedAccount, entry: ScoreChange, before: State) -> tuple[int, ...]:
    """Return the facts that an entry should be about."""
    kind = EntryKind(entry.kind)
    if kind in BRINGS_FACTS:
        return account.by_round.get((entry.round_id, entry.run_number), ()) if entry.round_id else ()
    if kind is EntryKind.UNFREEZE:
        return before.held
    if kind is EntryKind.STRIKE:
        return tuple(sorted(set(entry.facts) & set(before.basis)))
    if kind in {EntryKind.REINSTATE, EntryKind.FREEZE}:
        out = {fact_id for fact_id, fact in account.facts.items() if fact.run_number == before.run} - set(before.basis)
        return tuple(sorted(set(entry.facts) & out))
    return ()


def _state(account: ProvedAccount, entry: ScoreChange, earlier: Sequence[ScoreChange]) -> State:
    """Return the state that an entry should lead to, from its kind and the entries before it."""
    instrument = account.instrument
    kind = EntryKind(entry.kind)
    before = state_after(earlier[-1]) if earlier else State()
    own = _own(account, entry, before)
    if kind is EntryKind.OPENED:
        numbered = any(account.facts[fact_id].round.number > 0 for fact_id in own)
        return transitions.opened(instrument=instrument, facts=own, in_a_round=numbered)
    if kind is EntryKind.ROLLBACK:
        [target] = [earlier_entry for earlier_entry in earlier if earlier_entry.sequence == entry.target_sequence]
        ever = any(
            earlier_entry.counted_after for earlier_entry in earlier if earlier_entry.run_number == target.run_number
        )
        return transitions.rolled_back(target=state_after(target), ever_counted=ever)
    if kind is EntryKind.UNFREEZE:
        rounds = {fact_id: fact.round.number for fact_id, fact in account.facts.items()}
        choice, newest = HeldChoice(entry.held_choice), transitions.newest_of(facts=before.held, rounds=rounds)
        return transitions.unfrozen(before, instrument=instrument, choice=choice, newest=newest)
    steps: Mapping[EntryKind, Callable[[], State]] = {
        EntryKind.ROUND: lambda: transitions.counted_round(before, instrument=instrument, facts=own),
        EntryKind.HELD: lambda: transitions.held_round(before, facts=own),
        EntryKind.COMPLETED: lambda: transitions.completed(before),
        EntryKind.FALLBACK: lambda: transitions.fallen_back(before),
        EntryKind.OVERRIDE: lambda: transitions.overridden(before, value=entry.override_after or Decimal(0)),
        EntryKind.OVERRIDE_LIFTED: lambda: transitions.lifted(before),
        EntryKind.FREEZE: lambda: transitions.frozen(before, facts=own),
        EntryKind.STRIKE: lambda: transitions.struck(before, facts=own),
        EntryKind.REINSTATE: lambda: transitions.reinstated(before, facts=own),
        EntryKind.RERUN: lambda: transitions.rerun(run=entry.run_number),
    }
    return steps[kind]()


def _scores(account: ProvedAccount, entry: ScoreChange) -> Iterator[Check]:
    """Return whether an entry's scores are what f gives for the facts in its basis."""
    evaluation, parameters = account.evaluation, account.rules
    basis = [account.facts[fact] for fact in entry.basis if fact in account.facts]
    gives = compute_from(evaluation=evaluation, counted=entry.counted_after, facts=basis, parameters=parameters)
    yield "the computed score is not what the facts give", gives.score, entry.computed_after
    yield "the confidence is not what the facts give", gives.confidence, entry.confidence_after
    yield "the sum of the basis is not what the facts give", gives.cumulative_raw, entry.cumulative_raw
    yield "the capped net is not what the facts give", gives.capped_net, entry.capped_net
    own = [account.facts[fact] for fact in entry.facts if fact in account.facts]
    raw = None
    if account.instrument is Instrument.CRITERION and EntryKind(entry.kind) in ROUNDS:
        raw = criterion.raw_sum(facts=verdict_facts(own), weight_by_confidence=parameters.weight_by_confidence)
    yield "the raw sum is not what the facts give", raw, entry.raw_sum
    if entry.sequence == 1 and own:
        yield "the initial score is not what the first facts give", gives.score, entry.initial_score


def _whole(account: ProvedAccount) -> Iterator[Check]:
    """Return whether the evaluation's row is the projection of its last entry, and no fact is left over."""
    evaluation, chain = account.evaluation, account.chain
    last = chain[-1]
    final = last.override_after if last.override_after is not None else last.computed_after
    yield "the evaluation is at another version than its ledger", last.sequence, evaluation.version
    yield "the evaluation's state is not that of its last entry", state_after(last), state_of(evaluation)
    yield "the evaluation's computed score is another", last.computed_after, evaluation.computed_score
    yield "the evaluation's final score is another", final, evaluation.final_score
    yield "the evaluation's confidence is another", last.confidence_after, evaluation.confidence
    yield "the evaluation's head is another", bytes(last.hash).hex(), bytes(evaluation.head_hash).hex()
    moderated = [entry.sequence for entry in chain if entry.actor_kind != ActorKind.ENGINE.value]
    yield "the moderation version is another", moderated[-1] if moderated else 0, evaluation.moderation_version
    froze = [entry.at for entry in chain if entry.kind == EntryKind.FREEZE.value]
    yield "it was frozen at another time", froze[-1] if last.frozen_after else None, evaluation.frozen_at
    updates = [entry.at for entry in chain if entry.delta or entry.applied or entry.kind in ("round", "fallback")]
    yield "the time of its last update is another", updates[-1] if updates else None, evaluation.last_score_update
    total = sum((entry.delta for entry in chain), Decimal(0))
    yield "the deltas do not add up to value minus initial", evaluation.value - evaluation.initial_score, total
    brought = {fact for entry in chain if entry.kind in BRINGS_FACTS for fact in entry.facts}
    left = (fact for pk, fact in account.facts.items() if pk not in brought and not _waits(account, fact))
    yield "facts were brought by no entry", [], sorted(fact.pk for fact in left)
    yield from _of_something(account)


def _of_something(account: ProvedAccount) -> Iterator[Check]:
    """Return whether the debate has what is scored. What was judged is looked for behind each fact, by other apps."""
    evaluation = account.evaluation
    if account.instrument is Instrument.CRITERION:
        yield "its key is not that of its thread", evaluation.thread.key, evaluation.key
        runs = max(entry.run_number for entry in account.chain)
        yield "its thread is in another run than its ledger", runs, evaluation.thread.run_number
    rubric = evaluation.debate.parameters.get("rubric")
    if rubric and account.instrument in {Instrument.CRITERION, Instrument.PANEL}:
        codes = [card["code"] for card in rubric["criteria"]]
        yield "it is of no criterion of its debate", True, evaluation.key in codes


def _waits(account: ProvedAccount, fact: Fact) -> bool:
    """Say whether a fact may be in no entry: its debate counts at the end, and the end of its run has not come.

    It never comes to a run that was cancelled, or whose end could not be written down: such facts wait for ever.
    """
    evaluation = account.evaluation
    play = evaluation.debate.parameters.get("play")
    if not isinstance(play, dict) or play.get("score_updates") != "at_end":
        return False
    unrecorded = evaluation.thread.ended_because == ReasonCode.NOT_RECORDED
    if unrecorded or fact.run_number < evaluation.thread.run_number:
        return not any(entry.round_id and entry.run_number == fact.run_number for entry in account.chain)
    return evaluation.thread.status not in COUNTED_AT_THE_END
