"""``run_debate --format open``: one line plays an open debate and tells what came of it."""

import io
import json
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from debates.errors import DomainError
from debates.models import Debate
from judging.formats.open import results
from judging.formats.open.spec import ChairSpec
from judging.formats.spec import Limits
from judging.management.commands.run_debate import Command, OpenProgress, open_report, open_spec_of
from judging.rules.fairness import Fairness
from tests.judging.formats.open.playing import KONRAD, MIRA, played
from tests.judging.formats.open.scripts import UNFAIR, script, weighs

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
MOTION = "Schools should begin an hour later."


def told(*arguments):
    out = io.StringIO()
    call_command("run_debate", "--format", "open", "--exchanges", "1", *arguments, stdout=out)
    return out.getvalue()


def test_a_preset_debates_a_motion_and_the_end_is_told():
    said = told("--motion", MOTION, "--preset", "three_way_ethics")

    assert "Mira (opening): " in said
    assert "Otto (response): " in said
    assert f"\n{MOTION}\n\nAfter 1 exchange nobody has won: everybody who has responded argues by rule" in said
    assert "Nobody has won, because everybody who responded argued by rule." in said
    assert "standing  fairness    stance  conviction" in said
    assert Debate.objects.get().status == "concluded"


def test_whoever_is_ahead_in_a_debate_without_its_last_word_has_not_won():
    answers = [weighs("Mira", "Konrad"), {"purpose": "sum_up", "error": "It is down.", "permanent": True}]
    held = played(provider="scripted", script=script(*answers), exchanges=1, effects="judge")

    report = open_report(results.document(debate=held))

    assert held.status == "failed"
    assert "After 1 exchange Mira leads" in report
    assert "Won by" not in report


def test_the_document_has_everything_and_nothing_else_is_printed():
    document = json.loads(told("--motion", MOTION, "--json"))

    assert set(document) == {
        "format",
        "debate",
        "exchanges",
        "winner",
        "victory",
        "exercise",
        "scores",
        "surrendered",
        "states",
        "adherence",
        "participants",
        "sentence",
        "judgedBy",
        "fairness",
        "moderation",
        "synthesis",
    }
    assert document["debate"]["motion"] == MOTION
    assert document["exchanges"] == 1
    assert (document["exercise"], document["winner"], document["victory"]) == (True, None, None)
    assert all(document["scores"].values())
    assert {one["provider"] for one in document["judgedBy"]} == {"heuristic"}


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        pytest.param([], "--motion says what an open debate is about; it must not be empty.", id="no motion"),
        pytest.param(
            ["some.md", "--motion", MOTION, "--rounds", "1"],
            "a file, --rounds: only debates of --format criterion know this; asked for is open.",
            id="what another format knows",
        ),
        pytest.param(["--motion", "Why?"], "motion must have at least 10 characters; got 4.", id="a short motion"),
        pytest.param(["--motion", MOTION, "--preset", "duel"], "There is no preset 'duel'", id="an unknown preset"),
        pytest.param(
            ["--motion", MOTION, "--human", "Ghost"], "--human names one of Mira, Otto, each once", id="a ghost"
        ),
        pytest.param(
            ["--motion", MOTION, "--human", "Otto", "--external", "Otto"], "--external names", id="two at once"
        ),
        pytest.param(
            ["--motion", MOTION, "--evaluator", "human", "--judging", "quick"],
            "evaluator: ",
            id="an evaluator of nothing",
        ),
        pytest.param(
            ["--motion", MOTION, "--persuasion-judge", "human", "--blind-names"],
            "fairness: a person or a program judges once",
            id="a person without names",
        ),
        pytest.param(
            ["--motion", MOTION, "--evaluator", "human", "--ballot-seconds", "0"],
            "ballot_seconds: Ensure this value is greater than or equal to 1.",
            id="no time",
        ),
        pytest.param(["--motion", MOTION, "--tone", "loud"], 'tone: "loud" is not a valid', id="an unknown tone"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, refusal):
    with pytest.raises(CommandError) as caught:
        told(*arguments)

    assert str(caught.value).startswith(refusal)
    assert caught.value.returncode == 2
    assert Debate.objects.count() == 0


REQUEST = {
    "motion": MOTION,
    "chairs": [
        {"name": "Ada", "stance": "0.7", "strategy": "analytical", "strategy_changes": "2:empathetic, 3:defensive"},
        {"name": "Ben", "stance": "-0.5", "conviction": "0.6"},
    ],
    "effects": "words",
    "rules": {"bystander_pull": "0.25", "consecutive_persuasion": 4},
    "words": {"persuasion": ["granted"]},
    "exchanges": 3,
}


USUAL = {
    "preset": "classic_clash", "exchanges": 3, "tone": "spirited", "accountability": "moderate", "judging": "full",
    "judge_concurrency": 3, "rule_set": "classic", "turn_seconds": 86_400, "pace": 0, "provider": "heuristic",
    "evaluator": "engine", "ballot_seconds": 259_200,
}  # fmt: skip
UNUSUAL = {
    "preset": "three_way_ethics", "exchanges": 10, "tone": "heated", "accountability": "strict", "judging": "quick",
    "judge_concurrency": 5, "rule_set": "firm", "turn_seconds": 60, "pace": 2, "provider": "scripted",
    "evaluator": "human", "ballot_seconds": 60,
}  # fmt: skip


@pytest.mark.parametrize("name", USUAL)
def test_what_is_typed_holds_over_a_file_be_it_what_holds_without_saying(name, tmp_path):
    path = requested(tmp_path, {"motion": MOTION, name: UNUSUAL[name]})

    typed, left = asked("--request", path, f"--{name.replace('_', '-')}", str(USUAL[name])), asked("--request", path)

    assert typed == asked("--motion", MOTION)
    assert typed != left


def test_a_limit_that_is_typed_leaves_those_of_the_file_and_so_does_how_judges_are_asked(tmp_path):
    file = {"motion": MOTION, "limits": {"money": "1.5", "calls": 40}, "fairness": {"swap": True, "repeats": 3}}
    path = requested(tmp_path, file)

    spec = asked("--request", path, "--max-calls", "9", "--blind-names", "--repeats", "1")

    assert spec.limits == Limits(money=Decimal("1.5"), calls=9)
    assert spec.fairness == Fairness(swap=True, blind_names=True, repeats=1)


@pytest.mark.parametrize("body", [{"limits": None}, {"fairness": [1]}, {"limits": "x"}], ids=str)
def test_limits_that_are_none_are_refused_by_name_beside_one_that_is_typed(body, tmp_path):
    path = requested(tmp_path, {"motion": MOTION, **body})

    with pytest.raises(DomainError) as refusal:
        asked("--request", path, "--max-calls", "9", "--blind-names")
    assert [refusal.value.field] == [*body]


def test_what_nobody_says_is_what_is_usual(tmp_path):
    assert asked("--motion", MOTION) == asked("--request", requested(tmp_path, {"motion": MOTION, **USUAL}))


def asked(*words):
    """What a command line asks for."""
    options = Command().create_parser("manage.py", "run_debate").parse_args(["--format", "open", *words])
    return open_spec_of(vars(options), script=())


def requested(tmp_path, body):
    path = tmp_path / "request.json"
    path.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
    return str(path)


def test_chairs_rules_and_effects_come_from_a_file(tmp_path):
    out = io.StringIO()

    call_command(
        "run_debate", "--format", "open", "--request", requested(tmp_path, REQUEST), "--tone", "heated", "--json",
        stdout=out,
    )  # fmt: skip

    debate = Debate.objects.get()
    table = debate.parameters["table"]
    assert (debate.motion, debate.rounds, table["tone"], table["effects"]) == (MOTION, 3, "heated", "words")
    assert (table["rules"]["bystander_pull"], table["rules"]["consecutive_count"]) == ("0.25", 4)
    assert "granted" in table["words"]["persuasion"]
    ada = debate.participants.get(name="Ada")
    assert [turn.strategy for turn in ada.turns.order_by("pk")] == [
        "analytical",
        "analytical",
        "empathetic",
        "defensive",
    ]
    documented = {chair["name"]: chair["strategyChanges"] for chair in json.loads(out.getvalue())["participants"]}
    assert documented == {
        "Ada": [{"exchange": 2, "strategy": "empathetic"}, {"exchange": 3, "strategy": "defensive"}],
        "Ben": [],
    }


@pytest.mark.parametrize(
    ("body", "more", "refusal"),
    [
        pytest.param("{", [], "is not JSON that can be read", id="no JSON"),
        pytest.param('{"motion": "a", "motion": "b"}', [], "The key 'motion' stands twice", id="a key twice"),
        pytest.param("[]", [], "must hold a JSON object, as the API takes it for the format open.", id="a list"),
        pytest.param(REQUEST | {"preset": "battle_royale"}, [], "chairs and preset: give one of them", id="both"),
        pytest.param(REQUEST | {"rulez": {}}, [], "rulez: There is no such field; known here are", id="unknown"),
        pytest.param(REQUEST | {"format": "panel"}, [], "format: must be open here; got 'panel'.", id="a panel"),
        pytest.param(REQUEST | {"model": "m"}, [], "model: heuristic asks no model", id="a model of no provider"),
        pytest.param(
            REQUEST | {"chairs": [REQUEST["chairs"][1], {"name": "Cy", "model": "m"}]}, [],
            "chairs, 2: model: heuristic asks no model", id="a model of a chair",
        ),
        pytest.param(REQUEST | {"exchanges": "3"}, [], "exchanges: It must be a whole number", id="a text"),
        pytest.param(REQUEST, ["--human", "Ada"], "--human and --external name chairs of a preset", id="its kind"),
        pytest.param(REQUEST | {"rules": {"pull": "1"}}, [], "The rules of persuasion has no pull", id="a rule"),
        pytest.param(
            REQUEST | {"chairs": [REQUEST["chairs"][1], {"name": "Cy", "strategy_changes": "4:defensive"}]}, [],
            "chairs, 2: strategy_changes must name exchanges from 1 to 3, each once and in their order; got '4:def",
            id="a change after the end",
        ),
        pytest.param(
            REQUEST | {"chairs": [REQUEST["chairs"][1], {"name": "Cy", "strategy_changes": "2:shouting"}]}, [],
            "chairs, 2: strategy_changes must be an exchange, a colon and one of analytical",
            id="no strategy",
        ),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_is_refused_with_its_place(tmp_path, body, more, refusal):
    with pytest.raises(CommandError) as caught:
        call_command("run_debate", "--format", "open", "--request", requested(tmp_path, body), *more)

    assert refusal in str(caught.value)
    assert caught.value.returncode == 2
    assert not Debate.objects.exists()


def test_whoever_names_the_offline_judge_plays_a_request_for_models_without_any(tmp_path):
    chairs = [{"name": "Ada", "model": "large"}, REQUEST["chairs"][1]]
    asked = requested(tmp_path, REQUEST | {"provider": "openai", "model": "small", "chairs": chairs})

    told("--request", asked, "--provider", "heuristic")

    assert set(Debate.objects.get().participants.values_list("provider", "model")) == {("heuristic", "")}


def test_people_are_invited_waited_for_and_forfeit_when_nobody_comes():
    err = io.StringIO()

    call_command(
        "run_debate", "--format", "open", "--exchanges", "1", "--motion", MOTION, "--human", "otto",
        "--turn-seconds", "1", stdout=io.StringIO(), stderr=err,
    )  # fmt: skip

    assert re.fullmatch(
        r"Debate (\S+); on the site: /debates/\1/\n"
        r"At most 8 calls, if nothing fails\.\nA person speaks for Otto: http://127\.0\.0\.1:8000/seats/[^/]+/\n",
        err.getvalue(),
    )
    debate = Debate.objects.get()
    otto = debate.participants.get(name="Otto")
    assert (otto.kind, otto.provider, otto.model) == ("human", "", "")
    assert [(turn.kind, turn.text) for turn in otto.turns.order_by("pk")] == [("opening", ""), ("response", "")]
    lines = []
    progress = OpenProgress(write=lines.append, debate=debate)
    for event in debate.events.filter(type="turn:awaited"):
        progress.tell(event)
    assert [line[:23] for line in lines] == ["  0  waiting for Otto u", "  1  waiting for Otto u"]


def test_who_judges_responses_is_invited_and_the_debate_goes_on_when_nobody_comes():
    err = io.StringIO()

    call_command(
        "run_debate", "--format", "open", "--exchanges", "1", "--motion", MOTION, "--evaluator", "human",
        "--persuasion-judge", "external", "--ballot-seconds", "1", stdout=io.StringIO(), stderr=err,
    )  # fmt: skip

    told = err.getvalue()
    assert "\nA person judges as Evaluator: http://127.0.0.1:8000/seats/" in told
    assert "\nA program of somebody's own judges as Judge of persuasion: http://127.0.0.1:8000/seats/" in told
    debate = Debate.objects.get()
    judges = debate.participants.filter(role="judge").order_by("position")
    assert list(judges.values_list("name", "kind")) == [("Evaluator", "human"), ("Judge of persuasion", "external")]
    assert (debate.parameters["table"]["ballot_seconds"], debate.parameters["table"]["effects"]) == (1, "judge")
    assert (debate.status, set(debate.turns.filter(kind="judgement").values_list("text", flat=True))) == (
        "concluded",
        {""},
    )


def test_a_terminal_is_told_who_speaks_and_what_comes_of_it():
    weak = ChairSpec("Konrad", "", "-0.6", "0.45", "defensive")
    moving = {
        "purpose": "respond",
        "thread": "Mira",
        "answer": {"text": "However, consider it, understand it.", "quotes": []},
    }
    silent = {"purpose": "respond", "thread": "Konrad", "answer": {"text": "", "quotes": []}}
    answers = script(moving, silent, {"purpose": "evaluate", "answer": UNFAIR})
    debate = played(provider="scripted", script=answers, chairs=(MIRA, weak), exchanges=3)
    lines = []

    progress = OpenProgress(write=lines.append, debate=debate)
    for event in debate.events.order_by("seq"):
        progress.tell(event)

    assert lines[:4] == ["  0  Arbiter: opening", "  0  Mira: opening", "  0  Konrad: opening", "  1  Mira: response"]
    assert "       Konrad: stance -0.5109, conviction 0.3825" in lines
    assert "       fairness of Mira: 20.00" in lines
    assert "  1  Arbiter: interjection" in lines
    assert "  1  Konrad says nothing" in lines
    assert "       Konrad gives up (persuaded)" in lines


def test_the_progress_calls_the_arbiter_as_the_debate_does():
    debate = played(chairs=(replace(MIRA, name="Arbiter"), KONRAD), exchanges=1)
    lines = []

    progress = OpenProgress(write=lines.append, debate=debate)
    for event in debate.events.order_by("seq"):
        progress.tell(event)

    assert lines[:2] == ["  0  Judge: opening", "  0  Arbiter: opening"]
