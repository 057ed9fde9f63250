"""A new debate in a browser, step by step: what is typed is kept, what is wrong is said, what is made is a draft."""

import json
import re
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from debates.errors import NotFound
from debates.models import Debate
from debates.services.idempotency import UseCase
from judging.engine import creation
from judging.formats import files
from judging.formats.registry import FORMATS
from judging.models import Call, NewDebate, Script
from judging.providers.scripted import read_script
from scoring.services import rubric_store
from tests import factories, playing
from tests.judging.heuristics.test_subjects import GERMAN
from tests.judging.test_prepare import ELSEWHERE
from tests.providers.conftest import row

pytestmark = pytest.mark.django_db
MOTION = "Cities should make public transport free."


@pytest.fixture
def olga(client):
    """An organiser, signed in."""
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    person = factories.person("olga")
    person.groups.add(Group.objects.get(name="Organiser"))
    client.force_login(person)
    return client


def begin(client, name):
    client.post(reverse("new-debate"), {"format": name})
    return NewDebate.objects.get()


def fill(client, step, **typed):
    new = NewDebate.objects.get()
    return client.post(reverse("new-debate-step", args=[new.public_id, step]), typed)


def check(client):
    return reverse("new-debate-check", args=[NewDebate.objects.get().public_id])


def errors(response):
    return {name: [fault.code for fault in found.as_data()] for name, found in response.context["form"].errors.items()}


def typed_as_shown(response):
    """Return the fields of a step as a browser would send them back."""
    form = response.context["form"]
    sent = {}
    for field in form:
        value = field.value()
        if value not in (None, "", False) and field.name != "files":
            sent[field.html_name] = "on" if value is True else value
    return sent


def through(client, *steps):
    """Fill in steps as they are shown, with what is typed; return where the last leads."""
    for step, typed in steps:
        new = NewDebate.objects.get()
        shown = client.get(reverse("new-debate-step", args=[new.public_id, step]))
        answer = fill(client, step, **{**typed_as_shown(shown), **typed})
        assert answer.status_code == 302, errors(answer)
    return answer.headers["Location"]


def test_what_a_double_click_begins_twice_is_begun_once_and_anew_when_it_is_thrown_away(olga):
    page = olga.get(reverse("new-debate"))
    form = {"format": "open", "once": page.context["once"]}
    assert page.content.decode().count(f'name="once" value="{form["once"]}"') == len(FORMATS)

    leads = [olga.post(reverse("new-debate"), form).headers["Location"] for _ in range(2)]

    new = NewDebate.objects.get()
    assert set(leads) == {reverse("new-debate-step", args=[new.public_id, FORMATS["open"].steps[0].name])}
    olga.post(reverse("new-debate"), {**form, "format": "panel"})
    assert NewDebate.objects.count() == 2
    new.delete()
    again = olga.post(reverse("new-debate"), form).headers["Location"]
    assert str(NewDebate.objects.get(format="open").public_id) in again


def test_what_a_double_click_makes_twice_is_made_once_and_led_to(olga):
    new = begin(olga, "open")
    NewDebate.objects.update(body={**FORMATS["open"].example, "motion": MOTION})
    address = check(olga)
    page = olga.get(address)
    once = page.context["once"]
    assert f'name="once" value="{once}"' in page.content.decode()

    leads = [olga.post(address, {"once": once}).headers["Location"] for _ in range(2)]

    assert set(leads) == {reverse("prepare-debate", args=[Debate.objects.get().public_id])}
    assert olga.post(address, {"once": "of another page"}).status_code == 404
    gone = [
        reverse("new-debate-check", args=[new.public_id]),
        reverse("new-debate-step", args=[new.public_id, "table"]),
    ]
    for page in (olga.get(address) for address in gone):
        assert page.status_code == 404
        assert "it was made into a debate, or thrown away." in page.content.decode()
        assert f'<form method="post" action="{reverse("new-debate")}">' in page.content.decode()


def test_what_was_changed_in_another_tab_is_shown_before_it_is_made(olga):
    begin(olga, "open")
    NewDebate.objects.update(body={**FORMATS["open"].example, "visibility": "private"})
    address = check(olga)
    shown = olga.get(address).context
    NewDebate.objects.update(body=FORMATS["open"].example)

    refused = olga.post(address, {"once": shown["once"], "seen": shown["seen"]})

    assert (refused.status_code, Debate.objects.count()) == (409, 0)
    page = refused.content.decode()
    assert "was changed after this page was shown" in page
    assert "Everybody, and it is listed" in page
    assert f'name="seen" value="{refused.context["seen"]}"' in page
    form = {name: refused.context[name] for name in ("once", "seen")}
    assert olga.post(address, form).status_code == 302
    assert Debate.objects.get().visibility == "public"


@pytest.mark.parametrize(("way", "code"), [("check", 404), ("new", 409)])
def test_a_form_that_was_sent_before_under_a_secret_key_that_is_yet_to_come_is_answered(way, code, olga, settings):
    begin(olga, "open")
    NewDebate.objects.update(body={**FORMATS["open"].example, "motion": MOTION})
    address, form = (check(olga), {}) if way == "check" else (reverse("new-debate"), {"format": "open"})
    former = settings.SECRET_KEY
    answers = []

    for settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS in [("another" * 10, [former]), (former, [])]:
        olga.force_login(User.objects.get(username="olga"))
        answers.append(olga.post(address, {**form, "once": "a"}).status_code)

    assert answers == [302, code]


def test_a_criterion_debate_is_made_page_by_page(olga):
    begin(olga, "criterion")
    last = through(
        olga,
        ("subject", {"title": "Soil probes", "subject": playing.SUBJECT}),
        ("rubric", {"rubric": "small"}),
        ("voices", {}),
        ("play", {"rounds": "2", "limits.tokens": "7000"}),
    )

    assert last == check(olga)
    shown = olga.get(last)
    assert [fault.message for fault, _ in shown.context.get("faults", ())] == []
    assert shown.context["forecast"].calls == 15
    assert "At most 15, if nothing fails." in shown.content.decode()
    assert "It ends, partial, before 7000 are read and written." in shown.content.decode()
    made = olga.post(last)

    debate = Debate.objects.get()
    assert made.headers["Location"] == reverse("prepare-debate", args=[debate.public_id])
    assert (debate.title, debate.rounds, debate.status) == ("Soil probes", 2, "draft")
    assert debate.created_by.username == "olga"
    assert not NewDebate.objects.exists()


OWN = "correctness: 60\nbrevity: 40"
OF_BODY = [{"name": "correctness", "weight": "60"}, {"name": "brevity", "weight": "40"}]


def test_criteria_that_were_typed_are_those_of_the_panel_unless_others_were_chosen_as_well(olga):
    new = begin(olga, "panel")
    address = reverse("new-debate-step", args=[new.public_id, "criteria"])

    def twice(**changed):
        sent = typed_as_shown(olga.get(address)) | changed
        return [(fill(olga, "criteria", **sent).status_code, NewDebate.objects.get().body) for _ in range(2)]

    assert twice(typed=OWN) == [(302, {"criteria": OF_BODY})] * 2
    assert twice(chosen="template:code") == [(302, {"template": "code"})] * 2
    assert twice(chosen="template:design", typed=OWN) == [(422, {"template": "design", "criteria": OF_BODY})] * 2
    page = olga.get(address)
    refused = fill(olga, "criteria", **typed_as_shown(page))
    assert (page.context["form"]["typed"].value(), list(errors(refused))) == (OWN, ["chosen"])
    assert twice(typed="") == [(302, {"template": "design"})] * 2
    assert twice(chosen="criteria", typed=OWN) == [(302, {"criteria": OF_BODY})] * 2
    assert twice(chosen="template:code", typed="x: 1")[0][0] == 422


@pytest.mark.parametrize(
    ("button", "choice", "kept"),
    [
        ("look", "template:code", {"template": "code"}),
        ("look", "rubric:small", {"rubric": "small"}),
        ("edit", "rubric:small", {"rubric": "small"}),
        ("import", "template:code", {"template": "code"}),
    ],
)
def test_criteria_of_ones_own_stay_while_others_are_looked_at(olga, button, choice, kept):
    new = begin(olga, "panel")
    NewDebate.objects.update(body={"criteria": OF_BODY})
    address = reverse("new-debate-step", args=[new.public_id, "criteria"])
    shown = typed_as_shown(olga.get(address)) | {"chosen": choice}

    for _ in range(2):
        assert fill(olga, "criteria", **shown, **{button: "1"}).status_code in {200, 302}
        assert NewDebate.objects.get().body == {**kept, "criteria": OF_BODY}
    page = olga.get(address)
    undecided = fill(olga, "criteria", **typed_as_shown(page))

    assert page.context["form"]["typed"].value() == OWN
    assert list(errors(undecided)) == ["chosen"]
    assert fill(olga, "criteria", **typed_as_shown(undecided) | {"chosen": "criteria"}).status_code == 302
    assert NewDebate.objects.get().body == {"criteria": OF_BODY}


def test_criteria_that_are_looked_at_twice_are_those_that_were_typed_both_times(olga):
    new = begin(olga, "panel")
    page = olga.get(reverse("new-debate-step", args=[new.public_id, "criteria"]))

    for _ in range(2):
        looked_at = fill(olga, "criteria", **typed_as_shown(page), typed=OWN, look="1")
        assert [row["name"] for row in looked_at.context["chosen"]["criteria"]] == ["Correctness", "Brevity"]
        assert NewDebate.objects.get().body == {"criteria": OF_BODY}


def test_typed_criteria_stay_the_choice_after_a_slip_in_them(olga):
    new = begin(olga, "panel")
    fill(olga, "subject", title="T", task="t", subject="def f(): return 1")

    for _ in range(2):
        page = olga.get(reverse("new-debate-step", args=[new.public_id, "criteria"]))
        slip = fill(olga, "criteria", **typed_as_shown(page) | {"typed": "correctness: 60\r\nbrevity: x"})
        again = fill(olga, "criteria", **typed_as_shown(slip))
        assert [list(errors(answer)) for answer in (slip, again)] == [["typed"], ["typed"]]
    assert fill(olga, "criteria", **typed_as_shown(slip) | {"typed": "correctness: 60"}).status_code == 302
    new.refresh_from_db()
    assert new.body["criteria"] == [{"name": "correctness", "weight": "60"}]


def test_somebody_judges_on_a_panel(olga):
    begin(olga, "panel")
    nobody = {f"judges.{number}.provider": "" for number in range(3)}

    assert list(errors(fill(olga, "judges", **nobody))) == ["judges.0.provider"]
    assert fill(olga, "judges", **nobody, more="1").context["form"].row_count == 4


@pytest.mark.parametrize(
    ("ticked", "says"),
    [(["P1"], "Small, 1 of 2 criteria (Name of P1)"), ([], "Small, 2 criteria (Name of P1, Name of P2)")],
)
def test_the_last_page_names_the_criteria_that_are_played(olga, ticked, says):
    begin(olga, "criterion")
    body = {"title": "Soil probes", "subject": playing.SUBJECT, "rubric": "small", "criteria": ticked}
    NewDebate.objects.update(body=body)

    shown = olga.get(check(olga)).content.decode()

    assert says in " ".join(re.sub("<[^>]*>", "", shown).split())


def test_the_last_page_of_a_panel_names_no_criterion_that_does_not_apply(olga):
    begin(olga, "panel")
    NewDebate.objects.update(
        body={
            "title": "Soil probes",
            "task": "How good is this plan for soil probes?",
            "subject": playing.SUBJECT,
            "rubric": "small",
            "judges": [{"name": "Ada"}, {"name": "Ben"}, {"name": "Cleo"}],
            "not_applicable": {"P2": "Nothing is said about it."},
        }
    )

    shown = olga.get(check(olga)).content.decode()

    assert "Small, 1 of 2 criteria (Name of P1)" in " ".join(re.sub("<[^>]*>", "", shown).split())


def test_what_is_wrong_in_a_step_is_said_there_whatever_a_later_one_holds_already(olga):
    begin(olga, "open")
    through(olga, ("motion", {"motion": MOTION}))
    NewDebate.objects.update(body={**NewDebate.objects.get().body, "judging": "quick"})

    refused = fill(olga, "table", **{"chairs.0.name": "Otto", "chairs.1.name": "Otto"})

    assert refused.status_code == 422
    assert "chairs.1.name" in errors(refused)


def test_a_speaker_lacks_a_name_where_something_else_was_typed_and_leaves_where_it_was_taken_out(olga):
    new = begin(olga, "open")
    fill(olga, "motion", motion=MOTION)
    typed = {"chairs.1.stance": "-0.8", "chairs.1.kind": "human", "chairs.2.name": "Otto", "chairs.2.stance": "0.5"}

    alone = fill(olga, "table", **{"chairs.0.name": "Alice"})
    below = fill(olga, "table", **{"chairs.0.name": "", "chairs.1.name": "Alice"})
    nameless = fill(olga, "table", **{"chairs.0.name": "Alice", **typed})
    shown = olga.get(reverse("new-debate-step", args=[new.public_id, "table"]))
    one_more = fill(olga, "table", **typed_as_shown(shown), more="1")
    taken_out = typed_as_shown(one_more) | {"chairs.1.name": "Ben", "chairs.2.name": "", "chairs.1.stance": "9"}
    slip = fill(olga, "table", **taken_out)

    assert [list(errors(answer)) for answer in (alone, nameless)] == [["chairs.1.name"]] * 2
    assert list(errors(below)) == ["chairs.0.name"]
    assert typed.items() <= typed_as_shown(shown).items()
    assert typed.items() <= typed_as_shown(one_more).items()
    assert list(errors(slip)) == ["chairs.1.stance"]
    assert fill(olga, "table", **typed_as_shown(slip) | {"chairs.1.stance": "1"}).status_code == 302
    new.refresh_from_db()
    assert new.body["chairs"] == [{"name": "Alice"}, {"name": "Ben", "kind": "human", "stance": "1"}]


def test_after_a_slip_a_row_of_the_table_is_still_the_one_above_which_a_row_is_empty(olga):
    new = begin(olga, "open")
    fill(olga, "motion", motion=MOTION)
    typed = {"chairs.1.name": "Alice", "chairs.2.name": "Ben", "chairs.2.stance": "9", "chairs.3.name": "Cleo"}

    slip = fill(olga, "table", **typed)
    nameless = fill(olga, "table", **typed_as_shown(slip) | {"chairs.0.stance": "0.5", "chairs.2.stance": "1"})
    named = typed_as_shown(nameless) | {"chairs.0.name": "Dora", "chairs.2.name": "", "chairs.3.stance": "9"}
    again = fill(olga, "table", **named)

    assert list(errors(slip)) == ["chairs.2.stance"]
    assert list(errors(nameless)) == ["chairs.0.name"]
    assert list(errors(again)) == ["chairs.3.stance"]
    assert fill(olga, "table", **typed_as_shown(again) | {"chairs.3.stance": "0"}).status_code == 302
    new.refresh_from_db()
    assert new.body["chairs"] == [{"name": "Dora", "stance": "0.5"}, {"name": "Alice"}, {"name": "Cleo"}]


def test_an_open_debate_is_made_with_people_in_its_seats(olga):
    begin(olga, "open")
    last = through(
        olga,
        ("motion", {"motion": MOTION}),
        ("table", {"chairs.0.name": "Alice", "chairs.0.kind": "human", "chairs.1.name": "Otto"}),
        ("judging", {}),
        ("play", {"exchanges": "1", "turn_seconds": "3600"}),
    )
    assert "Alice</bdi>, a person, invited once the debate is made" in olga.get(last).content.decode()
    assert ">Time for a turn</label>" in olga.get(last.replace("check", "play")).content.decode()
    olga.post(last)

    debate = Debate.objects.get()
    assert list(debate.participants.values_list("name", "kind"))[:2] == [("Alice", "human"), ("Otto", "engine")]
    assert debate.parameters["table"]["turn_seconds"] == 3600


def test_every_label_of_a_step_names_a_field(olga):
    begin(olga, "open")
    page = olga.get(reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "table"])).content.decode()

    assert set(re.findall(r'<label[^>]* for="([^"]+)"', page)) - set(re.findall(r' id="([^"]+)"', page)) == set()
    assert 'role="group" aria-labelledby="presets"' in page


def test_one_more_row_is_asked_for_by_an_address_that_leads_to_it(olga):
    begin(olga, "open")
    shown = olga.get(reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "table"]))
    leads_to = re.search(r'name="more" value="1" formaction="#([^"]+)"', shown.content.decode())

    page = fill(olga, "table", **typed_as_shown(shown), more="1").content.decode()

    assert page.count(f'<fieldset class="row" id="{leads_to[1]}"') == 1
    assert f'<fieldset class="row" id="{leads_to[1]}"' in page[page.rindex('<fieldset class="row"') :]


def test_a_panel_is_made_with_criteria_of_ones_own(olga):
    begin(olga, "panel")
    last = through(
        olga,
        ("subject", {"title": "cache.py", "task": "Keep answers for an hour.", "subject": playing.SUBJECT}),
        ("criteria", {"chosen": "criteria", "typed": "correctness: 60\r\ndesign: 40"}),
        ("judges", {}),
        ("play", {"rounds": "1"}),
    )
    olga.post(last)

    debate = Debate.objects.get()
    assert [row["code"] for row in debate.parameters["rubric"]["criteria"]] == ["correctness", "design"]
    assert debate.participants.filter(role="judge").count() == 3


def test_a_rubric_is_looked_at_and_edited_from_the_step_and_what_was_typed_stays(olga):
    begin(olga, "criterion")
    fill(olga, "subject", title="Soil probes", subject=playing.SUBJECT)
    rubric_store.store(snapshot={**playing.rubric("P1"), "slug": "tiny", "name": "Tiny"}, by=None)

    looked_at = fill(olga, "rubric", rubric="tiny", look="1")
    leads = fill(olga, "rubric", rubric="tiny", edit="1")
    editor = olga.get(leads.headers["Location"])

    assert looked_at.context["chosen"]["slug"] == "tiny"
    assert '<details class="criterion" open>' in looked_at.content.decode()
    assert NewDebate.objects.get().body == {"title": "Soil probes", "subject": playing.SUBJECT, "rubric": "tiny"}
    assert leads.headers["Location"].startswith("/rubrics/new/?from=")
    step = reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "rubric"])
    assert editor.context["next"] == step
    saved = olga.post("/rubrics/new/", {**rubric_as_sent("mine"), "next": step})
    assert saved.headers["Location"] == f"{step}?rubric=mine#rubric"
    back = olga.get(saved.headers["Location"])
    assert (back.context["form"]["rubric"].value(), back.context["chosen"]["slug"]) == ("mine", "mine")
    assert fill(olga, "rubric", rubric="mine").status_code == 302
    assert NewDebate.objects.get().body == {"title": "Soil probes", "subject": playing.SUBJECT, "rubric": "mine"}


def test_a_rubric_is_imported_from_the_step_and_leads_back_to_it(olga):
    begin(olga, "criterion")
    fill(olga, "subject", title="Soil probes", subject=playing.SUBJECT)
    step = reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "rubric"])

    leads = fill(olga, "rubric", **{"import": "1"}).headers["Location"]
    asks = olga.get(leads)
    refused = olga.post("/rubrics/import/", {"text": "no rubric", "next": asks.context["next"]})
    text = json.dumps({**playing.rubric("P1"), "slug": "mine"})
    read = olga.post("/rubrics/import/", {"text": text, "next": refused.context["next"]})
    saved = olga.post("/rubrics/new/", {**rubric_as_sent("mine"), "next": read.context["next"]})
    elsewhere = olga.get("/rubrics/import/", {"next": "https://example.org/"})

    assert asks.context["next"] == step
    assert f'name="next" value="{step}"' in asks.content.decode()
    assert saved.headers["Location"] == f"{step}?rubric=mine#rubric"
    assert elsewhere.context["next"] == ""


def test_ones_own_rubric_is_edited_as_its_next_version_and_chosen_by_a_panel(olga):
    begin(olga, "panel")
    olga.post("/rubrics/new/", rubric_as_sent("mine"))

    leads = fill(olga, "criteria", chosen="rubric:mine", typed="", edit="1").headers["Location"]
    saved = olga.post(leads, {**rubric_as_sent("mine"), "seen": "1", "name": "Mine, shorter"})

    assert "/next/?next=" in leads
    back = olga.get(saved.headers["Location"])
    assert back.context["form"]["chosen"].value() == "rubric:mine"
    assert back.context["chosen"]["name"] == "Mine, shorter"


@pytest.mark.parametrize(("typed", "name"), [("clarity: 60", "clarity"), ("clarity: much", None), ("", None)])
def test_typed_criteria_are_looked_at_where_they_can_be_read(olga, typed, name):
    begin(olga, "panel")

    looked_at = fill(olga, "criteria", chosen="criteria", typed=typed, look="1")
    refused = fill(olga, "criteria", chosen="criteria", typed=typed, edit="1")

    chosen = looked_at.context["chosen"]
    assert (chosen and chosen["criteria"][0]["code"]) == name
    assert errors(looked_at) == ({} if name else {"chosen": ["no_criteria"]})
    assert errors(refused) == {"chosen": ["no_rubric"]}
    assert refused.context["form"]["typed"].value() == typed


@pytest.mark.parametrize("away", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nobody_is_sent_elsewhere_from_a_rubric(olga, away):
    saved = olga.post("/rubrics/new/", {**rubric_as_sent("mine"), "next": away})

    assert saved.headers["Location"].startswith("/rubrics/")


@pytest.mark.parametrize(
    ("name", "before", "step", "filled", "typed"),
    [
        ("open", [("motion", {"motion": MOTION})], "table", ("name", "Otto {}"), {"chairs.3.stance": "7"}),
        ("panel", [], "judges", ("provider", "heuristic"), {"judges.3.strategy": "by luck"}),
    ],
)
def test_what_is_wrong_in_a_row_is_said_there_where_a_row_before_it_is_empty(olga, name, before, step, filled, typed):
    begin(olga, name)
    for earlier in before:
        through(olga, earlier)
    [key, *_], [column, value] = next(iter(typed)).split("."), filled

    answer = fill(olga, step, **{f"{key}.{number}.{column}": value.format(number) for number in (0, 2, 3)}, **typed)

    assert list(errors(answer)) == list(typed)


def test_a_step_leaves_standing_what_another_tab_kept_while_its_upload_was_read(olga, monkeypatch):
    begin(olga, "criterion")
    during_reading(monkeypatch, lambda: NewDebate.objects.update(body={"rounds": 2, "title": "Rock"}))

    kept = fill(olga, "subject", title="Soil probes", files=file(playing.SUBJECT))

    assert kept.status_code == 302
    assert NewDebate.objects.get().body == {"rounds": 2, "title": "Soil probes", "subject": playing.SUBJECT}


def test_the_words_of_a_step_come_back_where_it_was_thrown_away_while_its_upload_was_read(olga, monkeypatch):
    begin(olga, "criterion")
    during_reading(monkeypatch, lambda: NewDebate.objects.all().delete())

    gone = fill(olga, "subject", title="Soil probes", files=file(playing.SUBJECT))

    assert gone.status_code == 404
    assert gone.context["words"] == [("Title", "Soil probes")]


def test_what_is_thrown_away_in_two_tabs_at_once_is_not_found_in_one(olga, monkeypatch):
    new = begin(olga, "criterion")
    own = creation.own_new_debate

    def thrown_away_after(**options):
        found = own(**options)
        NewDebate.objects.all().delete()
        return found

    monkeypatch.setattr(creation, "own_new_debate", thrown_away_after)

    assert olga.post(reverse("new-debate-discard", args=[new.public_id])).status_code == 404


def test_who_had_to_sign_in_again_before_they_threw_a_new_debate_away_is_back_among_them(olga):
    new = begin(olga, "criterion")

    answer = olga.get(reverse("new-debate-discard", args=[new.public_id]))

    assert answer.headers.get("Location") == reverse("new-debate")
    assert NewDebate.objects.exists()


def during_reading(monkeypatch, meanwhile):
    """Have something done while an upload is read."""
    read = files.read

    def slowly(uploaded):
        meanwhile()
        return read(uploaded)

    monkeypatch.setattr(files, "read", slowly)


def test_what_is_refused_although_it_looks_well_says_why(olga, monkeypatch):
    begin(olga, "open")
    through(olga, ("motion", {"motion": MOTION}), ("table", {"chairs.0.name": "Alice", "chairs.1.name": "Otto"}))

    def made_meanwhile(**_options):
        raise NotFound("It was made in another tab.")

    monkeypatch.setattr(creation, "draft_new_debate", UseCase(made_meanwhile))

    refused = olga.post(check(olga))

    assert refused.status_code == 422
    assert "It was made in another tab." in refused.content.decode()


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("large", "About 0.20, by the prices that are set, the length of the text and a usual question and answer."),
        ("unpriced", "Not known: no prices are set for all of these models."),
    ],
)
def test_the_last_page_says_about_what_a_model_costs_or_that_nobody_has_said(olga, settings, model, says):
    prices = {"large": (Decimal("2.50"), Decimal(10))}
    settings.LLM_ENDPOINTS = {"main": row("http://127.0.0.1:1/v1", prices=prices, deadline=1.0)}
    begin(olga, "criterion")
    last = through(
        olga,
        ("subject", {"title": "Soil probes", "subject": playing.SUBJECT}),
        ("rubric", {"rubric": "small"}),
        ("voices", {"provider": "openai", "model": model}),
        ("play", {"rounds": "2"}),
    )

    page = olga.get(last).content.decode()

    assert says in page
    assert "<dd>About 4" in page
    assert "At most about" not in page
    assert (f"{model}@main has no price" in page) == (model == "unpriced")


PANEL = {"title": "T", "task": "t", "subject": "def f(): return 1", "template": "code"}
LARGE = {"provider": "openai", "model": "large"}
CALLS_OF_MODELS = [
    pytest.param("panel", {**PANEL, "judges": [LARGE, {}, {}]}, (13, 4), id="a judge of three"),
    pytest.param("panel", {**PANEL, "rounds": 0, "reporter": LARGE, "judges": [{}, {}]}, (3, 1), id="who reports"),
    pytest.param(
        "criterion",
        {"title": "T", "subject": "A plan.", "rubric": "small", "rounds": 2, "provider": "openai", "model": "large"},
        (15, 15),
        id="all three voices",
    ),
    pytest.param(
        "open",
        {"motion": MOTION, "exchanges": 2, "chairs": [{"name": "Ann", **LARGE}, {"name": "Bo"}], "judging": "quick"},
        (8, 3),
        id="a speaker of two",
    ),
]


@pytest.mark.parametrize(("name", "body", "calls"), CALLS_OF_MODELS)
def test_what_models_cost_counts_the_calls_that_they_answer(olga, settings, name, body, calls):
    settings.LLM_ENDPOINTS = {
        "main": row("http://127.0.0.1:1/v1", prices={"large": (Decimal(0), Decimal(1250))}, deadline=1.0)
    }
    by = User.objects.get(username="olga")
    before = factories.debate()
    Call.objects.create(
        debate=before, run_number=1, round_number=1, purpose="judge", attempt=1, prompt_name="judge", prompt_version=1,
        participant=before.participants.create(role="arbiter", name="Arbiter", **LARGE), prompt_digest="d",
        provider="openai", outcome="used", cost=2, at=timezone.now(),
    )  # fmt: skip

    forecast = creation.forecast(format_=FORMATS[name], body=body, by=by, now=timezone.now())

    assert (forecast.calls, forecast.estimate) == calls  # 800 tokens of an answer cost 1
    assert forecast.tokens // calls[1] in range(2_800, 2_900)
    assert forecast.money == 2 * calls[1]


ANSWERS = '{"purpose": "assess", "answer": "Yes."}\n\n{"answer": {"words": "Zwölf."}}'


def test_a_script_is_pasted_or_uploaded_and_a_copy_brings_it_along(olga):
    begin(olga, "panel")
    through(
        olga,
        ("subject", {"title": "cache.py", "task": "Keep answers for an hour.", "subject": playing.SUBJECT}),
        ("criteria", {"chosen": "criteria", "typed": "correctness: 60"}),
    )
    seats = {f"judges.{number}.provider": "scripted" for number in range(2)} | {"judges.2.provider": ""}
    wrong = fill(olga, "judges", **seats, script="", script_file=file('{"answer": "Yes."}\n{"say": "No."}'))
    none = fill(olga, "judges", **seats, script="")
    last = through(olga, ("judges", {**seats, "script": ANSWERS}), ("play", {"rounds": "1"}))
    assert "a script" in olga.get(last).content.decode()
    olga.post(last)

    assert errors(wrong) == errors(none) == {"script": ["invalid"]}
    assert "answer 2: unknown key &#x27;say&#x27;" in wrong.content.decode()
    assert "{&quot;say&quot;: &quot;No.&quot;}</textarea>" in wrong.content.decode()
    assert '<details class="more-fields" open>' in wrong.content.decode()
    answers = Script.objects.get().answers
    assert answers == [{"purpose": "assess", "answer": "Yes."}, {"answer": {"words": "Zwölf."}}]
    olga.post(reverse("prepare-debate", args=[Debate.objects.get().public_id]), {"act": "copy"})
    again = olga.get(reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "judges"]))
    assert read_script(again.context["form"]["script"].value()) == answers


def test_a_script_that_is_too_long_for_the_box_can_be_taken_away(olga):
    begin(olga, "criterion")
    answers = "\n".join(['{"answer": "Yes."}'] * 30_000)
    sent = {"provider": "heuristic", "personas": ["skeptic"], "script": ""}

    fill(olga, "voices", **sent, script_file=file(answers))
    shown = olga.get(reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "voices"]))
    assert "script_emptied" in [field.name for field in shown.context["form"].more_fields()]
    fill(olga, "voices", **sent)
    assert "script" in NewDebate.objects.get().body
    fill(olga, "voices", **sent, script_emptied="on")

    assert "script" not in NewDebate.objects.get().body


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        pytest.param("{half", "script", id="no JSON"),
        pytest.param("[" * 100_000, "script", id="without a bottom"),
        pytest.param('[{"answer": "a", "answer": "b"}]', "script", id="a key twice"),
        pytest.param("Zwölf".encode("latin-1"), "script_file", id="another encoding"),
        pytest.param(b"{}\x00", "script_file", id="no text"),
    ],
)
def test_a_script_that_cannot_be_read_is_refused_at_its_field(olga, raw, field):
    begin(olga, "criterion")
    fill(olga, "subject", title="Soil probes", subject=playing.SUBJECT)

    refused = fill(olga, "voices", provider="scripted", personas=["skeptic", "realist"], script_file=file(raw))

    assert list(errors(refused)) == [field]
    assert refused.context["form"]["personas"].value() == ["skeptic", "realist"]


def as_sent_back(response):
    """Return what a browser sends of the shown step, as text."""
    return {name: str(value) for name, value in typed_as_shown(response).items()}


def test_what_the_offline_judge_does_not_read_of_a_batch_is_said_before_it_is_made(olga):
    begin(olga, "responses")
    rows = [{"response": GERMAN}, {"response": "Buses fill at once.", "framework": "Whoever pays decides."}]
    NewDebate.objects.update(body={"motion": MOTION, "responses": rows})

    warnings = olga.get(check(olga)).context["forecast"].warnings

    assert [warning.partition(":")[0] for warning in warnings] == [
        "The offline judge does not read frameworks in own words",
        "Responses not in English, whose marks by the offline judge say nothing",
    ]


def test_the_last_page_says_of_whoever_spoke_in_a_batch_that_a_transcript_does(olga):
    begin(olga, "responses")
    NewDebate.objects.update(
        body={"motion": MOTION, "responses": [{"response": "Buses fill at once.", "speaker": "Mira"}]}
    )

    assert "<bdi>Mira</bdi>, a transcript</li>" in olga.get(check(olga)).content.decode()


def test_responses_that_are_too_long_for_the_box_are_kept_and_the_step_can_be_sent_again(olga):
    begin(olga, "responses")
    rows = "response\n" + "\n".join(f"{number} {'word ' * 600}".strip() for number in range(1_000))

    without_motion = fill(olga, "responses", responses_file=file(rows))
    again = fill(olga, "responses", **as_sent_back(without_motion), motion=MOTION)
    step = reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "responses"])
    shown = olga.get(step)

    assert errors(without_motion) == {"motion": ["invalid"]}
    assert again.status_code == 302
    assert NewDebate.objects.get().body == {"motion": MOTION, "responses": rows}
    for page in (without_motion, shown):
        assert page.context["form"]["responses"].value() == ""
        assert f"A text of {len(rows)} characters is kept" in page.content.decode()
        assert "Take away what is kept" in page.content.decode()
    emptied = fill(olga, "responses", motion="", responses_emptied="on")
    assert "is kept, too long" not in emptied.content.decode()
    assert NewDebate.objects.get().body == {}
    assert fill(olga, "responses", motion=MOTION, responses="response\nNobody pays for that.").status_code == 302
    assert NewDebate.objects.get().body["responses"] == "response\nNobody pays for that."


def file(text):
    return SimpleUploadedFile("answers.jsonl", text.encode() if isinstance(text, str) else text)


def rubric_as_sent(slug):
    """Return what a browser sends for a rubric of one criterion."""
    row = playing.rubric("P1")["criteria"][0]
    sent = {f"criteria-0-{name}": value for name, value in row.items()}
    sent |= {"criteria-TOTAL_FORMS": "1", "criteria-INITIAL_FORMS": "1"}
    return {"slug": slug, "name": "Mine", "description": "", **sent, "do": "save"}


@pytest.mark.parametrize(
    ("name", "step", "first", "wrong", "key"),
    [
        ("open", "table", {"chairs.0.name": "Alice", "chairs.1.name": "Otto"}, {"chairs.0.name": "a\0b"}, "chairs"),
        ("panel", "criteria", {"chosen": "criteria", "typed": "design: 40"}, {"typed": "a\0b: 60"}, "criteria"),
    ],
)
def test_rows_stay_as_they_were_where_one_is_typed_that_no_database_keeps(olga, name, step, first, wrong, key):
    begin(olga, name)
    fill(olga, step, **first)
    before = NewDebate.objects.get().body

    refused = fill(olga, step, **{**first, **wrong})

    assert refused.status_code == 422
    assert before[key]
    assert NewDebate.objects.get().body == before


def test_a_step_that_comes_as_no_form_is_refused(olga):
    new = begin(olga, "criterion")

    assert olga.put(reverse("new-debate-step", args=[new.public_id, "subject"])).status_code == 422


@pytest.mark.parametrize("name", [name for name, format_ in FORMATS.items() if format_.steps])
def test_no_field_of_any_step_breaks_the_page_with_what_no_database_keeps(olga, name):
    begin(olga, name)
    for step in FORMATS[name].steps:
        address = reverse("new-debate-step", args=[NewDebate.objects.get().public_id, step.name])
        fields = olga.get(address, {"rubric": "a\0b"}).context["form"].fields
        for typed in ("a\0b", '{"purpose": "evaluate", "answer": {"text": "a\\u0000b"}}', '{"answer": "\\ud800"}'):
            sent = {field: typed for field in fields if field not in {"files", "script_file"}}

            assert olga.post(address, {**sent, "judges.².provider": "", "chairs.².name": ""}).status_code in {302, 422}
    assert olga.post(check(olga)).status_code in {302, 422}


def test_criteria_that_no_offline_judge_can_judge_are_refused_where_it_is_said_who_judges(olga):
    begin(olga, "panel")
    fill(olga, "subject", title="Soil probes", task="Decide.", subject=playing.SUBJECT)

    chosen = fill(olga, "criteria", chosen="criteria", typed="truthfulness: 60\r\ndesign: 40")
    offline = fill(olga, "judges", **{"judges.0.provider": "heuristic"})
    people = fill(olga, "judges", **{f"judges.{number}.provider": "human" for number in range(2)})

    assert (chosen.status_code, people.status_code) == (302, 302)
    assert list(errors(offline)) == ["judges.0.provider"]


def test_what_is_wrong_with_a_stored_rubric_of_a_panel_is_said_below_the_choice(olga):
    rubric_store.store(snapshot=playing.rubric(*(f"P{number}" for number in range(31))) | {"slug": "large"}, by=None)
    begin(olga, "panel")
    fill(olga, "subject", title="Soil probes", task="Decide.", subject=playing.SUBJECT)

    large = fill(olga, "criteria", chosen="rubric:large", typed="")
    none = fill(olga, "criteria", chosen="criteria", typed="")

    assert large.context["form"].errors == {"chosen": ["criteria: 1 to 30 are judged at once; got 31."]}
    assert none.context["form"].errors == {"typed": ["Name at least one criterion."]}


def test_strategies_of_later_exchanges_are_typed_before_it_is_said_how_many_there_are(olga):
    begin(olga, "open")
    NewDebate.objects.update(body={"motion": MOTION})
    chairs = {"chairs.0.name": "Ann", "chairs.0.strategy_changes": "3:empathetic, 5:defensive", "chairs.1.name": "Bob"}

    assert fill(olga, "table", **chairs).status_code == 302
    assert [fault.field for fault, _ in olga.get(check(olga)).context["faults"]] == ["chairs.0.strategy_changes"]
    assert fill(olga, "play", exchanges="5").status_code == 302
    assert "faults" not in olga.get(check(olga)).context


WHOLE = {"title": "T", "task": "t", "subject": "def f(): return 1"}
MENDED = [
    ("criterion", {"title": "T", "subject": "A plan."}, "rubric", "Rubric", "rubric"),
    ("criterion", {"limits": {"tokens": "10 000"}}, "play", "Most tokens", "limits.tokens"),
    ("criterion", {"pace": "soon"}, "play", "Seconds between steps", "pace"),
    ("open", {"chairs": [{"name": "Ann"}, {"stance": "-0.8"}]}, "table", "Name (speaker 2)", "chairs.1.name"),
    ("open", {"motion": MOTION, "chairs": [{"name": "Ann"}]}, "table", "Name (speaker 2)", "chairs.1.name"),
    ("panel", {**WHOLE, "criteria": [{"name": "tone", "weight": "x"}]}, "criteria", "Names and weights", "typed"),
]


@pytest.mark.parametrize(
    ("name", "wrong", "step", "label", "field"), MENDED, ids=[f"{row[0]}: {row[3]}" for row in MENDED]
)
def test_the_last_page_names_the_field_at_fault_and_leads_to_it_marked(olga, name, wrong, step, label, field):
    begin(olga, name)
    NewDebate.objects.update(body=wrong)

    page = olga.get(check(olga))
    [address] = re.findall(rf'<li>{re.escape(label)}: [^<]+ <a href="([^"]+)"', page.content.decode())
    led_to, _, place = address.partition("#")
    marked = olga.get(led_to)

    assert f"/{step}/" in led_to
    assert f' id="{place}"' in marked.content.decode()
    assert field in errors(marked)
    assert ('more-fields" open' in marked.content.decode()) == (field == "pace")


def test_a_model_of_a_chair_is_typed_before_it_is_said_who_judges(olga):
    begin(olga, "open")
    NewDebate.objects.update(body={"motion": MOTION})
    chairs = {"chairs.0.name": "Ann", "chairs.0.model": "large", "chairs.1.name": "Bob"}

    assert fill(olga, "table", **chairs).status_code == 302
    [(fault, place)] = olga.get(check(olga)).context["faults"]
    assert (fault.field, place.step.name) == ("chairs.0.model", "table")


def test_a_copy_of_what_is_conducted_elsewhere_without_its_first_scores_says_how_it_gets_some(olga):
    debate = factories.debate(parameters={"initial": {"P1": ["6.5", "0.4"]}})
    begin(olga, "criterion")
    NewDebate.objects.update(body=ELSEWHERE, copied_from=debate)

    fill(olga, "play", rounds="3", criteria=["P1", "P2"])
    page = olga.get(check(olga))

    [(fault, place)] = page.context["faults"]
    assert (fault.field, place.step.name) == ("initial", "play")
    assert "or panel must name a panel that gives them" in fault.message
    assert "make the copy anew and tick only criteria that were played there; or name a panel" in page.content.decode()


def test_the_last_page_leads_to_where_criteria_that_do_not_apply_any_more_are_mended(olga):
    begin(olga, "panel")
    body = {name: value for name, value in FORMATS["panel"].example.items() if name != "criteria"}
    NewDebate.objects.update(body={**body, "rubric": "small", "not_applicable": {"P3": "None."}})

    [(fault, place)] = olga.get(check(olga)).context["faults"]

    assert (fault.field.partition(".")[0], place.step.name) == ("not_applicable", "criteria")


def test_which_criteria_are_played_is_forgotten_with_their_rubric(olga):
    other = playing.rubric("P1", "P2", "P3") | {"slug": "other"}
    other["criteria"][0]["name"] = "Another P1"
    rubric_store.store(snapshot=other, by=None)
    begin(olga, "criterion")
    NewDebate.objects.update(body={"rubric": "small", "criteria": ["P1"]})

    fill(olga, "rubric", rubric="small")
    same = NewDebate.objects.get().body
    fill(olga, "rubric", rubric="other")

    assert (same, NewDebate.objects.get().body) == ({"rubric": "small", "criteria": ["P1"]}, {"rubric": "other"})


def test_criteria_that_are_played_stay_where_another_rubric_has_them_too_and_what_goes_is_said(olga):
    copied = playing.rubric("P1", "P3") | {"slug": "copied"}
    rubric_store.store(snapshot=copied, by=None)
    begin(olga, "criterion")
    NewDebate.objects.update(body={"rubric": "small", "criteria": ["P2", "P1"]})

    fill(olga, "rubric", rubric="copied")

    assert NewDebate.objects.get().body == {"rubric": "copied", "criteria": ["P1"]}
    step = reverse("new-debate-step", args=[NewDebate.objects.get().public_id, "rubric"])
    assert "another is played with those of them that it has, else with all" in olga.get(step).content.decode()
    NewDebate.objects.update(body={"rubric": "copied"})
    assert "another is played with" not in olga.get(step).content.decode()


def test_criteria_that_were_typed_are_there_after_a_rubric_was_imported(olga):
    new = begin(olga, "panel")
    typed = "correctness: 60\ntone: 40"
    fill(olga, "criteria", chosen="criteria", typed=typed, **{"import": "1"})

    form = olga.get(reverse("new-debate-step", args=[new.public_id, "criteria"]), {"rubric": "small"}).context["form"]

    assert (form["chosen"].value(), form["typed"].value()) == ("rubric:small", typed)
    fill(olga, "criteria", chosen="criteria", typed=typed)
    assert [row["name"] for row in NewDebate.objects.get().body["criteria"]] == ["correctness", "tone"]
