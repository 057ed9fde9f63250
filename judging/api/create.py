"""Creating a debate, of whichever format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import status
from rest_framework.exceptions import ValidationError

from debates.api.views import Act
from debates.models import Debate
from debates.types import Format
from judging.formats.criterion import api as criterion_api
from judging.formats.forms import Created, Form, Wish
from judging.formats.open import api as open_form
from judging.formats.panel import api as panel_api

FORMS: Mapping[str, Form] = {
    Format.CRITERION.value: criterion_api.FORM,
    Format.OPEN.value: open_form.FORM,
    Format.PANEL.value: panel_api.FORM,
}
"""How each format is asked for. A body that names none asks for a criterion debate."""


class CreateDebate(Act):
    """Create a draft of a debate. Everything is checked before anything is written; nothing is played yet.

    `format` says of which kind: without it a criterion debate. With `conducted_by: external` a criterion debate is
    played elsewhere: give every criterion's initial score, start it, post rounds.
    """

    tag, permission, answers = "debates", "debates.add_debate", status.HTTP_201_CREATED
    Output = Created
    Input = PolymorphicProxySerializer(
        component_name="CreateDebateInput",
        serializers=[form.shape for form in FORMS.values()],
        resource_type_field_name=None,
    )
    examples = {name: form.example for name, form in FORMS.items()}

    def shape_of(self, data: Mapping[str, Any]) -> Any:
        """Return the shape of a body by the format that it names.

        Raises: ``ValidationError``.
        """
        return FORMS[format_of(data)].shape

    def act(self, row: Any, given: dict[str, Any]) -> Debate:
        """Create it."""
        wish = Wish(given=given, by=self.person, readable=self.debates(), now=timezone.now())
        made = FORMS[given["format"]].create(wish)
        return Debate.objects.select_related("subject", "head", "repeat_of").get(pk=made.pk)


def format_of(data: Mapping[str, Any]) -> str:
    """Return the format that a body names.

    Raises: ``ValidationError``.
    """
    named = data.get("format", Format.CRITERION.value)
    if not isinstance(named, str) or named not in FORMS:
        raise ValidationError({"format": [f"It must be one of {', '.join(FORMS)}."]})
    return named
