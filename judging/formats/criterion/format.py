"""Creating a criterion debate, with first scores of its own or those of a concluded panel."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import User

from debates.errors import Invalid, about
from debates.models import Debate, Participant
from debates.types import Conduct, Kind, Role, Status
from judging.formats import panel as panel_format
from judging.formats.base import Draft, WordColumns
from judging.formats.costs import Asked, Others, of_role
from judging.formats.criterion import ARBITER, CALLED, NAME, api, results, scoreboard, state, verify
from judging.formats.criterion import page as pages
from judging.formats.criterion.play import CriterionPlay
from judging.formats.criterion.spec import CriterionSpec, answering, checked, chosen_criteria
from judging.formats.debate_lookup import earlier
from judging.formats.panel import documents
from judging.formats.panel.results import of_debate
from judging.models import Challenge, Verdict
from judging.pages import transcript
from judging.rules.consensus import HIGHEST, LOWEST
from judging.types import OFFLINE, Purpose
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
    minutes = of_debate(debate=concluded(panel=panel, by=by))
    document = documents.document(minutes)
    rows = {row["code"]: row for row in document["criteria"]}
    scores = {code: score for code, final in minutes.finals.items() if (score := final.unrounded) is not None}
    missing = [code for code in codes if code not in scores]
    if missing:
        message = (
            f"panel: it has no score for {', '.join(missing)}; it scored {', '.join(sorted(scores)) or 'nothing'}."
        )
        raise Invalid(message, field="panel")
    return {
        code: (
            initial_from_panel(score=scores[code]),
            confidence_of(spread_among_enough(rows[code], document=document)),
        )
        for code in codes
    }


def concluded(*, panel: str, by: User | None) -> Debate:
    """Return a concluded panel.

    Raises: ``NotFound``, for one that somebody may not read as well; ``Invalid``.
    """
    debate = earlier(named=panel, of=panel_format.NAME, called=panel_format.CALLED, field="panel", by=by)
    if debate.status != Status.CONCLUDED.value:
        message = f"panel: it is {debate.status.replace('_', ' ')}; only a concluded panel gives initial scores."
        raise Invalid(message, field="panel")
    return debate


def spread_among_enough(row: Mapping[str, Any], *, document: Mapping[str, Any]) -> str | None:
    """Return how far apart the judges of a criterion are; nothing where fewer count on it than the quorum asks for.

    Shape: ``row`` is a criterion of the panel's ``document``.
    Source: docs/decisions/0011-a-panel-hands-over-how-far-it-was-apart.md
    """
    now, at = document["now"], row["code"]
    out = {
        struck_judge["judge"]
        for struck_judge in document["struck"]
        if (struck_judge["round"], struck_judge["criterion"]) == (now["round"], at)
    }
    counting = [judge for judge, score in row["scores"].items() if score is not None and judge not in out]
    spread: str | None = row["spread"] if len(counting) >= now["needed"] else None
    return spread


def confidence_of(spread: str | None) -> Decimal:
    """Return how sure a panel is: 1 where judges agree, 0 where too few count or they are as far apart as can be."""
    apart = Fraction(spread) if spread is not None else Fraction(HIGHEST - LOWEST)
    return numbers.half_up(1 - apart / Fraction(HIGHEST - LOWEST), places=2)


# What a specification becomes: everything is checked before anything is written.


VOICES = ((Role.EVALUATOR, "Evaluator"), (Role.CHALLENGER, "Red team"), (Role.ARBITER, ARBITER))
REPORTER = "Reporter"
"""Who writes the closing words where the arbiter is no engine."""


def build_draft(*, spec: CriterionSpec, by: User | None) -> Draft:
    """Return what a criterion debate is written with: three voices, a thread for every criterion.

    Raises: ``Invalid`` naming the field; ``NotFound`` for a panel that there is not, or that ``by`` may not read.
    """
    checked(spec)
    return Draft(
        title=spec.title.strip(),
        subject=spec.subject,
        rounds=spec.rounds,
        parameters=snapshot_of(spec=spec, initial=checked_initials(spec=spec, by=by)),
        participants=voices(spec=spec),
        provider_fields=[
            f"providers.{role.value}" if role.value in spec.providers else "provider" for role, _ in VOICES
        ],
        threads=[row["code"] for row in chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)],
        conducted_by=spec.conducted_by,
    )


def checked_initials(*, spec: CriterionSpec, by: User | None) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the initial scores and confidences that came with a request: one for every criterion, or none.

    Raises: ``Invalid`` naming the criterion and the field; ``NotFound`` for the panel.
    """
    codes = [row["code"] for row in chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)]
    if spec.panel:
        if spec.initial:
            raise Invalid("initial and panel: give one of them.", field="panel")
        return initial_scores(panel=spec.panel, codes=codes, by=by)
    if not spec.initial:
        return {}
    missing, strange = sorted(set(codes) - set(spec.initial)), sorted(set(spec.initial) - set(codes))
    if missing or strange:
        differences = [f" Missing: {', '.join(missing)}."] if missing else []
        differences += [f" Not played in this debate: {', '.join(strange)}."] if strange else []
        message = f"initial must give every played criterion and no other.{''.join(differences)}"
        raise Invalid(message, field="initial")
    initials = {}
    for code, (score, confidence) in spec.initial.items():
        with about("initial", code):
            initials[code] = accounts.checked_initial(score=score, confidence=confidence, where=code)
    return initials


def snapshot_of(*, spec: CriterionSpec, initial: Mapping[str, tuple[Decimal, Decimal]]) -> dict[str, Any]:
    return {
        "rubric": dict(spec.rubric),
        "play": {
            "challenges_per_criterion": spec.challenges_per_criterion,
            "personas": list(spec.personas),
            "score_updates": spec.score_updates,
            "criteria_per_assessment": spec.criteria_per_assessment,
            **({"ballot_seconds": spec.ballot_seconds} if spec.arbiter != Kind.ENGINE.value else {}),
        },
        "initial": {code: [str(score), str(confidence)] for code, (score, confidence) in initial.items()},
        **({"initial_from": {"panel": spec.panel, "mapping": MAPPING}} if spec.panel else {}),
    }


def voices(*, spec: CriterionSpec) -> list[Participant]:
    """Return who speaks: evaluator, red team and arbiter, each with its provider; and who rules from a seat instead."""
    elsewhere, answers = spec.conducted_by is Conduct.EXTERNAL, answering(spec)
    seated = spec.arbiter != Kind.ENGINE.value
    judges = [Participant(role=Role.JUDGE.value, kind=spec.arbiter, name=ARBITER)] if seated else []
    return [
        Participant(
            role=role.value,
            kind=Kind.EXTERNAL.value if elsewhere else Kind.ENGINE.value,
            name=REPORTER if seated and role is Role.ARBITER else name,
            provider=answers[role],
            model="" if answers[role] == OFFLINE else spec.model,
        )
        for role, name in VOICES
    ] + judges


class CriterionFormat(CriterionPlay):
    """Evaluator against red team, one thread per criterion; an arbiter moves the score of each."""

    name = NAME
    called = CALLED
    serializer = api.CriterionDebateSerializer
    example = api.EXAMPLE
    steps = api.STEPS
    is_for = (
        "A text is scored by the criteria of a rubric. For each criterion an evaluator gives a score and defends it, a "
        "red team attacks it, and an arbiter moves it. Good for plans and proposals."
    )
    purposes = {
        Role.EVALUATOR: (Purpose.ASSESS, Purpose.ASSESS_SEVERAL, Purpose.DEFEND),
        Role.CHALLENGER: (Purpose.CHALLENGE, Purpose.PRESS),
        Role.ARBITER: (Purpose.JUDGE, Purpose.SYNTHESISE),
    }
    somebody = "a voice"
    result_template = "debates/result_criterion.html"
    ballot_kind = "ruling"
    repeated_tables = state.TABLES
    words = (
        WordColumns(Challenge, {"quote": ""}, "thread__debate", ("turn__participant", "defences__turn__participant")),
        WordColumns(Verdict, {"reasoning": ""}, "round__thread__debate", ("round__thread__debate__participants",)),
    )

    spec_of = staticmethod(api.spec_of)
    first_calls = staticmethod(api.first_calls)
    request_of = staticmethod(api.request_of)
    draft = staticmethod(build_draft)
    page = staticmethod(pages.page)
    acting = staticmethod(pages.acting)
    fact_statements = staticmethod(pages.statements)
    summaries = staticmethod(scoreboard.summaries)
    comes_to = staticmethod(results.comes_to)
    result_document = staticmethod(results.document)
    faults = staticmethod(verify.faults)

    def unasked(self, *, debate: Debate) -> Collection[Purpose]:
        """Nothing is assessed where the scores came along, or there are some already; several together by choice.

        Where somebody rules from a seat, no engine is asked to.
        """
        seated = (Purpose.JUDGE,) if of_role(debate, Role.JUDGE) else ()
        return (*seated, *self._unassessed(debate))

    def _unassessed(self, debate: Debate) -> Collection[Purpose]:
        if debate.parameters.get("initial") or debate.evaluations.exists():
            return (Purpose.ASSESS, Purpose.ASSESS_SEVERAL)
        return () if state.per_assessment(debate.parameters) > 1 else (Purpose.ASSESS_SEVERAL,)

    def judgements(self, *, debate: Debate) -> Asked:
        """One ruling in every round of every criterion, where an engine rules."""
        if of_role(debate, Role.JUDGE):
            return {}
        [arbiter] = of_role(debate, Role.ARBITER)
        return {(arbiter, Purpose.JUDGE): debate.threads.count() * debate.rounds}

    def other_calls(self, *, debate: Debate) -> Others:
        """Challenges and defences, assessments where no score came along, and the synthesis."""
        threads = debate.threads.count()
        assessments = 0 if debate.parameters["initial"] else -(-threads // state.per_assessment(debate.parameters))
        rounds = threads * debate.rounds
        asked = {Role.EVALUATOR: rounds + assessments, Role.CHALLENGER: rounds, Role.ARBITER: 1}
        return {voice: times for role, times in asked.items() for voice in of_role(debate, role)}

    def result_page(self, *, debate: Debate, query: Mapping[str, str]) -> Mapping[str, Any]:
        return {"board": scoreboard.scoreboard(debate=debate), "synthesis": transcript.newest(debate=debate)}
