"""Statements that append entries: valid ones, to change one column of."""

from scoring.enums import EntryKind

# What every entry says unless its kind, or an attack, says otherwise: the state stays as it is.
SAME = {
    "evaluation_id": "id",
    "confidence_after": "coalesce(confidence, initial_confidence)",
    "computed_after": "computed_score",
    "run_number": "run_number",
    "basis": "basis",
    "held": "held",
    "override_after": "override_score",
    "frozen_after": "frozen_at IS NOT NULL",
    "counted_after": "counted",
    "complete_after": "debate_complete",
    "rounds_after": "debate_round_count",
    "facts": "'{{}}'",
    "held_choice": "''",
    "actor_kind": "'engine'",
    "reason_code": "''",
    "idempotency_key": "''",
}
SIGNED = {"actor_kind": "'moderator'", "actor_id": "{actor}", "reason_id": "{reason}"}
JUDGED = {"round_id": "{%s_round}", "facts": "ARRAY[{%s_fact}]::bigint[]", "rounds_after": "debate_round_count + 1"}
NOTHING_COUNTS = {"basis": "'{{}}'", "computed_after": "initial_score", "confidence_after": "initial_confidence"}


def judged(name: str) -> dict[str, str]:
    return {column: value.replace("%s", name) for column, value in JUDGED.items()}


VALID: dict[EntryKind, tuple[str, dict[str, str]]] = {
    EntryKind.ROUND: ("played", {**judged("played"), "basis": "basis || {played_fact}", "computed_after": "8"}),
    EntryKind.HELD: ("frozen", {**judged("frozen"), "held": "held || {frozen_fact}"}),
    EntryKind.COMPLETED: ("played", {"complete_after": "true"}),
    EntryKind.FALLBACK: ("empty", {**NOTHING_COUNTS, "counted_after": "true", "reason_code": "'judge_failed'"}),
    EntryKind.OVERRIDE: ("played", {**SIGNED, "override_after": "4"}),
    EntryKind.OVERRIDE_LIFTED: ("overridden", {**SIGNED, "override_after": "NULL"}),
    EntryKind.FREEZE: ("played", {**SIGNED, "frozen_after": "true"}),
    EntryKind.UNFREEZE: ("frozen", {**SIGNED, "frozen_after": "false", "held_choice": "'apply'"}),
    EntryKind.STRIKE: ("played", {**SIGNED, **NOTHING_COUNTS, "facts": "basis"}),
    EntryKind.REINSTATE: (
        "struck",
        {**SIGNED, "facts": "ARRAY[{struck_out}]::bigint[]", "basis": "{struck_out} || basis", "computed_after": "7.5"},
    ),
    EntryKind.ROLLBACK: (
        "played",
        {**SIGNED, **NOTHING_COUNTS, "target_sequence": "1", "rounds_after": "0"},
    ),
    EntryKind.RERUN: (
        "played",
        {
            **SIGNED, **NOTHING_COUNTS, "computed_after": "NULL", "run_number": "run_number + 1",
            "counted_after": "false", "rounds_after": "0",
        },
    ),
}  # fmt: skip
"""For every kind but the first: an evaluation of the world that it may be written on, and what it says there."""


def entry(kind: EntryKind | str, /, on: str = "", **changes: str) -> str:
    """Return the statement that appends a valid entry of a kind, with some columns changed."""
    name, own = VALID.get(kind, ("played", {}))  # type: ignore[call-overload]
    columns = {**SAME, "kind": f"'{kind}'", **own, **changes}
    row = on or f"{{{name}}}"
    return (
        f"INSERT INTO scoring_scorechange ({', '.join(columns)}) SELECT {', '.join(columns.values())}"
        f" FROM scoring_evaluation WHERE id = {row}"
    )


NEWEST = "currval(pg_get_serial_sequence('scoring_evaluation', 'id'))"


def opening(**changes: str) -> str:
    """Return the statement that appends the opening entry of the newest evaluation."""
    return entry("opened", on=NEWEST, **changes)


def following(after: str = "{entry}", **changes: str) -> str:
    """Return the statement that appends, with triggers off, what the declarative constraints accept after an entry."""
    columns = {
        "evaluation_id": "evaluation_id",
        "sequence": "sequence + 1",
        "kind": "'completed'",
        "initial_score": "initial_score",
        "value_before": "value_after",
        "value_after": "value_after",
        "confidence_before": "confidence_after",
        "confidence_after": "confidence_after",
        "computed_before": "computed_after",
        "computed_after": "computed_after",
        "run_number": "run_number",
        "basis": "basis",
        "held": "held",
        "override_after": "override_after",
        "frozen_before": "frozen_after",
        "frozen_after": "frozen_after",
        "counted_after": "counted_after",
        "complete_after": "true",
        "rounds_after": "rounds_after",
        "facts": "'{{}}'",
        "facts_hash": "facts_hash",
        "held_choice": "''",
        "actor_kind": "'engine'",
        "reason_code": "''",
        "idempotency_key": "''",
        "previous_hash": "hash",
        "hash": "'nonsense'",
        **changes,
    }
    return (
        f"INSERT INTO scoring_scorechange ({', '.join(columns)}) SELECT {', '.join(columns.values())}"
        f" FROM scoring_scorechange WHERE id = {after}"
    )
