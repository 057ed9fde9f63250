"""Prompts of an earlier version, of which none ships: they stand in a folder of the test's own."""

import shutil

import pytest

from judging.formats import prompts


@pytest.fixture
def one_before(tmp_path, monkeypatch):
    """Write the version before the newest of a prompt, with another instruction; return its number."""
    folder = shutil.copytree(prompts.HERE, tmp_path / "prompts")
    monkeypatch.setattr(prompts, "HERE", folder)
    prompts._load.cache_clear()

    def write(purpose):
        version = prompts.NEWEST[purpose] - 1
        newest = (folder / f"{purpose}.v{version + 1}.txt").read_text(encoding="utf-8")
        (folder / f"{purpose}.v{version}.txt").write_text(f"As it was said before. {newest}", encoding="utf-8")
        return version

    yield write
    prompts._load.cache_clear()
