"""Seats: inviting somebody to speak in a debate, taking the seat, and speaking."""

import json
from typing import Any

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api import serializers as api_serializers
from debates.api.fields import NUMBER, Choice, Number, words
from debates.api.resources import TURNS, ParticipantView
from debates.api.views import V1, ActionView, WriteView
from debates.decimals import in_places
from debates.errors import NotFound
from debates.models import AwaitedTurn, Ballot, Participant, Turn
from debates.services import rights, seats
from debates.types import BALLOTS
from judging.engine import ballots, human_turns
from judging.rules import frameworks
from judging.rules.consensus import Confidence
from judging.types import Bench, Gap, Material, Position, Purpose, ResponseBench, Winner
from scoring.api.moderation import ReasonSerializer
from scoring.rules.numbers import half_up

BALLOT: dict[str, Any] = {
    "criteria": [
        {
            "criterion": "correctness",
            "score": "3.5",
            "reasoning": "It answers, but nothing limits how long an answer is kept.",
            "quotes": ["return kept[key]"],
            "improvement": "Let answers go after an hour.",
        },
        {"criterion": "design", "score": "4", "reasoning": "It is small, and says what it does.", "quotes": []},
    ],
    "strengths": ["It is short."],
    "weaknesses": ["It may serve what is stale."],
}
"""An example of what is sent."""


class Invite(ParticipantView, ActionView):
    """Make an invitation to a free seat: a text that is good once, for seven days. Those before it are good no more."""

    answers = status.HTTP_201_CREATED

    class Output(serializers.Serializer[Any]):
        """The invitation; whoever has it may take the seat."""

        invitation = serializers.CharField()

    serializer_class = Output

    def check_object_permissions(self, request: Request, obj: Participant) -> None:
        """Its debate's creator may, and whoever may change debates."""
        rights.may_conduct(by=self.caller, debate=obj.debate)

    def act(self, row: Participant, data: dict[str, Any]) -> str:
        return seats.invite.once(self.record, participant_id=row.pk, by=self.caller)

    def answer(self, result: str) -> Response:
        return self.respond({"invitation": result})

    def location(self, data: Any) -> str:
        """Return the address of the page on which a person takes the seat."""
        return reverse("take-seat", args=[data["invitation"]])


class ReplaceJudge(ParticipantView, ActionView):
    """Replace a judge who is no engine before they report: the answer is the free seat in their place.

    A ballot that they gave is struck; it stays, and counts no more. Everybody who is awaited has the whole time anew.
    """

    answers = status.HTTP_201_CREATED
    Input = ReasonSerializer
    example = {"reason": "She reviewed the author's last paper."}

    def check_object_permissions(self, request: Request, obj: Participant) -> None:
        """Whoever conducts the debate may, and whoever may strike what judges gave."""
        rights.may_moderate(by=self.caller, debates=[obj.debate_id])
        if not rights.conducts(by=self.caller, debate=obj.debate):
            rights.permitted(by=self.caller, permission=ballots.STRIKES)

    def act(self, row: Participant, data: dict[str, Any]) -> Participant:
        return ballots.replace_judge.once(
            self.record, participant_id=row.pk, by=self.caller, now=timezone.now(), **data
        )

    def answer(self, result: Participant) -> Response:
        return self.respond(Participant.objects.select_related("debate", "replacement").get(pk=result.pk))


class Speak(ActionView):
    """Take an awaited turn, as who sits there: until its deadline, once. Saying the same again changes nothing.

    It is judged like any other. What was written for one turn cannot land in another: its id is the version that
    `If-Match` names elsewhere.
    """

    tag, answers, serializer_class = "turns", status.HTTP_201_CREATED, api_serializers.TurnSerializer
    queryset, debate_field = AwaitedTurn.objects.select_related("participant"), "round__thread__debate"
    example = {"text": "I grant that masks are a burden, and still hold that the ward comes first."}

    class Input(serializers.Serializer[Any]):
        """What is said."""

        text = serializers.CharField(
            max_length=32_000,
            trim_whitespace=False,
            error_messages={"max_length": "There must be at most 8,000 characters, without blanks around them."},
            help_text="10 to 8,000 characters, without blanks around them.",
        )

    def check_object_permissions(self, request: Request, obj: AwaitedTurn) -> None:
        """Only who sits there may, whatever else somebody may do."""
        human_turns.own_seat(seat_id=obj.participant_id, by=self.caller)

    def act(self, row: AwaitedTurn, data: dict[str, Any]) -> Turn:
        return human_turns.speak.once(
            self.record,
            seat_id=row.participant_id,
            by=self.caller,
            text=data["text"],
            awaited=row.public_id,
            now=timezone.now(),
        )

    def answer(self, result: Turn) -> Response:
        return self.respond(Turn.objects.select_related(*TURNS).get(pk=result.pk))


class OpinionSerializer(serializers.Serializer[Any]):
    """What a judge gives one criterion so far, and why."""

    criterion = serializers.CharField(source="code")
    score = serializers.DecimalField(max_digits=10, decimal_places=2)
    reasoning = serializers.CharField()
    quotes = serializers.ListField(child=serializers.CharField())


class StandSerializer(serializers.Serializer[Any]):
    """Where a judge stands after the rounds that are closed."""

    judge = serializers.CharField()
    overall = serializers.DecimalField(max_digits=10, decimal_places=6)
    opinions = OpinionSerializer(many=True)


class ShareField(serializers.DecimalField):
    """A part of the whole, which is exact, in four places."""

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(half_up(value, places=4))


class ItemSerializer(serializers.Serializer[Any]):
    """A criterion with what a high and a low score mean, and its share of the whole."""

    code = serializers.CharField()
    name = serializers.CharField()
    question = serializers.CharField()
    high = serializers.CharField()
    low = serializers.CharField()
    share = ShareField(max_digits=10, decimal_places=4)


class GapSerializer(serializers.Serializer[Any]):
    """A criterion to argue about, and with whom: the farthest first."""

    criterion = serializers.CharField(source="code")
    own_score = serializers.DecimalField(max_digits=10, decimal_places=2)
    others = serializers.SerializerMethodField()

    @extend_schema_field(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"judge": {"type": "string"}, "score": NUMBER},
                "required": ["judge", "score"],
            },
        }
    )
    def get_others(self, gap: Gap) -> list[dict[str, str]]:
        return [{"judge": judge, "score": in_places(score)} for judge, score in gap.opponents]


class BenchSerializer(serializers.Serializer[Any]):
    """What a judge has before them, as a model has it: of the others nothing before all have judged alone."""

    title = serializers.CharField()
    subject = serializers.CharField()
    task = serializers.CharField()
    judge = serializers.CharField()
    round = serializers.IntegerField(help_text="0: everybody judges alone.")
    rounds = serializers.IntegerField()
    criteria = ItemSerializer(many=True, source="items")
    own = StandSerializer(allow_null=True)
    others = StandSerializer(many=True)
    disagreements = GapSerializer(many=True, source="gaps")
    confidence = serializers.ChoiceField(
        choices=[word.value for word in Confidence], help_text="Of what one says how sure one is, from 0 to 1."
    )


class SaidSerializer(serializers.Serializer[Any]):
    """Words on a challenge: who said them, in which round."""

    round = serializers.IntegerField()
    by = serializers.CharField()
    text = serializers.CharField()

    def to_representation(self, instance: Any) -> Any:
        return super().to_representation(dict(zip(("round", "by", "text"), instance, strict=True)))


class EarlierRulingSerializer(serializers.Serializer[Any]):
    """What was ruled on an exchange in an earlier round; it does not count again."""

    round = serializers.IntegerField()
    winner = words(Winner)
    adjustment = serializers.DecimalField(max_digits=4, decimal_places=2)
    reasoning = serializers.CharField()


class ExchangeSerializer(serializers.Serializer[Any]):
    """A challenge with what was said about it, oldest first, to be ruled on."""

    challenge = serializers.CharField(source="label")
    persona = serializers.CharField()
    severity = serializers.CharField()
    quote = serializers.CharField()
    said = SaidSerializer(many=True)
    reply = serializers.CharField()
    rulings = EarlierRulingSerializer(many=True)


class RulingBenchSerializer(serializers.Serializer[Any]):
    """What an arbiter rules on in one round: every exchange that was answered."""

    title = serializers.CharField(source="subject_title")
    subject = serializers.CharField()
    criterion = serializers.CharField(source="criterion.code")
    question = serializers.CharField(source="criterion.question")
    high = serializers.CharField(source="criterion.high")
    low = serializers.CharField(source="criterion.low")
    round = serializers.IntegerField()
    rounds = serializers.IntegerField()
    initial_score = serializers.DecimalField(max_digits=10, decimal_places=2)
    score = serializers.DecimalField(max_digits=10, decimal_places=2)
    exchanges = ExchangeSerializer(many=True)


class UtteranceSerializer(serializers.Serializer[Any]):
    """Something that was said before."""

    speaker = serializers.CharField()
    kind = serializers.CharField()
    exchange = serializers.IntegerField()
    text = serializers.CharField()


class FrameworkSerializer(serializers.Serializer[Any]):
    """A way of arguing: what it argues from and asks, what it is good at, and what it must admit."""

    name = serializers.CharField()
    gist = serializers.CharField()
    question = serializers.CharField()
    strengths = serializers.ListField(child=serializers.CharField())
    blind_spots = serializers.ListField(child=serializers.CharField())


class PositionSerializer(serializers.Serializer[Any]):
    """Where somebody at the table stands, and from what they argue, if it is from a framework."""

    name = serializers.CharField()
    side = serializers.CharField(help_text="Whom they speak for, where there are sides.")
    stance = Number()
    conviction = Number()
    framework = serializers.SerializerMethodField()

    @extend_schema_field(FrameworkSerializer(allow_null=True))
    def get_framework(self, position: Position) -> Any:
        own = frameworks.frameworks().get(position.framework)
        return FrameworkSerializer(own).data if own else None


class ResponseBenchSerializer(serializers.Serializer[Any]):
    """What a judge of responses has before them: `purpose` says what is judged of it."""

    purpose = Choice(choices=[Purpose.EVALUATE.value, Purpose.INFLUENCE.value])
    motion = serializers.CharField(source="scene.motion")
    speaker = serializers.CharField(source="scene.speaker")
    exchange = serializers.IntegerField(source="scene.exchange")
    exchanges = serializers.IntegerField(source="scene.exchanges")
    response = serializers.CharField(source="scene.response")
    said = UtteranceSerializer(many=True, source="scene.said")
    listeners = serializers.ListField(
        child=serializers.CharField(), help_text="Whom it may move, where that is judged."
    )
    positions = PositionSerializer(many=True, help_text="Of the speaker, and then of the listeners.")


class BallotPaperSerializer(serializers.Serializer[Any]):
    """A ballot that is awaited, for who gives it: what is judged, and what they gave, if they did.

    Of `bench`, `ruling` and `response` the one is there that the ballot is about; nothing, once it is given, or is
    awaited no more.
    """

    awaited = serializers.UUIDField(source="awaited.public_id")
    deadline = serializers.DateTimeField(source="awaited.deadline")
    bench = serializers.SerializerMethodField(help_text="In a panel.")
    ruling = serializers.SerializerMethodField(help_text="Exchanges about a criterion.")
    response = serializers.SerializerMethodField(help_text="A response of an open debate.")
    given = serializers.SerializerMethodField()

    @extend_schema_field(BenchSerializer(allow_null=True))
    def get_bench(self, paper: ballots.BallotPaper) -> Any:
        return BenchSerializer(paper.bench).data if isinstance(paper.bench, Bench) else None

    @extend_schema_field(RulingBenchSerializer(allow_null=True))
    def get_ruling(self, paper: ballots.BallotPaper) -> Any:
        return RulingBenchSerializer(paper.bench).data if isinstance(paper.bench, Material) else None

    @extend_schema_field(ResponseBenchSerializer(allow_null=True))
    def get_response(self, paper: ballots.BallotPaper) -> Any:
        return ResponseBenchSerializer(paper.bench).data if isinstance(paper.bench, ResponseBench) else None

    @extend_schema_field({"type": ["object", "null"], "additionalProperties": True})
    def get_given(self, paper: ballots.BallotPaper) -> Any:
        return json.loads(paper.given.answer) if paper.given and paper.given.answer else None


class BallotSerializer(serializers.Serializer[Any]):
    """A ballot that was given. What it says is sealed until it counts: as a report, a ruling, or marks."""

    id = api_serializers.public_id()
    awaited = serializers.UUIDField()
    participant = api_serializers.public_id("participant.public_id")
    number = serializers.IntegerField(help_text="Which version it is: every one is kept, and the last one counts.")
    at = serializers.DateTimeField()


class GiveBallot(ActionView):
    """Give the ballot of one's seat, until its deadline, once, or amended where the policy lets.

    The same again changes nothing.

    `answer` is what a model answers, and is read by the same reader: of panels `docs/reference/panels.md`, of rulings
    `docs/reference/debates.md`, of judgements of responses `docs/reference/open-debates.md`. Nobody but its author
    reads it, or hears of it, before it counts.
    """

    tag, answers = "turns", status.HTTP_201_CREATED
    queryset, debate_field = AwaitedTurn.objects.select_related("participant"), "round__thread__debate"
    example = {"answer": BALLOT}

    class Input(serializers.Serializer[Any]):
        """What is given."""

        answer = serializers.DictField(help_text="An object, as a model answers.")

    def get_serializer_class(self) -> Any:
        return BallotPaperSerializer if self.request is None or self.request.method == "GET" else BallotSerializer

    def check_object_permissions(self, request: Request, obj: AwaitedTurn) -> None:
        """Only who sits there may, whatever else somebody may do."""
        human_turns.own_seat(seat_id=obj.participant_id, by=self.caller)

    @extend_schema(operation_id="ballot_paper")
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Read what is judged from one's seat, and the ballot that one gave.

        It is for who sits there alone.
        """
        row = self.get_object()
        if row.kind not in BALLOTS:
            raise NotFound("From this seat one speaks: there is no ballot.")
        paper = ballots.paper(seat=row.participant, awaited=row.public_id)
        return Response(BallotPaperSerializer(paper).data)

    def act(self, row: AwaitedTurn, data: dict[str, Any]) -> Ballot:
        return ballots.give.once(
            self.record,
            seat_id=row.participant_id,
            by=self.caller,
            answer=json.dumps(data["answer"], ensure_ascii=False, default=str, sort_keys=True),
            awaited=row.public_id,
            now=timezone.now(),
        )

    def answer(self, result: Ballot) -> Response:
        row = Ballot.objects.select_related("participant").get(pk=result.pk)
        row.awaited = self.kwargs["id"]  # type: ignore[attr-defined]  # which turn it was given in
        return self.respond(row)

    def location(self, data: Any) -> str:
        """Return the address at which its author reads it."""
        return f"{V1}/awaited-turns/{data['awaited']}/ballot/"


class TakeSeat(WriteView):
    """Take a seat with an invitation: from now on it is bound to whoever asks, and to their keys."""

    tag, serializer_class = "participants", api_serializers.ParticipantSerializer
    example = {"invitation": "..."}

    class Input(serializers.Serializer[Any]):
        """The invitation."""

        invitation = serializers.CharField(max_length=400)

    def act(self, row: None, data: dict[str, Any]) -> Participant:
        return seats.take.once(self.record, invitation=data["invitation"], by=self.person)

    def answer(self, result: Participant) -> Response:
        return self.respond(Participant.objects.select_related("debate", "replacement").get(pk=result.pk))
