"""The newest lines of a log, kept in memory and cut into frames."""

from collections.abc import Sequence

from debates.live.reader import Line

MOST_LINES = 2048
MOST_BYTES = 4 * 1024 * 1024
FRAME_BYTES = 64 * 1024
FRAME_LINES = 500


class Buffer:
    """Lines without a gap up to ``head``; the oldest are let go when they are too many or too long."""

    def __init__(self, *, head: int) -> None:
        self.head = head
        self._lines: list[Line] = []
        self._bytes = 0

    @property
    def before(self) -> int:
        """The number before the oldest line that is kept."""
        return self.head - len(self._lines)

    def add(self, lines: Sequence[Line]) -> None:
        """Put new lines at the end.

        Raises: ``ValueError`` where they do not follow the head, which would be a hole.
        """
        for line in lines:
            if line.seq != self.head + 1:
                raise ValueError(f"line {line.seq} does not follow {self.head}")
            self._lines.append(line)
            self.head = line.seq
            self._bytes += line.size
        self._trim()

    def _trim(self) -> None:
        away = max(0, len(self._lines) - MOST_LINES)
        kept = self._bytes - sum(line.size for line in self._lines[:away])
        while kept > MOST_BYTES and away < len(self._lines) - 1:
            kept -= self._lines[away].size
            away += 1
        del self._lines[:away]
        self._bytes = kept

    def after(self, cursor: int) -> list[Line]:
        """Return the lines after a cursor that lies within what is kept."""
        return self._lines[cursor - self.before :]


def portion(lines: Sequence[Line]) -> Sequence[Line]:
    """Return as many of these lines as one frame holds, at least one."""
    size = 0
    for place, line in enumerate(lines[:FRAME_LINES]):
        size += line.size
        if size > FRAME_BYTES and place > 0:
            return lines[:place]
    return lines[:FRAME_LINES]
