"""What a moderator may do to a score: one view for each action, one service behind all of them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api import etags
from debates.api.fields import Choice, GivenNumber, words
from debates.api.permissions import RequiredAccess
from debates.api.serializers import public_id
from debates.api.views import ActionView, ListView
from debates.errors import Invalid, within
from debates.services.idempotency import UseCase
from debates.types import LONGEST_REASON, Scope
from scoring import selectors
from scoring.api import serializers as api_serializers
from scoring.api.examples import FACT
from scoring.api.resources import EVALUATIONS
from scoring.enums import GIVEN_CODES, ActorKind, EntryKind, HeldChoice
from scoring.models import Approval, Evaluation, Fact, Remark
from scoring.services import cases, moderation, previews, undo
from scoring.services.actions import ACTIONS, NAMED, Intent, asked_for
from scoring.services.steps import Done, Order
from scoring.services.undo import UndoOrder

GIVEN = [code.value for code in GIVEN_CODES]


class ReasonSerializer(serializers.Serializer[Any]):
    """Why, for ever and for everybody; the note is for moderators alone."""

    reason = serializers.CharField(
        max_length=LONGEST_REASON, help_text="At least 10 visible characters. Whoever may read the debate reads it."
    )
    note = serializers.CharField(
        max_length=LONGEST_REASON, required=False, allow_blank=True, default="",
        help_text="For moderators alone, at their desk; no answer, event, export or page carries it.",
    )  # fmt: skip


class BecauseSerializer(ReasonSerializer):
    """Why; the code is for programs."""

    reason_code = Choice(
        choices=GIVEN,
        required=False,
        allow_blank=True,
        default="",
        help_text="For programs; entries and events carry it for ever.",
    )


class WithFactsSerializer(BecauseSerializer):
    """Why, and which facts."""

    facts = serializers.ListField(child=serializers.UUIDField(), allow_empty=False, max_length=500)


class ScoreView(ActionView):
    """What is done to one score, answered with the score and the entries; or with the request that waits."""

    tag = "moderation"
    serializer_class: Any = api_serializers.DoneSerializer
    queryset, debate_field = Evaluation.objects.select_related(*EVALUATIONS), "debate"

    def asked(self, row: Evaluation, data: dict[str, Any]) -> dict[str, Any]:
        """Return who asks for what is done to a score, why, and looking at which version, as every order says it."""
        seen, why = etags.version_in(self.request), {name: data[name] for name in ("reason", "note")}
        door, key = ActorKind.API, self.kept_key
        return {"evaluation_id": row.pk, "by": self.caller, "seen": seen, "door": door, "idempotency_key": key, **why}

    def answer(self, result: Done | Approval | list[Done]) -> Response:
        """Answer with the score that was asked about, and the entries on every score."""
        if isinstance(result, Approval):
            return Response(api_serializers.ApprovalSerializer(result).data, status=status.HTTP_202_ACCEPTED)
        results = [result] if isinstance(result, Done) else result
        entries = [entry for done in results for entry in done.entries]
        evaluation = Evaluation.objects.select_related(*EVALUATIONS).get(public_id=self.kwargs["id"])
        return self.respond({"evaluation": evaluation, "entries": selectors.named(entries=entries)})

    def version_after(self, data: Any) -> str:
        """An override that waits for somebody has changed no version."""
        evaluation = data.get("evaluation")
        return str(evaluation["moderation_version"]) if isinstance(evaluation, dict) else ""


class ScoreAction(ScoreView):
    """An action on one score: what is asked of the caller comes from the table of actions."""

    Input = BecauseSerializer
    kind: ClassVar[EntryKind]
    example: ClassVar[Any] = {"reason": "The judge misread the third paragraph."}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        action = ACTIONS[cls.kind]
        cls.write_access = RequiredAccess(Scope.MODERATE, action.permission)
        cls.if_match = "required" if action.versioned else "optional"

    def act(self, row: Evaluation, data: dict[str, Any]) -> Done | Approval:
        order = Order(**self.asked(row, data), reason_code=data["reason_code"])
        intent = intent_of(self.kind, row, data)
        return moderation.perform.once(self.record, order=order, intent=intent, now=timezone.now())


def intent_of(kind: EntryKind, row: Evaluation, data: dict[str, Any]) -> Intent:
    """Return an action as the service takes it.

    Raises: ``Invalid`` naming facts that are none of this score, or what means nothing to the action.
    """
    own = Fact.objects.filter(evaluation=row)
    intent = Intent(
        kind,
        value=data.get("value"),
        facts=ids_of(own, data.get("facts", ()), refusal="facts: {} is no fact of this score."),
        choice=held_in(data),
        target=data.get("target"),
        then=further_of(row, data["then"]) if "then" in data else None,
    )
    asked_for(intent)
    return intent


def held_in(data: dict[str, Any]) -> HeldChoice | None:
    return HeldChoice(data["held"]) if "held" in data else None


def refuse_idle(data: dict[str, Any], idle: Sequence[str], *, called: str) -> None:
    """Refuse fields that mean nothing to what is asked for, in the words of ``asked_for``.

    Raises: ``Invalid`` naming the first.
    """
    for name in idle:
        value = data.get(name)
        if value is not None and value is not False and value != []:
            raise Invalid(f"{called} takes no {name}.", field=name)


def further_of(row: Evaluation, then: dict[str, Any]) -> Intent:
    """Return the step that an unfreeze carries: the one whose input is given."""
    [kind] = [kind for kind, action in ACTIONS.items() if action.follows_unfreeze and action.inputs == tuple(then)]
    with within("then"):
        return intent_of(kind, row, then)


def ids_of(rows: QuerySet[Any], named: Sequence[UUID], *, refusal: str) -> list[int]:
    """Return the ids of rows that a body names by those under which the world knows them.

    Raises: ``Invalid`` naming those that are not there, in place of the braces of ``refusal``, with the place of the
    first in the list of the name with which that begins.
    """
    ids = dict(rows.filter(public_id__in=named).values_list("public_id", "pk"))
    strange = [str(public_id) for public_id in named if public_id not in ids]
    if strange:
        first = next(number for number, public_id in enumerate(named) if public_id not in ids)
        field = (refusal.partition(":")[0], str(first))
        raise Invalid(refusal.format(", ".join(strange[:5])), field=field)
    return [ids[public_id] for public_id in named]


def each_once(named: Sequence[UUID], *, field: str) -> None:
    """Refuse rows that are named twice, where each comes with a version: nothing guesses which counts."""
    twice = [str(public_id) for public_id, times in Counter(named).items() if times > 1]
    if twice:
        raise Invalid(f"{field}: {', '.join(twice[:5])} is named more than once.", field=field)


class Freeze(ScoreAction):
    """Freeze a score: until it is unfrozen nothing moves it.

    It needs no version, because it must win every race; one that is given is checked.
    """

    kind = EntryKind.FREEZE


class ThenSerializer(serializers.Serializer[Any]):
    """One further step in the same breath: an override, a strike or a rollback."""

    value = GivenNumber(required=False)
    facts = serializers.ListField(child=serializers.UUIDField(), required=False, allow_empty=False, max_length=500)
    target = serializers.IntegerField(required=False, min_value=1, max_value=10**6)

    def validate(self, attrs: Any) -> Any:
        if len(attrs) != 1:
            raise serializers.ValidationError("Give one of value, facts and target.")
        return attrs


class Unfreeze(ScoreAction):
    """Unfreeze a score, and apply or discard what arrived meanwhile; with one further step, if one likes."""

    kind = EntryKind.UNFREEZE
    example = {"reason": "The question is settled.", "held": "apply"}

    class Input(BecauseSerializer):
        """Why, what becomes of held facts, and what else."""

        held = words(HeldChoice)
        then = ThenSerializer(required=False)


class Override(ScoreAction):
    """Set a score by hand; the computed score keeps moving underneath.

    Where the change is so large that a second person has to approve it, the answer is 202 with the request that waits.
    """

    kind = EntryKind.OVERRIDE
    also = {status.HTTP_202_ACCEPTED: api_serializers.ApprovalSerializer}
    example = {"reason": "Two experts agree on this value.", "value": "7.5"}

    class Input(BecauseSerializer):
        """Why, and to what."""

        value = GivenNumber(help_text="On the scale of its instrument, with at most 2 places.")


class Lift(ScoreAction):
    """Remove an override, so that the computed score counts again."""

    kind = EntryKind.OVERRIDE_LIFTED


class Strike(ScoreAction):
    """Take facts out of what counts, without deleting them."""

    kind, Input = EntryKind.STRIKE, WithFactsSerializer
    example = {**ScoreAction.example, "facts": [FACT["id"]]}


class Reinstate(ScoreAction):
    """Put facts that were struck or discarded back into what counts."""

    kind, Input = EntryKind.REINSTATE, WithFactsSerializer
    example = {**ScoreAction.example, "facts": [FACT["id"]]}


class RollBack(ScoreAction):
    """Take a score back to what it was after an earlier entry; the entries in between stay in the ledger."""

    kind = EntryKind.ROLLBACK
    example = {"reason": "The second round was judged on a wrong text.", "target": 1}

    class Input(BecauseSerializer):
        """Why, and to which entry."""

        target = serializers.IntegerField(min_value=1, max_value=10**6, help_text="The sequence of an earlier entry.")


class Undo(ScoreView):
    """Take the last act of a person on a score back, whatever it was: its inverse is written as new entries.

    What was done to many scores at once is taken back on all of them, or on none. Where it is the lift of a large
    override, a second person has to approve the override again: the answer is 202 with the request that waits.
    """

    write_access = RequiredAccess(Scope.MODERATE, "scoring.view_evaluation")
    if_match = "required"
    also = {status.HTTP_202_ACCEPTED: api_serializers.ApprovalSerializer}
    example = {"reason": "It was meant for another score."}

    class Input(ReasonSerializer):
        """Why, and where it is asked for, what becomes of what was held since."""

        entry = serializers.IntegerField(
            min_value=1, max_value=10**6, required=False, help_text="The entry that is meant; the newest where none is."
        )
        held = words(HeldChoice, required=False)
        alone = serializers.BooleanField(
            default=False, help_text="Leave the other scores as they are, where the act was on several."
        )

    def act(self, row: Evaluation, data: dict[str, Any]) -> list[Done] | Approval:
        about = {"entry": data.get("entry"), "choice": held_in(data), "alone": data["alone"]}
        order = UndoOrder(**self.asked(row, data), **about)
        return undo.undo.once(self.record, order=order, now=timezone.now())


UNDO = "undo"
PLANNED = [*NAMED, UNDO]


class PreviewAction(ActionView):
    """Show what an action would do to a score as it stands now, and what it would make void. Nothing is written."""

    tag, serializer_class = "moderation", api_serializers.PreviewSerializer
    write_access = RequiredAccess(Scope.MODERATE, "scoring.view_evaluation")
    queryset, debate_field = Evaluation.objects.all(), "debate"
    example = {"action": "override", "value": "7.5"}

    class Input(serializers.Serializer[Any]):
        """Which action, with its inputs."""

        action = Choice(choices=PLANNED)
        value = GivenNumber(required=False)
        facts = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=500, default=list)
        held = words(HeldChoice, required=False)
        target = serializers.IntegerField(required=False, min_value=1, max_value=10**6)
        entry = serializers.IntegerField(
            required=False, min_value=1, max_value=10**6, help_text="Of an undo: the entry that is meant."
        )
        alone = serializers.BooleanField(
            default=False, help_text="Of an undo: leave the other scores as they are, where the act was on several."
        )
        then = ThenSerializer(
            required=False, help_text="Of an unfreeze: one further step, shown with it as one change."
        )

    def act(self, row: Evaluation, data: dict[str, Any]) -> Any:
        idle = ("value", "facts", "target", "then") if data["action"] == UNDO else ("entry", "alone")
        refuse_idle(data, idle, called=data["action"])
        if data["action"] == UNDO:
            meant = {"choice": held_in(data), "entry": data.get("entry"), "alone": data["alone"]}
            of_undo = UseCase(undo.preview_of)
            return of_undo.once(self.record, evaluation_id=row.pk, by=self.caller.pk, **meant)
        intent = intent_of(NAMED[data["action"]], row, data)
        preview = UseCase(previews.preview)  # it writes nothing, but its answer is repeated like any other
        return preview.once(self.record, evaluation_id=row.pk, intent=intent, by=self.caller.pk)


class AddRemark(ActionView):
    """Tell the other moderators something about a score, on its case. Nobody else reads it."""

    tag = "moderation"
    queryset, debate_field = Evaluation.objects.select_related(*EVALUATIONS), "debate"
    write_access = RequiredAccess(Scope.MODERATE, cases.WORKS_ON_CASES)
    example = {"text": "The second judge quotes a passage that is not in the text."}

    class Input(serializers.Serializer[Any]):
        """What is remarked."""

        text = serializers.CharField(max_length=LONGEST_REASON, help_text="For moderators alone.")

    class Output(serializers.Serializer[Any]):
        """On which score, by whom and when; not what, for this answer is kept to be repeated."""

        evaluation = public_id("evaluation.public_id")
        by = serializers.CharField(source="by.name")
        at = serializers.DateTimeField()

    serializer_class = Output

    def act(self, row: Evaluation, data: dict[str, Any]) -> Remark:
        return cases.remark.once(
            self.record, evaluation_id=row.pk, by=self.caller, text=data["text"], now=timezone.now()
        )


class Remarks(ListView):
    """List what moderators told each other about a score, on its case, oldest first: for those who work on cases."""

    tag, gathers, newest_first = "moderation", False, False
    access = RequiredAccess(Scope.MODERATE, cases.WORKS_ON_CASES)

    class Output(AddRemark.Output):
        """On which score, by whom, when and what; without words where they were erased."""

        text = serializers.CharField(source="note.text")

    serializer_class = Output

    def get_queryset(self) -> QuerySet[Remark]:
        evaluation = get_object_or_404(Evaluation, public_id=self.kwargs["id"], debate__in=self.debates())
        return cases.remarks_for(self.caller).filter(evaluation=evaluation)
