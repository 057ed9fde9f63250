"""What both doors do: let somebody in, and say where they are when the log they know is another one."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from uuid import UUID

from debates.live import handshake, hub
from debates.live.handshake import Position, Scope
from debates.live.rights import Asked
from debates.live.subscriber import Pump, Send
from debates.live.transports import Wire
from debates.models.access import SHOWN, digest_of

log = logging.getLogger(__name__)


class Resync(Exception):
    """What somebody knows of a log means nothing here."""

    def __init__(self, *, because: str, epoch: UUID) -> None:
        super().__init__(because)
        self.because, self.epoch = because, epoch


@contextlib.asynccontextmanager
async def watching(
    scope: Scope, *, debate: UUID, position: Position, send: Send, wire: Callable[[UUID], Wire]
) -> AsyncIterator[tuple[Pump, UUID]]:
    """Give a pump that is looked after, and the epoch of the log it reads.

    Shape: ``wire`` makes the form of the frames, given the epoch.
    Raises: ``Refused``, ``Resync``.
    """
    visitor = handshake.visitor(scope)
    running = await hub.of_this_process()
    with running.places.one(visitor.address):
        key = None if visitor.bearer is None else digest_of(visitor.bearer)
        asked = Asked(debate=debate, session=visitor.session, key=key)
        access = await running.access(asked)
        if visitor.bearer is not None:
            log.info("debate %s is followed with the key %s", debate, visitor.bearer[:SHOWN])
        room = await running.room(debate_id=access.debate_id, reaching=position.after)
        epoch = running.epoch
        if position.epoch not in {None, epoch}:
            raise Resync(because="epoch", epoch=epoch)
        if position.after > room.head:
            raise Resync(because="ahead", epoch=epoch)
        pump = Pump(room=room, wire=wire(epoch), send=send, asked=asked, access=access, after=position.after)
        with running.watching(pump):
            # Asked again: who changed rights before this pump was known found nobody to send away.
            pump.access = await running.access(asked)
            yield pump, epoch
