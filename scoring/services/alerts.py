"""Raising and handling alerts. What a person dismissed is not raised again for the same facts.

Source: docs/reference/rules.md, "Warnings", and docs/reference/moderation.md, "Alerts".
"""

import hashlib
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection, transaction
from django.db.models import Q

from debates import event_log
from debates.errors import DomainError, Invalid, NotAllowedNow, NotFound
from debates.models import Debate
from debates.printable import Fields, clock
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import Audience, News
from scoring.enums import AlertState
from scoring.errors import Stale
from scoring.models import Alert, Evaluation, Fact
from scoring.rules import warnings
from scoring.services import accounts, active_warnings
from scoring.services.entries import actor_of, reason_record
from scoring.types import Finding, Instrument, Severity

log = logging.getLogger(__name__)
HANDLED_NEXT: Mapping[AlertState, frozenset[AlertState]] = {
    AlertState.OPEN: frozenset({AlertState.ACKNOWLEDGED, AlertState.DISMISSED}),
    AlertState.ACKNOWLEDGED: frozenset({AlertState.DISMISSED, AlertState.OPEN}),
    AlertState.DISMISSED: frozenset({AlertState.OPEN}),
}
MOST = 500
"""So many alerts are handled at once, at most."""


def digest_of(*, facts: Iterable[int], salt: str = "") -> str:
    """Return what identifies a set of facts: two alerts over the same facts are one."""
    ids = ",".join(str(fact) for fact in sorted(facts))
    return hashlib.sha256(f"{salt}|{ids}".encode()).hexdigest()


@transaction.atomic(savepoint=False)
def raise_alerts(
    *,
    debate_id: int,
    findings: Sequence[Finding],
    evaluation: Evaluation | None = None,
    facts: Iterable[int] = (),
    salt: str = "",
) -> list[News]:
    """Log each warning, write an alert where it is new, and return the events for moderators.

    A standing condition that comes again while its alert is open is counted there. Nothing is logged, written or
    counted where the same code was raised for the same facts.

    Shape: ``salt`` tells single happenings apart, such as a failed call; without it the condition is a standing one.
    """
    digest = digest_of(facts=facts, salt=salt)
    news = []
    for finding in findings:
        same = Alert.objects.filter(debate_id=debate_id, evaluation=evaluation, code=finding.code.value)
        if same.filter(Q(facts_digest=digest) | Q(again__contains=[{"facts_digest": digest}])).exists():
            continue
        still = same.filter(state=AlertState.OPEN.value).select_for_update(no_key=True)
        waiting = None if salt else still.first()
        alert = waiting or Alert(
            debate_id=debate_id, evaluation=evaluation, code=finding.code.value, facts_digest=digest
        )
        if waiting is None:
            alert.severity, alert.evidence = finding.severity.value, dict(finding.evidence)
            alert.save()
            news.append(news_of(alert=alert))
        else:
            count_again(alert=alert, finding=finding, digest=digest)
        note(alert=alert)
    return news


def count_again(*, alert: Alert, finding: Finding, digest: str) -> None:
    """Add to a locked, open alert what came again: when, the numbers, and of which facts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [at] = cursor.fetchone()
    came = {"at": at.isoformat(), "evidence": dict(finding.evidence), "facts_digest": digest}
    alert.again = [*alert.again, came]
    alert.save(update_fields=["again"])


def note(*, alert: Alert) -> None:
    """Write an alert to the log of this process as well: a critical one as an error, every other as a warning."""
    level = logging.ERROR if alert.severity == Severity.CRITICAL else logging.WARNING
    about = {"debate": str(alert.debate.public_id), "alert": str(alert.public_id), "times": len(alert.again) + 1}
    log.log(level, Fields("alert", code=alert.code, **about))


def news_of(*, alert: Alert) -> News:
    """Return the event of a raised alert, for moderators only."""
    about = str(alert.evaluation.public_id) if alert.evaluation else None
    return News(
        "alert:raised",
        {"alert": str(alert.public_id), "code": alert.code, "severity": alert.severity, "evaluation": about},
        Audience.MODERATORS,
    )


def after_round(*, evaluation: Evaluation, facts: Sequence[Fact]) -> list[News]:
    """Raise what one counted round of a criterion gives reason to look at, beside the rounds that count by now.

    Shape: ``facts`` are all that count with the round, each with its round.
    """
    if evaluation.instrument != Instrument.CRITERION.value:
        return []
    *_, (_, findings) = active_warnings.of_rounds(evaluation=evaluation, facts=facts)
    return _raise_of(evaluation, findings, [fact.pk for fact in facts])


def after_thread(*, evaluation: Evaluation, facts: Sequence[Fact] | None = None) -> list[News]:
    """Raise what the end of a criterion's thread gives reason to look at.

    Shape: ``facts`` are those that count, where the caller has them.
    """
    if evaluation.final_score is None or not evaluation.basis:
        return []
    counted = Fact.objects.filter(pk__in=evaluation.basis).order_by("pk") if facts is None else facts
    findings = [
        warnings.large_change(initial=evaluation.initial_score, final=evaluation.final_score),
        warnings.uniform_extreme(adjustments=[fact.amount for fact in counted]),
    ]
    return _raise_of(evaluation, [finding for finding in findings if finding is not None], evaluation.basis)


def _raise_of(evaluation: Evaluation, findings: Sequence[Finding], facts: Iterable[int]) -> list[News]:
    return raise_alerts(debate_id=evaluation.debate_id, evaluation=evaluation, findings=findings, facts=facts)


def after_debate(*, debate: Debate) -> list[News]:
    """Raise what a whole criterion debate gives reason to look at, once it is over."""
    rows = Evaluation.objects.filter(debate=debate, instrument=Instrument.CRITERION.value).order_by("pk")
    evaluations = list(rows)
    counted = [fact for evaluation in evaluations for fact in evaluation.basis]
    findings = active_warnings.of_debate(
        scores=[(evaluation.initial_score, evaluation.final_score) for evaluation in evaluations],
        winners=Fact.objects.filter(pk__in=counted).values_list("parts__winner", flat=True),
    )
    return raise_alerts(debate_id=debate.pk, findings=findings, facts=counted)


def after_unfreeze(*, evaluation: Evaluation, applied: Iterable[int]) -> list[News]:
    """Raise what the rounds that an unfreeze applied to a criterion give reason to look at, as if each had counted when
    it was judged.

    Shape: ``applied`` are the facts that were held and count now.
    """
    fresh = set(applied)
    facts = list(Fact.objects.filter(pk__in=evaluation.basis).select_related("round"))
    news_items: list[News] = []
    seen: set[int] = set()
    for counted, findings in active_warnings.of_rounds(evaluation=evaluation, facts=facts):
        if fresh & (set(counted) - seen):
            news_items += _raise_of(evaluation, findings, counted)
        seen |= set(counted)
    return news_items


@UseCase
def handle(
    *,
    alert_ids: Collection[int],
    by: User | AnonymousUser,
    state: AlertState,
    reason: str,
    now: datetime,
    note: str = "",
    seen: Mapping[int, int | None] = MappingProxyType({}),
) -> list[Alert]:
    """Acknowledge, dismiss or reopen alerts for one reason, all of them or none. What was answered before stays.

    Shape: ``seen`` is {alert: how many times it had come when somebody looked at it}, of all, some or none.
    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` for one that stands like that or was dismissed, naming all
    that refuse where they are many; ``Stale`` for the only one where it came again since; ``Invalid`` for a short
    reason, and for none or more than 500.
    """
    if not 1 <= len(set(alert_ids)) <= MOST:
        raise Invalid(f"1 to {MOST} alerts are handled at once; got {len(set(alert_ids))}.")
    rights.permitted(by=by, permission="scoring.handle_alert")
    actor = actor_of(by)
    alerts = _locked(set(alert_ids))
    if len(alerts) < len(set(alert_ids)):
        raise NotFound("There is no such alert.")
    rights.may_moderate(by=by, debates=[alert.debate_id for alert in alerts])
    outcomes = [(alert, refusal_of(alert=alert, state=state, seen=seen.get(alert.pk))) for alert in alerts]
    refuse([(alert, refusal) for alert, refusal in outcomes if refusal], of=len(alerts))
    because = reason_record(reason, note=note)
    by_debate: dict[int, list[News]] = {}
    for alert in alerts:
        alert.state, alert.handled_by, alert.handled_because, alert.handled_at = state.value, actor, because, now
        alert.save(update_fields=["state", "handled_by", "handled_because", "handled_at"])
        news_item = News("alert:handled", {"alert": str(alert.public_id), "state": state.value}, Audience.MODERATORS)
        by_debate.setdefault(alert.debate_id, []).append(news_item)
    for debate_id, news in sorted(by_debate.items()):
        event_log.append(debate_id=debate_id, news=news, now=now)
    return alerts


def _locked(ids: Collection[int]) -> list[Alert]:
    """Lock alerts by ascending id. Of many, first what whoever raises them has locked before: debates, then scores."""
    if len(ids) > 1:
        rows = list(Alert.objects.filter(pk__in=ids).values_list("debate_id", "evaluation_id"))
        whole = {debate for debate, evaluation in rows if evaluation is None}
        list(Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=whole).order_by("pk"))
        accounts.lock(evaluations={evaluation for _, evaluation in rows if evaluation is not None})
    locked = Alert.objects.select_for_update(no_key=True, of=("self",)).select_related("debate", "evaluation")
    return list(locked.filter(pk__in=ids).order_by("pk"))


def refusal_of(*, alert: Alert, state: AlertState, seen: int | None) -> DomainError | None:
    """Return why an alert is not answered like this: it was before, or came again since somebody looked."""
    if state not in HANDLED_NEXT[AlertState(alert.state)]:
        return NotAllowedNow(handled_already(alert))
    if seen is None or seen >= alert.times:
        return None
    since = [_written(came["evidence"]) for came in alert.again[max(seen - 1, 0) :]]
    return Stale(f"It came again since you looked at it: {'; '.join(since[-5:])}. Look again and decide anew.")


def _written(evidence: Mapping[str, object]) -> str:
    parts = {name: value if isinstance(value, list) else [value] for name, value in sorted(evidence.items())}
    return ", ".join(
        f"{name.replace('_', ' ')} {' and '.join(map(str, values))}"[:160] for name, values in parts.items()
    )


def refuse(refusing: Sequence[tuple[Alert, DomainError]], *, of: int) -> None:
    """Refuse the whole where any alert refuses, naming each.

    Raises: what the only one refuses; ``NotAllowedNow`` of many.
    """
    if not refusing:
        return
    if of == 1:
        raise refusing[0][1]
    named = "; ".join(f"{name_of(alert)}: {refusal.message}" for alert, refusal in refusing[:10])
    more = f"; and {len(refusing) - 10} more" if len(refusing) > 10 else ""
    raise NotAllowedNow(f"Nothing was done, because {len(refusing)} of {of} refuse: {named}{more}")


def name_of(alert: Alert) -> str:
    """Return what an alert is called among others: what it warns of, and where."""
    return f"{alert.code.replace('_', ' ')} of {alert.evaluation or alert.debate.title}"


def handled_already(alert: Alert) -> str:
    """Say, for people, how an alert was answered before."""
    if alert.state == AlertState.OPEN.value:
        return "This alert is open."
    return f"{alert.handled_by} has {alert.state} this alert already, at {clock(alert.handled_at)}."
