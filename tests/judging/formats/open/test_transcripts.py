"""Debates that really happened: the three ways they are written down, and how they become a debate here."""

import json

import pytest

from debates.errors import Invalid
from judging.formats.open import spec, transcripts
from judging.formats.open.transcripts import Transcript, TranscriptLine
from judging.providers.scripted import MOST_ANSWERS

PLAIN = """Motion: The city should close its centre to private cars.

Lena: Nobody asked the people who drive in.
They begin before dawn.
Tomas: Neighbours stopped to talk there.
Tomas: And shops were let again: three of them.
Lena: Yes.
Lena: That is right about the shops."""
LINES = (
    TranscriptLine("Lena", "Nobody asked the people who drive in.\nThey begin before dawn."),
    TranscriptLine("Tomas", "Neighbours stopped to talk there.\n\nAnd shops were let again: three of them."),
    TranscriptLine("Lena", "That is right about the shops."),
)
TURNS = [
    {"speaker": "Lena", "text": "Nobody asked the people who drive in."},
    {"speaker": "Tomas", "text": "Neighbours stopped to talk there."},
    {"speaker": "Lena", "text": "That is right about the shops."},
]


def test_plain_text_has_names_and_colons():
    motion = "The city should close its centre to private cars."

    assert transcripts.read(PLAIN) == Transcript(LINES, motion=motion, heard=("Lena", "Tomas"), left_out={"Lena": 1})


LENA = "Nobody asked the people who drive in."
ALONE = [
    pytest.param(
        f"Lena: {LENA}\nTomas:\nNeighbours stopped.\nLena: {LENA}\nTomas: Three of them.", id="before words elsewhere"
    ),
    pytest.param(f"Lena:\n{LENA}\nTomas: \nNeighbours stopped.\n\nLena:\n{LENA}", id="wherever anybody speaks"),
]


@pytest.mark.parametrize("text", ALONE)
def test_a_name_alone_in_its_row_begins_a_turn_where_it_is_known_to_be_one(text):
    assert [line.speaker for line in transcripts.read(text).lines[:3]] == ["Lena", "Tomas", "Lena"]
    assert transcripts.read(text).lines[0].text == LENA


@pytest.mark.parametrize("turns", [f"Lena: {LENA}\nTomas: Three of them.", f"Lena:\n{LENA}\n\nTomas:\nThree of them."])
@pytest.mark.parametrize("motion", ["Motion: Cars out of the centre.", "Motion:\nCars out\nof the centre.\n"])
def test_the_motion_comes_first_on_its_own_line_or_below_and_is_nobodys_turn(motion, turns):
    read = transcripts.read(f"{motion}\n{turns}")

    assert (read.motion, [line.speaker for line in read.lines]) == ("Cars out of the centre.", ["Lena", "Tomas"])


def test_a_row_that_is_too_long_for_a_name_is_words_whatever_it_ends_with():
    long = f"What {'very ' * 12}many of them have said to us is this:"

    [line] = transcripts.read(f"Lena: {LENA}\n{long}\nOpen the street.").lines

    assert line.text == f"{LENA}\n{long}\nOpen the street."


def test_json_is_a_list_of_turns_or_an_object_that_says_more():
    bare = transcripts.read(json.dumps(TURNS))
    full = transcripts.read(
        json.dumps({"motion": "Cars out.", "turns": TURNS, "speakers": {"Lena": {"stance": -0.7, "framework": ""}}})
    )

    assert bare.lines == full.lines
    assert [one.speaker for one in bare.lines] == ["Lena", "Tomas", "Lena"]
    assert full.motion == "Cars out."
    assert str(full.positions["Lena"]["stance"]) == "-0.7"


def utterance(number, speaker, text, conversation="c1"):
    return json.dumps(
        {"id": str(number), "speaker": speaker, "conversation_id": conversation, "timestamp": number, "text": text}
    )


CORPUS = "\n".join(
    [
        utterance(3, "Lena", "That is right about the shops."),
        utterance(1, "Lena", "Nobody asked the people who drive in."),
        utterance(2, {"id": "Tomas"}, "Neighbours stopped to talk there."),
        utterance(4, "Ruth", "Something else altogether.", conversation="c2"),
    ]
)


def test_a_corpus_is_read_by_conversation_and_in_order_of_time():
    first, second = transcripts.read(CORPUS), transcripts.read(CORPUS, conversation="c2")

    assert [one.speaker for one in first.lines] == ["Lena", "Tomas", "Lena"]
    assert first.lines[0].text == "Nobody asked the people who drive in."
    assert second.speakers == ("Ruth",)


BACKWARDS = [("3", "2"), ("2", "1"), ("1", None)]
"""Utterances and what they answer, as ConvoKit's corpus of films has them: the answer first."""


@pytest.mark.parametrize("key", ["reply-to", "reply_to"])
@pytest.mark.parametrize("times", [(None, None, None), ("10.0", "9.5", "9"), (None, 2, 1), (7, 7, 7), (3, 2, 1)])
def test_a_corpus_is_in_the_order_of_times_or_else_each_behind_what_it_answers(times, key):
    rows = [
        {"id": own, key: answered, "conversation_id": "c", "speaker": own, "text": "Ten letters.", "timestamp": time}
        for (own, answered), time in zip(BACKWARDS, times, strict=True)
    ]

    read = transcripts.read("\n".join(map(json.dumps, rows)))

    assert (read.speakers, read.in_file_order) == (("1", "2", "3"), False)


@pytest.mark.parametrize("answered", [("b", "a"), ("a", "b"), ("gone", None)], ids=["each other", "themselves", "none"])
def test_a_corpus_whose_replies_lead_nowhere_is_whole_and_where_nothing_tells_an_order_that_is_said(answered):
    rows = [
        {"id": own, "reply-to": to, "conversation_id": "c", "speaker": own, "text": "Ten letters."}
        for own, to in zip("ab", answered, strict=True)
    ]

    read = transcripts.read("\n".join(map(json.dumps, rows)))

    assert sorted(read.speakers) == ["a", "b"]
    assert read.in_file_order == (answered == ("gone", None))


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85"])
def test_a_text_of_a_corpus_may_hold_what_ends_a_line_elsewhere(odd):
    rows = [{"speaker": who, "conversation_id": "c", "text": f"Nobody asked{odd}the people."} for who in "AB"]

    read = transcripts.read("\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows))

    assert [line.text for line in read.lines] == [f"Nobody asked{odd}the people."] * 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"turns": [\n {"speaker": "A", "text": "Words."},\n {"speaker": "B", "text": "Words."}\n}', 4),
        ('[\n{"id": "1" "conversation_id": "c"},\n{"id": "2", "conversation_id": "c"}\n]', 2),
        ('{"turns": [\n{"speaker": "A", "text": "Words."}\n{"conversation_id": "c", "text": "Words."}\n]}', 3),
    ],
)
def test_a_fault_of_a_document_is_told_with_its_own_line(text, line):
    with pytest.raises(Invalid, match=rf"^transcript: not JSON: .* line {line} column"):
        transcripts.read(text)


@pytest.mark.parametrize("named", ["conversation_id", "root"])
@pytest.mark.parametrize("conversation", ["", "c"])
def test_a_fault_in_the_first_line_of_a_corpus_is_told_as_in_any_other(conversation, named):
    rows = f'{{"id": "1" "{named}": "c"}}', f'{{"id": "2", "{named}": "c", "speaker": "A", "text": "Words."}}'

    with pytest.raises(Invalid, match=r"^transcript: line 1 is not JSON: "):
        transcripts.read("\n".join(rows), conversation=conversation)


def test_a_corpus_of_one_line_is_a_corpus_too():
    assert transcripts.read(utterance(1, "Lena", "Nobody asked the people.")).speakers == ("Lena",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('{"turns": 1}', "transcript: turns must be a list", id="no list"),
        pytest.param('[{"speaker": "A"}]', "transcript: turn 1: text must be text.", id="no text"),
        pytest.param('[{"text": "words"}]', "transcript: turn 1: speaker must be a name.", id="no speaker"),
        pytest.param("[1]", "transcript: turn 1: must be an object", id="a number for a turn"),
        pytest.param(
            '{"turns": [], "speakers": {"A": {"age": 3}}}', "transcript: speakers, A: unknown 'age'", id="age"
        ),
        pytest.param(
            '{"turns": [], "speakers": [1]}', "transcript: speakers must be an object", id="a list of speakers"
        ),
        pytest.param(
            '{"turns": [], "speaker": {}}',
            "transcript: unknown 'speaker'; known are turns, motion, speakers.",
            id="a strange field",
        ),
        pytest.param(
            json.dumps([TURNS[0], {**TURNS[1], "replyto": 1}]),
            "transcript: turn 2: unknown 'replyto'; known are speaker, text.",
            id="a strange field of a turn",
        ),
        pytest.param(
            '{"turns": [], "speakers": {"lena": {}}}',
            "transcript: speakers, 'lena' says nothing; who",
            id="a silent one",
        ),
        pytest.param('{"turns": [], "motion": null}', "transcript: motion must be text.", id="no motion"),
        pytest.param('{"conversation_id": "c"}\n{"half', "transcript: line 2 is not JSON", id="half a line"),
        pytest.param(
            '{"turns": [{"speaker": "Lena", "speaker": "Otto", "text": "Hi."}]}',
            "transcript: The key 'speaker' stands twice in one object.",
            id="two speakers of one turn",
        ),
        pytest.param(
            '{"conversation_id": "c", "text": "a", "text": "b"}\n',
            "transcript: line 1 is not JSON: The key 'text'",
            id="two texts",
        ),
        pytest.param('{"conversation_id": "c"}\n[1]', "transcript: line 2 must be an object.", id="a list for a line"),
        pytest.param(
            f"Lena: {LENA}\nTomas:\nWhen the market street was closed\nLena: {LENA}",
            "transcript: line 2: 'Tomas' stands alone, and may be a name or words, for line 1 has words after 'Lena'.",
            id="a name or words",
        ),
        pytest.param(
            f"Lena:\n{LENA}\nAnd shops were let again: three of them.",
            "transcript: line 1: 'Lena' stands alone, and may be a name or words, for line 3 has words after 'And",
            id="words like a name, and a name like words",
        ),
        pytest.param(
            f"1. Lena: {LENA}\nTomas: hello",
            "transcript: line 1: words before the first name.",
            id="names with numbers",
        ),
        pytest.param(
            f"Motion: Cars out.\n\nGraz, in May\nLena: {LENA}",
            "transcript: line 3: words before the first name.",
            id="a place before the first name",
        ),
        pytest.param(
            f"[00:00:01] Lena: {LENA}", "transcript: line 1: words before the first name.", id="a time in brackets"
        ),
        pytest.param("[Applause]", "transcript: line 1: words before the first name.", id="a noise in brackets"),
        pytest.param('{"a":' * 100_000, "transcript: not JSON: ", id="a document without a bottom"),
        pytest.param("Nobody\nis named", "transcript: line 1: words before the first name.", id="no name"),
        pytest.param("Motion: Cars out.\n", "transcript: nobody speaks.", id="a motion alone"),
    ],
)
def test_what_cannot_be_read_is_refused_by_place(text, told):
    with pytest.raises(Invalid) as caught:
        transcripts.read(text)

    assert caught.value.message.startswith(told)


def test_an_unknown_conversation_is_refused_with_those_there_are():
    with pytest.raises(Invalid, match=r"there is no conversation 'c3'; there are c1, c2\."):
        transcripts.read(CORPUS, conversation="c3")


@pytest.mark.parametrize("text", [PLAIN, json.dumps(TURNS)], ids=["plain text", "JSON"])
def test_a_conversation_is_chosen_where_there_are_some(text):
    with pytest.raises(Invalid, match=r"only a ConvoKit file has conversations"):
        transcripts.read(text, conversation="c1")


def test_turns_that_are_too_long_are_counted():
    longest = TranscriptLine("Lena", "a" * 8_000)

    assert transcripts.cut(Transcript((longest, TranscriptLine("Tomas", "a" * 8_001)))) == 1


def test_a_name_that_is_too_long_for_a_chair_is_refused_and_not_cut():
    lines = tuple(TranscriptLine(name, "These are words.") for name in ("N" * 61, "Tomas") * 2)

    with pytest.raises(Invalid, match=r"chairs, 1: name must have"):
        spec.checked(transcripts.as_table(Transcript(lines), motion="Cars out of the centre."))


def test_everybody_says_what_they_said_in_the_round_in_which_they_did():
    table = spec.checked(transcripts.as_table(transcripts.read(PLAIN)))

    assert [(one.name, one.provider) for one in table.chairs] == [("Lena", "scripted"), ("Tomas", "scripted")]
    assert (table.exchanges, table.introduction, table.persuasion) == (1, False, False)
    assert table.order == [["Lena", "Tomas"], ["Lena"]]
    assert [(one["purpose"], one["thread"], one["round"], one["answer"]["text"]) for one in table.script] == [
        ("open", "Lena", 0, LINES[0].text),
        ("open", "Tomas", 0, LINES[1].text),
        ("respond", "Lena", 1, LINES[2].text),
    ]


@pytest.mark.parametrize(
    ("order", "rounds"),
    [
        pytest.param("ABAB", ["AB", "AB"], id="in turn"),
        pytest.param("ABCAB", ["ABC", "AB"], id="one says less"),
        pytest.param("ABAC", ["AB", "AC"], id="an answer before the last opening"),
        pytest.param("ABCBA", ["ABC", "BA"], id="an exchange in another order"),
        pytest.param("ABABABC", ["AB", "AB", "ABC"], id="who comes when all is said"),
        pytest.param("AHAHBHA", ["AH", "AHB", "HA"], id="a host between"),
    ],
)
def test_a_round_ends_where_somebody_speaks_again(order, rounds):
    lines = tuple(TranscriptLine(name, f"These are words number {number}.") for number, name in enumerate(order))

    assert ["".join(one.speaker for one in found) for found in transcripts.rounds(Transcript(lines))] == rounds


def test_rounds_of_many_speakers_are_found_without_comparing_each_with_every_other():
    class Name(str):
        __slots__ = ()
        compared = 0

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    lines = tuple(TranscriptLine(Name(f"Guest {number}"), "These are words.") for number in range(1_000))

    assert [len(found) for found in transcripts.rounds(Transcript(lines))] == [1_000]
    assert Name.compared < 10 * len(lines)


def test_a_file_of_speakers_says_more_than_the_transcript():
    told = {"Lena": {"stance": "-0.7", "role": "host"}}
    transcript = Transcript(LINES, positions=told, heard=("Lena", "Tomas"))

    known = transcripts.with_speakers(
        transcript, '{"Lena": {"role": "debater", "side": "against"}, "Tomas": {"side": "for"}}'
    )

    assert known.positions == {
        "Lena": {"stance": "-0.7", "role": "debater", "side": "against"},
        "Tomas": {"side": "for"},
    }
    with pytest.raises(Invalid, match=r"speakers: not JSON"):
        transcripts.with_speakers(transcript, "Lena: host")


def test_who_says_too_little_for_a_turn_is_told_of_all_the_same_beside_the_transcript_and_in_it():
    turns = [*TURNS, {"speaker": "Hanna", "text": "Go on."}]
    roles = {"Hanna": {"role": "host"}}

    beside = [f"{PLAIN}\nHanna: Go on.", json.dumps(turns), f"{CORPUS}\n{utterance(5, 'Hanna', 'Go on.')}"]
    known = [transcripts.with_speakers(transcripts.read(text), json.dumps(roles)) for text in beside]

    assert [each.speakers for each in known] == [("Lena", "Tomas")] * 3
    assert transcripts.read(json.dumps({"turns": turns, "speakers": roles})).lines == known[1].lines
    with pytest.raises(Invalid, match=r"'Ruth' says nothing; who speaks is Lena, Tomas, Hanna\."):
        transcripts.with_speakers(known[0], '{"Ruth": {}}')


def test_persuasion_is_kept_where_everybody_has_a_stance():
    known = {"Lena": {"stance": "-0.7"}, "Tomas": {"stance": "0.5", "strategy": "empathetic"}}

    table = spec.checked(transcripts.as_table(Transcript(LINES, positions=known), motion="Cars out of the centre."))

    assert table.persuasion is True
    assert [one.stance for one in table.chairs] == ["-0.7", "0.5"]
    assert transcripts.as_table(Transcript(LINES, positions={"Lena": {"stance": "0"}})).persuasion is False


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param(LINES[:1], "nobody speaks a second time", id="one speaker"),
        pytest.param(LINES[:2], "nobody speaks a second time", id="openings alone"),
        pytest.param(LINES[:1] * 2, "at least 2 must debate; found 1.", id="one who goes on"),
    ],
)
def test_a_debate_that_does_not_fit_a_table_is_refused(lines, told):
    with pytest.raises(Invalid) as caught:
        transcripts.as_table(Transcript(tuple(lines)))

    assert told in caught.value.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            json.dumps([{"speaker": "A", "text": "Ten letters."}, {"speaker": "B", "text": "Half \ud83d"}]),
            "turn 2 must",
        ),
        (utterance(1, "A", "Half a character: \ud83d"), "utterance 1 must"),
        ("A: Ten letters.\nB: Ten\0letters.", "line 2 must"),
    ],
)
def test_what_no_row_holds_is_refused_with_its_place(text, told):
    with pytest.raises(Invalid, match=f"^transcript: {told} not contain"):
        transcripts.read(text)


def test_two_names_that_differ_by_case_alone_are_both_told():
    said = transcripts.read("Lena: Ten letters.\nTomas: Ten letters.\nLENA: Ten letters.\nTomas: Ten letters.")

    with pytest.raises(Invalid, match=r"^transcript: 'Lena' and 'LENA' differ by case or form alone"):
        transcripts.as_table(said, motion="Cars out.")


def test_more_turns_than_are_judged_are_refused_as_turns():
    said = transcripts.transcript_of(
        [transcripts.TranscriptLine(f"S{number % 30}", "Ten letters.") for number in range(20_001)]
    )
    assert transcripts.MOST_TURNS == MOST_ANSWERS

    with pytest.raises(Invalid, match=r"^transcript: it has 20001 turns; at most 20000 are judged"):
        transcripts.as_table(said, motion="Cars out.")


@pytest.mark.parametrize("colon", [":\u00a0", ":\u3000", "\uff1a", "\uff1a ", "\uff1a\u3000"])
def test_whatever_blank_comes_behind_the_colon_begins_a_turn(colon):
    said = transcripts.read(f"Lena: {LENA}\nTomas: Three of them.\nLena{colon}Ten letters.")

    assert [line.speaker for line in said.lines] == ["Lena", "Tomas", "Lena"]


def test_nobody_stands_there_in_two_spellings():
    turns = [{"speaker": name, "text": LENA} for name in ("A B", "Tomas", "A B")]
    said = {"motion": "Cars out.", "turns": turns, "speakers": {"A B": {"side": "x"}, "A  B": {"stance": "1"}}}

    with pytest.raises(Invalid, match="in two spellings"):
        transcripts.read(json.dumps(said))


@pytest.mark.parametrize(("length", "speakers"), [(60, 2), (61, 1), (79, 1), (80, 1)])
def test_what_is_longer_than_a_name_before_a_colon_is_words(length, speakers):
    assert len(transcripts.read(f"Lena: {LENA}\n{'n' * length}: then it goes on.").speakers) == speakers


ALIKE = [("Jos\u00e9", "Jose\u0301"), ("Ann Lee", "Ann\u00a0Lee"), ("Ann Lee", "Ann  Lee"), ("Ann Lee", "Ann\nLee")]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_a_name_that_looks_alike_is_one_speaker_and_so_is_what_is_known_of_them(name, other):
    turns = [{"speaker": speaker, "text": LENA} for speaker in (name, "Tomas", other)]

    said = transcripts.read(json.dumps({"turns": turns, "speakers": {other: {"side": "for"}}}))

    assert (said.speakers, dict(said.positions)) == ((name, "Tomas"), {name: {"side": "for"}})


def test_of_a_turn_as_long_as_no_answer_may_be_the_beginning_is_said():
    said = Transcript(tuple(TranscriptLine(name, "word " * 90_000) for name in ("Lena", "Tomas", "Lena")))

    table = transcripts.as_table(said, motion="Cars out of the centre.")

    assert {len(answer["answer"]["text"]) for answer in table.script} == {8_000}
