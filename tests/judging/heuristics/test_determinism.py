"""The same material gets the same answer: in any order of calls, process, hash seed, and without Django."""

import hashlib
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judging.heuristics import criteria, evidence, text
from tests.judging.heuristics.dry_run import cards, play, samples

ROOT = Path(__file__).resolve().parents[3]
PICKED = ("street-heat", "maths-resits", "lifeverse")
SCRIPT = """
import hashlib, json, sys
from tests.judging.heuristics.dry_run import cards, play, samples
made = [repr(play(samples()[name][1], card)) for name in sys.argv[1:] for card in cards()]
print(hashlib.sha256(json.dumps(made).encode()).hexdigest())
"""


def digest(names):
    made = [repr(play(samples()[name][1], card)) for name in names for card in cards()]
    return hashlib.sha256(json.dumps(made).encode()).hexdigest()


def forget():
    for cached in (text.sentences, text.content_stems, text.stem, evidence.passages, criteria.bearings):
        cached.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_another_process_with_another_hash_seed_says_the_same(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "LC_ALL": "C"}

    told = subprocess.run(
        [sys.executable, "-c", SCRIPT, *PICKED], capture_output=True, text=True, check=True, env=environment, cwd=ROOT
    )

    assert told.stdout.strip() == digest(PICKED)


@pytest.mark.slow
def test_the_order_of_calls_and_what_was_read_before_change_nothing():
    plan = [(name, card) for name in PICKED for card in cards()]
    shuffled = random.Random(7).sample(plan, len(plan))
    forget()
    first = {(name, card.code): play(samples()[name][1], card) for name, card in plan}
    forget()

    second = {(name, card.code): play(samples()[name][1], card) for name, card in shuffled}

    assert first == second


@pytest.mark.slow
def test_threads_at_once_say_what_one_says():
    plan = [(samples()[name][1], card) for name in PICKED for card in cards()]
    alone = [play(subject, card) for subject, card in plan]
    forget()

    with ThreadPoolExecutor(max_workers=8) as pool:
        together = list(pool.map(lambda pair: play(*pair), plan))

    assert together == alone


def test_the_judge_needs_no_django():
    code = "import sys, judging.heuristics; print([name for name in sys.modules if name.partition('.')[0] == 'django'])"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert told.stdout.strip() == "[]"


def test_no_binary_fraction_randomness_or_clock_is_in_the_source():
    sources = sorted((ROOT / "judging" / "heuristics").rglob("*.py"))
    words = ("float(", " / ", "import random", "import time", "datetime", "hash(", "round(", "os.environ", "locale")

    found = [(source.name, word) for source in sources for word in words if word in source.read_text(encoding="utf-8")]

    assert found == []
