"""What a debate may still spend. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Amounts:
    """Calls, tokens and money; as a limit, nothing means without limit."""

    calls: int | None = 0
    tokens: int | None = 0
    money: Decimal | None = Decimal(0)

    def times(self, count: int) -> Amounts:
        return Amounts((self.calls or 0) * count, (self.tokens or 0) * count, (self.money or Decimal(0)) * count)

    def plus(self, more: Amounts) -> Amounts:
        return Amounts(
            (self.calls or 0) + (more.calls or 0),
            (self.tokens or 0) + (more.tokens or 0),
            (self.money or Decimal(0)) + (more.money or Decimal(0)),
        )


def may_spend(*, limits: Amounts, spent: Amounts, reserved: Amounts, cost: Amounts) -> bool:
    """Say whether ``cost`` fits: a limit that is reached, or would be passed, says no.

    Source: docs/reference/debates.md, "Budget".
    """
    return all(
        _fits(limit, *parts)
        for limit, *parts in [
            (limits.calls, spent.calls, reserved.calls, cost.calls),
            (limits.tokens, spent.tokens, reserved.tokens, cost.tokens),
            (limits.money, spent.money, reserved.money, cost.money),
        ]
    )


def _fits(
    limit: int | Decimal | None, spent: int | Decimal | None, reserved: int | Decimal | None, cost: int | Decimal | None
) -> bool:
    if limit is None:
        return True
    used = Decimal(spent or 0) + Decimal(reserved or 0)
    return used < limit and used + Decimal(cost or 0) <= limit
