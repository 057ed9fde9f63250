"""What the embedded server refuses, each with the way out in its sentence."""


class Refused(Exception):
    """The embedded server cannot do what was asked; the message says why and what to do."""


class UnusablePath(Refused):
    """No socket can be made, or reached, at this path."""


class NoAccount(Refused):
    """There is no system account the server could run as."""


class NoBinaries(Refused):
    """The PostgreSQL binaries are not installed for this machine."""


class AnotherOwner(Refused):
    """The cluster belongs to another system account."""


class AnotherMajor(Refused):
    """The cluster was made by another major version of PostgreSQL."""


class DidNotStart(Refused):
    """The server ended, or did not answer, while it was being started."""


class DidNotStop(Refused):
    """The server goes on although it was told to end."""


class InUse(Refused):
    """Other processes are using the server."""


class NotRunning(Refused):
    """The server is not running, and what was asked needs it."""


class RestoreFailed(Refused):
    """The dump could not be read back, or what came of it does not stand."""


class DumpFailed(Refused):
    """The dump could not be written."""
