"""Everything that runs is killed or frozen while debates are played and watched; then everything is compared.

``python -m benchmarks.chaos`` does it once, ``--runs 20`` so many times, ``--seconds`` says how long each is disturbed
at least, ``--seed`` repeats one. A run plays a debate of each format at once. It ends with status 1 at the first
difference: a fault of the ledger, a gap or a double in a log, a watcher that saw anything else than the log, a job
that is left, a process that is left.
"""

import argparse
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.disturbing.formats import FORMATS, Debate, begin
from benchmarks.disturbing.site import ANYTHING, Site, left_over
from tests.crash.harness import stage

LATENCY = 2.0
WATCHERS = 6
PATIENCE = 240
PAUSE = (0.5, 2.5)
"""Seconds between two acts, at least and at most."""


def wait(site: Site, reached: Callable[[], bool], *, seconds: float) -> None:
    """Wait until something is reached or the time is over, and start what ends meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not reached():
        site.keep_up()
        time.sleep(0.2)


@dataclass(frozen=True)
class Outcome:
    """What one run came to: whatever differs, what was done, and how far the debates were when that ended."""

    differences: list[str]
    done: Counter[str]
    rounds: Mapping[str, int]
    connections: int

    def __str__(self) -> str:
        counts = ", ".join(f"{many} x {name}" for name, many in sorted(self.done.items()))
        far = ", ".join(f"{closed} of {FORMATS[name].rounds} {name}" for name, closed in self.rounds.items())
        return (
            f"{'clean' if not self.differences else '; '.join(self.differences)} "
            f"({counts}; rounds when it ended: {far}; {self.connections} connections of watchers)"
        )


def disturb(
    site: Site, debates: Sequence[Debate], *, seconds: float, acts: Mapping[str, int], pause: tuple[float, float]
) -> dict[str, int]:
    """Do each act once and then any of them until the time is over; return how many rounds were closed by then."""
    end = time.monotonic() + seconds
    for number, act in enumerate(site.dealt(acts)):
        if number >= len(acts) and time.monotonic() > end:
            break
        time.sleep(site.luck.uniform(*pause))
        site.disturb(act)
        site.keep_up()
    return {debate.name: debate.closed() for debate in debates}


def run(
    *,
    seed: int,
    seconds: float,
    acts: Mapping[str, int] = ANYTHING,
    latency: float = LATENCY,
    pause: tuple[float, float] = PAUSE,
    formats: Sequence[str] = tuple(FORMATS),
) -> Outcome:
    mark, many = f"{os.getpid()}-{seed}", WATCHERS // len(formats)
    with stage() as here:
        site = Site(here=here, luck=random.Random(seed), mark=mark)
        site.keep_up()
        debates: list[Debate] = []
        try:
            debates += (begin(here, name, latency=latency, ports=site.ports, watchers=many) for name in formats)
            early = disturb(site, debates, seconds=seconds, acts=acts, pause=pause)
            wait(site, lambda: all(debate.ended() for debate in debates), seconds=PATIENCE)
            wait(site, lambda: all(debate.told() for debate in debates), seconds=30)
            site.end()
        finally:
            for debate in debates:
                debate.leave()
        differences = [sentence for debate in debates for sentence in debate.differences()]
    differences += left_over(mark, here.server.root)
    return Outcome(differences, site.done, early, sum(debate.connections for debate in debates))


def main() -> None:
    """Run as often as asked and end with status 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that what was started is ended, whoever ends us
    for number in range(options.runs):
        seed = options.seed + number
        outcome = run(seed=seed, seconds=options.seconds)
        sys.stdout.write(f"seed {seed}: {outcome}\n")
        sys.stdout.flush()
        if outcome.differences:
            sys.exit(1)


if __name__ == "__main__":
    main()
