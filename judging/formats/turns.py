"""Writing turns down, whoever speaks in whichever format; raising what moderators should look at; and the words that
belong to events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from debates import prepared_statements
from debates.live.reader import join_texts
from debates.models import AwaitedTurn, Participant, Round, Turn
from debates.types import FORFEIT, News, Role, TurnKind
from judging.formats.state import Await, Brief, ThreadState
from judging.rules import injection
from judging.types import NotAssessed
from scoring.models import Evaluation
from scoring.services import alerts
from scoring.types import AlertCode, Finding

MOST_PLACES = 10
LONGEST_WHY = 400


@dataclass(frozen=True, slots=True)
class Said:
    """Something that somebody says; the place it fills is there once per round, or per debate outside of rounds.

    Shape: ``strategy`` is how a chair of an open debate chose to argue.
    """

    slot: str
    text: str
    answers: int | None = None
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who says something where. ``told`` is added to the events: ids and numbers only."""

    debate_id: int
    participant_id: int
    role: Role
    kind: TurnKind
    thread_id: int | None = None
    round_id: int | None = None
    evaluation_id: int | None = None
    told: dict[str, Any] = field(default_factory=dict)


def write(*, speaker: Speaker, said: Sequence[Said], now: datetime) -> tuple[list[Turn], list[News]]:
    """Write turns in the caller's transaction; return them with their events, and alerts for what speaks to the judge.

    Source: docs/reference/injection.md.
    """
    return write_all(spoken=[(speaker, utterance) for utterance in said], now=now)


def write_all(*, spoken: Sequence[tuple[Speaker, Said]], now: datetime) -> tuple[list[Turn], list[News]]:
    """Do the same for several who speak, by one statement."""
    turns = prepared_statements.insert(turn_of(speaker=speaker, said=said, now=now) for speaker, said in spoken)
    news = []
    for turn, (speaker, _) in zip(turns, spoken, strict=True):
        about = {**speaker.told, "role": speaker.role.value}
        news.append(News("turn:added", {"turn": str(turn.public_id), "kind": turn.kind, **about, **how(turn)}))
    for turn, (speaker, _) in zip(turns, spoken, strict=True):
        news += suspicions(
            debate_id=speaker.debate_id,
            evaluation_id=speaker.evaluation_id,
            about="turn",
            of=str(turn.public_id),
            text=turn.text,
        )
    return turns, news


def forfeit(
    *,
    brief: Brief,
    board: ThreadState,
    by: int,
    kind: TurnKind,
    because: str,
    now: datetime,
    about: int = 0,
    more: Mapping[str, str] = MappingProxyType({}),
) -> list[News]:
    """Write down that somebody said nothing when it was their turn; return what to tell, with ``more`` of it."""
    Turn.objects.create(
        debate_id=brief.debate_id,
        thread_id=board.thread_id,
        round_id=board.round_id,
        participant_id=by,
        kind=kind.value,
        slot=f"{FORFEIT}:{by}" + (f":{about}" if about else ""),
        answers_id=about or None,
        text="",
        at=now,
    )
    public_id = Participant.objects.values_list("public_id", flat=True).get(pk=by)
    place = {"criterion": board.key, "round": board.number}
    return [News("turn:forfeited", {**place, "participant": str(public_id), "because": because, **more})]


def forfeit_judgement(*, brief: Brief, board: ThreadState, awaited: Await, now: datetime) -> list[News]:
    """Write down that somebody who judges from a seat gave nothing; return what to tell."""
    by, about = awaited.participant, awaited.about
    rows = AwaitedTurn.objects.filter(round=board.round_id, participant=by, about=about or None)
    more = {"awaited": str(rows.latest("number").public_id)}
    why, kind = awaited.because, TurnKind.JUDGEMENT
    return forfeit(brief=brief, board=board, by=by, kind=kind, because=why, now=now, about=about, more=more)


def how(turn: Turn) -> dict[str, str]:
    """Return by which strategy a chair spoke, where it chose one."""
    return {"strategy": turn.strategy} if turn.strategy else {}


def turn_of(*, speaker: Speaker, said: Said, now: datetime) -> Turn:
    """Return one turn, not written yet."""
    return Turn(
        debate_id=speaker.debate_id,
        thread_id=speaker.thread_id,
        round_id=speaker.round_id,
        participant_id=speaker.participant_id,
        kind=speaker.kind.value,
        slot=said.slot,
        text=said.text,
        answers_id=said.answers,
        strategy=said.strategy,
        at=now,
    )


def suspicions(*, debate_id: int, about: str, of: str, text: str, evaluation_id: int | None = None) -> list[News]:
    """Raise an alert if a text tries to instruct the judge. It is judged all the same, and stays where it was written.

    Shape: ``about`` is turn or subject, ``of`` its public id; the alert keeps it with the signs and their places.
    Source: docs/reference/injection.md.
    """
    hits = injection.find(text)
    if not hits:
        return []
    evidence = {
        about: of,
        "signs": ", ".join(sorted({hit.sign.value for hit in hits})),
        "places": ", ".join(f"{hit.start}-{hit.end}" for hit in hits[:MOST_PLACES]),
    }
    return alerts.raise_alerts(
        debate_id=debate_id,
        evaluation=Evaluation.objects.filter(pk=evaluation_id).first() if evaluation_id else None,
        findings=[Finding(AlertCode.INJECTION_SUSPECTED, evidence)],
        salt=f"{about}.{of}",
    )


def raise_not_assessed(*, debate_id: int, about: str, answers: Mapping[str, NotAssessed]) -> list[News]:
    """Raise what could not be assessed, and what helps, once for each reason.

    Shape: ``answers`` are by criterion, or by the name of the judge; ``about`` is which of them, as the alert keeps it.
    """
    names: dict[NotAssessed, list[str]] = {}
    for name, answer in answers.items():
        names.setdefault(answer, []).append(name)
    news: list[News] = []
    for answer, alike in names.items():
        evidence = {
            "reason": answer.reason.value,
            about: ", ".join(alike),
            "why": answer.why[:LONGEST_WHY],
            "helps": answer.helps,
        }
        news += alerts.raise_alerts(
            debate_id=debate_id,
            findings=[Finding(AlertCode.NOT_ASSESSED, evidence)],
            salt=f"{answer.reason}.{','.join(alike)}",
        )
    return news


def round_on(board: ThreadState) -> Round:
    """Return the round of a board as a row, without reading it again: what names it never changes."""
    return Round(pk=board.round_id, thread_id=board.thread_id, run_number=board.run, number=board.number)


# -- words of events: joined when they are read, so that an erased text is gone at once --------------------------------


TURN_TEXTS = """
    SELECT event.seq, json_build_object(
        'speaker', speaker.name, 'text', turn.text,
        'challenge', about.label, 'persona', about.persona, 'severity', about.severity, 'quote', about.quote,
        'reply', defence.reply)::text
    FROM debates_event event
    JOIN debates_turn turn ON turn.public_id = (event.data ->> 'turn')::uuid
    JOIN debates_participant speaker ON speaker.id = turn.participant_id
    LEFT JOIN judging_defence defence ON defence.turn_id = turn.id
    LEFT JOIN debates_round round ON round.id = turn.round_id
    LEFT JOIN judging_challenge about ON about.thread_id = turn.thread_id AND about.run_number = round.run_number
        AND turn.kind IN ('challenge', 'defence') AND about.label = split_part(turn.slot, ':', 2)
    WHERE event.debate_id = %(debate)s AND event.seq = ANY(%(seqs)s)
"""
VERDICT_TEXTS = """
    SELECT event.seq, json_build_object('reasoning', verdict.reasoning)::text
    FROM debates_event event
    JOIN scoring_fact fact ON fact.public_id = (event.data ->> 'verdict')::uuid
    JOIN judging_verdict verdict ON verdict.fact_id = fact.id
    WHERE event.debate_id = %(debate)s AND event.seq = ANY(%(seqs)s)
"""


def join_event_texts() -> None:
    join_texts(type="turn:added", query=TURN_TEXTS)
    join_texts(type="verdict:issued", query=VERDICT_TEXTS)
