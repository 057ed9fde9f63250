"""What a round is recorded on and what it says: the same for every way of recording it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from debates.decimals import in_places
from debates.types import News
from judging.engine import selectors
from judging.formats.criterion.parsing import Ruled
from judging.formats.state import Brief
from judging.models import Challenge
from judging.types import Winner
from scoring.models import Evaluation

RULED = (
    Ruled(
        "C1", Winner.EVALUATOR, Decimal("0.5"), Decimal("0.02"), Decimal(1), "The reply names the wells and the year."
    ),
    Ruled(
        "C2", Winner.RED_TEAM, Decimal("-0.3"), Decimal("-0.01"), Decimal(1), "Nothing is said about who pays later."
    ),
    Ruled("C3", Winner.EVALUATOR, Decimal("0.25"), Decimal(0), Decimal(1), "Ten farmers is evidence, if not much."),
)


@dataclass(frozen=True)
class Ground:
    """An account to record rounds on: the ids of its rows."""

    brief: Brief
    thread: int
    evaluation: int
    key: str
    challenges: tuple[int, ...]


def grounds(debate_id: int) -> list[Ground]:
    """Return the accounts of a debate in order."""
    brief = selectors.brief(debate_id)
    return [
        Ground(
            brief=brief,
            thread=account.thread_id,
            evaluation=account.pk,
            key=account.key,
            challenges=tuple(
                Challenge.objects.filter(thread=account.thread_id).order_by("label").values_list("pk", flat=True)
            ),
        )
        for account in Evaluation.objects.filter(debate_id=debate_id).order_by("position")
    ]


def opening(ground: Ground, number: int) -> News:
    return News("round:started", {"criterion": ground.key, "round": number, "run": 1})


def closing(ground: Ground, number: int, score: str | None) -> News:
    about = {"criterion": ground.key, "round": number, "run": 1, "totalRounds": ground.brief.rounds}
    return News("round:complete", {**about, "score": score, "unanswered": []})


def verdict_news(ground: Ground, number: int, public_ids: Sequence[str]) -> list[News]:
    return [
        News(
            "verdict:issued",
            {
                "verdict": public_id,
                "criterion": ground.key,
                "round": number,
                "challenge": ruled.label,
                "winner": ruled.winner.value,
                "adjustment": in_places(ruled.adjustment),
                "impact": in_places(ruled.impact),
            },
        )
        for ruled, public_id in zip(RULED, public_ids, strict=True)
    ]
