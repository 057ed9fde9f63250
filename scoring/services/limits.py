"""How far one person may move a score alone, and the refusals that ask for a second."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings

from scoring import selectors
from scoring.errors import NeedsSecondPerson
from scoring.models import Evaluation
from scoring.services.entries import text


def needs_second_person(*, evaluation: Evaluation, wanted: Decimal) -> bool:
    """Say whether an override is so large, alone or with those before it, that a second person has to approve it.

    Source: docs/reference/moderation.md, "A second person".
    """
    limit = settings.SECOND_PERSON_FROM
    if limit is None:
        return False
    return any(abs(wanted - one) >= limit for one in (evaluation.value, selectors.agreed_value(evaluation=evaluation)))


def may_override_alone(*, evaluation: Evaluation, wanted: Decimal) -> None:
    """Refuse an override that a second person has to approve.

    Raises: ``NeedsSecondPerson``.
    """
    if needs_second_person(evaluation=evaluation, wanted=wanted):
        raise NeedsSecondPerson(
            f"{evaluation} would go from {text(evaluation.value)} to {text(wanted)}. Overrides of"
            f" {text(settings.SECOND_PERSON_FROM)} points or more, alone or together with earlier ones that nobody has"
            " approved, wait for a second person: ask for approval."
        )


def may_bring_back_alone(*, evaluation: Evaluation, override: Decimal | None) -> None:
    """Refuse to bring an override back by rollback where setting it by hand would need a second person.

    Raises: ``NeedsSecondPerson``.
    """
    if override is None or override == evaluation.override_score:
        return
    if needs_second_person(evaluation=evaluation, wanted=override):
        raise NeedsSecondPerson(
            f"Going back there would bring back the override {text(override)}; {evaluation} is at"
            f" {text(evaluation.value)}. Overrides of {text(settings.SECOND_PERSON_FROM)} points or more wait for a"
            " second person: ask for that override itself, and go back once it is approved."
        )
