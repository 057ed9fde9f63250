"""What both doors do: let somebody in, and say where they are when the log they know is another one."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from uuid import UUID

from debates.live import handshake, hub
from debates.live.handshake import Position, Scope
from debates.live.rights import AccessRequest
from debates.live.subscriber import Send, Subscriber
from debates.live.transports import Transport
from debates.models.access import SHOWN, digest_of

log = logging.getLogger(__name__)


class Resync(Exception):
    """What somebody knows of a log means nothing here."""

    def __init__(self, *, because: str, epoch: UUID) -> None:
        super().__init__(because)
        self.because, self.epoch = because, epoch


@contextlib.asynccontextmanager
async def watching(
    scope: Scope, *, debate: UUID, position: Position, send: Send, transport: Callable[[UUID], Transport]
) -> AsyncIterator[tuple[Subscriber, UUID]]:
    """Give a subscriber that is looked after, and the epoch of the log it reads.

    Shape: ``transport`` makes the form of the frames, given the epoch.
    Raises: ``Refused``, ``Resync``.
    """
    visitor = handshake.visitor(scope)
    running = await hub.of_this_process()
    with running.connections.take(visitor.address):
        key = None if visitor.bearer is None else digest_of(visitor.bearer)
        asked = AccessRequest(debate=debate, session=visitor.session, key=key)
        access = await running.access(asked)
        if visitor.bearer is not None:
            log.info("debate %s is followed with the key %s", debate, visitor.bearer[:SHOWN])
        channel = await running.channel(debate_id=access.debate_id, reaching=position.after)
        epoch = running.epoch
        if position.epoch not in {None, epoch}:
            raise Resync(because="epoch", epoch=epoch)
        if position.after > channel.head:
            raise Resync(because="ahead", epoch=epoch)
        subscriber = Subscriber(
            channel=channel, transport=transport(epoch), send=send, request=asked, access=access, after=position.after
        )
        with running.watching(subscriber):
            # AccessRequest again: who changed rights before this subscriber was known found nobody to send away.
            subscriber.access = await running.access(asked)
            yield subscriber, epoch
