"""Runs of each test its first case alone, where ``--first-cases`` asks for an answer in a few minutes."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--first-cases``."""
    parser.addoption("--first-cases", action="store_true", help="run of each test its first case alone")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take every later case of a test away, of those that are collected and that no other option has taken."""
    if not config.getoption("first_cases"):
        return
    first: dict[str, pytest.Item] = {}
    for item in items:
        first.setdefault(item.nodeid.partition("[")[0], item)
    chosen = set(first.values())
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = first.values()
