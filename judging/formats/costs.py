"""What a debate costs before it starts: how many calls, and whether its limits can be kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Avg, DecimalField, F

from debates.decimals import plain
from debates.errors import Invalid, about
from debates.models import Debate, Participant
from debates.types import Role
from judging.errors import ProviderError
from judging.formats.spec import Limits
from judging.models import Call
from judging.providers.endpoints import A_MILLION, endpoint_of, unpriced
from judging.rules import fairness
from judging.rules.fairness import Fairness
from judging.types import Outcome, Purpose
from scoring.rules.numbers import half_up


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
Others = Mapping[Participant, int]
"""Who is asked for what judges nothing, and how often."""


def calls(*, debate: Debate, judged: Asked, others: Others, provider: str = "") -> int:
    """Return how many calls a debate takes at most, of all providers or of one; ``judged`` as in ``expected``."""
    judgements = fairness.of(debate.parameters).judgements
    asked = [*others.items(), *((judge, judgements * times) for (judge, _), times in judged.items())]
    return sum(times for voice, times in asked if provider in ("", voice.provider))


def expected(*, debate: Debate, judged: Asked, others: Others) -> Cost:
    """Return what a debate will cost at most.

    Shape: ``judged`` is as often as if it were judged once.
    Source: docs/reference/fairness.md#what-it-costs
    """
    options = fairness.of(debate.parameters)
    extra = {asked: (options.judgements - 1) * times for asked, times in judged.items()}
    kinds = [((judge.provider, judge.model, purpose), times) for (judge, purpose), times in extra.items() if times]
    means_of = {kind: usual_of(*kind) for kind in {kind for kind, _ in kinds}}
    usual = [(means_of[kind], times) for kind, times in kinds]
    tokens = [None if means is None else means[0] * times for means, times in usual]
    money = [None if means is None else means[1] * times for means, times in usual]
    return Cost(
        fairness=options,
        calls=calls(debate=debate, judged=judged, others=others),
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


def usual_of(provider: str, model: str, purpose: Purpose | None = None) -> tuple[Decimal, Decimal] | None:
    """Return the mean tokens and money of earlier calls of a model, for a purpose or any, if there were any.

    It reads every call of the model there ever was: ask once for each model.
    """
    before = Call.objects.filter(provider=provider, participant__model=model, outcome=Outcome.USED.value, known=False)
    if purpose is not None:
        before = before.filter(purpose=purpose.value)
    means = before.aggregate(
        tokens=Avg(F("tokens_in") + F("tokens_out"), output_field=DecimalField()),
        money=Avg("cost", output_field=DecimalField()),
    )
    return None if means["tokens"] is None else (means["tokens"], means["money"])


def _sum(parts: list[Decimal | None], *, places: int) -> Any:
    if any(part is None for part in parts):
        return None
    whole = half_up(sum((part for part in parts if part is not None), Decimal(0)), places=places)
    return int(whole) if not places else whole


def of_role(debate: Debate, role: Role) -> list[Judge]:
    """Return who has a role in a debate, in speaking order."""
    return list(debate.participants.filter(role=role.value).order_by("position"))


# Limits of money are of use only where it is known what a call costs: looked at before a debate is written.


PRICED = "openai"
"""The provider whose calls cost what a table of prices says."""


LEAST_QUESTION = 100
"""Tokens that any question of ours has, whatever the model."""
READ, LETTERS = 20_000, 8
"""Characters of a text that somebody reads before the first score, and characters that a token has at most, usually."""


def check_limits(
    *,
    limits: Limits,
    purposes: Mapping[Role, Sequence[Purpose]],
    voices: Sequence[tuple[Role, str, str]],
    first: Mapping[Role, int],
    text: str,
) -> None:
    """Refuse limits that would not hold, for nobody has said what a model costs, or that end before anything counts.

    Shape: ``purposes`` is what each role may be asked for; ``voices`` are role, provider and model; ``first`` is how
    often each voice of a role is asked before anything can count, ``text`` what they are asked about.
    Raises: ``Invalid`` naming the limit, and the model, or what is not set.
    Source: docs/reference/debates.md#budget
    """
    models = [(role, model) for role, provider, model in voices if provider == PRICED]
    if limits.money is not None:
        with about("limits.money"):
            for role, model in models:
                for purpose in purposes[role]:
                    _check_price(purpose=purpose, model=model)
    asked = [(role, model, first[role]) for role, model in models if first.get(role)]
    if not asked:
        return
    reading = min(len(text), READ) // LETTERS
    tokens = reading + LEAST_QUESTION * sum(times for _, _, times in asked)
    if limits.tokens is not None and limits.tokens < tokens:
        raise _too_little("tokens", tokens, limit=limits.tokens)
    if limits.money is not None:
        prices = {(role, model): _cheapest(purposes[role], model=model) for role, model, _ in asked}
        millionths = min(prices.values()) * reading
        millionths += sum(prices[role, model] * LEAST_QUESTION * times for role, model, times in asked)
        if limits.money * A_MILLION < millionths:
            raise _too_little("money", plain(half_up(millionths / A_MILLION, places=6)), limit=plain(limits.money))


def _too_little(name: str, least: object, *, limit: object) -> Invalid:
    why = "so much goes to what models read before the first score"
    message = f"limits: {name} must be at least {least}, or nothing could count: {why}; got {limit}."
    return Invalid(message, field=f"limits.{name}")


def _cheapest(purposes: Sequence[Purpose], *, model: str) -> Decimal:
    """Return the lowest price at which a model reads, of those that may be asked."""
    endpoints = (endpoint_of(purpose=purpose, model=model) for purpose in purposes)
    return min(price.tokens_in for endpoint, chosen in endpoints if (price := endpoint.price(chosen)))


def usual_price(questions: Iterable[tuple[Purpose, str]], *, tokens_in: int, tokens_out: int) -> Decimal | None:
    """Return what the dearest of some questions costs by the prices that are set; nothing where one has none."""
    costs = []
    for purpose, model in questions:
        try:
            endpoint, chosen = endpoint_of(purpose=purpose, model=model)
        except ProviderError:
            return None
        if endpoint.price(chosen) is None:
            return None
        costs.append(endpoint.cost(chosen, tokens_in=tokens_in, tokens_out=tokens_out))
    return max(costs, default=None)


def _check_price(*, purpose: Purpose, model: str) -> None:
    try:
        unpriced_model = unpriced(purpose=purpose, model=model)
    except ProviderError as error:
        raise Invalid(f"limits: money cannot be kept: {error}") from error
    if unpriced_model:
        raise Invalid(
            f"limits: money would not hold {unpriced_model}, which has no price. Add its price to "
            "MOOT_LLM_PRICES, or to the prices of its endpoint, or limit tokens or calls instead."
        )
