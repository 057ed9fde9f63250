"""A mail as it is handed over: text and HTML, to one person, with the headers by which it can be told and stopped."""

import json
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.core.validators import validate_email
from django.template.loader import render_to_string

from debates.absolute_urls import host, whole
from debates.mail import preferences
from debates.mail.texts import Unopened, Withdrawn, words_of
from debates.models import Mail
from debates.types import MailKind


def message(mail: Mail, *, now: datetime) -> EmailMultiAlternatives:
    """Return a mail with its words.

    Raises: ``Withdrawn`` where there is nothing to say, nobody to say it to, or they want no such mail.
    """
    if mail.kind == MailKind.ACCOUNT.value:
        return about_account(mail, now=now)
    to = recipient(mail)
    stop = whole("stop-mail", preferences.token(mail), mail.kind)
    words = words_of(mail, now=now)
    values = {"words": words, "stop": stop}
    headers = {
        **headers_of(mail),
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    text, html = (render_to_string(f"mail/message.{kind}", values) for kind in ("txt", "html"))
    subject = words.subject.replace("=?", "= ?")  # else a reader decodes it: line breaks and all (RFC 2047)
    mail_message = EmailMultiAlternatives(subject, text, to=[to], headers=headers)
    mail_message.attach_alternative(html, "text/html")
    return mail_message


def about_account(mail: Mail, *, now: datetime) -> EmailMultiAlternatives:
    """Return a mail that somebody asked for about an account, with the words that were sealed when they asked.

    Raises: ``Withdrawn`` where the link in it is good no more, ``Unopened`` where it cannot be opened.
    """
    if not mail.secret:
        raise Unopened("Its words cannot be opened.")
    subject, text, good_for = json.loads(mail.secret)
    if now > mail.created_at + timedelta(seconds=good_for):
        raise Withdrawn("Its link is over.")
    return EmailMultiAlternatives(subject, text, to=[mail.address], headers=headers_of(mail))


def headers_of(mail: Mail) -> dict[str, str]:
    return {
        "Message-ID": f"<{mail.public_id.hex}@{host()}>",  # the same at each attempt: receivers know it again
        "Auto-Submitted": "auto-generated",
    }


def recipient(mail: Mail) -> str:
    """Return the one address that a mail goes to.

    Raises: ``Withdrawn``.
    """
    if mail.person is not None and not mail.person.is_active:
        raise Withdrawn("The account is closed.")
    if not preferences.is_wanted(mail):
        raise Withdrawn("The person wants no such mail.")
    address = mail.person.email if mail.person is not None else mail.address
    try:
        validate_email(address)
    except ValidationError as error:
        raise Withdrawn("The person has no mail address.") from error
    return address
