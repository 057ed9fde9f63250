"""Exports: everything once, a trailer, nothing that a spreadsheet would run, and the same memory however long."""

import asyncio
import csv
import gc
import io
import json
import re
import sys
import tracemalloc
import unicodedata

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import Permission, User
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.db.models import JSONField, TextField, Value
from django.test import AsyncClient
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from openpyxl import Workbook

from debates import event_log
from debates.api import exporting
from debates.api.export_columns import BLANKS, FORMULA, Cell
from debates.models import ApiKey, Debate, Epoch, Membership, Participant, Turn
from debates.types import Audience, News
from tests import acts, factories, rows_in_every_table
from tests.api.clients import Api, code_of, key_for

NAMES = ("evaluations", "ledger", "verdicts", "transcripts", "events")


async def read(path: str, key: str):
    """Return the answer and its whole body, read as a server would."""
    answer = await AsyncClient().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    body = b"".join([part async for part in answer.streaming_content])
    await sync_to_async(connections.close_all)()
    return answer, body


async def lines_with(path: str, key: str, *, meanwhile) -> list[str]:
    """Return the lines of a file after whose first piece something is done."""
    answer = await AsyncClient().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    pieces = aiter(answer.streaming_content)
    first = [await anext(pieces), await anext(pieces)]
    await sync_to_async(meanwhile)()
    body = b"".join(first + [piece async for piece in pieces])
    await sync_to_async(connections.close_all)()
    return body.decode().splitlines()


async def refused(path: str, key: str) -> int:
    answer = await AsyncClient().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    await sync_to_async(connections.close_all)()
    return answer.status_code


@pytest.mark.slow
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
        assert cells[0] == list(rows[0])
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
@pytest.mark.django_db
def test_no_cell_begins_a_formula_and_numbers_stay_numbers(value, cell):
    field = TextField() if isinstance(value, str | None) else JSONField()

    [written] = Epoch.objects.values_list(Cell(Value(value, output_field=field)), flat=True)

    assert (written or "") == cell


@pytest.mark.slow
@pytest.mark.django_db
def test_the_database_knows_all_blanks_and_everything_that_a_spreadsheet_folds_to_the_beginning_of_a_formula():
    every = [chr(point) for point in range(1, sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]

    def those(characters: str) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT one FROM unnest(%s::text[]) one WHERE one ~ %s", [every, f"[{characters}]"])
            return [one for (one,) in cursor.fetchall()]

    assert those(BLANKS) == [one for one in every if one.isspace()]
    assert those(FORMULA) == [one for one in every if unicodedata.normalize("NFKC", one) in {"=", "+", "-", "@"}]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_export_can_be_taken_in_parts():
    for number in range(3):
        rows_in_every_table.one(f"debate-{number}")
    key = key_for(factories.moderator())

    def lines(query: str) -> list[bytes]:
        return asyncio.run(read(f"/exports/events.{query}", key))[1].splitlines()

    [head, *whole, _] = lines("csv")
    first = lines("csv?limit=4")
    _, count, cursor = first[-1].decode().split(",")
    factories.count(factories.criterion(), "1")
    rest = lines(f"csv?cursor={cursor}")
    trailer = json.loads(lines("jsonl?limit=4")[-1])

    assert (first[0], rest[0], count) == (head, head, "4")
    assert [*first[1:-1], *rest[1:-1]] == whole
    assert rest[-1].decode() == f"_end,{len(whole) - 4}"
    assert trailer["count"] == 4
    assert lines(f"jsonl?limit=4&cursor={trailer['cursor']}")[:-1] == lines("jsonl")[4 : len(whole)]
    assert "cursor" not in json.loads(lines(f"jsonl?limit={len(whole) + 100}")[-1])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_cursor_of_another_export_is_none_of_this_one():
    for number in range(2):
        rows_in_every_table.one(f"debate-{number}")
    moderator = Api(factories.moderator())
    _, page = asyncio.run(read("/exports/ledger.jsonl?limit=1", key_for(factories.moderator("carol"))))
    cursor = json.loads(page.splitlines()[-1])["cursor"]

    assert code_of(moderator.get(f"/exports/events.jsonl?cursor={cursor}")) == (400, "bad_cursor")
    assert code_of(moderator.get("/exports/ledger.jsonl?cursor=nonsense")) == (400, "bad_cursor")
    assert code_of(moderator.get("/exports/ledger.jsonl?limit=0")) == (400, "invalid")


@pytest.mark.django_db(transaction=True)
def test_a_cursor_goes_on_with_the_debate_of_its_file():
    older, newer = factories.debate(), factories.debate()
    for debate in (older, newer):
        factories.count(factories.criterion(debate), "1")
    moderator = Api(factories.moderator())
    _, page = asyncio.run(
        read(f"/exports/ledger.jsonl?debate={newer.public_id}&limit=1", key_for(factories.moderator("carol")))
    )
    cursor = json.loads(page.splitlines()[-1])["cursor"]

    answers = [
        moderator.get(f"/exports/ledger.jsonl?{debate}cursor={cursor}")
        for debate in (f"debate={older.public_id}&", "", f"debate={newer.public_id}&")
    ]

    assert [code_of(answer) for answer in answers[:2]] == [(400, "bad_cursor")] * 2
    assert answers[2].status_code == 200


def revoke(person: User) -> None:
    ApiKey.objects.filter(owner=person).update(revoked_at=timezone.now())


def deactivate(person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_active=False)


def sign_out(person: User) -> None:
    Session.objects.all().delete()


@pytest.mark.parametrize(
    ("end", "signed_in"),
    [
        (revoke, False),
        (deactivate, False),
        (deactivate, True),
        (lambda person: person.user_permissions.clear(), False),
        (lambda person: person.set_password("Other") or person.save(), True),
        (sign_out, True),
    ],
    ids=["key", "person", "person_in_a_session", "permission", "password", "session"],
)
@pytest.mark.django_db(transaction=True)
def test_an_export_ends_without_a_trailer_once_who_takes_it_may_not_any_more(monkeypatch, settings, end, signed_in):
    monkeypatch.setattr(exporting, "FIRST_ROWS", 10)
    monkeypatch.setattr(exporting, "MOST_ROWS", 10)
    settings.STAFF_NEED_SECOND_FACTOR = False
    person = factories.person(permissions=["export_evaluation", "debates.view_debate"])
    speaker, now = factories.arbitrated(visibility="private"), timezone.now()
    Turn.objects.bulk_create(
        Turn(
            debate=speaker.debate,
            participant=speaker,
            kind="opening",
            slot=str(number),
            text=f"Secret {number}.",
            at=now,
        )
        for number in range(30)
    )
    client = AsyncClient()
    if signed_in:
        client.force_login(person)
    headers = {} if signed_in else {"Authorization": f"Bearer {key_for(person)}"}

    async def taken() -> list[list[str]]:
        answer = await client.get("/api/v1/exports/transcripts.jsonl", headers=headers)
        pieces = aiter(answer.streaming_content)
        before = [await anext(pieces), await anext(pieces)]
        await sync_to_async(end)(person)
        after = [piece async for piece in pieces]
        await sync_to_async(connections.close_all)()
        return [b"".join(part).decode().splitlines() for part in (before, after)]

    before, after = asyncio.run(taken())

    assert len(before) == 10
    assert after == []


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("of", ["debate", "all"])
@pytest.mark.django_db(transaction=True)
def test_an_export_of_rows_that_may_not_be_read_any_more_ends_without_a_trailer(monkeypatch, kind, of):
    monkeypatch.setattr(exporting, "FIRST_ROWS", 10)
    monkeypatch.setattr(exporting, "MOST_ROWS", 10)
    person, now = factories.person(permissions=["export_evaluation"]), timezone.now()
    speakers = [factories.arbitrated(visibility=each) for each in ("private", "public", "public")]
    before, debate, _ = (speaker.debate for speaker in speakers)
    for speaker, many in zip(speakers, (10, 30, 5), strict=True):
        Turn.objects.bulk_create(
            Turn(
                debate=speaker.debate,
                participant=speaker,
                kind="opening",
                slot=str(number),
                text=f"Words {number}.",
                at=now,
            )
            for number in range(many)
        )
    path = f"/exports/transcripts.{kind}" + ("" if of == "all" else f"?debate={debate.public_id}")
    key = key_for(person)

    def withdraw():
        factories.rewrite(Debate.objects.filter(pk=debate.pk), visibility="private")
        factories.rewrite(Debate.objects.filter(pk=before.pk), visibility="public")

    lines = asyncio.run(lines_with(path, key, meanwhile=withdraw))

    assert len(lines) == {"debate": 10, "all": 15}[of] + (kind == "csv")
    assert not [line for line in lines if "_end" in line]


@pytest.mark.parametrize("of", ["role", "desk"])
@pytest.mark.django_db(transaction=True)
def test_an_export_of_events_that_are_for_others_by_now_ends_without_a_trailer(monkeypatch, of):
    monkeypatch.setattr(exporting, "FIRST_ROWS", 10)
    monkeypatch.setattr(exporting, "MOST_ROWS", 10)
    may = ["export_evaluation", *(["view_alert"] if of == "desk" else [])]
    person, debate = factories.person(permissions=may), factories.debate()
    role = Membership.objects.create(debate=debate, user=person, role="participant")
    monkeypatch.setattr(event_log.event_schemas, "check", lambda **_: None)
    audience = Audience.MODERATORS if of == "desk" else Audience.PARTICIPANTS
    with transaction.atomic():
        news = [News("appeal:filed", {"n": number}, audience=audience) for number in range(30)]
        event_log.append(debate_id=debate.pk, news=news, now=timezone.now())
    key = key_for(person)

    def lose():
        if of == "desk":
            person.user_permissions.remove(Permission.objects.get(codename="view_alert"))
        else:
            Membership.objects.filter(pk=role.pk).update(revoked_at=timezone.now())

    lines = asyncio.run(lines_with("/exports/events.jsonl", key, meanwhile=lose))

    assert len(lines) == 10
    assert not [line for line in lines if "_end" in line]


@pytest.mark.django_db(transaction=True)
def test_an_export_that_lacks_what_became_public_meanwhile_has_its_trailer(monkeypatch):
    monkeypatch.setattr(exporting, "FIRST_ROWS", 1)
    key = key_for(factories.person(permissions=["export_evaluation"]))
    hidden, shown = (factories.arbitrated(visibility=each) for each in ("private", "public"))
    for speaker in (hidden, shown):
        about = {"debate": speaker.debate, "participant": speaker, "kind": "opening", "at": timezone.now()}
        Turn.objects.bulk_create(Turn(**about, slot=str(number), text="Words.") for number in range(3))

    def publish():
        factories.rewrite(Debate.objects.filter(pk=hidden.debate_id), visibility="public")

    lines = asyncio.run(lines_with("/exports/transcripts.jsonl", key, meanwhile=publish))

    assert json.loads(lines[-1]) == {"_end": True, "count": 3}


@pytest.mark.django_db(transaction=True)
def test_an_export_goes_on_only_while_its_debate_may_be_read():
    key, speaker = key_for(factories.person(permissions=["export_evaluation"])), factories.arbitrated()
    debate = speaker.debate
    about = {"debate": debate, "participant": speaker, "kind": "opening", "at": timezone.now()}
    Turn.objects.bulk_create(Turn(**about, slot=str(number), text="Words.") for number in range(3))
    path = f"/exports/transcripts.jsonl?debate={debate.public_id}"
    cursor = json.loads(asyncio.run(read(f"{path}&limit=1", key))[1].decode().splitlines()[-1])["cursor"]

    factories.rewrite(Debate.objects.filter(pk=debate.pk), visibility="private")

    assert asyncio.run(refused(f"{path}&cursor={cursor}", key)) == 404


ATTACKS = {
    '=HYPERLINK("https://evil.example.com","Look")': '\'=HYPERLINK("https://evil.example.com","Look")',
    "+1+cmd|' /C calc'!A0": "'+1+cmd|' /C calc'!A0",
    "-2+3": "'-2+3",
    "@SUM(1+1)": "'@SUM(1+1)",
    "\t=1": "'\t'=1",
    "＝1+1": "'＝1+1",
    'harmless;=HYPERLINK("https://evil.example.com","Look")': "harmless;'=HYPERLINK(",
    "harmless\t@SUM(1+1)": "harmless\t'@SUM(1+1)",
    'harmless\n"; -2+3': "harmless\n\"; '-2+3",
}
"""Each with how its cell begins."""


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
    with transaction.atomic():
        debate = factories.debate()
        evaluation = factories.criterion(debate, name=attack)
        factories.count(evaluation, "1")
        rows_in_every_table.said(debate, evaluation, words=attack)
        speaker = Participant.objects.create(debate=debate, role="chair", kind="human", name=attack)
    Turn.objects.create(debate=debate, participant=speaker, kind="opening", slot="1", text=attack, at=timezone.now())
    order = factories.order(evaluation, by, reason=f"{attack} is why.", seen=None)
    acts.freeze(order=order, now=timezone.now())


@pytest.mark.slow
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
        found[name] = sum(cell.startswith(tuple(ATTACKS.values())) for cell in cells)

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
@pytest.mark.parametrize(("of_one", "maxima"), [(False, 0), (True, 1)])
def test_the_end_of_an_export_of_all_debates_is_found_without_reading_every_row(of_one, maxima):
    debate = rows_in_every_table.one("debate-1")
    key = key_for(factories.person("alice", permissions=["export_evaluation"]))
    path = f"/api/v1/exports/events.jsonl{f'?debate={debate.public_id}' if of_one else ''}"

    async def whole() -> list[bytes]:
        answer = await AsyncClient().get(path, headers={"Authorization": f"Bearer {key}"})
        return b"".join([part async for part in answer.streaming_content]).splitlines()

    with CaptureQueriesContext(connection) as queries:
        lines = async_to_sync(whole)()

    assert len(lines) == debate.events.filter(audience="public").count() + 1
    assert sum("MAX(" in query["sql"] for query in queries) == maxima


@pytest.mark.slow
@pytest.mark.django_db
def test_an_export_reads_three_times_the_rows_with_as_many_queries():
    rows_in_every_table.one("debate-1")
    key = key_for(factories.moderator())

    def taken(name: str) -> tuple[int, int]:
        async def whole() -> int:
            path = f"/api/v1/exports/{name}.jsonl"
            answer = await AsyncClient().get(path, headers={"Authorization": f"Bearer {key}"})
            return len(b"".join([part async for part in answer.streaming_content]).splitlines())

        with CaptureQueriesContext(connection) as asked:
            rows = async_to_sync(whole)()
        return rows, len(asked)

    taken(NAMES[0])
    few = {name: taken(name) for name in NAMES}
    rows_in_every_table.one("debate-2")
    rows_in_every_table.one("debate-3")
    many = {name: taken(name) for name in NAMES}

    assert [name for name in NAMES if many[name][0] < few[name][0] + 2] == []
    assert {name: queries for name, (_, queries) in many.items()} == {
        name: queries for name, (_, queries) in few.items()
    }


@pytest.mark.django_db
def test_exporting_takes_scope_permission_and_a_kind_that_there_is():
    bob = factories.person("bob")

    assert code_of(Api(bob).get("/exports/ledger.csv")) == (403, "not_permitted")
    assert code_of(Api(factories.moderator(), scopes=["read"]).get("/exports/ledger.csv")) == (403, "missing_scope")
    assert code_of(Api(factories.moderator("carol")).get("/exports/ledger.xlsx")) == (404, "not_found")
    assert code_of(Api().get("/exports/ledger.csv")) == (401, "not_authenticated")


@pytest.mark.parametrize(("kind", "media"), [("csv", "text/csv"), ("jsonl", "application/x-ndjson")])
@pytest.mark.django_db
def test_an_export_goes_to_whoever_asks_for_its_type_and_a_refusal_of_one_is_a_problem(kind, media):
    moderator, own = Api(factories.moderator()), {"Accept": media}

    taken = moderator.get(f"/exports/events.{kind}", headers=own)
    of_another = moderator.get(f"/exports/events.{'jsonl' if kind == 'csv' else 'csv'}", headers=own)
    refusals = [
        Api().get(f"/exports/events.{kind}", headers=own),
        moderator.get(f"/exports/events.{kind}", headers=own, limit="0"),
    ]

    assert (taken.status_code, taken.headers["Content-Type"].partition(";")[0]) == (200, media)
    assert [code_of(refusal)[0] for refusal in [*refusals, of_another]] == [401, 400, 406]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_export_takes_the_same_memory_for_ten_times_the_rows(monkeypatch):
    monkeypatch.setattr(exporting, "FIRST_ROWS", 25)
    monkeypatch.setattr(exporting, "MOST_ROWS", 25)
    speaker, now = factories.arbitrated(), timezone.now()
    key = key_for(factories.moderator())

    def say(first: int, many: int) -> None:
        Turn.objects.bulk_create(
            Turn(
                debate=speaker.debate, participant=speaker, kind="opening", slot=str(number), text="So. " * 100, at=now
            )
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
            gc.collect()  # when Python does so by itself depends on the tests before this one
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        await sync_to_async(connections.close_all)()
        return size, most

    say(0, 75)
    few, before = asyncio.run(peak())
    say(75, 675)
    many, after = asyncio.run(peak())

    assert many > 9 * few
    assert after < 1.3 * before


@pytest.mark.django_db(transaction=True)
def test_the_ledger_in_an_export_names_its_facts_in_their_order():
    evaluation = factories.criterion()
    counted = factories.count(evaluation, "1", "-0.5", "2")

    _, lines = asyncio.run(read("/exports/ledger.jsonl", key_for(factories.moderator())))

    entry = json.loads(lines.splitlines()[-2])
    assert entry["facts"] == [str(fact.public_id) for fact in counted.facts]


@pytest.mark.django_db(transaction=True)
def test_the_turns_in_an_export_say_who_they_are_and_what_they_answer():
    speaker = factories.arbitrated()
    about = {"debate": speaker.debate, "at": timezone.now(), "text": "So."}
    first = Turn.objects.create(participant=speaker, kind="opening", slot="1", **about)
    answer = Turn.objects.create(participant=speaker, kind="response", slot="2", answers=first, **about)

    _, lines = asyncio.run(read("/exports/transcripts.jsonl", key_for(factories.moderator())))

    rows = [json.loads(line) for line in lines.splitlines()[:-1]]
    speaker_id, ids = str(speaker.public_id), [str(first.public_id), str(answer.public_id)]
    assert [(row["turn"], row["participant"], row["answers"]) for row in rows] == [
        (ids[0], speaker_id, None),
        (ids[1], speaker_id, ids[0]),
    ]
