"""Before a debate is played: every model that it needs is asked one short question, while no transaction is open."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.db import connection

from debates.errors import NotAllowedNow
from debates.models import Debate
from debates.services import rights
from debates.services.idempotency import RequestRecord, UseCase
from debates.types import Conduct, Kind, Role, Status
from judging.errors import ModelNotReady, ProviderError
from judging.formats.costs import PRICED
from judging.formats.registry import format_of
from judging.providers import provider
from judging.providers.endpoints import unpriced
from judging.types import Purpose

LAST_WORDS = frozenset({Purpose.SYNTHESISE, Purpose.SUM_UP, Purpose.REPORT})
P = ParamSpec("P")
R = TypeVar("R")


class PlayingUseCase(UseCase[P, R]):
    """A use case that has a debate played, for which its models must be ready.

    It writes nothing before its transaction begins: who is killed meanwhile leaves everything as it was.
    """

    def __init__(
        self,
        service: Callable[P, R],
        *,
        statuses: Collection[Status],
        refuse: Callable[[Debate, Mapping[str, Any]], object],
        purposes: Callable[[Debate], Collection[Purpose] | None],
    ) -> None:
        super().__init__(service)
        self.statuses = statuses
        self.refuse = refuse
        self.purposes = purposes

    def once(self, record: RequestRecord | None, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask the models before the key is claimed, so that nothing slow happens in its transaction."""
        self.require_models(kwargs)
        return super().once(record, *args, **kwargs)

    def require_models(self, about: Mapping[str, Any]) -> None:
        """Refuse what the models of a debate are not ready for; what the service refuses anyway is left to it."""
        debate = Debate.objects.filter(pk=about["debate_id"], conducted_by=Conduct.ENGINE.value).first()
        if debate is None or Status(debate.status) not in self.statuses:
            return
        self.refuse(debate, about)
        require_models(debate=debate, purposes=self.purposes(debate))


def whoever_conducts(debate: Debate, about: Mapping[str, Any]) -> None:
    """Refuse whoever may not conduct a debate.

    Raises: ``NotPermitted``, ``ConflictOfInterest``.
    """
    rights.may_conduct(by=about["by"], debate=debate)


def whoever_pauses(debate: Debate, about: Mapping[str, Any]) -> None:
    """Refuse whoever may neither conduct a debate nor hold it up.

    Raises: ``NotPermitted``, ``ConflictOfInterest``.
    """
    rights.may_pause(by=about["by"], debate=debate)


def before_play(
    *statuses: Status,
    refuse: Callable[[Debate, Mapping[str, Any]], object] = whoever_conducts,
    purposes: Callable[[Debate], Collection[Purpose] | None] = lambda _: None,
) -> Callable[[Callable[P, R]], PlayingUseCase[P, R]]:
    """Make a service a use case that has a debate played, of those that have one of these statuses. A decorator.

    Shape: ``refuse`` raises what the service would raise anyway, before a model is asked for it; ``purposes`` returns
    those that it asks for, and nothing where it is all that the debate needs.
    """
    return partial(PlayingUseCase, statuses=statuses, refuse=refuse, purposes=purposes)


def require_models(*, debate: Debate, purposes: Collection[Purpose] | None = None) -> None:
    """Refuse to play a debate that needs a model which does not answer, or has no price where money is limited.

    Raises: ``ModelNotReady`` saying what to do, ``NotAllowedNow`` naming the model without a price; ``Invalid`` for a
    provider that is not installed.
    """
    questions_of = needed(debate=debate, purposes=purposes)
    stays = "The debate stays a draft." if debate.status == Status.DRAFT.value else "The debate stays as it is."
    if debate.limit_money is not None and (unknown := without_price(questions_of)):
        add = "Add its price to MOOT_LLM_PRICES, or to the prices of its endpoint."
        raise NotAllowedNow(" ".join([*unknown, add, stays]))
    give_back_connection()
    problems = [problem for name, questions in questions_of.items() for problem in provider(name).preflight(questions)]
    if problems:
        raise ModelNotReady(" ".join([*problems, stays]))


def without_price(needed: Mapping[str, Collection[tuple[Purpose, str]]]) -> list[str]:
    """Return which models have no price, in a sentence each."""
    named = set()
    for purpose, model in needed.get(PRICED, ()):
        with suppress(ProviderError):  # its preflight says so already
            named.add(unpriced(purpose=purpose, model=model))
    return [
        f"{model} has no price, so what the debate costs is not known, and no limit of money holds it."
        for model in sorted(filter(None, named))
    ]


def give_back_connection() -> None:
    """Give the connection back to its pool: asking takes a while, and needs one beside it for a moment.

    Were as many to ask at once as there are connections, each would keep one and wait for another.
    """
    if getattr(connection, "pool", None) and not connection.in_atomic_block:
        connection.close()


def needed(
    *, debate: Debate, purposes: Collection[Purpose] | None = None
) -> Mapping[str, Collection[tuple[Purpose, str]]]:
    """Return what a debate will ask of each provider: {provider: (purpose, model as its voice names it)}."""
    voices = list(debate.participants.filter(kind=Kind.ENGINE.value))
    if not voices:
        return {}
    format_ = format_of(debate.format)
    unasked = format_.unasked(debate=debate)
    questions: dict[str, set[tuple[Purpose, str]]] = defaultdict(set)
    for voice in voices:
        for purpose in format_.purposes.get(Role(voice.role), ()):
            if purpose not in unasked and (purposes is None or purpose in purposes):
                questions[voice.provider].add((purpose, voice.model))
    return questions
