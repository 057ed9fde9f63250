"""The command line of a web process: the same under ``manage.py up``, under ``manage.py serve`` and in tests."""

APPLICATION = "config.asgi:application"
LONGEST_FRAME = "16384"


def arguments(*, endpoint: str) -> list[str]:
    """Return what the Python interpreter is given to serve the site.

    Shape: ``endpoint`` is in the words of Twisted (``Address.endpoint``).
    """
    return [
        *("-m", "daphne", "--endpoint", endpoint, "--verbosity", "0"),
        # Five seconds, the default, is also the time limit of the handshake: too short when everybody reconnects.
        *("--websocket_connect_timeout", "30"),
        # By default who answers no ping for half a minute is cut off, before they can read that they are to resume.
        *("--ping-timeout", "120"),
        # Readers say little, so a longer frame is not taken in. (Its limit of a message would also be ours.)
        *("--websocket-max-frame-size", LONGEST_FRAME),
        APPLICATION,
    ]
