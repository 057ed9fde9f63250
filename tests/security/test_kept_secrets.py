"""What is kept and secret: planted wherever one is kept, looked for in every table, and opened under a former key."""

import base64
import re
import zlib
from contextlib import suppress
from io import StringIO
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from config.management.commands import db
from debates import sealing
from debates.mail import outbox
from debates.models import Delivery, IdempotencyKey, Mail, Participant, Webhook
from debates.services import deliveries, webhooks
from debates.services.idempotency import kept_name
from debates.types import MailKind
from tests import factories, rows_in_every_table
from tests.api.clients import Api
from tests.moderators import client_of, factor_code, proved

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough secret"
CODED = re.compile(rb"[A-Za-z0-9+/_=.:-]{24,}")


def dump() -> bytes:
    """Every row of every table as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            rows += [row[0] for row in cursor.fetchall()]
    return "\n".join(rows).encode()


def readable(text: bytes) -> bytes:
    """A text with everything in it that only looks unreadable: written in base64, or packed."""
    found = [text]
    for piece in CODED.findall(text):
        for part in re.split(rb"[.:]", piece):
            with suppress(ValueError):
                plain = base64.urlsafe_b64decode(part.replace(b"+", b"-").replace(b"/", b"_") + b"=" * (-len(part) % 4))
                found.append(plain)
                with suppress(zlib.error):
                    found.append(zlib.decompress(plain))
    return b"\n".join(found)


def test_no_secret_that_is_kept_can_be_read_in_any_table(settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    alice = factories.moderator("alice")
    alice.set_password(PASSWORD)
    alice.save()
    api = Api(alice)
    rows_in_every_table.one("first")
    seat = Participant.objects.filter(kind="human", user=None).latest("pk")
    made = api.post("/webhooks/", {"url": "https://example.org/hook"}, Idempotency_Key="first").json()
    rotated = api.post(f"/webhooks/{made['id']}/rotate/", Idempotency_Key="second").json()
    invitation = api.post(f"/participants/{seat.public_id}/invite/", Idempotency_Key="third").json()
    client = proved(client_of(alice))
    client.post(
        f"/admin/debates/webhook/{Webhook.objects.latest('pk').pk}/rotate/"
    )  # its answer is told on the next page
    code, codes = totp.generate_totp_secret(), RecoveryCodes.activate(alice)
    totp.TOTP.activate(alice, code)
    told = client.session["_messages"]
    secrets = [
        made["secret"], rotated["secret"], *(value for value in invitation.values() if len(str(value)) > 30), code,
        *codes.generate_codes(), *re.findall(r"whsec_[A-Za-z0-9+/=]+", str(told)), PASSWORD,
        api.headers["Authorization"].split()[1],
    ]  # fmt: skip

    kept = readable(dump())

    assert len(secrets) > 16
    assert {row.key for row in IdempotencyKey.objects.all() if row.body} >= {
        kept_name(name) for name in ("first", "second", "third")
    }
    assert b"https://example.org/hook" in kept
    assert [secret for secret in secrets if secret.encode() in kept] == []


def test_a_message_that_tells_a_secret_travels_in_no_cookie():
    alice = factories.moderator("alice")
    webhook, _ = webhooks.register(owner=alice, url="https://example.org/hook", now=timezone.now())
    client = client_of(alice)
    proved(client)

    answer = client.post(f"/admin/debates/webhook/{webhook.pk}/rotate/")
    page = client.get(answer.headers["Location"]).content.decode()

    assert set(answer.cookies) <= {"sessionid", "csrftoken"}
    webhook.refresh_from_db()
    assert webhook.secret in page.replace("&#x2B;", "+")


def test_a_repeated_request_is_answered_with_what_was_kept_sealed():
    api = Api(factories.moderator("alice"))

    first, again = (api.post("/webhooks/", {"url": "https://example.org/"}, Idempotency_Key="one") for _ in range(2))

    assert first.json()["secret"].startswith("whsec_")
    assert first.json() == again.json()


def planted(user) -> str:
    webhooks.register(owner=user, url="https://example.org/hook", now=timezone.now())
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def test_what_was_sealed_opens_under_the_former_key_and_is_sealed_anew_by_the_command(settings):
    alice = factories.person("alice", permissions=["debates.add_webhook"])
    secret = planted(alice)
    before = Webhook.objects.get().secret
    settings.MAIL_IS_SENT = True
    outbox.due(
        kind=MailKind.INVITATION,
        about=uuid4(),
        address="nora@example.org",
        secret="/invitations/n/",
        now=timezone.now(),
    )
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, [settings.SECRET_KEY]
    out = StringIO()

    call_command("reseal", stdout=out)
    settings.SECRET_KEY_FALLBACKS = []

    assert out.getvalue() == "Sealed anew: 1 webhooks, 2 second factors, 1 mails that wait.\n"
    assert Mail.objects.get().secret == "/invitations/n/"
    assert Webhook.objects.get().secret == before
    factor = Authenticator.objects.get(type="totp")
    assert factor.wrap().validate_code(factor_code(secret))
    assert len(RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()) == 10


def test_a_restore_says_how_many_secrets_the_key_of_the_site_does_not_open(settings):
    planted(factories.moderator("alice"))
    former = settings.SECRET_KEY

    with_the_key = db.unopened()
    settings.SECRET_KEY = "another" * 10
    without = db.unopened()
    settings.SECRET_KEY_FALLBACKS = [former]

    assert (with_the_key, db.unopened()) == ("", "")
    assert without.startswith(" 2 second factors and the secrets of 1 webhooks do not open: name the SECRET_KEY ")


def test_without_the_former_key_nothing_is_sealed_anew_nothing_is_sent_and_no_code_fits(settings):
    alice = factories.moderator("alice")
    secret = planted(alice)
    rows_in_every_table.told_outside(rows_in_every_table.one("first"), alice)
    Delivery.objects.update(due_at=timezone.now())
    settings.SECRET_KEY = "another" * 10

    with pytest.raises(CommandError, match=r"SECRET_KEY_FALLBACKS; if it is lost, .* `rotate/` .* or delete it"):
        call_command("reseal")
    claimed = [deliveries.claim(webhook_id=hook.pk, most=9, now=timezone.now()) for hook in Webhook.objects.all()]

    assert [parcel for bundle in claimed for parcel in bundle.parcels] == []
    assert {(row.state, row.attempts) for row in Delivery.objects.filter(settled_at=None)} == {("waiting", 0)}
    factor = Authenticator.objects.get(type="totp").wrap()
    assert not factor.validate_code(factor_code(secret))
    assert not factor.validate_code(factor_code(""))


def test_what_is_sealed_twice_never_looks_the_same_and_nothing_stays_nothing():
    assert len({sealing.seal("words", purpose="cursor") for _ in range(2)}) == 2
    assert (sealing.seal("", purpose="cursor"), sealing.opened("", purpose="cursor")) == ("", "")


@pytest.mark.parametrize("sealed", ["", "gAAAAbroken", "ü", "words"])
def test_what_is_not_sealed_is_said_to_be_so(sealed):
    assert sealing.opened(sealed, purpose="cursor") == ""
    with pytest.raises(sealing.NotSealed):
        sealing.unseal(sealed, purpose="cursor")


def every_purpose() -> list[str]:
    fields = (field for model in apps.get_models() for field in model._meta.get_fields())
    return [*sealing.Purpose, *(field.purpose for field in fields if isinstance(field, sealing.SealedField))]


def test_what_is_sealed_for_one_purpose_is_never_taken_for_another(settings):
    purposes = every_purpose()
    sealed = {purpose: sealing.seal("words", purpose=purpose) for purpose in purposes}
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, [settings.SECRET_KEY]

    opens = {
        (purpose, other) for purpose in purposes for other in purposes if sealing.opened(sealed[other], purpose=purpose)
    }

    assert len(set(purposes)) == len(purposes) == 7
    assert opens == {(purpose, purpose) for purpose in purposes}


def test_a_kept_answer_that_is_written_over_another_column_is_nothing_there():
    alice = factories.moderator("alice")
    webhook, _ = webhooks.register(owner=alice, url="https://example.org/hook", now=timezone.now())
    IdempotencyKey.objects.create(owner=alice, key="a" * 64, digest="d", status=200, body="words")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE debates_webhook SET secret = (SELECT body FROM debates_idempotencykey)")

    webhook.refresh_from_db()
    assert webhook.secret == ""
