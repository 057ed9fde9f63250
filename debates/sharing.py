"""Who is sent to next: the places of a worker, shared fairly among owners, hosts and webhooks. Pure."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

PLACES = 128
EACH = 4
EACH_PARTY = 64
"""Places of one owner, and of one host."""
SLOW_PLACES, SLOW_EACH_PARTY = 32, 16
"""The same for those known to answer slowly: who answers at once always finds a place that none of them holds."""
SLOW_MILLISECONDS = 1000
MOST_IN_A_BUNDLE = 32
BUNDLE_MILLISECONDS = 2000
Held = tuple[Hashable, ...]
"""What one place is counted under."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """A webhook for which something waits, by its id and its owner's, and the host that it is at."""

    webhook: int
    owner: int
    host: str


class Places:
    """Who holds how many places now, and how slowly each answered last.

    A place is held for a bundle: deliveries of one webhook that are sent one after another.
    """

    def __init__(self) -> None:
        self._held: Counter[Hashable] = Counter()
        self._took: dict[int, int] = {}
        self._turns: dict[int, int] = {}
        self._turn = 0

    def next(self, waiting: Iterable[Recipient]) -> Recipient | None:
        """Return whose turn it is of those there is room for: whose owner, else host, else webhook holds the fewest
        places; of equals the one whose last turn was longest ago."""
        return min(filter(self.has_room, waiting), key=self._standing, default=None)

    def _standing(self, recipient: Recipient) -> tuple[int, ...]:
        held = (self._held[name] for name, _ in parties(recipient))
        return (*held, self._turns.get(recipient.webhook, 0), recipient.webhook)

    def has_room(self, recipient: Recipient) -> bool:
        """Say whether a recipient may have one more place. Who was never sent to gets one, to be known by."""
        if self._held["all"] >= PLACES or any(self._held[name] >= most for name, most in parties(recipient)):
            return False
        if recipient.webhook not in self._took:
            return self._held["webhook", recipient.webhook] == 0
        return not self.is_slow(recipient) or (
            self._held["slow"] < SLOW_PLACES
            and all(self._held["slow", name] < SLOW_EACH_PARTY for name, _ in parties(recipient))
        )

    def is_slow(self, recipient: Recipient) -> bool:
        return self._took.get(recipient.webhook, 0) >= SLOW_MILLISECONDS

    def bundle(self, recipient: Recipient) -> int:
        """Return how many deliveries to send in one place: as many as it takes in about two seconds."""
        took = self._took.get(recipient.webhook)
        return 1 if took is None else min(MOST_IN_A_BUNDLE, max(1, BUNDLE_MILLISECONDS // max(1, took)))

    def take(self, recipient: Recipient) -> Held:
        """Give a recipient a place; what is returned gives it back."""
        self._turn += 1
        self._turns[recipient.webhook] = self._turn
        names = [name for name, _ in parties(recipient)]
        slow = ["slow", *(("slow", name) for name in names)] if self.is_slow(recipient) else []
        held: Held = ("all", *names, *slow)
        self._held.update(held)
        return held

    def give_back(self, recipient: Recipient, held: Held, *, took: int | None) -> None:
        """Take a place back; ``took`` is the longest that one delivery took there, in milliseconds, if any was sent."""
        self._held.subtract(held)
        self._held += Counter()  # forget whoever holds nothing
        if took is not None:
            self._took[recipient.webhook] = took


def parties(recipient: Recipient) -> Iterator[tuple[Hashable, int]]:
    """Return who a place is counted for, with the most places each may hold."""
    yield ("owner", recipient.owner), EACH_PARTY
    yield ("host", recipient.host), EACH_PARTY
    yield ("webhook", recipient.webhook), EACH
