"""Creating a debate of whichever format: everything is checked before anything is written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from debates import event_log
from debates.errors import Invalid, about
from debates.models import Debate, Participant, Subject, Thread
from debates.services.idempotency import UseCase
from debates.services.rights import permitted
from debates.types import Kind, News, Role
from judging.engine import queue
from judging.formats import costs, turns
from judging.formats.base import Draft, Format
from judging.formats.debate_lookup import repeated
from judging.formats.registry import format_of
from judging.formats.spec import SLOWEST_PACE, DebateSpec, whole
from judging.models import Script
from judging.providers import provider
from judging.providers.scripted import checked_script


@UseCase
def create_draft(*, spec: DebateSpec, by: User | None, now: datetime, owner: User | None = None) -> Debate:
    """Create a draft of a debate, with its participants and threads. Nothing is played yet.

    Shape: ``by`` is nobody when the operator of the machine asks, for ``owner`` or for nobody.
    Raises: ``NotPermitted``; ``Invalid`` and its kin, naming the field; ``NotFound`` for an earlier debate that there
    is not, or that ``by`` may not read.
    """
    permitted(by=by, permission="debates.add_debate")
    format_ = format_of(spec.format)
    draft = format_.draft(spec=spec, by=by)
    with about("script"):
        script = checked_script(spec.script)
    check_providers(format_=format_, spec=spec, draft=draft, scripted=bool(script))
    creator = owner or by
    debate = Debate.objects.create(
        format=format_.name,
        title=draft.title,
        motion=draft.motion,
        subject=Subject.objects.create(title=draft.title, text=draft.subject, created_by=creator)
        if draft.subject
        else None,
        conducted_by=draft.conducted_by.value,
        visibility=spec.visibility.value,
        parameters=parameters_of(spec=spec, draft=draft),
        rounds=draft.rounds,
        limit_money=spec.limits.money,
        limit_tokens=spec.limits.tokens,
        limit_calls=spec.limits.calls,
        repeat_of=repeated(
            named=draft.repeat_of, of=format_.name, called=format_.called, visibility=spec.visibility, by=by
        ),
        created_by=creator,
    )
    event_log.open_stream(debate_id=debate.pk)
    for position, participant in enumerate(draft.participants, start=1):
        participant.debate, participant.position = debate, position
    Participant.objects.bulk_create(draft.participants)
    if script:
        Script.objects.create(debate=debate, answers=script)
    Thread.objects.bulk_create(
        Thread(debate=debate, key=key, position=position) for position, key in enumerate(draft.threads, start=1)
    )
    first_news = format_.write_given(debate=debate, spec=spec, now=now)
    event_log.append(debate_id=debate.pk, news=[*first_news, *suspicions(debate=debate)], now=now)
    return debate


def parameters_of(*, spec: DebateSpec, draft: Draft) -> dict[str, Any]:
    """Return what a debate is played and scored with.

    Raises: ``Invalid``.
    """
    whole(spec.pace, name="pace", low=0, high=SLOWEST_PACE)
    kept = {"score": spec.score.snapshot(), "fairness": spec.fairness.snapshot(), **draft.parameters}
    if spec.when_watched:
        if not spec.pace:
            raise Invalid("What is played while somebody looks takes a pace: one look is one step.", field="pace")
        kept[queue.WHEN_WATCHED] = True
    return {**kept, "pace": spec.pace} if spec.pace else kept


def check_providers(*, format_: Format[Any], spec: DebateSpec, draft: Draft, scripted: bool) -> None:
    """Refuse providers that there are not, a scripted voice without a script, and limits that do not hold or suffice.

    Raises: ``Invalid``.
    """
    engines = [
        participant
        for participant in draft.participants
        if participant.kind == Kind.ENGINE.value and Role(participant.role) in format_.purposes
    ]
    for engine in engines:
        with about("provider"):
            provider(engine.provider)
    if not scripted and any(engine.provider == "scripted" for engine in engines):
        raise Invalid(f"script must not be empty when {format_.somebody} is scripted.", field="script")
    voices = [(Role(engine.role), engine.provider, engine.model) for engine in engines]
    first, text = format_.first_calls(spec=spec), draft.subject or draft.motion
    costs.check_limits(limits=spec.limits, purposes=format_.purposes, voices=voices, first=first, text=text)


def suspicions(*, debate: Debate) -> list[News]:
    """Raise an alert if what a new debate is about tries to instruct the judge."""
    if debate.subject is None:
        return turns.suspicions(debate_id=debate.pk, about="motion", of=str(debate.public_id), text=debate.motion)
    words = f"{debate.subject.title}\n{debate.subject.text}"
    return turns.suspicions(debate_id=debate.pk, about="subject", of=str(debate.subject.public_id), text=words)
