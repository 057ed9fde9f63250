"""The public account of a score: what moved it, in which role, why, what that rests on; and that it is the ledger."""

import json
import re
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from debates.models import Debate, Thread
from scoring import verify
from scoring.enums import HeldChoice
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.rules import criterion, instruments
from scoring.services import moderation_effect
from scoring.types import Instrument, Parameters, VerdictFact
from tests import acts, factories, playing
from tests.api.clients import Api
from tests.judging.erasure.erase import erase
from tests.judging.formats.open import playing as tables
from tests.judging.formats.open.scripts import script as talk
from tests.judging.formats.open.scripts import weighs
from tests.judging.formats.panel import play as panels

WHY = "The judge misread the third paragraph."
pytestmark = pytest.mark.django_db


def played(**options) -> Evaluation:
    rounds = [[playing.ruling("2"), playing.ruling("-1", challenge="C2")], [playing.ruling("3")]]
    answers = playing.script(rounds)
    answers[0]["answer"]["challenges"][0]["quote"] = "The district pays 40 000 a year."
    debate = playing.debate(answers, rounds=2, **options)
    playing.work()
    return debate.evaluations.get()


def page(client, evaluation: Evaluation, entry: int | None = None) -> str:
    names = [evaluation.debate.public_id, evaluation.public_id, *([entry] if entry else [])]
    answer = client.get(reverse("account-entry" if entry else "score-account", args=names))
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def document(client, evaluation: Evaluation) -> dict:
    return client.get(reverse("account-json", args=[evaluation.debate.public_id, evaluation.public_id])).json()


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_account_says_what_moved_a_score_when_in_which_role_and_why(client):
    evaluation, alice = played(), factories.moderator("alice")
    acts.override(order=factories.order(evaluation, alice, reason=WHY), value="4.5", now=timezone.now())

    html = page(client, evaluation)
    entries = list(evaluation.entries.order_by("sequence"))

    for entry in entries:
        assert bytes(entry.hash).hex() in html
    assert "Set by hand" in html
    assert WHY in html
    assert "an administrator" in html
    assert "alice" not in html
    assert "moved by a person" in html
    assert f"Without a moderator’s act {entries[-2].value_after.normalize():f}" in words(html).replace(".00", "")


def test_an_unfreeze_says_what_became_of_what_was_held_or_that_nothing_was(client):
    evaluation, alice, now = played(), factories.moderator("alice"), timezone.now()
    factories.again(evaluation.debate)
    shown = []
    for choice in (None, HeldChoice.APPLY, HeldChoice.DISCARD):
        acts.freeze(order=factories.order(evaluation, alice), now=now)
        if choice:
            factories.count(evaluation, "1")
        acts.unfreeze(order=factories.order(evaluation, alice), now=now, choice=choice)
        shown.append(words(page(client, evaluation, evaluation.entries.latest("sequence").sequence)))

    assert [re.search(r"What was held (nothing|was \w+)", text)[1] for text in shown] == [
        "nothing", "was applied", "was discarded"
    ]  # fmt: skip


def test_a_name_is_told_only_where_the_site_says_so(client, settings):
    evaluation, alice = played(), factories.moderator("alice")
    acts.freeze(order=factories.order(evaluation, alice, reason=WHY), now=timezone.now())
    before = page(client, evaluation), json.dumps(document(client, evaluation))

    settings.NAME_MODERATORS = True

    assert all("alice" not in text for text in before)
    assert 'an administrator, <span dir="auto">alice</span>' in page(client, evaluation)
    assert document(client, evaluation)["entries"][-1]["by"] == {
        "kind": "moderator", "role": "an administrator", "organiser": False, "name": "alice",
    }  # fmt: skip


def test_an_entry_shows_challenge_defence_ruling_and_the_passage_marked_in_the_subject(client):
    evaluation = played()
    counted = evaluation.entries.filter(kind="round").first()

    html = page(client, evaluation, counted.sequence)

    assert "<mark>The district pays 40 000 a year.</mark>" in html
    assert "We will measure 120 wells in 2027." in html
    for said in ("Why, 1?", "Because, 1.", "Because.", "the evaluator prevails", "the red team prevails"):
        assert said in html, said
    assert f'#verdict-{Fact.objects.get(pk=counted.facts[0]).public_id}"' in html


def test_every_entry_has_an_address_that_stays(client):
    evaluation, alice = played(), factories.moderator("alice")
    before = {entry: page(client, evaluation, entry) for entry in range(1, evaluation.version + 1)}
    acts.roll_back(order=factories.order(evaluation, alice), target=1, now=timezone.now())

    for entry, html in before.items():
        assert words(html).split("How to check it")[0].replace("Entry after", "").strip() in words(
            page(client, evaluation, entry)
        ).replace("Entry after", ""), entry
    path = reverse("account-entry", args=[evaluation.debate.public_id, evaluation.public_id, 99])
    assert client.get(path).status_code == 404


def test_what_somebody_may_not_read_is_not_there(client):
    evaluation = played()
    Debate.objects.update(visibility="private")
    other = factories.criterion()
    names = [evaluation.debate.public_id, evaluation.public_id]
    paths = [reverse("score-account", args=names), reverse("account-json", args=names)]
    paths.append(reverse("account-entry", args=[*names, 1]))

    assert [client.get(path).status_code for path in paths] == [404] * 3
    assert Api().get(f"/evaluations/{evaluation.public_id}/account/").status_code == 404
    client.force_login(factories.moderator("alice"))
    assert [client.get(path).status_code for path in paths] == [200] * 3
    strange = reverse("score-account", args=[evaluation.debate.public_id, other.public_id])
    assert client.get(strange).status_code == 404


def test_the_api_gives_the_same_account(client):
    evaluation = played()

    assert Api().get(f"/evaluations/{evaluation.public_id}/account/").json() == document(client, evaluation)


def test_of_erased_words_an_account_says_that_they_are_gone(client):
    evaluation, alice, bob = played(), factories.moderator("alice"), factories.moderator("bob")
    acts.freeze(order=factories.order(evaluation, bob, reason=WHY), now=timezone.now())
    erase(evaluation.debate, alice)

    html = page(client, evaluation)

    assert WHY not in html
    assert "This text was erased." in html
    assert "This text was erased." in page(client, evaluation, 2)


def test_accounts_of_other_formats_show_what_their_facts_rest_on(client):
    tables.played(
        provider="scripted",
        script=talk(weighs("Mira", "Konrad"), weighs("Konrad", "Mira")),
        exchanges=2,
        effects="judge",
    )
    panels.played(panels.alone(("4", "3"), ("4", "3"), ("4", "3")))

    evaluations = Evaluation.objects.exclude(instrument="criterion").select_related("debate")
    assert {evaluation.instrument for evaluation in evaluations} == {"adherence", "standing", "panel"}
    for evaluation in evaluations:
        entry = next(row for row in evaluation.entries.order_by("sequence") if row.facts)
        html = page(client, evaluation, entry.sequence)
        assert 'class="exchange"' in html
        assert ("said" in html) is (evaluation.instrument != "standing"), evaluation.instrument


@pytest.mark.parametrize("choice", list(HeldChoice))
def test_without_moderation_a_freeze_holds_nothing(choice):
    rounds = [[playing.ruling("2")], [playing.ruling("1")]]
    debate, alice = playing.debate(playing.script(rounds), rounds=2), factories.moderator("alice")
    playing.work()
    evaluation = debate.evaluations.get()
    free = evaluation.final_score
    now = timezone.now()
    acts.freeze(order=factories.order(evaluation, alice), now=now)
    acts.unfreeze(order=factories.order(evaluation, alice), now=now, choice=None)
    evaluation.refresh_from_db()

    assert moderation_effect.effects(evaluations=[evaluation])[evaluation.pk].moved is False
    acts.strike(order=factories.order(evaluation, alice), facts=evaluation.basis[:1], now=now)
    evaluation.refresh_from_db()
    effect = moderation_effect.effects(evaluations=[evaluation])[evaluation.pk]
    assert (effect.without, effect.moved) == (free, True)


def test_without_moderation_a_frozen_score_of_which_nothing_was_judged_would_be_its_initial_one():
    evaluation = factories.criterion()
    acts.freeze(order=factories.order(evaluation, factories.moderator("alice")), now=timezone.now())
    evaluation.refresh_from_db()
    in_play = moderation_effect.effects(evaluations=[evaluation])[evaluation.pk]
    Thread.objects.update(status="complete")
    evaluation.refresh_from_db()
    ended = moderation_effect.effects(evaluations=[evaluation])[evaluation.pk]

    assert (in_play.without, in_play.moved) == (None, False)
    assert (ended.final, ended.without) == (None, evaluation.initial_score)


def test_what_nobody_has_acted_on_is_asked_in_no_query(django_assert_num_queries):
    evaluation = played()

    with django_assert_num_queries(0):
        assert moderation_effect.effects(evaluations=[evaluation]) == {}


def computed_from(account: dict, entry: dict) -> Decimal | None:
    """What the facts of an entry's basis give, by the rules, from nothing but the document."""
    if not entry["countedAfter"]:
        return None
    rows = {fact["id"]: fact for fact in account["facts"]}
    basis = [rows[pk] for pk in entry["basis"]]
    parameters, initial = Parameters.from_snapshot(account["parameters"]), Decimal(account["initial"])
    if account["instrument"] != "criterion":
        amounts = [Decimal(fact["amount"]) for fact in basis]
        return instruments.computed(instrument=Instrument(account["instrument"]), amounts=amounts)
    facts = [VerdictFact(Decimal(fact["amount"]), Decimal(fact["impact"]), Decimal(fact["weight"])) for fact in basis]
    return criterion.computed_score(initial=initial, facts=facts, parameters=parameters)


def agrees(account: dict) -> None:
    """An account is a chain, each step of which follows from the facts that it names."""
    value, previous = None, ""
    for number, entry in enumerate(account["entries"], start=1):
        assert entry["sequence"] == number
        assert entry["previousHash"] == previous
        if value is not None:
            assert Decimal(entry["before"]) == value
        assert Decimal(entry["after"]) - Decimal(entry["before"]) == Decimal(entry["delta"])
        computed = computed_from(account, entry)
        assert (entry["computedAfter"] and Decimal(entry["computedAfter"])) == computed
        override = entry["overrideAfter"] and Decimal(entry["overrideAfter"])
        counts = override if override is not None else computed
        assert Decimal(entry["after"]) == (Decimal(account["initial"]) if counts is None else counts)
        value, previous = Decimal(entry["after"]), entry["hash"]
    assert (account["head"], Decimal(account["value"])) == (previous, value)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_accounts_of_the_samples_agree_with_the_proof_of_their_ledger(client):
    call_command("load_samples", verbosity=0)
    playing.work()
    alice, now = factories.moderator("alice"), timezone.now()
    for debate in Debate.objects.filter(format="criterion").order_by("pk"):
        judged = [row for row in debate.evaluations.order_by("pk") if row.basis]
        if len(judged) < 3:
            continue  # of this one hardly anything can be assessed
        first, second, third = judged[:3]
        acts.override(order=factories.order(first, alice), value="2.25", now=now)
        acts.strike(order=factories.order(second, alice), facts=second.basis[:1], now=now)
        acts.roll_back(order=factories.order(third, alice), target=1, now=now)

    assert verify.verify().faults == ()
    concluded = Debate.objects.filter(status="concluded")
    assert concluded.count() >= 12
    rows = Evaluation.objects.filter(debate__in=concluded).select_related("debate").order_by("position")
    some = Q(position__lte=3) | Q(moderation_version__gt=0) | ~Q(instrument="criterion")  # all 300 take a minute
    for evaluation in rows.filter(some):
        account = document(client, evaluation)
        agrees(account)
        kept = list(evaluation.entries.order_by("sequence").values_list("hash", "value_after", "delta"))
        told = [(entry["hash"], Decimal(entry["after"]), Decimal(entry["delta"])) for entry in account["entries"]]
        assert told == [(bytes(digest).hex(), after, delta) for digest, after, delta in kept]
        acted = ScoreChange.objects.filter(evaluation=evaluation).exclude(actor_kind="engine").exists()
        assert acted or account["withoutModeration"] == account["final"]


def test_the_headline_the_list_and_the_document_say_what_it_would_be_without_a_persons_act(client):
    evaluation, alice = played(), factories.moderator("alice")
    debate = evaluation.debate
    acts.strike(order=factories.order(evaluation, alice), facts=evaluation.basis[:1], now=timezone.now())
    evaluation.refresh_from_db()
    now, without = evaluation.final_score, moderation_effect.effects(evaluations=[evaluation])[evaluation.pk].without
    said = f"moved by a person {now:.2f} ({without:.2f} without a moderator’s act)"

    for name in ("debate", "result"):
        assert said in words(client.get(reverse(name, args=[debate.public_id])).content.decode()), name
    listed = words(client.get(reverse("index")).content.decode())
    document = client.get(reverse("result-document", args=[debate.public_id])).json()

    assert f"moved by a person {without:.2f} without a moderator’s act" in listed
    [moved] = document["moderation"]["moved"]
    assert (Decimal(moved["final"]), Decimal(moved["withoutModeration"])) == (now, without)


def test_a_score_that_nobody_moved_has_no_badge(client):
    evaluation, alice = played(), factories.moderator("alice")
    acts.freeze(order=factories.order(evaluation, alice), now=timezone.now())

    for path in (reverse("index"), reverse("debate", args=[evaluation.debate.public_id])):
        assert "moved by a person" not in client.get(path).content.decode()


def test_what_a_person_decided_about_a_panel_is_marked_in_its_headline(client):
    debate = panels.played(panels.alone(("4", "3"), ("4", "3"), ("4", "3")))
    evaluation, alice = debate.evaluations.earliest("pk"), factories.moderator("alice")
    acts.override(order=factories.order(evaluation, alice), value="1", now=timezone.now())

    for path in (reverse("index"), reverse("result", args=[debate.public_id])):
        assert "without a moderator’s act" in words(client.get(path).content.decode()), path
