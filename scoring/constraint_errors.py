"""Names of the database's guards and what they mean to a caller. A name that is not here is a bug and is re-raised."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import DatabaseError, IntegrityError, OperationalError, transaction

from debates.errors import DomainError, Invalid, NotAllowedNow, NotPermitted
from debates.services import idempotency
from debates.types import LONGEST_REASON
from scoring.errors import ActedOnIt, AppealedAlready, ConflictOfInterest, Frozen, NotFrozen, Stale

LOST = (
    "You had acted on what was appealed against, or appealed, and an act on this score allowed the appeal. Until"
    " somebody else, who had not, decides on this score, you do not change it, nor approve that, nor end a freeze; to"
    " freeze or to unfreeze decides nothing."
)
LOST_BY_ASKER = (
    "Whoever asked for this override lost an appeal that was allowed by an act on this score, so it is not theirs to"
    " change. Nobody can approve it; refuse it."
)
REFUSALS: Mapping[str, tuple[type[DomainError], str]] = {
    "evaluation_is_frozen": (Frozen, "This score is frozen. Unfreeze it first."),
    "evaluation_is_not_frozen": (NotFrozen, "This score is not frozen."),
    "entry_is_stale": (Stale, "This score has changed meanwhile. Look again."),
    "entry_lifts_an_override": (Invalid, "There is no override to lift."),
    "entry_falls_back_only_over_nothing": (Invalid, "Rounds have counted, so there is nothing to fall back over."),
    "entry_of_rollback_names_its_target": (Invalid, "A rollback names an earlier entry of the same evaluation."),
    "entry_facts_belong_to_the_evaluation": (
        Invalid,
        "Strike facts that count now; reinstate facts of this run that do not count.",
    ),
    "entry_counts_one_round_of_a_panel": (
        Invalid,
        "What counts for a panel is of one round; facts of another cannot be put beside it.",
    ),
    "entry_of_rerun_opens_a_new_run": (Invalid, "Only criterion scores are rerun, each time under a new run number."),
    "evaluation_is_opened_while_its_debate_lasts": (
        NotAllowedNow,
        "The debate is over, and no further score is opened in it.",
    ),
    "evaluation_override_inside_instrument": (Invalid, "The value is outside the scale of this score."),
    "reason_has_ten_characters": (Invalid, "reason must have at least 10 visible characters."),
    "note_has_words": (Invalid, "note must have a character that can be seen."),
    "note_is_short_enough": (Invalid, f"note must have at most {LONGEST_REASON} characters."),
    "note_has_no_control_characters": (Invalid, "note must not hold control characters."),
    "judge_has_no_other_part_in_the_debate": (
        ConflictOfInterest,
        "Whoever has another part in a debate, or a declared conflict, or broke a seal there, does not judge in it.",
    ),
    "judge_does_not_organise_the_debate": (
        ConflictOfInterest,
        "Whoever created or organises a debate does not judge in it.",
    ),
    "seal_is_broken_before_its_round_closes": (NotAllowedNow, "This ballot counts already and has no seal."),
    "actor_has_a_name": (NotPermitted, "Nothing can be seen of the name of this account, so it signs nothing."),
    "nobody_acts_whose_account_is_closed": (NotPermitted, "This account is closed."),
    "no_party_moderates_its_debate": (
        ConflictOfInterest,
        "Whoever speaks or judges in a debate, was invited to, or has a declared conflict does not moderate it.",
    ),
    "organiser_moderates_where_the_site_says_so": (
        ConflictOfInterest,
        "Whoever created or organises a debate does not moderate it on this site. Somebody else has to.",
    ),
    "conflict_is_not_withdrawn_by_its_person": (
        ConflictOfInterest,
        "A conflict that somebody else declared is not withdrawn by whom it is about.",
    ),
    "appeal_is_decided_by_somebody_who_did_not_act": (
        ActedOnIt,
        "Whoever did what an appeal is against, asked for it or approved it, or appeals, does not decide it.",
    ),
    "appeal_is_not_undone_by_who_lost_it": (ActedOnIt, LOST),
    "appeal_names_the_act_that_allows_it": (
        NotAllowedNow,
        "That act allows no appeal: it stands no more, or was outdone once before it was named.",
    ),
    "appeal_once_per_person_and_entry": (AppealedAlready, "You have appealed against this already."),
    "round_counts_once_per_evaluation": (Invalid, "This round has been counted already."),
    "fact_arrives_before_its_round_counts": (Invalid, "This round has been counted already."),
    "rubric_version_once_per_slug": (Stale, "Somebody has stored this rubric meanwhile. Look again."),
    "rubric_versions_have_no_gap": (Stale, "Somebody has stored this rubric meanwhile. Look again."),
    "verdict_once_per_challenge_and_round": (Invalid, "This challenge has been judged in this round already."),
    "verdict_adjustment_inside_limits": (Invalid, "adjustment must be from -3 to 3."),
    "verdict_impact_inside_limits": (Invalid, "impact must be from -0.3 to 0.3."),
    "verdict_has_two_places": (Invalid, "adjustment and impact have at most 2 decimal places."),
}


def guard_of(error: DatabaseError) -> str | None:
    """Return the name of the constraint or trigger that refused a statement, if it gave one."""
    name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
    return name if isinstance(name, str) else None


@idempotency.refuse_by
@contextmanager
def refusals() -> Iterator[None]:
    """Run statements and turn the guards that speak to callers into refusals; the transaction around them is lost.

    Raises: the ``DomainError`` that ``REFUSALS`` gives for the guard; any other database error as it is.
    """
    try:
        with transaction.atomic(savepoint=False):
            yield
    except (IntegrityError, OperationalError) as error:
        name = guard_of(error)
        if name is None or name not in REFUSALS:
            raise
        refusal, message = REFUSALS[name]
        raise refusal(message, guard=name) from error
