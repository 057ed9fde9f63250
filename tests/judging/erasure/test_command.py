"""The command that erases: it shows first, and refuses what makes no sense."""

import io
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from debates.models import TurnDraft
from judging.engine import erasure
from tests import factories
from tests.judging.erasure.erase import CANARY, WHY, chair, erase, seated

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command("erase", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_shows_first_and_erases_when_told_so(debate, alice):
    where = ("--debate", str(debate.public_id))

    shown = told(*where)
    assert f"{debate.turns.count():>8}  turns would go\n" in shown
    assert debate.turns.exclude(text="").count() == debate.turns.count()

    assert f"{debate.turns.count():>8}  turns gone\n" in told(*where, "--yes", "--as", "alice", "--reason", WHY)
    assert debate.turns.exclude(text="").count() == 0
    assert told(*where).startswith("There is nothing left to erase.")
    assert told("--list").endswith(f"debate {debate.public_id}  alice: {WHY}\n")


def test_what_would_be_refused_is_said_where_it_is_shown(alice):
    playing, bob = factories.debate(status="running"), factories.person("bob")
    for name in ("Bob", "Robert"):
        chair(playing, name, bob)

    shown = [told("--debate", str(playing.public_id)), told("--person", "bob"), told("--person", "alice")]

    assert [" would go\n" in text for text in shown] == [True, True, True]
    refusals = [text.splitlines()[-1] for text in shown]
    assert refusals == [
        f"Nothing was changed; as it is, it would be refused: {why}"
        for why in (
            f"Not over yet: {playing.public_id}. Stop or cancel what is being played first.",
            f"Not over yet: {playing.public_id}. Stop or cancel what is being played first.",
            "This is the last superuser; make another first.",
        )
    ]


def test_the_list_says_whose_words_were_erased(debate, alice):
    bob = factories.person("bob")
    voice = chair(debate, "Bob Stone", bob)
    for target in (voice, bob, debate):
        erase(target, alice)

    whose = [line.split()[3:5] for line in told("--list").splitlines()]

    bob.refresh_from_db()
    assert whose == [["debate", str(debate.public_id)], ["user", str(bob)], ["participant", str(voice.public_id)]]


def test_what_was_erased_since_a_dump_is_erased_again_from_a_list(debate, alice, tmp_path):
    bob, kept = factories.person("bob"), tmp_path / "erasures.json"
    voice = chair(debate, "Bob Stone", bob)
    User.objects.filter(pk=bob.pk).update(date_joined=timezone.now() - timedelta(days=1))
    dump = transaction.savepoint()
    for target in (voice, bob, debate):
        erase(target, alice)
    assert told("--list", "--json", "--out", str(kept)) == ""
    with pytest.raises(CommandError, match="is never overwritten"):
        told("--list", "--json", "--out", str(kept))
    transaction.savepoint_rollback(dump)
    later = factories.person("carl")
    kept.write_text(
        kept.read_text().replace("]", f""", {{"at": "2026-01-01T00:00Z", "scope": "user", "of": "{later.pk}"}}]""")
    )

    told("--again", str(kept))
    assert debate.turns.exclude(text="").exists()
    told("--again", str(kept), "--yes", "--as", "alice", "--reason", WHY)

    assert not debate.turns.exclude(text="").exists()
    for row in (bob, later):
        row.refresh_from_db()
    assert (bob.username, later.username) == (f"erased-{bob.pk}", "carl")
    assert told("--again", str(kept)) == ""


def test_what_may_not_be_erased_again_hinders_nothing_else(alice, tmp_path):
    playing, bob, kept = factories.debate(status="running"), factories.person("bob"), tmp_path / "erasures.json"
    of = {"debate": str(playing.public_id), "user": str(bob.pk)}
    kept.write_text(
        json.dumps([{"at": f"{timezone.now().isoformat()}", "scope": scope, "of": of[scope]} for scope in of])
    )

    with pytest.raises(CommandError):
        told("--again", str(kept), "--yes", "--as", "alice", "--reason", WHY)

    bob.refresh_from_db()
    assert bob.username == f"erased-{bob.pk}"


OF_NOBODY = '{"at": "2026-01-01T00:00Z", "scope": "user", "of": "1"}'
NO_LISTS = {
    "empty": "",
    "of what is no erasure": "[{}]",
    "of an account by name": '[{"at": "2026-01-01T00:00Z", "scope": "user", "of": "bob"}]',
    "without a bottom": "[" * 100_000,
    "of times that have no order": f"[{OF_NOBODY}, {OF_NOBODY.replace('Z', '')}]",
}


@pytest.mark.parametrize("text", NO_LISTS.values(), ids=NO_LISTS)
def test_only_a_list_of_erasures_is_erased_again(text, tmp_path):
    (tmp_path / "erasures.json").write_text(text)

    with pytest.raises(CommandError, match="was not written by erase --list --json"):
        told("--again", str(tmp_path / "erasures.json"))


def samples() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(string_agg(s::text, ' '), '') FROM pg_stats s WHERE schemaname = 'public'")
        return cursor.fetchone()[0]


def test_no_sample_of_the_words_stays_in_what_the_database_plans_with(debate, alice):
    erasure.forget_statistics()
    assert CANARY in samples()

    told("--debate", str(debate.public_id), "--yes", "--as", "alice", "--reason", WHY)

    assert CANARY not in samples()


def test_no_sample_stays_of_a_table_that_was_emptied(debate, alice):
    if connection.pg_version < erasure.CLEARS_STATISTICS:
        pytest.skip("PostgreSQL clears statistics from 18 on.")
    for number in range(3):
        voice = chair(debate, f"Bob {number}", factories.person(f"bob{number}"))
        TurnDraft.objects.create(participant=voice, text=f"Draft {number}, of Timbuktu", saved_at=timezone.now())
    erasure.forget_statistics()
    assert "of Timbuktu" in samples()

    told("--debate", str(debate.public_id), "--yes", "--as", "alice", "--reason", WHY)

    assert "of Timbuktu" not in samples()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--debate", "4c1a3f66-3a0e-4d0c-8a5b-0d4ac9e9b3f5"], id="no such debate"),
        pytest.param(["--participant", "4c1a3f66-3a0e-4d0c-8a5b-0d4ac9e9b3f5"], id="no such participant"),
        pytest.param(["--person", "nobody"], id="no such person"),
        pytest.param(["--list", "--out", "erased.txt"], id="a file that could not be read again"),
        pytest.param(["--person", "alice", "--yes"], id="signed by nobody"),
        pytest.param(["--person", "alice", "--yes", "--as", "nobody"], id="signed by somebody unknown"),
        pytest.param(["--person", "alice", "--yes", "--as", "alice", "--reason", WHY], id="oneself"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(arguments, alice):
    with pytest.raises(CommandError):
        told(*arguments)


def test_where_judge_has_written_reports_it_is_said_that_they_stay(alice, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    eve, bob = (seated(name, factories.person(name.lower()), status="concluded") for name in ("Eve", "Bob"))
    order = ("--yes", "--as", "alice", "--reason", WHY)

    before = told("--debate", str(eve.debate.public_id), *order)
    (tmp_path / "reports").mkdir()
    after = told("--debate", str(bob.debate.public_id), *order)

    line = f"Reports that judge has written stay: look in {tmp_path / 'reports'}.\n"
    assert (before.count(line), after.count(line)) == (0, 1)
