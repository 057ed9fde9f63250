"""``manage.py record_bounce``: read the report with which a mail came back, and say so of the mail."""

import os
import re
import sys
from email import message_from_bytes, policy
from email.message import Message
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import Error
from django.utils import timezone

from debates.mail_backend import plain
from debates.management.base import BaseCommand
from debates.services import mail_delivery

OURS = re.compile(r"<([0-9a-f]{32})@[^<>\s]+>")
MOST_BYTES = 1_000_000


class Command(BaseCommand):
    help = "Mark a mail as bounced: reads the report (RFC 3464) of a mail server from standard input."
    refused = os.EX_TEMPFAIL
    """At which a mail server keeps a report and brings it again; at any other status but 0 it would be lost."""

    def handle(self, *_args: Any, **_options: Any) -> None:
        # Headers stay text: where one is read into its parts, a malformed number of another mail ends in an error.
        report = message_from_bytes(sys.stdin.buffer.read(MOST_BYTES), policy=policy.compat32)
        why = failure(report)
        if why is None:
            self.stdout.write("This report says of no mail that it failed.")
            return
        number = original(report)
        try:
            row = number and mail_delivery.bounced(public_id=number, problem=why, now=timezone.now())
        except Error as error:
            raise CommandError(f"It cannot be written down now: {error}", returncode=self.refused) from error
        if not row:
            raise CommandError("This report is about no mail of ours that was sent.")
        self.stdout.write(f"{row}: {why}")


def failure(report: Message) -> str | None:
    """Return why a mail came back; nothing where a report says no such thing."""
    for part in report.walk():
        if str(part.get("Action", "")).strip().lower() == "failed":
            return plain(f"{part.get('Status', '')} {part.get('Diagnostic-Code', '')}") or "It came back."
    return None


def original(report: Message) -> UUID | None:
    """Return the id of the mail that came back: of its headers, which stand in the report as a message or as text."""
    for part in report.walk():
        if part is not report and (match := OURS.search(str(part.get("Message-ID", "")))):
            return UUID(match[1])
        if part.get_content_type() == "text/rfc822-headers" and (match := OURS.search(str(part.get_payload()))):
            return UUID(match[1])
    return None
