"""Opening score accounts, and closing them when their thread has ended. Building blocks of whoever plays."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from django.db import transaction
from django.db.models import F
from django.db.models.fields.json import KeyTextTransform

from debates import prepared_statements
from debates.decimals import in_places
from debates.errors import option
from debates.models import Round
from debates.types import News
from scoring.constraint_errors import refusals
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.rules import transitions
from scoring.rules.numbers import decimal_of
from scoring.services import rounds
from scoring.services.entries import ENGINE, Author, Posted, post, state_of
from scoring.services.rounds import Counted
from scoring.types import Instrument


def checked_initial(*, score: object, confidence: object, where: str) -> tuple[Decimal, Decimal]:
    """Return an initial criterion score and confidence.

    Units: score 1..10, confidence 0..1, at most 2 places each.
    Raises: ``Invalid`` naming the field, its place and what is allowed.
    """
    with option("score"):
        value = decimal_of(score, name=f"{where}: initial score", low=Decimal(1), high=Decimal(10), places=2)
    with option("confidence"):
        sure = decimal_of(confidence, name=f"{where}: initial confidence", low=Decimal(0), high=Decimal(1), places=2)
    return value, sure


@transaction.atomic(savepoint=False)
def open_criterion(*, evaluation: Evaluation, author: Author = ENGINE) -> None:
    """Write an account with its first entry: computed and final stay empty until a round or a fallback."""
    with refusals():
        evaluation.save(force_insert=True)
    state = transitions.opened(instrument=Instrument(evaluation.instrument), facts=(), in_a_round=False)
    post(evaluation=evaluation, kind=EntryKind.OPENED, state=state, author=author)


@transaction.atomic(savepoint=False)
def open_in_round(*, evaluation: Evaluation, round: Round, new_facts: Sequence[rounds.Given], now: datetime) -> Counted:
    """Write an account with what the first judgements gave; it counts at once. Round 0 is before the first round.

    Shape: ``new_facts`` is not empty; the account's initial score is what f gives for it.
    """
    evaluation.created_at = now
    prepared_statements.insert([evaluation])
    facts = rounds.keep(evaluation=evaluation, round=round, new_facts=new_facts, now=now)
    own = [fact.pk for fact in facts]
    instrument = Instrument(evaluation.instrument)
    state = transitions.opened(instrument=instrument, facts=own, in_a_round=round.number > 0)
    posted = post(
        evaluation=evaluation, kind=EntryKind.OPENED, state=state, author=ENGINE, known=facts, round=round, facts=own
    )
    news_items = [*posted.news, *rounds.progress(evaluation=evaluation, round=round, posted=posted)]
    return Counted(tuple(facts), posted, tuple(news_items))


def lock(*, evaluations: Iterable[int]) -> list[Evaluation]:
    """Lock evaluations by ascending id and return them in that order, with what play reads of their debates.

    Every round that is recorded comes by here.
    """
    evaluation_ids = list(evaluations)
    ahead: dict[int, Evaluation] = getattr(_here, "locked", {})
    if ahead.keys() >= set(evaluation_ids):
        return [ahead[pk] for pk in sorted(set(evaluation_ids))]
    return prepared_statements.read(Evaluation, locking(), [evaluation_ids], *READ_WITH)


def lock_of_thread(thread_id: int) -> list[Evaluation]:
    """Lock the evaluations of a locked thread, to which none is added any more, as ``lock`` does."""
    ahead: dict[int, Evaluation] = getattr(_here, "locked", {})
    known = [evaluation for evaluation in ahead.values() if evaluation.thread_id == thread_id]
    return known or lock(evaluations=Evaluation.objects.filter(thread=thread_id).values_list("pk", flat=True))


@contextmanager
def locked_ahead(*, evaluations: Sequence[int]) -> Iterator[frozenset[int]]:
    """Lock by one statement, and read with the facts that count, what is locked one by one within; what nobody else
    holds of it is given. It is told to ``lock`` as it becomes within.

    Shape: of a thread they are all that are locked within.
    """
    free = (
        prepared_statements.read(Evaluation, f"{locking()} SKIP LOCKED", [list(evaluations)], *READ_WITH)
        if evaluations
        else []
    )
    rounds.read_ahead(evaluations=free)
    _here.locked = {evaluation.pk: evaluation for evaluation in free}
    try:
        yield frozenset(_here.locked)
    finally:
        del _here.locked


READ_WITH = ("score_parameters", "debate_rounds")
_here = threading.local()


@lru_cache
def locking() -> str:
    """Return the query that locks evaluations, with what play reads of their debates."""
    return f"""SELECT {prepared_statements.columns_of(Evaluation, "e")}, d.parameters ->> 'score', d.rounds
        FROM scoring_evaluation e JOIN debates_debate d ON d.id = e.debate_id
        WHERE e.id = ANY(%s) ORDER BY e.id FOR NO KEY UPDATE OF e"""  # noqa: S608 -- the models' names


def lock_with_debates(*, evaluations: Iterable[int]) -> list[Evaluation]:
    """Lock evaluations as ``lock`` does, and return them with their debates and threads."""
    rows = (
        Evaluation.objects.select_for_update(no_key=True, of=("self",))
        .annotate(score_parameters=KeyTextTransform("score", "debate__parameters"), debate_rounds=F("debate__rounds"))
        .filter(pk__in=list(evaluations))
        .select_related("debate", "thread")
        .defer("debate__parameters")
        .order_by("pk")
    )
    return list(rows)


@transaction.atomic(savepoint=False)
def complete(*, evaluation: Evaluation) -> Posted:
    """Say that the thread of a locked evaluation is done; allowed while frozen, moves nothing."""
    known = rounds.earlier_of(evaluation)
    state = transitions.completed(state_of(evaluation))
    return post(evaluation=evaluation, kind=EntryKind.COMPLETED, state=state, author=ENGINE, known=known)


@transaction.atomic(savepoint=False)
def fall_back(*, evaluation: Evaluation, reason_code: str) -> Sequence[News]:
    """Give a locked evaluation its initial score as final, because its thread ended with nothing counted.

    While frozen nothing is written: the unfreeze will do it, in its own transaction.
    """
    state = state_of(evaluation)
    if state.frozen or state.counted:
        return []
    posted = post(
        evaluation=evaluation,
        kind=EntryKind.FALLBACK,
        state=transitions.fallen_back(state),
        author=Author(ENGINE.kind, reason_code=reason_code),
    )
    return [
        *posted.news,
        News(
            "score:fallback",
            {
                "evaluation": str(evaluation.public_id),
                "criterion": evaluation.key,
                "score": in_places(evaluation.value),
                "entry": posted.entry.sequence,
                "reasonCode": reason_code,
            },
        ),
    ]


@transaction.atomic(savepoint=False)
def rerun(*, evaluation: Evaluation, run: int, author: Author) -> Posted:
    """Start a locked criterion evaluation again from its initial score, under a new run number."""
    return post(evaluation=evaluation, kind=EntryKind.RERUN, state=transitions.rerun(run=run), author=author)
