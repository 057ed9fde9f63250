"""``import_transcript``: a debate that happened is judged as if it had been held here."""

import io
import json

import jsonschema
import pytest
from django.core.management import CommandError, call_command

from debates.models import Debate, Turn
from judging.formats.open import transcripts
from judging.formats.open.transcripts import Transcript, TranscriptLine
from judging.formats.registry import format_of
from judging.management.commands import import_transcript
from judging.models import Call, ResponseEvaluation
from scoring import verify
from scoring.models import Alert
from tests.judging.heuristics.debaters import open_debate

pytestmark = pytest.mark.django_db
MOTION = "The city should close its centre to private cars."


def judged(path, *arguments, err=None):
    out = io.StringIO()
    call_command("import_transcript", str(path), *arguments, stdout=out, stderr=err or io.StringIO())
    return out.getvalue()


@pytest.mark.slow
def test_a_transcript_of_42_turns_runs_to_a_result_offline(tmp_path):
    said = [(turn.scene.speaker, turn.text) for turn in open_debate.play("classic_clash", exchanges=20)]
    path = tmp_path / "debate.txt"
    path.write_text("\n".join([f"Motion: {MOTION}", *(f"{name}: {text}" for name, text in said)]), encoding="utf-8")

    document = json.loads(judged(path, "--json"))

    debate = Debate.objects.get()
    turns = Turn.objects.filter(debate=debate, kind__in=["opening", "response"]).order_by("id")
    assert [(turn.participant.name, turn.text) for turn in turns] == said
    assert len(said) == 42
    assert (debate.status, debate.motion, document["exchanges"]) == ("concluded", MOTION, 20)
    assert ResponseEvaluation.objects.filter(turn__debate=debate, state="scored").count() == 40
    assert set(document["adherence"]) == {"Mira", "Otto"}
    assert set(Call.objects.filter(purpose="evaluate").values_list("provider", flat=True)) == {"heuristic"}
    assert verify.verify(debate_id=debate.pk).faults == ()


@pytest.mark.slow
def test_the_result_of_a_long_debate_among_many_is_as_its_schema_says(tmp_path):
    first = [f"Speaker{at}" for at in range(13)]
    path = tmp_path / "debate.txt"
    path.write_text("\n".join(f"{name}: I do say so." for name in [*first, *31 * first[:2]]), encoding="utf-8")

    document = json.loads(judged(path, "--motion", MOTION, "--judging", "off", "--json"))

    assert (document["exchanges"], len(document["participants"])) == (31, 13)
    assert {row["kind"] for row in document["judgedBy"] if row["role"] == "chair"} == {"transcript"}
    jsonschema.validate(document, format_of("open").result_schema())


def test_who_has_said_their_last_words_is_not_asked_again(tmp_path):
    path = tmp_path / "debate.json"
    turns = [("Lena", "I open this."), ("Tomas", "So do I, then."), ("Lena", "And I go on."), ("Ruth", "I came late.")]
    path.write_text(
        json.dumps([{"speaker": name, "text": f"{text} Really."} for name, text in turns]), encoding="utf-8"
    )

    said = judged(path, "--motion", MOTION)

    debate = Debate.objects.get()
    assert not Turn.objects.filter(debate=debate, slot__startswith="forfeit").exists()
    assert Call.objects.filter(debate=debate, purpose="respond").count() == 2
    assert MOTION in said
    assert not Alert.objects.filter(debate=debate, code="judge_failed").exists()


def test_where_people_stood_is_left_open_where_nobody_said_it(tmp_path):
    path = tmp_path / "debate.txt"
    path.write_text("Ann: I open this debate.\nBen: And I oppose it.\nAnn: Ben opposes it.", encoding="utf-8")

    said = judged(path, "--motion", MOTION)

    rows = {line.split()[0]: line.split()[1:] for line in said.splitlines() if line.startswith(("Ann", "Ben"))}
    assert rows["Ann"][0::2] == ["-", "-"]
    assert rows["Ann"][3:] == ["-"]
    assert rows["Ben"] == ["-", "-", "-", "-"]


def test_a_speaker_may_be_called_as_the_arbiter_is_otherwise(tmp_path):
    path = tmp_path / "debate.txt"
    path.write_text("Arbiter: I open this debate.\nBen: And I oppose it.\nArbiter: Ben opposes it.", encoding="utf-8")

    judged(path, "--motion", MOTION)

    debate = Debate.objects.get()
    assert debate.participants.get(role="arbiter").name == "Judge"
    assert ResponseEvaluation.objects.get(turn__debate=debate).turn.participant.name == "Arbiter"


@pytest.mark.parametrize(("judging", "state"), [("quick", ["quick"]), ("off", [])])
def test_a_transcript_may_be_glanced_at_or_only_played(tmp_path, judging, state):
    path = tmp_path / "debate.txt"
    path.write_text("Ann: I open this debate.\nBen: And I oppose it.\nAnn: Ben opposes it.", encoding="utf-8")

    judged(path, "--motion", MOTION, "--judging", judging)

    assert Debate.objects.get().status == "concluded"
    assert list(ResponseEvaluation.objects.values_list("state", flat=True)) == state


def test_nothing_is_said_where_everybody_spoke_in_turn(tmp_path):
    path, err = tmp_path / "debate.txt", io.StringIO()
    path.write_text("Ann: I open this debate.\nBen: And I oppose it.\nAnn: Ben opposes it.", encoding="utf-8")

    judged(path, "--motion", MOTION, "--json", err=err)

    assert err.getvalue() == ""


@pytest.mark.parametrize(
    ("text", "arguments", "told"),
    [
        pytest.param(
            "Lena: Only I have spoken here.", ["--motion", MOTION], "transcript: nobody speaks", id="one voice"
        ),
        pytest.param(
            "A: Ten letters.\nB: Ten letters.\nA: Ten letters.",
            [],
            "The transcript does not say what was debated: name it with --motion",
            id="no motion",
        ),
        pytest.param("[", [], "transcript: not JSON: Expecting value: line 1 column 2", id="half a file"),
    ],
)
def test_what_cannot_be_judged_is_refused(tmp_path, text, arguments, told):
    path = tmp_path / "debate"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(CommandError) as caught:
        judged(path, *arguments)

    assert str(caught.value).startswith(told)
    assert caught.value.returncode == 2
    assert Debate.objects.count() == 0


@pytest.mark.parametrize("aside", [False, True], ids=["in the transcript", "beside it"])
def test_a_number_beyond_all_numbers_is_refused_in_words(tmp_path, aside):
    turns = [{"speaker": name, "text": "Ten letters."} for name in ("Lena", "Tomas", "Lena")]
    odd = '{"Lena": {"stance": 1e99999999999999999999}}'
    path, speakers = tmp_path / "debate.json", tmp_path / "speakers.json"
    speakers.write_text(odd, encoding="utf-8")
    path.write_text(f'{{"turns": {json.dumps(turns)}, "speakers": {"{}" if aside else odd}}}', encoding="utf-8")

    with pytest.raises(CommandError, match="1e99999999999999999999 has too large an exponent") as caught:
        judged(path, "--motion", MOTION, *(["--speakers", str(speakers)] if aside else []))

    assert caught.value.returncode == 2


def test_words_that_are_left_out_of_a_long_turn_are_told_of():
    lines = tuple(TranscriptLine(name, length * "a") for name, length in (("Lena", 8_000), ("Tomas", 8_001)))

    assert import_transcript.warnings(Transcript(lines)) == (
        "1 of 2 turns have more than 8000 characters; of each of them so many are taken.\n"
    )


def test_whose_short_words_are_left_out_is_told():
    said = transcripts.read(
        "Ann: I open this debate.\nBen: ok.\nAnn: I go on with it.\nBen: hm hm.\nCleo: I do too.\nAnn:\n"
    )

    assert import_transcript.warnings(said) == "What has less than 10 characters is left out: Ben 2, Cleo 1.\n"


def test_who_is_nobody_is_told_to_be_one_person():
    lines = tuple(TranscriptLine(name, "Ten letters.") for name in ("[deleted]", "Tomas"))

    assert import_transcript.warnings(Transcript(lines)).startswith("[deleted] is judged as one person")


def test_an_order_that_nothing_tells_is_told_of():
    lines = tuple(TranscriptLine(name, "Ten letters.") for name in ("Lena", "Tomas"))

    assert import_transcript.warnings(Transcript(lines, in_file_order=True)) == (
        "Neither times nor replies say who spoke first: it is judged in the order of the file.\n"
    )


def held(path, *, turns=12):
    """Two who speak in turn: openings, and a response for each further turn."""
    said = [
        f"{name}: I say this as number {at}, and I mean it." for at, name in enumerate(["Ann", "Ben"] * (turns // 2))
    ]
    path.write_text("\n".join([f"Motion: {MOTION}", *said]), encoding="utf-8")
    return path


def test_a_limit_of_calls_is_of_judgements_and_not_of_turns_that_are_said_again(tmp_path):
    path = held(tmp_path / "debate.txt")

    judged(path, "--max-calls", "11")
    calls = Call.objects.exclude(provider="scripted").count()

    assert (calls, Debate.objects.get().partial) == (11, False)


def test_a_debate_that_a_limit_ends_says_so_with_its_exit_status(tmp_path):
    path = held(tmp_path / "debate.txt")

    with pytest.raises(CommandError) as caught:
        judged(path, "--max-calls", "5")

    assert (caught.value.returncode, str(caught.value)) == (1, "Not everything was judged (budget spent).")


def test_a_debate_of_which_a_limit_ends_the_closing_words_alone_says_that_everything_was_judged(tmp_path):
    path = held(tmp_path / "debate.txt")

    with pytest.raises(CommandError) as caught:
        judged(path, "--max-calls", "10")

    said = "Everything was judged, without closing words (budget spent)."
    assert (caught.value.returncode, str(caught.value)) == (1, said)


def test_a_limit_under_which_nothing_could_count_is_refused(tmp_path):
    path = held(tmp_path / "debate.txt")

    with pytest.raises(CommandError, match="calls must be at least 2") as caught:
        judged(path, "--max-calls", "1")

    assert caught.value.returncode == 2
    assert not Debate.objects.exists()


def test_who_sees_a_debate_is_chosen_and_where_it_is_is_said(tmp_path):
    path, err = held(tmp_path / "debate.txt", turns=4), io.StringIO()

    judged(path, "--visibility", "private", err=err)

    debate = Debate.objects.get()
    assert debate.visibility == "private"
    assert err.getvalue() == (
        f"Debate {debate.public_id}; on the site: /debates/{debate.public_id}/\nTurns: Ann 2, Ben 2.\n"
    )
