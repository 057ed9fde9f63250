"""The smallest valid rows. Alice moderates, Bob opposes, Charlie watches."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import Permission, User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from debates import event_log
from debates.models import Debate, Participant, Round, Subject, Thread
from debates.types import News, ThreadStatus
from judging.rules import fairness
from scoring.enums import FactKind
from scoring.models import Evaluation
from scoring.rules import numbers
from scoring.rules.numbers import half_up
from scoring.services import accounts, rounds
from scoring.services.rounds import Counted, Given
from scoring.services.steps import Order
from scoring.types import Instrument, Parameters

WORDS = {
    "debates_debate": ["debate_12_words"],
    "debates_participant": ["participant_12_named"],
    "debates_subject": ["subject_10_fixed"],
    "debates_turn": ["turn_10_immutable"],
    "scoring_reason": ["reason_20_erasable"],
}
"""The guards of words, by table."""
REASON = "The judge misread the third paragraph."


def person(name: str = "alice", *, permissions: Sequence[str] = (), superuser: bool = False, email: str = "") -> User:
    """A user with these permissions, written app.codename or scoring's codename."""
    user = User.objects.create_user(username=name, is_staff=True, is_superuser=superuser, email=email)
    for permission in permissions:
        app, _, codename = permission.rpartition(".")
        user.user_permissions.add(Permission.objects.get(content_type__app_label=app or "scoring", codename=codename))
    return User.objects.get(pk=user.pk)


def moderator(name: str = "alice") -> User:
    """Somebody who may do everything."""
    return person(name, superuser=True)


def rewrite(rows: QuerySet[Any], **columns: object) -> None:
    """Have rows say what the guards of their words let nobody write, as if they had been made so."""
    table = rows.model._meta.db_table
    connection.check_constraints()
    with transaction.atomic(), connection.cursor() as cursor:
        for guard in WORDS[table]:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {guard}")
        rows.update(**columns)
        connection.check_constraints()  # what a transaction has yet to look at keeps tables as they are
        for guard in WORDS[table]:
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")


def debate(*, status: str = "running", rounds: int = 3, title: str = "A debate", **options: Any) -> Debate:
    """A criterion debate about a small subject, with a stream."""
    subject = Subject.objects.create(title="A subject", text="Some words about it.")
    parameters = {
        "score": Parameters(**options.pop("score", {})).snapshot(),
        "fairness": fairness.ONCE.snapshot(),
        **options.pop("parameters", {}),
    }
    made = Debate.objects.create(
        format="criterion", title=title, subject=subject, status=status, rounds=rounds, parameters=parameters, **options
    )
    event_log.open_stream(debate_id=made.pk)
    return made


def over(of: Debate) -> None:
    """Let a debate be over, as its log tells it; nothing of it was played or concluded."""
    stands(of, "concluded", News("debate:concluded", {"partial": False, "reason": ""}), now=timezone.now())


def again(of: Debate) -> None:
    """Let a debate that is over be in play once more, as its log tells it."""
    stands(of, "running", News("debate:rerun", {"criteria": []}))


@transaction.atomic
def stands(of: Debate, status: str, told: News, *, now: datetime | None = None) -> None:
    """Give a debate a status together with what its log says of it, and since when it is concluded."""
    Debate.objects.filter(pk=of.pk).update(status=status, concluded_at=now)
    event_log.append(debate_id=of.pk, news=[told], now=now or timezone.now())


def arbiter(of: Debate) -> Participant:
    return Participant.objects.create(debate=of, role="arbiter", name="Arbiter", provider="scripted")


@transaction.atomic
def arbitrated(**options: Any) -> Participant:
    """The arbiter of a debate that is created with one."""
    return arbiter(debate(**options))


def thread(of: Debate, *, key: str = "P1", status: ThreadStatus = ThreadStatus.PLAYING) -> Thread:
    return Thread.objects.create(debate=of, key=key, position=of.threads.count(), status=status.value)


@transaction.atomic
def criterion(
    of: Debate | None = None,
    *,
    key: str = "P1",
    name: str = "Problem clarity",
    initial: str = "6",
    confidence: str = "0.5",
) -> Evaluation:
    """An open criterion account on a thread of its own."""
    of = of or debate()
    evaluation = Evaluation(
        debate=of,
        thread=thread(of, key=key),
        instrument=Instrument.CRITERION.value,
        key=key,
        name=name,
        category="problem",
        initial_score=Decimal(initial),
        initial_confidence=Decimal(confidence),
    )
    accounts.open_criterion(evaluation=evaluation)
    return Evaluation.objects.get(pk=evaluation.pk)


def round_of(evaluation: Evaluation, *, number: int | None = None) -> Round:
    """The next round of an evaluation's thread, or one of a given number."""
    played = Round.objects.filter(thread=evaluation.thread, run_number=evaluation.run_number)
    number = played.count() + 1 if number is None else number
    return Round.objects.create(
        thread=evaluation.thread, run_number=evaluation.run_number, number=number, opened_at=timezone.now()
    )


def verdict(adjustment: str, impact: str = "0", weight: str = "1") -> Given:
    return Given(FactKind.VERDICT, Decimal(adjustment), Decimal(impact), Decimal(weight))


@transaction.atomic
def count(evaluation: Evaluation, *verdicts: str | Given, number: int | None = None) -> Counted:
    """Count one round of verdicts on an evaluation, as the engine would."""
    [locked] = accounts.lock(evaluations=[evaluation.pk])
    given = [one if isinstance(one, Given) else verdict(one) for one in verdicts]
    counted = rounds.count(
        evaluation=locked, round=round_of(locked, number=number), new_facts=given, now=timezone.now()
    )
    evaluation.refresh_from_db()
    return counted


def count_after_the_end(evaluation: Evaluation, *verdicts: str | Given) -> None:
    """Count one round of a debate that is over: it is in play once more, and over again."""
    again(evaluation.debate)
    count(evaluation, *verdicts)
    over(evaluation.debate)


def order(evaluation: Evaluation, by: User, *, seen: int | None = -1, reason: str = REASON, note: str = "") -> Order:
    """An order by somebody who looked at the evaluation just now."""
    if seen == -1:
        seen = Evaluation.objects.values_list("moderation_version", flat=True).get(pk=evaluation.pk)
    return Order(evaluation_id=evaluation.pk, by=by, reason=reason, note=note, seen=seen)


@transaction.atomic
def panel(of: Debate, *, key: str = "correctness", scores: Sequence[str | Given] = ("2", "4")) -> Evaluation:
    """An account on the panel's scale, opened with the scores of its judges in round 0."""
    place = of.threads.filter(key="main").first() or thread(of, key="main")
    first, _ = Round.objects.get_or_create(thread=place, run_number=1, number=0, defaults={"opened_at": timezone.now()})
    given = [one if isinstance(one, Given) else Given(FactKind.JUDGE_SCORE, Decimal(one)) for one in scores]
    mean = half_up(numbers.mean([one.amount for one in given]), places=4)
    evaluation = Evaluation(
        debate=of, thread=place, instrument=Instrument.PANEL.value, key=key, name=key.title(), initial_score=mean
    )
    accounts.open_in_round(evaluation=evaluation, round=first, new_facts=given, now=timezone.now())
    return Evaluation.objects.get(pk=evaluation.pk)
