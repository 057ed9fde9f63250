"""What the offline judge says it cannot judge: by what, and what it judges all the same."""

import json
import unicodedata
from pathlib import Path

import pytest

from judging.heuristics import subjects
from judging.types import CriterionCard, Unable

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.md"))
GERMAN = (
    "Wir haben im Sommer 120 Brunnen gemessen und die Werte mit denen des Landesamtes verglichen. Der Unterschied ist "
    "kleiner als zwei Prozent. Die Sonden kosten 310 Euro im Jahr und halten nach unserem Test vierzehn Monate."
)
ENGLISH = "We measured 120 wells last summer, and the readings are within two per cent of those of the district."
ACCENTED = "Déjà réparée à l'été, l'école a été blessée par l'hiver, où l'élève a dû être évacuée."
FRENCH = "Nous avons mesuré les puits et les valeurs sont bonnes dans la région."
SPANISH = "Hemos medido los pozos y los valores son muy buenos en la región este año."
NONSENSE = " ".join(f"qwzx{letter}v" for letter in "abcdefghijklmnopqrstuvwxyz" * 2)
LISTED = "soil probes, wells, district budget, rollout plan, farmers, sensors, batteries, licence, pilot, price, margin"
SWAHILI = (
    "Tunapendekeza kujenga kituo cha afya katika kijiji chetu kwa sababu watu wengi wanatembea kilomita kumi kila siku."
)
CROATIAN = "Predlažemo izgradnju doma zdravlja u našem selu jer mnogi ljudi svaki dan hodaju deset kilometara do grada."
TELEGRAM = (
    "Visible harm usually grows slowly. Sometimes reports hide rising costs. Nobody counts broken pumps or wells."
)
CODE = "def answer(key):\n    return kept[key]\n\n\nclass Cache:\n    def size(self):\n        return len(self.kept)\n"

SQL = """SELECT well.name, avg(reading.depth) AS depth
FROM reading
JOIN well ON well.id = reading.well_id
WHERE reading.at > now() - interval '30 days'
GROUP BY well.name
ORDER BY depth DESC
"""
SMALL_SQL = "select name, depth\nfrom wells\nwhere depth > 12\norder by name\n"
TABLE = "CREATE TABLE well (\n    id bigint PRIMARY KEY,\n    name text NOT NULL,\n    depth numeric(6, 2)\n);\n"
SHELL = """#!/bin/sh
set -eu
mkdir -p /srv/wells
cd /srv/wells
curl --fail --output readings.csv "$ADDRESS"
if [ -s readings.csv ]; then
    sort readings.csv | head -n 20
fi
"""
PROMPT = (
    "$ git clone git@example.org:wells.git\n$ cd wells\n$ pip install --requirement requirements.txt\n$ ./measure\n"
)
YAML = """services:
  web:
    image: wells:2
    ports:
      - 8000:8000
    environment:
      DEPTH: metres
      REGION: "north"
  worker:
    image: wells:2
"""
COMPANY = """apiVersion: v1
kind: Service
metadata:
  name: wells
spec:
  ports:
    - port: 80
"""
SPANISH_NAMES = "Los Altos, San Miguel del Monte, La Paz and El Alto need new pumps."
DUTCH_NAMES = "Jan van der Meer, Theo de Vries and Anna van den Berg favour pumps."
LIKE_CODE = {
    "an agenda": "Time: 10:00\nPlace: the fire station\nChair: Otto\nFirst: the budget\nThen: tea\n",
    "an agenda in small letters": "time: 10:00\nplace: library\nchair: otto\ntopic: who pays\n",
    "a recipe": "Flour: 200 g\nSugar: 80 g\nButter: 120 g\nRub it together and bake it for an hour.\n",
    "a dialogue": "anna: I would dig the well.\nbert: And who would pay for it?\nanna: The district.\n",
    "what was said": 'he: "You may take it all."\n  her: "I take the well, and half of the pipes."\n  he: "No way!"\n',
    "a shopping list": "for the workshop:\n- gloves\n- pipes\n- two pumps\n- a long rope for the deep well\n",
    "minutes with points": "decisions:\n  - we dig in May\n  - Otto asks the bank\n  - nobody else pays\n",
    "capitals": "SELECT THE BEST WELLS\nFROM ALL OF THE DISTRICT\nWHERE THERE IS WATER\nAND GIVE THEM AWAY\n",
    "sentences with its words": "FROM the hill one sees all.\nWHERE the road ends is a pump.\nAND so it goes.\n",
    "advice": "select a well from the list.\nupdate the sign beside it.\ndrop the rope slowly, and wait.\n",
    "a poem": "from the hill to the river\nwhere the water is cold\nand the pumps of the village\ngrow old\n",
    "cats and curls": "cat owners met at the well.\ncurl up if it rains.\ngit is a rude word.\n",
    "prices": "The pump costs\n$ 500 for the small one\n$ 900 for the large one\nand the farmers share it.\n",
    "a quoted command": f"{ENGLISH}\nTo see them, type\ncurl https://example.org/wells\nand read what it prints.\n",
    "a table": "| Well | Depth |\n|---|---|\n| North hill | 12 m |\n| By the old mill | 30 m |\n| School | 8 m |\n",
    "either and both": "Pumps and/or wells are paid for by the district.\nEither is fine: we need water.\n",
}  # fmt: skip


def why(text: str) -> str | None:
    answer = subjects.unassessable_text(text)
    return answer and answer.reason.value


@pytest.mark.parametrize(
    ("text", "reason", "named"),
    [
        pytest.param(GERMAN, Unable.LANGUAGE, "in German", id="German"),
        pytest.param(FRENCH, Unable.LANGUAGE, "in French", id="French"),
        pytest.param(unicodedata.normalize("NFD", ACCENTED), Unable.LANGUAGE, "in French", id="French, as in a PDF"),
        pytest.param(SPANISH, Unable.LANGUAGE, "in Spanish", id="Spanish"),
        pytest.param("Мы измерим 120 скважин и сравним данные.", Unable.LANGUAGE, "Cyrillic", id="Russian"),
        pytest.param("我们将测量一百二十口井,并与水务局的数据进行比较。", Unable.LANGUAGE, "in Chinese", id="Chinese"),
        pytest.param("私たちは百二十の井戸を測ります。", Unable.LANGUAGE, "in Japanese", id="Japanese"),
        pytest.param(NONSENSE, Unable.LANGUAGE, "hardly a word", id="no language"),
        pytest.param(SWAHILI, Unable.LANGUAGE, "hardly a word", id="a sentence in Swahili"),
        pytest.param(CROATIAN, Unable.LANGUAGE, "hardly a word", id="a sentence in Croatian"),
        pytest.param("Yes.", Unable.TOO_LITTLE, "a single word", id="yes"),
        pytest.param("Yes. " * 200, Unable.TOO_LITTLE, "a single word", id="yes, often"),
        pytest.param("... ... !!", Unable.TOO_LITTLE, "no word", id="dots"),
        pytest.param("\N{GRINNING FACE}" * 60, Unable.TOO_LITTLE, "no word", id="emoji"),
        pytest.param(CODE, Unable.CODE, "is code", id="code"),
        pytest.param(SQL, Unable.CODE, "is code", id="SQL"),
        pytest.param(SMALL_SQL, Unable.CODE, "is code", id="SQL in small letters"),
        pytest.param(TABLE, Unable.CODE, "is code", id="a table of SQL"),
        pytest.param(SHELL, Unable.CODE, "is code", id="a shell's script"),
        pytest.param(PROMPT, Unable.CODE, "is code", id="what is typed at a prompt"),
        pytest.param(YAML, Unable.CODE, "is code", id="YAML"),
        pytest.param(COMPANY, Unable.CODE, "is code", id="YAML of which few lines are nested"),
        pytest.param(f"Here it is, for the wells.\n\n{SQL}", Unable.CODE, "is code", id="SQL after a sentence"),
        pytest.param(f"Here it is.\n\n```\n{CODE}```\n", Unable.CODE, "is code", id="code between fences"),
    ],
)  # fmt: skip
def test_a_text_that_is_not_read_is_named_with_why_and_what_helps(text, reason, named):
    answer = subjects.unassessable_text(text)

    assert answer is not None
    assert answer.reason is reason
    assert named in answer.why
    assert "language model" in answer.helps


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ENGLISH, id="a sentence"),
        pytest.param(f"{ENGLISH} The report is called \u201cDas Wasser und der Boden\u201d.", id="a German title"),
        pytest.param(f"{SPANISH_NAMES} Wells would serve 40 families.", id="Spanish names"),
        pytest.param(f"{DUTCH_NAMES} Wells would serve 40 families.", id="Dutch names"),
        pytest.param(LISTED, id="a list of words"),
        pytest.param(TELEGRAM, id="hardly an everyday word"),
        pytest.param(f"{ENGLISH}\n\n```\nprint(1)\n```\n", id="a little code"),
        pytest.param("import wells from the district, because they are cheap and everybody asks;", id="one line"),
        pytest.param(ENGLISH.upper(), id="capitals"),
        pytest.param(ENGLISH.replace(". ", "; "), id="one sentence"),
        *(pytest.param(sample.read_text(), id=sample.stem) for sample in SAMPLES),
    ],
)  # fmt: skip
def test_what_is_english_enough_is_read(text):
    assert subjects.unassessable_text(text) is None
    assert subjects.unassessable_panel_subject(text) is None


@pytest.mark.parametrize("mark", ["```", "~~~", "```text"])
@pytest.mark.parametrize("place", ["before it", "inside it", "behind it"])
def test_a_fence_that_is_never_closed_is_none(mark, place):
    first, second = ENGLISH, ENGLISH.replace("wells", "probes")
    text = {
        "before it": f"{mark}\n{first}\n\n{second}",
        "inside it": f"{first}\n\n{mark}\n{second}",
        "behind it": f"{first}\n\n{second}\n{mark}",
    }[place]

    assert subjects.code_lines(text) == []
    assert subjects.unassessable_text(text) is None


@pytest.mark.parametrize("text", LIKE_CODE.values(), ids=LIKE_CODE)
def test_what_only_looks_like_code_is_prose(text):
    assert subjects.code_share(text) == 0


def test_a_panel_reads_code_whatever_language_its_lines_are_in():
    assert subjects.unassessable_panel_subject(CODE) is None
    assert subjects.unassessable_panel_subject("x = 1").reason is Unable.TOO_LITTLE
    assert subjects.unassessable_panel_subject(GERMAN).reason is Unable.LANGUAGE


def test_a_text_of_two_languages_is_in_the_one_of_which_there_is_more():
    assert why(f"{ENGLISH} {ENGLISH.replace('wells', 'springs')} {GERMAN[:93]}") is None
    assert why(f"{GERMAN} {ENGLISH[:40]}") == "language_not_read"


def card(name: str, question: str = "", *, high: str = "", low: str = "") -> CriterionCard:
    return CriterionCard(code="X", name=name, category="", question=question, high=high, low=low)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        pytest.param(card("N", "?"), Unable.CRITERION, id="no words"),
        pytest.param(card("Klarheit", "Wie klar und gut ist der Text für sie?"), Unable.CRITERION, id="German"),
        pytest.param(card("Truthfulness", "Is it true?"), Unable.CRITERION, id="truth"),
        pytest.param(card("Irony", "Is the irony understood?"), Unable.CRITERION, id="irony"),
        pytest.param(card("Instruction following"), Unable.TASK, id="instructions by name"),
        pytest.param(card("Fit", "Does the answer do what the task asks?"), Unable.TASK, id="what the task asks"),
        pytest.param(card("Fit", "Does it fulfil the given instructions?"), Unable.TASK, id="fulfils instructions"),
        pytest.param(card("Clarity", "Is it understood at the first reading?"), None, id="clarity"),
        pytest.param(card("Evidence", "Does the proposal bring evidence for its claims?"), None, id="evidence"),
        pytest.param(card("Design", "How good is it with regard to design, given the task?"), None, id="typed"),
    ],
)  # fmt: skip
def test_a_criterion_that_no_rule_looks_for_is_named(asked, reason):
    answer = subjects.unassessable_card(asked)

    assert (answer and answer.reason) is reason


@pytest.mark.parametrize("name", ["venture", "exhibition"])
def test_every_criterion_of_the_shipped_rubrics_is_one_that_is_looked_for(name):
    rows = json.loads((SAMPLES[0].parent / "rubrics" / f"{name}.json").read_text())["criteria"]
    cards = [card(row["name"], row["question"], high=row["high"], low=row["low"]) for row in rows]

    assert [asked.name for asked in cards if subjects.unassessable_card(asked) is not None] == []


def test_the_language_is_the_same_where_accents_are_characters_of_their_own():
    assert subjects.foreign(unicodedata.normalize("NFD", ACCENTED)) == subjects.foreign(ACCENTED) == "French"
