"""Exports: everything once, a trailer, nothing that a spreadsheet would run, and the same memory however long."""

import asyncio
import csv
import io
import json
import re
import tracemalloc
import unicodedata

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import AsyncClient
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from openpyxl import Workbook

from debates.api import exporting
from debates.models import Participant, Turn
from scoring import selectors
from tests import acts, factories, rows_in_every_table
from tests.api.clients import Api, code_of, key_for

NAMES = ("evaluations", "ledger", "verdicts", "transcripts", "events")


async def read(path: str, key: str):
    """Return the answer and its whole body, read as a server would."""
    answer = await AsyncClient().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    body = b"".join([part async for part in answer.streaming_content])
    await sync_to_async(connections.close_all)()
    return answer, body


async def refused(path: str, key: str) -> int:
    answer = await AsyncClient().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    await sync_to_async(connections.close_all)()
    return answer.status_code


@pytest.mark.django_db(transaction=True)
def test_an_export_holds_every_row_once_and_ends_with_a_trailer():
    for number in range(3):
        rows_in_every_table.one(f"debate-{number}")
    key = key_for(factories.moderator())

    for name in NAMES:
        answer, lines = asyncio.run(read(f"/exports/{name}.jsonl", key))
        _, page = asyncio.run(read(f"/exports/{name}.csv", key))

        rows = [json.loads(line) for line in lines.decode().splitlines()]
        cells = list(csv.reader(io.StringIO(page.decode())))
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.jsonl"'
        assert rows[-1] == {"_end": True, "count": len(rows) - 1}
        assert len({json.dumps(row) for row in rows}) == len(rows) >= 4
        assert cells[-1] == ["_end", str(len(rows) - 1)]
        assert cells[0] == list(rows[0])[: len(cells[0])] or set(cells[0]) == set(rows[0])
        assert len(cells) == len(rows) + 1


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+SUM(A1)", "'+SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("@cmd", "'@cmd"),
        ("\t=1", "'\t'=1"),
        ("\nplain", "'\nplain"),
        (" =1", "' =1"),
        ("\x00=1", "'=1"),
        ("＝1+1", "'＝1+1"),
        ("－2+3", "'－2+3"),
        ("a;=cmd()", "a;'=cmd()"),
        ("a\t=cmd()", "a\t'=cmd()"),
        ("a\n=cmd()", "a\n'=cmd()"),
        ("a\r\n\r\n-cmd()", "a\r\n\r\n'-cmd()"),
        ('a;" =cmd()', "a;\" '=cmd()"),
        ("a; ;＝cmd()", "a; ;'＝cmd()"),
        ("=a;@b;+c", "'=a;'@b;'+c"),
        ("a;b\n", "a;b\n"),
        ("a = b, -c", "a = b, -c"),
        (["a;=b"], '["a;\'=b"]'),
        ("1.5 - 2", "1.5 - 2"),
        ("-1.50", "-1.50"),
        ("7.25", "7.25"),
        ("plain", "plain"),
        (None, ""),
        (True, "true"),
        (["a"], '["a"]'),
    ],
)
def test_no_cell_begins_a_formula_and_numbers_stay_numbers(value, cell):
    assert exporting.safe(value) == cell


ATTACKS = (
    '=HYPERLINK("https://evil.example.com","Look")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1+1)", "\t=1", "＝1+1",
    'harmless;=HYPERLINK("https://evil.example.com","Look")', "harmless\t@SUM(1+1)", 'harmless\n"; -2+3',
)  # fmt: skip


BEGIN = tuple(exporting.safe(attack) for attack in ATTACKS)


def as_spreadsheets_do(cell: str) -> str:
    """What a spreadsheet takes a cell for: they drop blanks before it and fold wide characters."""
    plain = unicodedata.normalize("NFKC", cell).strip()
    if re.fullmatch(r"[-+]?[0-9]+([.,][0-9]+)?", plain):
        return "number"
    return "formula" if plain.startswith(("=", "+", "-", "@")) else "text"


def formulas(rows):
    """Return what a spreadsheet library takes for a formula."""
    sheet = Workbook().active
    for row in rows:
        sheet.append(row)
    return [cell.value for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]


def wicked(attack: str, by: User) -> None:
    """A debate in which everything that somebody writes is an attack."""
    debate = factories.debate()
    evaluation = factories.criterion(debate, name=attack)
    factories.count(evaluation, "1")
    rows_in_every_table.said(debate, evaluation, words=attack)
    speaker = Participant.objects.create(debate=debate, role="chair", kind="human", name=attack)
    Turn.objects.create(debate=debate, participant=speaker, kind="opening", slot="1", text=attack, at=timezone.now())
    order = factories.order(evaluation, by, reason=f"{attack} is why.", seen=None)
    acts.freeze(order=order, now=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_a_spreadsheet_finds_no_formula_in_what_anybody_wrote():
    alice = factories.moderator()
    for attack in ATTACKS:
        wicked(attack, alice)
    key, found = key_for(alice), {}

    for name in NAMES:
        _, page = asyncio.run(read(f"/exports/{name}.csv", key))
        rows = list(csv.reader(io.StringIO(page.decode(), newline="")))
        cells = [cell for row in rows for cell in row]
        assert formulas([["=1+1"], *rows]) == ["=1+1"]
        assert [cell for cell in cells if as_spreadsheets_do(cell) == "formula"] == []
        for elsewhere in (";", "\t"):
            divided = csv.reader(io.StringIO(page.decode(), newline=""), delimiter=elsewhere)
            assert [cell for row in divided for cell in row if as_spreadsheets_do(cell) == "formula"] == []
        found[name] = sum(cell.startswith(BEGIN) for cell in cells)

    each = len(ATTACKS)
    assert found == {"evaluations": each, "ledger": each, "verdicts": each, "transcripts": 5 * each, "events": 0}


@pytest.mark.django_db(transaction=True)
def test_an_export_is_of_one_debate_and_of_those_one_may_read():
    mine, other, unlisted = (factories.debate(visibility=one) for one in ("public", "private", "unlisted"))
    for debate in (mine, other, unlisted):
        factories.count(factories.criterion(debate), "1")
    key = key_for(factories.person("alice", permissions=["export_evaluation"]))

    def debates(path: str) -> set[str]:
        _, lines = asyncio.run(read(path, key))
        return {row["debate"] for row in map(json.loads, lines.decode().splitlines()) if "debate" in row}

    assert debates("/exports/ledger.jsonl") == {str(mine.public_id)}
    assert debates(f"/exports/ledger.jsonl?debate={other.public_id}") == set()
    assert debates(f"/exports/ledger.jsonl?debate={unlisted.public_id}") == {str(unlisted.public_id)}
    assert asyncio.run(refused("/exports/ledger.jsonl?debate=", key)) == 400


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_an_export_reads_three_times_the_rows_with_as_many_queries(name):
    rows_in_every_table.one("debate-1")
    key = key_for(factories.moderator())

    def taken() -> tuple[int, int]:
        async def whole() -> int:
            path = f"/api/v1/exports/{name}.jsonl"
            answer = await AsyncClient().get(path, headers={"Authorization": f"Bearer {key}"})
            return len(b"".join([part async for part in answer.streaming_content]).splitlines())

        with CaptureQueriesContext(connection) as asked:
            rows = async_to_sync(whole)()
        return rows, len(asked)

    taken()
    rows, queries = taken()
    rows_in_every_table.one("debate-2")
    rows_in_every_table.one("debate-3")
    more, again = taken()

    assert more >= rows + 2
    assert again == queries


@pytest.mark.django_db
def test_exporting_takes_scope_permission_and_a_kind_that_there_is():
    bob = factories.person("bob")

    assert code_of(Api(bob).get("/exports/ledger.csv")) == (403, "not_permitted")
    assert code_of(Api(factories.moderator(), scopes=["read"]).get("/exports/ledger.csv")) == (403, "missing_scope")
    assert code_of(Api(factories.moderator("carol")).get("/exports/ledger.xlsx")) == (404, "not_found")
    assert code_of(Api().get("/exports/ledger.csv")) == (401, "not_authenticated")


@pytest.mark.django_db(transaction=True)
def test_an_export_takes_the_same_memory_for_ten_times_the_rows(monkeypatch):
    monkeypatch.setattr(exporting, "AT_ONCE", 100)
    debate = factories.debate()
    speaker, now = factories.arbiter(debate), timezone.now()
    key = key_for(factories.moderator())

    def say(first: int, many: int) -> None:
        Turn.objects.bulk_create(
            Turn(debate=debate, participant=speaker, kind="opening", slot=str(number), text="So. " * 100, at=now)
            for number in range(first, first + many)
        )

    async def peak() -> tuple[int, int]:
        answer = await AsyncClient().get(
            "/api/v1/exports/transcripts.jsonl", headers={"Authorization": f"Bearer {key}"}
        )
        tracemalloc.start()
        size = 0
        async for part in answer.streaming_content:
            size += len(part)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        await sync_to_async(connections.close_all)()
        return size, most

    say(0, 300)
    few, before = asyncio.run(peak())
    say(300, 2_700)
    many, after = asyncio.run(peak())

    assert many > 9 * few
    assert after < 1.3 * before


@pytest.mark.django_db
def test_the_ledger_in_an_export_names_its_facts():
    evaluation = factories.criterion()
    counted = factories.count(evaluation, "1")

    [entry] = selectors.named(entries=[counted.posted.entry])

    assert entry.facts_named == [counted.facts[0].public_id]
