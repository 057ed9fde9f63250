"""One debate of ten scores with ten entries each, to be multiplied: ``python -m benchmarks.listing.seed``."""

import os
import sys

SCORES = 10


def moderated(score: object, alice: object) -> None:
    """Bring a score to its tenth entry: three rounds, an override lifted again, a round, and three more by a person."""
    from django.utils import timezone

    from tests import acts, factories

    now = timezone.now()
    for adjustments in (("1", "-0.5"), ("0.25",), ("-1",)):
        factories.count(score, *adjustments)
    acts.override(order=factories.order(score, alice), value="8", now=now)
    acts.lift(order=factories.order(score, alice), now=now)
    factories.count(score, "0.75")
    acts.strike(order=factories.order(score, alice), facts=score.basis[:1], now=now)
    acts.roll_back(order=factories.order(score, alice), target=3, now=now)
    acts.override(order=factories.order(score, alice), value="7.5", now=now)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from scoring.models import Alert, ScoreChange
    from tests import factories

    alice, debate = factories.moderator(), factories.debate()
    for number in range(1, SCORES + 1):
        moderated(factories.criterion(debate, key=f"K{number}"), alice)
    for score in debate.evaluations.all():
        Alert.objects.get_or_create(
            debate=debate, evaluation=score, code="judge_failed", severity="critical", evidence={}, facts_digest="x"
        )
    assert ScoreChange.objects.count() == SCORES * 10
    sys.stdout.write(f"{debate.pk}\n")


if __name__ == "__main__":
    main()
