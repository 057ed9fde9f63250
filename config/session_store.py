"""Sessions in the database, sealed: they hold messages with secrets, second factors that are being set up, and more."""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions

from debates import sealing
from debates.sealing import Purpose


class SessionStore(DatabaseSessions):
    """Django's own sessions, written so that nobody reads them in a table or a dump."""

    def encode(self, session_dict: dict[str, Any]) -> str:
        return sealing.seal(self.serializer().dumps(session_dict).decode("latin-1"), purpose=Purpose.SESSION)

    def decode(self, session_data: str | bytes) -> dict[str, Any]:
        """Return what was written; a session that no key of the site opens is empty."""
        text = sealing.opened(str(session_data), purpose=Purpose.SESSION)
        session: dict[str, Any] = self.serializer().loads(text.encode("latin-1")) if text else {}
        return session
