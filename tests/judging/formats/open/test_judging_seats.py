"""Responses are judged by people and programs from seats: how they argue, and what they do to those who listen."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow
from debates.models import AwaitedTurn, Ballot, Event, Thread, Turn
from debates.selectors import awaited_turns
from debates.services import seats
from judging.engine import ballots, human_turns, lifecycle
from judging.errors import BallotGiven
from judging.models import Effect, ResponseEvaluation
from judging.rules.fairness import Fairness
from scoring import verify
from scoring.models import Alert, Evaluation, ScoreChange
from scoring.services import conflicts
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.judging.formats.open.playing import played
from tests.judging.formats.open.scripts import FAIR, script, weighs
from tests.judging.formats.open.test_verify import proved, told_of
from tests.moderators import client_of, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
DAYS = timedelta(days=4)
SEATED = {"evaluator": "human", "persuasion_judge": "external"}
OPTIONS = {"provider": "scripted", "exchanges": 1, "accountability": "relaxed", "effects": "judge"}


def told(name, speaker):
    """What the script answers of a response, as somebody on a seat gives it."""
    listener = "Konrad" if speaker == "Mira" else "Mira"
    return FAIR if name == "Evaluator" else weighs(speaker, listener)["answer"]


def answers():
    return script(weighs("Mira", "Konrad"), weighs("Konrad", "Mira"))


def waits(**options):
    return played(script=answers(), **{**OPTIONS, **SEATED, **options})


def seat_of(debate, name):
    return debate.participants.get(role="judge", name=name)


def sit(debate, name):
    person = factories.person(name.split()[0].lower())
    seats.take(invitation=seats.invite(participant_id=seat_of(debate, name).pk, by=None), by=person)
    return person


def waiting(debate):
    """The ballots that are awaited: who, and whose response."""
    rows = [row for seat in debate.participants.filter(role="judge") for row in ballots.waiting(seat=seat)]
    return {(row.participant.name, row.about.participant.name): row for row in rows}


def give(row, by, said):
    ballots.give(seat_id=row.participant_id, by=by, answer=json.dumps(said), awaited=row.public_id, now=timezone.now())


def ledger(debate):
    entries = ScoreChange.objects.filter(evaluation__debate=debate)
    entries = entries.order_by("evaluation__key", "evaluation__instrument", "sequence")
    effects = Effect.objects.filter(turn__debate=debate).order_by("pk")
    marks = ResponseEvaluation.objects.filter(turn__debate=debate).order_by("pk")
    numbers = ("kind", "value_before", "value_after", "computed_after", "raw_sum", "run_number", "rounds_after")
    return json.dumps(
        [
            list(entries.values("evaluation__key", "evaluation__instrument", "sequence", *numbers)),
            list(effects.values("speaker__name", "listener__name", "persuasion", "attack", "evidence", "source")),
            list(marks.values("state", "steel_manning", "self_critique", "consistency", "honesty", "grounds")),
        ],
        default=str,
    )


def test_equal_judgements_by_page_api_and_script_give_the_same_ledger():
    scripted = played(script=answers(), **OPTIONS)
    debate = waits()
    people = {name: sit(debate, name) for name in ("Evaluator", "Judge of persuasion")}
    client = client_of(people["Evaluator"])
    forms = []

    for speaker in ("Mira", "Konrad"):
        rows = waiting(debate)
        assert set(rows) == {("Evaluator", speaker), ("Judge of persuasion", speaker)}
        page = reverse("ballot", args=[debate.public_id, seat_of(debate, "Evaluator").public_id])
        assert f"You judge what {speaker} said in exchange 1" in words(client.get(page))
        said = {
            f"{part}-{name}": ("on" if value is True else value)
            for part, given in FAIR.items()
            for name, value in given.items()
            if isinstance(value, str | bool) and value
        }
        turn = rows["Evaluator", speaker]
        forms.append({**said, "awaited": str(turn.public_id)})
        assert [client.post(page, forms[-1]).status_code for _ in ("first", "again")] == [302, 302]
        assert ResponseEvaluation.objects.filter(turn=turn.about_id, state="scored", call=None).exists()
        assert set(waiting(debate)) == {("Judge of persuasion", speaker)}
        row = rows["Judge of persuasion", speaker]
        api = Api(people["Judge of persuasion"])
        paper = api.get(f"/awaited-turns/{row.public_id}/ballot/").json()
        assert (paper["response"]["speaker"], paper["response"]["purpose"]) == (speaker, "influence")
        given = api.post(f"/awaited-turns/{row.public_id}/ballot/", {"answer": told("Judge of persuasion", speaker)})
        assert given.status_code == 201
        playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert [client.post(page, form).status_code for form in forms] == [302, 302]
    assert ledger(debate) == ledger(scripted)
    assert not verify.verify().faults
    assert {row.state for row in awaited_turns()} == {"spoken"}


def test_a_judge_on_a_seat_is_shown_where_everybody_stands_and_by_what_they_argue_as_a_model_is():
    debate = waits()
    shown, given = {}, {}
    for name in ("Evaluator", "Judge of persuasion"):
        person, row = sit(debate, name), waiting(debate)[name, "Mira"]
        shown[name] = words(
            client_of(person).get(reverse("ballot", args=[debate.public_id, row.participant.public_id]))
        )
        given[name] = Api(person).get(f"/awaited-turns/{row.public_id}/ballot/").json()["response"]["positions"]

    assert ["Mark words in it" in page for page in shown.values()] == [True, False]
    assert [page.count("Why") for page in shown.values()] == [4, 0]
    own = "Mira stance +0.80, conviction 0.70, argues from Utilitarianism: An option is as good as the welfare"
    assert [own in page for page in shown.values()] == [True, True]
    assert ["welfare is hard to measure" in page for page in shown.values()] == [True, True]
    konrad = "Konrad stance −0.60, conviction 0.80, argues from The ethics of duty"
    assert [konrad in page for page in shown.values()] == [False, True]
    assert [[seat["name"] for seat in seats_] for seats_ in given.values()] == [["Mira"], ["Mira", "Konrad"]]
    mira, listener = given["Judge of persuasion"]
    assert mira["framework"]["name"] == "Utilitarianism"
    assert "welfare is hard to measure and harder to compare between people" in mira["framework"]["blind_spots"]
    assert (listener["stance"], listener["conviction"], listener["side"]) == ("-0.60", "0.80", "")


def test_the_page_says_who_is_to_judge_and_whoever_is_has_it_in_the_tab():
    debate = waits()
    person = sit(debate, "Evaluator")
    address = reverse("debate", args=[debate.public_id])
    pages = [client.get(address) for client in (Client(), client_of(person))]

    assert ["Evaluator is to judge what Mira said in exchange 1. Until" in words(page) for page in pages] == [True] * 2
    assert "Judge of persuasion is to judge what Mira said in exchange 1. Until" in words(pages[0])
    titles = [page.content.decode().partition("<title>")[2].partition(" · ")[0] for page in pages]
    assert titles == ["Evaluator and Judge of persuasion to judge", "Your turn"]


def test_a_lie_about_what_came_of_a_judgement_from_a_seat_is_found():
    debate = waits()
    people = {name: sit(debate, name) for name in ("Evaluator", "Judge of persuasion")}
    for speaker in ("Mira", "Konrad"):
        for (name, _), row in waiting(debate).items():
            give(row, people[name], told(name, speaker))
        playing.work()
    assert proved() == []
    page = words(Client().get(reverse("debate", args=[debate.public_id])))
    assert page.count("Weighed from the seat of the judge of persuasion.") == 2
    assert page.count("Judged from the seat of the evaluator.") == 2
    assert "by the arbiter" not in page

    assert not told_of([
        (ResponseEvaluation, {"honesty": "1.5"}, "honesty is not what its judge gave: expected 20, found 1.5"),
        (ResponseEvaluation, {"issues": ["evasion"]}, "issues is not what its judge gave"),
        (Effect, {"persuasion": "0.9"}, "persuasion is another: expected 0.3, found 0.9"),
        (Effect, {"attack": "0.9"}, "attack is another: expected 0.2, found 0.9"),
        (Ballot, {"answer": "{}"}, "on an answer that cannot be read"),
    ])  # fmt: skip


def test_what_is_not_judged_in_time_has_failed_and_the_debate_goes_on():
    debate = waits()
    row = waiting(debate)["Evaluator", "Mira"]
    person = sit(debate, "Evaluator")
    give(row, person, FAIR)
    with pytest.raises(BallotGiven):
        give(row, person, {**FAIR, "honesty": {**FAIR["honesty"], "score": "1"}})

    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    playing.work()
    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert list(ResponseEvaluation.objects.order_by("pk").values_list("state", flat=True)) == ["scored", "failed"]
    assert set(Effect.objects.values_list("source", flat=True)) == {"words"}
    assert Alert.objects.filter(code="judge_failed").count() == 3
    assert Event.objects.filter(type="turn:forfeited", data__awaited__isnull=False).count() == 3
    assert Turn.objects.filter(kind="judgement", text="").count() == 3
    page = words(Client().get(reverse("debate", args=[debate.public_id])))
    assert "No judgement that could be used was given, so this response has no number." in page
    assert not verify.verify().faults


def test_who_may_not_judge_and_has_let_a_deadline_pass_is_waited_for_no_more_once_nobody_else_is():
    debate = waits()
    evaluator, other = sit(debate, "Evaluator"), sit(debate, "Judge of persuasion")
    give(waiting(debate)["Judge of persuasion", "Mira"], other, told("Judge of persuasion", "Mira"))
    thread = debate.threads.get()

    def forfeits(now=None):
        return human_turns.forfeit(thread_id=thread.pk, now=now or timezone.now())

    conflicts.declare(debate_id=debate.pk, by=evaluator, reason=factories.REASON, now=timezone.now())
    until_the_deadline = (human_turns.waiting_in_vain(), forfeits(), forfeits(timezone.now() + DAYS))
    playing.work()
    beside_another = (human_turns.waiting_in_vain(), forfeits())
    give(waiting(debate)["Judge of persuasion", "Konrad"], other, told("Judge of persuasion", "Konrad"))
    alone = (human_turns.waiting_in_vain(), forfeits())
    playing.work()

    debate.refresh_from_db()
    assert (until_the_deadline, beside_another) == (({}, False, True), ({}, False))
    assert (alone, debate.status) == (({thread.pk: debate.pk}, True), "concluded")
    events = Event.objects.filter(type="turn:forfeited").order_by("seq")
    assert [event.data["because"] for event in events] == ["deadline", "no_answer"]
    assert set(ResponseEvaluation.objects.values_list("state", flat=True)) == {"failed"}
    assert Alert.objects.filter(code="judge_failed", evidence__why="Evaluator gave no judgement.").count() == 2
    assert not verify.verify().faults


def test_a_judgement_that_counts_at_once_has_no_seal_to_break(monkeypatch):
    debate = waits()
    give(waiting(debate)["Evaluator", "Mira"], sit(debate, "Evaluator"), FAIR)
    looks = factories.moderator("dora")
    looks.user_permissions.add(Permission.objects.get(codename="break_seal"))

    for stands_not in (conflicts.seal_stands_not, lambda **_about: ""):  # the second leaves it to the database
        monkeypatch.setattr(conflicts, "seal_stands_not", stands_not)
        with pytest.raises(NotAllowedNow, match="has no seal"):
            conflicts.break_seal(
                ballot_id=Ballot.objects.get().pk, by=looks, reason=factories.REASON, now=timezone.now()
            )

    assert not Event.objects.filter(debate=debate, type="ballot:unsealed").exists()


def test_a_judgement_that_moves_nobody_is_told_as_soon_as_it_is_given():
    debate = waits()
    row, judge = waiting(debate)["Judge of persuasion", "Mira"], sit(debate, "Judge of persuasion")
    before = Event.objects.filter(debate=debate).count()

    give(row, judge, {"effects": [{"listener": "Konrad", "persuasion": "0.2", "attack": "0.1", "evidence": "0.1"}]})

    told = Event.objects.filter(debate=debate, seq__gt=before).get()
    assert told.type == "state:changed"
    assert told.data["cause"] == str(row.about.public_id)
    assert (told.data["stance"], told.data["conviction"]) == (told.data["stanceBefore"], told.data["convictionBefore"])


def test_after_a_pause_only_what_is_still_to_be_judged_is_awaited_anew():
    debate = waits()
    give(waiting(debate)["Evaluator", "Mira"], sit(debate, "Evaluator"), FAIR)
    now = timezone.now()
    lifecycle.pause(debate_id=debate.pk, by=None, now=now)
    lifecycle.resume(debate_id=debate.pk, by=None, now=now + DAYS)

    assert list(AwaitedTurn.objects.filter(number=2).values_list("participant__name", flat=True)) == [
        "Judge of persuasion"
    ]


def test_a_judgement_is_read_like_the_answer_of_a_model():
    debate = waits()
    person = sit(debate, "Judge of persuasion")

    with pytest.raises(Invalid, match="listener must be one of Konrad"):
        give(waiting(debate)["Judge of persuasion", "Mira"], person, weighs("Mira", "Otto")["answer"])

    assert not Ballot.objects.exists()
    assert not Evaluation.objects.filter(instrument="adherence").exists()


def test_a_judgement_with_more_violations_than_are_kept_is_refused():
    debate = waits()
    api, row = Api(sit(debate, "Evaluator")), waiting(debate)["Evaluator", "Mira"]
    said = {**FAIR, "consistency": {**FAIR["consistency"], "violations": ["a"] * 40_000}}

    refused = api.post(f"/awaited-turns/{row.public_id}/ballot/", {"answer": said})

    assert code_of(refused) == (422, "invalid")
    assert "consistency: violations are 40000; at most 20 are kept." in refused.content.decode()
    assert not Ballot.objects.exists()


@pytest.mark.parametrize(
    ("name", "says"),
    [("Evaluator", "how fairly it argues"), ("Judge of persuasion", "what it does to each who listens")],
)
def test_who_judges_responses_is_invited_to_that_and_hears_of_no_panel(name, says):
    debate = waits(ballot_seconds=7200, turn_seconds=3600)

    page = words(Client().get(f"/seats/{seats.invite(participant_id=seat_of(debate, name).pk, by=None)}/"))

    assert f"What is judged {debate.motion}" in page
    assert "Time for a ballot 2 h 0 min" in page
    assert says in page
    assert "panel" not in page
    assert "before its round closes" not in page


@pytest.mark.parametrize(
    ("options", "why"),
    [
        pytest.param({"fairness": Fairness(blind_names=True)}, "judges once", id="blinding"),
        pytest.param({"judging": "quick"}, "evaluator: without effect", id="nobody gives marks"),
        pytest.param({"persuasion": False, "effects": ""}, "persuasion_judge: without effect", id="nobody persuades"),
        pytest.param({"effects": "words"}, "word lists weigh", id="word lists"),
        pytest.param({"evaluator": "ghost"}, "evaluator must be one of", id="nobody we know"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_by_name(options, why):
    with pytest.raises(Invalid, match=why):
        waits(**options)
