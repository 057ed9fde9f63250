"""Format ``responses``: responses judged on their own. Creating a batch, and what there is of it, and where."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import Debate, Participant
from debates.types import Kind, Role
from judging.formats import prompts
from judging.formats.base import Draft, Emptying
from judging.formats.costs import Asked, Others, of_role
from judging.formats.open import verify
from judging.formats.open.spec import Judging
from judging.formats.responses import CALLED, NAME, api, results, spec
from judging.formats.responses.play import BATCH, ResponsesPlay, ResponsesThreadState, write_responses
from judging.formats.responses.spec import ResponsesSpec
from judging.formats.spec import free_name
from judging.formats.state import Acting, Ask, Brief, Step, Together
from judging.heuristics.subjects import foreign
from judging.rules import frameworks
from judging.types import Purpose
from scoring.proof import Fault

SPOKEN = "scripted"
"""Who answers for speakers: nobody is asked, for what they say is there."""
OWN_WORDS_UNREAD = (
    "The offline judge does not read frameworks in own words: it looks only for contradictions. Name a model."
)


def build_draft(*, responses_spec: ResponsesSpec) -> Draft:
    """Return what a batch is written with: everybody who speaks in it, one thread, so many rounds as it takes."""
    motion, size = responses_spec.motion.strip(), spec.per_round(responses_spec)
    names = [
        name for row in responses_spec.responses for name in (row.speaker, *([row.opponent] if row.answered else []))
    ]
    speakers = [
        Participant(role=Role.CHAIR.value, kind=Kind.ENGINE.value, name=name, provider=SPOKEN)
        for name in dict.fromkeys(names)
    ]
    arbiter = Participant(
        role=Role.ARBITER.value,
        kind=Kind.ENGINE.value,
        name=free_name(taken=names),
        provider=responses_spec.provider,
        model=responses_spec.model,
    )
    return Draft(
        title=(responses_spec.title.strip() or motion)[:200],
        motion=motion,
        rounds=-(-len(responses_spec.responses) // size),
        parameters=snapshot_of(responses_spec=responses_spec, size=size),
        participants=[*speakers, arbiter],
    )


def snapshot_of(*, responses_spec: ResponsesSpec, size: int) -> dict[str, Any]:
    listed = list(dict.fromkeys(row.framework for row in responses_spec.responses))
    place = {framework: at for at, framework in enumerate(listed)}
    return {
        BATCH: {
            "judging": responses_spec.judging,
            "judge_concurrency": responses_spec.judge_concurrency,
            "accountability": responses_spec.accountability,
            "size": size,
            "ids": [row.id for row in responses_spec.responses],
            "frameworks": listed,
            "argues_from": [place[row.framework] for row in responses_spec.responses],
            "digest": spec.digest(responses_spec),
            "prompts": {Purpose.EVALUATE.value: prompts.NEWEST[Purpose.EVALUATE]},
        }
    }


def take_words(batches: QuerySet[Debate], *, erased: str) -> None:
    """Take from batches what their callers called the responses, and frameworks in own words."""
    for debate in list(batches):
        batch = debate.parameters[BATCH]
        kept = {
            **batch,
            "ids": [erased] * len(batch["ids"]),
            "frameworks": [erased if " " in words else words for words in batch["frameworks"]],
            "digest": erased,
        }
        Debate.objects.filter(pk=debate.pk).update(parameters={**debate.parameters, BATCH: kept})


class ResponsesFormat(ResponsesPlay):
    """Responses that were given elsewhere, each judged on its own against its framework."""

    name = NAME
    called = CALLED
    round_noun = "part"
    heading_counts_rounds = False
    serializer = api.ResponsesSerializer
    example = api.EXAMPLE
    steps = api.STEPS
    is_for = (
        "Responses that were given elsewhere, one or thousands, are each judged for how fairly they argue: four marks, "
        "what breaks with their framework, and whether a debate would be interrupted. Nobody debates."
    )
    somebody = "the arbiter"
    purposes = {Role.ARBITER: (Purpose.EVALUATE,)}
    result_template = "debates/result_responses.html"
    caches_judgements = True

    request_of = staticmethod(api.request_of)
    write_given = staticmethod(write_responses)
    page = staticmethod(results.page)
    result_page = staticmethod(results.result_page)
    fact_statements = staticmethod(results.statements)
    summaries = staticmethod(results.summaries)
    comes_to = staticmethod(results.comes_to)
    result_document = staticmethod(results.document)

    def spec_of(self, *, data: Mapping[str, Any], readable: QuerySet[Debate]) -> ResponsesSpec:
        """A list of responses, or the text of a file."""
        return api.spec_of(data)

    def first_calls(self, *, spec: ResponsesSpec) -> Mapping[Role, int]:
        """A first judgement."""
        return {Role.ARBITER: int(spec.judging == Judging.FULL)}

    def draft(self, *, spec: ResponsesSpec, by: User | None) -> Draft:
        return build_draft(responses_spec=spec)

    def unasked(self, *, debate: Debate) -> Collection[Purpose]:
        """A glance asks nobody."""
        return () if debate.parameters[BATCH]["judging"] == Judging.FULL else (Purpose.EVALUATE,)

    def judgements(self, *, debate: Debate) -> Asked:
        """Each response once, where it is judged."""
        [arbiter] = of_role(debate, Role.ARBITER)
        full = debate.parameters[BATCH]["judging"] == Judging.FULL
        return {(arbiter, Purpose.EVALUATE): len(debate.parameters[BATCH]["ids"])} if full else {}

    def other_calls(self, *, debate: Debate) -> Others:
        return {}

    def numbers(self, *, debate: Debate) -> Mapping[str, Any]:
        return results.numbers_of(results.lines(debate=debate))

    def unread_offline(self, *, debate: Debate) -> list[str]:
        """Responses in another language, and frameworks in own words."""
        warnings = []
        if set(debate.parameters[BATCH]["frameworks"]) - {"", *frameworks.frameworks()}:
            warnings.append(OWN_WORDS_UNREAD)
        texts = results.responses(debate).values_list("text", flat=True)
        if strange := sum(bool(foreign(text)) for text in texts.iterator()):
            warnings.append(
                f"Responses not in English, whose marks by the offline judge say nothing: {strange}. Name a model."
            )
        return warnings

    def acting(self, *, brief: Brief, board: ResponsesThreadState, step: Step) -> Acting:
        asks = step.asks if isinstance(step, Together) else [step] if isinstance(step, Ask) else []
        ids = [brief.parameters[BATCH]["ids"][ask.about - 1] for ask in asks]
        return Acting(f"{brief.voices[Role.ARBITER].name} judges {', '.join(ids)}" if ids else "The part ends")

    def emptyings(self, *, debates: QuerySet[Debate], erased: str, whole: bool) -> Iterable[Emptying]:
        """What responses are called, and frameworks in own words."""
        if whole:
            named = debates.filter(parameters__has_key=BATCH).exclude(parameters__batch__digest=erased)
            yield Emptying("names of responses", named, partial(take_words, erased=erased))

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        """Marks are what the judge gave, and totals their sum."""
        debates = Debate.objects.filter(format=NAME).exclude(status="draft")
        for debate in (debates if debate_id is None else debates.filter(pk=debate_id)).order_by("pk").iterator():
            yield from verify.totals(debate)
