"""A private PostgreSQL from the binaries of a wheel: importable without Django, and without side effects."""

from config.embedded.cluster import Cluster, Status
from config.embedded.places import connection, location
from config.embedded.refusals import Refused, RestoreFailed

__all__ = ["Cluster", "Refused", "RestoreFailed", "Status", "connection", "location"]
