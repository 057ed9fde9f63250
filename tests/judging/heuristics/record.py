"""Writes the answers of the current version down again: ``python -m tests.judging.heuristics.record``."""

import hashlib
import json
from pathlib import Path

from judging import heuristics
from tests.judging.heuristics.dry_run import cards, play, samples

PATH = Path(__file__).parent / "answers.json"


def answers(name: str) -> dict[str, str]:
    """Return the scores of one sample before and after each debate, and a digest of every word and verdict."""
    played = [play(samples()[name][1], card) for card in cards()]
    told = json.dumps([[list(one.verdicts), [exchange.said for exchange in one.exchanges]] for one in played])
    return {
        "initial": " ".join(str(one.initial) for one in played),
        "final": " ".join(str(one.final) for one in played),
        "words": hashlib.sha256(told.encode()).hexdigest()[:16],
    }


if __name__ == "__main__":
    record = {"version": heuristics.VERSION, "answers": {name: answers(name) for name in sorted(samples())}}
    PATH.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
