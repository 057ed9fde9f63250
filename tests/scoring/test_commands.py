"""verify_ledger, ledger_head and moderate, as an operator types them."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.management.commands import moderate as moderate_command
from scoring.models import Evaluation
from tests import factories
from tests.scoring.story import sql, tell

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-0000-0000-000000000000"


def said(*words: object) -> str:
    out = io.StringIO()
    call_command(*[str(word) for word in words], stdout=out)
    return out.getvalue()


def refused(*words: object) -> tuple[int, str]:
    """The exit status and the sentence of a command that ends with an error."""
    with pytest.raises(CommandError) as refusal:
        said(*words)
    return refusal.value.returncode, str(refusal.value)


def tamper(change: str) -> None:
    connection.check_constraints()
    sql("ALTER TABLE scoring_evaluation DISABLE TRIGGER USER")
    sql(f"UPDATE scoring_evaluation SET {change} WHERE key = 'P1'")


# -- verify_ledger and ledger_head ----------------------------------------


def test_an_honest_ledger_is_proved():
    story = tell()

    assert said("verify_ledger") == "2 evaluations, 13 entries: nothing that does not agree.\n"
    assert said("verify_ledger", "--debate", story.debate.public_id).startswith("2 evaluations")
    assert json.loads(said("verify_ledger", "--json")) == {"ok": True, "evaluations": 2, "entries": 13, "faults": []}


def test_a_fault_is_named_and_ends_with_status_1():
    story = tell()
    tamper("moderation_version = 5")
    out = io.StringIO()

    with pytest.raises(CommandError, match="in one place") as refusal:
        call_command("verify_ledger", stdout=out)

    assert refusal.value.returncode == 1
    assert out.getvalue().splitlines() == [
        f"evaluation {story.public_id}, entry 12: the moderation version is another: expected 12, found 5",
        "2 evaluations, 13 entries: 1 fault.",
    ]


def test_a_fault_is_named_as_json():
    story = tell()
    tamper("moderation_version = 5")
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("verify_ledger", "--json", stdout=out)

    assert json.loads(out.getvalue())["faults"] == [
        {
            "evaluation": str(story.public_id),
            "entry": 12,
            "what": "the moderation version is another",
            "expected": "12",
            "found": "5",
        }
    ]


def test_heads_are_kept_in_a_file_and_checked_against_it(tmp_path):
    story = tell()
    file = tmp_path / "heads.json"

    assert said("ledger_head", "--out", file).startswith("Wrote the heads of 2 evaluations to")
    assert said("verify_ledger", "--heads", file) == "2 evaluations, 13 entries: nothing that does not agree.\n"
    assert json.loads(said("ledger_head"))["heads"] == json.loads(file.read_text())["heads"]

    kept = json.loads(file.read_text())
    kept["heads"][str(story.public_id)]["hash"] = "ab"
    file.write_text(json.dumps(kept))
    assert refused("verify_ledger", "--heads", file)[0] == 1


def test_heads_are_never_written_over_others(tmp_path):
    file = tmp_path / "heads.json"
    file.write_text("kept")

    assert refused("ledger_head", "--out", file) == (2, f"{file} cannot be written: File exists.")
    assert file.read_text() == "kept"


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"heads": {"x": {}}}', f'{{"heads": {{"{NOBODY}": 5}}}}'])
def test_heads_that_cannot_be_read_are_refused(tmp_path, content):
    file = tmp_path / "heads.json"
    if content is not None:
        file.write_text(content)

    with pytest.raises(CommandError, match="cannot be read" if content is None else "not written by ledger_head"):
        said("verify_ledger", "--heads", file)


def test_an_unknown_debate_is_a_bad_argument():
    assert refused("verify_ledger", "--debate", NOBODY) == (2, f"There is no debate {NOBODY}.")


# -- moderate ----------------------------------------


@pytest.fixture
def evaluation() -> Evaluation:
    """A score of 9 from two rounds, and Alice, who may do everything."""
    made = factories.criterion(initial="6")
    factories.count(made, "1")
    factories.count(made, "2")
    factories.moderator("alice")
    return made


def moderate(action: str, evaluation: Evaluation, *more: object, seen: int | None = None) -> str:
    """What the command says when Alice acts on what she sees."""
    version = Evaluation.objects.values_list("moderation_version", flat=True).get(pk=evaluation.pk)
    looked = [] if action == "freeze" else ["--seen", version if seen is None else seen]
    return said("moderate", action, evaluation.public_id, "--as", "alice", "--reason", factories.REASON, *looked, *more)


def value_of(evaluation: Evaluation) -> object:
    return Evaluation.objects.get(pk=evaluation.pk).final_score


def facts_of(evaluation: Evaluation) -> list[object]:
    return list(evaluation.facts.order_by("pk").values_list("public_id", flat=True))


def test_every_action_can_be_done_from_the_command_line(evaluation):
    first = facts_of(evaluation)[0]
    steps = [
        (["freeze"], 9, "Entry 4, freeze: 9.00 -> 9.00."),
        (["unfreeze", "--held", "apply"], 9, "Entry 5, unfreeze: 9.00 -> 9.00."),
        (["override", "--value", "4.5"], 4.5, "Entry 6, override: 9.00 -> 4.50."),
        (["lift"], 9, "Entry 7, override lifted: 4.50 -> 9.00."),
        (["strike", "--facts", first], 8, "Entry 8, strike: 9.00 -> 8.00."),
        (["reinstate", "--facts", first], 9, "Entry 9, reinstate: 8.00 -> 9.00."),
        (["rollback", "--to", "2"], 7, "Entry 10, rollback: 9.00 -> 7.00."),
    ]

    for [action, *more], value, line in steps:
        assert moderate(action, evaluation, *more).splitlines()[0] == line
        assert value_of(evaluation) == value

    assert set(evaluation.entries.filter(sequence__gt=3).values_list("actor_kind", "actor__name")) == {
        ("system", "alice")
    }


def test_an_action_says_where_the_score_stands_now(evaluation):
    assert (
        moderate("freeze", evaluation)
        .splitlines()[1]
        .startswith(
            "Now P1 Problem clarity is at moderation version 4: initial 6.00, computed 9.00, override none, final 9.00,"
            " frozen since "
        )
    )


def test_an_action_without_a_look_shows_what_to_look_at(evaluation):
    words = [
        "moderate",
        "override",
        evaluation.public_id,
        "--as",
        "alice",
        "--reason",
        factories.REASON,
        "--value",
        "5",
    ]

    assert refused(*words) == (
        1,
        (
            "Look before you act: P1 Problem clarity is at moderation version 0: initial 6.00, computed 9.00,"
            " override none, final 9.00. If that is what you want to change, add --seen 0."
        ),
    )
    assert value_of(evaluation) == 9


def test_a_stale_look_is_refused_with_who_did_what(evaluation):
    moderate("override", evaluation, "--value", "5")

    with pytest.raises(CommandError, match=r"version 0\): alice: override at ") as refusal:
        moderate("lift", evaluation, seen=0)

    assert refusal.value.returncode == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["override", "--value", "11"], "value must be a number from 1 to 10 with at most 2 places; got 11."),
        (["lift"], "There is no override to lift."),
        (["strike", "--facts", NOBODY], f"This evaluation has no fact {NOBODY}."),
        (["rollback", "--to", "9"], "target must be an earlier entry, 1 to 2; got 9."),
        (["unfreeze", "--held", "apply"], "P1 Problem clarity is not frozen."),
    ],
)
def test_a_refusal_is_one_sentence_with_status_1(evaluation, words, sentence):
    with pytest.raises(CommandError) as refusal:
        moderate(words[0], evaluation, *words[1:])

    assert (refusal.value.returncode, str(refusal.value)) == (1, sentence)


def test_a_reason_of_blanks_is_refused(evaluation):
    words = ["moderate", "freeze", evaluation.public_id, "--as", "alice", "--reason", "\u200b" * 20]

    assert refused(*words) == (1, "reason must have at least 10 visible characters.")


def test_who_lacks_the_permission_is_refused_by_its_name(evaluation):
    factories.person("charlie")
    words = ["moderate", "freeze", evaluation.public_id, "--as", "charlie", "--reason", factories.REASON]

    assert refused(*words) == (1, "charlie lacks the permission freeze_evaluation.")


def test_an_unknown_person_or_evaluation_is_refused(evaluation):
    signed = ["--as", "nobody", "--reason", factories.REASON]

    assert refused("moderate", "freeze", evaluation.public_id, *signed) == (1, "There is no user nobody.")
    assert refused("moderate", "show", NOBODY) == (1, f"There is no evaluation {NOBODY}.")
    assert refused("moderate", "rollback-debate", NOBODY, *signed) == (1, f"There is no debate {NOBODY}.")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["explode", NOBODY],
        ["freeze", "seven", "--as", "alice", "--reason", "because"],
        ["freeze", NOBODY, "--as", "alice"],
        ["unfreeze", NOBODY, "--as", "alice", "--reason", "because", "--held", "maybe"],
        ["strike", NOBODY, "--as", "alice", "--reason", "because", "--seen", "1", "--facts", "x"],
        ["show", NOBODY, "--as-of", "yesterday"],
        ["show", NOBODY, "--as-of", "2026-02-31"],
    ],
    ids=" ".join,
)
def test_bad_arguments_end_with_status_2(words, capsys):
    with pytest.raises(SystemExit) as end:
        moderate_command.Command().run_from_argv(["manage.py", "moderate", *words])

    assert end.value.code == 2
    assert "usage: manage.py moderate" in capsys.readouterr().err


def test_a_whole_debate_is_rolled_back(evaluation):
    sql("UPDATE debates_debate SET status = 'concluded'")
    words = ["rollback-debate", evaluation.debate.public_id, "--as", "alice", "--reason", factories.REASON]

    assert said("moderate", *words) == "Back at their opening: 1 evaluation.\n"
    assert value_of(evaluation) == 6


def test_a_debate_in_play_is_not_rolled_back(evaluation):
    words = ["rollback-debate", evaluation.debate.public_id, "--as", "alice", "--reason", factories.REASON]

    assert refused("moderate", *words)[0] == 1


def test_a_history_is_shown_as_a_table(evaluation):
    moderate("override", evaluation, "--value", "4.5")
    one, two = facts_of(evaluation)

    lines = said("moderate", "show", evaluation.public_id).splitlines()

    assert lines[0].startswith(
        "P1 Problem clarity is at moderation version 4: initial 6.00, computed 9.00, override 4.50"
    )
    assert lines[1].split() == [
        "entry",
        "at",
        "(UTC)",
        "kind",
        "round",
        "value",
        "delta",
        "computed",
        "facts",
        "by",
        "reason",
    ]
    assert [line.split()[0] for line in lines[2:6]] == ["1", "2", "3", "4"]
    assert lines[5].endswith(f"override         9.00 -> 4.50  -4.50  9.00             alice   {factories.REASON}")
    assert lines[7:] == [
        "fact                                  round  amount  now",
        f"{one}  1      1.00    counts",
        f"{two}  2      2.00    counts",
    ]


def test_what_became_of_each_fact_is_shown(evaluation):
    one = facts_of(evaluation)[0]
    moderate("strike", evaluation, "--facts", one)
    moderate("freeze", evaluation)
    factories.count(evaluation, "-1")

    lines = said("moderate", "show", evaluation.public_id).splitlines()

    assert [line.split(maxsplit=3)[3] for line in lines[-3:]] == ["does not count", "counts", "held"]


def test_a_history_is_shown_as_it_was(evaluation):
    second = evaluation.entries.get(sequence=2)
    long_ago = "2001-01-01T00:00:00Z"

    by_number = said("moderate", "show", evaluation.public_id, "--as-of", "2").splitlines()
    by_time = said("moderate", "show", evaluation.public_id, "--as-of", second.at.isoformat()).splitlines()

    assert by_number == by_time
    assert by_number[0] == "P1 Problem clarity: 7.00 after entry 2"
    assert by_number[-1].endswith("1.00    counts")
    assert said("moderate", "show", evaluation.public_id, "--as-of", long_ago) == "P1 Problem clarity: not open yet\n"
