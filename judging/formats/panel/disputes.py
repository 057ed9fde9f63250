"""Opening the review of a panel that came to no end by itself. A block of whoever closes its last round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from debates.errors import Invalid
from debates.models import Debate
from debates.types import News
from judging.models import Review
from judging.types import ReviewReason


@dataclass(frozen=True, slots=True)
class Dispute:
    """What is put before a person: after which round of which run, why, and which criteria are to be decided."""

    run_number: int
    round_number: int
    reason_code: ReviewReason
    disputed: Sequence[str]
    policy: Mapping[str, Any]


@transaction.atomic(savepoint=False)
def open_review(*, debate: Debate, dispute: Dispute, now: datetime) -> tuple[Review, list[News]]:
    """Open the review of a locked debate, or return the one there is: what a person settled is never opened again.

    Raises: ``Invalid`` when nothing is in dispute.
    Source: docs/reference/moderation.md, "Reviews".
    """
    if not dispute.disputed:
        raise Invalid("disputed must name at least one criterion.")
    about = {"debate": debate, "run_number": dispute.run_number, "round_number": dispute.round_number}
    review, created = Review.objects.get_or_create(
        **about,
        defaults={
            "reason_code": dispute.reason_code.value,
            "disputed": list(dict.fromkeys(dispute.disputed)),
            "policy": dict(dispute.policy),
            "opened_at": now,
        },
    )
    if not created:
        return review, []
    data = {"reason": review.reason_code, "criteria": review.disputed, "round": review.round_number}
    return review, [News("review:opened", {"review": str(review.public_id), **data})]
