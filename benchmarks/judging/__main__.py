"""Measure the offline judge: ``python -m benchmarks.judging [--data DIR]``.

Without ``--data`` our own passages are measured, and the figures of public data stay as they were. Both are written
into docs/explanation/judging.md.
"""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.judging import datasets, page, passages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="where the public data sets are")
    parser.add_argument("--show", action="store_true", help="print the looked-at passages that are judged otherwise")
    options = parser.parse_args()
    kept = page.figures()
    kept["passages"] = passages.measure()
    if options.data:
        kept |= datasets.measure(options.data)
    page.FIGURES.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    page.PAGE.write_text(page.written(text=page.PAGE.read_text(encoding="utf-8"), kept=kept), encoding="utf-8")
    sys.stdout.write(page.tables(kept) + "\n")
    if options.show:
        sys.stdout.writelines(page.differences())


if __name__ == "__main__":
    main()
