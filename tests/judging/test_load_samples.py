"""``manage.py load_samples``: run again after an accident, it finishes what it began, and touches nothing else."""

import json
import re
import shutil
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.registry import FORMATS
from judging.formats.responses import results
from judging.formats.responses.api import EXAMPLE
from judging.management.commands.run_debate import title_of
from judging.models import Review
from scoring import bundled, rubrics
from scoring.models import Alert, Evaluation, Rubric
from tests import factories, playing
from tests.judging.erasure.erase import erase
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES, address, html

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]
SCRIPTED = {"provider": "scripted"}
LONG = [{"answer": {"a": 10**400}}]
ROW = r'<tr data-criterion="(\w+)" data-start="([\d.]+)".*?data-final><[^>]+>([\d.]+)<'


def test_a_load_that_was_ended_between_creating_and_starting_is_finished_by_the_next():
    file = min((ROOT / "samples").glob("*.md"))
    title = title_of(file.read_text(encoding="utf-8"), path=str(file))
    spec = CriterionSpec(title=title, subject="Words.", rubric=playing.rubric("P1"))
    draft = create_draft(spec=spec, by=None, now=timezone.now())

    call_command("load_samples", verbosity=0)
    everything = set(Debate.objects.values_list("title", "status"))
    call_command("load_samples", verbosity=0)

    draft.refresh_from_db()
    assert draft.status == "scheduled"
    assert {status for _, status in everything} == {"scheduled", "running"}  # an open debate is assessed by nobody
    assert len(everything) == Debate.objects.count() >= 8
    assert Rubric.objects.filter(slug="venture").count() == 1


def test_a_rubric_beside_the_shipped_ones_is_stored_or_left_out_by_name_and_stops_nothing(monkeypatch, tmp_path):
    for name in bundled.SHIPPED:
        shutil.copy(bundled.FOLDER / f"{name}.json", tmp_path)
    shutil.copy(bundled.FOLDER / "exhibition.json", tmp_path / "spaced.json")
    spaced = (tmp_path / "spaced.json").read_text(encoding="utf-8").replace('"exhibition"', '"My rubric"', 1)
    (tmp_path / "spaced.json").write_text(spaced, encoding="utf-8")
    (tmp_path / "half.json").write_text("{", encoding="utf-8")
    (tmp_path / "latin.json").write_bytes('{"name": "é"}'.encode("latin-1"))
    for end in ("yaml", "yml"):
        (tmp_path / f"ours.{end}").write_text(rubrics.as_yaml(playing.rubric("P1") | {"slug": end}), encoding="utf-8")
    monkeypatch.setattr(bundled, "FOLDER", tmp_path)
    errors = StringIO()

    call_command("load_samples", verbosity=0, stderr=errors)

    assert {rubric.slug for rubric in Rubric.objects.all()} == {*bundled.SHIPPED, "yaml", "yml"}
    left_out = errors.getvalue().splitlines()
    assert [line.split(" is left out: ")[0] for line in left_out] == [
        str(tmp_path / f"{name}.json") for name in ("half", "latin", "spaced")
    ]
    assert "slug must be of letters from a to z, digits, - and _; got 'My rubric'" in left_out[-1]


def test_a_sample_of_any_format_that_cannot_be_read_is_left_out_by_name_and_stops_no_other(settings, tmp_path):
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    settings.BASE_DIR = tmp_path
    broken = {
        "a.md": b"\xe9",
        "open/a.json": b'{"title": "Half a',
        "open/b.json": b'{"motion": "Nothing has a title."}',
        "open/c.json": b"[]",
        "open/d.json": b"[" * 100_000,
        "open/e.json": open_sample(motion="Short"),
        "open/f.json": open_sample(title=None),
        "open/g.json": open_sample(title="A\0title"),
        "open/h.json": open_sample(preset=["classic_clash"]),
        "open/i.json": open_sample(tone={}),
        "open/j.json": open_sample(pace="slow"),
        "panel/a.json": b"[]",
        "panel/b.json": b'{"title": "Nobody", "subject": "Words.", "task": "None.", "template": "code", "judge": []}',
        "panel/c.json": b'{"title": "Unknown", "subject": "Words.", "task": "None.", "template": "poem"}',
        "panel/d.json": panel_sample(repeat_of="2f0b6f0e-5a0b-4c53-9d7a-0d3f6b8f7a11"),
        "panel/e.json": panel_sample(judges=[{"provider": "openai", "model": "x@nowhere"}]),
        "panel/f.json": panel_sample(title="Long", judges=[SCRIPTED] * 3, reporter=SCRIPTED, script=LONG),
        "panel/g.json": b'{"subject": "Words.", "task": "None.", "template": "code"}',
        "responses/a.json": b'{"title": "Too short", "motion": "Is it?", "responses": [{"response": "No."}]}',
        "responses/b.json": json.dumps({name: EXAMPLE[name] for name in ("motion", "responses")}).encode(),
    }
    for name, raw in broken.items():
        (tmp_path / "samples" / name).write_bytes(raw)
    errors = StringIO()

    for _ in range(2):
        call_command("load_samples", verbosity=0, stderr=errors)

    left_out = [line.split(" is left out: ") for line in errors.getvalue().splitlines()]
    assert [file for file, _ in left_out] == [str(tmp_path / "samples" / name) for name in broken] * 2
    assert {debate.format for debate in Debate.objects.all()} == set(FORMATS)
    why = {Path(file).relative_to(tmp_path / "samples").as_posix(): words for file, words in left_out}
    assert not [words for words in why.values() if str(tmp_path) in words]
    assert why["open/b.json"] == "sample: title must be text."
    assert why["panel/a.json"] == "must hold a JSON object, as the API takes it for the format panel."
    assert why["panel/g.json"] == "title: This field is required."
    assert why["responses/b.json"] == "sample: title must be text."


def open_sample(**values):
    return json.dumps({"title": "Half", "motion": "Trams are free.", "preset": "classic_clash", **values}).encode()


def panel_sample(**values):
    return json.dumps({"title": "Half", "subject": "Words.", "task": "None.", "template": "code", **values}).encode()


@pytest.mark.parametrize(
    ("owned", "provider"),
    [pytest.param(True, "heuristic", id="somebody's own"), pytest.param(False, "openai", id="one that is paid for")],
)
def test_another_draft_of_the_title_of_a_sample_is_left_alone_and_hides_no_sample(owned, provider):
    file = min((ROOT / "samples").glob("*.md"))
    title = title_of(file.read_text(encoding="utf-8"), path=str(file))
    spec = CriterionSpec(title=title, subject="Words.", rubric=playing.rubric("P1"), provider=provider)
    bob = factories.person("bob", permissions=["debates.add_debate"]) if owned else None
    draft = create_draft(spec=spec, by=bob, now=timezone.now())

    call_command("load_samples", verbosity=0)

    draft.refresh_from_db()
    samples = Debate.objects.filter(title=title).exclude(pk=draft.pk)
    assert (draft.status, [sample.status for sample in samples]) == ("draft", ["scheduled"])


def test_a_debate_that_was_played_or_cancelled_is_not_started_again():
    call_command("load_samples", verbosity=0)
    debate = Debate.objects.first()
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
    before = Debate.objects.count()

    call_command("load_samples", verbosity=0)

    debate.refresh_from_db()
    assert (debate.status, Debate.objects.count()) == ("cancelled", before)


def test_a_sample_that_was_erased_is_not_started_again():
    call_command("load_samples", verbosity=0)
    before = Debate.objects.count()
    alice = User.objects.create_superuser("alice")
    for format_ in FORMATS:
        debate = Debate.objects.filter(format=format_).first()
        lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
        erase(debate, alice)

    call_command("load_samples", verbosity=0)

    assert Debate.objects.count() == before
    assert Debate.objects.filter(title="[erased]").count() == len(FORMATS)


def test_a_sample_of_which_a_draft_was_left_and_erased_is_not_started_and_stops_no_start(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "start", lambda **_about: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            call_command("load_samples", verbosity=0)
    [draft] = Debate.objects.all()
    erase(draft, User.objects.create_superuser("alice"))

    call_command("load_samples", verbosity=0)

    draft.refresh_from_db()
    assert draft.status == "draft"
    assert Debate.objects.filter(status="running").exists()


def test_the_page_of_a_sample_shows_thirty_criteria_whose_scores_have_moved():
    call_command("load_samples", verbosity=0)
    sample = Debate.objects.filter(format="criterion").order_by("pk").first()
    for other in Debate.objects.exclude(pk=sample.pk):
        lifecycle.cancel(debate_id=other.pk, by=None, now=timezone.now())

    playing.work()

    rows = re.findall(ROW, html(address(sample)), flags=re.DOTALL)
    shown = {code: (Decimal(start), Decimal(final)) for code, start, final in rows}
    scores = Evaluation.objects.filter(debate=sample)
    assert len(rows) == len(shown) == 30
    assert shown == {one.key: (one.initial_score, one.final_score) for one in scores}
    assert sum(start != final for start, final in shown.values()) > 10


def test_the_judges_of_one_sample_panel_argue_until_they_agree_and_those_of_the_other_leave_a_person_one_criterion():
    design, handbook = loaded_alone("panel")

    playing.work()

    agreed, disputed = ([row.found["disputed"] for row in panel.consensuses.all()] for panel in (design, handbook))
    assert [Debate.objects.get(pk=panel.pk).status for panel in (design, handbook)] == ["concluded", "awaiting_review"]
    assert (len(agreed), agreed[0], agreed[-1]) == (3, ["completeness", "scalability"], [])
    assert (len(disputed), disputed[-1]) == (4, ["completeness"])
    assert Review.objects.get().disputed == ["completeness"]


def test_the_sample_batch_has_responses_for_which_a_debate_would_be_interrupted_and_others():
    [batch] = loaded_alone("responses")

    playing.work()

    batch.refresh_from_db()
    rows = results.document(debate=batch)["rows"]
    assert batch.status == "concluded"
    assert {row["state"] for row in rows} == {"scored"}
    assert [row["id"] for row in rows if row["interjection"]] == ["on-both-sides", "oh-sure"]


def loaded_alone(format_):
    """The samples of a format, in the order of their files; nothing else is played."""
    call_command("load_samples", verbosity=0)
    for other in Debate.objects.exclude(format=format_):
        lifecycle.cancel(debate_id=other.pk, by=None, now=timezone.now())
    return Debate.objects.filter(format=format_).order_by("pk")


def test_the_samples_warn_of_the_two_texts_that_say_nothing_alone():
    """All of them are played by the offline judge, in ten seconds: which alerts a newcomer finds is of the whole."""
    call_command("load_samples", verbosity=0)
    playing.work()

    found = Alert.objects.values_list("debate__title", "code", "times")
    assert {(title.split()[0], code) for title, code, _ in found} == {
        ("Salad", "one_sided"),
        ("LifeVerse:", "one_sided"),
        ("LifeVerse:", "large_change"),
    }
    assert {times for *_, times in found} == {1}
