"""Limits of money are of use only where it is known what a call costs: looked at before a debate is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from debates.errors import Invalid
from debates.types import Format, Role
from judging.errors import ProviderError
from judging.providers.endpoints import unpriced
from judging.spec import Limits
from judging.types import Purpose

PRICED = "openai"
"""The provider whose calls cost what a table of prices says."""
ASKED: Mapping[Format, Mapping[Role, tuple[Purpose, ...]]] = {
    Format.CRITERION: {
        Role.EVALUATOR: (Purpose.ASSESS, Purpose.DEFEND),
        Role.CHALLENGER: (Purpose.CHALLENGE, Purpose.PRESS),
        Role.ARBITER: (Purpose.JUDGE, Purpose.SYNTHESISE),
    },
    Format.OPEN: {
        Role.CHAIR: (Purpose.OPEN, Purpose.RESPOND),
        Role.ARBITER: (Purpose.INTRODUCE, Purpose.EVALUATE, Purpose.INFLUENCE, Purpose.INTERJECT, Purpose.SUM_UP),
    },
    Format.PANEL: {Role.JUDGE: (Purpose.ANALYSE, Purpose.ARGUE), Role.ARBITER: (Purpose.REPORT,)},
}
"""What a voice may be asked for: settings may name a model for each."""


def check_limits(*, limits: Limits, of: Format, voices: Iterable[tuple[Role, str, str]]) -> None:
    """Refuse a limit of money that would not hold, because nobody has said what a model costs.

    Shape: ``voices`` are role, provider and model.
    Raises: ``Invalid`` naming the model, or what is not set.
    Source: docs/reference/debates.md#budget
    """
    if limits.money is None:
        return
    for role, provider, model in voices:
        for purpose in ASKED[of][role] if provider == PRICED else ():
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
