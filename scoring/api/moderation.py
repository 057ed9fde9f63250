"""What a moderator may do to a score: one class for each action, one service behind each, as at every other door."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api import etags
from debates.api.fields import Choice, GivenNumber, words
from debates.api.views import Act
from debates.errors import Invalid
from debates.services.idempotency import UseCase
from debates.types import Scope
from scoring import selectors
from scoring.api import serializers as api_serializers
from scoring.api.examples import FACT
from scoring.api.resources import EVALUATIONS
from scoring.enums import GIVEN_CODES, ActorKind, EntryKind, HeldChoice
from scoring.models import Approval, Evaluation, Fact
from scoring.services import moderation, previews
from scoring.services.actions import ACTIONS, Intent
from scoring.services.steps import Done, Order

LONGEST_REASON = 4000
GIVEN = [code.value for code in GIVEN_CODES]


class Because(serializers.Serializer[Any]):
    """Why, for ever; the code is for programs."""

    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="At least 10 visible characters.")
    reason_code = Choice(
        choices=GIVEN,
        required=False,
        allow_blank=True,
        default="",
        help_text="For programs; entries and events carry it for ever.",
    )


class WithFacts(Because):
    """Why, and which facts."""

    facts = serializers.ListField(child=serializers.UUIDField(), allow_empty=False, max_length=500)


class OnScore(Act):
    """An action on one score: what is asked of the caller comes from the table of actions."""

    tag, scope, Output, Input = "moderation", Scope.MODERATE, api_serializers.Done, Because
    kind: ClassVar[EntryKind]
    example = {"reason": "The judge misread the third paragraph."}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        action = ACTIONS[cls.kind]
        cls.permission = f"scoring.{action.permission}"
        cls.versioned = "required" if action.versioned else "optional"

    def row(self) -> Evaluation:
        return self.one(Evaluation.objects.select_related(*EVALUATIONS).filter(debate__in=self.debates()))

    def may(self, row: Evaluation) -> None:
        """Refuse what names no version before anything else is looked at."""
        if self.versioned == "required":
            etags.seen(self.request)

    def act(self, row: Evaluation, given: dict[str, Any]) -> Done | Approval:
        intent = intent_of(self.kind, row, given)
        order = Order(
            evaluation_id=row.pk,
            by=self.caller,
            reason=given["reason"],
            seen=etags.given(self.request),
            door=ActorKind.API,
            reason_code=given["reason_code"],
            idempotency_key=self.kept_key,
        )
        return moderation.perform.once(self.record, order=order, intent=intent, now=timezone.now())

    def answer(self, done: Any) -> Response:
        evaluation = Evaluation.objects.select_related(*EVALUATIONS).get(pk=done.evaluation.pk)
        entries = selectors.named(entries=done.entries)
        return self.shown({"evaluation": evaluation, "entries": entries})

    def version_after(self, data: Any) -> str:
        """Return the version of the score after what was done; an override that waits for somebody has changed none."""
        found = data.get("evaluation")
        return str(found["moderation_version"]) if isinstance(found, dict) else ""


def intent_of(kind: EntryKind, row: Evaluation, given: dict[str, Any]) -> Intent:
    """Return an action as the service takes it.

    Raises: ``Invalid`` naming facts that are none of this score.
    """
    return Intent(
        kind,
        value=given.get("value"),
        facts=facts_of(row, given["facts"]) if given.get("facts") else (),
        choice=HeldChoice(given["held"]) if "held" in given else None,
        target=given.get("target"),
        then=further_of(row, given["then"]) if "then" in given else None,
    )


def further_of(row: Evaluation, then: dict[str, Any]) -> Intent:
    """Return the step that an unfreeze carries: the one whose input is given."""
    [kind] = [kind for kind, action in ACTIONS.items() if action.follows_unfreeze and action.inputs == tuple(then)]
    return intent_of(kind, row, then)


def facts_of(row: Evaluation, wanted: list[UUID]) -> list[int]:
    """Return facts of a score by the ids under which the world knows them.

    Raises: ``Invalid`` naming those that are none of its facts.
    """
    found = dict(Fact.objects.filter(evaluation=row, public_id__in=wanted).values_list("public_id", "pk"))
    strange = [str(one) for one in wanted if one not in found]
    if strange:
        raise Invalid(f"facts: {', '.join(strange[:5])} is no fact of this score.")
    return [found[one] for one in wanted]


class Freeze(OnScore):
    """Freeze a score: until it is unfrozen nothing moves it.

    It needs no version, because it must win every race; one that is given is checked.
    """

    kind = EntryKind.FREEZE


class Then(serializers.Serializer[Any]):
    """One further step in the same breath: an override, a strike or a rollback."""

    value = GivenNumber(required=False)
    facts = serializers.ListField(child=serializers.UUIDField(), required=False, allow_empty=False, max_length=500)
    target = serializers.IntegerField(required=False, min_value=1, max_value=10**6)

    def validate(self, attrs: Any) -> Any:
        if len(attrs) != 1:
            raise serializers.ValidationError("Give one of value, facts and target.")
        return attrs


class Unfreeze(OnScore):
    """Unfreeze a score, and apply or discard what arrived meanwhile; with one further step, if one likes."""

    kind = EntryKind.UNFREEZE
    example = {"reason": "The question is settled.", "held": "apply"}

    class Input(Because):
        """Why, what becomes of held facts, and what else."""

        held = words(HeldChoice)
        then = Then(required=False)


class Override(OnScore):
    """Set a score by hand; the computed score keeps moving underneath.

    Where the change is so large that a second person has to approve it, the answer is 202 with the request that waits.
    """

    kind = EntryKind.OVERRIDE
    also = {status.HTTP_202_ACCEPTED: api_serializers.Approval}
    example = {"reason": "Two experts agree on this value.", "value": "7.5"}

    class Input(Because):
        """Why, and to what."""

        value = GivenNumber(help_text="On the scale of its instrument, with at most 2 places.")

    def answer(self, done: Any) -> Response:
        if isinstance(done, Approval):
            return self.shown(done, shape=api_serializers.Approval, code=status.HTTP_202_ACCEPTED)
        return super().answer(done)


class Lift(OnScore):
    """Remove an override, so that the computed score counts again."""

    kind = EntryKind.OVERRIDE_LIFTED


class Strike(OnScore):
    """Take facts out of what counts, without deleting them."""

    kind, Input = EntryKind.STRIKE, WithFacts
    example = {**OnScore.example, "facts": [FACT["id"]]}


class Reinstate(OnScore):
    """Put facts that were struck or discarded back into what counts."""

    kind, Input = EntryKind.REINSTATE, WithFacts
    example = {**OnScore.example, "facts": [FACT["id"]]}


class RollBack(OnScore):
    """Take a score back to what it was after an earlier entry; the entries in between stay in the ledger."""

    kind = EntryKind.ROLLBACK
    example = {"reason": "The second round was judged on a wrong text.", "target": 1}

    class Input(Because):
        """Why, and to which entry."""

        target = serializers.IntegerField(min_value=1, max_value=10**6, help_text="The sequence of an earlier entry.")


PLANNED = [kind.value for kind in ACTIONS]


class PreviewAction(Act):
    """Show what an action would do to a score as it stands now, and what it would make void. Nothing is written."""

    tag, scope, permission, Output = "moderation", Scope.MODERATE, "scoring.view_evaluation", api_serializers.Preview
    example = {"action": "override", "value": "7.5"}

    class Input(serializers.Serializer[Any]):
        """Which action, with its inputs."""

        action = Choice(choices=PLANNED)
        value = GivenNumber(required=False)
        facts = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=500, default=list)
        held = words(HeldChoice, required=False)
        target = serializers.IntegerField(required=False, min_value=1, max_value=10**6)

    def row(self) -> Evaluation:
        return self.one(Evaluation.objects.filter(debate__in=self.debates()))

    def act(self, row: Evaluation, given: dict[str, Any]) -> Any:
        intent = intent_of(EntryKind(given["action"]), row, given)
        preview = UseCase(previews.preview)  # it writes nothing, but its answer is repeated like any other
        return preview.once(self.record, evaluation_id=row.pk, intent=intent, by=self.caller.pk)
