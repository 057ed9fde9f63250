"""Debates to record rounds in: ``python -m benchmarks.recording.seed CLIENTS ACCOUNTS`` prints their ids."""

import os
import sys
import uuid


def debate(accounts: int) -> int:
    """Start a debate of so many criteria, each with three challenges put, and nothing else said."""
    from django.utils import timezone

    from debates.models import Round, Turn
    from judging.models import Challenge
    from tests import playing

    started = playing.debate([], criteria=[f"K{number}" for number in range(1, accounts + 1)], rounds=3)
    challenger = started.participants.get(role="challenger")
    for thread in started.threads.all():
        thread.status = "playing"
        thread.save(update_fields=["status"])
        first = Round.objects.create(thread=thread, run_number=1, number=1, opened_at=timezone.now())
        about = {"debate": started, "thread": thread, "round": first, "participant": challenger, "kind": "challenge"}
        for label in ("C1", "C2", "C3"):
            turn = Turn.objects.create(
                **about, public_id=uuid.uuid4(), slot=f"challenge:{label}", text="Why?", at=timezone.now()
            )
            Challenge.objects.create(
                thread=thread, run_number=1, label=label, persona="skeptic", severity="significant", turn=turn
            )
    return int(started.pk)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    clients, accounts = (int(word) for word in sys.argv[1:])
    sys.stdout.write(" ".join(str(debate(accounts)) for _ in range(clients)))


if __name__ == "__main__":
    main()
