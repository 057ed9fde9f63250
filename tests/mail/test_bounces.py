"""Mail that came back is said to have, from the report of a mail server; and figures tell the operator."""

import io
import re
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from debates.mail import outbox
from debates.models import Mail
from debates.services import mail_delivery
from debates.types import MailKind
from tests import factories
from tests.api.clients import key_for
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
REPORT = """From: MAILER-DAEMON@mx.example.org
To: moot@example.org
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
Message-ID: <report@mx.example.org>

--b
Content-Type: text/plain

I am sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; konrad@example.org
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <konrad@example.org> unknown

--b
Content-Type: {kind}

Message-ID: <{number}@moot.example.org>{added}
Subject: Concluded

--b--
"""


@pytest.fixture
def sent(sink, send):
    person = factories.person("konrad", email="konrad@example.org")
    debate = factories.debate(status="concluded", created_by=person)
    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk], debate_id=debate.pk, now=timezone.now())
    send()
    return Mail.objects.get()


def come_back(monkeypatch, **parts):
    text = REPORT.format(**{"action": "failed", "kind": "text/rfc822-headers", "added": "", **parts})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    call_command("record_bounce", stdout=io.StringIO())


@pytest.mark.parametrize("kind", ["text/rfc822-headers", "message/rfc822"])
def test_a_mail_that_came_back_is_bounced_with_why_and_without_the_address(kind, sent, monkeypatch):
    come_back(monkeypatch, number=sent.public_id.hex, kind=kind)

    sent.refresh_from_db()
    assert (sent.state, sent.problem) == ("bounced", "5.1.1 smtp; 550 5.1.1 … unknown")


@pytest.mark.parametrize("malformed", ["<>", "<@x>", "<a@[b>"])
def test_a_malformed_number_of_another_mail_in_a_report_does_not_hide_ours(malformed, sent, monkeypatch):
    other = f"message/rfc822\n\nMessage-ID: {malformed}\nSubject: Another\n\n--b\nContent-Type: message/rfc822"

    come_back(monkeypatch, number=sent.public_id.hex, kind=other)

    sent.refresh_from_db()
    assert sent.state == "bounced"


def test_a_number_that_a_server_on_the_way_added_a_word_to_is_ours(sent, monkeypatch):
    come_back(monkeypatch, number=sent.public_id.hex, kind="message/rfc822", added=" (added by relay)")

    sent.refresh_from_db()
    assert sent.state == "bounced"


def test_a_second_report_of_a_mail_is_taken_and_changes_nothing(sent, monkeypatch):
    come_back(monkeypatch, number=sent.public_id.hex)
    before = Mail.objects.values().get()

    come_back(monkeypatch, number=sent.public_id.hex)

    assert Mail.objects.values().get() == before


def test_a_report_that_is_faster_than_what_is_written_of_its_mail_is_to_be_brought_again(monkeypatch):
    person = factories.person("konrad", email="konrad@example.org")
    debate = factories.debate(status="concluded", created_by=person)
    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk], debate_id=debate.pk, now=timezone.now())
    mail = Mail.objects.get()
    mail_delivery.claim(mail_id=mail.pk, now=timezone.now())

    with pytest.raises(CommandError, match="still being handed over") as refused:
        come_back(monkeypatch, number=mail.public_id.hex)

    assert (refused.value.returncode, Mail.objects.get().state) == (75, "sending")


def test_a_report_that_it_is_late_changes_nothing(sent, monkeypatch):
    come_back(monkeypatch, number=sent.public_id.hex, action="delayed")

    assert Mail.objects.get().state == "sent"


def test_a_report_about_no_mail_of_ours_is_refused(sent, monkeypatch):
    with pytest.raises(CommandError, match="no mail of ours"):
        come_back(monkeypatch, number="0" * 32)

    assert Mail.objects.get().state == "sent"


def test_figures_say_what_waits_and_what_went_wrong_and_rules_rest_on_them(sent, monkeypatch):
    come_back(monkeypatch, number=sent.public_id.hex)
    root = factories.moderator("root")
    outbox.due(kind=MailKind.CONCLUDED, about="2", people=[root.pk], now=timezone.now())

    key = key_for(root, scopes=["metrics"])
    figures = Client().get("/metrics", headers={"Authorization": f"Bearer {key}"}).content.decode()

    counts = dict(re.findall(r'^moot_mails\{state="(\w+)"\} (\S+)$', figures, flags=re.MULTILINE))
    assert counts == {"due": "1.0", "sending": "0.0", "uncertain": "0.0", "refused": "0.0", "bounced": "1.0"}
    assert re.search(r"^moot_mail_lag_seconds \d", figures, flags=re.MULTILINE)
    rules = Path(ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8")
    assert "moot_mail_lag_seconds >" in rules
    assert "moot_mails{state=~" in rules
