"""A sealed ballot holds a word that is nowhere else, and so does what an engine answered beside it: everybody reads all
that they may, and nobody finds either.

What others may read does not change with it either: no body, no ETag, no number of bytes. It takes a while: everything
that is read about a debate is read twice by everybody.
"""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from debates import event_log
from debates.errors import ConflictOfInterest, NotAllowedNow, NotPermitted
from debates.mail import outbox
from debates.models import AwaitedTurn, Ballot, Delivery, Event, Mail, Membership
from debates.services import mail_delivery, seats, webhooks
from debates.types import MailKind, News, Visibility
from judging.engine import ballots, creation, lifecycle
from judging.formats.registry import format_of
from judging.models import Call, NewDebate
from scoring import groups
from scoring.models import Alert, BrokenSeal
from scoring.services import conflicts
from tests import factories, playing
from tests.api.clients import V1, Api, key_for
from tests.judging.formats.panel.play import AGREEING, answer, drafted
from tests.judging.formats.panel.seats import PERSON, PROGRAM, SCRIPT, give, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import analysis
from tests.moderators import client_of
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
WORD, ANSWERED = "zyzzyva", "quixotry"
"""What a ballot says, and what an engine answered that judges beside it."""
SEATS = (PERSON, PERSON, SCRIPT)
TAKEN = mail_delivery.Handed(mail_delivery.Handing.TAKEN)
OTHERS = ("nobody", "person", "guest", "organiser", "other judge", "moderator")
CHANGES = re.compile(
    r'csrfmiddlewaretoken" value="\w+"|datetime="[^"]*"|data-now="[^"]*"|nonce="[^"]*"|\d\d:\d\d:\d\d'
    r'|name="once" value="[^"]*"|class="code long">\w+<'
    r'|"request_id": ?"[^"]*"|"\d{4}-\d\d-\d\dT[^"]*"|<updated>[^<]*<|As of <time[^<]*<'
)
"""What is another at every look: tokens, ids of requests, and when the look was."""
ANEW = ("/api-keys/", "/events/")
"""Says when a key was used; gives a cursor that is sealed anew. What events tell is looked at by itself."""


@pytest.fixture
def debate():
    creator = factories.person("creator")
    by_script = answer(3, 0, analysis(*AGREEING[2], strengths=[ANSWERED]))
    made = waits([by_script], visibility=Visibility.PUBLIC)
    type(made).objects.filter(pk=made.pk).update(created_by=creator)
    made.refresh_from_db()
    return made


@pytest.fixture
def people(debate):
    found = {"creator": debate.created_by, "person": factories.person("person"), "author": sit(debate, 1, "ida")}
    found["other judge"] = sit(debate, 2, "bot")
    for role in ("guest", "organiser"):
        found[role] = factories.person(role)
        Membership.objects.create(debate=debate, user=found[role], role=role)
    found["moderator"] = factories.person("moderator")
    found["moderator"].groups.add(Group.objects.get(name=groups.SENIOR))
    type(debate.created_by).objects.filter(username="moderator").update(is_staff=True)
    found["superuser"] = factories.moderator("root")
    return {name: type(user).objects.get(pk=user.pk) for name, user in found.items()}


def api_paths(debate):
    """Every address of the API that is read, with the ids of this debate."""
    ids = {
        "debates": debate.public_id,
        "awaited-turns": AwaitedTurn.objects.filter(participant__name="Judge 1").get().public_id,
        "participants": seat_of(debate, 1).public_id,
        "threads": debate.threads.get().public_id,
        "rounds": debate.threads.get().rounds.get().public_id,
    }
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    for path, methods in paths.items():
        kind = path.split("/")[3]
        if "get" not in methods or path.endswith(("/schema/", "/metrics/")) or ("{id}" in path and kind not in ids):
            continue
        yield path.removeprefix(V1).format(
            id=ids.get(kind, ""), key="main", kind="jsonl", of="panel", debate=debate.public_id
        )


def pages(debate):
    """Every page about a debate or a seat."""
    for name in {key for key in get_resolver().reverse_dict if isinstance(key, str)}:
        for args in ([debate.public_id], [debate.public_id, seat_of(debate, 1).public_id]):
            try:
                yield reverse(name, args=args)
            except NoReverseMatch:
                continue
    yield from (reverse("paper", args=[debate.public_id, part]) for part in ("1", "final"))
    parts = ("panel_outcome", "panel_matrix", "panel_reports", "progress", "heading")
    yield from (f"{reverse('debate-parts', args=[debate.public_id])}?of={part}" for part in parts)
    yield from (reverse(name) for name in ("index", "feed", "moderation"))


def admin_pages():
    for model in apps.get_models():
        meta = model._meta
        try:
            yield reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
        except NoReverseMatch:
            continue
        for row in model._default_manager.order_by("-pk")[:2]:
            yield reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])


def looks(debate, people, apis):
    """What everybody is answered everywhere: the status, what a cache knows it by, and the words."""
    found, read = {}, set(api_paths(debate))
    for who, api in apis.items():
        client = Client()
        if who in people:
            client.force_login(people[who])
        found |= {(who, path): api.get(path) for path in read}
        found |= {(who, path): client.get(path) for path in pages(debate)}
    return {
        key: (one.status_code, one.headers.get("ETag") if key[1] in read else "", said(one))
        for key, one in found.items()
    }


def said(response):
    if response.streaming:
        return "" if response.is_async else CHANGES.sub("", b"".join(response.streaming_content).decode())
    return CHANGES.sub("", response.content.decode("utf-8", "replace"))


def test_nobody_finds_a_sealed_ballot_or_sees_that_it_was_given(debate, people, settings):
    settings.API_PER_MINUTE = settings.API_PER_MINUTE_ANONYMOUS = 1_000_000
    apis = {who: Api(people.get(who)) for who in OTHERS}
    before = looks(debate, people, apis)
    events = Event.objects.filter(debate=debate).count()

    give(debate, 1, people["author"], analysis(*AGREEING[0], strengths=[WORD], quotes=[WORD]))
    after = looks(debate, people, apis)
    told = Event.objects.filter(debate=debate).count()

    assert not [key for key, (_, _, text) in after.items() if WORD in text.lower() or ANSWERED in text.lower()]
    assert {key for key in before if before[key] != after[key] and not key[1].startswith(ANEW)} == set()
    assert told == events
    assert len(after) > 450


def test_neither_figures_nor_webhooks_tell_that_a_ballot_was_given(debate, people):
    webhooks.register(owner=people["superuser"], url="https://listener.example/moot", now=timezone.now())
    bearer = {"Authorization": f"Bearer {key_for(people['superuser'], scopes=('metrics',))}"}

    def figures():
        lines = Client().get("/metrics", headers=bearer).content.decode().splitlines()
        return {line for line in lines if line.startswith("moot_") and "seconds" not in line and "_age" not in line}

    before, due = figures(), Delivery.objects.count()
    give(debate, 1, people["author"], analysis(*AGREEING[0], strengths=[WORD], quotes=[WORD]))

    assert figures() == before
    assert len(before) > 20
    assert Delivery.objects.count() == due
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    assert Delivery.objects.count() == due + 1


def test_no_mail_tells_whoever_judges_and_moderates_that_another_has_given_a_ballot(settings):
    settings.MAIL_IS_SENT = True
    asked = waits([answer(3, 0, analysis(*AGREEING[2]))], sits=SEATS, ballot_seconds=4 * 3600)
    ida, bot = sit(asked, 1, "ida"), sit(asked, 2, "bot")
    type(bot).objects.update(email="x@example.org", is_staff=True, is_superuser=True)
    root, listed = factories.moderator("root"), reverse("admin:debates_mail_changelist")
    give(asked, 1, ida, analysis(*AGREEING[0]))
    later = timezone.now() + timedelta(hours=3, minutes=1)
    for mail in Mail.objects.all():
        if mail_delivery.claim(mail_id=mail.pk, now=later):
            mail_delivery.record(mail_id=mail.pk, outcome=TAKEN, now=later)
    [own, others] = [Mail.objects.get(kind="reminder", person=person) for person in (bot, ida)]
    outbox.due(kind=MailKind.WAITING, about=asked.public_id, people=[root.pk], debate_id=asked.pk, now=later)

    client = client_of(type(bot).objects.get(pk=bot.pk))

    assert (own.state, others.state) == ("sent", "withdrawn")
    for query in ({}, {"state__exact": "withdrawn"}, {"kind__exact": "reminder"}, {"q": "ida"}):
        assert "ida" not in links(client.get(listed, query))
    assert set(links(client.get(listed))) == {"bot", "root"}
    assert client.get(reverse("admin:debates_mail_change", args=[others.pk])).status_code == 302
    assert client.get(reverse("admin:debates_mail_change", args=[own.pk])).status_code == 200
    assert "ida" in links(client_of(root).get(listed))
    give(asked, 2, bot, analysis(*AGREEING[1]))
    playing.work()
    assert "ida" in links(client.get(listed))


def links(listed):
    """Who is linked to in the rows of a list."""
    return re.findall(r"field-person[^>]*>(?:<a[^>]*>)?(\w+)", listed.content.decode())


def test_the_admin_shows_that_a_ballot_is_there_and_nothing_of_it(debate, people):
    give(debate, 1, people["author"], analysis(*AGREEING[0], strengths=[WORD]))
    client = client_of(people["superuser"])
    listed = reverse("admin:debates_ballot_changelist")

    shown = client.get(reverse("admin:debates_ballot_change", args=[Ballot.objects.get().pk])).content.decode()

    assert "Judge 1" in client.get(listed).content.decode()
    assert "Judge 1" in shown
    assert not [path for path in admin_pages() if WORD in said(client.get(path)).lower()]
    for lookup in ("answer__contains", "answer", "q"):
        right, wrong = (client.get(listed, {lookup: guess}) for guess in (WORD, "qqqqqqq"))
        assert right.status_code == wrong.status_code
        assert said(right).replace(WORD, "") == said(wrong).replace("qqqqqqq", "")


def test_the_admin_shows_nobody_what_an_engine_answered_before_the_round_is_closed(debate, people):
    Call.objects.create(**rejected(Call.objects.get(purpose="analyse")))
    client = client_of(people["superuser"])

    def read():
        return {path for path in admin_pages() if ANSWERED in said(client.get(path)).lower()}

    assert not read()
    words = said(client.get(reverse("admin:judging_call_change", args=[Call.objects.get(outcome="used").pk])))
    assert "until the round is closed" in words
    give(debate, 1, people["author"], analysis(*AGREEING[0]))
    give(debate, 2, people["other judge"], analysis(*AGREEING[1]))
    assert not read()
    playing.work()
    assert {path.split("/")[3] for path in read()} >= {"call", "script"}


def test_an_alert_about_an_engine_that_could_not_be_read_quotes_nothing_that_is_sealed(settings):
    settings.PROVIDER_RETRIES = 0
    waits([{"thread": "Judge 3", "round": 0, "answer": f"{ANSWERED}, and no more of it."}])

    alert = Alert.objects.get(code="judge_failed")
    assert "until the round is closed" in alert.evidence["why"]
    client = client_of(factories.moderator("root"))
    assert not [path for path in admin_pages() if ANSWERED in said(client.get(path)).lower()]


def test_an_alert_about_an_engine_that_is_gone_says_so_although_it_could_not_be_read_before(settings):
    settings.PROVIDER_RETRIES = 1
    asked = {"thread": "Judge 3", "round": 0}
    unread = {**asked, "attempt": 1, "answer": f"{ANSWERED}, and no more of it."}
    waits([unread, {**asked, "attempt": 2, "error": "connection refused", "permanent": True}])

    alert = Alert.objects.get(code="judge_failed")
    assert list(Call.objects.order_by("pk").values_list("outcome", flat=True)) == ["rejected", "failed"]
    assert alert.evidence["why"] == "connection refused"


def copied(debate, user):
    """What somebody's copy of a debate asks for, and every page on which they fill it in, beside those that say why."""
    client, address = client_of(user), reverse("prepare-debate", args=[debate.public_id])
    client.post(address, {"act": "copy", "once": client.get(address).context["once"]})
    new = NewDebate.objects.get(owner=user)
    steps = [step.name for step in format_of("panel").steps]
    addresses = [reverse("new-debate-step", args=[new.public_id, step]) for step in steps]
    pages = [said(client.get(page)) for page in (*addresses, reverse("new-debate-check", args=[new.public_id]))]
    says_why = ["it is sealed until that debate is over" in page for page in pages]
    assert says_why[steps.index("judges")] == says_why[-1]
    return ANSWERED in f"{new.body} {pages}", says_why[-1]


def test_a_copy_of_a_panel_in_play_has_its_script_for_nobody_but_who_created_it(debate, people):
    for who in ("superuser", "moderator", "organiser", "creator"):
        people[who].groups.add(Group.objects.get(name="Organiser"))

    copies = {who: copied(debate, people[who]) for who in ("superuser", "moderator", "organiser", "creator")}

    without = (False, True)
    assert copies == {"superuser": without, "moderator": without, "organiser": without, "creator": (True, False)}


def test_a_copy_of_a_panel_that_is_over_has_its_script(debate, people):
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())

    assert copied(debate, people["superuser"]) == (True, False)


def test_a_draft_that_is_taken_back_to_be_changed_keeps_its_script(people):
    answers = [answer(3, 0, analysis(*AGREEING[2], strengths=[ANSWERED]))]
    debate = drafted(answers, seats=[PERSON, PROGRAM, SCRIPT])

    new = creation.edit_draft(debate_id=debate.pk, by=people["superuser"], now=timezone.now())

    assert new.body["script"][:1] == answers
    debate.refresh_from_db()
    assert debate.status == "cancelled"


def rejected(call):
    """A call before another, of the same judge, which could not be read."""
    columns = {column.attname: getattr(call, column.attname) for column in Call._meta.concrete_fields}
    given = {name: value for name, value in columns.items() if name not in {"id", "public_id"}}
    return given | {"outcome": "rejected", "attempt": 0, "problem": f"criteria[1]: got {ANSWERED!r}."}


WHY = "Somebody says that this ballot was bought."


def breaking(ballot):
    return reverse("admin:debates_ballot_break", args=[ballot.pk])


def test_a_seal_is_broken_with_a_reason_in_public_and_read_by_who_broke_it_alone(debate, people):
    ballot = give(debate, 1, people["author"], analysis(*AGREEING[0], strengths=[WORD]))
    page = reverse("admin:debates_ballot_change", args=[ballot.pk])
    root, other = client_of(people["superuser"]), client_of(factories.moderator("another"))

    refused = root.post(breaking(ballot), {"reason": "so"})
    before = said(root.get(page))
    done = root.post(breaking(ballot), {"reason": WHY})

    assert refused.status_code != 302
    assert (WORD in before, done.status_code) == (False, 302)
    assert WORD in said(root.get(page))
    assert WORD not in said(other.get(page))
    seal = BrokenSeal.objects.get()
    told = Event.objects.get(type="ballot:unsealed")
    assert (told.audience, told.data["seal"]) == ("public", str(seal.public_id))
    assert told.data["participant"] == str(seat_of(debate, 1).public_id)
    public = [said(Client().get(path)) for path in (
        reverse("moderation"), reverse("debate-moderation", args=[debate.public_id]), reverse("moderation-feed"),
    )]  # fmt: skip
    assert all(WHY in text and WORD not in text for text in public)
    again = root.post(breaking(ballot), {"reason": WHY})
    assert (again.status_code == 302, BrokenSeal.objects.count()) == (False, 1)


def test_a_seal_is_broken_by_who_has_the_right_and_is_no_party_before_the_round_closes(debate, people):
    ballot = give(debate, 1, people["author"], analysis(*AGREEING[0]))

    def breaks(who):
        return conflicts.break_seal(ballot_id=ballot.pk, by=who, reason=WHY, now=timezone.now())

    with pytest.raises(NotPermitted):
        breaks(people["moderator"])
    right = Permission.objects.get(codename="break_seal")
    people["other judge"].user_permissions.add(right)
    with pytest.raises(ConflictOfInterest):
        breaks(type(people["other judge"]).objects.get(pk=people["other judge"].pk))
    give(debate, 2, people["other judge"], analysis(*AGREEING[1]))
    playing.work()
    with pytest.raises(NotAllowedNow, match="a report"):
        breaks(people["superuser"])
    assert not BrokenSeal.objects.exists()


def test_who_broke_a_seal_judges_nothing_beside_what_they_have_read(debate, people):
    ballot = give(debate, 1, people["author"], analysis(*AGREEING[0]))
    ballots.replace_judge(participant_id=seat_of(debate, 2).pk, by=people["creator"], reason=WHY, now=timezone.now())
    conflicts.break_seal(ballot_id=ballot.pk, by=people["superuser"], reason=WHY, now=timezone.now())
    text = seats.invite(participant_id=seat_of(debate, 4).pk, by=None)

    with pytest.raises(ConflictOfInterest, match="broke the seal of a ballot"):
        seats.take(invitation=text, by=people["superuser"])

    assert seat_of(debate, 4).user_id is None
