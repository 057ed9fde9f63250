"""Where mail goes: ``EMAIL_URL`` as Django's own settings. Free of Django, so that settings can read it."""

from collections.abc import Mapping
from email.headerregistry import Address
from email.utils import getaddresses
from typing import Any
from urllib.parse import unquote, urlsplit

SMTP = "debates.mail_backend.EmailBackend"
CONSOLE = "django.core.mail.backends.console.EmailBackend"
FILES = "django.core.mail.backends.filebased.EmailBackend"
SCHEMES: Mapping[str, dict[str, Any]] = {
    "smtp": {"EMAIL_PORT": 25},
    "smtp+tls": {"EMAIL_PORT": 587, "EMAIL_USE_TLS": True},
    "smtps": {"EMAIL_PORT": 465, "EMAIL_USE_SSL": True},
}
KINDS = "smtp://, smtp+tls://, smtps://, console: or file:///directory"


def settings_of(url: str) -> dict[str, Any]:
    """Return Django's settings for mail.

    Shape: smtp+tls://user:password@host:587 begins in the clear and goes on by STARTTLS; smtps:// is TLS from the first
    byte; file:///directory writes each mail to a file.
    Raises: ``ValueError`` naming what is wrong, without the password.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # here and below it quotes what was typed, the password with it
        raise ValueError("what is special in a name or a password is written as % and a number, as %40") from None
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": CONSOLE}
    if parts.scheme == "file" and parts.path.startswith("/"):
        return {"EMAIL_BACKEND": FILES, "EMAIL_FILE_PATH": unquote(parts.path)}
    if parts.scheme not in SCHEMES:
        raise ValueError(f"it begins with {KINDS}")
    try:
        port = parts.port
    except ValueError:
        raise ValueError("its port is a number from 0 to 65535") from None
    if not parts.hostname:
        raise ValueError("it names a host")
    if parts.query or parts.fragment or parts.path not in {"", "/"}:
        raise ValueError("it ends with the host and the port; what is special in a password is written as %40")
    own = SCHEMES[parts.scheme]
    return {
        "EMAIL_BACKEND": SMTP,
        "EMAIL_USE_TLS": False,
        "EMAIL_USE_SSL": False,
        **own,
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or own["EMAIL_PORT"],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
    }


def sender_at(host: str) -> str:
    """Return from where mail of a site comes unless somebody says otherwise."""
    return f"Moot <moot@{f'[{host}]' if ':' in host else host.rstrip('.')}>"


def is_sender(text: str) -> bool:
    """Say whether mail can come from this: one address, with a name before it or without."""
    senders = getaddresses([text])
    if len(senders) != 1 or not text.isprintable():
        return False
    [(name, address)] = senders
    try:
        Address(name, addr_spec=address)
    except (IndexError, ValueError):  # the first where nothing stands behind the @
        return False
    return True
