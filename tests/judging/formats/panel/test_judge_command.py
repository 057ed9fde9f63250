"""``manage.py judge``: files in, reports out, and an exit status that says what came of it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from debates.errors import Invalid
from debates.models import Debate
from judging.formats import files
from judging.management.commands.judge import TERMS, Command, alike, seats_of, written
from judging.models import Review
from tests.judging.formats.panel.play import REPORT, alone, stays
from tests.judging.formats.panel.small_panel import SUBJECT

pytestmark = pytest.mark.django_db(transaction=True)
SOURCE = {
    "app/reading.py": '''
"""Reads what a client sends. Every number is checked, because a wrong one would reach the ledger."""

import json

LONGEST = 4_000


def order(text):
    """Return an order; raises ValueError with what is wrong, so that the client can mend it."""
    if len(text) > LONGEST:
        raise ValueError(f"The order has {len(text)} characters; at most {LONGEST} are read.")
    found = json.loads(text)
    if not isinstance(found.get("amount"), int) or found["amount"] <= 0:
        raise ValueError("amount must be a whole number above zero")
    return found


def password(text):
    # To do: compare in constant time; this may leak how much of it is right.
    return text == "letmein"
''',
    "app/sums.py": '''
"""Adds up orders."""


def total(orders):
    """Return the sum in cents. It always fits, obviously."""
    return sum(one["amount"] for one in orders)


def test_total():
    assert total([{"amount": 2}, {"amount": 3}]) == 5
''',
}
AGREE = alone(("4", "4"), ("4.5", "4"), ("4", "3.5"))
APART = [
    *alone(("5", "4"), ("2", "4"), ("4", "4")),
    *(stays(judge, 1, design=score) for judge, score in ((1, "5"), (2, "2"), (3, "4"))),
]


@pytest.fixture
def subject(tmp_path):
    path = tmp_path / "cache.md"
    path.write_text(SUBJECT, encoding="utf-8")
    return path


def judge(subject, tmp_path, answers, *more):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([*answers, REPORT]), encoding="utf-8")
    printed, said = StringIO(), StringIO()
    call_command(
        "judge", str(subject), "--task", "Make it fast.", "--criteria", "design:60,tests:40", "--script", str(script),
        *more, stdout=printed, stderr=said,
    )  # fmt: skip
    return printed.getvalue(), said.getvalue()


def test_a_panel_that_agrees_prints_its_scores_and_writes_its_reports(subject, tmp_path):
    out = tmp_path / "reports"

    printed, said = judge(subject, tmp_path, AGREE, "--out", str(out))

    assert [line.split() for line in printed.splitlines() if line.startswith("Design")] == [
        ["Design", "4.00", "4.50", "4.00", "4.1667"]
    ]
    assert "Consensus without a debate. Recommendation: pass." in printed
    assert "The judges read, each alone.\n  They agree: 4.0333 of 5.\n" in said
    names = sorted(path.name for path in out.iterdir())
    assert [name.rsplit(".", 2)[1] for name in names] == ["1", "2", "3", "final"]
    assert (out / names[0]).read_text().startswith("Done by Judge 1\n")
    assert "**Consensus** without a debate: overall **4.0333** of 5." in (out / names[3]).read_text()


@pytest.mark.slow
def test_reports_go_below_the_data_of_moot_unless_somebody_says_otherwise(subject, tmp_path, settings):
    settings.DATA_DIR = tmp_path / "data"

    judge(subject, tmp_path, AGREE, "--json")
    judge(subject, tmp_path, AGREE, "--out", "")
    assert not settings.DATA_DIR.exists()

    _, said = judge(subject, tmp_path, AGREE)

    names = sorted(path.name for path in (settings.DATA_DIR / "reports").iterdir())
    assert [name.rsplit(".", 2)[1] for name in names] == ["1", "2", "3", "final"]
    assert all(f"Written: {settings.DATA_DIR / 'reports' / name}" in said for name in names)


def test_reports_are_printed_for_whoever_asks(subject, tmp_path):
    printed, _ = judge(subject, tmp_path, AGREE, "--out", str(tmp_path / "reports"), "--print-reports")

    papers = [path.read_text() for path in sorted((tmp_path / "reports").iterdir())]
    assert printed.endswith("\n\n" + "\n\n".join(papers) + ("" if papers[-1].endswith("\n") else "\n"))
    with pytest.raises(CommandError, match=r"^print-reports: with --json the document is all that is printed"):
        judge(subject, tmp_path, AGREE, "--json", "--print-reports")


def test_what_counts_as_agreement_is_said_on_the_command_line(subject, tmp_path):
    terms = ("--spread=0.6", "--criterion-spread=0.5", "--quorum=3", "--pass-mark=4.5", "--revision-mark=2")

    printed, _ = judge(subject, tmp_path, AGREE, "--json", "--rounds", "0", *terms)

    policy = json.loads(printed)["policy"]
    assert {name: policy[name] for name in TERMS} == {
        "spread": "0.60", "criterion_spread": "0.50", "quorum": 3, "pass_mark": "4.50", "revision_mark": "2.00",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--spread", "5", "spread must be"),
        ("--criterion-spread", "much", "criterion_spread must be"),
        ("--quorum", "4", "quorum must be at most the number of judges, 3; got 4"),
        ("--pass-mark", "2", r"revision mark \(3\) must not be above the pass mark \(2\)"),
        ("--revision-mark", "6", "revision_mark must be"),
    ],
)
def test_terms_that_cannot_be_are_refused_by_name(subject, tmp_path, option, value, message):
    with pytest.raises(CommandError, match=message):
        judge(subject, tmp_path, AGREE, option, value)

    assert not Debate.objects.exists()


def test_closing_words_come_from_the_script_where_it_has_some(subject, tmp_path):
    printed, _ = judge(subject, tmp_path, AGREE, "--json")

    document = json.loads(printed)
    assert document["synthesis"].startswith(REPORT["answer"]["summary"])
    assert {one["provider"] for one in document["judgedBy"]} == {"scripted"}


def test_without_closing_words_in_the_script_the_offline_reporter_writes_them(subject, tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps(AGREE), encoding="utf-8")
    printed = StringIO()

    call_command(
        "judge", str(subject), "--task", "Make it fast.", "--criteria", "design:60,tests:40", "--script", str(script),
        "--json", stdout=printed, stderr=StringIO(),
    )  # fmt: skip

    judges = {one["name"]: one["provider"] for one in json.loads(printed.getvalue())["judgedBy"]}
    assert judges == {"Judge 1": "scripted", "Judge 2": "scripted", "Judge 3": "scripted", "Reporter": "heuristic"}


def test_a_panel_is_called_by_the_path_that_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src/api").mkdir(parents=True)
    (tmp_path / "src/api/users.ts").write_text("export {}", encoding="utf-8")

    assert files.read_paths(["src/api/users.ts"]).title == "src/api/users.ts"
    assert files.read_paths([str(tmp_path / "src/api/users.ts")]).title == "users.ts"
    assert files.read_paths(["src/api/../api/users.ts"]).title == "users.ts"


def test_reports_of_the_same_subject_and_day_stand_beside_each_other(subject, tmp_path):
    out = tmp_path / "reports"

    judge(subject, tmp_path, AGREE, "--out", str(out))
    judge(subject, tmp_path, AGREE, "--out", str(out))

    papers = {path.name: path.read_bytes() for path in out.iterdir()}
    again = [name for name in papers if "-2." in name]
    assert (len(papers), len(again)) == (8, 4)
    assert [papers[name] for name in again] == [papers[name.replace("-2.", ".")] for name in again]


def test_reports_that_cannot_be_written_are_told_of_and_the_panel_stays(subject, tmp_path):
    printed, _ = judge(subject, tmp_path, AGREE, "--json")

    with pytest.raises(CommandError, match=r"^out: .*1\.md cannot be written: No such file.* The panel is stored\.$"):
        written(document=json.loads(printed), out=tmp_path / "gone")


def test_what_a_panel_always_refuses_is_not_offered():
    assert "--blind-names" not in Command().create_parser("manage.py", "judge").format_help()


@pytest.mark.parametrize("providers", ["heuristic", "heuristic,openai,openai"])
def test_who_is_named_to_judge_offline_is_never_made_to_ask_a_model(providers):
    with pytest.raises(Invalid, match="model: heuristic asks no model"):
        seats_of(judges=3, providers=providers, models="small")


@pytest.mark.parametrize(("named", "models"), [(None, "small"), (",openai,", "small"), (None, ",small,")])
def test_a_model_names_its_provider(named, models):
    asked = [(one.provider, one.model) for one in seats_of(judges=3, providers=named, models=models)]

    assert set(asked) <= {("openai", "small"), ("heuristic", "")}
    assert asked[1] == ("openai", "small")


def test_each_judge_may_have_a_provider_and_a_model_of_its_own():
    seats = seats_of(judges=3, providers="heuristic,openai, openai", models=",small,large@local")

    assert [(one.provider, one.model) for one in seats] == [
        ("heuristic", ""),
        ("openai", "small"),
        ("openai", "large@local"),
    ]


def test_a_panel_that_does_not_agree_exits_with_3(subject, tmp_path):
    with pytest.raises(CommandError, match="A person must decide") as ended:
        judge(subject, tmp_path, APART, "--rounds", "1")

    assert ended.value.returncode == 3
    review = Review.objects.get()
    assert reverse("admin:judging_review_change", args=[review.pk]) in str(ended.value)


def test_a_panel_that_ends_early_exits_with_1_and_says_why(subject, tmp_path):
    with pytest.raises(CommandError, match="The panel is concluded, without a result: the budget was spent") as ended:
        judge(subject, tmp_path, APART, "--max-calls", "4")

    assert ended.value.returncode == 1


def test_a_panel_that_agrees_has_a_result_without_closing_words(subject, tmp_path):
    printed, said = judge(subject, tmp_path, AGREE, "--max-calls", "3")

    assert "Recommendation: pass." in printed
    assert "The panel is concluded, without closing words: the budget was spent" in said


def test_it_says_which_panel_it_is_where_it_stands_and_shows_it_to_whom_it_may(subject, tmp_path):
    _, said = judge(subject, tmp_path, AGREE, "--visibility", "private")

    debate = Debate.objects.get()
    assert f"Panel {debate.public_id}; on the site: /debates/{debate.public_id}/\n" in said
    assert debate.visibility == "private"


@pytest.mark.parametrize(
    ("strategies", "named", "said"),
    [
        (["logic", "dialectic", "rhetoric"], {}, ""),
        (["logic", "dialectic", "rhetoric", "logic"], {}, "4 offline judges read in 3 ways; "),
        (["logic", "dialectic", "rhetoric", "logic"], {"provider": "heuristic"}, "4 offline judges read in 3 ways; "),
        (["logic", "dialectic", "rhetoric", "logic"], {"provider": "openai"}, ""),
        (["logic", "dialectic", "rhetoric", "logic"], {"model": "small"}, ""),
    ],
)
def test_offline_judges_who_repeat_each_other_are_told_of(strategies, named, said):
    assert alike(strategies, {"provider": None, "model": "", "script": None, **named})[: len(said) or None] == said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        pytest.param(["--judges", "0"], "judges must be a whole number from 1 to 9", id="no judge"),
        pytest.param(["--judges", "-4"], "judges must be a whole number from 1 to 9", id="fewer than none"),
        pytest.param(["--rounds", "9"], "rounds: Ensure this value is less than or equal to 3", id="nine rounds"),
        pytest.param(["--not-applicable", "tests"], "must be a criterion, an equals sign", id="no why"),
        pytest.param(["--not-applicable", "looks=no"], "'looks' is no criterion", id="unknown criterion"),
        pytest.param(["--model", "a,b"], "model: name one for all, or 3", id="two models for three"),
    ],
)
def test_what_cannot_be_asked_for_exits_with_2(subject, tmp_path, more, said):
    with pytest.raises(CommandError) as refused:
        judge(subject, tmp_path, AGREE, *more)

    assert said in str(refused.value)
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"criteria": ""}, "criteria must be name:weight pairs", id="no criteria"),
        pytest.param({"template": ""}, "There is no template ''", id="no template"),
        pytest.param({"criteria": "design"}, "'design' must be a name, a colon and a weight", id="criteria"),
        pytest.param({"provider": "heuristic,openai"}, "provider: name one for all, or 3", id="two providers"),
        pytest.param({"template": "poetry"}, "There is no template 'poetry'", id="template"),
        pytest.param({"files": ["/nowhere/at/all.py"]}, "/nowhere/at/all.py cannot be read", id="file"),
        pytest.param({"out": "/dev/null/reports"}, "is no directory that can be written to", id="directory"),
    ],
)
def test_bad_input_exits_with_2(subject, options, said):
    paths = options.pop("files", [str(subject)])

    with pytest.raises(CommandError) as refused:
        call_command("judge", *paths, task="Do it.", **options)

    assert said in str(refused.value)
    assert refused.value.returncode == 2


def sources(place):
    paths = [place / name for name in SOURCE]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SOURCE[path.relative_to(place).as_posix()], encoding="utf-8")
    return [str(path) for path in paths]


def test_files_are_told_apart_by_their_names_wherever_they_lie(tmp_path):
    here, there = sources(tmp_path), sources(tmp_path / "elsewhere" / "deep")

    assert files.read_paths(here).text == files.read_paths(there).text
    assert files.read_paths(here).text.startswith("# File: reading.py\n")


def test_the_offline_judges_judge_source_code(tmp_path):
    paths = sources(tmp_path)
    printed = StringIO()

    with pytest.raises(CommandError) as ended:
        call_command("judge", *paths, task="Read orders safely and add them up.", json=True, stdout=printed)

    document = json.loads(printed.getvalue())
    assert ended.value.returncode == 3
    assert document["debate"]["title"] == "reading.py and 1 more"
    assert [one["strategy"] for one in document["judges"]] == ["logic", "dialectic", "rhetoric"]
    assert document["outcome"]["round"] == 3
    assert all(one["scores"] for one in document["criteria"])


def test_a_criterion_that_does_not_apply_is_said(subject, tmp_path):
    answers = alone(("4", "1"), ("4", "1"), ("4.5", "1"))
    for one in answers:
        one["answer"]["criteria"] = one["answer"]["criteria"][:1]

    printed, _ = judge(subject, tmp_path, answers, "--not-applicable", "tests=There is no code yet.")

    assert "does not apply" in printed
