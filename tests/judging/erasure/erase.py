"""Erasing in tests: the words of a debate that are looked for afterwards, and where."""

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from debates.models import Debate, Participant, Turn
from judging.engine import erasure
from judging.engine.erasure import Order
from scoring.models import Erasure
from tests import factories

WHY = "The person has asked for it."
CANARY = "Zanzibar"


def everything(*, but: str = "") -> str:
    """Whatever the database holds, as text."""
    found = []
    with connection.cursor() as cursor:
        for table in set(connection.introspection.table_names(cursor)) - {but}:
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')
            found += [row for (row,) in cursor.fetchall()]
    return "\n".join(found)


def erase(target: Debate | Participant | User, by: User) -> Erasure:
    return erasure.erase(order=Order(target=target, by=by, reason=WHY))


def chair(of: Debate, name: str, user: User | None = None) -> Participant:
    """Somebody who sits in a debate and has a score of their own."""
    return Participant.objects.create(debate=of, role="chair", kind="human", name=name, user=user, position=7)


@transaction.atomic
def seated(name: str, user: User | None = None, **options: str) -> Participant:
    """Somebody who sits in a debate that is created with them."""
    return chair(factories.debate(**options), name, user)


def says(who: Participant, text: str) -> Turn:
    return Turn.objects.create(
        debate=who.debate, participant=who, kind="response", slot=f"turn {who.pk}", text=text, at=timezone.now()
    )
