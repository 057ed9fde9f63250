"""``run_debate --format open``: one line plays an open debate and tells what came of it."""

import io
import json
import re

import pytest
from django.core.management import CommandError, call_command

from debates.models import Debate
from judging.formats.open.spec import ChairSpec
from judging.management.tables import OpenProgress
from tests.judging.formats.open.playing import MIRA, played
from tests.judging.formats.open.scripts import UNFAIR, script

pytestmark = pytest.mark.django_db(transaction=True)
MOTION = "Schools should begin an hour later."


def told(*arguments):
    out = io.StringIO()
    call_command("run_debate", "--format", "open", "--exchanges", "1", *arguments, stdout=out)
    return out.getvalue()


def test_a_preset_debates_a_motion_and_the_end_is_told():
    said = told("--motion", MOTION, "--preset", "three_way_ethics")

    assert "Mira (opening): " in said
    assert "Otto (response): " in said
    assert f"\n{MOTION}\n\nAfter 1 exchange nobody has won: everybody at the table argues by rule" in said
    assert "Nobody has won, because everybody here argued by rule." in said
    assert "standing  fairness    stance  conviction" in said
    assert Debate.objects.get().status == "concluded"


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
            ["--motion", MOTION, "--tone", "loud"],
            'tone: "loud" is not a valid',
            id="an unknown tone",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, refusal):
    with pytest.raises(CommandError) as caught:
        told(*arguments)

    assert str(caught.value).startswith(refusal)
    assert caught.value.returncode == 2
    assert Debate.objects.count() == 0


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
