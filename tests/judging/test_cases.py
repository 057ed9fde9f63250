"""The case of a score: everything of it on one page, the actions, remarks that stay inside, and who has it."""

import re
from decimal import Decimal
from functools import partial

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate, IdempotencyKey
from judging.engine import lifecycle, reviews
from judging.models import Review
from scoring import verify
from scoring.enums import AlertState
from scoring.errors import ConflictOfInterest
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Alert, Appeal, Assignment, Evaluation, InternalNote, Remark
from scoring.services import cases, conflicts
from scoring.services.entries import actor_of, reason_record
from tests import acts, factories, playing
from tests.api.clients import Api
from tests.moderators import address, client_of, member, words
from tests.playing import ruling, script
from tests.scoring.concurrency import at_once
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
SECRET = "Ask the two who know this judge."


@pytest.fixture
def debate():
    made = playing.debate(script([[ruling("-3")]]), rounds=1)
    playing.work()
    return Debate.objects.get(pk=made.pk)


@pytest.fixture
def evaluation(debate):
    return Evaluation.objects.filter(debate=debate).earliest("pk")


def case(row, view="case"):
    return reverse(f"admin:scoring_evaluation_{view}", args=[row.pk])


def test_a_case_has_the_passage_the_exchange_the_course_and_the_actions(evaluation):
    page = client_of(member(MODERATOR)).get(case(evaluation))
    shown = words(page)

    for part in ("Challenge by", "Defence by", "Ruling", "Course", "Open alerts"):
        assert part in shown
    assert [action.name for action in page.context["actions"]] == ["freeze", "override", "strike"]
    ids = [field.id_for_label for action in page.context["actions"] for field in action.form]
    assert len(ids) == len(set(ids))
    assert evaluation.debate.parameters["rubric"]["criteria"][0]["question"] in shown
    senior = client_of(member(SENIOR)).get(case(evaluation)).content.decode()
    assert f"{case(evaluation, 'roll_back')}?target=1&amp;" in senior


def test_whoever_may_view_scores_alone_reads_there_what_everybody_may(evaluation):
    acts.freeze(order=factories.order(evaluation, member(MODERATOR, "mona"), note=SECRET), now=NOW)
    carl = client_of(factories.person("carl", permissions=["scoring.view_evaluation"]))
    as_of = f"{case(evaluation, 'as_of')}?sequence={Evaluation.objects.get(pk=evaluation.pk).version}"
    pages = [case(evaluation), case(evaluation, "change"), as_of]

    for page in pages:
        shown = words(carl.get(page))
        assert factories.REASON in shown
        assert [hidden for hidden in (SECRET, "mona", "Open alerts") if hidden in shown] == []
    assert "History" not in words(carl.get(case(evaluation, "change")))
    assert carl.get(case(evaluation, "history")).status_code == 403
    listed = carl.get(reverse("admin:scoring_evaluation_changelist"))
    assert ("column-alerts_open" in listed.content.decode(), "1 open" in words(listed)) == (False, False)
    factories.rewrite(Debate.objects.filter(pk=evaluation.debate_id), visibility="private")
    assert [carl.get(page).status_code for page in pages] == [404, 302, 404]
    assert carl.get(reverse("admin:scoring_evaluation_changelist")).context["cl"].result_count == 0


def test_each_form_on_a_case_says_who_reads_what_is_written_in_it(evaluation):
    page = client_of(member(MODERATOR)).get(case(evaluation)).content.decode()

    named = re.findall(r'aria-describedby="([^"]+)"', page)
    assert {f"{name}{evaluation.pk}_reason_helptext" for name in ("freeze", "override", "strike")} <= set(named)
    assert [name for name in named if f'id="{name}"' not in page] == []
    assert page.count("shown to everybody who may read the debate.") >= 3


def test_what_is_done_from_the_case_comes_back_to_it(evaluation):
    client = client_of(member(MODERATOR))
    freeze = reverse("admin:scoring_evaluation_freeze", args=[evaluation.pk])
    given = {"reason": factories.REASON, "seen": evaluation.moderation_version, "next": case(evaluation)}

    done = client.post(freeze, given)
    elsewhere = client.post(
        reverse("admin:scoring_evaluation_unfreeze", args=[evaluation.pk]),
        {
            **given,
            "seen": Evaluation.objects.get(pk=evaluation.pk).moderation_version,
            "next": "https://elsewhere.example/",
        },
    )

    assert done.headers["Location"] == case(evaluation)
    assert elsewhere.headers["Location"] == reverse("admin:scoring_evaluation_change", args=[evaluation.pk])
    shown = words(client.get(case(evaluation)))
    assert f"freeze {evaluation.value:.2f}" in shown
    assert factories.REASON in shown


def test_a_refused_action_keeps_the_way_back(evaluation):
    page = client_of(member(MODERATOR)).post(
        reverse("admin:scoring_evaluation_freeze", args=[evaluation.pk]),
        {"reason": "Short.", "seen": 0, "next": case(evaluation)},
    )

    assert f'<input type="hidden" name="next" value="{case(evaluation)}">' in page.content.decode()


def test_staff_get_from_public_pages_to_the_case_and_nobody_else_sees_the_way(debate, evaluation):
    address = reverse("admin:scoring_evaluation_case", args=[evaluation.public_id])
    account = reverse("score-account", args=[debate.public_id, evaluation.public_id])
    pages = (reverse("debate", args=[debate.public_id]), account)
    staff, visitor = client_of(member(MODERATOR)), Client()

    for page in pages:
        assert address in staff.get(page).content.decode()
        assert "/case/" not in visitor.get(page).content.decode()
    assert "Case:" in words(staff.get(address))
    assert visitor.get(address).status_code == 302
    assert staff.get(address.replace(str(evaluation.public_id), str(debate.public_id))).status_code in {302, 404}


def test_a_preview_says_what_becomes_of_the_whole(evaluation):
    page = client_of(member(MODERATOR)).post(
        reverse("admin:scoring_evaluation_override", args=[evaluation.pk]), {"value": "9.5", "_preview": "1"}
    )

    [look] = page.context["looks"]
    assert [(each.what, each.now != each.then) for each in look.whole] == [("Overall", True), ("Recommendation", True)]
    assert "pursue" in words(page)


def test_who_approves_is_shown_what_becomes_of_the_whole_as_who_asked_was(evaluation, settings):
    settings.SECOND_PERSON_FROM = Decimal(1)
    asked = acts.override(order=factories.order(evaluation, factories.moderator("alice")), value="9.5", now=NOW)
    sue = client_of(member(SENIOR))

    for view in ("approve", "change"):
        page = sue.get(address("scoring_approval", view, asked.pk))
        assert [(each.what, each.now != each.then) for each in page.context["look"].whole] == [
            ("Overall", True), ("Recommendation", True),
        ]  # fmt: skip
        assert "pursue" in words(page)


def test_what_an_action_would_change_is_read_alone_for_the_form_on_the_case(evaluation):
    override = reverse("admin:scoring_evaluation_override", args=[evaluation.pk])
    client = client_of(member(MODERATOR))

    part = client.post(override, {"value": "9.5", "_preview": "1", "_part": "1"})
    nonsense = client.post(override, {"value": "high", "_preview": "1", "_part": "1"})

    assert part.content.decode().strip().startswith("<section")
    assert "Overall" in part.content.decode()
    assert 'role="alert"' in nonsense.content.decode()
    assert Evaluation.objects.get(pk=evaluation.pk).override_score is None


def test_an_auditor_sees_the_case_without_what_moderators_say(evaluation):
    cases.remark(evaluation_id=evaluation.pk, by=factories.moderator(), text=SECRET, now=NOW)

    shown = words(client_of(member(AUDITOR)).get(case(evaluation)))

    assert SECRET not in shown
    assert "Take it on" not in shown
    assert "Back to here" not in shown


def test_remarks_are_for_moderators_and_on_no_public_page(debate, evaluation):
    client = client_of(member(MODERATOR))
    sent = client.post(case(evaluation, "remark"), {"text": f"  {SECRET}  "}, follow=True)
    empty = client.post(case(evaluation, "remark"), {"text": " "})

    assert SECRET in words(sent)
    assert "This field is required." in words(empty)
    assert 'aria-describedby="id_text_helptext id_text_error"' in empty.content.decode()
    assert 'id="id_text_error"' in empty.content.decode()
    assert Remark.objects.get().note.text == SECRET
    visitor = Client()
    account = reverse("score-account", args=[debate.public_id, evaluation.public_id])
    for page in (reverse("debate", args=[debate.public_id]), account, f"/api/v1/debates/{debate.public_id}/events/"):
        assert SECRET not in visitor.get(page).content.decode()
    assert verify.verify().faults == ()


def test_remarks_are_read_by_the_api_by_whom_the_page_shows_them_to_and_by_nobody_else(debate, evaluation):
    at, ruth, party = f"/evaluations/{evaluation.public_id}/remarks/", member(MODERATOR), factories.moderator("party")
    for text in (SECRET, "They were asked."):
        cases.remark(evaluation_id=evaluation.pk, by=ruth, text=text, now=NOW)
    conflicts.declare(debate_id=debate.pk, by=party, reason=factories.REASON, now=NOW)
    half = factories.person("half", permissions=["scoring.handle_alert"])
    reads = {"ruth": Api(ruth), "party": Api(party)}
    refused = {
        "nobody": Api(), "auditor": Api(member(AUDITOR)), "somebody": Api(factories.person("somebody")),
        "a key to read": Api(ruth, scopes=["read", "write", "export"]),
    }  # fmt: skip

    answer = reads["ruth"].get(at)
    other = reads["ruth"].get(f"/evaluations/{factories.criterion().public_id}/remarks/")

    assert answer.json()["results"] == [
        {"evaluation": str(evaluation.public_id), "by": ruth.username, "at": row["at"], "text": row["text"]}
        for row in answer.json()["results"]
    ]
    assert [row["text"] for row in answer.json()["results"]] == [SECRET, "They were asked."]
    assert other.json()["results"] == []
    assert reads["party"].get(at).json() == answer.json()
    assert SECRET in words(client_of(party).get(case(evaluation)))
    assert {name: api.get(at).status_code for name, api in refused.items()} == {
        "nobody": 401, "auditor": 403, "somebody": 403, "a key to read": 403
    }  # fmt: skip
    assert Api(half).get(at).json()["results"] == []
    Debate.objects.filter(pk=debate.pk).update(visibility="private")
    assert (Api(half).get(at).status_code, Api(ruth).get(at).json()) == (404, answer.json())


def test_who_works_on_cases_and_may_not_read_the_debate_is_not_told_that_nobody_said_anything(debate, evaluation):
    cases.remark(evaluation_id=evaluation.pk, by=member(MODERATOR), text=SECRET, now=NOW)
    Debate.objects.filter(pk=debate.pk).update(visibility="private")
    half = factories.person("half", permissions=["scoring.handle_alert", "scoring.view_evaluation"])

    page = words(client_of(half).get(case(evaluation)))

    assert (SECRET in page, "Nobody has said anything" in page, "Assign" in page) == (False, False, False)


def test_a_remark_is_written_by_the_api_and_its_answer_has_no_words_of_it(debate, evaluation):
    at, ruth = f"/evaluations/{evaluation.public_id}/remark/", Api(member(MODERATOR))

    sent, again = (ruth.post(at, {"text": f"  {SECRET}  "}, Idempotency_Key="the-first-remark") for _ in range(2))
    empty, long = ruth.post(at, {"text": " "}), ruth.post(at, {"text": "x" * 4001})
    auditor = Api(member(AUDITOR)).post(at, {"text": SECRET})

    assert (sent.status_code, again.json()) == (200, sent.json())
    assert sorted(sent.json()) == ["at", "by", "evaluation"]
    assert Remark.objects.get().note.text == SECRET
    assert [answer.status_code for answer in (empty, long, auditor)] == [400, 400, 403]
    assert SECRET not in "".join(IdempotencyKey.objects.values_list("body", flat=True))


@pytest.mark.django_db(transaction=True)
def test_what_a_double_click_says_twice_is_said_once(evaluation):
    ruth = member(MODERATOR)
    page = client_of(ruth).get(case(evaluation))
    form = {"text": SECRET, "once": page.context["remark_form"]["once"].value()}
    assert f'name="once" value="{form["once"]}"' in page.content.decode()
    say = partial(client_of(ruth).post, case(evaluation, "remark"), form)

    answers = [*at_once(say, say), say()]

    assert {answer.headers["Location"] for answer in answers} == {f"{case(evaluation)}#remarks"}
    assert Remark.objects.get().note.text == SECRET
    client_of(ruth).post(case(evaluation, "remark"), {**form, "text": "Another word."})
    assert Remark.objects.count() == 2


def test_control_characters_are_refused_on_the_page(evaluation):
    with pytest.raises(Invalid, match="control characters"):
        cases.remark(evaluation_id=evaluation.pk, by=factories.moderator(), text="a\u0001b", now=NOW)
    assert not InternalNote.objects.exists()


def test_a_case_is_taken_on_given_and_given_back(evaluation):
    ruth = member(MODERATOR)
    client = client_of(ruth)
    bob = factories.moderator("bob")

    client.post(case(evaluation, "assign"), {"username": ruth.username})
    assert Assignment.objects.get().person == ruth
    client.post(case(evaluation, "assign"), {"username": "bob"})
    assert Assignment.objects.get().person == bob
    refused = client.post(case(evaluation, "assign"), {"username": factories.person("carol").username}, follow=True)
    assert "Username must be that of a moderator." in words(refused)
    unreadable = client.post(case(evaluation, "assign"), {"username": "bob\0"}, follow=True)
    assert "Null characters are not allowed." in unreadable.content.decode()
    client.post(case(evaluation, "assign"), {"username": ""})
    assert not Assignment.objects.exists()


def test_the_history_says_who_remarked_on_a_case_and_who_gave_it_to_whom_and_holds_no_words_or_names(evaluation):
    ruth, bob = member(MODERATOR), factories.moderator("bob")
    client = client_of(ruth)

    client.post(case(evaluation, "remark"), {"text": SECRET, "once": "a"})
    client.post(case(evaluation, "remark"), {"text": SECRET, "once": "a"})
    client.post(case(evaluation, "assign"), {"username": "bob"})
    client.post(case(evaluation, "assign"), {"username": ""})
    client.post(case(evaluation, "assign"), {"username": factories.person("carol").username})
    client.post(case(evaluation, "remark"), {"text": "\u200b"})

    lines = LogEntry.objects.filter(user=ruth, object_id=evaluation.pk).order_by("pk")
    assert [line.get_change_message() for line in lines] == [
        "remarked on the case", f"case given to account {bob.pk}", "case given to nobody",
    ]  # fmt: skip


def test_a_party_is_told_so_is_offered_nothing_and_is_given_no_case(evaluation):
    alice = factories.moderator()
    conflicts.declare(debate_id=evaluation.debate_id, by=alice, reason=factories.REASON, now=NOW)

    page = client_of(alice).get(case(evaluation))

    assert "where they are a party" in words(page)
    assert page.context["actions"] == []
    with pytest.raises(ConflictOfInterest):
        cases.remark(evaluation_id=evaluation.pk, by=alice, text=SECRET, now=NOW)
    with pytest.raises(ConflictOfInterest):
        cases.assign(evaluation_id=evaluation.pk, by=factories.moderator("bob"), username="alice", now=NOW)


def test_a_party_is_offered_nothing_that_is_refused_on_any_page_and_told_why(evaluation):
    alice, debate = factories.moderator(), evaluation.debate
    alert = Alert.objects.create(
        debate=debate, evaluation=evaluation, code="net_capped", severity="info", evidence={}, facts_digest="d"
    )
    review = Review.objects.create(
        debate=debate, round_number=0, reason_code="spread", disputed=["a"], policy={}, opened_at=NOW
    )
    appeal = Appeal.objects.create(
        debate=debate, ground="passage_misread", because=reason_record(factories.REASON), evidence={},
        appellant=actor_of(factories.moderator("paula")), person=factories.moderator("otto"),
    )  # fmt: skip
    rows = {"scoring_evaluation": evaluation, "scoring_alert": alert, "judging_review": review,
            "scoring_appeal": appeal, "debates_debate": debate}  # fmt: skip
    client = client_of(alice)

    def offered():
        pages = {model: client.get(address(model, "change", row.pk)).context for model, row in rows.items()}
        return {model: {title for _, title in page["offers"]} for model, page in pages.items()}

    before, case_before = offered(), client.get(case(evaluation)).context["offers"]
    conflicts.declare(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW)
    after = offered()

    assert all(before.values())
    assert case_before
    assert client.get(case(evaluation)).context["offers"] == []
    assert after == {**{model: set() for model in rows}, "debates_debate": {"Declare a conflict of interest"}}
    for model, page in (("scoring_evaluation", "override"), ("scoring_alert", "dismiss"), ("judging_review", "claim")):
        refused = client.get(address(model, page, rows[model].pk))
        assert words(refused).count("alice has a declared conflict of interest in this debate") == 1
        assert 'name="_act"' not in refused.content.decode()


def test_who_holds_a_review_and_became_a_party_gives_it_back_and_an_organiser_conducts(debate):
    alice = factories.moderator()
    review = Review.objects.create(
        debate=debate, round_number=0, reason_code="spread", disputed=["a"], policy={}, opened_at=NOW
    )
    reviews.claim(review_id=review.pk, by=alice, now=NOW)
    Debate.objects.filter(pk=debate.pk).update(created_by=alice)
    conflicts.declare(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW)

    page = client_of(alice).get(address("judging_review", "change", review.pk))
    own = client_of(alice).get(address("debates_debate", "change", debate.pk))

    assert [title for _, title in page.context["offers"]] == ["Give back"]
    assert "Change who may read it" in {title for _, title in own.context["offers"]}


def test_the_next_case_has_something_open_and_is_nobody_elses():
    first, second, third = (factories.criterion() for _ in range(3))
    for row in (first, second, third):
        Alert.objects.create(
            debate=row.debate, evaluation=row, code="net_capped", severity="info", evidence={}, facts_digest="d"
        )
    ruth = member(MODERATOR)
    cases.assign(evaluation_id=second.pk, by=ruth, username=factories.moderator("bob").username, now=NOW)
    client = client_of(ruth)

    assert client.get(case(first)).context["next_case"] == case(third)
    assert client.get(case(third)).context["next_case"] == case(first)
    Alert.objects.filter(evaluation=third).update(state=AlertState.OPEN.value)
    assert Alert.objects.filter(state="open").count() == 3


def test_the_next_case_is_none_in_which_one_is_a_party_and_none_that_waits_for_what_one_asked(settings):
    settings.SECOND_PERSON_FROM = Decimal(1)
    here, own, asked = (factories.criterion() for _ in range(3))
    Alert.objects.create(
        debate=own.debate, evaluation=own, code="net_capped", severity="info", evidence={}, facts_digest="d"
    )
    ruth = member(MODERATOR)
    conflicts.declare(debate_id=own.debate_id, by=ruth, reason=factories.REASON, now=NOW)
    acts.override(order=factories.order(asked, ruth), value="9.5", now=NOW)

    assert client_of(ruth).get(case(here)).context["next_case"] == ""
    assert client_of(member(MODERATOR, "mo")).get(case(here)).context["next_case"] == case(own)
    assert client_of(member(MODERATOR, "max")).get(case(own)).context["next_case"] == case(asked)


def test_a_moderator_pauses_a_debate_in_play_and_lets_it_go_on():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    row = Evaluation.objects.filter(debate=debate).earliest("pk")
    client = client_of(member(MODERATOR))
    assert [title for _, title in client.get(case(row)).context["hold_up"]] == ["Pause"]

    client.post(reverse("admin:debates_debate_pause", args=[debate.pk]), {"next": case(row)})
    debate.refresh_from_db()
    assert debate.status == "paused"
    assert [title for _, title in client.get(case(row)).context["hold_up"]] == ["Resume"]

    party = member(MODERATOR, "party")
    conflicts.declare(debate_id=debate.pk, by=party, reason=factories.REASON, now=NOW)
    with pytest.raises(ConflictOfInterest):
        lifecycle.resume(debate_id=debate.pk, by=party, now=timezone.now())
    lifecycle.resume(debate_id=debate.pk, by=member(MODERATOR, "mo"), now=timezone.now())
    debate.refresh_from_db()
    assert debate.status == "running"
