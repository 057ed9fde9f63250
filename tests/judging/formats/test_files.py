"""What is uploaded as a text: read as UTF-8 or out of a PDF, put together, or refused by name."""

import io
import sys

import psutil
import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from debates.errors import Invalid
from judging.formats import files, pdf_text
from judging.models import NewDebate
from tests import factories

LATIN = "Zwölf Brunnen".encode("latin-1")


def file(name, raw):
    return SimpleUploadedFile(name, raw)


def pdf(words="", password=""):
    """A document of one page."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=200, height=200)
    if words:
        letters = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
        font = DictionaryObject({NameObject(key): NameObject(value) for key, value in letters.items()})
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 10 100 Td ({words}) Tj ET".encode())
        page[NameObject("/Contents")] = stream
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "raw", "says"),
    [
        pytest.param("empty.txt", b" \n", "empty.txt is empty.", id="empty"),
        pytest.param("latin.md", b"Wells\n" + LATIN, "line 2 has a byte that is none (0xf6)", id="another encoding"),
        pytest.param("both.md", "Zwölf\n".encode() + LATIN, "in another encoding, or in two", id="two encodings"),
        pytest.param("wide.txt", "Wells".encode("utf-16"), "is written in UTF-16", id="UTF-16"),
        pytest.param("picture.png", b"\x89PNG\x00\x01", "picture.png is not a text file.", id="no text"),
        pytest.param("large.txt", b"x" * 800_001, "at most 800000 are read", id="too large"),
        pytest.param("long.txt", b"x" * 200_001, "it has 200001 characters", id="too long"),
        pytest.param("none.pdf", b"%PDF-1.7 and no more", "cannot be read as a PDF", id="no PDF"),
        pytest.param("blank.pdf", pdf(), "blank.pdf holds no text", id="a PDF of pictures"),
        pytest.param("locked.pdf", pdf("Wells", password="x"), "is locked with a password", id="a locked PDF"),
    ],
)
def test_what_is_no_text_is_refused_by_name(name, raw, says):
    with pytest.raises(Invalid) as refused:
        files.read([file(name, raw)])

    assert name in refused.value.message
    assert says in refused.value.message


def test_the_words_of_a_text_and_of_a_pdf_are_read():
    assert files.read([file("a.md", b"\xef\xbb\xbfTwelve wells.")]) == "Twelve wells."
    assert files.read([file("a.PDF", pdf("Twelve wells."))]) == "Twelve wells."


SPINS = "while True: pass"
TALKS = "while True: print('x' * 1000)"
NEVER_LISTENS = "import time; time.sleep(600)"
DIES = "import os; os.abort()"
LISTS = "print([1])"


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (SPINS, "not read in time"),
        (TALKS, "cannot be read as a PDF|not read in time"),
        (NEVER_LISTENS, "not read in time"),
        (DIES, "cannot be read as a PDF"),
        (LISTS, "cannot be read as a PDF"),
    ],
)
def test_a_pdf_that_stops_its_reader_stops_nobody_else(program, says, monkeypatch):
    monkeypatch.setattr(files, "READER", (sys.executable, "-I", "-c", program))
    monkeypatch.setattr(files, "SECONDS_TOGETHER", 1)
    before = set(psutil.Process().children())

    with pytest.raises(Invalid, match=says):
        files.read([file("a.pdf", b"x" * 1_000_000)])

    assert set(psutil.Process().children()) <= before


def test_whoever_reads_a_pdf_has_no_secrets_little_memory_and_no_file(monkeypatch, tmp_path):
    place = tmp_path / "left"
    program = f"""
import json, os, runpy
limits = runpy.run_path({pdf_text.__file__!r})
limits["limit"]()
seen = sorted(os.environ)
try:
    bytearray(limits["MOST_MEMORY"])
except MemoryError:
    seen.append("no memory")
try:
    with open({str(place)!r}, "w") as out:
        out.write("x" * 100)
except OSError:
    seen.append("no file")
print(json.dumps({{"pages": seen}}))
"""
    monkeypatch.setattr(files, "READER", (sys.executable, "-I", "-c", program))

    told = files.read([file("a.pdf", b"%PDF")]).split("\n\n")

    assert [line for line in told if not line.startswith("LC_")] == ["no memory", "no file"]
    assert not place.exists() or not place.read_bytes()


def test_a_pdf_that_comes_while_as_many_as_may_are_read_is_refused(monkeypatch):
    monkeypatch.setattr(files, "BUSY_SECONDS", 0)
    with files.READING, files.READING, pytest.raises(Invalid, match="too many PDFs are being read now"):
        files.read([file("a.pdf", pdf("Wells"))])


@pytest.mark.slow
def test_the_time_to_read_is_that_of_all_files_together(monkeypatch):
    program = 'import time; time.sleep(1.2); print(\'{"pages": ["Wells"]}\')'
    monkeypatch.setattr(files, "READER", (sys.executable, "-I", "-c", program))
    monkeypatch.setattr(files, "SECONDS_TOGETHER", 2)

    assert files.read([file("a.pdf", b"%PDF")]) == "Wells"
    with pytest.raises(Invalid, match=r"b\.pdf was not read in time"):
        files.read([file("a.pdf", b"%PDF"), file("b.pdf", b"%PDF")])


def test_several_files_stand_under_their_names():
    read = files.read([file("a.py", b"a = 1\n"), file("b.py", b"b = 2\n")])

    assert read == "# File: a.py\n\na = 1\n\n\n# File: b.py\n\nb = 2\n"


def test_files_that_are_too_long_together_are_refused():
    with pytest.raises(Invalid, match="together; at most 200000 are allowed"):
        files.read([file("a.txt", b"x" * 150_000), file("b.txt", b"x" * 150_000)])


@pytest.fixture
def step(client, db):
    """The first step of a new criterion debate of an organiser."""
    person = factories.person("olga")
    person.groups.add(Group.objects.get(name="Organiser"))
    client.force_login(person)
    new = NewDebate.objects.create(owner=person, format="criterion", body={})
    return lambda **typed: client.post(reverse("new-debate-step", args=[new.public_id, "subject"]), typed)


def test_what_was_read_stands_in_the_box_where_something_else_is_to_be_mended(step):
    shown = step(title="", subject="", files=file("a.md", b"Twelve wells."))

    assert shown.status_code == 422
    assert list(shown.context["form"].errors) == ["title"]
    assert "Twelve wells.</textarea>" in shown.content.decode()
    assert NewDebate.objects.get().body["subject"] == "Twelve wells."


def test_what_cannot_be_read_is_said_at_the_upload_and_what_was_typed_stays(step):
    shown = step(title="Wells", subject="Typed before.", files=file("a.md", LATIN))

    assert shown.status_code == 422
    assert "is not UTF-8 text" in shown.context["form"].errors["files"][0]
    assert 'value="Wells"' in shown.content.decode()
    assert "Typed before.</textarea>" in shown.content.decode()
    assert NewDebate.objects.get().body == {"title": "Wells", "subject": "Typed before."}


def test_what_stood_there_before_stays_where_no_database_keeps_what_was_typed(step):
    step(title="Wells", subject="Twelve.")

    refused = step(title="We\0lls", subject="Thirteen.")

    assert refused.status_code == 422
    assert NewDebate.objects.get().body == {"title": "Wells", "subject": "Thirteen."}
