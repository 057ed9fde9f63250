"""moderate, as an operator types it."""

import pytest
from django.core.management import CommandError

from judging.management.commands import moderate as moderate_command
from scoring.models import Evaluation
from tests import factories
from tests.scoring.commands import NOBODY, refused, said
from tests.scoring.history import sql

pytestmark = pytest.mark.django_db


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
        (["override", "--value", "4.5", "--code", "appeal"], 4.5, "Entry 6, override: 9.00 -> 4.50."),
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
    assert [code for code in evaluation.entries.values_list("reason_code", flat=True) if code] == ["appeal"]


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

    assert refused("moderate", "freeze", evaluation.public_id, *signed) == (1, "There is nobody called 'nobody'.")
    assert refused("moderate", "show", NOBODY) == (1, f"There is no evaluation {NOBODY}.")
    assert refused("moderate", "withdraw-conflict", NOBODY, *signed) == (1, f"There is no conflict {NOBODY}.")
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

    status, sentence = refused("moderate", *words)
    assert status == 1
    assert "A debate that is running is rolled back once it has ended" in sentence


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
    with pytest.raises(CommandError, match=r"This score has \d entries\."):
        said("moderate", "show", evaluation.public_id, "--as-of", "99")
    assert said("moderate", "show", evaluation.public_id, "--as-of", long_ago) == "P1 Problem clarity: not open yet\n"


def test_the_scores_of_a_debate_are_listed_with_their_ids(evaluation):
    second = factories.criterion(evaluation.debate, key="P2")
    moderate("freeze", second)

    assert said("moderate", "show", evaluation.debate.public_id).splitlines() == [
        "A debate, running",
        f"score               instrument  {'id':<36}  initial  computed  override  final  version  state",
        f"P1 Problem clarity  criterion   {evaluation.public_id}  6.00     9.00      none      9.00   0",
        f"P2 Problem clarity  criterion   {second.public_id}  6.00     none      none      none   2        frozen",
    ]


def test_a_moment_that_has_not_come_yet_is_refused(evaluation, capsys):
    words = ["show", str(evaluation.public_id), "--as-of", "2999-01-01T00:00:00Z"]

    with pytest.raises(SystemExit):
        moderate_command.Command().run_from_argv(["manage.py", "moderate", *words])

    assert "2999-01-01T00:00:00Z has not come yet" in capsys.readouterr().err


def test_a_version_that_never_was_is_refused_as_such(evaluation):
    with pytest.raises(CommandError, match="Nobody has seen version 7 of this score: it is at version 0"):
        moderate("lift", evaluation, seen=7)


@pytest.mark.parametrize(
    ("then", "line", "value"),
    [
        (["--then-override", "4.5"], "Entry 6, override: 9.00 -> 4.50.", 4.5),
        (["--then-rollback", "2"], "Entry 6, rollback: 9.00 -> 7.00.", 7),
        (["--then-strike", "first"], "Entry 6, strike: 9.00 -> 8.00.", 8),
    ],
)
def test_an_unfreeze_carries_a_further_step(evaluation, then, line, value):
    then = [str(facts_of(evaluation)[0]) if word == "first" else word for word in then]
    moderate("freeze", evaluation)

    lines = moderate("unfreeze", evaluation, "--held", "apply", *then).splitlines()

    assert lines[:2] == ["Entry 5, unfreeze: 9.00 -> 9.00.", line]
    assert value_of(evaluation) == value
