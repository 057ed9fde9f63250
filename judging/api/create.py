"""Creating a debate, of whichever format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from debates.api import serializers as api_serializers
from debates.api.fields import Number
from debates.api.views import Act
from debates.models import Debate
from debates.types import Conduct
from judging.engine.creation import create_draft
from judging.formats.registry import DEFAULT, FORMATS, format_of


class Cost(serializers.Serializer[Any]):
    """What a debate costs at most, and what its fairness options add to that.

    Tokens and money go by earlier calls of the same judge; null where there were none.
    """

    calls = serializers.IntegerField()
    extra_calls = serializers.IntegerField()
    extra_tokens = serializers.IntegerField(allow_null=True)
    extra_money = Number(allow_null=True)


class Created(api_serializers.Debate):
    """A new debate with what it will cost; null where it is conducted elsewhere."""

    cost = serializers.SerializerMethodField()

    @extend_schema_field(Cost(allow_null=True))
    def get_cost(self, row: Debate) -> Any:
        """Return what it will cost."""
        here = row.conducted_by == Conduct.ENGINE.value
        return Cost(format_of(row.format).cost(debate=row)).data if here else None


class CreateDebate(Act):
    """Create a draft of a debate. Everything is checked before anything is written; nothing is played yet.

    `format` says of which kind: without it a criterion debate. With `conducted_by: external` a criterion debate is
    played elsewhere: give every criterion's initial score, start it, post rounds.
    """

    tag, permission, answers = "debates", "debates.add_debate", status.HTTP_201_CREATED
    Output = Created
    Input = PolymorphicProxySerializer(
        component_name="CreateDebateInput",
        serializers=[format_.serializer for format_ in FORMATS.values()],
        resource_type_field_name=None,
    )
    examples = {name: format_.example for name, format_ in FORMATS.items()}

    def shape_of(self, data: Mapping[str, Any]) -> Any:
        """Return the shape of a body by the format that it names.

        Raises: ``ValidationError``.
        """
        return format_of(format_named(data)).serializer

    def act(self, row: Any, given: dict[str, Any]) -> Debate:
        spec = format_of(given["format"]).spec_of(given=given, readable=self.debates())
        return create_draft.once(self.record, spec=spec, by=self.person, now=timezone.now())

    def answer(self, done: Debate) -> Response:
        return self.shown(Debate.objects.select_related("subject", "head", "repeat_of").get(pk=done.pk))


def format_named(data: Mapping[str, Any]) -> str:
    """Return the format that a body names.

    Raises: ``ValidationError``.
    """
    named = data.get("format", DEFAULT)
    if not isinstance(named, str) or named not in FORMATS:
        raise ValidationError({"format": [f"It must be one of {', '.join(FORMATS)}."]})
    return named
