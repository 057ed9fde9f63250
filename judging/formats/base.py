"""What a format may bring: everything has a default but what no two formats share. One package for each; no names here.

What is called pure reads nothing but its arguments: it runs beside the event loop with no transaction open. The rest
runs inside a short transaction of its caller, unless it only shows something.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet
from rest_framework.serializers import Serializer

from debates.errors import NotAllowedNow
from debates.models import AwaitedTurn, Debate, Participant, Round, Thread
from debates.types import Conduct, News, Role
from judging.formats import costs, parsing, repeated
from judging.formats.costs import Asked, Cost, Others
from judging.formats.forms import FormStep
from judging.formats.parsing import Concluded
from judging.formats.repeated import RepeatedTable
from judging.formats.spec import DebateSpec
from judging.formats.state import Acting, Ask, Await, Brief, Step, ThreadState
from judging.heuristics import subjects
from judging.models import Call
from judging.pages.participants import document_head, judged_by
from judging.pages.parts import Page
from judging.pages.transcript import FactWords
from judging.types import BallotMaterial, NotAssessed, Purpose, Request, Utterance
from scoring.proof import Fault
from scoring.rules.overall import Overall
from scoring.services.previews import Figures

ALL_PLAYED = "all_rounds_played"
SCHEMAS = Path(__file__).resolve().parent / "documents"

B = TypeVar("B", bound=ThreadState)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of debates says that one came to: its overall, of how many criteria of how many, or why it has none.

    Shape: ``without`` is a word or two; a format without one overall score says ``headline``, such as who won, with
    ``detail``, and has nothing to be without. ``figure`` is a number of another scale than overall scores.
    ``moved`` says that a person moved a score, ``unmoderated`` what the number would be had nobody.
    """

    overall: Overall | None = None
    without: str = ""
    scored: int = 0
    criteria: int = 0
    figure: Decimal | None = None
    headline: str = ""
    detail: str = ""
    moved: bool = False
    unmoderated: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a new debate is written with.

    Shape: it is about a ``subject`` or a ``motion``; ``participants`` have neither debate nor position yet, and are in
    speaking order; ``threads`` are keys; ``parameters`` are kept beside those of score and fairness; ``repeat_of`` is
    the public id of a debate that is held again; ``provider_fields`` are where the request names their providers, and
    "provider" does for those after them.
    """

    title: str
    subject: str = ""
    motion: str = ""
    rounds: int
    parameters: Mapping[str, Any]
    participants: Sequence[Participant]
    provider_fields: Sequence[str] = ()
    threads: Sequence[str] = ("main",)
    repeat_of: str = ""
    conducted_by: Conduct = Conduct.ENGINE


@dataclass(frozen=True, slots=True)
class Paper:
    """A document in Markdown to be taken away."""

    file_name: str
    text: str


def extensible(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema that takes further fields."""
    return {**part, "additionalProperties": True} if part.get("additionalProperties") is False else part


@dataclass(frozen=True, slots=True)
class WordColumns:
    """Columns of one table that hold words.

    Shape: ``emptied`` is {column: what remains}; ``debate`` and ``voices`` are paths from a row to its debate, and to
    everybody who spoke the words or may be quoted in them.
    """

    model: type[Model]
    emptied: Mapping[str, Any]
    debate: str
    voices: tuple[str, ...]

    @property
    def called(self) -> str:
        return str(self.model._meta.verbose_name_plural)  # noqa: SLF001 -- Django's public name

    def in_debate(self, debate_id: int) -> QuerySet[Any]:
        """Return the rows of a debate that still hold words."""
        return self._left(Q(**{self.debate: debate_id}))

    def of_voices(self, participants: Collection[int]) -> QuerySet[Any]:
        """Return the rows that these participants spoke, or that may quote them, and that still hold words."""
        condition = Q()
        for path in self.voices:
            condition |= Q(**{f"{path}__in": list(participants)})
        return self._left(condition)

    def _left(self, condition: Q) -> QuerySet[Any]:
        rows: QuerySet[Any] = self.model._default_manager.all()  # noqa: SLF001 -- Django's public name
        return rows.filter(pk__in=rows.filter(condition).values("pk")).exclude(**self.emptied)


@dataclass(frozen=True, slots=True)
class Emptying:
    """One kind of thing that an erasure takes: the rows that still hold it, and how it is taken from them."""

    what: str
    rows: QuerySet[Any]
    take: Callable[[QuerySet[Any]], object]


class Format(ABC, Generic[B]):
    """How one kind of debate is asked for, played, shown and proved. What has no body here must be written.

    Source: docs/how-to/add-a-format.md.
    """

    # -- names -------------------------------------------------------------------------------------------------------

    name: ClassVar[str]
    """As rows, events and documents carry it: a member of ``debates.types.Format``."""
    called: ClassVar[str]
    """What people call one of its debates, without an article."""
    round_noun: ClassVar[str] = "round"
    heading_counts_rounds: ClassVar[bool] = True

    # -- creation ----------------------------------------------------------------------------------------------------

    serializer: ClassVar[type[Serializer[Any]]]
    """How it is asked for by the API."""
    example: ClassVar[Mapping[str, Any]]
    """A request that its serializer takes."""
    steps: ClassVar[Sequence[FormStep]] = ()
    """The pages on which a person asks for one; without any it is asked for by the API alone."""
    is_for: ClassVar[str] = ""
    """What it is good for, in a sentence or two for who chooses."""
    alternatives: ClassVar[Collection[str]] = ()
    """Keys of a request of which it has one."""

    widest: ClassVar[Mapping[str, Any]] = {}
    """What a request allows most with, for steps that come before the one which asks for it."""

    def excludes(self, key: str, body: Mapping[str, Any]) -> bool:
        """Say whether a body has said already, in another way, what a key would say."""
        return key in self.alternatives and any(name in body for name in self.alternatives)

    somebody: ClassVar[str] = "somebody"
    """What people call whoever speaks or judges in it."""
    purposes: ClassVar[Mapping[Role, tuple[Purpose, ...]]]
    """What each role may be asked for: settings may name a model for each, whose price a limit of money needs."""

    @abstractmethod
    def spec_of(self, *, data: Mapping[str, Any], readable: QuerySet[Debate]) -> DebateSpec:
        """Return what a request asks for.

        Shape: ``data`` is what the serializer made of the body; ``readable`` are the debates that the caller may read.
        Raises: ``Invalid``, ``NotFound``, ``OutOfRange``.
        """

    def first_calls(self, *, spec: Any) -> Mapping[Role, int]:
        """Return how often each voice of a role is asked before anything can count."""
        return {}

    def request_of(self, *, debate: Debate) -> dict[str, Any]:
        """Return the body of a request for a debate like this one; what cannot be asked for again is left out.

        Raises: ``NotAllowedNow`` where it would be another debate without that.
        """
        return {}

    @abstractmethod
    def draft(self, *, spec: Any, by: User | None) -> Draft:
        """Return what a debate is written with, everything in the specification checked, but providers and prices.

        Shape: ``by`` is nobody when the operator of the machine asks.
        Raises: ``Invalid`` and its kin, naming the field; ``NotFound`` for a debate that ``by`` may not read.
        """

    def write_given(self, *, debate: Debate, spec: Any, now: datetime) -> list[News]:
        """Write what came with a request, beyond what every debate is written with; return what to tell."""
        return []

    # -- before play -------------------------------------------------------------------------------------------------

    def given(self, *, debate: Debate) -> Mapping[str, Any] | None:
        """Return what the threads begin with, by thread key, if it came with the debate; nothing: it must be assessed.

        A format in which nothing is assessed returns an empty mapping. Pure.
        """
        return {}

    def assessment(self, *, brief: Brief, keys: Sequence[str], attempt: int) -> tuple[Ask, Request]:
        """Return the question to put about threads before play. Pure; asked only where ``given`` gave nothing."""
        raise NotAllowedNow(f"Nothing is assessed before {self.called}s.")

    def read_assessment(self, *, brief: Brief, keys: Sequence[str], text: str) -> Mapping[str, Any]:
        """Return what can be used of an answer about threads, by their keys, at least one. Pure.

        Raises: ``AnswerRejected`` where nothing can be used.
        """
        raise NotAllowedNow(f"Nothing is assessed before {self.called}s.")

    def assessed_together(self, *, brief: Brief) -> int:
        """Return how many threads one question before play is about at most. Pure."""
        return 1

    def assessed(self, *, debate_id: int) -> Mapping[str, Any]:
        """Return what was assessed so far, by thread key, in the shape of ``given``."""
        return {}

    def declined(self, *, debate_id: int) -> Mapping[str, NotAssessed]:
        """Return what was asked for and is not assessed, because the judge said that it cannot, by thread key."""
        return {}

    def open(self, *, debate: Debate, initial: Mapping[str, Any]) -> None:
        """Open the accounts of a locked debate that begins to play, but for threads that ``initial`` lacks.

        Accounts that begin with a first judgement are opened in ``write`` or ``close_round``.
        """

    # -- play --------------------------------------------------------------------------------------------------------

    first_round: ClassVar[int] = 1
    """0 where something is said or judged before the first round that is counted."""

    @abstractmethod
    def thread_state(self, *, thread: Thread, number: int) -> B:
        """Return what is known of a locked thread at a round, read from the database; the round may not be open yet."""

    def thread_states(self, *, rounds: Sequence[tuple[Thread, int]]) -> list[B]:
        """Return what ``thread_state`` returns of several locked threads of a debate, each with its round."""
        return [self.thread_state(thread=thread, number=number) for thread, number in rounds]

    @abstractmethod
    def next_state(self, *, board: B) -> B | None:
        """Return the board of the round that follows a closed one; nothing: it is read from the database. Pure."""

    @abstractmethod
    def next_step(self, *, brief: Brief, board: B) -> Step:
        """Say what happens next. Pure."""

    @abstractmethod
    def calls_left(self, *, brief: Brief, board: B) -> int:
        """Return how many calls the rest of the round needs, for the budget to set aside. Pure."""

    @abstractmethod
    def request(self, *, brief: Brief, board: B, ask: Ask, attempt: int) -> Request:
        """Return the question to put. Pure."""

    @abstractmethod
    def read(self, *, brief: Brief, board: B, ask: Ask, text: str) -> Any:
        """Return the answer as values. Pure; raises ``AnswerRejected``."""

    @abstractmethod
    def write(
        self, *, brief: Brief, board: B, ask: Ask, answer: Any, call: Call, round: Round | None, now: datetime
    ) -> tuple[B, list[News]]:
        """Write an answer down; return the board after it and what to tell.

        Shape: ``round`` is given where the answer closes it.
        """

    def without(self, *, brief: Brief, board: B, ask: Ask, now: datetime) -> list[News] | None:
        """Write down what follows from an answer that could not be had, and return what to tell; nothing: give up.

        The thread is locked; ``board`` will find what it writes. What it returns is told in the same transaction,
        before the alert about the judge; about a chair there is none.
        """
        return None

    def record_awaited(self, *, brief: Brief, board: B, awaited: Await, text: str | None, now: datetime) -> list[News]:
        """Write down what somebody said who was awaited, or that they said nothing in time; return what to tell.

        The thread is locked; ``board`` will find what it writes. Never called where ``next_step`` awaits nobody.
        """
        raise NotAllowedNow("In this format nobody is waited for.")

    def read_ballot(self, *, brief: Brief, board: B, awaited: Await, text: str) -> Any:
        """Return the ballot of a judge who is no engine as values. Pure; raises ``AnswerRejected``."""
        raise NotAllowedNow("In this format nobody judges from a seat.")

    most_in_ballot: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """How many a list of a name may hold in a ballot: what is more would be cut, and is refused."""

    def bench(self, *, brief: Brief, board: B, awaited: Await) -> BallotMaterial:
        """Return what a judge who is no engine may read for a ballot. Pure."""
        raise NotAllowedNow("In this format nobody judges from a seat.")

    def count_ballot(self, *, brief: Brief, board: B, awaited: Await, text: str, now: datetime) -> list[News]:
        """Write down what a ballot comes to that counts as soon as it is given; others count when their round closes.

        The thread is locked.
        """
        return []

    def close_round(self, *, brief: Brief, board: B, round: Round, now: datetime) -> tuple[B, list[News]]:
        """Write what a round comes to that ``Close`` ends; return the board after it and what to tell.

        Debate and thread are locked.
        """
        return board, []

    def closes(self, *, board: B, ask: Ask) -> bool:
        """Say whether the answer to a question closes the round that the board is at. Pure."""
        return False

    def moves(self, *, board: B, ask: Ask) -> Collection[int]:
        """Return the evaluations that writing the answer to a question down locks, where that is known before. Pure."""
        return ()

    def over(self, *, brief: Brief, board: B) -> str:
        """Return, as a code, why a thread ends with the round that this board is at; empty: it goes on. Pure.

        It is asked before the answer that closes the round is written, to know what to lock, and again after it: what
        is said before must be said after.
        """
        return ALL_PLAYED if board.number >= brief.rounds else ""

    def round_event_data(self, *, board: B) -> Mapping[str, Any]:
        """Return what a closed round tells of, beside its numbers. Pure."""
        return {}

    def judged(self, *, brief: Brief, board: B, ask: Ask) -> int | None:
        """Return the turn that a question to a judge is about, where it is about one alone. Pure."""
        return None

    def concerned(self, *, board: B) -> int | None:
        """Return the evaluation that an alert about a failed judge belongs to, if it is one alone. Pure."""
        return None

    # -- the end -----------------------------------------------------------------------------------------------------

    ballot_kind: ClassVar[str] = ""
    """What is given from a judge's seat, as the form of it is called: ``panel``, ``ruling`` or ``response``."""

    replaces_judges: ClassVar[bool] = False
    """Whether a judge who is no engine may be replaced before they report."""

    def end(self, *, thread: Thread, brief: Brief, because: str, partial: bool) -> list[News]:
        """Complete the accounts of a locked thread, or let them fall back; return what to tell."""
        return []

    @abstractmethod
    def numbers(self, *, debate: Debate) -> Mapping[str, Any]:
        """Return what a debate comes to, as its synthesis keeps it: JSON with decimals as text, ``overall`` if any."""

    def said(self, *, debate: Debate) -> Sequence[Utterance]:
        """Return what was said, where the last words are about that too; it is not kept with them."""
        return ()

    def synthesis(
        self, *, brief: Brief, numbers: Mapping[str, Any], said: Sequence[Utterance], attempt: int
    ) -> tuple[Ask, Request] | None:
        """Return the question for the last words, or nothing where a debate concludes without any. Pure."""
        return None

    def read_synthesis(self, *, brief: Brief, text: str) -> Concluded:
        """Return the last words as values. Pure; raises ``AnswerRejected``."""
        return parsing.synthesis(text)

    def warn(self, *, debate: Debate) -> list[News]:
        """Raise what a whole debate that concludes gives reason to look at; return what to tell."""
        return []

    # -- costs -------------------------------------------------------------------------------------------------------

    def unasked(self, *, debate: Debate) -> Collection[Purpose]:
        """Return which of ``purposes`` nobody will be asked for in a debate, as it was created."""
        return ()

    def judgements(self, *, debate: Debate) -> Asked:
        """Return what is judged, by whom, and how often if it were judged once."""
        return {}

    @abstractmethod
    def other_calls(self, *, debate: Debate) -> Others:
        """Return how often each voice is asked for what judges nothing."""

    def played(self, *, debate: Debate) -> Collection[str]:
        """Return the codes of the criteria that are played."""
        return list(debate.threads.values_list("key", flat=True))

    def calls(self, *, debate: Debate, provider: str = "") -> int:
        """Return how many calls a debate takes at most, of all providers or of one, without what they cost before."""
        return costs.calls(
            debate=debate,
            judged=self.judgements(debate=debate),
            others=self.other_calls(debate=debate),
            provider=provider,
        )

    def cost(self, *, debate: Debate) -> Cost:
        """Return what a debate will cost at most.

        Source: docs/reference/fairness.md#what-it-costs
        """
        return costs.expected(
            debate=debate, judged=self.judgements(debate=debate), others=self.other_calls(debate=debate)
        )

    # -- page --------------------------------------------------------------------------------------------------------

    result_template: ClassVar[str] = "debates/result.html"

    def page(self, *, debate: Debate, only: Collection[str] | None) -> Page:
        """Return what its page has below the heading; with ``only``, no more than the parts of these names."""
        return Page(layout="", parts={})

    def result_page(self, *, debate: Debate, query: Mapping[str, str]) -> Mapping[str, Any]:
        """Return what ``result_template`` prints besides what every page of a debate has.

        Shape: ``query`` is what a reader asks for, as the address has it.
        """
        return {}

    def awaited(self, *, debate: Debate) -> AwaitedTurn | None:
        """Return the turn that a debate waits for, if it waits; one that is paused waits, too."""
        return None

    def unread_offline(self, *, debate: Debate) -> list[str]:
        """Return what an offline judge does not read of a debate that is there to be judged, in a sentence each."""
        if debate.subject is None:
            language = subjects.foreign(debate.motion)
            return [f"The offline judge reads English, and the motion is in {language}."] if language else []
        answer = self.unassessable(debate.subject.text)
        return [f"{answer.why} {answer.helps}"] if answer else []

    def unassessable(self, subject: str) -> NotAssessed | None:
        """Return why the offline judge assesses nothing of a subject, if so. Pure."""
        return subjects.unassessable_text(subject)

    def acting(self, *, brief: Brief, board: B, step: Step) -> Acting:
        """Return who speaks or thinks at the next step of a thread, and what comes after it. Pure."""
        return Acting()

    def round_words(self, *, number: int, rounds: int) -> str:
        """Return how people call a round that is played. Pure."""
        return f"{self.round_noun.capitalize()} {number} of {rounds}"

    def length(self, *, debate: Debate) -> str:
        """Return how people call how long a debate is."""
        return f"{debate.rounds} {self.round_noun}{'' if debate.rounds == 1 else 's'}"

    def summaries(self, *, debates: Sequence[Debate]) -> Mapping[int, Summary]:
        """Return what some of its debates came to, by their keys, for a list of them: a fixed number of queries."""
        return {}

    def fact_statements(self, *, facts: Collection[int]) -> Mapping[int, FactWords]:
        """Return what some facts of its debates rest on, by their keys, in a fixed number of queries."""
        return {}

    def comes_to(self, *, debate: Debate, foreseen: Mapping[int, Figures]) -> Mapping[str, str]:
        """Return what a debate comes to where some scores, given by their keys, are as foreseen, in words for people.

        Moderators are shown it beside what an action would make of it.
        """
        return {}

    # -- result ------------------------------------------------------------------------------------------------------

    def result_document(self, *, debate: Debate) -> Mapping[str, Any]:
        """Return what a debate came to as one document, computed now.

        Shape: decimals are strings.
        Source: docs/reference/results.md
        """
        synthesis = debate.syntheses.select_related("turn").order_by("number").last()
        return {
            **document_head(debate=debate),
            **self.numbers(debate=debate),
            "judgedBy": judged_by(debate=debate),
            "fairness": repeated.of_debate(debate=debate, tables=self.repeated_tables),
            "synthesis": synthesis.turn.text if synthesis else None,
        }

    def result_schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of its result document as it is promised: fields may be added to any object."""
        text = (SCHEMAS / f"{self.name}.schema.json").read_text(encoding="utf-8")
        schema: Mapping[str, Any] = json.loads(text, object_hook=extensible)
        return schema

    def downloads(self, *, debate: Debate) -> Mapping[str, Paper]:
        """Return what can be taken away as Markdown, by the last part of its address."""
        return {}

    # -- repeated, proof, erasure ------------------------------------------------------------------------------------

    repeated_tables: ClassVar[Sequence[RepeatedTable]] = ()
    """What may be judged several times."""
    words: ClassVar[Sequence[WordColumns]] = ()
    """Columns of its own tables that an erasure empties; turns and calls are emptied for every format."""
    caches_judgements: ClassVar[bool] = False
    """Whether judgements of it are kept to be known again, with words of the debate in them."""

    def emptyings(self, *, debates: QuerySet[Debate], erased: str, whole: bool) -> Iterable[Emptying]:
        """Yield what is to be taken from those of some debates that are its own, beside ``words``.

        Shape: ``erased`` stands where a text was; ``whole``: all words of the debates go, not some voices' alone.
        """
        return ()

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        """Yield what does not agree in its debates, of one or of all, beyond what is proved of every ledger.

        Source: docs/explanation/ledger.md, "Proof".
        """
        return ()
