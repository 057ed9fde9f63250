"""Says at the end of a run where its time went, wherever ``--durations`` asks for the slowest tests."""

from collections import Counter
from pathlib import PurePath

import pytest

ROWS = 12


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the seconds of each directory, and of the files that took longest, summed over all processes."""
    if config.getoption("durations") is None:
        return
    seconds: Counter[str] = Counter()
    tests: dict[str, set[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                file = report.nodeid.partition("::")[0]
                for place in (file, f"{PurePath(file).parent}/"):
                    seconds[place] += report.duration
                    tests.setdefault(place, set()).add(report.nodeid)
    directories = Counter({place: spent for place, spent in seconds.items() if place.endswith("/")})
    for title, table in (("directories", directories), ("files", seconds - directories)):
        terminalreporter.section(f"where the time went, by {title}")
        for place, spent in table.most_common(ROWS):
            terminalreporter.write_line(f"{spent:8.1f}s  {len(tests[place]):5} tests  {place}")
