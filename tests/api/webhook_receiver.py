"""Receivers of webhooks on loopback, and what makes them hear."""

import base64
import hashlib
import hmac
import threading
from collections.abc import Callable
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from django.utils import timezone

from debates import event_log
from debates.models import Debate, Webhook
from debates.services import deliveries, webhooks
from debates.types import News
from tests import factories

NOW = timezone.now()


class Receiver:
    """A server on loopback that keeps what it is sent; ``answer`` is the status it answers with, None hangs up.

    ``look`` is called before each answer.
    """

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answer: int | None = 200
        self.look: Callable[[], object] = lambda: None
        keeper = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                keeper.look()
                if keeper.answer is None:
                    self.close_connection = True
                    return
                keeper.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(keeper.answer)
                self.send_header("Location", "http://localhost:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/hook?a=b"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # all fifty come at once


class Silent:
    """A server on loopback that takes what it is sent and answers nothing until it is let go."""

    def __init__(self) -> None:
        self.asked = 0
        self.counting, self.going = threading.Lock(), threading.Event()
        keeper = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                with keeper.counting:
                    keeper.asked += 1
                keeper.going.wait(60)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def let_go(self) -> None:
        self.going.set()

    def close(self) -> None:
        self.let_go()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def verified(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """Verify a signature as a receiver would, written from the specification and not from our code."""
    key = base64.b64decode(secret.split("_", 1)[1])
    content = ".".join([headers["webhook-id"], headers["webhook-timestamp"], body.decode()])
    wanted = base64.b64encode(hmac.new(key, content.encode(), hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(wanted, one.split(",", 1)[1])
        for one in headers["webhook-signature"].split(" ")
        if one.startswith("v1,")
    )


def happen(debate: Debate, *news: News) -> None:
    event_log.append(debate_id=debate.pk, news=news or [News("debate:paused", {})], now=timezone.now())


def claim(now: datetime | None = None) -> list[deliveries.Bundle]:
    """Claim one bundle of everything that is due for each webhook."""
    now = now or timezone.now()
    found = (deliveries.claim(webhook_id=r.webhook, most=16, now=now) for r in deliveries.waiting(now=now))
    return [bundle for bundle in found if bundle.parcels]


def work(now: datetime | None = None) -> int:
    """Send everything that is due, and return how many attempts it took."""
    now, attempts = now or timezone.now(), 0
    while bundles := claim(now):
        for bundle in bundles:
            answers = deliveries.sent(bundle)
            deliveries.record(bundle=bundle, answers=answers, luck=0.5, now=now)
            attempts += len(answers)
    return attempts


def hook(receiver: Receiver, **options) -> tuple[Webhook, str]:
    owner = options.pop("owner", None) or factories.moderator()
    return webhooks.register(owner=owner, url=receiver.url, now=timezone.now(), **options)
