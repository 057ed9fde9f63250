"""Creating a criterion debate, with first scores of its own or those of a concluded panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from debates import event_log
from debates.errors import Invalid
from debates.models import Debate, Participant, Subject, Thread
from debates.services.rights import permitted
from debates.types import Conduct, Kind, News, Role, Status
from judging.formats import costs, turns
from judging.formats import panel as panel_format
from judging.formats.criterion import NAME
from judging.formats.debate_lookup import earlier
from judging.formats.panel import results
from judging.formats.spec import SHOWN, CriterionSpec, checked, chosen_criteria
from judging.models import Script
from judging.providers import provider
from judging.providers.scripted import checked_script
from judging.rules.consensus import HIGHEST, LOWEST
from judging.types import Purpose
from scoring.rules import numbers
from scoring.rules.criterion import initial_from_panel
from scoring.services import accounts

# A concluded panel as the first stage of a criterion debate: its scores become the initial ones.


MAPPING = "1 + (score - 1) x 9/4"
"""How 1..5 becomes 1..10, kept with every debate that begins so."""


def initial_scores(*, panel: str, codes: Sequence[str], by: User | None) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the initial score and confidence of each criterion that a concluded panel gives.

    Shape: ``panel`` is its public id; ``by`` is nobody when the operator of the machine asks.
    Raises: ``NotFound``, ``Invalid`` unless it is a concluded panel that has scored every one of the criteria.
    Source: docs/reference/panels.md#as-the-first-stage-of-a-criterion-debate
    """
    document = results.panel_document(debate=concluded(panel=panel, by=by))
    rows = {row["code"]: row for row in document["criteria"] if row["final"] is not None}
    missing = [code for code in codes if code not in rows]
    if missing:
        raise Invalid(f"panel: it has no score for {', '.join(missing)}; it scored {', '.join(rows) or 'nothing'}.")
    return {
        code: (
            initial_from_panel(score=Decimal(rows[code]["final"])),
            confidence_of(spread_among_enough(rows[code], document=document)),
        )
        for code in codes
    }


def concluded(*, panel: str, by: User | None) -> Debate:
    """Return a concluded panel.

    Raises: ``NotFound``, for one that somebody may not read as well; ``Invalid``.
    """
    found = earlier(named=panel, of=panel_format.NAME, called=panel_format.CALLED, field="panel", by=by)
    if found.status != Status.CONCLUDED.value:
        raise Invalid(f"panel: it is {found.status.replace('_', ' ')}; only a concluded panel gives initial scores.")
    return found


def spread_among_enough(row: Mapping[str, Any], *, document: Mapping[str, Any]) -> str | None:
    """Return how far apart the judges of a criterion are; nothing where fewer count on it than the quorum asks for.

    Shape: ``row`` is a criterion of the panel's ``document``.
    Source: docs/decisions/0011-a-panel-hands-over-how-far-it-was-apart.md
    """
    now, at = document["now"], row["code"]
    out = {one["judge"] for one in document["struck"] if (one["round"], one["criterion"]) == (now["round"], at)}
    counting = [judge for judge, score in row["scores"].items() if score is not None and judge not in out]
    spread: str | None = row["spread"] if len(counting) >= now["needed"] else None
    return spread


def confidence_of(spread: str | None) -> Decimal:
    """Return how sure a panel is: 1 where judges agree, 0 where too few count or they are as far apart as can be."""
    apart = Fraction(spread) if spread is not None else Fraction(HIGHEST - LOWEST)
    return numbers.half_up(1 - apart / Fraction(HIGHEST - LOWEST), places=2)


# Creating a debate: everything is checked before anything is written.


VOICES = ((Role.EVALUATOR, "Evaluator"), (Role.CHALLENGER, "Red team"), (Role.ARBITER, "Arbiter"))


ASKED: Mapping[Role, tuple[Purpose, ...]] = {
    Role.EVALUATOR: (Purpose.ASSESS, Purpose.DEFEND),
    Role.CHALLENGER: (Purpose.CHALLENGE, Purpose.PRESS),
    Role.ARBITER: (Purpose.JUDGE, Purpose.SYNTHESISE),
}
"""What a voice may be asked for: settings may name a model for each."""


@transaction.atomic(durable=True)
def create(*, spec: CriterionSpec, by: User | None, now: datetime, owner: User | None = None) -> Debate:
    """Create a draft of a criterion debate, with its voices and threads. Nothing is played yet.

    Shape: ``by`` is nobody when the operator of the machine asks, for ``owner`` or for nobody.
    Raises: ``NotPermitted``; ``Invalid`` naming the field; ``NotFound`` for a panel that there is not, or that ``by``
    may not read.
    """
    permitted(by=by, permission="debates.add_debate")
    checked(spec)
    initial = checked_initials(spec=spec, by=by)
    script = checked_script(spec.script)
    voices = checked_voices(spec=spec, scripted=bool(script))
    debate = drafted(spec=spec, initial=initial, by=owner or by)
    event_log.open_stream(debate_id=debate.pk)
    Participant.objects.bulk_create(seated(debate=debate, spec=spec, voices=voices))
    if script:
        Script.objects.create(debate=debate, answers=script)
    Thread.objects.bulk_create(
        Thread(debate=debate, key=row["code"], position=position)
        for position, row in enumerate(chosen_criteria(rubric=spec.rubric, criteria=spec.criteria), start=1)
    )
    event_log.append(debate_id=debate.pk, news=suspect(debate=debate), now=now)
    return debate


def drafted(*, spec: CriterionSpec, initial: Mapping[str, tuple[Decimal, Decimal]], by: User | None) -> Debate:
    """Write the draft and the subject it is about."""
    return Debate.objects.create(
        format=NAME,
        title=spec.title.strip(),
        subject=Subject.objects.create(title=spec.title.strip(), text=spec.subject, created_by=by),
        conducted_by=spec.conducted_by.value,
        visibility=spec.visibility.value,
        parameters=snapshot_of(spec=spec, initial=initial),
        rounds=spec.rounds,
        limit_money=spec.limits.money,
        limit_tokens=spec.limits.tokens,
        limit_calls=spec.limits.calls,
        created_by=by,
    )


def seated(*, debate: Debate, spec: CriterionSpec, voices: Mapping[Role, str]) -> list[Participant]:
    """Return who will speak, in order, not written yet."""
    kind = Kind.EXTERNAL if spec.conducted_by is Conduct.EXTERNAL else Kind.ENGINE
    return [
        Participant(
            debate=debate,
            role=role.value,
            kind=kind.value,
            name=name,
            position=position,
            provider=voices[role],
            model=spec.model,
        )
        for position, (role, name) in enumerate(VOICES, start=1)
    ]


def suspect(*, debate: Debate) -> list[News]:
    """Raise an alert if the subject of a new debate tries to instruct the judge."""
    subject = debate.subject
    if subject is None:
        return []
    words = f"{subject.title}\n{subject.text}"
    return turns.suspicions(debate_id=debate.pk, about="subject", of=str(subject.public_id), text=words)


def checked_initials(*, spec: CriterionSpec, by: User | None) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the initial scores and confidences that came with a request: one for every criterion, or none.

    Raises: ``Invalid`` naming the criterion and the field; ``NotFound`` for the panel.
    """
    codes = [row["code"] for row in chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)]
    if spec.panel:
        if spec.initial:
            raise Invalid("initial and panel: give one of them.")
        return initial_scores(panel=spec.panel, codes=codes, by=by)
    if not spec.initial:
        return {}
    missing, strange = sorted(set(codes) - set(spec.initial)), sorted(set(spec.initial) - set(codes))
    if missing or strange:
        told = [f" Missing: {', '.join(missing)}."] if missing else []
        told += [f" Not played in this debate: {', '.join(strange)}."] if strange else []
        raise Invalid(f"initial must give every played criterion and no other.{''.join(told)}")
    return {
        code: accounts.checked_initial(score=score, confidence=confidence, where=code)
        for code, (score, confidence) in spec.initial.items()
    }


def snapshot_of(*, spec: CriterionSpec, initial: Mapping[str, tuple[Decimal, Decimal]]) -> dict[str, Any]:
    """Return everything that decides how a debate is played and scored, as it keeps it."""
    return {
        "rubric": dict(spec.rubric),
        "score": spec.score.snapshot(),
        "fairness": spec.fairness.snapshot(),
        "play": {
            "challenges_per_criterion": spec.challenges_per_criterion,
            "personas": list(spec.personas),
            "score_updates": spec.score_updates,
        },
        "initial": {code: [str(score), str(confidence)] for code, (score, confidence) in initial.items()},
        **({"initial_from": {"panel": spec.panel, "mapping": MAPPING}} if spec.panel else {}),
    }


def checked_voices(*, spec: CriterionSpec, scripted: bool) -> dict[Role, str]:
    """Return who speaks, evaluator, red team and arbiter, each with its provider.

    Shape: ``scripted`` says that there is a script.
    Raises: ``Invalid`` for an unknown provider or role, a scripted voice without a script, or a limit of money that
    would not hold a voice.
    """
    if spec.conducted_by is Conduct.EXTERNAL:
        return dict.fromkeys((role for role, _ in VOICES), Conduct.EXTERNAL.value)
    roles = [role.value for role, _ in VOICES]
    strange = sorted(str(one)[:SHOWN] for one in spec.providers if one not in roles)
    if strange:
        raise Invalid(f"providers: {strange[0]!r} is no role; roles are {', '.join(roles)}.")
    voices = {role: spec.providers.get(role.value, spec.provider) for role, _ in VOICES}
    for chosen in voices.values():
        provider(chosen)
    if "scripted" in voices.values() and not scripted:
        raise Invalid("script must not be empty when a voice is scripted.")
    asked = [(role, name, spec.model) for role, name in voices.items()]
    costs.check_limits(limits=spec.limits, purposes=ASKED, voices=asked)
    return voices
