"""ASGI entry point: pages by Django, streams by consumers of Channels.

# Note [Who asks is found out by the consumers]
Channels' middleware does not stand before them. ``AllowedHostsOriginValidator`` refuses before the handshake, so that a
browser does not learn why, and refuses programs, which say no origin. ``AuthMiddleware`` reads who asks once and for
each alone; here that is read for all together, and again every few seconds (``debates.live``).
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
COLLECTS = gc.isenabled()
gc.disable()  # all that is loaded here stays: looking through it for garbage took a tenth of a start
django_application: Any = get_asgi_application()

from django.conf import settings  # noqa: E402 -- needs the app registry

from config import proxies  # noqa: E402 -- as above
from debates.consumers import DebateConsumer, EventStreamConsumer  # noqa: E402 -- as above
from debates.live import hub  # noqa: E402 -- as above

if COLLECTS:
    gc.enable()

STOPPING: set[asyncio.Task[None]] = set()


def leave_on_signals(loop: asyncio.AbstractEventLoop) -> None:
    """Stop the hub on the signals that end a server, and only then tell the server, which would close its sockets.

    Whoever cannot wait, and asks once more, asks the server.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        server: Any = signal.getsignal(number)
        if not callable(server):
            continue

        def handle(received: int, frame: FrameType | None, server: Any = server) -> None:
            if STOPPING:
                server(received, frame)
            else:
                loop.call_soon_threadsafe(leave, lambda _left: server(received, None))

        signal.signal(number, handle)


def leave(then: Callable[[asyncio.Task[None]], None]) -> None:
    stopping = asyncio.ensure_future(hub.leave())
    STOPPING.add(stopping)
    stopping.add_done_callback(then)


def stop_hub() -> Any:
    """Stop the hub before daphne stops, which knows no lifespan; Twisted waits for what is returned."""
    from twisted.internet import defer  # noqa: PLC0415 -- only where Twisted runs the server

    return defer.Deferred.fromFuture(asyncio.ensure_future(hub.leave()))


async def lifespan(_scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Take leave of readers as soon as the server is asked to end: it would wait for them before it said so here."""
    leave_on_signals(asyncio.get_running_loop())
    while (message := await receive())["type"] != "lifespan.shutdown":
        await send({"type": f"{message['type']}.complete"})
    await hub.leave()
    await send({"type": "lifespan.shutdown.complete"})


# Django's types know views alone as targets of addresses; Channels takes applications there.
event_stream: Any = EventStreamConsumer.as_asgi()
socket: Any = DebateConsumer.as_asgi()
router = ProtocolTypeRouter(
    {
        "http": URLRouter([path("stream/debates/<uuid:debate>", event_stream), re_path("", django_application)]),
        "websocket": URLRouter([path("ws/debates/<uuid:debate>/", socket), re_path("", socket)]),
        "lifespan": lifespan,
    }
)
application = proxies.proxy_middleware(router, proxies=settings.TRUSTED_PROXIES)

reactor = sys.modules.get("twisted.internet.reactor")
if reactor is not None:
    reactor.addSystemEventTrigger("before", "shutdown", stop_hub)
if "daphne.server" in sys.modules:
    from config import daphne_protocol

    daphne_protocol.install()
