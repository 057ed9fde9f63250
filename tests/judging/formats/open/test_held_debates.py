"""A debate that was held is judged in the order in which it was, with its hosts and its audience."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from debates.models import Debate, Turn
from judging.formats.open import page as open_page
from judging.formats.open import transcripts
from judging.formats.open.transcripts import Transcript, TranscriptLine
from judging.models import Effect, ParticipantState, ResponseEvaluation
from scoring import verify
from tests.texts import WITHOUT_COLLECTED_FILES, address, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
MOTION = "The city should close its centre to private cars."
TEXT = f"""Motion: {MOTION}
Hanna: Welcome to this evening. Lena, you begin, please.
Lena: Nobody asked the people who drive in before dawn whether they consent. A plumber with a van has no tram to take.
Tomas: When the market street was closed, neighbours stopped to talk there, and three empty shops were let again.
Lena: Tomas is right that shops were let again in the market street. But the plumber with his van was not asked.
Hanna: Let us hear a question from the audience, please.
Guest: What about those who sit in a wheelchair?
Ruth: Tomas speaks of neighbours. Whoever pushes a wheelchair needs the kerb that a parked car takes away.
Lena: A kerb can be cleared without closing a city, and I admit that my view has no answer for whoever cannot drive.
Tomas: Lena says that nobody asked the plumber. But nobody asked the neighbours, either, when the cars came.
Hanna: Thank you all for coming tonight.
"""
SPEAKERS = {
    "Hanna": {"role": "host"},
    "Guest": {"role": "audience"},
    "Lena": {"side": "against", "stance": "-0.6"},
    "Tomas": {"side": "for", "stance": "0.6"},
    "Ruth": {"side": "for", "stance": "0.4"},
}
ORDER = ["Hanna", "Lena", "Tomas", "Lena", "Hanna", "Guest", "Ruth", "Lena", "Tomas", "Hanna"]


def judged(tmp_path, *, text=TEXT, speakers=SPEAKERS):
    file, known, out = tmp_path / "debate.txt", tmp_path / "speakers.json", io.StringIO()
    file.write_text(text, encoding="utf-8")
    known.write_text(json.dumps(speakers), encoding="utf-8")
    call_command("import_transcript", str(file), "--speakers", str(known), "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def said():
    turns = Turn.objects.filter(kind__in=["opening", "response"]).exclude(text="").order_by("id")
    return [turn.participant.name for turn in turns.select_related("participant")]


def test_everybody_speaks_in_the_order_in_which_they_spoke(tmp_path):
    judged(tmp_path)

    assert said() == ORDER
    assert Debate.objects.get().status == "concluded"
    assert not Turn.objects.filter(slot__startswith="forfeit").exists()


def test_hosts_and_the_audience_are_not_judged_and_neither_win_nor_lose(tmp_path):
    document = judged(tmp_path)

    assert set(ResponseEvaluation.objects.values_list("turn__participant__name", flat=True)) == {
        "Lena",
        "Tomas",
        "Ruth",
    }
    assert set(document["scores"]) == set(document["adherence"]) == set(document["states"]) == {"Lena", "Tomas", "Ruth"}
    assert {one["name"]: (one["part"], one["side"]) for one in document["participants"]} == {
        "Hanna": ("host", None),
        "Guest": ("audience", None),
        "Lena": ("debater", "against"),
        "Tomas": ("debater", "for"),
        "Ruth": ("debater", "for"),
    }
    assert "does not say who argued better" in document["synthesis"]
    assert verify.verify(debate_id=Debate.objects.get().pk).faults == ()


@pytest.mark.parametrize("speakers", [SPEAKERS, {"Hanna": {"role": "host"}, "Guest": {"role": "audience"}}])
def test_a_page_shows_hosts_and_the_audience_in_the_transcript_and_not_among_those_who_are_judged(tmp_path, speakers):
    judged(tmp_path, speakers=speakers)

    page = words(address(Debate.objects.get()))

    assert "What about those who sit in a wheelchair?" in page
    assert [chair.name for chair in open_page.table(debate=Debate.objects.get()).chairs] == ["Lena", "Tomas", "Ruth"]


def test_nobody_moves_an_ally_a_host_or_the_audience(tmp_path):
    judged(tmp_path)

    moved = set(Effect.objects.values_list("speaker__name", "listener__name"))
    assert moved == {("Lena", "Tomas"), ("Lena", "Ruth"), ("Ruth", "Lena"), ("Tomas", "Lena")}
    assert not ParticipantState.objects.filter(surrender__gt="").exists()


def test_a_debate_of_any_length_with_any_number_of_speakers_is_read():
    names = ["Hanna", *(f"Guest {number}" for number in range(30)), "Ann", "Ben"]
    lines = [TranscriptLine(name, "These are words.") for _ in range(80) for name in ("Ann", "Ben", "Hanna")]
    lines += [TranscriptLine(name, "These are words.") for name in names]
    positions = {name: {"role": "audience"} for name in names if name not in {"Ann", "Ben"}}

    table = transcripts.as_table(Transcript(tuple(lines), positions=positions), motion=MOTION)

    assert table.exchanges == 80
    assert [name for names in table.order for name in names] == [one.speaker for one in lines]


@pytest.mark.parametrize(
    ("speakers", "told"),
    [
        ({"Lena": {"role": "chair"}}, "chairs, 2: role must be one of debater, host, audience; got 'chair'."),
        ({"Nobody": {"role": "host"}}, "transcript: speakers, 'Nobody' says nothing;"),
        ({name: {"role": "host"} for name in ("Lena", "Tomas", "Ruth", "Guest")}, "transcript: at least 2 must debate"),
        ({**SPEAKERS, "Lena": {"side": "for"}}, "chairs: at least two must debate, and not all for one side."),
        ({**SPEAKERS, "Lena": {"side": ["for"]}}, "chairs, 2: side must be text."),
        ({**SPEAKERS, "Lena": {"side": None}}, "chairs, 2: side must be text."),
        ([], "transcript: speakers must be an object of objects"),
    ],
    ids=["a strange role", "a strange name", "one debater", "one side", "sides", "no side", "a list"],
)
def test_what_is_said_of_speakers_has_to_fit(tmp_path, speakers, told):
    with pytest.raises(CommandError) as caught:
        judged(tmp_path, speakers=speakers)

    assert str(caught.value).startswith(told)
