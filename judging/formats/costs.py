"""What a debate costs before it starts: how many calls, and whether its limits can be kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Avg, DecimalField, F

from debates.errors import Invalid
from debates.models import Debate, Participant
from debates.types import Role
from judging.errors import ProviderError
from judging.formats.spec import Limits
from judging.models import Call
from judging.providers.endpoints import unpriced
from judging.rules import fairness
from judging.rules.fairness import Fairness
from judging.types import Outcome, Purpose
from scoring.rules.numbers import half_up

# What a debate will cost at most, and how much of that its fairness options add. Known before it starts.


@dataclass(frozen=True, slots=True)
class Cost:
    """What a debate needs if nothing fails and nobody gives up.

    Units: ``calls`` in all; ``extra_calls``, ``extra_tokens`` and ``extra_money`` are what judging everything several
    times adds. Tokens and money go by what such calls took before; ``None`` where the judge was never asked such a
    thing.
    """

    fairness: Fairness
    calls: int
    extra_calls: int
    extra_tokens: int | None
    extra_money: Decimal | None


Judge = Participant
Asked = Mapping[tuple[Judge, Purpose], int]
"""What is judged, by whom, and how often."""


def expected(*, debate: Debate, judged: Asked, others: int) -> Cost:
    """Return what a debate will cost at most.

    Shape: ``judged`` is as often as if it were judged once; ``others`` are the calls that judge nothing.
    Source: docs/reference/fairness.md#what-it-costs
    """
    wanted = fairness.of(debate.parameters)
    extra = {one: (wanted.judgements - 1) * times for one, times in judged.items()}
    usual = [(usual_of(judge=judge, purpose=purpose), times) for (judge, purpose), times in extra.items() if times]
    tokens = [None if one is None else one[0] * times for one, times in usual]
    money = [None if one is None else one[1] * times for one, times in usual]
    return Cost(
        fairness=wanted,
        calls=others + wanted.judgements * sum(judged.values()),
        extra_calls=sum(extra.values()),
        extra_tokens=_sum(tokens, places=0),
        extra_money=_sum(money, places=6),
    )


def told(cost: Cost) -> str:
    lines = f"At most {cost.calls} calls, if nothing fails."
    if not cost.fairness.several:
        return lines
    known = [] if cost.extra_tokens is None else [f"{cost.extra_tokens} tokens", f"{cost.extra_money} in money"]
    by = f", by earlier calls about {' and '.join(known)}" if known else "; what they cost is not known yet"
    times = f"{cost.fairness.judgements} times"
    return f"{lines} {cost.extra_calls} of them because everything is judged {times}{by}."


def usual_of(*, judge: Judge, purpose: Purpose) -> tuple[Decimal, Decimal] | None:
    """Return the mean tokens and money of a judge's earlier calls; nothing where it was never asked such a thing."""
    before = Call.objects.filter(
        provider=judge.provider, purpose=purpose.value, outcome=Outcome.USED.value, known=False
    )
    if judge.model:
        before = before.filter(participant__model=judge.model)
    found = before.aggregate(
        tokens=Avg(F("tokens_in") + F("tokens_out"), output_field=DecimalField()),
        money=Avg("cost", output_field=DecimalField()),
    )
    return None if found["tokens"] is None else (found["tokens"], found["money"])


def _sum(parts: list[Decimal | None], *, places: int) -> Any:
    if any(one is None for one in parts):
        return None
    whole = half_up(sum((one for one in parts if one is not None), Decimal(0)), places=places)
    return int(whole) if not places else whole


def of_role(debate: Debate, role: Role) -> list[Judge]:
    """Return who has a role in a debate, in speaking order."""
    return list(debate.participants.filter(role=role.value).order_by("position"))


# Limits of money are of use only where it is known what a call costs: looked at before a debate is written.


PRICED = "openai"
"""The provider whose calls cost what a table of prices says."""


def check_limits(
    *, limits: Limits, purposes: Mapping[Role, Sequence[Purpose]], voices: Iterable[tuple[Role, str, str]]
) -> None:
    """Refuse a limit of money that would not hold, because nobody has said what a model costs.

    Shape: ``purposes`` is what each role may be asked for; ``voices`` are role, provider and model.
    Raises: ``Invalid`` naming the model, or what is not set.
    Source: docs/reference/debates.md#budget
    """
    if limits.money is None:
        return
    for role, provider, model in voices:
        for purpose in purposes[role] if provider == PRICED else ():
            _check_price(purpose=purpose, model=model)


def _check_price(*, purpose: Purpose, model: str) -> None:
    try:
        found = unpriced(purpose=purpose, model=model)
    except ProviderError as error:
        raise Invalid(f"limits: money cannot be kept: {error}") from error
    if found:
        raise Invalid(
            f"limits: money would not hold {found}, which has no price. Add its price to MOOT_LLM_PRICES, or to the "
            "prices of its endpoint, or limit tokens or calls instead."
        )
