"""A private PostgreSQL from the binaries of a wheel: importable without Django, and without side effects."""

from config.embedded.cluster import Cluster, Status
from config.embedded.places import connection, location
from config.embedded.refusals import Refused

__all__ = ["Cluster", "Refused", "Status", "connection", "location"]
