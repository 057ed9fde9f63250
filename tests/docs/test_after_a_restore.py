"""What the page on restoring has an operator ask of the database before, and give to the restored one."""

import pytest
from django.contrib.auth.models import User
from django.db import connection

from debates.models import Debate, MailStop, Profile
from tests import factories
from tests.docs import blocks


@pytest.mark.django_db
def test_who_may_read_and_who_wants_no_mail_is_brought_over_from_the_database_before():
    [carried] = (block for block in blocks.of("docs/how-to/back-up.md", "sql") if "SELECT" in block)
    hidden, shown = factories.debate(), factories.debate()
    anna, ben, gone = (User.objects.create_user(name) for name in ("anna", "ben", "gone"))
    stop = MailStop.objects.create(digest="0" * 64)
    Profile.objects.create(user=anna)
    Debate.objects.filter(pk=hidden.pk).update(visibility="private", visibility_limit="unlisted")
    with connection.cursor() as cursor:
        of_the_dump = Profile.objects.get(user=anna)
        for account in (anna, ben, gone):
            Profile.objects.update_or_create(user=account, defaults={"unwanted_mail": ["turn", "invitation"]})
        cursor.execute(carried)
        statements = [statement for (statement,) in cursor.fetchall()]
        of_the_dump.save()
        Profile.objects.exclude(user=anna).delete()
        Debate.objects.filter(pk=hidden.pk).update(visibility="public", visibility_limit="")
        stop.delete()
        gone.delete()

        for statement in statements:
            cursor.execute(statement)

    assert set(Debate.objects.values_list("pk", "visibility", "visibility_limit")) == {
        (hidden.pk, "private", "unlisted"), (shown.pk, "public", ""),
    }  # fmt: skip
    assert MailStop.objects.values_list("digest").get() == ("0" * 64,)
    unwanted = dict(Profile.objects.values_list("user__username", "unwanted_mail"))
    assert unwanted == {"anna": ["turn", "invitation"], "ben": ["turn", "invitation"]}
