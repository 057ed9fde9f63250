"""The result document of an open debate."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from debates.models import Debate, Participant
from debates.types import Status
from judging import readings
from judging.models import ResponseEvaluation, Synthesis
from judging.outcomes import Seat, Stands, as_it_stands, state_told, told
from judging.rules import standing
from judging.tables import wording
from scoring.models import Evaluation
from scoring.services.entries import text as shown
from scoring.types import Instrument


def document(*, debate: Debate) -> dict[str, Any]:
    """Return the result document of an open debate.

    Source: docs/reference/results.md#open-debates
    """
    synthesis = Synthesis.objects.filter(debate=debate).select_related("turn").last()
    ended = as_it_stands(debate=debate)
    result = ended.result
    broken = set(
        ResponseEvaluation.objects.filter(turn__debate=debate, violations__gt=0).values_list("fact_id", flat=True)
    )
    return {
        "format": debate.format,
        "debate": {
            "id": str(debate.public_id),
            "title": debate.title,
            "motion": debate.motion,
            "format": debate.format,
            "status": debate.status,
            "partial": debate.partial,
            "partialReason": debate.partial_reason,
            "rounds": debate.rounds,
        },
        "sentence": wording.sentence(
            result=result,
            exchanges=ended.exchanges,
            surrendered=[one.name for one in ended.seats if not one.active],
            over=debate.status == Status.CONCLUDED.value,
        ),
        **{name: value for name, value in told(ended=ended).items() if name != "overall"},
        "participants": [
            participant(one, ended=ended, parameters=debate.parameters, broken=broken) for one in ended.seats
        ],
        "judgedBy": judged_by(debate=debate),
        "fairness": readings.of_debate(debate=debate),
        "synthesis": synthesis.turn.text if synthesis else None,
    }


def participant(
    one: Seat, *, ended: Stands, parameters: Mapping[str, Any], broken: Collection[int | None]
) -> dict[str, Any]:
    """Return one chair as the result document carries it, with where it started and its accounts.

    Shape: ``broken`` are the facts of responses that broke with a framework.
    """
    card = next(card for card in parameters["table"]["chairs"] if card["name"] == one.name)
    return {
        "id": one.public_id,
        "name": one.name,
        "framework": one.framework or None,
        "strategy": one.strategy,
        "start": {"stance": shown(Decimal(card["stance"])), "conviction": shown(Decimal(card["conviction"]))},
        **state_told(one),
        "surrenderedTo": one.surrendered_to,
        "bands": bands_told(one, ended=ended),
        "standing": account_told(ended.account(one, Instrument.STANDING), parts=ended.parts),
        "adherence": account_told(ended.account(one, Instrument.ADHERENCE), parts={}),
        "consistent": consistent(ended.account(one, Instrument.ADHERENCE), broken=broken),
    }


def consistent(account: Evaluation | None, *, broken: Collection[int | None]) -> bool | None:
    """Tell whether none of a chair's responses that count broke with its framework; nothing where none counts."""
    if account is None or not account.basis:
        return None
    return not any(fact in broken for fact in account.basis)


def bands_told(one: Seat, *, ended: Stands) -> dict[str, str | None]:
    """Return in words how persuasive a chair was and how it bore attacks, as of the last whole exchange."""
    standings = ended.result.standings if ended.result else ()
    bands = next((found.bands for found in standings if found.name == one.name), standing.Bands())
    return {"persuasion": bands.persuasion, "resistance": bands.resistance}


def account_told(one: Evaluation | None, *, parts: Mapping[int, Mapping[str, str]]) -> dict[str, Any] | None:
    """Return an account as the result document carries it; nothing where none was opened.

    Shape: ``parts`` are what standings are made of, by fact; the newest that counts is told.
    """
    if one is None:
        return None
    counted = [fact for fact in one.basis if fact in parts]
    return {
        "evaluation": str(one.public_id),
        "computed": shown(one.computed_score),
        "override": shown(one.override_score),
        "final": shown(one.final_score),
        "frozen": one.frozen_at is not None,
        "parts": {name: shown(Decimal(value)) for name, value in parts[max(counted)].items()} if counted else {},
    }


def judged_by(*, debate: Debate) -> list[dict[str, str]]:
    """Return who spoke and judged, by provider and model: its name is on everything it did."""
    rows = Participant.objects.filter(debate=debate).order_by("position")
    return [{"role": one.role, "name": one.name, "provider": one.provider, "model": one.model} for one in rows]
