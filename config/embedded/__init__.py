"""A private PostgreSQL from the binaries of a wheel: importable without Django, and without side effects."""

from config.embedded.cluster import Cluster, Status
from config.embedded.exceptions import Refused, RestoreFailed
from config.embedded.paths import connection, location

__all__ = ["Cluster", "Refused", "RestoreFailed", "Status", "connection", "location"]
