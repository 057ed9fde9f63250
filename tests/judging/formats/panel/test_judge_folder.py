"""``manage.py judge`` on a folder: its text in the order of names, and what is left out is said."""

import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from debates.errors import Invalid
from judging.formats import files
from judging.formats.spec import LONGEST_SUBJECT
from tests.judging.formats.panel.test_judge_command import SOURCE


@pytest.fixture
def folder(tmp_path):
    """A folder of code with what is no code in it."""
    place = tmp_path / "shop"
    for name, source in SOURCE.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    (place / "README.md").write_bytes(b"\xef\xbb\xbfA shop.\n")
    (place / "app" / "__init__.py").touch()
    (place / "logo.png").write_bytes(b"\x89PNG\r\n")
    (place / "zeros").write_bytes(b"a\0b")
    (place / ".git").mkdir()
    (place / ".git" / "config").write_text("[core]")
    os.mkfifo(place / "pipe")
    (place / "elsewhere").symlink_to(tmp_path)
    return place


def test_every_text_of_a_folder_is_judged_under_its_name_in_the_order_of_names(folder):
    read = files.read_paths([str(folder)])

    assert read.title == "shop"
    assert [line for line in read.text.splitlines() if line.startswith("# File: ")] == [
        "# File: README.md",
        "# File: app/reading.py",
        "# File: app/sums.py",
    ]
    assert "# File: README.md\n\nA shop." in read.text


def test_what_is_left_out_is_said_with_why(folder):
    said = files.read_paths([str(folder)]).told()

    left = {
        ".git": "hidden", "app/__init__.py": "empty", "elsewhere": "a link", "logo.png": "not UTF-8 text",
        "pipe": "not a file", "zeros": "not UTF-8 text",
    }  # fmt: skip
    assert said == f"Left out: {', '.join(f'{folder / name} ({why})' for name, why in left.items())}.\n"


@pytest.mark.parametrize("odd", [b"b\xff.py", b"b\xff/c.py", b".b\xff"])
def test_a_name_that_no_row_holds_is_left_out_and_said(folder, odd):
    path = os.path.join(os.fsencode(folder), odd)  # noqa: PTH118 -- bytes
    os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 -- bytes
    with open(path, "wb") as file:  # noqa: PTH123 -- bytes
        file.write(b"pass")

    read = files.read_paths([str(folder)])

    shown = odd.decode("ascii", "replace").replace("\ufffd", "?").partition("/")[0]
    assert f"{folder / shown} (a name that is not UTF-8)" in read.told()
    assert "app/sums.py" in read.text


def test_of_many_that_are_left_out_some_are_named(tmp_path):
    (tmp_path / "a.py").write_text("pass")
    for number in range(100, 125):
        (tmp_path / f"{number}.bin").write_bytes(b"\xff")

    said = files.read_paths([str(tmp_path)]).told()

    assert said.count("not UTF-8 text") == files.NAMED
    assert said.endswith(" and 5 more.\n")


def test_a_file_that_is_named_twice_is_judged_once(folder):
    twice = files.read_paths([str(folder), str(folder / "app" / "sums.py")])

    assert twice.text == files.read_paths([str(folder)]).text
    assert twice.title == "shop and 1 more"


def test_the_only_text_of_a_folder_is_judged_as_that_file_is(tmp_path):
    path = tmp_path / "notes" / "one.md"
    path.parent.mkdir()
    path.write_text("A word.")

    assert files.read_paths([str(path.parent)]).text == files.read_paths([str(path)]).text


def test_where_one_stands_has_a_name(folder, monkeypatch):
    monkeypatch.chdir(folder / "app")

    assert [files.read_paths([path]).title for path in (".", "..", "./")] == ["app", "shop", "app"]


def test_a_folder_that_is_too_long_is_refused_before_all_of_it_is_read(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("\u00e9" * (LONGEST_SUBJECT // 2 + 1))

    with pytest.raises(Invalid, match=f"has more characters than the {LONGEST_SUBJECT}") as refused:
        files.read_paths([str(tmp_path)])

    assert refused.value.message.endswith("/b.")


def test_a_letter_at_the_very_end_of_what_is_read_is_no_sign_of_another_format(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("x" + "\u00e9" * files.MOST_BYTES, encoding="utf-8")

    assert files.text_of_path(path).startswith("x\u00e9")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("made", "said"),
    [
        pytest.param({}, "is a folder without UTF-8 text.", id="nothing in it"),
        pytest.param({"a.bin": b"\xff"}, "a.bin (not UTF-8 text).", id="no text in it"),
    ],
)
def test_a_folder_without_text_exits_with_2(tmp_path, made, said):
    for name, words in made.items():
        (tmp_path / name).write_bytes(words)

    with pytest.raises(CommandError) as refused:
        call_command("judge", str(tmp_path), task="Do it.")

    assert str(refused.value).endswith(said)
    assert refused.value.returncode == 2


@pytest.mark.django_db(transaction=True)
def test_the_command_says_what_it_left_out(folder):
    said, printed = StringIO(), StringIO()

    with pytest.raises(CommandError) as ended:
        call_command("judge", str(folder), task="Sell things.", rounds=0, stdout=printed, stderr=said)

    assert ended.value.returncode in {0, 3}
    assert said.getvalue().startswith("Left out: ")
    assert f"{folder / 'logo.png'} (not UTF-8 text)" in said.getvalue()


def test_what_cannot_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("pass")
    listing = Path.iterdir

    def refused(path):
        if path == tmp_path:
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(Path, "iterdir", refused)

    with pytest.raises(Invalid, match="cannot be read: Permission denied"):
        files.read_paths([str(tmp_path)])
