"""Pages of rubrics: read, written and compared with a browser that knows no script; what is typed is kept."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from debates.models import Debate
from scoring import rubrics
from scoring.models import Rubric
from scoring.services import rubric_store
from scoring.views.rubrics import made_with, marked, pieces
from tests import factories
from tests.api.clients import Api

pytestmark = pytest.mark.django_db
CRITERION = {
    "code": "W1", "name": "Water", "category": "yield", "question": "Is there water?", "high": "All year.",
    "low": "None.", "weight": "0.5",
}  # fmt: skip
ROAD = {**CRITERION, "code": "W2", "name": "Road", "category": "access", "question": "Is there a road?"}
WELLS = {"slug": "wells", "name": "Wells", "description": "For wells.", "criteria": [CRITERION, ROAD]}


def signed_in(name: str, *permissions: str) -> Client:
    client = Client()
    user = factories.person(name, permissions=permissions)
    user.is_staff = False
    user.save()
    client.force_login(user)
    return client


@pytest.fixture
def alice() -> Client:
    """Somebody who may add rubrics."""
    return signed_in("alice", "add_rubric")


def stored(rubric=None, **more) -> Rubric:
    return rubric_store.write(snapshot=rubrics.checked({**(rubric or WELLS), **more}), by=None)


def form_of(rubric, **more) -> dict[str, str]:
    """What a browser sends for a rubric."""
    rows = rubric["criteria"]
    sent = {name: rubric[name] for name in ("slug", "name", "description")}
    sent |= {"criteria-TOTAL_FORMS": str(len(rows)), "criteria-INITIAL_FORMS": str(len(rows))}
    sent |= {f"criteria-{number}-{name}": row[name] for number, row in enumerate(rows) for name in row}
    return {**sent, "do": "save", **more}


def fields_of(answer) -> dict[str, str]:
    """What the form on a page holds, by field."""
    page = answer.content.decode()
    found = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = (re.search(rf'\b{part}="([^"]*)"', tag) for part in ("name", "value"))
        if name:
            found[name[1]] = unescape(value[1]) if value else ""
    for name, value in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', page, flags=re.DOTALL):
        found[name] = unescape(value)
    return found


def faults_of(answer) -> dict[str, list[str]]:
    """What a page says next to each field: {id of the field: faults}."""
    lists = re.findall(r'<ul class="errorlist[^"]*" id="([^"]+)_error">(.*?)</ul>', answer.content.decode(), re.DOTALL)
    return {field: [unescape(row) for row in re.findall(r"<li>(.*?)</li>", rows)] for field, rows in lists}


def test_everybody_reads_a_rubric_its_versions_and_the_public_debates_that_were_made_with_it():
    first = stored()
    second = rubric_store.write(snapshot=rubrics.checked({**WELLS, "name": "Deeper"}), by=None, seen=1)
    public, private = (factories.debate(parameters={"rubric": rubrics.snapshot_of(first)}, title=title) for title in
                       ("Public wells", "Private wells"))  # fmt: skip
    Debate.objects.filter(pk=private.pk).update(visibility="private")

    listed = Client().get("/rubrics/", {"q": "deep"}).content.decode()
    page = Client().get(f"/rubrics/{first.public_id}/").content.decode()

    assert (f"/rubrics/{second.public_id}/" in listed, f"/rubrics/{first.public_id}/" in listed) == (True, False)
    assert "Is there a road?" in page
    assert (str(public.public_id) in page, str(private.public_id) in page) == (True, False)
    assert f"/rubrics/{second.public_id}/" in page
    assert "Edit as version" not in page
    assert "by the operator" not in page


def test_words_of_any_script_are_written_and_read_in_their_own_direction(alice):
    rubric = stored()

    read = Client().get(f"/rubrics/{rubric.public_id}/").content.decode()
    written = re.findall(r'<textarea[^>]*>|<input type="text"[^>]*>', alice.get("/rubrics/new/").content.decode())

    assert f'<h1 dir="auto">{rubric.name}</h1>' in read
    assert re.search(r'<span class="criterion-name" dir="auto">', read)
    assert [field for field in written if field.count(' dir="auto"') != 1] == []
    assert len(written) > 1


def test_which_debates_used_a_rubric_is_looked_up_in_an_index():
    rubric = stored()
    factories.debate(parameters={"rubric": rubrics.snapshot_of(rubric)})
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # a table of one row is read whole

    assert "debate_by_rubric" in made_with(rubric, visitor=None).order_by().select_related(None).values("pk").explain()


def test_a_new_rubric_is_what_the_api_would_have_stored(alice):
    answer = alice.post("/rubrics/new/", form_of(WELLS))

    rubric = Rubric.objects.get(slug="wells")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/rubrics/{rubric.public_id}/")
    assert rubrics.snapshot_of(rubric) == WELLS
    assert (rubric.version, rubric.created_by.username) == (1, "alice")


@pytest.mark.parametrize("letter", ["ж", "字", "\N{MATHEMATICAL SCRIPT CAPITAL A}"])
def test_a_rubric_of_the_longest_texts_is_saved_from_the_form_in_any_letters(alice, letter):
    longest = {name: letter * rubrics.LENGTHS[name] for name in ("question", "high", "low")}
    rows = [{**CRITERION, "code": str(number), **longest} for number in range(rubrics.MOST_CRITERIA)]
    form = form_of({**WELLS, "criteria": rows})
    [tag] = re.findall(r"<form[^>]*rubric-form[^>]*>", alice.get("/rubrics/new/").content.decode())
    by_url = {"data": urlencode(form), "content_type": "application/x-www-form-urlencoded"}

    answer = alice.post("/rubrics/new/", **({"data": form} if "multipart/form-data" in tag else by_url))

    assert answer.status_code == 302
    assert Rubric.objects.get(slug="wells").criteria_count == rubrics.MOST_CRITERIA


@pytest.mark.parametrize("written", [rubrics.as_json, rubrics.as_yaml])
def test_the_file_of_a_rubric_of_the_longest_texts_is_read_again(alice, written):
    longest = {name: "字" * rubrics.LENGTHS[name] for name in ("question", "high", "low")}
    rows = [{**CRITERION, "code": str(number), **longest} for number in range(rubrics.MOST_CRITERIA)]
    text = written({**WELLS, "criteria": rows})

    for sent in ({"file": SimpleUploadedFile("rubric", text.encode())}, {"text": text}):
        answer = alice.post("/rubrics/import/", sent)
        assert answer.status_code == 200
        assert fields_of(answer)["criteria-99-low"] == longest["low"]


def test_a_file_of_more_parts_than_any_rubric_has_is_refused_before_anything_is_made_of_it(alice):
    answer = alice.post("/rubrics/import/", {"file": SimpleUploadedFile("rubric", b"a: [" + b"a," * 200_000 + b"]")})

    assert answer.status_code == 422
    assert any("a rubric has not so many parts" in fault for fault in faults_of(answer)["id_text"])


def test_a_next_version_begins_with_the_newest_and_follows_the_one_that_was_seen(alice):
    alice.post("/rubrics/new/", form_of(WELLS))
    first = Rubric.objects.get(slug="wells")
    form = fields_of(alice.get(f"/rubrics/{first.public_id}/next/"))
    assert (form["criteria-1-question"], form["seen"]) == ("Is there a road?", "1")

    answer = alice.post(f"/rubrics/{first.public_id}/next/", {**form, "name": "Deeper", "slug": "other", "do": "save"})

    assert answer.status_code == 302
    assert [(row.slug, row.version, row.name) for row in Rubric.objects.filter(slug__in=["wells", "other"])] == [
        ("wells", 2, "Deeper"),
        ("wells", 1, "Wells"),
    ]


BAD = [
    pytest.param({"criteria-1-code": "W1"}, {"id_criteria-1-code": ["The code W1 is used more than once."]}, id="code"),
    pytest.param(
        {"criteria-0-weight": "0"},
        {"id_criteria-0-weight": ["Weight must be a number from 0.000001 to 1000 with at most 6 places; got 0."]},
        id="zero",
    ),
    pytest.param(
        {"criteria-0-weight": "much"},
        {"id_criteria-0-weight": ["Weight must be a number from 0.000001 to 1000 with at most 6 places; got 'much'."]},
        id="in words",
    ),
    pytest.param({"criteria-1-high": "  "}, {"id_criteria-1-high": ["This field is required."]}, id="empty"),
    pytest.param(
        {"slug": "two words"},
        {"id_slug": ["Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."]},
        id="slug",
    ),
    pytest.param(
        {"criteria-0-code": "W" * 21},
        {"id_criteria-0-code": ["Ensure this value has at most 20 characters (it has 21)."]},
        id="long",
    ),
]


@pytest.mark.parametrize(("change", "faults"), BAD)
def test_what_is_wrong_is_said_next_to_its_field_and_everything_typed_is_kept(alice, change, faults):
    sent = form_of(WELLS) | change

    answer = alice.post("/rubrics/new/", sent)

    assert answer.status_code == 422
    assert faults_of(answer) == faults
    assert {name: value for name, value in fields_of(answer).items() if name in sent} == {
        name: value for name, value in sent.items() if name != "do"
    }
    assert not Rubric.objects.filter(slug="wells").exists()


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        pytest.param({"criteria": [CRITERION, CRITERION]}, "invalid", "/criteria/1/code", id="a code twice"),
        pytest.param({"criteria": [{**CRITERION, "weight": "0"}]}, "out_of_range", "/criteria/0/weight", id="zero"),
    ],
)
def test_page_and_api_refuse_with_one_code_at_one_place(alice, change, code, pointer):
    rubric = {**WELLS, **change}
    user = factories.person("bob", permissions=["add_rubric"])

    refused = Api(user).post("/rubrics/", rubric)
    page = alice.post("/rubrics/new/", form_of(rubric))

    assert (refused.status_code, refused.json()["code"]) == (page.status_code, code) == (422, code)
    assert [(row["pointer"], row["code"]) for row in refused.json()["errors"]] == [(pointer, code)]
    number, field = pointer.split("/")[2:]
    form = page.context["forms"].criteria.forms[int(number)]
    assert [error.code for error in form.errors.as_data()[field]] == [code]


@pytest.mark.parametrize(
    ("do", "codes"),
    [
        pytest.param("add", ["W1", "W1", ""], id="add"),
        pytest.param("remove-1", ["W1"], id="remove"),
        pytest.param("up-2", ["W1", "W1"], id="up"),
        pytest.param("down-9", ["W1", "W1"], id="no such row"),
        pytest.param("keep", ["W1", "W1"], id="keep"),
    ],
)
def test_rows_are_moved_with_whatever_is_typed_in_them_right_or_wrong(alice, do, codes):
    sent = form_of(WELLS, do=do) | {"criteria-1-code": "W1", "criteria-1-weight": "much", "slug": "two words"}

    form = fields_of(alice.post("/rubrics/new/", sent))

    count = int(form["criteria-TOTAL_FORMS"])
    assert [form[f"criteria-{number}-code"] for number in range(count)] == codes
    place = {"up-2": 0, "remove-1": 0}.get(do, 1)
    assert (form[f"criteria-{place}-weight"], form[f"criteria-{place}-name"], form["slug"]) == (
        "much",
        "Road",
        "two words",
    )


def test_the_last_row_is_emptied_rather_than_removed(alice):
    form = fields_of(alice.post("/rubrics/new/", form_of({**WELLS, "criteria": [CRITERION]}, do="remove-1")))

    assert (form["criteria-TOTAL_FORMS"], form["criteria-0-code"]) == ("1", "")


def test_a_hundred_criteria_are_saved_and_no_more_are_added(alice):
    many = {**WELLS, "criteria": [{**CRITERION, "code": f"W{number}"} for number in range(100)]}

    page = alice.post("/rubrics/new/", form_of(many, do="add"))
    added = fields_of(page)
    answer = alice.post("/rubrics/new/", form_of(many))

    assert ("A rubric has at most 100 criteria." in page.content.decode(), b'value="add"' in page.content) == (
        True,
        False,
    )
    assert (added["criteria-TOTAL_FORMS"], answer.status_code) == ("100", 302)


def test_who_comes_late_sees_whose_version_is_newer_and_may_save_over_it(alice):
    alice.post("/rubrics/new/", form_of(WELLS))
    first = Rubric.objects.get(slug="wells")
    late = fields_of(alice.get(f"/rubrics/{first.public_id}/next/")) | {"description": "Mine."}
    alice.post(f"/rubrics/{first.public_id}/next/", {**late, "name": "Deeper", "do": "save"})

    refused = alice.post(f"/rubrics/{first.public_id}/next/", {**late, "do": "save"})

    assert refused.status_code == 422
    shown = unescape(refused.content.decode())
    assert "is at version 2, by alice of" in shown
    assert "Look at it before you store the next." in shown
    assert "Save as version 3 all the same" in shown
    assert (fields_of(refused)["description"], fields_of(refused)["seen"]) == ("Mine.", "1")
    assert alice.post(f"/rubrics/{first.public_id}/next/", {**late, "over": "2"}).status_code == 302
    assert Rubric.objects.get(slug="wells", version=3).description == "Mine."


def test_a_slug_that_is_taken_is_said_next_to_it(alice):
    stored()

    trusted = signed_in("bob", "add_rubric", "change_rubric")

    answers = [client.post("/rubrics/new/", form_of(WELLS)) for client in (alice, trusted)]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert {faults_of(answer)["id_slug"][0].split(".")[0] for answer in answers} == {"This slug is taken"}
    at = f'href="/rubrics/{Rubric.objects.get(slug="wells").public_id}/">Look at what has this slug'
    assert [at in answer.content.decode() for answer in answers] == [True, True]
    assert {fields_of(answer)["criteria-1-name"] for answer in answers} == {"Road"}


@pytest.mark.parametrize("address", ["/rubrics/new/", "/rubrics/{}/next/"])
def test_what_a_double_click_saves_twice_is_stored_once_and_led_to(alice, address):
    if "{}" in address:
        alice.post("/rubrics/new/", form_of(WELLS))
        address = address.format(Rubric.objects.get(slug="wells").public_id)
    form = form_of(
        WELLS, name="Deeper", **{name: fields_of(alice.get(address)).get(name, "") for name in ("once", "seen")}
    )

    leads = [alice.post(address, form).headers["Location"] for _ in range(2)]

    assert set(leads) == {f"/rubrics/{Rubric.objects.get(name='Deeper').public_id}/"}
    assert alice.post(address, {**form, "once": "of another page"}).status_code == 422


def test_only_who_may_writes_and_others_are_told():
    rubric = stored()
    stranger, writer = signed_in("bob"), signed_in("charlie", "add_rubric")
    ways = ["/rubrics/new/", "/rubrics/import/", f"/rubrics/{rubric.public_id}/next/"]

    assert [Client().get(way).headers["Location"].split("?")[0] for way in ways] == ["/accounts/login/"] * 3
    assert [stranger.get(way).status_code for way in ways] == [403] * 3
    assert [writer.get(way).status_code for way in ways] == [200, 200, 403]
    assert "did not make the rubric" in unescape(writer.post(ways[2], form_of(WELLS)).content.decode())
    assert Rubric.objects.filter(slug="wells").count() == 1


def test_a_copy_begins_with_everything_but_the_slug(alice):
    form = fields_of(alice.get("/rubrics/new/", {"from": stored().public_id}))

    assert (form["slug"], form["name"], form["criteria-1-code"]) == ("", "Wells (copy)", "W2")


@pytest.mark.parametrize(("kind", "read"), [("json", json.loads), ("yaml", yaml.safe_load)])
def test_a_file_of_a_rubric_makes_the_same_rubric_elsewhere(alice, kind, read):
    rubric = stored(name="Wells: “deep”, 50 %", description="Line one.\nLine two.")
    answer = Client().get(f"/rubrics/{rubric.public_id}/rubric.{kind}")
    assert read(answer.content.decode()) == rubrics.snapshot_of(rubric) == rubrics.read(answer.content.decode())
    assert f'filename="wells.v1.{kind}"' in answer.headers["Content-Disposition"]
    text = answer.content.decode().replace("wells", "others", 1).encode()

    form = fields_of(alice.post("/rubrics/import/", {"file": SimpleUploadedFile(f"any.{kind}", text)}))
    saved = alice.post("/rubrics/new/", {**form, "do": "save"})

    assert saved.status_code == 302
    assert rubrics.snapshot_of(Rubric.objects.get(slug="others")) == {**rubrics.snapshot_of(rubric), "slug": "others"}


def test_a_file_of_a_slug_that_is_there_becomes_its_next_version(alice):
    alice.post("/rubrics/new/", form_of(WELLS))

    answer = alice.post("/rubrics/import/", {"text": json.dumps({**WELLS, "name": "Deeper"})})

    assert (fields_of(answer)["seen"], fields_of(answer)["name"]) == ("1", "Deeper")
    assert "Save as version 2" in answer.content.decode()


@pytest.mark.parametrize("is_there", [False, True], ids=["new", "a next version"])
def test_rows_of_a_file_are_rearranged_before_it_is_saved_with_what_was_typed_since(alice, is_there):
    if is_there:
        alice.post("/rubrics/new/", form_of(WELLS))
    page = alice.post("/rubrics/import/", {"text": json.dumps(WELLS)})
    buttons = dict(re.findall(r'name="do" value="([^"]+)" formaction="([^"#]*)#', page.content.decode()))
    assert {*buttons} == {"down-1", "up-2", "remove-1", "remove-2", "add"}

    for do, address in buttons.items():
        sent = {**fields_of(page), "name": "Typed since", "do": do}
        rearranged = fields_of(alice.post(address or "/rubrics/import/", sent))
        assert (rearranged.get("name"), "criteria-0-code" in rearranged) == ("Typed since", True), do


REFUSED_FILES = [
    pytest.param(b"", "id_file", "The submitted file is empty.", id="empty"),
    pytest.param(b" \n", "id_file", "This file is empty.", id="blank"),
    pytest.param(b"\xff\xfe{\x00}\x00", "id_file", "This file is written in UTF-16. Save it as UTF-8", id="utf-16"),
    pytest.param("slug: é\nname: ".encode() + b"\xe9", "id_file", "not UTF-8 text: line 2", id="in two encodings"),
    pytest.param(b"\x89PNG\r\n\x1a\n" + b"\x00" * 9, "id_file", "This file is not a text file.", id="a picture"),
    pytest.param(b"slug: a\x00", "id_file", "This file is not a text file.", id="zero bytes"),
    pytest.param(b"#" * 6_000_001, "id_file", "too large: it has 6000001 bytes", id="too large"),
    pytest.param(b"{", "id_text", "The rubric is not JSON that can be read", id="half of it"),
    pytest.param(b"a: [", "id_text", "The rubric is not YAML that can be read: did not", id="half of it, as YAML"),
    pytest.param(b"a: b: c", "id_text", "not allowed in this context, line 1, column 5.", id="a colon too many"),
    pytest.param(b"a: \x01", "id_text", "no text has, U+0001, at position 4.", id="a control character"),
    pytest.param(b"a: 1\na: 2", "id_text", "the key 'a' stands twice", id="a key twice"),
    pytest.param(b"a: &a [1]\nb: *a", "id_text", "a rubric has no reference", id="a reference"),
    pytest.param(b"a: " + b"[" * 5000, "id_text", "parts too deep", id="without a bottom"),
    pytest.param(b"a: !!python/object/apply:os.abort []", "id_text", "slug must not be empty", id="a tag"),
    pytest.param(
        b'{"slug": "a\\u0000", "name": "\\ud800", "criteria": []}', "id_text", "characters that are none", id="no text"
    ),
    pytest.param(b'{"criteria": [{"\\ud800": ""}]}', "id_text", r"'\ud800' unknown", id="half a character as a key"),
]


@pytest.mark.parametrize(("raw", "field", "why"), REFUSED_FILES)
def test_a_file_that_is_no_rubric_is_refused_next_to_its_field_and_its_text_is_kept(alice, raw, field, why):
    answer = alice.post("/rubrics/import/", {"file": SimpleUploadedFile("rubric.yaml", raw), "text": "typed before"})

    assert answer.status_code == 422
    assert any(why in fault for fault in faults_of(answer)[field]), faults_of(answer)
    kept = fields_of(answer)["text"]
    assert kept == ("typed before" if field == "id_file" else raw.decode())


def test_every_fault_of_a_file_is_told_at_once(alice):
    bad = {**WELLS, "criteria": [{**CRITERION, "weight": "0"}, {**CRITERION, "low": ""}], "colour": "red"}

    answer = alice.post("/rubrics/import/", {"text": json.dumps(bad)})

    assert [fault.split(":")[0] for fault in faults_of(answer)["id_text"]] == [
        "Rubric, criterion 1 (W1)",
        "Rubric, criterion 2 (W1)",
        "Rubric",
        "Rubric",
    ]


def test_versions_are_compared_by_criterion_and_word(alice):
    before = stored()
    after = rubric_store.write(
        snapshot=rubrics.checked(
            {
                **WELLS,
                "description": "",
                "criteria": [{**ROAD, "question": "Is there a good road?"}, {**CRITERION, "code": "W3"}],
            }
        ),
        by=None,
        seen=1,
    )

    page = Client().get(f"/rubrics/{after.public_id}/compare/").content.decode()
    same = Client().get(f"/rubrics/{after.public_id}/compare/", {"with": str(after.public_id)}).content.decode()

    assert "1 changed, 1 added, 1 removed." in page
    assert "<ins>good </ins>road?" in page
    assert "<del>For wells.</del>" in page
    assert str(before.public_id) in page
    assert "The two say the same." in same
    assert Client().get(f"/rubrics/{after.public_id}/compare/", {"with": "nonsense"}).status_code == 404


def test_texts_that_share_only_their_spaces_share_nothing_and_are_compared_at_once():
    old, new = (" ".join(f"{word}{number}" for number in range(500)) for word in ("old", "new"))

    assert marked(pieces(old), pieces(new)) == ([(True, old)], [(True, new)])


def test_lines_typed_into_a_browser_are_those_of_a_file_and_as_long(alice):
    lines = dict.fromkeys(("question", "high"), "One.\nTwo.") | {"low": "x\n" * 1999 + "x."}
    alice.post("/rubrics/new/", form_of({**WELLS, "description": "One.\nTwo.", "criteria": [{**CRITERION, **lines}]}))
    first = Rubric.objects.get(slug="wells")
    form = fields_of(alice.get(f"/rubrics/{first.public_id}/next/"))
    sent = {name: text.replace("\n", "\r\n") for name, text in form.items()}

    answer = alice.post(f"/rubrics/{first.public_id}/next/", {**sent, "name": "Deeper", "do": "save"})

    assert (answer.status_code, faults_of(answer)) == (302, {})
    before, after = (rubrics.snapshot_of(row) for row in Rubric.objects.filter(slug="wells").order_by("version"))
    assert [row.fields for row in rubrics.differences(before=before, after=after)] == [{"name": ("Wells", "Deeper")}]
    assert after == {**before, "name": "Deeper"}


def test_differences_name_what_moved_only_where_something_moved():
    rows = [{**CRITERION, "code": code} for code in "ABC"]
    before = {**WELLS, "criteria": rows}

    moved = rubrics.differences(before=before, after={**WELLS, "criteria": [rows[1], rows[0], rows[2]]})
    shorter = rubrics.differences(before=before, after={**WELLS, "criteria": rows[1:]})

    assert [(row.code, dict(row.fields)) for row in moved] == [
        ("B", {"position": ("2", "1")}),
        ("A", {"position": ("1", "2")}),
    ]
    assert [(row.kind, row.code) for row in shorter] == [("removed", "A")]


def test_the_list_asks_as_much_for_three_rubrics_as_for_one(django_assert_num_queries):
    stored(slug="first")
    with django_assert_num_queries(3) as one:
        Client().get("/rubrics/")
    for number in range(3):
        stored(slug=f"more-{number}")

    with django_assert_num_queries(len(one)):
        Client().get("/rubrics/")
