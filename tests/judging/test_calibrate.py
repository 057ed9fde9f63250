"""``manage.py calibrate``: a judge against labels, without a database; what is asked, what is said, what is refused."""

import json
import os
import signal
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from debates.management.base import Unwritten, write_whole
from judging import providers
from judging.engine import calibration, db_threads
from judging.errors import ProviderError
from judging.providers.scripted import Scripted
from judging.rules import text_probes
from judging.rules.quotes import header
from judging.rules.text_probes import Expected
from judging.types import Completion
from tests.judging.formats.panel.small_panel import FIVE
from tests.project.source_files import ROOT

EVIDENCE = "We measured 41 degrees in Gate Street in 2023, and 36 in the park, because of its trees. "
TEXTS = [f"{EVIDENCE * at}{'Shade is nice. ' * (at % 3)}" for at in range(1, 13)]
RUBRIC = ROOT / "samples" / "rubrics" / "venture.json"


def csv(*rows):
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows) + "\n"


def calibrate(*words, **streams):
    out = streams.pop("stdout", StringIO())
    call_command("calibrate", *map(str, words), stdout=out, **{"stderr": StringIO(), **streams})
    return out.getvalue()


@pytest.fixture(autouse=True)
def threads_that_leave_connections_alone(monkeypatch):
    """Other tests leave connections in the threads; to look whether they are too old takes a database."""
    monkeypatch.setattr(db_threads, "close_old_connections", lambda: None)


@pytest.fixture
def texts(tmp_path):
    file = tmp_path / "texts.csv"
    file.write_text(csv(("text", "label"), *[(text, at) for at, text in enumerate(TEXTS)]))
    return file


@pytest.fixture
def pairs(tmp_path):
    file = tmp_path / "pairs.csv"
    rows = [(TEXTS[at], TEXTS[at + 1], side) for at, side in enumerate(["first", "second", "tie"] * 3)]
    file.write_text(csv(("first", "second", "preferred"), *rows))
    return file


class FakeJudge(Scripted):
    """Gives a text the score that a function says, and counts its calls."""

    name = "fake"
    calls = 0
    score = staticmethod(lambda subject: 1 + len(subject.split()) % 5)

    async def complete(self, request):
        FakeJudge.calls += 1
        given = self.score(request.material.subject)
        rows = [
            {"criterion": item.code, "quotes": [], "reasoning": "So.", "score": str(score), "improvement": ""}
            if score
            else {"criterion": item.code, "not_applicable": "There is none."}
            for item, score in zip(
                request.material.items, given if isinstance(given, list) else [given] * 99, strict=False
            )
        ]
        answer = {"criteria": rows, "questions": FIVE, "revisions": [], "strengths": [], "weaknesses": []}
        return Completion(text=json.dumps(answer), model="fake-1", tokens_in=10, tokens_out=2, cost=Decimal("0.01"))


@pytest.fixture
def fake_judge(monkeypatch):
    monkeypatch.setitem(providers.REGISTRY, "fake", f"{__name__}.FakeJudge")
    providers._made.cache_clear()
    monkeypatch.setattr(FakeJudge, "calls", 0)
    return monkeypatch.setattr


@pytest.mark.slow
def test_the_offline_judge_is_measured_twice_alike_and_nothing_is_written(texts):
    first, again = (calibrate(texts) for _ in range(2))

    assert first == again
    assert first.startswith("panel, 3 judges, heuristic (heuristic-")
    assert "12 texts; in brackets where 95 % of the resamples lie" in first
    assert "Rank correlation with the labels" in first
    assert "Must change nothing" in first


def test_the_criterion_judge_is_measured_by_its_first_scores(texts):
    document = json.loads(
        calibrate(texts, "--format", "criterion", "--rubric", RUBRIC, "--criteria", "P1,S2", "--probes", 0, "--json")
    )

    assert document["judge"]["criteria"] == ["P1", "S2"]
    assert (document["rows"], document["calls"], document["probes"]) == (12, 24, [])
    assert set(document["texts"]["correlation"]) == {"judge", "length", "gain"}


def test_several_criteria_at_once_are_measured_as_well_and_the_offline_judge_gives_them_what_it_gives_each_alone(texts):
    criterion = ("--format", "criterion", "--rubric", RUBRIC, "--criteria", "P1,P2,S2", "--probes", 0, "--json")

    alone, several = (
        json.loads(calibrate(texts, *criterion, "--criteria-per-assessment", at_once)) for at_once in (1, 2)
    )

    assert (alone["calls"], several["calls"]) == (36, 24)
    assert several["texts"] == alone["texts"]
    assert {prompt[0] for prompt in several["judge"]["prompts"]} == {"assess", "assess_several"}


def test_what_an_answer_about_several_criteria_lacks_counts_in_no_mean(texts, tmp_path):
    row = {"reasoning": "So.", "score": "6", "confidence": "0.5"}
    answer = {"purpose": "assess_several", "answer": {"assessments": [{"criterion": "P1", **row}]}}
    (tmp_path / "script.json").write_text(json.dumps([answer]))
    words = ("--format", "criterion", "--rubric", RUBRIC, "--criteria", "P1,S2", "--script", tmp_path / "script.json")

    document = json.loads(calibrate(texts, *words, "--criteria-per-assessment", 2, "--json"))

    assert (document["rows"], document["calls"], document["unread"]) == (12, 12, {})


def test_only_the_criterion_judge_is_asked_about_so_many_criteria(texts):
    with pytest.raises(CommandError, match="criteria-per-assessment: a panel asks about all criteria at once"):
        calibrate(texts, "--criteria-per-assessment", 2)


def test_a_judge_that_gives_what_people_gave_ranks_as_they_do(texts, fake_judge):
    fake_judge(
        FakeJudge, "score", staticmethod(lambda subject: f"{1 + Decimal(TEXTS.index(f'{subject.strip()} ')) / 4}")
    )

    document = json.loads(calibrate(texts, "--provider", "fake", "--json"))

    assert document["texts"]["correlation"]["judge"]["value"] == "1.000000"
    assert document["texts"]["kappa"]["judge"]["value"] == "1.000000"
    assert document["judge"]["answered_by"] == ["fake-1"]
    assert [name for name, _, _ in document["judge"]["prompts"]] == ["analyse"]
    assert (document["calls"], document["tokens_in"], document["cost"]) == (12, 120, "0.12")


def test_labels_that_may_be_the_wrong_way_round_are_suspected(tmp_path, fake_judge):
    fake_judge(FakeJudge, "score", staticmethod(lambda subject: f"{1 + Decimal(len(subject)) / 1000:.2f}"))
    file = tmp_path / "ranks.csv"
    file.write_text(csv(("text", "label"), *[(text, -len(text)) for text in TEXTS]))

    shown = calibrate(file, "--provider", "fake")

    assert "Both run against the labels. Is a higher label the better text?" in shown


def test_pairs_are_read_alone_and_each_text_once(pairs, fake_judge):
    errors = StringIO()

    shown = calibrate(pairs, "--provider", "fake", stderr=errors)

    assert FakeJudge.calls == 10
    assert errors.getvalue() == "9 rows: 10 calls if nothing fails.\n"
    assert "9 pairs; people preferred neither in 3; the judge prefers neither in" in shown
    assert "Each text was read alone, so no order could sway the judge." in shown


def test_a_judge_that_follows_the_order_is_found_out_by_both_orders(pairs, fake_judge):
    fake_judge(FakeJudge, "score", staticmethod(lambda _subject: [4, 4, 2, 2]))

    shown = calibrate(pairs, "--provider", "fake", "--both-ways", "--criteria", "logic:3,clarity:1")
    document = json.loads(
        calibrate(pairs, "--provider", "fake", "--both-ways", "--criteria", "logic:3,clarity:1", "--json")
    )

    assert FakeJudge.calls == 36
    assert "Shown in both orders: 9 pairs. Another answer in the other order: 1.000; what was" in shown
    assert (document["pairs"]["flips"]["value"], document["pairs"]["first_shown"]["value"]) == ("1.000000", "1.000000")
    assert document["pairs"]["tied"] == 9
    assert document["pairs"]["accuracy"]["judge"]["value"] == "0.500000"


def test_criteria_of_texts_that_are_shown_together_count_by_their_weights(pairs, fake_judge):
    fake_judge(FakeJudge, "score", staticmethod(lambda _subject: [3, 1, 2, 5]))  # the first has more of what weighs 90

    document = json.loads(
        calibrate(pairs, "--provider", "fake", "--both-ways", "--criteria", "logic:90,clarity:10", "--json")
    )

    assert document["pairs"]["first_shown"]["value"] == "1.000000"


def test_thirds_that_come_to_the_same_are_a_tie(pairs, fake_judge):
    def judged(subject):
        first, second = subject.split(header("second"))
        shorter_first = first.count("measured") < second.count("measured")
        return [4, 3, 3, 4, 4, 3] if shorter_first else [3, 3, 3, 4, 3, 3]  # 10/3 + 10/3 and 11/3 + 3

    fake_judge(FakeJudge, "score", staticmethod(judged))

    document = json.loads(
        calibrate(pairs, "--provider", "fake", "--both-ways", "--criteria", "logic:1,clarity:1,evidence:1", "--json")
    )

    assert (document["pairs"]["pairs"], document["pairs"]["tied"]) == (9, 9)


def test_a_pair_in_which_one_text_has_no_score_is_in_no_figure(pairs, fake_judge):
    def judged(subject):
        return [4, 4, None, None] if subject.count("measured") > 12 else [4, 4, 2, 2]

    fake_judge(FakeJudge, "score", staticmethod(judged))

    document = json.loads(
        calibrate(pairs, "--provider", "fake", "--both-ways", "--criteria", "logic:3,clarity:1", "--json")
    )

    assert document["pairs"]["pairs"] == 5
    assert list(document["unread"].values()) == [8]  # four pairs, in both orders


def test_probes_show_how_far_other_wordings_move_a_score(texts, fake_judge):
    fake_judge(FakeJudge, "score", staticmethod(lambda subject: 5 if subject.isupper() else 3))

    shown = calibrate(texts, "--provider", "fake", "--probes", 2)
    document = json.loads(calibrate(texts, "--provider", "fake", "--probes", 2, "--json"))

    figures = {figure["name"]: figure for figure in document["probes"]}
    assert figures["upper case"] == {
        "name": "upper case", "expected": "same", "texts": 2, "mean": "2.000000", "most": "2.000000", "held": False,
    }  # fmt: skip
    assert figures["lower case"]["held"]
    assert set(figures) <= {*text_probes.PROBES[Expected.SAME], *text_probes.PROBES[Expected.NO_GAIN]}
    assert "upper case +2.00 2.00 2 too much" in " ".join(shown.split())


def test_a_text_that_could_not_be_read_is_in_no_figure(texts, fake_judge):
    fake_judge(FakeJudge, "score", staticmethod(lambda subject: 9 if "nice. Shade" in subject else 3))

    document = json.loads(calibrate(texts, "--provider", "fake", "--json"))

    assert document["texts"]["texts"] == 8
    assert list(document["unread"].values()) == [4]
    assert document["calls"] == 8 + 4 * 3
    assert document["failed"] == 12


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["--format", "criterion", "--rubric", RUBRIC, "--criteria", "P1"]])
def test_a_text_that_the_judge_says_it_cannot_judge_is_in_no_figure(tmp_path, words):
    file = tmp_path / "texts.csv"
    german = "Der Schatten ist nicht von der Art, die man mit dem Rest der Stadt und der Haltestelle vergleicht."
    file.write_text(csv(("text", "label"), *[(text, at) for at, text in enumerate((german, "Yes.", *TEXTS))]))

    document = json.loads(calibrate(file, "--probes", 0, "--json", *words))
    shown = calibrate(file, "--probes", 0, *words)
    probed = json.loads(calibrate(file, "--probes", 14, "--json", *words))

    assert document["not_assessed"] == probed["not_assessed"] == {"language_not_read": 1, "too_little_text": 1}
    assert (document["texts"]["texts"], document["unread"]) == (12, {})
    assert "In no figure:\n  1 not assessed: The offline judge reads English" in shown


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        pytest.param([(word, at) for at, word in enumerate(("Yes.", "No.", "So."))], "Nothing could be compared. 3 not "
                     "assessed: There is too little text to judge by.", id="none is assessed"),
        pytest.param([("Yes.", 1), (TEXTS[0], 2), ("No.", 3)], "Nothing could be compared. 2 not assessed: There is "
                     "too little", id="one is"),
        pytest.param([(text, 3) for text in TEXTS], "label: they are all equal", id="equal labels"),
    ],
)  # fmt: skip
def test_where_nothing_can_be_compared_nothing_was_measured(tmp_path, rows, sentence):
    file = tmp_path / "texts.csv"
    file.write_text(csv(("text", "label"), *rows))

    with pytest.raises(CommandError) as refused:
        calibrate(file, "--probes", 0, "--out", tmp_path / "figures.json")

    assert str(refused.value).startswith(sentence)
    assert refused.value.returncode == 2
    if sentence.startswith("Nothing"):  # what was asked, and paid for, is told all the same
        assert json.loads((tmp_path / "figures.json").read_text())["not_assessed"]


def test_what_it_costs_is_said_and_a_limit_holds(texts, fake_judge):
    with pytest.raises(
        CommandError, match=r"12 rows take 36 calls, and 30 are allowed\. About 3 go to a row"
    ) as refused:
        calibrate(texts, "--provider", "fake", "--judges", 3, "--max-calls", 30)
    assert (refused.value.returncode, FakeJudge.calls) == (2, 0)

    fake_judge(FakeJudge, "score", staticmethod(lambda subject: 9 if "nice. Shade" in subject else 3))
    document = json.loads(calibrate(texts, "--provider", "fake", "--max-calls", 12, "--json"))

    assert FakeJudge.calls == document["calls"] == 12
    assert "The limit of calls was reached." in document["unread"]


def test_a_sample_is_drawn_by_the_seed(texts, fake_judge):
    rows = [json.loads(calibrate(texts, "--provider", "fake", "--sample", 5, "--seed", 3, "--json")) for _ in range(2)]

    assert rows[0] == rows[1]
    assert (rows[0]["rows"], rows[0]["seed"], FakeJudge.calls) == (5, 3, 10)


def test_where_nothing_comes_of_the_first_text_no_other_is_asked_for(texts, fake_judge):
    def gone(_subject):
        raise ProviderError("The endpoint answered 401: no such key.", permanent=True)

    fake_judge(FakeJudge, "score", staticmethod(gone))

    with pytest.raises(CommandError, match="nothing for the first text, so no other was asked for: The endpoint answ"):
        calibrate(texts, "--provider", "fake")
    assert FakeJudge.calls == 1


def test_an_interrupted_run_leaves_nothing_and_says_so(texts, fake_judge, tmp_path):
    def interrupted(_subject):
        raise KeyboardInterrupt

    fake_judge(FakeJudge, "score", staticmethod(interrupted))

    with pytest.raises(CommandError, match=r"Interrupted\. No figures were kept\.") as refused:
        calibrate(texts, "--provider", "fake", "--out", tmp_path / "figures.json")
    assert refused.value.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["texts.csv"]


def test_figures_are_written_whole_beside_the_table(texts, fake_judge, tmp_path):
    out = tmp_path / "figures.json"
    out.write_text("former")

    shown = calibrate(texts, "--provider", "fake", "--out", out)

    assert json.loads(out.read_text())["rows"] == 12
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.json", "texts.csv"]
    assert "12 calls; 144 tokens, 0.12 in money. Seed 1." in shown


def test_what_a_killed_run_of_the_same_number_left_is_in_nobodys_way(texts, fake_judge, tmp_path):
    beside = tmp_path / f".figures.json.{os.getpid()}"
    beside.write_text("somebody's")

    calibrate(texts, "--provider", "fake", "--out", tmp_path / "figures.json")

    assert json.loads((tmp_path / "figures.json").read_text())["rows"] == 12
    assert beside.read_text() == "somebody's"


def test_a_file_that_another_run_is_writing_is_not_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("debates.management.base.token_hex", lambda _size: "same")
    beside = tmp_path / ".figures.json.same"
    beside.write_text("somebody's")

    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "figures.json", "ours", replaces=True)

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(beside.name, "somebody's")]


def test_figures_that_cannot_be_written_are_shown_all_the_same(texts, fake_judge, tmp_path):
    place, out, score = tmp_path / "figures.json", StringIO(), FakeJudge.score

    def in_the_way(subject):
        place.mkdir(exist_ok=True)
        return score(subject)

    fake_judge(FakeJudge, "score", staticmethod(in_the_way))

    with pytest.raises(CommandError, match=r"out: .* cannot be written: Is a directory\."):
        calibrate(texts, "--provider", "fake", "--out", place, stdout=out)

    assert "12 calls; 144 tokens, 0.12 in money. Seed 1." in out.getvalue()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.json", "texts.csv"]


def test_figures_are_kept_although_nobody_reads_the_table(texts, fake_judge, tmp_path):
    class Gone(StringIO):
        def write(self, _text):
            raise BrokenPipeError

    with pytest.raises(Unwritten):
        calibrate(texts, "--provider", "fake", "--out", tmp_path / "figures.json", stdout=Gone())

    assert json.loads((tmp_path / "figures.json").read_text())["rows"] == 12


@pytest.mark.parametrize(
    ("place", "sentence"),
    [("nowhere/figures.json", "is no directory that can be written to"), (".", "is a directory; name a file")],
)
def test_where_figures_cannot_be_written_nobody_is_asked_for_any(texts, fake_judge, tmp_path, place, sentence):
    with pytest.raises(CommandError, match=sentence) as refused:
        calibrate(texts, "--provider", "fake", "--out", tmp_path / place)

    assert (refused.value.returncode, FakeJudge.calls) == (2, 0)


def test_an_interrupted_resampling_ends_at_once(texts, fake_judge, monkeypatch):
    went_on = []

    def resampling(*_rows, **_seed):
        signal.raise_signal(signal.SIGINT)
        went_on.append(True)

    monkeypatch.setattr(calibration.calibration, "of_texts", resampling)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored in the background

    try:
        with pytest.raises(CommandError, match=r"Interrupted\. No figures were kept\."):
            calibrate(texts, "--provider", "fake")
    finally:
        signal.signal(signal.SIGINT, before)
    assert went_on == []


def test_whoever_names_a_model_asks_it_and_not_the_offline_judge(texts):
    with pytest.raises(CommandError, match=r"no other was asked for: No endpoint 'main' is set"):
        calibrate(texts, "--model", "some-model")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(["--both-ways"], "both-ways: the offline judge reads each text alone", id="offline"),
        pytest.param(["--both-ways", "--format", "criterion"], "both-ways: only the judges of a panel", id="criterion"),
        pytest.param(["--both-ways", "--provider", "fake"], "both-ways: only pairs can be shown together", id="texts"),
        pytest.param(["--rubric", "no-such"], "rubric: a panel judges by --criteria or --template", id="rubric"),
        *[
            pytest.param(["--format", "criterion", f"--{name}", value], f"{name}: only a panel has that", id=name)
            for name, value in (("task", "Convince."), ("template", "code"), ("judges", "2"))
        ],
        pytest.param(["--judges", "10"], "judges must be 1 to 9; got 10.", id="judges"),
        pytest.param(["--judges", "0"], "judges must be 1 to 9; got 0.", id="no judge"),
        pytest.param(["--sample", "2"], "sample must be at least 3; got 2.", id="sample"),
        pytest.param(["--max-calls", "0"], "max-calls must be at least 1; got 0.", id="limit"),
        pytest.param(["--criteria", "a:1", "--template", "code"], "criteria and template: give one", id="both"),
        pytest.param(["--criteria", "logic"], "criteria: 'logic' must be a name, a colon and a weight", id="weight"),
        pytest.param(["--provider", "oracle"], "provider must be one of", id="provider"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anybody_is_asked(texts, fake_judge, words, sentence):
    with pytest.raises(CommandError) as refused:
        calibrate(texts, *words)

    assert str(refused.value).startswith(sentence)
    assert refused.value.returncode == 2


def test_a_bad_line_is_named_with_its_file(tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("text,label\nIt rained,wet\n")

    with pytest.raises(CommandError, match=r"labels.csv, line 2: label must be a number .* got 'wet'\."):
        calibrate(file)
