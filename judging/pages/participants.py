"""Who takes part in a debate, what a reader may see of it, and what is told to who has or is offered a seat."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.core import signing
from django.db.models import Q
from django.utils.crypto import constant_time_compare

from debates import sealing, selectors
from debates.absolute_urls import whole
from debates.decimals import in_places
from debates.models import AwaitedTurn, Debate, Participant, Round, TurnDraft
from debates.types import AwaitedState, Kind, Role, TurnKind, Visibility
from judging.models import Call
from judging.types import OFFLINE, Outcome
from scoring.models import Evaluation
from scoring.services import moderation_effect


def document_head(*, debate: Debate, **more: str) -> dict[str, Any]:
    """Return what every result document begins with; ``more`` stands behind the title."""
    return {
        "format": debate.format,
        "debate": {
            "id": str(debate.public_id),
            "title": debate.title,
            **more,
            "format": debate.format,
            "status": debate.status,
            "partial": debate.partial,
            "partialReason": debate.partial_reason,
            "rounds": debate.rounds,
        },
        "moderation": moderation(debate=debate),
    }


def moderation(*, debate: Debate) -> dict[str, Any]:
    """Return which scores of a debate persons have moved, and where each would stand had nobody."""
    scores = {row.pk: row for row in Evaluation.objects.filter(debate=debate, moderation_version__gt=0).order_by("pk")}
    effects = moderation_effect.moved(evaluations=scores.values())
    return {
        "moved": [
            {
                "evaluation": str(scores[pk].public_id),
                "key": scores[pk].key,
                "final": in_places(effect.final),
                "withoutModeration": in_places(effect.without),
            }
            for pk, effect in effects.items()
        ]
    }


def judged_by(*, debate: Debate) -> list[dict[str, str]]:
    """Return who spoke and judged; of a model the name by which it answered, until then that by which it is asked."""
    rows = list(Participant.objects.filter(debate=debate, replacement=None).order_by("position"))
    models = models_of(rows)
    return [
        {
            "role": row.role,
            "name": row.name,
            "kind": kind_of(row, debate=debate),
            "provider": row.provider,
            "model": models[row.pk],
        }
        for row in rows
    ]


def models_of(participants: Sequence[Participant]) -> Mapping[int, str]:
    """Return the models of participants; where settings name them, or one for each purpose, calls alone know which."""
    asked = [row.pk for row in participants if row.kind == Kind.ENGINE.value and row.provider not in KNOWN]
    answered: dict[int, list[str]] = {}
    if asked:
        used = Call.objects.filter(participant__in=asked, outcome=Outcome.USED.value).exclude(model="")
        for participant, model in used.order_by("model").values_list("participant", "model").distinct():
            answered.setdefault(participant, []).append(model)
    return {row.pk: ", ".join(answered.get(row.pk, [row.model])) for row in participants}


KNOWN: Mapping[str, str] = {
    OFFLINE: "fixed rules, no language model",
    "scripted": "prepared answers, no language model",
}


TRANSCRIPT = "transcript"
"""The kind of who spoke in a debate that was held elsewhere, beside the kinds of participants."""
VOICES: Mapping[str, str] = {Kind.HUMAN: "a person", Kind.EXTERNAL: "another program", TRANSCRIPT: "a transcript"}


def kind_of(participant: Participant, *, debate: Debate) -> str:
    held = "batch" in debate.parameters or "order" in debate.parameters.get("table", {})
    if held and participant.provider == "scripted" and participant.role == Role.CHAIR.value:
        return TRANSCRIPT
    return participant.kind


@dataclass(frozen=True, slots=True)
class Person:
    """A participant and what speaks through it."""

    role: str
    name: str
    provider: str
    means: str


def people(*, debate: Debate) -> Sequence[Person]:
    rows = list(Participant.objects.filter(debate=debate, replacement=None).order_by("position", "pk"))
    models = models_of(rows)
    kinds = {row.pk: kind_of(row, debate=debate) for row in rows}
    return [
        Person(
            role=row.role,
            name=row.name,
            provider=VOICES.get(kinds[row.pk], row.provider),
            means="" if kinds[row.pk] in VOICES else meaning_of(row, model=models[row.pk]),
        )
        for row in rows
    ]


def arbiter_name(people: Iterable[Person | Participant]) -> str:
    """Return the name of the arbiter of a criterion debate: the judge on a seat, where there is one, else the engine.

    Beside a judge the engine writes the closing words alone.
    """
    names = {row.role: row.name for row in people}
    return names.get(Role.JUDGE.value) or names.get(Role.ARBITER.value, "")


def meaning_of(participant: Participant, *, model: str) -> str:
    """Return what a reader should know about an engine's voice: its model, or that it is none."""
    return KNOWN.get(participant.provider) or (f"model {model}" if model else "")


CALENDAR = "judging.calendar"
UNDECIDED = Decimal("0.1")
PLAYED = ("panel", "table", "play")
"""The keys of a debate's parameters that hold how it is played, in each format."""
WHO_READS = {
    Visibility.PUBLIC: "Everybody can read the debate, with your name as it stands here and every word you say.",
    Visibility.UNLISTED: "Everybody who has its address can read the debate, with your name as it stands here and every"
    " word you say. No list shows it.",
    Visibility.PRIVATE: "The debate is private: those who take part in it and who look after it can read it.",
}


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of whoever looks: how it stands, what was refused there, and what is kept of what they write."""

    state: Any
    part: Any
    refused: Mapping[str, str] | None
    draft: TurnDraft | None
    side: str

    @property
    def goes_on_from(self) -> int:
        """The draft that the words in the box go on from: after a refusal the one that they were sent with.

        Where another device has changed that, it is the newest: whoever sends the words once more knows of it.
        """
        sent = self.refused["draft"] if self.refused else ""
        return int(sent) if sent else self.draft.pk if self.draft else 0

    @property
    def is_elsewhere(self) -> bool:
        return self.refused is not None and not self.refused["draft"]

    @property
    def text(self) -> str:
        return self.refused["text"] if self.refused else self.draft.text if self.draft else ""


def own_seats(*, debate: Debate, states: Any, parts: Mapping[str, Any], visitor: Any, unsaid: Any) -> list[OwnSeat]:
    """Return the seats of a debate that somebody sits in, with what they are writing there."""
    mine = [state for state in states if state.is_of(visitor)]
    drafts = {
        row.participant_id: row for row in TurnDraft.objects.filter(participant__in=[s.participant for s in mine])
    }
    return [
        OwnSeat(
            state=state,
            part=parts[state.part],
            refused=unsaid if unsaid and unsaid["seat"] == str(state.participant.public_id) else None,
            draft=drafts.get(state.participant.pk),
            side=side_of(debate=debate, participant=state.participant),
        )
        for state in mine
    ]


def tab(*, awaited: Sequence[AwaitedTurn], mine: Collection[int]) -> str:
    """Return how the title of the page begins: whose turn it is, where somebody is awaited.

    Shape: ``mine`` are the seats of whoever looks.
    """
    return "Your turn" if any(row.participant_id in mine for row in awaited) else whose_turn(awaited)


def whose_turn(awaited: Sequence[AwaitedTurn]) -> str:
    if not awaited:
        return ""
    names = " and ".join(dict.fromkeys(row.participant.name for row in awaited))
    return f"{names} to {'judge' if awaited[0].kind == TurnKind.JUDGEMENT.value else 'speak'}"


def side_of(*, debate: Debate, participant: Participant) -> str:
    """Return which side of a motion a chair is given, and by which framework it argues, if by one, in words."""
    cards = {card["name"]: card for card in debate.parameters.get("table", {}).get("chairs", ())}
    card = cards.get(participant.name)
    if card is None:
        return ""
    stance = Decimal(card["stance"])
    side = "undecided" if abs(stance) < UNDECIDED else "for the motion" if stance > 0 else "against the motion"
    framework = card["framework"].replace("_", " ")
    return f"{side}; your framework: {framework}" if framework else side


def seconds_of(seat: Participant) -> int | None:
    """Return how long whoever sits on a seat has for a turn, or a judge for a ballot."""
    kept, name = seat.debate.parameters, "ballot_seconds" if seat.role == Role.JUDGE.value else "turn_seconds"
    return next((kept[part][name] for part in PLAYED if name in kept.get(part, {})), None)


def offer(*, seat: Participant, now: datetime) -> Mapping[str, Any]:
    """Return everything about a seat that somebody should know before they take it."""
    debate = seat.debate
    seconds = seconds_of(seat)
    return {
        "side": side_of(debate=debate, participant=seat),
        "until": now + timedelta(seconds=int(seconds)) if seconds else None,
        "awaited_until": selectors.awaited_turns()
        .filter(Q(state=AwaitedState.WAITING.value), participant=seat, deadline__gt=now)
        .order_by("deadline")
        .values_list("deadline", flat=True)
        .first(),
        "now": now,
        "turns": debate.rounds + 1 - _gone(seat),
        "others": [person for person in people(debate=debate) if person.name != seat.name],
        "who_reads": WHO_READS[Visibility(debate.visibility)],
    }


def _gone(seat: Participant) -> int:
    """Return in how many rounds, the opening among them, who sits down now speaks no more: they are over, or so is the
    turn of this seat.
    """
    rounds = Round.objects.filter(Q(closed_at__isnull=False) | Q(turns__participant=seat), thread__debate=seat.debate)
    return rounds.order_by().values("number").distinct().count()


# The private address of a calendar: good until its person changes the password, or is gone.


def fingerprints(user: User) -> list[str]:
    """Return what changes with the password, also where a newer Django hashes it anew; under each key a mark."""
    return [digest[:16] for digest in sealing.digests(user.password, salt=CALENDAR)]


def calendar_of(user: User) -> str:
    """Return the whole address of the calendar of somebody's deadlines, which nobody else has."""
    token = signing.dumps([user.pk, fingerprints(user)[0]], salt=CALENDAR, compress=False)
    return whole("calendar", token)


def owner_of_calendar(token: str) -> User | None:
    """Return whose calendar an address names, if it is still good."""
    try:
        user_id, mark = signing.loads(token, salt=CALENDAR)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    known = fingerprints(user) if user is not None else []
    return user if any(constant_time_compare(one, str(mark)) for one in known) else None
