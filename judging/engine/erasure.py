"""Erasing the words of a debate or a person, so that scores, entries and hashes stay and can be proved."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count
from secrets import token_hex
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, F, Func, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Left, Now

from debates import event_log
from debates.errors import Invalid, NotAllowedNow
from debates.mail import preferences
from debates.models import (
    ApiKey,
    Debate,
    Delivery,
    IdempotencyKey,
    Invitation,
    Mail,
    MailStop,
    Membership,
    Participant,
    Profile,
    Subject,
    Turn,
    TurnDraft,
    Webhook,
)
from debates.printable import Fields
from debates.rules import IN_PLAY
from debates.services.rights import keep_open
from debates.types import DeliveryState, MailKind, Role
from judging.formats.base import Emptying, WordColumns
from judging.formats.registry import FORMATS
from judging.models import CachedJudgement, Call, NewDebate, PlannedStart, Review, Script, Synthesis
from judging.types import ReviewState
from scoring import signed
from scoring.enums import Scope
from scoring.models import (
    Actor,
    Alert,
    Appeal,
    Assignment,
    Conflict,
    Erasure,
    Evaluation,
    InternalNote,
    Reason,
    Remark,
    RescoreSet,
)
from scoring.services.entries import actor_of, reason_record

# What an erasure does, one step after the other; a preview counts the same rows that it will change.


UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAMELESS = r"^\[erased [0-9]+\]$"
"""What a voice is called whose name is gone; the database knows it, too."""
LONGEST_ABOUT = 60
"""So many characters of a name a call keeps that is about somebody."""
WHY = "why"
"""Where an alert's evidence says why a judge failed."""
TOLD = {"problem": "", "stop_reason": ""}
"""What a debate was told of itself in people's and providers' words, once it is gone."""


def emptied(what: str, rows: QuerySet[Any], values: Mapping[str, Any]) -> Emptying:
    return Emptying(what, rows, lambda queryset: queryset.update(**values))


def removed(what: str, rows: QuerySet[Any]) -> Emptying:
    return Emptying(what, rows, lambda queryset: queryset.delete())


def unquoted(debates: QuerySet[Debate]) -> Emptying:
    """Return the step that takes what a failed judge's provider said out of the alerts of some debates."""
    alerts = Alert.objects.filter(debate__in=debates, evidence__has_key=WHY)
    rest = Func(F("evidence"), Value(WHY), template="(%(expressions)s)", arg_joiner=" - ")
    return Emptying("words in alerts", alerts, lambda queryset: queryset.update(evidence=rest))


def unaddressed(condition: Q) -> Emptying:
    """Return the step that takes mail addresses out of some invitations, which are good no more from then on."""
    invitations = Invitation.objects.filter(condition).exclude(email="")
    return Emptying("addresses in invitations", invitations, take_addresses)


def take_addresses(invitations: QuerySet[Invitation]) -> None:
    invitations.filter(revoked_at=None).update(revoked_at=Now())
    invitations.update(email="")


def of_debate(debate: Debate) -> Iterator[Emptying]:
    voices, reasons = Participant.objects.filter(debate=debate), signed.given_in(debate.pk)
    notes = notes_of(reasons, remarks=Remark.objects.filter(evaluation__debate=debate))
    yield from (emptied(words.called, words.in_debate(debate.pk), words.emptied) for words in spoken())
    yield unquoted(Debate.objects.filter(pk=debate.pk))
    yield emptied("internal notes", notes, {"text": ""})
    yield emptied("reasons", Reason.objects.filter(reasons).exclude(text=""), {"text": "", "salt": ""})
    yield emptied("subjects", subjects_of(debate.pk), {"title": "", "text": ""})
    yield removed("scripts", Script.objects.filter(debate=debate))
    yield emptied("titles", Debate.objects.filter(pk=debate.pk).exclude(title=ERASED), {"title": ERASED, **TOLD})
    motions = Debate.objects.filter(pk=debate.pk).exclude(motion__in=["", ERASED])
    yield emptied("motions", motions, {"motion": ERASED})
    yield from of_formats(Debate.objects.filter(pk=debate.pk), whole=True)
    yield from names(voices)
    yield removed("known judgements", known_in(Debate.objects.filter(pk=debate.pk)))
    yield from of_deliveries(Delivery.objects.filter(event__debate=debate))
    yield removed("mail", Mail.objects.filter(debate=debate))
    yield removed("drafts of turns", TurnDraft.objects.filter(participant__debate=debate))
    yield removed("planned starts", PlannedStart.objects.filter(debate=debate))
    yield removed("copies that are filled in", NewDebate.objects.filter(copied_from=debate))
    yield unaddressed(Q(debate=debate))
    of_it = about(Debate, [debate.pk]) | about(Subject, [debate.subject_id])
    yield from history(of_it | about_all(debate.participants.all()) | about_all(debate.evaluations.all()))


def of_voices(participants: Collection[Participant]) -> Iterator[Emptying]:
    """Return what goes when all words of some participants go, and what judges said about them."""
    ids = [participant.pk for participant in participants]
    yield from (emptied(words.called, words.of_voices(ids), words.emptied) for words in spoken())
    debates = Debate.objects.filter(pk__in=Participant.objects.filter(pk__in=ids).values("debate"))
    yield removed("scripts", Script.objects.filter(debate__in=debates))
    yield emptied("problems", debates.exclude(**TOLD), TOLD)
    yield unquoted(debates)
    yield from names(Participant.objects.filter(pk__in=ids))
    yield from of_formats(debates, whole=False)
    yield removed("known judgements", known_in(debates))
    yield removed("drafts of turns", TurnDraft.objects.filter(participant__in=ids))
    offered = [str(public) for public in Invitation.objects.filter(seat__in=ids).values_list("public_id", flat=True)]
    yield removed("mail", Mail.objects.filter(kind=MailKind.INVITATION.value, about__in=offered))
    yield unaddressed(Q(seat__in=ids))
    yield removed("planned starts", PlannedStart.objects.filter(debate__in=debates).exclude(problem=""))
    yield removed("copies that are filled in", NewDebate.objects.filter(copied_from__in=debates))
    yield from of_deliveries(Delivery.objects.filter(event__debate__in=debates))
    yield from history(about(Participant, ids) | about_all(Evaluation.objects.filter(participant__in=ids)))


def of_person(user: User) -> Iterator[Emptying]:
    """Return what goes when a person goes: words from every seat, reasons, signatures, keys, webhooks, the account."""
    yield from of_voices(list(Participant.objects.filter(user=user)))
    reasons = signed.given_by(user.pk)
    notes = notes_of(reasons, remarks=Remark.objects.filter(by__user=user))
    yield emptied("internal notes", notes, {"text": ""})
    yield emptied("reasons", Reason.objects.filter(reasons).exclude(text=""), {"text": "", "salt": ""})
    yield emptied("signatures", Actor.objects.filter(user=user).exclude(name=""), {"name": ""})
    yield removed("kept answers of the person", IdempotencyKey.objects.filter(owner=user))
    yield removed("deliveries to the person", Delivery.objects.filter(webhook__owner=user))
    hooks = Webhook.objects.filter(owner=user).exclude(url=NOWHERE)
    yield emptied("webhooks", hooks, DEAD_HOOK)
    keys = ApiKey.objects.filter(owner=user).exclude(name=ERASED)
    yield Emptying("keys", keys, revoke)
    addresses = {user.email, *user.emailaddress_set.values_list("email", flat=True)} - {""}  # type: ignore[attr-defined]
    invited = Q(addressee=user)
    for address in addresses:
        invited |= Q(email__iexact=address)
    yield unaddressed(Q(acceptances__user=user) | invited)
    others = User.objects.exclude(pk=user.pk).filter(email__iexact=OuterRef("email"))
    former = Invitation.objects.filter(~Exists(others), addressee=user).exclude(email="")
    addresses.update(former.values_list("email", flat=True))
    addressed = Q(person=user)
    for address in addresses:
        addressed |= Q(address__iexact=address)
    yield removed("mail to the person", Mail.objects.filter(addressed))
    digests = [digest for address in addresses for digest in preferences.digests_of(address)]
    yield removed("mail that is not wanted", MailStop.objects.filter(digest__in=digests))
    roles = Membership.objects.filter(user=user, revoked_at=None)
    yield Emptying("roles in debates", roles, lambda queryset: queryset.update(revoked_at=Now()))
    yield removed("planned starts", PlannedStart.objects.filter(created_by=user).exclude(problem=""))
    yield removed("cases of the person", Assignment.objects.filter(person=user))
    for claimed in (Review.objects, Appeal.objects):
        yield emptied("claims of the person", claimed.filter(claimed_by__user=user), UNCLAIMED)
    yield removed("profiles", Profile.objects.filter(user=user))
    yield removed("drafts of debates", NewDebate.objects.filter(owner=user))
    yield removed("sessions", sessions_of(user))
    owned = about_all(ApiKey.objects.filter(owner=user)) | about_all(Webhook.objects.filter(owner=user))
    owned |= about_all(EmailAddress.objects.filter(user=user))
    yield from history(Q(user=user) | about(User, [user.pk]) | owned)
    named_so = {
        "username__regex": f"^{gone(user.pk)}(-[0-9a-f]{{16}})?$",
        "password__startswith": UNUSABLE_PASSWORD_PREFIX,
    }
    yield Emptying("accounts", User.objects.filter(pk=user.pk).exclude(**named_so, **CLOSED), close_account)


def sessions_of(user: User) -> QuerySet[Session]:
    """Return the sessions in which somebody is signed in, or about to; each is opened for it."""
    decode = import_module(settings.SESSION_ENGINE).SessionStore().decode
    rows = Session.objects.values_list("pk", "session_data").iterator()
    whose = ((pk, decode(data)) for pk, data in rows)
    theirs = [pk for pk, held in whose if str(user.pk) in {held.get(SESSION_KEY), held.get(SIGNING_IN_KEY)}]
    return Session.objects.filter(pk__in=theirs)


SIGNING_IN_KEY = "account_authentication_methods_user"
"""Where a session says who gave a password, or came from a provider, and may have to prove more yet."""


NOWHERE = "https://erased.invalid/"
DEAD_HOOK = {
    "url": NOWHERE,
    "secret": "whsec_",
    "former_secret": "",
    "former_until": None,
    "state": "disabled",
    "disabled_because": "erased",
}


UNCLAIMED = {"state": ReviewState.OPEN.value, "claimed_by": None, "lease_until": None}
"""What a review or an appeal is that somebody gives back."""


def of_deliveries(deliveries: QuerySet[Delivery]) -> Iterator[Emptying]:
    """Return the steps that take what came of deliveries; what waits is ids and numbers, and is told still."""
    waiting = Q(state=DeliveryState.WAITING.value)
    yield removed("deliveries", deliveries.exclude(waiting))
    yield emptied("logs of deliveries", deliveries.filter(waiting).exclude(log=[]), {"log": []})


def of_formats(debates: QuerySet[Debate], *, whole: bool) -> Iterator[Emptying]:
    """Return what the formats of some debates have to take, beyond the columns of their tables."""
    for format_ in FORMATS.values():
        yield from format_.emptyings(debates=debates, erased=ERASED, whole=whole)


def names(participants: QuerySet[Participant]) -> Iterator[Emptying]:
    """Return the steps that take names: of voices, of the scores that carry them, and in previews that were kept.

    Judges of panels keep theirs: Judge 1 and so on is what we call them, and what their scores are kept under.
    """
    scores = Evaluation.objects.filter(participant__in=participants)
    sets = Q()
    for public in scores.values_list("public_id", flat=True):
        line = {"evaluation": str(public)}
        sets |= Q(lines__contains=[line]) & ~Q(lines__contains=[{**line, "name": ERASED}])
    with_lines = RescoreSet.objects.filter(sets) if sets else RescoreSet.objects.none()
    yield Emptying("names in rescore sets", with_lines, lambda queryset: unnamed_lines(queryset, scores))
    named = participants.exclude(name__regex=NAMELESS).exclude(role=Role.JUDGE.value)
    tables = Debate.objects.filter(pk__in=named.values("debate"), parameters__has_key="table")
    yield Emptying("names in set-ups", tables, lambda queryset: rename_in(queryset, "parameters", named))
    last_words = Synthesis.objects.filter(debate__in=tables)
    yield Emptying("names in syntheses", last_words, lambda queryset: rename_in(queryset, "numbers", named))
    shortened = named.annotate(about=Left("name", LONGEST_ABOUT)).values("about")
    spoken_of = Call.objects.filter(debate__in=named.values("debate"), about__in=shortened)
    yield Emptying("names in calls", spoken_of, lambda _queryset: rename_calls(named))
    yield Emptying("names of scores", scores.exclude(name__regex=NAMELESS), rename_scores)
    yield Emptying("names of voices", named, rename_voices)


def unnamed_lines(sets: QuerySet[RescoreSet], scores: QuerySet[Evaluation]) -> None:
    """Take the names of these scores out of the lines of sets."""
    whose = {str(public) for public in scores.values_list("public_id", flat=True)}
    for rescore_set in sets:
        lines = [{**line, "name": ERASED} if line["evaluation"] in whose else line for line in rescore_set.lines]
        RescoreSet.objects.filter(pk=rescore_set.pk).update(lines=lines)


def rename_in(rows: QuerySet[Any], column: str, participants: QuerySet[Participant]) -> None:
    """Put what stands for a name in its place, wherever a document of ours has names."""
    new: dict[int, dict[str, str]] = {}
    for participant in participants:
        new.setdefault(participant.debate_id, {})[participant.name] = nameless(participant)
    for row in rows:
        names = new[row.pk if isinstance(row, Debate) else row.debate_id]
        type(row).objects.filter(pk=row.pk).update(**{column: renamed(getattr(row, column), names)})


def renamed(document: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    """Return a set-up, or the numbers of closing words, with these names replaced where names stand, and nowhere else.

    A chair may be called as a setting is, or as a key of the document. The database knows the same places.
    """
    whole = dict(document)
    if "table" in whole:
        table = whole["table"] = dict(whole["table"])
        table["chairs"] = [
            {key: called(value, new) if key in {"name", "side"} else value for key, value in chair.items()}
            for chair in table["chairs"]
        ]
        if "order" in table:
            table["order"] = [called(speakers, new) for speakers in table["order"]]
    for part in whole.keys() & {"scores", "states", "adherence"}:
        whole[part] = {called(name, new): value for name, value in whole[part].items()}
    for part in whole.keys() & {"winner", "surrendered"}:
        whole[part] = called(whole[part], new)
    return whole


def called(name: Any, new: Mapping[str, str]) -> Any:
    """Return what a name, or each of several, is called now; nothing where there is none."""
    return [called(one, new) for one in name] if isinstance(name, list) else new.get(name, name)


def rename_calls(participants: QuerySet[Participant]) -> None:
    for participant in participants:
        Call.objects.filter(debate=participant.debate_id, about=participant.name[:LONGEST_ABOUT]).update(
            about=nameless(participant)
        )


def rename_scores(scores: QuerySet[Evaluation]) -> None:
    for evaluation in scores.select_related("participant"):
        assert evaluation.participant is not None  # noqa: S101 -- scores of participants alone come here
        Evaluation.objects.filter(pk=evaluation.pk).update(name=nameless(evaluation.participant))


def rename_voices(participants: QuerySet[Participant]) -> None:
    for participant in list(participants):
        Participant.objects.filter(pk=participant.pk).update(name=nameless(participant))


def nameless(participant: Participant) -> str:
    """Return what stands for a name: which voice of the debate it was, counted from 1.

    Where another voice is called so it is counted on past all; no two voices come to one number by that. The database
    counts in the same way.
    """
    voices = list(Participant.objects.filter(debate=participant.debate_id).order_by("position", "pk"))
    others = {voice.name for voice in voices if voice != participant}
    stands_for_it = (f"{ERASED[:-1]} {number}]" for number in count(1 + voices.index(participant), len(voices)))
    return next(name for name in stands_for_it if name not in others)


def answers_about(target: Target) -> QuerySet[IdempotencyKey]:
    """Return answers kept to be repeated that name something in which words of a target may stand.

    Each is opened for it; what goes too much is only done anew when it is asked for again.
    """
    debates, ids = Debate.objects.filter(touched(target)), set[str]()
    own = (model.objects.filter(debate__in=debates) for model in (Turn, Participant, Evaluation))
    hooks = target.webhooks.all() if isinstance(target, User) else Webhook.objects.none()
    for rows in (debates, RescoreSet.objects.filter(sets_of(target)), hooks, *own):
        ids.update(map(str, rows.values_list("public_id", flat=True)))
    answers = IdempotencyKey.objects.exclude(body="").only("body").iterator()
    return IdempotencyKey.objects.filter(
        pk__in=[row.pk for row in answers if not ids.isdisjoint(UUID.findall(row.body))]
    )


def known_in(debates: QuerySet[Debate]) -> QuerySet[CachedJudgement]:
    """Return the judgements kept to be known again: all, for they do not say which debate they quote, or none.

    What goes too much is only asked for once more.
    """
    everything = CachedJudgement.objects.all()
    caching = [name for name, format_ in FORMATS.items() if format_.caches_judgements]
    return everything if debates.filter(format__in=caching).exists() else everything.none()


def about(model: type[Model], ids: Collection[int | None]) -> Q:
    kind = ContentType.objects.get_for_model(model)
    return Q(content_type=kind, object_id__in=[str(pk) for pk in ids])


def about_all(rows: QuerySet[Any]) -> Q:
    return about(rows.model, list(rows.values_list("pk", flat=True)))


def history(condition: Q) -> Iterator[Emptying]:
    """Return the step that empties what the admin's own history says."""
    rows = LogEntry.objects.filter(condition).exclude(object_repr=ERASED, change_message="")
    yield emptied("lines of the admin's history", rows, {"object_repr": ERASED, "change_message": ""})


def revoke(keys: QuerySet[ApiKey]) -> None:
    """Revoke what is not revoked yet, and take the names."""
    keys.filter(revoked_at=None).update(revoked_at=Now())
    keys.update(name=ERASED)


CLOSED = {
    "email": "", "first_name": "", "last_name": "", "is_active": False, "is_staff": False, "is_superuser": False,
    "last_login": None,
}  # fmt: skip
"""What stands in an account whose person is gone, beside its name and that it has no password."""


def gone(user_id: int) -> str:
    """Return what an account is called whose person is gone, unless somebody else is called so."""
    return f"erased-{user_id}"


def close_account(accounts: QuerySet[User]) -> None:
    """Take everything from an account that tells whose it was, and every way in."""
    for user in list(accounts):
        for relation in ("emailaddress_set", "authenticator_set", "socialaccount_set"):
            getattr(user, relation).all().delete()
        user.groups.clear()
        user.user_permissions.clear()
        taken = User.objects.exclude(pk=user.pk).filter(username__iexact=gone(user.pk)).exists()
        user.username = f"{gone(user.pk)}-{token_hex(8)}" if taken else gone(user.pk)
        for column, value in CLOSED.items():
            setattr(user, column, value)
        user.set_unusable_password()
        user.save()


# Erasing words for good: everybody's in a debate, one voice's, or a person's everywhere. Needs the owner's role.


log = logging.getLogger(__name__)
Target = Debate | Participant | User


@dataclass(frozen=True, slots=True)
class Order:
    """Whose words go, who says so and why."""

    target: Target
    by: User
    reason: str


def preview(*, target: Target) -> Mapping[str, int]:
    """Return how much of what would go, by its name; what has gone already is not counted."""
    return counted(steps_for(target))


def counted(steps: Sequence[Emptying]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for step in steps:
        counts[step.what] = counts.get(step.what, 0) + step.rows.count()
    return {what: rows for what, rows in counts.items() if rows}


@transaction.atomic(durable=True)
def erase(*, order: Order) -> Erasure:
    """Take the words of a debate, a participant or a person away; scores, entries and hashes stay verifiable.

    Pages and streams that still hold the words in memory are told to forget them.

    Raises: ``Invalid`` for a reason under 10 characters, or one's own account; ``NotAllowedNow`` while one of the
    debates is not over, or for the last superuser; ``NotPermitted`` where whoever signs is gone.
    Source: docs/how-to/erase-and-retain.md.
    """
    order = left_alone(order)
    by, because = actor_of(order.by), reason_record(order.reason)
    refuse_person(order)
    debates = {debate.pk for debate in lock(order.target)}
    steps = steps_for(order.target)  # once: for two of them every session, and every kept answer, is opened
    counts = counted(steps)
    erasure = Erasure.objects.create(**named(order.target), by=by, because=because, counts=counts)
    lock_outside(steps)
    for step in steps:
        step.take(step.rows)
    debates |= shown_in(order.target)  # what was given while this waited, too
    for debate_id in sorted(debates):
        event_log.words_erased(debate_id=debate_id)
    log.info(
        Fields("words erased", scope=erasure.scope, erasure=str(erasure.public_id), by=by.pk, rows=sum(counts.values()))
    )
    return erasure


ALONE = "SELECT pg_advisory_xact_lock(hashtext('moot.account'), account) FROM unnest(%s) account"
"""What waits for other erasures of people, then for acts of a person, as ``moot_account_is_open`` has those wait."""
NOBODY = 0


def left_alone(order: Order) -> Order:
    """Return an order once nothing is under way in the name of the person whose words go, as they are then.

    What they begin from then on waits for this transaction, and is refused after it. People are erased one after
    another, so that of two who are the last superusers one stays.

    Raises: ``NotPermitted`` where whoever signs is gone.
    """
    if isinstance(order.target, User):
        with connection.cursor() as cursor:
            cursor.execute(ALONE, [[NOBODY, order.target.pk]])
        order = replace(order, target=User.objects.get(pk=order.target.pk))
    keep_open(account=order.by)
    return order


def forget_statistics() -> None:
    """Have the statistics for planning made anew: they hold samples of words that are gone, for all who may read.

    ``ANALYZE`` passes by a table without rows; what is known of that is cleared, which PostgreSQL can from 18 on.
    """
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        cursor.execute("ANALYZE " + ", ".join(map(connection.ops.quote_name, tables)))
        if connection.pg_version < CLEARS_STATISTICS:  # type: ignore[attr-defined]  # of PostgreSQL alone
            return
        for table in tables:
            cursor.execute(f"SELECT FROM {connection.ops.quote_name(table)} LIMIT 1")
            if cursor.fetchone() is None:
                cursor.execute(CLEAR, {"table": table})


CLEARS_STATISTICS = 18_00_00
CLEAR = """
    SELECT pg_clear_attribute_stats(s.schemaname, s.tablename, s.attname, s.inherited) FROM pg_stats s
    WHERE s.schemaname = current_schema() AND (s.tablename = %(table)s OR s.tablename IN (
        SELECT indexname FROM pg_indexes i WHERE i.schemaname = s.schemaname AND i.tablename = %(table)s))
"""
"""What clears what is known of a table and its indexes."""


def steps_for(target: Target) -> Sequence[Emptying]:
    if isinstance(target, Debate):
        steps = of_debate(target)
    else:
        steps = of_voices([target]) if isinstance(target, Participant) else of_person(target)
    return [*steps, removed("kept answers", answers_about(target))]


def named(target: Target) -> dict[str, object]:
    if isinstance(target, Debate):
        return {"scope": Scope.DEBATE.value, "debate": target}
    if isinstance(target, Participant):
        return {"scope": Scope.PARTICIPANT.value, "debate_id": target.debate_id, "participant": target}
    return {"scope": Scope.USER.value, "user": target}


def touched(target: Target) -> Q:
    """Return how to find every debate in which words are read that go with a target; several may share them."""
    if isinstance(target, Debate):
        shared = Q(subject__in=subjects_of(target.pk)) | Q(pk__in=signed.debates_sharing(target.pk))
        return Q(pk=target.pk) | shared
    if isinstance(target, Participant):
        return Q(pk=target.debate_id)
    declared = Q(pk__in=Conflict.objects.filter(person=target).values("debate"))
    return Q(participants__user=target) | Q(pk__in=signed.debates_of(target.pk)) | declared


def shown_in(target: Target) -> set[int]:
    return set(Debate.objects.filter(touched(target)).values_list("pk", flat=True))


def lock(target: Target) -> list[Debate]:
    """Lock the rescore sets that are about a target, then the debates that hold words of it, each by ascending id.

    Raises: ``NotAllowedNow`` while one of the debates that it speaks in is not over.
    """
    list(RescoreSet.objects.select_for_update(no_key=True, of=("self",)).filter(sets_of(target)).order_by("pk"))
    debates = Debate.objects.select_for_update(no_key=True, of=("self",))
    rows = list(debates.filter(pk__in=shown_in(target)).order_by("pk"))
    refuse_playing(target, rows)
    return rows


def refuse(*, target: Target) -> None:
    """Refuse beforehand what an erasure would refuse whoever signs it.

    Raises: ``NotAllowedNow``.
    """
    refuse_last(target)
    refuse_playing(target, Debate.objects.filter(pk__in=shown_in(target)).order_by("pk"))


def refuse_playing(target: Target, debates: Iterable[Debate]) -> None:
    playing = [str(row.public_id) for row in debates if row.status in IN_PLAY and _speaks(target, row)]
    if playing:
        raise NotAllowedNow(f"Not over yet: {', '.join(playing)}. Stop or cancel what is being played first.")


def sets_of(target: Target) -> Q:
    """Return how to find the sets of which the reason, or a name in the lines, goes with a target."""
    if isinstance(target, Debate):
        return signed.about(Evaluation.objects.filter(debate=target))
    if isinstance(target, Participant):
        return signed.about(Evaluation.objects.filter(participant=target))
    return Q(staged_by__user=target) | signed.about(Evaluation.objects.filter(participant__user=target))


def lock_outside(steps: Sequence[Emptying]) -> None:
    """Lock what is sent outside in the order in which all lock it: webhooks, then deliveries, each by ascending id.

    Webhooks stay, so events that they hear of are written meanwhile; what is promised to one then goes nowhere.
    """
    for model in (Webhook, Delivery):
        rows = Q(pk__in=[])
        for step in steps:
            if step.rows.model is model:
                rows |= Q(pk__in=step.rows.values("pk"))
        locked = model.objects.select_for_update(no_key=model is Webhook, of=("self",)).filter(rows).order_by("pk")
        list(locked.values_list("pk"))


def _speaks(target: Target, debate: Debate) -> bool:
    """Say whether a debate itself loses its words, not only a reason or a subject that it shares."""
    if isinstance(target, User):
        return debate.participants.filter(user=target).exists()
    return debate.pk == (target.pk if isinstance(target, Debate) else target.debate_id)


def refuse_person(order: Order) -> None:
    """Refuse what would leave nobody who could repair it.

    Raises: ``Invalid`` for one's own account, ``NotAllowedNow`` for the last superuser.
    """
    if order.target == order.by:
        raise Invalid("An erasure is signed by somebody else: their name stays with it.")
    refuse_last(order.target)


def refuse_last(target: Target) -> None:
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=target.pk)
    if isinstance(target, User) and target.is_superuser and not others.exists():
        raise NotAllowedNow("This is the last superuser; make another first.")


# Where words of people stand: which columns an erasure empties, and how a row leads to its debate and its voices.


ERASED = "[erased]"
"""What stands where a text cannot be empty: titles, motions, names."""


def spoken() -> Iterator[WordColumns]:
    """Yield what was said, and what judges said about it. An answer of a provider may quote anybody."""
    voices = ("participant", "synthesis__debate__participants", "judge_report__debate__participants")
    yield WordColumns(Turn, {"text": ""}, "debate", voices)
    for format_ in FORMATS.values():
        yield from format_.words
    yield WordColumns(Call, {"raw_answer": "", "problem": ""}, "debate", ("debate__participants",))


def notes_of(reasons: Q, *, remarks: QuerySet[Remark]) -> QuerySet[InternalNote]:
    """Return the notes that were written with some reasons, and those of remarks, with words in them still."""
    own = Q(reason__in=Reason.objects.filter(reasons)) | Q(remark__in=remarks)
    return InternalNote.objects.filter(own).exclude(text="")


def subjects_of(debate_id: int) -> QuerySet[Subject]:
    """Return the subject of a debate, unless another debate whose words still stand is about it, too."""
    others = Debate.objects.exclude(pk=debate_id).exclude(erasures__scope="debate")
    return (
        Subject.objects.filter(debates=debate_id)
        .exclude(pk__in=others.exclude(subject=None).values("subject"))
        .exclude(title="", text="")
    )
