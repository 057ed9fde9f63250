"""Writes the database that a release leaves behind: ``python -m tests.upgrade.record``.

The file is named after the newest release in CHANGELOG.md; once that one is out, it is never made anew. It holds a
criterion debate that was played and then moderated (an override that is frozen, a strike, a rollback); an open debate
that was played (a judge failed in it) and then moderated (a standing set by hand, a response struck); a panel that
agreed, one of whose scores was struck and is frozen; a panel that waits for its review; and a debate of each format
that was started and never played. The moderator is alice.
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CHANGES = ROOT / "CHANGELOG.md"
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) \((unreleased|\d{4}-\d{2}-\d{2})\)$", re.MULTILINE)


def releases() -> dict[str, bool]:
    """Return the releases of CHANGELOG.md, newest first, and whether each is out."""
    return {number: date != "unreleased" for number, date in RELEASE.findall(CHANGES.read_text(encoding="utf-8"))}


def dump_of(release: str) -> Path:
    return HERE / f"{release}.dump.gz"


def play() -> None:
    """Play and moderate everything that the database is to hold."""
    from tests import factories

    alice = factories.moderator()
    criterion_debate(alice)
    open_debate(alice)
    panels(alice)
    start_one_of_each_format()


def answers() -> list[dict[str, Any]]:
    """Answers for a criterion debate of two rounds."""
    from tests import playing

    rulings = [playing.ruling("1"), playing.ruling("-0.5", challenge="C2")]
    return playing.script([rulings, rulings])


def criterion_debate(alice: Any) -> None:
    """Play and moderate a criterion debate."""
    from django.utils import timezone

    from scoring.models import Evaluation
    from tests import acts, factories, playing

    debate = playing.debate(answers(), criteria=["K1", "K2", "K3"], rounds=2)
    playing.work()
    overridden, struck, rolled = Evaluation.objects.filter(debate=debate).order_by("position")
    acts.override(order=factories.order(overridden, alice), value="3", now=timezone.now())
    acts.freeze(order=factories.order(overridden, alice, seen=None), now=timezone.now())
    acts.strike(order=factories.order(struck, alice), facts=struck.basis[:1], now=timezone.now())
    acts.roll_back(order=factories.order(rolled, alice), target=2, now=timezone.now())


def open_debate(alice: Any) -> None:
    """Play an open debate in which a judge fails, and moderate it."""
    from django.utils import timezone

    from scoring.models import Evaluation
    from tests import acts, factories, playing
    from tests.judging.formats.open.playing import started
    from tests.judging.formats.open.scripts import script

    mute = {"purpose": "evaluate", "thread": "Mira", "round": 1, "answer": "I would rather not say."}
    debate = started(provider="scripted", script=script(mute), exchanges=2)
    playing.work()
    scores = Evaluation.objects.filter(debate=debate)
    standing, adherence = (
        scores.get(instrument="standing", name="Mira"),
        scores.get(instrument="adherence", name="Konrad"),
    )
    acts.override(order=factories.order(standing, alice), value="999", now=timezone.now())
    acts.strike(order=factories.order(adherence, alice), facts=adherence.basis[:1], now=timezone.now())


def panels(alice: Any) -> None:
    """Play a panel that agrees, and moderate it; and one that does not, whose review waits."""
    from django.utils import timezone

    from judging.rules.consensus import Policy
    from scoring.models import Evaluation
    from tests import acts, factories
    from tests.judging.formats.panel.play import AGREEING, APART, alone, played, stays

    score = Evaluation.objects.get(debate=played(alone(*AGREEING)), key="design")
    acts.strike(order=factories.order(score, alice), facts=score.basis[:1], now=timezone.now())
    acts.freeze(order=factories.order(score, alice, seen=None), now=timezone.now())
    held = [stays(judge, 1, design=row[0]) for judge, row in enumerate(APART, start=1)]
    played([*alone(*APART), *held], policy=Policy(debate_rounds=1))


def start_one_of_each_format() -> None:
    """Start a debate of each format, for whoever plays next."""
    from tests import playing
    from tests.judging.formats.open.playing import started
    from tests.judging.formats.open.scripts import script
    from tests.judging.formats.panel.play import AGREEING, alone, panel

    playing.debate(answers(), criteria=["K1"], rounds=2)
    started(provider="scripted", script=script(), exchanges=1)
    panel(alone(*AGREEING))


def record(target: Path) -> None:
    """Write the database that this release leaves behind to a file."""
    from tests.crash.harness import stage

    with stage() as here, tempfile.TemporaryDirectory() as directory:
        play_there = [sys.executable, "-m", "tests.upgrade.record", "--play"]
        subprocess.run(play_there, cwd=ROOT, env=here.environment, check=True)
        written = Path(directory, "dump")
        here.manage("db", "dump", str(written))
        target.write_bytes(gzip.compress(written.read_bytes(), mtime=0))


def main() -> None:
    """Record the newest release, or play in the database that the environment names."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:] == ["--play"]:
        import django

        django.setup()
        play()
        return
    release, out = next(iter(releases().items()))
    target = dump_of(release)
    if out and target.exists():
        sys.exit(f"{release} is out, and {target.name} is its database: it is not made anew.")
    record(target)
    sys.stdout.write(f"{target}: {target.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
