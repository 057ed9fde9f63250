"""A debate before play: started at a time, invited to, copied, taken back; held again once it has ended."""

import html
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate, Mail, Membership, Participant
from debates.services import invitations
from judging.engine import creation, lifecycle, preflight, selectors
from judging.engine.creation import create_draft
from judging.errors import ModelNotReady
from judging.formats.open import transcripts
from judging.formats.registry import FORMATS, format_of
from judging.formats.responses import api as responses_api
from judging.models import NewDebate, PlannedStart
from scoring.models import Rubric
from scoring.services import rubric_store
from tests import factories, playing
from tests.judging.formats.open.test_verify import unguarded

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
CHAIRS = [{"name": "Alice", "kind": "human"}, {"name": "Otto", "stance": "-0.5", "strategy": "defensive"}]
BODIES = {
    "criterion": {
        "title": "Soil", "subject": playing.SUBJECT, "rubric": "small", "criteria": ["P2"], "rounds": 2,
        "personas": ["skeptic"], "providers": {"challenger": "openai"}, "limits": {"calls": 40},
        "fairness": {"swap": True, "repeats": 3}, "visibility": "private", "weight_by_confidence": True,
    },
    "open": {
        "motion": "Cities should make public transport free.", "title": "Free buses", "chairs": CHAIRS, "exchanges": 2,
        "tone": "heated", "judging": "quick", "turn_seconds": 600, "limits": {"money": "1.5"},
        "rule_set": "firm", "words": {"attack": ["Nonsense", "WRONG"]},
        "rules": {"consecutive_persuasion": 4, "persuasion_factors": {"social": "0.1"}, "bystander_pull": "0.25"},
    },
    "panel": {
        "title": "cache.py", "subject": playing.SUBJECT, "task": "Keep answers for an hour.", "rounds": 1,
        "criteria": [{"name": "correctness", "weight": "60"}, {"name": "design", "weight": "40"}],
        "judges": [{}, {"strategy": "rhetoric"}], "policy": {"pass_mark": "4.5"}, "not_applicable": {"design": "None."},
    },
    "responses": {name: value for name, value in responses_api.EXAMPLE.items() if name != "format"},
}  # fmt: skip
FREE = {name: value for name, value in BODIES["open"].items() if name != "limits"}
ELSEWHERE = {
    "title": "Soil", "subject": playing.SUBJECT, "rubric": "small", "criteria": ["P1"], "conducted_by": "external",
    "initial": {"P1": {"score": "6.5", "confidence": "0.4"}}, "model": "theirs",
}  # fmt: skip


@pytest.fixture
def olga():
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    person = factories.person("olga")
    person.groups.add(Group.objects.get(name="Organiser"))
    return person


def made(name, by, body=None):
    spec = creation.requested(format_=format_of(name), body=body or BODIES[name], by=by)
    return create_draft(spec=spec, by=by, now=timezone.now())


def ended(debate):
    """Let a debate begin and end."""
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())


def held_before(by):
    """A draft that was held elsewhere, in an order of its own."""
    said = "Ann: Free buses help us.\nBob: They cost too much.\nAnn: Cars cost us more than that."
    table = transcripts.as_table(transcripts.plain(said), motion=BODIES["open"]["motion"])
    return create_draft(spec=table, by=by, now=timezone.now())


def voices(debate):
    return list(debate.participants.order_by("position").values_list("name", "role", "kind", "provider", "model"))


@pytest.fixture
def page(client, olga):
    client.force_login(olga)
    return lambda debate, **typed: client.post(reverse("prepare-debate", args=[debate.public_id]), typed)


@pytest.mark.parametrize(
    ("name", "body"),
    [*((name, BODIES[name]) for name in FORMATS), pytest.param("criterion", ELSEWHERE, id="conducted elsewhere")],
)
def test_what_a_debate_was_asked_for_with_makes_another_like_it(name, body, olga):
    debate = made(name, olga, body)

    body = format_of(name).request_of(debate=debate)
    spec = creation.requested(format_=format_of(name), body=body, by=olga)
    again = create_draft(spec=spec, by=olga, now=timezone.now())

    assert again.parameters == debate.parameters
    assert voices(again) == voices(debate)
    same = ("title", "motion", "rounds", "conducted_by", "visibility", "limit_money", "limit_tokens", "limit_calls")
    assert [getattr(again, column) for column in same] == [getattr(debate, column) for column in same]


@pytest.mark.parametrize("name", FORMATS)
def test_a_copy_names_no_model_of_who_argues_by_rule(name, olga):
    """As debates may have one that were made before it was refused."""
    stored = {"rubric": "small"} if name == "criterion" else {}
    debate = made(name, olga, {**FORMATS[name].example, **stored})
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE debates_participant DISABLE TRIGGER USER")
    Participant.objects.filter(debate=debate).update(model="large")

    assert "large" not in str(format_of(name).request_of(debate=debate))


@pytest.mark.parametrize("name", FORMATS)
def test_a_draft_with_a_model_of_who_argues_by_rule_neither_starts_nor_is_planned_to(name, olga, page, client):
    """As drafts may have one that were made before it was refused."""
    stored = {"rubric": "small"} if name == "criterion" else {}
    debate, now = made(name, olga, {**FORMATS[name].example, **stored}), timezone.now()
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE debates_participant DISABLE TRIGGER USER")
    voice = debate.participants.filter(provider="heuristic").order_by("position").first()
    Participant.objects.filter(pk=voice.pk).update(model="large")
    says = f"{voice.name}: model: heuristic asks no model. Name another provider, or no model."
    begins_anew = "Edit the draft: what it asks for is copied without that model."

    refused = page(debate, act="start")

    assert refused.status_code == 409
    assert says in html.unescape(refused.content.decode())
    assert page(debate, starts_at=f"{now + timedelta(hours=2):%Y-%m-%dT%H:%M}").status_code == 409
    PlannedStart.objects.create(debate=debate, starts_at=now + timedelta(minutes=1), created_by=olga)
    assert creation.start_due(now=now + timedelta(minutes=2)) == []
    assert PlannedStart.objects.get().problem == f"{says} {begins_anew}"
    shown = client.get(reverse("prepare-debate", args=[debate.public_id])).content.decode()
    assert says in html.unescape(shown)
    debate.refresh_from_db()
    assert debate.status == "draft"


def test_how_engines_are_asked_is_left_out_of_the_copy_of_a_debate_that_is_conducted_elsewhere(olga):
    debate = made("criterion", olga, ELSEWHERE)
    debate.parameters["play"] |= {"personas": ["contrarian"], "criteria_per_assessment": 2}
    with unguarded(Debate):
        debate.save(update_fields=["parameters"])

    body = format_of("criterion").request_of(debate=debate)

    assert not {"personas", "criteria_per_assessment"} & set(body)
    assert creation.requested(format_=format_of("criterion"), body=body, by=olga)


def test_a_debate_that_is_conducted_elsewhere_has_no_seat_to_be_taken(olga, page, client):
    debate = made("criterion", olga, ELSEWHERE)
    seat = debate.participants.exclude(kind="engine").first()

    own = client.get(reverse("my-debates")).content.decode()
    offered = client.get(reverse("people", args=[debate.public_id])).content.decode()
    refused = client.post(f"/api/v1/participants/{seat.public_id}/invite/", {}, "application/json")

    assert "Soil" in own
    assert "free" not in own
    assert 'value="seat:' not in offered
    assert "is free" not in offered
    assert refused.status_code == 409
    assert "its program speaks here" in refused.json()["detail"]


@pytest.mark.parametrize(("way", "slug"), [("rubric", "code"), ("rubric", "typed"), ("template", "code")])
def test_a_panel_is_copied_with_its_own_criteria_although_others_have_their_slug(way, slug, olga):
    rubric_store.store(snapshot={**playing.rubric("P1", "P2"), "slug": slug}, by=None)
    judged = {name: value for name, value in BODIES["panel"].items() if name not in ("criteria", "not_applicable")}
    debate = made("panel", olga, {**judged, way: slug})

    body = format_of("panel").request_of(debate=debate)

    assert body[way] == slug
    assert made("panel", olga, body).parameters == debate.parameters


def test_what_was_held_before_in_an_order_of_its_own_is_not_copied_and_its_draft_stays(olga, page):
    debate = held_before(olga)

    refused = page(debate, act="edit")

    assert refused.status_code == 409
    assert "Have its transcript imported again" in refused.content.decode()
    debate.refresh_from_db()
    assert (debate.status, NewDebate.objects.count()) == ("draft", 0)


def test_a_draft_starts_by_itself_once_its_time_has_come(olga, page):
    debate, now = made("open", olga, FREE), timezone.now()

    planned = page(debate, starts_at=f"{now + timedelta(hours=2):%Y-%m-%dT%H:%M}")

    assert planned.status_code == 302
    assert creation.start_due(now=now + timedelta(hours=1)) == []
    assert creation.start_due(now=now + timedelta(hours=2)) == [debate.pk]
    debate.refresh_from_db()
    assert debate.status == "running"
    assert not PlannedStart.objects.exists()


def test_a_draft_starts_although_whoever_planned_it_sat_down_since_and_not_if_they_have_no_right_any_more(olga):
    debate, other, now = made("open", olga, FREE), made("open", olga, FREE), timezone.now()
    carol, dora = factories.moderator("carol"), factories.moderator("dora")
    for draft, moderator in ((debate, carol), (other, dora)):
        creation.plan_start(debate_id=draft.pk, by=moderator, starts_at=now + timedelta(minutes=1), now=now)
    debate.participants.filter(name="Alice").update(user=carol)
    type(dora).objects.filter(pk=dora.pk).update(is_superuser=False)

    assert creation.start_due(now=now + timedelta(minutes=2)) == [debate.pk]
    assert "lacks the permission change_debate" in PlannedStart.objects.get().problem


@pytest.mark.parametrize(
    "change", [{"starts_at": timezone.now() + timedelta(days=9)}, None], ids=["put off", "taken back"]
)
def test_a_planned_start_that_is_changed_while_its_models_are_asked_starts_nothing(change, olga, monkeypatch):
    debate, now = made("open", olga, FREE), timezone.now()
    creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(minutes=1), now=now)
    plans = PlannedStart.objects.filter(debate=debate)
    meanwhile = (lambda **_: plans.update(**change)) if change else (lambda **_: plans.delete())
    monkeypatch.setattr(preflight, "require_models", meanwhile)

    assert creation.start_due(now=now + timedelta(minutes=2)) == []

    debate.refresh_from_db()
    assert (debate.status, list(plans.values_list("problem", flat=True))) == ("draft", [""] if change else [])


def test_a_model_that_is_not_ready_is_asked_once_for_all_drafts_and_what_could_not_start_before_is_tried_last(
    olga, monkeypatch
):
    debates, now, asked = [made("open", olga, FREE) for _ in range(4)], timezone.now(), []
    for minutes, debate in enumerate(debates):
        starts_at = now - timedelta(minutes=9 - minutes)
        PlannedStart.objects.create(debate=debate, starts_at=starts_at + timedelta(hours=1), created_by=olga)
        PlannedStart.objects.filter(debate=debate).update(starts_at=starts_at, created_at=now - timedelta(hours=1))
    dead = debates[:3]
    PlannedStart.objects.filter(debate=dead[0]).update(failing_since=now - timedelta(minutes=8))

    def needed(*, debate):
        return {"openai": {("judge", "dead")}} if debate in dead else {"offline": {("judge", "")}}

    def require_models(*, debate, purposes=None):
        asked.append(debate.pk)
        if debate in dead:
            raise ModelNotReady("dead is not ready.")

    monkeypatch.setattr(preflight, "require_models", require_models)
    monkeypatch.setattr(preflight, "needed", needed)

    assert creation.start_due(now=now - timedelta(minutes=1)) == [debates[3].pk]

    assert asked == [dead[1].pk, debates[3].pk]
    assert list(PlannedStart.objects.values_list("problem", flat=True)) == ["dead is not ready."] * 3
    assert Debate.objects.get(pk=debates[3].pk).started_at >= now


def test_a_start_that_another_worker_was_quicker_with_is_no_problem(olga):
    debate, now = made("open", olga), timezone.now()
    creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(minutes=1), now=now)
    Debate.objects.filter(pk=debate.pk).update(status="running")
    planned = PlannedStart.objects.select_related("debate").get()

    creation.put_off(planned=planned, problem="This debate is running.", now=now + timedelta(hours=2))

    planned.refresh_from_db()
    assert (planned.problem, planned.failing_since) == ("", None)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        pytest.param("2020-01-01T10:00", "This time is past.", id="in the past"),
        pytest.param("2999-01-01T10:00", "more than a year ahead", id="too far ahead"),
        pytest.param("soon", "Write it as", id="no time"),
        pytest.param("", "Choose a day and a time.", id="nothing"),
    ],
)
def test_a_time_that_cannot_be_is_refused_next_to_its_field_and_stays_there(olga, page, typed, says):
    refused = page(made("open", olga), starts_at=typed)

    assert refused.status_code == 422
    assert says in refused.context["form"].errors["starts_at"][0]
    assert f'value="{typed}"' in refused.content.decode() or not typed
    assert not PlannedStart.objects.exists()


def test_what_cannot_start_in_time_says_why_and_is_tried_again(olga, page):
    debate, now = made("criterion", olga), timezone.now()  # its red team is a model that nothing is set for
    PlannedStart.objects.create(debate=debate, starts_at=now + timedelta(minutes=1))

    assert creation.start_due(now=now + timedelta(minutes=2)) == []

    assert PlannedStart.objects.get().problem
    page(debate, act="unplan")
    assert not PlannedStart.objects.exists()


def test_what_could_not_start_for_an_hour_is_given_up_and_said_once(olga, page, client, settings):
    settings.MAIL_IS_SENT = True
    debate, now = made("criterion", olga), timezone.now()
    creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(minutes=1), now=now)

    for minutes in (2, 60, 62, 63):
        creation.start_due(now=now + timedelta(minutes=minutes))

    planned = PlannedStart.objects.get()
    assert (planned.given_up_at, bool(planned.problem)) == (now + timedelta(minutes=62), True)
    assert list(Mail.objects.values_list("kind", "person", "debate")) == [("not_started", olga.pk, debate.pk)]
    shown = client.get(reverse("prepare-debate", args=[debate.public_id])).content.decode()
    assert "is not tried any more since" in shown
    page(debate, starts_at=f"{now + timedelta(hours=2):%Y-%m-%dT%H:%M}")
    assert PlannedStart.objects.get().given_up_at is None


@pytest.mark.parametrize("leaves", ["the site", "the debate"])
def test_what_was_planned_by_somebody_who_left_is_given_up_at_once_and_said_to_whoever_conducts_it(leaves, olga):
    debate, now = made("open", olga), timezone.now()
    ned, nora = (factories.person(name) for name in ("ned", "nora"))
    for person in (ned, nora):
        Membership.objects.create(debate=debate, user=person, role="organiser")
    creation.plan_start(debate_id=debate.pk, by=ned, starts_at=now + timedelta(minutes=1), now=now)
    if leaves == "the site":
        type(ned).objects.filter(pk=ned.pk).update(is_active=False)
    else:
        invitations.take_role(membership_id=debate.memberships.get(user=ned).pk, by=olga, now=now)

    for minutes in (2, 3):
        creation.start_due(now=now + timedelta(minutes=minutes))

    assert PlannedStart.objects.get().given_up_at == now + timedelta(minutes=2)
    told = Mail.objects.filter(kind="not_started").values_list("person__username", flat=True)
    assert sorted(told) == ["nora", "olga"]


def test_what_was_planned_by_somebody_who_left_is_given_up_for_that_though_its_model_is_not_ready_either(
    olga, monkeypatch
):
    debates, now = [made("open", olga) for _ in range(2)], timezone.now()
    ned = factories.person("ned")
    for minutes, debate in enumerate(debates, start=1):
        PlannedStart.objects.create(debate=debate, starts_at=now + timedelta(minutes=minutes), created_by=olga)
    PlannedStart.objects.filter(debate=debates[1]).update(created_by=ned)

    def require_models(**_):
        raise ModelNotReady("dead is not ready.")

    monkeypatch.setattr(preflight, "require_models", require_models)
    monkeypatch.setattr(preflight, "needed", lambda **_: {"openai": {("judge", "dead")}})

    creation.start_due(now=now + timedelta(minutes=3))

    first, second = PlannedStart.objects.order_by("starts_at")
    assert (first.problem, first.given_up_at) == ("dead is not ready.", None)
    assert second.problem != first.problem
    assert second.given_up_at is not None


def test_what_is_first_tried_long_after_its_time_is_tried_for_an_hour_from_then_on(olga):
    debate, now = made("criterion", olga), timezone.now()
    creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(minutes=1), now=now)
    given_up = []

    for minutes in (121, 180, 181):
        creation.start_due(now=now + timedelta(minutes=minutes))
        given_up.append(PlannedStart.objects.get().given_up_at)

    assert given_up == [None, None, now + timedelta(minutes=181)]


def test_what_breaks_at_its_start_is_given_up_as_well(olga, monkeypatch):
    debate, now = made("open", olga), timezone.now()
    creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(minutes=1), now=now)
    monkeypatch.setattr(creation, "start_planned", lambda *_row, **_options: 1 / 0)

    for minutes in (2, 62):
        creation.start_due(now=now + timedelta(minutes=minutes))

    assert PlannedStart.objects.get().problem == creation.BROKEN
    assert PlannedStart.objects.get().given_up_at is not None


def test_the_one_changed_longest_ago_goes_where_one_more_is_begun_than_are_kept_as_the_docs_say(olga):
    page = (ROOT / "docs" / "how-to" / "hold-a-debate.md").read_text(encoding="utf-8")
    first, second, *_ = [creation.begin_new_debate(format_name="open", by=olga) for _ in range(creation.MOST_KEPT)]
    first.save()

    creation.begin_new_debate(format_name="open", by=olga)

    assert set(NewDebate.objects.filter(pk__in=[first.pk, second.pk])) == {first}
    assert f"At most {creation.MOST_KEPT} are kept" in page


def test_copies_count_among_what_one_is_filling_in(olga, monkeypatch):
    monkeypatch.setattr(creation, "MOST_KEPT", 2)
    debate = made("open", olga)

    for _ in range(4):
        creation.copy_debate(debate_id=debate.pk, by=olga)

    assert NewDebate.objects.filter(copied_from=debate).count() == 2


def test_seats_are_named_with_where_people_are_invited_to_them(olga, client):
    debate = made("open", olga)
    client.force_login(olga)

    shown = client.get(reverse("prepare-debate", args=[debate.public_id]))

    assert "Alice" in shown.content.decode()
    assert f'href="/debates/{debate.public_id}/people/"' in shown.content.decode()


def test_nobody_starts_a_debate_in_the_name_of_somebody_who_left(olga):
    debate, now = made("open", olga), timezone.now()
    creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(minutes=1), now=now)
    olga.is_active = False
    olga.save()

    assert creation.start_due(now=now + timedelta(minutes=2)) == []

    assert PlannedStart.objects.get().problem == "Whoever planned this start is not here any more. Plan it anew."


def test_a_draft_is_changed_as_a_copy_and_taken_back(olga, page):
    debate = made("panel", olga)

    page(debate, act="edit")

    debate.refresh_from_db()
    assert (debate.status, debate.visibility) == ("cancelled", "private")
    assert NewDebate.objects.get().body["task"] == "Keep answers for an hour."


@pytest.mark.parametrize("act", ["copy", "edit"])
def test_what_a_double_click_copies_twice_is_copied_once(act, olga, page, client):
    debate = made("open", olga)
    shown = client.get(reverse("prepare-debate", args=[debate.public_id]))
    once = shown.context["once"]
    assert f'name="once" value="{once}"' in shown.content.decode()

    leads = [page(debate, act=act, once=once).headers["Location"] for _ in range(2)]

    assert leads[0] == leads[1]
    assert str(NewDebate.objects.get().public_id) in leads[0]
    page(debate, act="copy", once="of another page")
    assert NewDebate.objects.count() == 2
    assert "typed-by-nobody" not in page(debate, act="start", once="typed-by-nobody").content.decode()


@pytest.mark.parametrize(("name", "body"), [("open", None), ("criterion", ELSEWHERE)])
def test_what_a_double_click_starts_twice_is_started_once_and_led_to(name, body, olga, page):
    debate = made(name, olga, body)

    leads = [page(debate, act="start").headers["Location"] for _ in range(2)]

    assert set(leads) == {reverse("debate", args=[debate.public_id])}
    factories.over(debate)  # which a short one may be by the second click
    assert page(debate, act="start").headers["Location"] in leads


def test_a_draft_that_was_taken_back_is_not_led_to_but_refused(olga, page):
    debate = made("open", olga)
    page(debate, act="withdraw")

    assert page(debate, act="start").status_code == 409


def test_a_copy_of_what_is_conducted_elsewhere_invites_nobody_and_makes_no_call(olga, page, client):
    page(made("criterion", olga, ELSEWHERE), act="copy")

    shown = client.get(reverse("new-debate-check", args=[NewDebate.objects.get().public_id])).content.decode()

    assert "played by your program" in shown
    assert "None: your program plays it" in shown
    assert "invited once" not in shown
    assert "At most" not in shown


def test_a_debate_that_nobody_can_ask_for_again_says_why_in_place_of_offering_a_copy(olga, client):
    debate = held_before(olga)
    client.force_login(olga)

    shown = client.get(reverse("prepare-debate", args=[debate.public_id])).content.decode()

    assert "Who speaks when in this debate is as it was when it was held before" in shown
    assert 'value="copy"' not in shown
    assert 'value="withdraw"' in shown


def test_a_copy_in_which_nobody_persuades_goes_without_the_rules_and_words_of_persuasion(olga, page, client):
    page(made("open", olga), act="copy")
    new = NewDebate.objects.get()

    client.post(
        reverse("new-debate-step", args=[new.public_id, "judging"]), {"judging": "quick", "interjections": "on"}
    )

    new.refresh_from_db()
    assert (new.body["persuasion"], {"rules", "words"} & set(new.body)) == (False, set())
    assert creation.faults(format_=format_of("open"), body=new.body, by=olga, now=timezone.now()) == []


def test_a_copy_in_which_an_offline_arbiter_weighs_goes_without_words_that_it_does_not_read(olga, page, client):
    page(made("open", olga), act="copy")
    new = NewDebate.objects.get()
    new.body = {**new.body, "words": {"attack": ["absurd"], "persuasion": ["zebra"]}}
    new.save()
    form = {"judging": "full", "interjections": "on", "persuasion": "on", "effects": "judge", "provider": "heuristic"}

    client.post(reverse("new-debate-step", args=[new.public_id, "judging"]), form)

    new.refresh_from_db()
    assert new.body["words"] == {"persuasion": ["zebra"]}
    assert creation.faults(format_=format_of("open"), body=new.body, by=olga, now=timezone.now()) == []


def test_a_step_of_a_copy_keeps_what_it_brought_and_no_field_shows(olga, page, client):
    page(made("panel", olga), act="copy")
    new = NewDebate.objects.get()
    new.body = {**new.body, "policy": {"early_exit": False, "quorum": 3}}
    new.save()

    client.post(reverse("new-debate-step", args=[new.public_id, "play"]), {"rounds": "2", "policy.quorum": "1"})

    new.refresh_from_db()
    assert (new.body["policy"]["early_exit"], new.body["policy"]["quorum"]) == (False, 1)


@pytest.mark.parametrize(
    ("name", "step", "chosen", "key", "said"),
    [
        ("criterion", "rubric", {"rubric": "other"}, "initial", {"P1": {"score": "4"}}),
        ("panel", "criteria", {"chosen": "rubric:other"}, "not_applicable", {"testing": "It has none."}),
        ("criterion", "rubric", {"rubric": "small"}, "initial", {"P1": {"score": "4"}, "P9": {"score": "4"}}),
    ],
)
def test_a_copy_whose_criteria_are_changed_forgets_what_was_said_of_the_old_ones(
    olga, page, client, name, step, chosen, key, said
):
    page(made(name, olga), act="copy")
    new = NewDebate.objects.get()
    new.body = {**new.body, key: said} | ({"criteria": []} if name == "criterion" else {})
    new.save()
    rubric_store.store(snapshot={**playing.rubric("Q1"), "slug": "other"}, by=None)
    address = reverse("new-debate-step", args=[new.public_id, step])

    client.post(address, chosen)

    new.refresh_from_db()
    assert key not in new.body
    assert creation.faults(format_=format_of(name), body=new.body, by=olga, now=timezone.now()) == []


GIVEN = {"P1": {"score": "4"}, "P2": {"score": "6"}}


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        pytest.param({"criteria": ["P1"]}, {"P1": {"score": "4"}}, id="fewer criteria"),
        pytest.param({"criteria": ["P1", "P3"]}, None, id="one that it gives none for"),
        pytest.param({"panel": "PANEL"}, None, id="scores of a panel"),
        pytest.param({"criteria": ["P1", "P2"]}, GIVEN, id="the same"),
    ],
)
def test_a_copy_keeps_the_first_scores_of_what_is_still_played_unless_a_panel_gives_them(
    olga, page, client, typed, left
):
    rubric_store.store(snapshot={**playing.rubric("P1", "P2", "P3"), "slug": "three"}, by=None)
    page(made("criterion", olga, {**BODIES["criterion"], "rubric": "three", "criteria": [*GIVEN]}), act="copy")
    new = NewDebate.objects.get()
    new.body = {**new.body, "initial": GIVEN}
    new.save()
    at = str(made("panel", olga).public_id)
    address = reverse("new-debate-step", args=[new.public_id, "play"])

    client.post(address, {"criteria": [*GIVEN], **typed, **({"panel": at} if "panel" in typed else {})})

    new.refresh_from_db()
    assert new.body.get("initial") == left
    faults = creation.faults(format_=format_of("criterion"), body=new.body, by=olga, now=timezone.now())
    assert not [fault for fault in faults if fault.message.startswith("initial")]


def version_two(**more):
    newer = {**playing.rubric("P1", "P2", "P3"), **more}
    return rubric_store.store(snapshot=newer, by=None, seen=1)


@pytest.mark.parametrize(
    ("name", "step"), [("criterion", "rubric"), ("panel", "criteria")], ids=["a criterion debate", "a panel"]
)
def test_a_copy_that_takes_a_newer_rubric_than_the_debate_had_says_so(olga, page, client, name, step):
    body = {name: value for name, value in BODIES[name].items() if name not in {"criteria", "not_applicable"}}
    debate = made(name, olga, {**body, "rubric": "small"})
    creation.withdraw_draft(debate_id=debate.pk, by=olga, now=timezone.now())
    page(debate, act="copy")
    new = NewDebate.objects.get()
    pages = [reverse("new-debate-check", args=[new.public_id]), reverse("new-debate-step", args=[new.public_id, step])]
    assert not any("another version" in client.get(at).content.decode() for at in pages)
    newer = version_two()

    shown = [client.get(at).content.decode() for at in pages]

    older = Rubric.objects.get(slug="small", version=1)
    link = f"{reverse('compare-rubrics', args=[newer.public_id])}?with={older.public_id}"
    assert all("has another version of Small. This one takes the newest, version 2" in words for words in shown)
    assert all(link in words for words in shown)
    assert 'value="repeat_of"' not in shown[0]


def test_first_scores_that_do_not_fit_a_newer_rubric_lead_to_where_they_are_dropped_and_that_is_said(
    olga, page, client
):
    given = {code: {"score": "6.5", "confidence": "0.4"} for code in ("P1", "P2")}
    body = {name: value for name, value in ELSEWHERE.items() if name != "criteria"}
    page(made("criterion", olga, {**body, "initial": given}), act="copy")
    new = NewDebate.objects.get()
    version_two()
    check, play = (
        reverse("new-debate-check", args=[new.public_id]),
        reverse("new-debate-step", args=[new.public_id, "play"]),
    )
    wrong = client.get(check).content.decode()
    assert f'Missing: P3. <a href="{play}">' in wrong
    assert "were not taken along" not in wrong

    client.post(play, {"rounds": "2"})

    assert (
        "The first scores of the debate that this is a copy of were not taken along"
        in client.get(check).content.decode()
    )


def test_an_ended_debate_is_held_again(olga, page):
    debate = made("panel", olga)
    ended(debate)

    page(debate, act="copy")

    assert NewDebate.objects.get().body["repeat_of"] == str(debate.public_id)


def test_a_draft_that_was_withdrawn_is_copied_and_not_held_again(olga, page, client):
    debate = made("open", olga, FREE)
    creation.withdraw_draft(debate_id=debate.pk, by=olga, now=timezone.now())

    page(debate, act="copy")

    assert "repeat_of" not in NewDebate.objects.get().body
    shown = [
        client.get(at).content.decode()
        for at in (reverse("debate", args=[debate.public_id]), reverse("prepare-debate", args=[debate.public_id]))
    ]
    assert not any("Hold it again" in words for words in shown)
    assert ["Copy it</a>" in shown[0], "<h1>It never began</h1>" in shown[1]] == [True, True]
    with pytest.raises(Invalid, match="this one was withdrawn before it began"):
        made("open", olga, {**FREE, "repeat_of": str(debate.public_id)})


def test_a_copy_whose_earlier_debate_may_be_read_no_more_is_made_without_naming_it(olga, page, client):
    page(made("panel", olga), act="copy")
    hidden = made("panel", factories.moderator("eve"), {**BODIES["panel"], "visibility": "private"})
    new = NewDebate.objects.get()
    new.body = {**new.body, "repeat_of": str(hidden.public_id)}
    new.save()
    address = reverse("new-debate-check", args=[new.public_id])

    refused = client.get(address).content.decode()
    shown = client.post(address, {"forget": "repeat_of"}, follow=True).content.decode()

    assert "repeat_of: there is no panel" in refused
    assert '<button type="submit" name="forget" value="repeat_of"' in refused
    assert "Make the debate" in shown
    assert Debate.objects.count() == 2
    new.refresh_from_db()
    assert (new.body["task"], "repeat_of" in new.body) == ("Keep answers for an hour.", False)


def test_whoever_is_signed_out_when_they_make_a_copy_name_nothing_is_led_to_sign_in(olga, page, client):
    page(made("panel", olga), act="copy")
    client.logout()

    answer = client.post(reverse("new-debate-check", args=[NewDebate.objects.get().public_id]), {"forget": "repeat_of"})

    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


def test_nobody_else_prepares_a_debate(olga, client):
    debate = made("open", olga)
    client.force_login(factories.person("eve"))

    assert client.get(reverse("prepare-debate", args=[debate.public_id])).status_code == 403


def test_an_organiser_who_may_make_no_debates_reads_why_they_cannot_hold_one_again(olga, client):
    debate, gina = made("open", olga), factories.person("gina")
    Membership.objects.create(debate=debate, user=gina, role="organiser")
    Debate.objects.filter(pk=debate.pk).update(status="concluded")
    for person, says in ((gina, True), (olga, False)):
        client.force_login(person)

        shown = client.get(reverse("prepare-debate", args=[debate.public_id])).content.decode()

        assert ("your account may make none" in shown, 'value="copy"' in shown) == (says, not says)
        assert "hold it again" not in shown  # of a draft that was withdrawn it would be untrue


def test_what_has_started_is_not_taken_back(olga, page):
    debate = made("open", olga)
    page(debate, act="start")

    refused = page(debate, act="withdraw")

    assert refused.status_code == 409
    assert "This is for a draft; the debate is running." in refused.content.decode()


@pytest.mark.parametrize("typed", ["2999-01-01T10:00", "soon"])
def test_a_time_for_what_has_started_comes_back_with_why(olga, page, typed):
    debate = made("open", olga)
    page(debate, act="start")

    refused = page(debate, starts_at=typed)

    assert refused.status_code == 409
    assert "This is for a draft; the debate is running." in refused.content.decode()
    assert f">\n{typed}</textarea>" in refused.content.decode()


def test_a_time_for_a_draft_whose_words_were_erased_stays_in_its_field(olga, page, monkeypatch):
    monkeypatch.setattr(selectors, "was_erased", lambda _debate: True)

    refused = page(made("open", olga), starts_at="2999-01-01T10:00")

    assert refused.status_code == 409
    assert 'value="2999-01-01T10:00"' in refused.content.decode()


def test_a_start_whose_time_comes_while_it_is_planned_is_planned(olga):
    debate, now = made("open", olga, FREE), timezone.now() - timedelta(minutes=1)

    planned = creation.plan_start(debate_id=debate.pk, by=olga, starts_at=now + timedelta(seconds=1), now=now)

    assert PlannedStart.objects.get() == planned
