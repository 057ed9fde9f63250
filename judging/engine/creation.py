"""Creating debates of whichever format, with everything checked before anything is written; before that filled in step
by step, after it started at a time, copied, withdrawn.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from debates import event_log
from debates.errors import ConflictOfInterest, DomainError, Invalid, NotAllowedNow, NotFound, about
from debates.mail import outbox
from debates.models import Debate, Membership, Participant, Subject, Thread
from debates.printable import Fields
from debates.rules import IN_PLAY
from debates.selectors import visible_debates
from debates.services import visibility
from debates.services.idempotency import UseCase
from debates.services.rights import may_conduct, permitted
from debates.services.visibility import find_debate
from debates.types import Conduct, Kind, MailKind, MemberRole, News, Role, Status, Visibility
from judging.engine import lifecycle, preflight, queue
from judging.engine.selectors import script_is_sealed
from judging.errors import ModelNotReady
from judging.formats import costs, turns
from judging.formats.base import Draft, Format
from judging.formats.costs import PRICED, usual_of, usual_price
from judging.formats.debate_lookup import repeated
from judging.formats.forms import FormStep
from judging.formats.registry import format_of
from judging.formats.spec import SLOWEST_PACE, DebateSpec, whole
from judging.models import NewDebate, PlannedStart, Script
from judging.providers import provider
from judging.providers.scripted import checked_script
from judging.types import OFFLINE, Purpose
from scoring.rules.numbers import half_up

log = logging.getLogger(__name__)
MAY_CREATE = "debates.add_debate"
JUDGES = (Role.EVALUATOR.value, Role.ARBITER.value, Role.JUDGE.value)
USUAL_QUESTION, USUAL_ANSWER, LETTERS_IN_TOKEN = 2_000, 800, 4
"""Tokens of a question beside the text, and of an answer, as models usually count; and letters of a token."""
MOST_KEPT = 50
"""Debates that one person may be filling in at a time."""
FURTHEST = timedelta(days=366)
LONGEST_PROBLEM = 500
TRIED_FOR = timedelta(hours=1)
"""How long a draft is tried whose time has come, from the first try on; then it is given up."""
BROKEN = "Something went wrong that the server's log has more about."


@UseCase
def create_draft(*, spec: DebateSpec, by: User | None, now: datetime, public_id: UUID | None = None) -> Debate:
    """Create a draft of a debate, with its participants and threads. Nothing is played yet.

    Shape: ``by`` is nobody when the operator of the machine asks; ``public_id`` is the one to have, where it has to be
    known again.
    Raises: ``NotPermitted``; ``Invalid`` and its kin, naming the field; ``NotFound`` for an earlier debate that there
    is not, or that ``by`` may not read.
    """
    permitted(by=by, permission=MAY_CREATE)
    format_ = format_of(spec.format)
    draft = format_.draft(spec=spec, by=by)
    with about("script"):
        script = checked_script(spec.script)
    check_providers(format_=format_, spec=spec, draft=draft, scripted=bool(script))
    debate = Debate.objects.create(
        public_id=public_id or uuid4(),
        format=format_.name,
        title=draft.title,
        motion=draft.motion,
        subject=Subject.objects.create(title=draft.title, text=draft.subject, created_by=by) if draft.subject else None,
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
        created_by=by,
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
    engines = []
    for participant, field in zip(draft.participants, chain(draft.provider_fields, repeat("provider")), strict=False):
        if participant.kind == Kind.ENGINE.value and Role(participant.role) in format_.purposes:
            engines.append(participant)
            with about(field):
                provider(participant.provider)
    if not scripted and any(engine.provider == "scripted" for engine in engines):
        raise Invalid(f"script must not be empty when {format_.somebody} is scripted.", field="script")
    voices = [(Role(engine.role), engine.provider, engine.model) for engine in engines]
    first, text = format_.first_calls(spec=spec), draft.subject or draft.motion
    costs.check_limits(limits=spec.limits, purposes=format_.purposes, voices=voices, first=first, text=text)


def suspicions(*, debate: Debate) -> list[News]:
    """Raise an alert if the matter of a new debate, or a name or side of who speaks, tries to instruct the judge."""
    if debate.subject is None:
        names = debate.participants.filter(role=Role.CHAIR.value).order_by("position").values_list("name", flat=True)
        sides = [chair.get("side", "") for chair in debate.parameters.get("table", {}).get("chairs", [])]
        text = "\n".join([debate.motion, *names, *sides])
        return turns.suspicions(debate_id=debate.pk, about="motion", of=str(debate.public_id), text=text)
    words = f"{debate.subject.title}\n{debate.subject.text}"
    return turns.suspicions(debate_id=debate.pk, about="subject", of=str(debate.subject.public_id), text=words)


# -- new debates, as they are filled in --------------------------------------------------------------------------------


@UseCase
def begin_new_debate(
    *, format_name: str, by: User, body: Mapping[str, Any] | None = None, copied_from: Debate | None = None
) -> NewDebate:
    """Keep a new debate for somebody to fill in; the oldest of too many goes.

    Raises: ``NotPermitted``.
    """
    permitted(by=by, permission=MAY_CREATE)
    new = NewDebate.objects.create(owner=by, format=format_name, body=dict(body or {}), copied_from=copied_from)
    kept = NewDebate.objects.filter(owner=by).values_list("pk", flat=True)[:MOST_KEPT]
    NewDebate.objects.filter(owner=by).exclude(pk__in=list(kept)).delete()
    return new


def own_new_debate(*, by: User, public_id: UUID) -> NewDebate:
    """Return what somebody is filling in.

    Raises: ``NotPermitted``, ``NotFound``, for what is somebody else's as well.
    """
    return _owned(NewDebate.objects.filter(public_id=public_id), by=by)


@UseCase
def write_new_debate(
    *, new_id: int, by: User, written: Callable[[Mapping[str, Any]], Mapping[str, Any]]
) -> dict[str, Any]:
    """Keep what somebody has filled in, right or wrong, and return the body; it is checked before it is made.

    Shape: ``written`` returns the body with what is new, of the one that is kept: another tab may have changed it.
    Raises: ``NotPermitted``, ``NotFound``.
    """
    new = _locked_new_debate(new_id=new_id, by=by)
    new.body = body = dict(written(new.body))
    new.save(update_fields=["body", "changed_at"])
    return body


@UseCase
def discard_new_debate(*, new_id: int, by: User) -> None:
    """Throw away what somebody has filled in.

    Raises: ``NotPermitted``, ``NotFound``.
    """
    _locked_new_debate(new_id=new_id, by=by).delete()


@UseCase
def draft_new_debate(*, new_id: int, by: User, now: datetime, seen: str = "") -> Debate:
    """Make what somebody has filled in into a draft of a debate.

    Shape: ``seen`` is the digest of what they were shown; without one whatever is kept now is made.
    Raises: ``ChangedSince``, ``NotPermitted``, ``NotFound``; ``Invalid`` and its kin, naming the field.
    """
    new = _locked_new_debate(new_id=new_id, by=by)
    if seen and seen != digest_of(new.body):
        raise ChangedSince("What you filled in was changed after this page was shown. This is what it says now.")
    format_ = format_of(new.format)
    debate = create_draft.service(spec=requested(format_=format_, body=new.body, by=by), by=by, now=now)
    new.delete()
    return debate


class ChangedSince(NotAllowedNow):
    """What somebody filled in is not what they were shown."""


def digest_of(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _locked_new_debate(*, new_id: int, by: User) -> NewDebate:
    return _owned(NewDebate.objects.select_for_update(no_key=True).filter(pk=new_id), by=by)


def _owned(rows: QuerySet[NewDebate], *, by: User) -> NewDebate:
    permitted(by=by, permission=MAY_CREATE)
    new = rows.filter(owner=by).first()
    if new is None:
        raise NotFound("There is no such draft of yours; it was made into a debate, or thrown away.")
    return new


# -- checked as a whole ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a request: at which field, as a code, in words; without a field it is about several."""

    field: str
    code: str
    message: str


def requested(
    *, format_: Format[Any], body: Mapping[str, Any], by: User | None, read: Mapping[str, Any] = MappingProxyType({})
) -> DebateSpec:
    """Return what a body asks for, read as the API reads it; ``by`` is nobody when the operator asks.

    Shape: ``read`` are values that were read already, such as a rubric out of a file; they take the place of those of
    the body once it was looked at.
    Raises: ``BodyRefused``; ``Invalid`` and its kin, naming the field.
    """
    serializer = format_.serializer(data={**body, "format": format_.name})
    if not serializer.is_valid():
        raise BodyRefused(list(faults_in(serializer.errors)))
    readable = Debate.objects.all() if by is None else visible_debates(visitor=by)
    return format_.spec_of(data={**serializer.validated_data, **read}, readable=readable)


class BodyRefused(Invalid):
    """A body that its serializer does not take: everything that is wrong with it, the first as its message."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(f"{faults[0].field}: {faults[0].message}", field=faults[0].field)
        self.faults = faults


def faults_in(errors: Any, path: str = "") -> Iterator[Fault]:
    """Yield every single fault in what a serializer found, with the path of its field."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            here = "" if name == "non_field_errors" else str(name)
            yield from faults_in(inner, ".".join(filter(None, (path, here))))
    elif isinstance(errors, list | tuple):
        for number, inner in enumerate(errors):
            nested = isinstance(inner, Mapping | list | tuple)
            yield from faults_in(inner, f"{path}.{number}" if nested else path)
    else:
        yield Fault(path, Invalid.code, str(errors))


def faults(*, format_: Format[Any], body: Mapping[str, Any], by: User, now: datetime) -> Sequence[Fault]:
    """Return everything that is wrong with a body; of what a specification refuses the first alone."""
    try:
        with tried(format_=format_, body=body, by=by, now=now):
            return []
    except BodyRefused as refusal:
        return refusal.faults
    except DomainError as refusal:
        return [Fault(refusal.field, refusal.code, refusal.message)]


def completed(*, format_: Format[Any], body: Mapping[str, Any], step: FormStep) -> Mapping[str, Any]:
    """Return a body in which what later steps must be told is as in an example, or allows most, so that the earlier
    ones can be checked.
    """
    names = [form_step.name for form_step in format_.steps]
    later = format_.steps[names.index(step.name) + 1 :]
    fields = format_.serializer().fields.items()
    needed = {name for name, field in fields if field.required} | {*format_.alternatives, *format_.widest}
    example = {
        name: value
        for name, value in {**format_.example, **format_.widest}.items()
        if name in needed - {*body}
        and any(form_step.holds(name) for form_step in later)
        and not format_.excludes(name, body)
    }
    return {**example, **body}


@contextmanager
def tried(*, format_: Format[Any], body: Mapping[str, Any], by: User, now: datetime) -> Iterator[Debate]:
    """Make a debate as it would be made, look at it, and take it back.

    Raises: as ``draft_new_debate``.
    """
    with transaction.atomic(durable=True):
        yield create_draft.service(spec=requested(format_=format_, body=body, by=by), by=by, now=now)
        transaction.set_rollback(True)


# -- what will happen --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a debate will be if it is made now.

    Units: ``calls`` at most; ``tokens`` and ``estimate`` about, for as many of them as models answer, by the length of
    the text, a usual question and answer and the prices that are set; ``money`` by earlier calls of the same voices.
    Nothing where that is not known.
    """

    debate: Debate
    participants: Sequence[Participant]
    threads: int
    criteria: Sequence[str]
    criteria_left_out: int
    calls: int
    tokens: int | None
    money: Decimal | None
    estimate: Decimal | None
    is_free: bool
    warnings: Sequence[str]


def forecast(*, format_: Format[Any], body: Mapping[str, Any], by: User, now: datetime) -> Forecast:
    """Return what a debate will be if it is made now. Its models are asked, so that it may take a while.

    Raises: as ``draft_new_debate``.
    """
    with tried(format_=format_, body=body, by=by, now=now) as debate:
        participants = list(debate.participants.order_by("position"))
        needed = {name: list(questions) for name, questions in preflight.needed(debate=debate).items()}
        threads, calls = debate.threads.count(), format_.calls(debate=debate)
        priced = format_.calls(debate=debate, provider=PRICED)
        codes = format_.played(debate=debate)
        text = debate.subject.text if debate.subject else debate.motion
        asked = needed.get(PRICED, ())
        unknown = preflight.without_price(needed)
        not_read = unread(debate=debate, participants=participants)
        reads = len(text) // LETTERS_IN_TOKEN + USUAL_QUESTION
        price = usual_price(asked, tokens_in=reads, tokens_out=USUAL_ANSWER)
    money = None if unknown else usual_money(participants, calls=priced)
    preflight.give_back_connection()
    rows = debate.parameters.get("rubric", {}).get("criteria", ())
    played = [row for row in rows if row["code"] in codes]
    warnings = [problem for name, questions in needed.items() for problem in provider(name).preflight(questions)]
    warnings += [*unknown, *not_read]
    return Forecast(
        debate=debate,
        participants=participants,
        threads=threads,
        criteria=[row["name"] for row in played],
        criteria_left_out=len(rows) - len(played),
        calls=calls,
        tokens=(reads + USUAL_ANSWER) * priced if asked else None,
        money=money,
        estimate=None if price is None else half_up(price * priced, places=2),
        is_free=PRICED not in needed,
        warnings=warnings,
    )


def usual_money(participants: Sequence[Participant], *, calls: int) -> Decimal | None:
    """Return what so many calls cost by earlier ones of the same models; nothing where one was never asked."""
    asked = [voice for voice in participants if voice.kind == Kind.ENGINE.value and voice.provider == PRICED]
    means = [usual_of(PRICED, model) for model in {voice.model for voice in asked}]
    per_call = [usual and usual[1] for usual in means]
    known = [cost for cost in per_call if cost is not None]
    return half_up(max(known) * calls, places=2) if known and known == per_call else None


def unread(*, debate: Debate, participants: Sequence[Participant]) -> list[str]:
    """Return what offline judges of a debate, if it has any, do not read, in a sentence each."""
    offline = any(voice.provider == OFFLINE and voice.role in JUDGES for voice in participants)
    return format_of(debate.format).unread_offline(debate=debate) if offline else []


# -- what becomes of a draft: started at a time, withdrawn, copied, edited ---------------------------------------------


@UseCase
def plan_start(*, debate_id: int, by: User, starts_at: datetime, now: datetime) -> PlannedStart:
    """Have a draft start by itself at a time; a time that was planned before is forgotten.

    Raises: ``NotFound``, ``NotPermitted``; ``NotAllowedNow`` once it has started, where its words were erased, or where
    the offline judge has a model; ``Invalid`` for a time that is past, or more than a year ahead.
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    may_plan(debate=debate)
    if starts_at <= now:
        raise Invalid("This time is past. Choose one that is ahead, or start the debate now.", field="starts_at")
    if starts_at > now + FURTHEST:
        raise Invalid("This time is more than a year ahead.", field="starts_at")
    PlannedStart.objects.filter(debate=debate).delete()
    return PlannedStart.objects.create(debate=debate, starts_at=starts_at, created_by=by, created_at=now)


def may_plan(*, debate: Debate) -> None:
    """Refuse to plan a start of what is no draft, does not start here, or cannot start at all.

    Raises: ``NotAllowedNow``.
    """
    _refuse_begun(debate)
    if debate.conducted_by == Conduct.EXTERNAL.value:
        raise NotAllowedNow("This debate is conducted elsewhere; its client starts it.")
    lifecycle.refuse_erased(debate=debate)
    lifecycle.refuse_unasked_model(debate=debate)


@UseCase
def unplan_start(*, debate_id: int, by: User) -> None:
    """Have a draft wait again until somebody starts it.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has started.
    """
    PlannedStart.objects.filter(debate=_draft(debate_id=debate_id, by=by)).delete()


@UseCase
def withdraw_draft(*, debate_id: int, by: User, now: datetime) -> Debate:
    """Withdraw a draft: it is cancelled, and from now on private. Its rows stay, for a log has no gaps.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has started.
    """
    debate = _draft(debate_id=debate_id, by=by)
    PlannedStart.objects.filter(debate=debate).delete()
    visibility.change.service(debate_id=debate.pk, by=by, visibility=Visibility.PRIVATE, now=now)
    return lifecycle.cancel.service(debate_id=debate.pk, by=by, now=now)


@UseCase
def copy_debate(*, debate_id: int, by: User) -> NewDebate:
    """Begin a new debate with all that this one asks for, but a script that is sealed, where somebody else created it;
    one that began and has ended is held again.

    Raises: ``NotFound``, ``NotPermitted`` unless one may make debates and conduct this one, ``NotAllowedNow`` for what
    cannot be asked for again.
    """
    permitted(by=by, permission=MAY_CREATE)
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    format_ = format_of(debate.format)
    body = format_.request_of(debate=debate)
    if script_is_sealed(debate, copied_by=by.pk):
        body.pop("script", None)
    over = debate.started_at is not None and Status(debate.status) not in IN_PLAY
    if over and "repeat_of" in format_.serializer().fields:
        body["repeat_of"] = str(debate.public_id)
    return begin_new_debate.service(format_name=debate.format, by=by, body=body, copied_from=debate)


@UseCase
def edit_draft(*, debate_id: int, by: User, now: datetime) -> NewDebate:
    """Begin a new debate with all that a draft asks for, and take the draft back.

    Shape: a script is taken along, for once the draft is taken back nobody judges there any more.
    Raises: as ``copy_debate`` and ``withdraw_draft``.
    """
    debate = _draft(debate_id=debate_id, by=by)
    body = format_of(debate.format).request_of(debate=debate)
    new = begin_new_debate.service(format_name=debate.format, by=by, body=body, copied_from=debate)
    withdraw_draft.service(debate_id=debate_id, by=by, now=now)
    return new


def _draft(*, debate_id: int, by: User) -> Debate:
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    _refuse_begun(debate)
    return debate


def _refuse_begun(debate: Debate) -> None:
    if debate.status != Status.DRAFT.value:
        raise NotAllowedNow(f"This is for a draft; the debate is {debate.status.replace('_', ' ')}.")


def planner(row: PlannedStart) -> User | None:
    """Return in whose name a draft starts: theirs who planned it, if they still may; the site's own where they became a
    party since, for what they did before stands.

    Raises: ``NotAllowedNow`` where they are gone; ``NotPermitted``.
    """
    if row.created_by is None or not row.created_by.is_active:
        raise NotAllowedNow("Whoever planned this start is not here any more. Plan it anew.")
    try:
        may_conduct(by=row.created_by, debate=row.debate)
    except ConflictOfInterest:
        return None
    return row.created_by


def may_still_start(row: PlannedStart) -> bool:
    with suppress(DomainError):
        planner(row)
        return True
    return False


def conductors(row: PlannedStart) -> list[int]:
    """Return the ids of a draft's creator and of its organisers, without who planned its start."""
    standing = Membership.objects.filter(debate=row.debate_id, role=MemberRole.ORGANISER.value, revoked_at=None)
    everybody = {row.debate.created_by_id, *standing.values_list("user", flat=True)}
    return sorted(person for person in everybody - {row.created_by_id} if person)


def start_due(*, now: datetime) -> Sequence[int]:
    """Start every draft whose time has come, and return which; what cannot start says why, and is tried for an hour
    while who planned it may start it.

    A debate that was started, cancelled or erased meanwhile is planned no more. What could not start before is tried
    last: a model that does not answer is waited for half a minute.
    """
    started = []
    unready: dict[frozenset[tuple[str, Purpose, str]], str] = {}
    due = PlannedStart.objects.filter(starts_at__lte=now, given_up_at=None)
    new_first = F("failing_since").asc(nulls_first=True)
    for row in due.select_related("debate", "created_by").order_by(new_first, "starts_at"):
        if not PlannedStart.objects.filter(pk=row.pk, starts_at=row.starts_at).exists():
            continue  # it was planned anew, or not at all, while those before it were started
        try:
            start_planned(row, unready=unready, now=max(now, timezone.now()))  # those before it may have taken a while
            started.append(row.debate_id)
        except DomainError as refusal:
            put_off(planned=row, problem=refusal.message, now=now)
        except Exception:  # one that cannot start hinders no other
            log.exception(Fields("could not start what was planned", debate=row.debate_id))
            put_off(planned=row, problem=BROKEN, now=now)
    PlannedStart.objects.exclude(debate__status=Status.DRAFT.value).delete()
    return started


def start_planned(row: PlannedStart, *, unready: dict[frozenset[tuple[str, Purpose, str]], str], now: datetime) -> None:
    """Start a draft as it was planned, unless it needs all that was not ready for another.

    Raises: as ``planner`` and ``lifecycle.start``.
    """
    by = planner(row)
    needs = frozenset((name, *each) for name, asked in preflight.needed(debate=row.debate).items() for each in asked)
    for asked, why in unready.items():
        if asked <= needs:
            raise ModelNotReady(why)
    try:
        lifecycle.start(debate_id=row.debate_id, by=by, now=now, planned=row)
    except ModelNotReady as refusal:
        unready[needs] = refusal.message
        raise


@transaction.atomic(durable=True)
def put_off(*, planned: PlannedStart, problem: str, now: datetime) -> None:
    """Say why a draft could not start; once it was tried for an hour, give it up, and write to who planned it.

    Where they may not start it any more, no other try helps: it is given up at once, and whoever conducts it is written
    to.
    """
    rows = PlannedStart.objects.select_for_update(no_key=True, of=("self",))
    drafts = rows.filter(debate__status=Status.DRAFT.value)
    row = drafts.filter(pk=planned.pk, starts_at=planned.starts_at, given_up_at=None).first()
    if row is None:
        return  # planned anew, or started or given up by another worker
    row.problem = problem[:LONGEST_PROBLEM]
    row.failing_since = row.failing_since or now  # nobody may have tried for long after its time had come
    has_planner = may_still_start(row)
    if not has_planner or now >= row.failing_since + TRIED_FOR:
        row.given_up_at = now
        people = [row.created_by_id] if has_planner and row.created_by_id else conductors(row)
        occasion = f"{planned.debate.public_id}:{row.starts_at:%Y%m%dT%H%M%S}"
        outbox.due(kind=MailKind.NOT_STARTED, about=occasion, people=people, debate_id=row.debate_id, now=now)
    row.save(update_fields=["problem", "failing_since", "given_up_at"])
