"""How long a refusal takes tells nothing of a secret."""

import ast
import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factories
from tests.api.clients import Api, key_for
from tests.project import source_files

pytestmark = pytest.mark.django_db
SECRET = re.compile("secret|digest|signature|token(?!s)|password|fingerprint|invitation", re.IGNORECASE)
"""Of what models read and say, tokens are counted, and these are no secret."""
ALIKE = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
NO_SECRETS = {
    "config/embedded/dump.py: key != 'password'": "the name of a setting",
    "config/profile.py: MailKind.INVITATION.value in wanted_kinds": "which mail somebody wants",
    "debates/mail/preferences.py: ':' in token": "of which kind it is",
    "debates/services/mail_delivery.py: mail.kind == MailKind.INVITATION.value": "what a mail is about",
    "debates/services/invitations.py: invitation.created_by_id == by.pk": "who made it",
    "debates/services/idempotency.py: record.digest != self.digest": "of what a caller has sent before",
    "judging/engine/creation.py: seen != digest_of(new.body)": "of what somebody filled in and was shown",
    "judging/templatetags/markdown.py: token.type == 'heading_open'": "a piece of Markdown",
    "judging/templatetags/markdown.py: token.type in {'heading_open', 'heading_close'}": "as above",
    "scoring/definitions.py: digest(definitions[name]) not in digests[name].split()": "of what the database is made of",
    "scoring/definitions.py: cursor.fetchone() in {None, (digest(FILE.read_text('utf-8')),)}": "as above",
    **{
        f"scoring/seal_proof.py: {comparison}": "of seals, to be read by everybody"
        for comparison in (
            "(own := hashing.event_digest(*event)) != bytes(digest)",
            "own == bytes(digest).hex()",
            "actual != digest",
        )
    },
    "scoring/verify.py: actual == digest": "of the ledger, to be read by everybody",
    "scoring/verify.py: hashlib.sha256((reason.salt + reason.text).encode()).hexdigest() == reason.digest": "as above",
}


def test_nothing_of_ours_compares_a_secret_with_what_somebody_sent_bit_by_bit():
    found = {
        f"{file.relative_to(source_files.ROOT)}: {ast.unparse(one)}"
        for file in source_files.code()
        if "migrations" not in file.parts
        for one in ast.walk(ast.parse(source_files.text(file)))
        if isinstance(one, ast.Compare) and isinstance(one.ops[0], ALIKE) and SECRET.search(ast.unparse(one))
    }

    assert found == set(NO_SECRETS)


def test_the_database_is_never_asked_for_the_text_of_a_key():
    text = key_for(factories.moderator())
    api = Api()

    with CaptureQueriesContext(connection) as asked:
        answers = [api.get("/subjects/", headers={"Authorization": f"Bearer {one}"}) for one in (text, text[:-1])]

    assert [answer.status_code for answer in answers] == [200, 401]
    assert any("digest" in one["sql"] for one in asked)
    assert [one["sql"] for one in asked if text[:-1] in one["sql"]] == []


def test_a_name_that_is_none_costs_as_much_work_as_a_wrong_password(monkeypatch):
    alice = factories.moderator("alice")
    alice.set_password("a long enough secret")
    alice.save()
    hashed = []
    usual = MD5PasswordHasher.encode

    def encode(self, password, salt):
        hashed.append(password)
        return usual(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    work = []
    for name in ("alice", "nobody"):
        cache.clear()
        hashed.clear()
        Client().post(reverse("account_login"), {"login": name, "password": "a wrong one"})
        work.append(len(hashed))

    assert work[0] == work[1] > 0
