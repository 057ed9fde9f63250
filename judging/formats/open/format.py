"""Creating an open debate: everything is checked before anything is written."""

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import Debate, Participant
from debates.types import Kind, Role
from judging.formats import prompts
from judging.formats.base import Draft, Emptying, WordColumns
from judging.formats.costs import Asked, Others, of_role
from judging.formats.open import CALLED, EVALUATOR, NAME, PERSUASION_JUDGE, api, results, spec, verify
from judging.formats.open import page as pages
from judging.formats.open.play import OpenPlay
from judging.formats.open.questions import SEATED
from judging.formats.open.spec import ChairSpec, TableSpec
from judging.formats.shared_fields import MODELS
from judging.formats.spec import free_name
from judging.models import ResponseEvaluation
from judging.rules.options import name_of
from judging.rules.persuasion import RuleSet
from judging.types import DEBATER, Purpose
from scoring.rules.numbers import decimal_of

PURPOSES = (
    Purpose.INTRODUCE,
    Purpose.OPEN,
    Purpose.RESPOND,
    Purpose.EVALUATE,
    Purpose.INFLUENCE,
    Purpose.INTERJECT,
    Purpose.SUM_UP,
)


def build_draft(*, table_spec: TableSpec) -> Draft:
    """Return what an open debate is written with: everybody at its table, one thread."""
    spec.checked(table_spec)
    motion = table_spec.motion.strip()
    return Draft(
        title=(table_spec.title.strip() or motion)[:200],
        motion=motion,
        rounds=table_spec.exchanges,
        parameters=snapshot_of(table_spec=table_spec),
        participants=everybody(table_spec),
        provider_fields=[
            f"chairs.{at}.provider" if chair.provider else "provider" for at, chair in enumerate(table_spec.chairs)
        ],
        repeat_of=table_spec.repeat_of,
    )


def snapshot_of(*, table_spec: TableSpec) -> dict[str, Any]:
    rules: RuleSet = spec.rules_of(table_spec)
    words = spec.words_of(table_spec.words)
    return {
        "table": {
            "chairs": [seat_of(chair) for chair in table_spec.chairs],
            "turn_seconds": table_spec.turn_seconds,
            "tone": table_spec.tone,
            "introduction": table_spec.introduction,
            "judging": table_spec.judging,
            "judge_concurrency": table_spec.judge_concurrency,
            "accountability": table_spec.accountability,
            "interjections": table_spec.interjections,
            "persuasion": table_spec.persuasion,
            "effects": spec.effects_of(table_spec),
            "rules": rules.snapshot(),
            "words": {"persuasion": words.persuasion, "attack": words.attack, "evidence": words.evidence},
            "credit": table_spec.credit,
            "prompts": {purpose.value: prompts.NEWEST[purpose] for purpose in PURPOSES},
            **({"order": [list(names) for names in table_spec.order]} if table_spec.order else {}),
            **({"ballot_seconds": table_spec.ballot_seconds} if judges_on_seats(table_spec) else {}),
        }
    }


def seat_of(chair: spec.ChairSpec) -> dict[str, str]:
    """Return a chair as the debate keeps it; part and side only where they say something."""
    stance = decimal_of(chair.stance, name="stance", low=Decimal(-1), high=Decimal(1), places=2)
    conviction = decimal_of(chair.conviction, name="conviction", low=Decimal(0), high=Decimal(1), places=2)
    return {
        "name": name_of(chair.name),
        "framework": chair.framework,
        "stance": str(stance),
        "conviction": str(conviction),
        "strategy": chair.strategy,
        **({"strategy_changes": chair.strategy_changes.strip()} if chair.strategy_changes.strip() else {}),
        **({"part": chair.part} if chair.part != DEBATER else {}),
        **({"side": chair.side} if chair.side else {}),
    }


def voice_of(chair: ChairSpec, *, table_spec: TableSpec) -> dict[str, str]:
    """Return with what an engine speaks; people and programs have voices of their own."""
    if chair.kind != Kind.ENGINE.value:
        return {}
    return {
        "provider": chair.provider or table_spec.provider,
        "model": chair.model or (table_spec.model if not chair.provider else ""),
    }


def everybody(table_spec: TableSpec) -> list[Participant]:
    chairs = [
        Participant(
            role=Role.CHAIR.value, kind=chair.kind, name=name_of(chair.name), **voice_of(chair, table_spec=table_spec)
        )
        for chair in table_spec.chairs
    ]
    arbiter = Participant(
        role=Role.ARBITER.value,
        kind=Kind.ENGINE.value,
        name=free_name(taken=[chair.name for chair in table_spec.chairs]),
        provider=table_spec.provider,
        model=table_spec.model,
    )
    return [*chairs, arbiter, *judges_on_seats(table_spec)]


def judges_on_seats(table_spec: TableSpec) -> list[Participant]:
    kinds = {EVALUATOR: table_spec.evaluator, PERSUASION_JUDGE: table_spec.persuasion_judge}
    return [
        Participant(role=Role.JUDGE.value, kind=kind, name=name)
        for name, kind in kinds.items()
        if kind != Kind.ENGINE.value
    ]


WORDLESS: Mapping[str, Any] = {"persuasion": [], "attack": [], "evidence": []}
"""What an open debate counts as words, once its own words were erased."""


def take_words(tables: QuerySet[Debate], *, erased: str) -> None:
    """Take from open debates what they count as words, and of sides all but who is an ally of whom."""
    for debate in list(tables):
        table = debate.parameters["table"]
        sides = [chair.get("side") for chair in table["chairs"]]
        chairs = [
            {**chair, **({"side": f"{erased[:-1]} {sides.index(side) + 1}]"} if side else {})}
            for chair, side in zip(table["chairs"], sides, strict=True)
        ]
        kept = {**debate.parameters, "table": {**table, "chairs": chairs, "words": WORDLESS}}
        Debate.objects.filter(pk=debate.pk).update(parameters=kept)


class OpenFormat(OpenPlay):
    """Debaters with stances and frameworks who move each other and are judged for fairness, exchange by exchange."""

    name = NAME
    called = CALLED
    round_noun = "exchange"
    first_round = 0
    serializer = api.OpenDebateSerializer
    example = api.EXAMPLE
    steps = api.STEPS
    is_for = (
        "Two to twelve speakers argue about a motion, exchange by exchange. How fairly they argue is judged, and whom "
        "they persuade decides who wins. Good for questions of value, and the one in which people speak."
    )
    alternatives = ("chairs", "preset")
    widest = {"exchanges": spec.MOST_EXCHANGES, "provider": MODELS}
    purposes = {
        Role.CHAIR: (Purpose.OPEN, Purpose.RESPOND),
        Role.ARBITER: (Purpose.INTRODUCE, Purpose.EVALUATE, Purpose.INFLUENCE, Purpose.INTERJECT, Purpose.SUM_UP),
    }
    result_template = "debates/result_open.html"
    ballot_kind = "response"
    repeated_tables = results.TABLES
    words = (WordColumns(ResponseEvaluation, {"grounds": ""}, "turn__debate", ("turn__debate__participants",)),)
    caches_judgements = True

    first_calls = staticmethod(api.first_calls)
    request_of = staticmethod(api.request_of)
    page = staticmethod(pages.page)
    acting = staticmethod(pages.acting)
    awaited = staticmethod(pages.awaited)
    fact_statements = staticmethod(pages.statements)
    summaries = staticmethod(results.summaries)
    comes_to = staticmethod(results.comes_to)
    result_document = staticmethod(results.document)
    faults = staticmethod(verify.faults)

    def emptyings(self, *, debates: QuerySet[Debate], erased: str, whole: bool) -> Iterable[Emptying]:
        """What counts as words, and whom chairs speak for."""
        if whole:
            worded = debates.filter(parameters__has_key="table").exclude(parameters__table__words=WORDLESS)
            yield Emptying("words in set-ups", worded, partial(take_words, erased=erased))

    def spec_of(self, *, data: Mapping[str, Any], readable: QuerySet[Debate]) -> TableSpec:
        """A preset, or chairs of its own."""
        return api.spec_of(data)

    def draft(self, *, spec: TableSpec, by: User | None) -> Draft:
        return build_draft(table_spec=spec)

    def unasked(self, *, debate: Debate) -> Collection[Purpose]:
        """Where responses are not judged, or not weighed, or nobody interjects, nobody is asked to."""
        options = results.options_of(debate.parameters)
        asked = {purpose for _, purpose in self.judgements(debate=debate)}
        says = {
            Purpose.EVALUATE: Purpose.EVALUATE in asked,
            Purpose.INFLUENCE: Purpose.INFLUENCE in asked,
            Purpose.INTERJECT: Purpose.INTERJECT in options.asked_about_responses,
            Purpose.INTRODUCE: options.introduction,
        }
        return [purpose for purpose, does in says.items() if not does]

    def judgements(self, *, debate: Debate) -> Asked:
        """How fair each response is, and what it does to those who listen, where an engine judges that."""
        seated = {judge.name for judge in of_role(debate, Role.JUDGE)}
        [arbiter] = of_role(debate, Role.ARBITER)
        kept = debate.parameters["table"]
        debaters = {card["name"] for card in kept["chairs"] if card.get("part", DEBATER) == DEBATER}
        held = [name for names in kept.get("order", [])[1:] for name in names]
        responses = sum(name in debaters for name in held) or len(debaters) * debate.rounds
        asked = results.options_of(debate.parameters).asked_about_responses
        by_engine = [purpose for purpose, judge in SEATED.items() if purpose in asked and judge not in seated]
        return {(arbiter, purpose): responses for purpose in by_engine}

    def other_calls(self, *, debate: Debate) -> Others:
        """Openings and responses of engines, the arbiter's introduction, interjections and last word."""
        kept = debate.parameters["table"]
        held = [name for names in kept.get("order", []) for name in names]
        chairs = of_role(debate, Role.CHAIR)
        engines = [chair for chair in chairs if held or chair.kind == Kind.ENGINE.value]
        spoken = {chair: held.count(chair.name) if held else 1 + debate.rounds for chair in engines}
        interjects = Purpose.INTERJECT in results.options_of(debate.parameters).asked_about_responses
        interjected = len(kept["chairs"]) * debate.rounds if interjects else 0
        [arbiter] = of_role(debate, Role.ARBITER)
        return {**spoken, arbiter: int(kept["introduction"]) + interjected + 1}

    def result_page(self, *, debate: Debate, query: Mapping[str, str]) -> Mapping[str, Any]:
        return pages.board(debate=debate)

    def round_words(self, *, number: int, rounds: int) -> str:
        """Round 0 is that of the openings."""
        return super().round_words(number=number, rounds=rounds) if number else "Openings"
