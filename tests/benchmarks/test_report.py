"""The table of the benchmarks: what it says of a bar, and that the page is made of the figures that are kept."""

import json
import subprocess
import sys
from types import SimpleNamespace
from xml.dom import minidom

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import curves, guards, report
from benchmarks.report import BEGIN, END, Row
from benchmarks.watching.crowd import TEXT, Crowd, Reader


@pytest.mark.parametrize(
    ("met", "because", "said"),
    [
        pytest.param(True, "Slow.", "| what | bar | 3 | yes |", id="met: no excuse is needed"),
        pytest.param(False, "Slow.", "| what | bar | 3 | **no** Slow. |", id="missed: the reason is given"),
        pytest.param(None, "", "| what | bar | 3 |  |", id="only reported"),
    ],
)
def test_a_row_says_whether_its_bar_is_met(met, because, said):
    assert Row("what", "bar", "3", met=met, because=because).markdown() == said


def test_an_event_that_a_frame_leaves_out_is_lost_to_who_reads_it():
    crowd = Crowd(port=0, path="", cookies=[])
    crowd.readers = [Reader(crowd, "", "")]

    for payload in (
        b'{"through":2,"events":[{"seq":1,"type":"a"},{"seq":2,"type":"a"}]}',
        b'{"through":3,"events":[]}',
    ):
        crowd.readers[0].take(TEXT, payload)

    assert {seq: len(times) for seq, times in crowd.figures()["times"].items()} == {1: 1, 2: 1}


def test_nobody_waits_for_the_handshake_of_a_connection_that_is_lost():
    reader = Reader(Crowd(port=0, path="", cookies=[]), "", "")

    reader.connection_lost(None)

    assert reader.opened.is_set()


def test_where_no_guard_was_attacked_none_held():
    figures = {"guards": 1, "attacks": 1, "triggers": 1}

    met = [guards.rows({**figures, "passed": passed, "failed": 0})[0].met for passed in (0, 1)]

    assert met == [False, True]


def test_a_process_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr(report.LineProcess, "patience", 0.01)

    with pytest.raises(subprocess.TimeoutExpired), report.LineProcess("-c", "import time; time.sleep(60)") as slow:
        pass

    assert slow.process.returncode is not None


def test_what_waits_out_errors_of_the_system_does_not_wait_out_the_end_of_a_benchmarks_time():
    with pytest.raises(Exception, match="not done after") as caught:
        benchmarks.too_long()

    assert not isinstance(caught.value, OSError)


def test_only_the_figures_of_the_page_are_replaced():
    text = f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n"

    page = report.page(text=text, where={"cores": 2}, rows=[Row("what", "bar", "3", met=True)])

    assert page.startswith(f"Before.\n\n{BEGIN}\n\nMeasured on: cores 2.\n")
    assert page.endswith(f"{END}\n\nAfter.\n")
    assert "old" not in page
    assert report.page(text=page, where={"cores": 2}, rows=[Row("what", "bar", "3", met=True)]) == page


def test_the_page_is_made_of_the_figures_that_are_kept():
    kept = json.loads(benchmarks.FIGURES.read_text())

    text = benchmarks.PAGE.read_text()

    assert benchmarks.page(text, kept) == text
    for curve in benchmarks.drawn(kept):
        assert (benchmarks.PICTURES / f"{curve.name}.svg").read_text() == curves.svg(curve)


def test_a_curve_is_readable_without_eyes_and_lies_inside_its_picture():
    points = [(9, 0.2), (90, 2.5)]
    curve = curves.Curve(
        name="play", title="Time & rounds", across="rounds", up="seconds", points=points, proportion="even"
    )

    picture = minidom.parseString(curves.svg(curve))  # noqa: S318 -- our own words

    [title], [words] = (picture.getElementsByTagName(name) for name in ("title", "desc"))
    dots = [(dot.getAttribute("cx"), dot.getAttribute("cy")) for dot in picture.getElementsByTagName("circle")]
    assert title.firstChild.data == "Time & rounds"
    assert words.firstChild.data == "9 rounds: 0.2 seconds; 90 rounds: 2.5 seconds"
    assert dots == [("117.6", "265.1"), ("600.0", "48.0")]
    assert curve.markdown("there") == f"![Time & rounds. {words.firstChild.data}](there/play.svg)"


def test_no_bar_is_missed_without_a_reason():
    kept = json.loads(benchmarks.FIGURES.read_text())
    rows = [row for name, module in benchmarks.ALL.items() if name in kept for row in module.rows(kept[name])]

    assert [row.what for row in rows if row.met is False and not row.because] == []


def test_the_figures_that_are_kept_are_of_one_machine(monkeypatch, tmp_path):
    page, figures = tmp_path / "benchmarks.md", tmp_path / "benchmarks.json"
    page.write_text(f"Before.\n{BEGIN}\n{END}\n")
    kept = {"machine": {"cores": 0}, "one": 1, "other": 1}
    figures.write_text(json.dumps(kept))
    part = SimpleNamespace(measure=lambda: 2, rows=lambda found: [Row("what", "bar", str(found))])
    changed = {"ALL": {"one": part, "other": part}, "DRAWN": {}, "PAGE": page, "FIGURES": figures, "PICTURES": tmp_path}
    for name, value in {**changed, "version": lambda: "18"}.items():
        monkeypatch.setattr(benchmarks, name, value)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "one"])

    benchmarks.main()

    assert json.loads(figures.read_text()) == kept


def test_what_fails_is_said_and_loses_nobody_elses_figures(monkeypatch, tmp_path, capsys):
    def broken():
        raise OSError("no server")

    page, figures = tmp_path / "benchmarks.md", tmp_path / "benchmarks.json"
    page.write_text(f"Before.\n{BEGIN}\n{END}\n")
    figures.write_text(json.dumps({"broken": 1}))
    rows = lambda found: [Row("what", "bar", str(found))]  # noqa: E731 -- two of the same
    parts = {
        "broken": SimpleNamespace(measure=broken, rows=rows),
        "whole": SimpleNamespace(measure=lambda: 2, rows=rows),
    }
    changed = {
        "ALL": parts,
        "DRAWN": {},
        "PAGE": page,
        "FIGURES": figures,
        "PICTURES": tmp_path,
        "version": lambda: "18",
    }
    for name, value in changed.items():
        monkeypatch.setattr(benchmarks, name, value)
    monkeypatch.setattr(sys, "argv", ["benchmarks"])

    with pytest.raises(SystemExit, match="failed: broken"):
        benchmarks.main()

    assert json.loads(figures.read_text())["broken"] == 1
    assert json.loads(figures.read_text())["whole"] == 2
    assert "| what | bar | 2 |" in page.read_text()
    assert "OSError: no server" in capsys.readouterr().err
