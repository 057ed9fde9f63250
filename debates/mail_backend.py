"""The one way to a mail server: hands a mail over, and says what is known of it then."""

import smtplib
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend

from debates.printable import visible

PERMANENT = 500
CLOSING = 421
SIGN_IN_FIRST = 530
TOO_LONG = 552
LONGEST_PROBLEM = 200


class Handing(StrEnum):
    """How handing a mail over went. Uncertain: it was under way when the line was lost, and may have arrived."""

    TAKEN = "taken"
    LATER = "later"
    REFUSED = "refused"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Handed:
    """What is known of a mail: for all but one that was taken, with why; and whether the line is good no more."""

    handing: Handing
    problem: str = ""
    line_is_lost: bool = False


TAKEN = Handed(Handing.TAKEN)


ASKS_FOR_WORDS = 354


class _Utf8(str):
    """A name or a password of any letters: smtplib would have them in ASCII, servers take UTF-8 (RFC 4616)."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return super().encode("utf-8", errors)


class _Watched(smtplib.SMTP):
    """Remembers whether the words of a mail have begun to be sent: before that, a line that breaks has lost nothing."""

    under_way = False

    def login(self, user: str, password: str, *, initial_response_ok: bool = True) -> tuple[int, bytes]:
        return super().login(_Utf8(user), _Utf8(password), initial_response_ok=initial_response_ok)

    def auth(self, mechanism: str, authobject: Any, *, initial_response_ok: bool = True) -> tuple[int, bytes]:
        def answer(challenge: Any = None) -> Any:
            words = authobject(challenge)
            return None if words is None else _Utf8(words)

        return super().auth(mechanism, answer, initial_response_ok=initial_response_ok)

    def getreply(self) -> tuple[int, bytes]:
        """Return an answer; after 354, which asks for the words of a mail, they are sent."""
        answer = super().getreply()
        self.under_way = self.under_way or answer[0] == ASKS_FOR_WORDS
        return answer

    def data(self, msg: Any) -> tuple[int, bytes]:
        try:
            answer = super().data(msg)
        except smtplib.SMTPDataError:  # no word was taken; smtplib leaves what was begun open for the next mail
            self.under_way = False
            with suppress(smtplib.SMTPServerDisconnected):
                self.rset()
            raise
        self.under_way = False
        return answer


class _WatchedSsl(_Watched, smtplib.SMTP_SSL):
    """The same over TLS from the first byte on."""


class EmailBackend(smtp.EmailBackend):
    """Django's, over lines that remember how far they came."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _WatchedSsl if self.use_ssl else _Watched


class Unreachable(Exception):
    """There is no mail server to hand anything to; the message says why."""


def opened() -> BaseEmailBackend:
    """Return a line to the mail server.

    Raises: ``Unreachable``.
    """
    connection: BaseEmailBackend = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise Unreachable(plain(f"{type(error).__name__}: {error}")) from error
    return connection


def hand_over(connection: BaseEmailBackend, message: EmailMessage) -> Handed:
    """Hand one mail over, once, and return what is known of it."""
    line = getattr(connection, "connection", None)
    try:
        connection.send_messages([message])
    except smtplib.SMTPRecipientsRefused as error:
        [(code, answer)] = error.recipients.values()
        return _answered(code, answer)
    except smtplib.SMTPSenderRefused as error:  # this is about the site, not about the mail, but where that is too long
        permanent = Handing.REFUSED if error.smtp_code == TOO_LONG else Handing.LATER
        return _answered(error.smtp_code, error.smtp_error, permanent=permanent)
    except smtplib.SMTPResponseException as error:  # the words were not taken
        return _answered(error.smtp_code, error.smtp_error)
    except (UnicodeError, ValueError, smtplib.SMTPNotSupportedError) as error:  # no mail can be written so
        return Handed(Handing.REFUSED, plain(f"{type(error).__name__}: {error}"))
    except (OSError, smtplib.SMTPException) as error:
        lost = Handing.UNCERTAIN if getattr(line, "under_way", True) else Handing.LATER
        return Handed(lost, plain(f"{type(error).__name__}: {error}"), line_is_lost=True)
    return TAKEN


def close(connection: BaseEmailBackend) -> None:
    """End a line; the server may have ended it before."""
    with suppress(OSError, smtplib.SMTPException):
        connection.close()


def _answered(code: int, answer: bytes | str, *, permanent: Handing = Handing.REFUSED) -> Handed:
    words = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    handing = permanent if code >= PERMANENT and code != SIGN_IN_FIRST else Handing.LATER
    return Handed(handing, plain(f"{code} {words}"), line_is_lost=code == CLOSING)


def plain(text: str) -> str:
    """Return what somebody else's program said as one short line, without the addresses in it."""
    words = ("…" if "@" in word else word for word in text.split())
    return visible(" ".join(words))[:LONGEST_PROBLEM]
