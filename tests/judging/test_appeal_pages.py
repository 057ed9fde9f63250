"""Appeals on pages, at the desk and by the API: filed, read, decided; words are public then, notes never."""

import re
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from debates.models import Debate, Participant
from judging.admin.appeals import DecideAppealPage
from judging.engine import appeals
from judging.engine.appeals import Remedy
from judging.views import appeals as pages
from scoring.enums import AppealState
from scoring.models import Appeal, Approval, Evaluation, ReplacedJudge
from scoring.services.entries import actor_of, reason_record
from tests import acts, factories
from tests.api.clients import Api, code_of
from tests.judging.erasure.erase import erase
from tests.judging.test_appeals import WORDS, claimed, decide, file, override, participant, scene, take_back
from tests.judging.test_score_account import played
from tests.moderators import client_of, words
from tests.texts import WITHOUT_COLLECTED_FILES

NOBODY = "00000000-0000-4000-8000-000000000000"
pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOTE = "She asks every time, says the quinquereme."
FORM = {"ground": "passage_misread", "words": WORDS}


def at(name, evaluation, *more):
    return reverse(name, args=[evaluation.debate.public_id, *more])


def page_of(appeal):
    return reverse("appeal", args=[appeal.debate.public_id, appeal.public_id])


def desk(name, appeal):
    return reverse(f"admin:scoring_appeal_{name}", args=[appeal.pk])


def read(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return words(answer)


def test_a_participant_appeals_from_the_account_and_everybody_else_is_offered_nothing():
    evaluation, paula, _ = scene(played())
    last = evaluation.entries.latest("sequence").sequence
    account, mine = at("score-account", evaluation, evaluation.public_id), client_of(paula)
    form = at("appeal-entry", evaluation, evaluation.public_id, last)

    assert form in mine.get(account).content.decode()
    assert form not in Client().get(account).content.decode()
    assert form not in client_of(factories.person("sven")).get(account).content.decode()
    assert form in mine.get(at("account-entry", evaluation, evaluation.public_id, last)).content.decode()
    assert Client().get(form).status_code == 302
    assert "Set the score" not in read(mine, form)
    assert factories.REASON in read(mine, form)
    answer = mine.post(form, FORM)

    appeal = Appeal.objects.get()
    assert answer.headers["Location"] == page_of(appeal)
    assert WORDS in read(mine, page_of(appeal))
    assert "entry" in read(mine, reverse("my-debates")).lower()
    assert page_of(appeal) in mine.get(reverse("my-debates")).content.decode()
    assert "You cannot appeal against the same again" in read(mine, page_of(appeal))
    assert form not in mine.get(account).content.decode()
    again = mine.get(form)
    assert "You have appealed against this already." in again.content.decode()
    assert mine.post(form, FORM).status_code == 409
    assert mine.post(form, {"ground": "x", "words": ""}).status_code == 422


def test_who_sends_an_appeal_late_keeps_their_words_and_reads_until_when_it_could_be_filed(settings, monkeypatch):
    evaluation, paula, _ = scene(played())
    mine, settings.APPEALS_DAYS = client_of(paula), 2
    form = at("appeal-entry", evaluation, evaluation.public_id, evaluation.entries.latest("sequence").sequence)

    later = timezone.now() + timedelta(days=3)
    monkeypatch.setattr(pages, "timezone", SimpleNamespace(now=lambda: later))
    sent, opened = mine.post(form, FORM), mine.get(form)
    faulty = mine.post(form, {"words": WORDS})

    assert (sent.status_code, faulty.status_code) == (409, 422)
    assert WORDS in faulty.content.decode()
    assert "Keep a copy" not in opened.content.decode()
    assert WORDS in sent.content.decode()
    assert all("could be filed until" in words(page) for page in (sent, opened, faulty))
    assert "<textarea" not in opened.content.decode()
    assert not Appeal.objects.exists()


def test_rulings_and_results_are_appealed_against_from_their_pages():
    evaluation = played()
    mine = client_of(participant(evaluation.debate))
    fact = evaluation.facts.get(pk=evaluation.basis[0])
    counted = evaluation.entries.filter(kind="round").first()
    ruling, result = at("appeal-ruling", evaluation, fact.public_id), at("appeal-result", evaluation)

    assert ruling in mine.get(at("account-entry", evaluation, evaluation.public_id, counted.sequence)).content.decode()
    assert result in mine.get(at("result", evaluation)).content.decode()
    assert result not in Client().get(at("result", evaluation)).content.decode()
    for form in (ruling, result):
        assert mine.get(form).status_code == 200
        assert mine.post(form, FORM).status_code == 302
    assert {appeal.about for appeal in Appeal.objects.all()} == {"ruling", "result"}
    strange = factories.criterion()
    assert mine.get(at("appeal-ruling", strange, fact.public_id)).status_code == 404
    assert mine.get(at("appeal-entry", evaluation, strange.public_id, 1)).status_code == 404


def test_words_are_public_once_it_is_decided_and_the_note_never():
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    public = [page_of(appeal), at("debate-moderation", evaluation), at("debate-appeals", evaluation)]
    public += [reverse("moderation"), reverse("appeals")]
    entry = at("account-entry", evaluation, evaluation.public_id, 3)
    shown = [*public, entry, at("account-json", evaluation, evaluation.public_id)]

    before = [Client().get(page).content.decode() for page in shown]
    claimed(appeal, bob)
    decide(appeal, bob, note=NOTE)
    after = [Client().get(page).content.decode() for page in shown]

    assert not any(WORDS in page for page in before)
    assert "passage misread" in before[0]
    assert all(WORDS in page for page in after[: len(public)])
    assert "The paragraph says 12." in after[len(public)]
    assert str(appeal.public_id) in after[-1]
    seen = [*shown, f"/api/v1/appeals/{appeal.public_id}/", "/api/v1/appeals/", "/api/v1/moderation/"]
    for client in (Client(), client_of(paula)):
        assert not any("quinquereme" in client.get(page).content.decode() for page in seen)
    assert "paula" not in "".join(after)
    assert "quinquereme" in client_of(bob).get(desk("change", appeal)).content.decode()


def test_an_appeal_is_taken_back_on_its_page_and_is_gone_for_others():
    evaluation, paula, _ = scene()
    appeal, mine = file(evaluation, paula, entry=3), client_of(paula)
    withdraw = reverse("withdraw-appeal", args=[evaluation.debate.public_id, appeal.public_id])

    assert client_of(participant(evaluation.debate, "otto")).post(withdraw).status_code == 409
    assert mine.get(withdraw).headers.get("Location") == page_of(appeal)
    assert "withdrawn" not in read(mine, page_of(appeal))
    assert mine.post(withdraw).status_code == 302

    assert "withdrawn" in read(mine, page_of(appeal))
    assert Client().get(page_of(appeal)).status_code == 404
    assert mine.post(withdraw).status_code == 409


def test_what_somebody_may_not_read_has_no_appeals_for_them():
    evaluation, paula, _ = scene()
    appeal = file(evaluation, paula, entry=3)
    Debate.objects.filter(pk=evaluation.debate_id).update(visibility="private")

    assert Client().get(page_of(appeal)).status_code == 404
    assert Client().get(at("debate-appeals", evaluation)).status_code == 404
    assert Api().get(f"/appeals/{appeal.public_id}/").status_code == 404
    assert client_of(paula).get(page_of(appeal)).status_code == 200


# -- at the desk -------------------------------------------------------------------------------------------------------


def test_a_ruling_is_offered_until_one_has_appealed_against_it_whatever_became_of_its_entry():
    evaluation, paula, _ = scene(played())
    entry = evaluation.entries.filter(kind="round").first()
    [ruling] = evaluation.facts.filter(pk__in=entry.facts)[:1]
    page, mine = at("account-entry", evaluation, evaluation.public_id, entry.sequence), client_of(paula)
    form = at("appeal-ruling", evaluation, ruling.public_id)

    file(evaluation, paula, entry=entry.sequence)
    assert form in mine.get(page).content.decode()
    file(evaluation, paula, fact=ruling.pk)
    assert form not in mine.get(page).content.decode()


def test_the_queue_is_worked_by_claiming_and_deciding():
    evaluation, paula, alice = scene()
    appeal, bob = file(evaluation, paula, entry=3), client_of(factories.moderator("bob"))
    queue = reverse("admin:scoring_appeal_changelist")

    assert "passage misread" in read(bob, f"{queue}?is_waiting=yes")
    assert "Appeals" in read(bob, reverse("admin:index"))
    assert appeals.ACTED in client_of(alice).get(desk("claim", appeal)).content.decode()
    assert appeals.ACTED in read(client_of(alice), desk("change", appeal))
    assert appeals.ACTED not in read(bob, desk("change", appeal))
    assert "Claim this appeal first" in read(bob, desk("decide", appeal))
    bob.post(desk("claim", appeal))
    assert "bob" in read(bob, f"{queue}?is_waiting=yes")
    bob.post(desk("release", appeal))
    bob.post(desk("claim", appeal))
    form = {"outcome": "allowed", "act": "override", "value": "7", "reason": "It says 120.", "note": NOTE}
    refused = bob.post(desk("decide", appeal), {**form, "seen": f"{evaluation.pk}:0"})
    assert "no longer as you saw it" in refused.content.decode()
    done = bob.post(desk("decide", appeal), {**form, "seen": f"{evaluation.pk}:3"}, follow=True)

    assert "The appeal is allowed." in words(done)
    appeal.refresh_from_db()
    assert appeal.act.sequence == 4
    assert "was allowed" in read(bob, desk("decide", appeal))
    assert "Set by hand" in read(Client(), at("account-entry", evaluation, evaluation.public_id, 4))
    assert page_of(appeal) in Client().get(at("account-entry", evaluation, evaluation.public_id, 4)).content.decode()


def test_what_an_act_changes_is_shown_before_it_is_done_and_of_a_frozen_score_where_it_is_unfrozen():
    evaluation, paula, alice = scene()
    appeal, bob = file(evaluation, paula, entry=3), client_of(factories.moderator("bob"))
    bob.post(desk("claim", appeal))
    unfreeze = reverse("admin:scoring_evaluation_unfreeze", args=[evaluation.pk])
    form = {"outcome": "allowed", "act": "rollback", "seen": f"{evaluation.pk}:3", "_preview": "Preview"}

    shown = words(bob.post(desk("decide", appeal), form))
    assert bob.post(desk("decide", appeal), form | {"seen": "x"}).status_code == 200
    before = bob.get(desk("decide", appeal)).content.decode()
    acts.freeze(order=factories.order(evaluation, alice), now=timezone.now())
    after = bob.get(desk("decide", appeal)).content.decode()

    assert "What this act changes" in shown
    assert "Becomes void: entry 3" in shown
    assert "Becomes void" not in before
    assert unfreeze not in before
    assert unfreeze in after
    assert Appeal.objects.get().state == "claimed"


def test_an_act_that_a_second_person_has_to_approve_is_shown_as_the_refusal_that_it_is(settings):
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    settings.SECOND_PERSON_FROM = Decimal(2)
    form = {
        "outcome": "allowed",
        "act": "override",
        "value": "9.5",
        "seen": f"{evaluation.pk}:3",
        "reason": factories.REASON,
    }
    desk_of_bob = client_of(bob)

    pages = [words(desk_of_bob.post(desk("decide", appeal), form | step)) for step in ({"_preview": "1"}, {})]

    assert [
        "points or more wait for a second person: ask for approval. Ask for it first" in page for page in pages
    ] == [True, True]
    assert "Until then nothing moves" not in pages[0]
    assert not Approval.objects.exists()


def test_what_cannot_be_asked_for_is_not_sent_there_by_a_refusal_for_want_of_a_second_person(settings):
    evaluation, paula, _ = scene()
    ruling = evaluation.facts.latest("pk").pk
    appeal, bob = file(evaluation, paula, fact=ruling), factories.moderator("bob")
    claimed(appeal, bob)
    settings.SECOND_PERSON_FROM = Decimal(1)
    form = {"outcome": "allowed", "act": "strike", "seen": f"{evaluation.pk}:3", "reason": factories.REASON}
    desk_of_bob = client_of(bob)

    pages = [words(desk_of_bob.post(desk("decide", appeal), form | step)) for step in ({"_preview": "1"}, {})]

    assert ["lift the override first; it can be asked for again afterwards." in page for page in pages] == [True] * 2
    assert ["Ask for it first" in page for page in pages] == [False] * 2
    assert Appeal.objects.get().state == "claimed"


def test_of_an_act_that_was_taken_back_since_the_appeal_that_it_allowed_says_so(django_assert_max_num_queries):
    evaluation, paula, _ = scene()
    others = [participant(evaluation.debate, name) for name in ("otto", "olga")]
    bob = factories.moderator("bob")
    first, *more = (file(evaluation, by, entry=3) for by in (paula, *others))
    claimed(first, bob)
    decide(first, bob, AppealState.ALLOWED, remedy=override(evaluation))
    with CaptureQueriesContext(connection) as queries:
        Client().get(reverse("appeals"))
    for_one = len(queries)
    for appeal in more:
        claimed(appeal, bob)
        decide(appeal, bob, AppealState.ALLOWED, remedy=Remedy(evaluation.pk, entry=4))
    before = read(Client(), page_of(first))
    take_back(evaluation, factories.moderator("carol"))

    pages = [read(Client(), page) for page in (page_of(first), at("debate-moderation", evaluation))]

    assert "taken back" not in before
    assert all("which was taken back or outdone since by entry 5" in page for page in pages)
    assert Api().get(f"/appeals/{first.public_id}/").json()["act"]["taken_back_by"] == 5
    with django_assert_max_num_queries(for_one):
        Client().get(reverse("appeals"))


def test_who_acted_on_what_they_hold_is_offered_to_give_it_back_and_nothing_else():
    evaluation, paula, _ = scene()
    appeal, user = file(evaluation, paula, fact=evaluation.basis[0]), factories.moderator("bob")
    bob = client_of(user)
    claimed(appeal, user)
    acts.strike(order=factories.order(evaluation, user), facts=evaluation.basis[:1], now=timezone.now())

    offers = bob.get(desk("change", appeal)).context["offers"]
    given = bob.post(desk("release", appeal), follow=True)

    assert [title for _, title in offers] == ["Give back"]
    assert "Given back to the queue." in words(given)
    assert appeals.ACTED in words(bob.get(desk("claim", appeal)))
    assert "Only who holds" in words(bob.get(desk("release", appeal)))


def test_a_claim_that_lapses_while_one_writes_is_made_again_by_what_is_sent_and_not_where_another_holds_it():
    evaluation, paula, _ = scene()
    appeal, bob, cora = file(evaluation, paula, entry=3), factories.moderator("bob"), factories.moderator("cora")
    form = {"outcome": "dismissed", "reason": "It says 120.", "note": NOTE}
    lapsed = {"lease_until": timezone.now() - timedelta(minutes=1)}

    claimed(appeal, bob)
    Appeal.objects.update(**lapsed)
    claimed(appeal, cora)
    kept = client_of(bob).post(desk("decide", appeal), form)
    Appeal.objects.update(**lapsed)
    done = client_of(bob).post(desk("decide", appeal), form, follow=True)

    assert "cora holds this appeal until" in words(kept)
    assert NOTE in kept.content.decode()
    assert "The appeal is dismissed." in words(done)


def test_an_act_that_is_none_any_more_is_told_with_who_acted_meanwhile():
    evaluation, paula, _ = scene()
    [fact, *_] = evaluation.basis
    appeal, bob = file(evaluation, paula, fact=fact), client_of(factories.moderator("bob"))
    bob.post(desk("claim", appeal))
    form = {"act": "strike", "seen": f"{evaluation.pk}:3", "reason": "It says 120.", "note": NOTE}
    cora = factories.moderator("cora")
    acts.strike(order=factories.order(evaluation, cora), facts=[fact], now=timezone.now())

    for outcome in ("allowed", "dismissed"):
        page = bob.post(desk("decide", appeal), {**form, "outcome": outcome})
        assert "cora: strike at" in words(page)
        assert "Select a valid choice" not in words(page)
        assert f'value="{evaluation.pk}:4"' in page.content.decode()
        assert NOTE in page.content.decode()


def test_an_act_that_ceases_to_be_one_while_it_is_taken_is_refused_by_one_sentence(monkeypatch):
    evaluation, paula, _ = scene()
    [fact, *_] = evaluation.basis
    appeal, bob, cora = file(evaluation, paula, fact=fact), factories.moderator("bob"), factories.moderator("cora")
    claimed(appeal, bob)
    form = {"outcome": "allowed", "act": "strike", "seen": f"{evaluation.pk}:3", "reason": "It says 120.", "note": NOTE}
    moved = DecideAppealPage.moved

    def moved_just_after(page, row, *, form):
        answer = moved(page, row, form=form)
        acts.strike(order=factories.order(evaluation, cora), facts=[fact], now=timezone.now())
        return answer

    monkeypatch.setattr(DecideAppealPage, "moved", moved_just_after)
    page = client_of(bob).post(desk("decide", appeal), form)

    assert "cora: strike at" in words(page)
    assert "Select a valid choice" not in words(page)
    assert NOTE in page.content.decode()


def test_a_result_is_decided_on_one_of_its_scores_and_by_an_act_that_was_taken():
    evaluation = played()
    factories.again(evaluation.debate)
    other = factories.criterion(evaluation.debate, key="P2")
    factories.over(evaluation.debate)
    appeal, user = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    bob = client_of(user)
    bob.post(desk("claim", appeal))

    form = {"outcome": "allowed", "act": "done", "reason": "It says 120.", "score": str(evaluation.pk)}
    nothing = bob.post(desk("decide", appeal), {**form, "act": ""})
    assert "by an act of the ledger" in nothing.content.decode()
    order = factories.order(evaluation, user)
    acts.override(order=type(order)(**{**{name: getattr(order, name) for name in ("evaluation_id", "by", "reason",
                  "seen")}, "reason_code": "appeal"}), value="7", now=timezone.now())  # fmt: skip
    entry = evaluation.entries.latest("sequence").sequence
    assert str(other) in bob.get(desk("decide", appeal)).content.decode()
    bob.post(desk("decide", appeal), {**form, "entry": str(entry)})

    appeal.refresh_from_db()
    assert (appeal.state, appeal.act.sequence) == ("allowed", entry)


def test_of_a_result_the_desk_says_which_scores_are_frozen_before_one_is_set_by_hand():
    evaluation = played()
    factories.again(evaluation.debate)
    other = factories.criterion(evaluation.debate, key="P2")
    factories.over(evaluation.debate)
    appeal, user = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, user)
    pages = []
    for score in (evaluation, other):
        acts.freeze(order=factories.order(score, factories.moderator(f"cora-{score.key}")), now=timezone.now())
        pages.append(read(client_of(user), desk("decide", appeal)))

    assert ["Set the score by hand" in page for page in pages] == [True, False]
    assert [f"{evaluation} (frozen" in page for page in pages] == [True, True]
    assert ["Every score of this debate is frozen" in page for page in pages] == [False, True]


def test_an_act_that_needs_a_second_person_is_asked_for_at_the_desk_and_named_then(settings):
    evaluation, paula, _ = scene()
    settings.SECOND_PERSON_FROM = Decimal(2)
    override = reverse("admin:scoring_evaluation_override", args=[evaluation.pk])
    bob, cora = client_of(factories.moderator("bob")), client_of(factories.moderator("cora"))
    assert "For an appeal" not in read(bob, override)
    appeal = file(evaluation, paula, entry=3)
    bob.post(desk("claim", appeal))
    assert "For an appeal" in read(bob, override)

    asked = {"value": "7", "reason": "It says 120.", "seen": "3", "for_appeal": "on"}
    assert "waits for a second person" in words(bob.post(override, {**asked, "_act": "Override"}, follow=True))
    request = Approval.objects.get()
    cora.post(reverse("admin:scoring_approval_approve", args=[request.pk]), {"reason": factories.REASON})
    named = {"outcome": "allowed", "act": "done", "entry": "4", "reason": "It says 120."}
    bob.post(desk("decide", appeal), named)

    appeal.refresh_from_db()
    assert (appeal.state, appeal.act.sequence, appeal.act.reason_code) == ("allowed", 4, "appeal")


def test_a_result_of_more_scores_than_a_request_has_fields_is_decided(settings):
    evaluation, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = played(), 12
    factories.again(evaluation.debate)
    for number in range(12):
        factories.criterion(evaluation.debate, key=f"P{number + 2}")
    factories.over(evaluation.debate)
    appeal, bob = file(evaluation, participant(evaluation.debate)), client_of(factories.moderator("bob"))
    bob.post(desk("claim", appeal))
    page = bob.get(desk("decide", appeal)).content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))

    done = bob.post(desk("decide", appeal), {**fields, "outcome": "dismissed", "reason": "It says 12."})

    appeal.refresh_from_db()
    assert (done.status_code, appeal.state) == (302, "dismissed")


# -- by the API --------------------------------------------------------------------------------------------------------


def test_who_appealed_against_a_result_finds_their_appeal_on_its_page_and_no_way_to_file_another(settings):
    evaluation = played()
    paula = participant(evaluation.debate)
    mine, appeal = client_of(paula), file(evaluation, paula)

    page = mine.get(at("result", evaluation)).content.decode()

    assert page_of(appeal) in page
    assert at("appeal-result", evaluation) not in page
    settings.APPEALS_DAYS = 0  # nor is it gone once none can be filed any more
    assert page_of(appeal) in mine.get(at("result", evaluation)).content.decode()


def test_appeals_stand_in_the_order_in_which_they_were_decided():
    evaluation, paula, _ = scene()
    bob = factories.moderator("bob")
    filed = [file(evaluation, paula, entry=entry) for entry in (1, 2)]
    for appeal in (*reversed(filed), file(evaluation, paula, entry=3)):
        claimed(appeal, bob)
        decide(appeal, bob)

    shown = re.findall(r'id="appeal-([^"]+)"', Client().get(reverse("appeals")).content.decode())

    newest = Appeal.objects.order_by("-decided_at")
    assert shown == [str(appeal.public_id) for appeal in newest]
    assert shown != [str(appeal.public_id) for appeal in newest.order_by("-id")]


def test_of_erased_words_log_and_feed_say_that_they_are_gone():
    evaluation = played()
    appeal, bob = file(evaluation, participant(evaluation.debate), entry=2), factories.moderator("bob")
    claimed(appeal, bob)
    decide(appeal, bob)
    alice = factories.moderator("alice")
    seats = [
        Participant.objects.create(debate=evaluation.debate, role="judge", kind="human", name=name, position=9)
        for name in ("J", "K")
    ]
    about = {"debate": evaluation.debate, "by": actor_of(alice), "because": reason_record(factories.REASON)}
    ReplacedJudge.objects.create(judge=seats[0], successor=seats[1], **about)
    acts.freeze(order=factories.order(evaluation, alice), now=timezone.now())

    erase(evaluation.debate, factories.moderator("cora"))

    log, feed = (Client().get(reverse(name)).content.decode() for name in ("moderation", "moderation-feed"))
    assert "erased reason" not in log + feed
    assert (log.count("This text was erased."), feed.count("This text was erased.")) == (4, 3)


def test_the_whole_way_by_the_api():
    evaluation, paula, alice = scene()
    mine, bob = Api(paula), Api(factories.moderator("bob"))
    body = {"debate": str(evaluation.debate.public_id), "evaluation": str(evaluation.public_id), "entry": 3, **FORM}

    filed = mine.post("/appeals/", body)
    assert filed.status_code == 201, filed.content
    address = f"/appeals/{filed.json()['id']}"
    assert (filed.json()["mine"], filed.json()["words"], filed.json()["state"]) == (True, WORDS, "open")
    assert filed.headers["Location"].endswith(f"/api/v1{address}/")
    assert Api().get(f"{address}/").json()["words"] == ""
    assert code_of(mine.post("/appeals/", body)) == (409, "appealed_already")
    assert code_of(Api(alice).post(f"{address}/claim/")) == (403, "acted_on_it")
    assert bob.post(f"{address}/claim/").json()["lease_until"]
    assert mine.get(f"{address}/").json()["lease_until"] is None
    assert bob.post(f"{address}/release/").json()["state"] == "open"
    bob.post(f"{address}/claim/")
    decision = {"outcome": "allowed", "reason": "It says 120.", "note": NOTE, "action": "override", "value": "7"}
    done = bob.post(f"{address}/decide/", {**decision, "seen": 3})

    assert done.status_code == 200, done.content
    told = Api().get(f"{address}/").json()
    assert (told["words"], told["reason"], told["decided_by"]) == (WORDS, "It says 120.", "an administrator")
    assert told["act"] == {"evaluation": str(evaluation.public_id), "entry": 4, "taken_back_by": None}
    assert [row["id"] for row in Api().get("/appeals/", state="allowed").json()["results"]] == [told["id"]]


def test_what_the_api_refuses():
    evaluation, paula, _ = scene()
    mine, debate = Api(paula), {"debate": str(evaluation.debate.public_id), **FORM}
    strange = "00000000-0000-4000-8000-000000000000"
    score = {"evaluation": str(evaluation.public_id)}

    for more, expected in (
        ({"debate": strange}, (404, "not_found")),
        ({"entry": 3}, (400, "invalid")),
        ({**score, "entry": 3, "ruling": strange}, (400, "invalid")),
        ({**score, "entry": 99}, (404, "not_found")),
        ({"ruling": strange}, (404, "not_found")),
        ({}, (409, "not_allowed_now")),
    ):
        assert code_of(mine.post("/appeals/", {**debate, **more})) == expected, more
    ruling = str(evaluation.facts.first().public_id)
    [short] = mine.post("/appeals/", {**debate, "ruling": ruling, "words": "x"}).json()["errors"]
    assert (short["pointer"], short["detail"]) == ("/words", "words must have at least 10 visible characters.")
    filed = mine.post("/appeals/", {**debate, "ruling": ruling}).json()
    assert (filed["about"], filed["ruling"], filed["evaluation"]) == ("ruling", ruling, str(evaluation.public_id))
    assert mine.post(f"/appeals/{filed['id']}/withdraw/").json()["state"] == "withdrawn"
    assert Api().get(f"/appeals/{filed['id']}/").status_code == 404


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"value": "7"}, "value"),
        ({"facts": [NOBODY]}, "facts"),
        ({"held": "apply"}, "held"),
        ({"target": 1}, "target"),
        ({"seen": 0}, "seen"),
        ({"evaluation": NOBODY}, "evaluation"),
    ],
)
def test_a_decision_by_the_api_takes_nothing_that_means_nothing_to_it(more, name):
    evaluation = played()
    appeal, user = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, user)
    api, address = Api(user), f"/appeals/{appeal.public_id}/decide/"
    dismissed = {"outcome": "dismissed", "reason": "It says 12, in both."}
    taken = {"outcome": "allowed", "reason": "It says 120.", "evaluation": str(evaluation.public_id), "entry": 2}

    refused = [api.post(address, {**dismissed, **more})]
    refused += [api.post(address, {**taken, **more})] if name != "evaluation" else []

    assert [code_of(answer) for answer in refused] == [(422, "invalid")] * len(refused)
    for answer, called in zip(refused, ("dismissed", "entry"), strict=False):
        [fault] = answer.json()["errors"]
        assert (fault["pointer"], fault["detail"]) == (f"/{name}", f"{called} takes no {name}.")
    assert api.post(address, {**dismissed, "facts": []}).status_code == 200


@pytest.mark.parametrize("action", ["lift", "override_lifted"])
def test_an_appeal_is_allowed_by_an_action_by_its_address_or_by_the_kind_of_its_entry(action):
    evaluation = played()
    acts.override(order=factories.order(evaluation, factories.moderator()), value="7", now=timezone.now())
    appeal, user = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, user)
    seen = Evaluation.objects.get(pk=evaluation.pk).moderation_version
    decision = {"outcome": "allowed", "reason": "It says 120.", "action": action, "seen": seen}

    answer = Api(user).post(
        f"/appeals/{appeal.public_id}/decide/", {**decision, "evaluation": str(evaluation.public_id)}
    )

    assert answer.status_code == 200
    assert evaluation.entries.latest("pk").kind == "override_lifted"


def test_a_result_needs_a_score_to_act_on():
    evaluation = played()
    appeal, user = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, user)
    decision = {"outcome": "allowed", "reason": "It says 120.", "action": "override", "value": "7", "seen": 0}

    address = f"/appeals/{appeal.public_id}/decide/"
    assert code_of(Api(user).post(address, decision)) == (422, "invalid")
    assert Api(user).post(address, {**decision, "evaluation": str(evaluation.public_id)}).status_code == 200
