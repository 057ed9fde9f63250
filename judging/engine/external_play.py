"""Debates that are conducted elsewhere: their client posts rounds with verdicts, and the ledger scores them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AnonymousUser, User

from debates import event_log
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Thread
from debates.services.idempotency import UseCase
from debates.services.rights import POSTED, Asker, may_conduct
from debates.services.visibility import find_debate
from debates.types import ENDED, Conduct, News, Role, Status, ThreadStatus
from judging.engine import conclusion, play, selectors
from judging.engine.calls import ERASED_BEFORE, storable
from judging.engine.lifecycle import begin, each_unfinished, refuse_erased
from judging.engine.locks import lock_debate, lock_thread
from judging.errors import AnswerRejected
from judging.formats.criterion import parsing, results
from judging.formats.criterion.spec import OPTIONAL_PERSONAS, PERSONAS
from judging.formats.criterion.state import CriterionThreadState, options_of
from judging.formats.parsing import Concluded, refuse_cut_or_invisible
from judging.formats.registry import format_of
from judging.formats.state import Ask, Brief, ThreadState
from judging.formats.turns import round_on
from judging.models import Call
from judging.types import Outcome, Purpose
from scoring.models import Actor
from scoring.services.entries import actor_of

# A round that was played elsewhere, as its client sends it: its parts, and reading them like any judge's answer.


EVERY_PERSONA = (*PERSONAS, *OPTIONAL_PERSONAS)
Rows = Sequence[Mapping[str, Any]]
ROLES: Mapping[Purpose, Role] = {
    Purpose.CHALLENGE: Role.CHALLENGER, Purpose.PRESS: Role.CHALLENGER, Purpose.DEFEND: Role.EVALUATOR,
    Purpose.JUDGE: Role.ARBITER,
}  # fmt: skip
NAMES: Mapping[Purpose, str] = {
    Purpose.CHALLENGE: "challenges", Purpose.PRESS: "presses", Purpose.DEFEND: "defences", Purpose.JUDGE: "verdicts",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Posted:
    """One round of one thread, as its client sends it.

    Shape: challenges of round 1 are named C1, C2, ... in the order they come in; presses, defences and verdicts name
    theirs as ``challenge``. Numbers are text.
    Source: docs/how-to/play-elsewhere.md.
    """

    number: int
    challenges: Rows = ()
    presses: Rows = ()
    defences: Rows = ()
    verdicts: Rows = ()


def parts_of(*, posted: Posted) -> list[tuple[Purpose, Rows]]:
    """Return what was done in a round, in order.

    Raises: ``Invalid`` for challenges after round 1 and for presses in it, and for answers without verdicts.
    """
    first = posted.number == 1
    if (posted.presses and first) or (posted.challenges and not first):
        problem = "challenges are raised in round 1; in later rounds presses press them further."
        raise Invalid(problem, field="presses" if first else "challenges")
    if bool(posted.defences) != bool(posted.verdicts):
        raise Invalid("verdicts must rule on every defence, and on nothing else.", field="verdicts")
    parts = [
        (Purpose.CHALLENGE if first else Purpose.PRESS, posted.challenges if first else posted.presses),
        (Purpose.DEFEND, posted.defences),
        (Purpose.JUDGE, posted.verdicts),
    ]
    return [(purpose, rows) for purpose, rows in parts if rows]


def read(*, brief: Brief, board: ThreadState, purpose: Purpose, rows: Rows) -> Any:
    """Return a part of a round as values, by the parser that reads every judge.

    Challenges keep the order they came in, because their client has named them by it already. Whatever is open may be
    answered: a client need not press it anew.

    Raises: ``AnswerRejected``; ``Invalid`` for more challenges than the debate puts.
    """
    ask = Ask(purpose, ROLES[purpose])
    answer = {NAMES[purpose]: list(rows)}
    refuse_cut_or_invisible(answer)
    text = json.dumps(answer, ensure_ascii=False)
    if purpose is Purpose.DEFEND and isinstance(board, CriterionThreadState):
        return parsing.defences(text, labels=[point.label for point in board.open])
    if purpose is not Purpose.CHALLENGE:
        return format_of(brief.format).read(brief=brief, board=board, ask=ask, text=text)
    most = options_of(brief).challenges_per_criterion
    if len(rows) > most:
        raise Invalid(f"challenges: this debate puts at most {most}; got {len(rows)}.", field="challenges")
    return parsing.raised(text, personas=EVERY_PERSONA)


# Debates that are conducted elsewhere: their client posts rounds, which are read and counted like the engine's own.


@dataclass(frozen=True, slots=True)
class PostedPart:
    """What one role did in a round, as it was sent."""

    brief: Brief
    board: ThreadState
    purpose: Purpose
    rows: Rows


class PartRejected(AnswerRejected):
    """A part of a posted round cannot be used; nothing of the round is kept but that it was refused."""

    def __init__(self, refused: AnswerRejected, *, part: PostedPart) -> None:
        super().__init__(refused.message, place=refused.place)
        self.part = part


def conducted(*, debate_id: int, by: Asker) -> Debate:
    """Lock a debate that is conducted elsewhere, and by this caller: who posted its rounds goes on.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` for one that is played here.
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate, allowed_party=POSTED)
    if debate.conducted_by != Conduct.EXTERNAL.value:
        raise NotAllowedNow("This debate is played here; rounds are posted to debates that are conducted elsewhere.")
    return debate


@UseCase
def start(*, debate_id: int, by: Asker, now: datetime) -> Debate:
    """Start a debate that is conducted elsewhere: its accounts are opened, and it waits for its client.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` unless it is a draft.
    """
    debate = conducted(debate_id=debate_id, by=by)
    if debate.status != Status.DRAFT.value:
        raise NotAllowedNow(f"Only a draft is started; this debate is {debate.status.replace('_', ' ')}.")
    refuse_erased(debate=debate)
    debate.started_at = event_log.dated(now)
    debate.save(update_fields=["started_at"])
    scores = debate.parameters["initial"].items()
    initial = {code: (Decimal(score), Decimal(confidence)) for code, (score, confidence) in scores}
    event_log.append(debate_id=debate.pk, news=begin(debate=debate, initial=initial), now=now)
    return debate


@UseCase
def post_round(*, debate_id: int, key: str, by: Asker, posted: Posted, now: datetime) -> ThreadState | None:
    """Write down a round that was played elsewhere and count its verdicts; return the board after it, or nothing when
    the thread has ended.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` unless it is the next round of a running debate,
    ``PartRejected`` as for any judge: whoever takes it keeps it with ``keep_rejected``.
    Source: docs/how-to/play-elsewhere.md.
    """
    actor = actor_of(by) if by is not None else None
    debate = conducted(debate_id=debate_id, by=by)
    thread = thread_of(debate=debate, key=key)
    if debate.status != Status.RUNNING.value:
        raise NotAllowedNow(f"Rounds are posted to a running debate; this one is {debate.status.replace('_', ' ')}.")
    if ThreadStatus(thread.status) in ENDED:
        raise NotAllowedNow(f"{key} has ended: {thread.ended_because.replace('_', ' ')}.")
    if posted.number != thread.rounds_played + 1:
        raise NotAllowedNow(f"The next round of {key} is {thread.rounds_played + 1}, not {posted.number}.")
    brief = selectors.brief(debate.pk)
    thread.fence += 1
    start = format_of(brief.format).thread_state(thread=thread, number=posted.number)
    board, news = play.open_next(debate=debate, thread=thread, brief=brief, board=start, follows=False, now=now)
    assert board is not None  # noqa: S101 -- only a spent budget ends a thread here, and none is set
    board, played_news = written(actor=actor, brief=brief, board=board, posted=posted, now=now)
    played = round_on(board)
    following, last = play.close(debate=debate, thread=thread, brief=brief, board=board, played=played, now=now)
    event_log.append(debate_id=debate.pk, news=[*news, *played_news, *last], now=now)
    return following


def thread_of(*, debate: Debate, key: str) -> Thread:
    """Lock a thread of a locked debate by what it is about.

    Raises: ``NotFound``.
    """
    thread_id = debate.threads.filter(key=key).values_list("pk", flat=True).first()
    if thread_id is None:
        raise NotFound(f"This debate has no thread {key}.")
    return lock_thread(thread_id)


def written(
    *, actor: Actor | None, brief: Brief, board: ThreadState, posted: Posted, now: datetime
) -> tuple[ThreadState, list[News]]:
    """Write down who said what in one round and how it was ruled; return the board after it and what to tell.

    Raises: ``PartRejected``, ``Invalid`` for what has no place in this round.
    """
    news: list[News] = []
    for purpose, rows in parts_of(posted=posted):
        part = PostedPart(brief, board, purpose, rows)
        try:
            answer = read(brief=brief, board=board, purpose=purpose, rows=rows)
        except AnswerRejected as refused:
            raise PartRejected(refused, part=part) from refused
        call = kept(part=part, actor=actor, now=now)
        ask = Ask(purpose, ROLES[purpose])
        closes = round_on(board) if purpose is Purpose.JUDGE else None
        board, played_news = format_of(brief.format).write(
            brief=brief, board=board, ask=ask, answer=answer, call=call, round=closes, now=now
        )
        news += played_news
    if isinstance(board, CriterionThreadState) and not board.points:
        raise Invalid("challenges must not be empty in round 1.", field="challenges")
    return board, news


def kept(*, part: PostedPart, actor: Actor | None, now: datetime, problem: str = "", wordless: bool = False) -> Call:
    """Keep a part of a round as it was sent, where the answers of providers are: used, or rejected for a reason.

    Shape: ``actor`` is who posted it; the guards read it there (``moot_posted``), and an erasure empties their record.
    """
    sent = "" if wordless else json.dumps({NAMES[part.purpose]: list(part.rows)}, ensure_ascii=False)
    voice = part.brief.voices[ROLES[part.purpose]]
    call = Call(
        debate_id=part.brief.debate_id,
        thread_id=part.board.thread_id,
        run_number=part.board.run,
        round_number=part.board.number,
        purpose=part.purpose.value,
        attempt=1,
        participant_id=voice.id,
        prompt_name="",
        prompt_version=0,
        prompt_digest="",
        provider=voice.provider,
        model=voice.model,
        parameters={"posted_by": actor.pk} if actor else {},
        raw_answer=sent,
        outcome=(Outcome.REJECTED if problem else Outcome.USED).value,
        problem=storable(problem),
        at=now,
    )
    if problem and (earlier := rejected_before(call)):
        return earlier
    call.save()
    return call


def rejected_before(call: Call) -> Call | None:
    """Return the same rejected part of this round, as the same person has sent it before."""
    same = ("thread_id", "run_number", "round_number", "purpose", "outcome", "raw_answer", "problem", "parameters")
    return Call.objects.filter(**{name: getattr(call, name) for name in same}).first()


@UseCase
def keep_rejected(*, refused: PartRejected, by: Asker, now: datetime) -> Call:
    """Write down a failed judgement: a part of a round that could not be used, once the round has been undone.

    Where words of its debate were erased meanwhile, none come back.
    """
    debate_id = refused.part.brief.debate_id
    actor = actor_of(by) if by is not None else None
    lock_debate(debate_id)
    if selectors.was_erased(debate_id):
        return kept(part=refused.part, actor=actor, now=now, problem=ERASED_BEFORE, wordless=True)
    return kept(part=refused.part, actor=actor, now=now, problem=refused.message)


@UseCase
def complete_thread(*, debate_id: int, key: str, by: User | AnonymousUser, now: datetime) -> Thread:
    """End a thread before its last round, partial: what has counted stays counted; where nothing has, it falls back.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has ended.
    """
    debate = conducted(debate_id=debate_id, by=by)
    thread = thread_of(debate=debate, key=key)
    if debate.status != Status.RUNNING.value or ThreadStatus(thread.status) in ENDED:
        raise NotAllowedNow(f"{key} has ended already, or the debate is not running.")
    news = ended(debate=debate, thread=thread, now=now)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return thread


def ended(*, debate: Debate, thread: Thread, now: datetime) -> list[News]:
    """End a locked thread before its last round, partial: with nothing left open it would have ended by itself."""
    brief = selectors.brief(debate.pk)
    return play.end_thread(debate=debate, thread=thread, brief=brief, because="completed_early", partial=True)


@UseCase
def complete(*, debate_id: int, by: User | AnonymousUser, words: Concluded, now: datetime) -> Debate:
    """Conclude a debate that is conducted elsewhere, with its arbiter's words if it has any.

    Threads that have not ended are ended first, and make it partial. Without a summary nothing is said.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` unless it is running or concluding; ``Invalid`` for
    strengths, weaknesses or advice without a summary, and for words that nobody can see.
    """
    debate = conducted(debate_id=debate_id, by=by)
    try:
        refuse_cut_or_invisible(asdict(words))
    except AnswerRejected as refusal:
        raise Invalid(refusal.message, field=refusal.path) from refusal
    if not words.summary and (words.strengths or words.weaknesses or words.advice):
        raise Invalid("summary must not be empty where strengths, weaknesses or advice are given.", field="summary")
    if debate.status not in {Status.RUNNING.value, Status.CONCLUDING.value}:
        raise NotAllowedNow(f"Only a running debate is completed; this one is {debate.status.replace('_', ' ')}.")
    news = each_unfinished(debate=debate, act=lambda thread: ended(debate=debate, thread=thread, now=now))
    if words.summary:
        news += conclusion.synthesis(
            brief=selectors.brief(debate.pk),
            debate=debate,
            answer=words,
            numbers=results.numbers(debate=debate),
            now=now,
        )
    news += conclusion.end(debate=debate, now=now)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return debate
