"""What a kill test of mail does inside the database: people with mail that is due, and what became of it."""

import json
import sys
from collections import Counter
from typing import Any


def write(mails: int, people: int) -> dict[str, Any]:
    """Have people written to, each about several debates."""
    from django.contrib.auth.models import User
    from django.db import transaction
    from django.utils import timezone

    from debates.mail import outbox
    from debates.types import MailKind
    from tests import factories

    now = timezone.now()
    users = [
        User.objects.create_user(f"person-{number}", email=f"person-{number}@example.org") for number in range(people)
    ]
    for number in range(mails // people):
        debate = factories.debate(status="concluded", title=f"Debate {number}")
        with transaction.atomic():
            about = {"people": [user.pk for user in users], "debate_id": debate.pk, "now": now}
            outbox.due(kind=MailKind.CONCLUDED, about=debate.public_id, **about)
    return {"written": mails}


def report() -> dict[str, Any]:
    """Say what became of each mail, by the id it carries outside."""
    from debates.models import Mail

    rows = list(Mail.objects.values_list("public_id", "state"))
    return {"states": dict(Counter(state for _, state in rows)), "mails": {key.hex: state for key, state in rows}}


def perform(name: str, *words: str) -> None:
    acts = {"write": write, "report": report}
    sys.stdout.write(json.dumps(acts[name](*(json.loads(word) for word in words))))
