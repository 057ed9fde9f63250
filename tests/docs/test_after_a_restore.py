"""What the page on restoring has an operator ask of the database before, and give to the restored one."""

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from debates.models import Debate, MailStop, Profile
from debates.services import visibility
from debates.types import Visibility
from scoring import state_proof
from tests import factories
from tests.docs import blocks


def asked(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [line for (line,) in cursor.fetchall()]


@pytest.mark.django_db
def test_who_may_read_and_who_wants_no_mail_is_brought_over_from_the_database_before():
    of_debates, of_mail = (block for block in blocks.of("docs/how-to/back-up.md", "sql") if "SELECT" in block)
    hidden, narrowed, shown = factories.debate(), factories.debate(), factories.debate()
    anna, ben, gone = (User.objects.create_user(name) for name in ("anna", "ben", "gone"))
    Profile.objects.create(user=anna)
    dump = transaction.savepoint()
    MailStop.objects.create(digest="0" * 64)
    for account in (anna, ben, gone):
        Profile.objects.update_or_create(user=account, defaults={"unwanted_mail": ["turn", "invitation"]})
    for debate in (hidden, narrowed, factories.debate()):
        visibility.change(debate_id=debate.pk, by=None, visibility=Visibility.PRIVATE, now=timezone.now())
    Debate.objects.filter(pk=narrowed.pk).update(visibility_limit="")
    program, statements = "\n".join(asked(of_debates)), asked(of_mail)
    transaction.savepoint_rollback(dump)
    gone.delete()

    exec(program, {})  # noqa: S102 -- as the shell of the page does
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)

    assert set(Debate.objects.values_list("pk", "visibility", "visibility_limit")) == {
        (hidden.pk, "private", "private"), (narrowed.pk, "private", ""), (shown.pk, "public", ""),
    }  # fmt: skip
    assert list(state_proof.faults(None)) == []
    assert MailStop.objects.values_list("digest").get() == ("0" * 64,)
    unwanted = dict(Profile.objects.values_list("user__username", "unwanted_mail"))
    assert unwanted == {"anna": ["turn", "invitation"], "ben": ["turn", "invitation"]}
