"""A judge who has to go is replaced before they report: their ballot is struck, and stays."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.errors import ConflictOfInterest, Invalid, NotAllowedNow, NotPermitted
from debates.mail import recipients
from debates.models import AwaitedTurn, Ballot, Debate, Event, Membership, Participant, Thread, TurnDraft
from debates.types import MemberRole
from judging.engine import ballots, erasure, human_turns, lifecycle
from judging.formats.panel import reports, results
from judging.models import Consensus, JudgeReport
from judging.views import score_account
from judging.views.debate import compose_page
from scoring import groups, verify
from scoring.constraint_errors import guard_of
from scoring.models import ReplacedJudge
from scoring.services import conflicts
from tests import factories, playing
from tests.api.clients import Api
from tests.judging.formats.panel.play import AGREEING, APART, alone, answer, drafted, played
from tests.judging.formats.panel.seats import PERSON, PROGRAM, SCRIPT, awaited, give, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import analysis
from tests.moderators import client_of, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
WHY = "She reviewed the author's last paper."


def of_three() -> Debate:
    """A panel of a person, a program and a script, which waits for two ballots."""
    return waits([answer(3, 0, analysis(*AGREEING[2]))])


@pytest.fixture
def organiser() -> User:
    return factories.person("olga")


def organised(by: User) -> Debate:
    debate = of_three()
    Membership.objects.create(debate=debate, user=by, role=MemberRole.ORGANISER.value)
    return debate


def replace(debate: Debate, number: int, by: User, **more: object) -> Participant:
    return ballots.replace_judge(
        participant_id=seat_of(debate, number).pk, by=by, reason=WHY, now=timezone.now(), **more
    )


def test_a_struck_ballot_stays_and_counts_no_more(organiser):
    debate = organised(organiser)
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    struck = give(debate, 1, ida, analysis("1", "1"))

    successor = replace(debate, 1, organiser)
    jon = sit(debate, 4, "jon")
    give(debate, 2, bot, analysis(*AGREEING[1]))
    give(debate, 4, jon, analysis(*AGREEING[0]))
    playing.work()

    debate.refresh_from_db()
    assert (successor.name, successor.kind, successor.position) == ("Judge 4", "human", seat_of(debate, 1).position)
    assert debate.status == "concluded"
    assert Consensus.objects.get().agreed
    assert Consensus.objects.get().found["counted"] == 3
    assert set(JudgeReport.objects.values_list("participant__name", "readable")) == {
        ("Judge 2", True), ("Judge 3", True), ("Judge 4", True),
    }  # fmt: skip
    assert Ballot.objects.get(pk=struck.pk).answer == struck.answer
    document = results.panel_document(debate=debate)
    [replaced] = document["replaced"]
    assert {name: replaced[name] for name in ("judge", "successor", "reason", "ballotStruck")} == {
        "judge": "Judge 1", "successor": "Judge 4", "reason": WHY, "ballotStruck": True,
    }  # fmt: skip
    assert [judge["name"] for judge in document["judges"]] == ["Judge 4", "Judge 2", "Judge 3"]
    assert not verify.verify(debate_id=debate.pk).faults
    assert "stays sealed" in conflicts.seal_stands_not(ballot=struck, by=organiser)


@pytest.mark.django_db(transaction=True)
def test_whoever_takes_their_place_comes_after_the_debate_and_nobody_else(organiser):
    debate = organised(organiser)
    sit(debate, 1, "ida")
    replace(debate, 1, organiser)

    with pytest.raises(IntegrityError) as refusal:
        Participant.objects.create(debate=debate, role="judge", kind="human", name="Judge 5", position=2)

    assert guard_of(refusal.value) == "participant_comes_with_its_debate"
    assert not verify.verify().faults


def test_an_open_page_draws_anew_who_judges(organiser):
    debate = organised(organiser)
    sit(debate, 1, "ida")
    replace(debate, 1, organiser)

    parts = compose_page(debate=debate).parts

    for name in ("heading", "speakers", "panel_outcome", "panel_matrix", "panel_reports"):
        assert "judge:replaced".startswith(tuple(parts[name].stirred_by))


def test_the_log_of_all_debates_leads_to_older_replacements_in_the_log_of_each(organiser, monkeypatch):
    monkeypatch.setattr(score_account, "MOST_SEALS", 1)
    debate = organised(organiser)
    for number in (1, 2):
        sit(debate, number, f"judge{number}")
        replace(debate, number, organiser)

    site, own, first = (
        Client().get(way).content.decode()
        for way in ("/moderation/", f"/debates/{debate.public_id}/moderation/", "/moderation/?after=")
    )

    assert [page.count('id="replaced-') for page in (site, own, first)] == [1, 2, 1]
    assert ["These are the newest 1." in page for page in (site, own)] == [True, False]


def test_what_comes_of_it_is_what_would_have_come_with_the_successor_from_the_first():
    said = [analysis(*row) for row in AGREEING]
    never = played(alone(*AGREEING), seats=[SCRIPT] * 3)
    olga = factories.person("olga")
    debate = organised(olga)
    give(debate, 1, sit(debate, 1, "ida"), analysis("1", "1"))
    replace(debate, 1, olga)
    give(debate, 4, sit(debate, 4, "jon"), said[0])
    give(debate, 2, sit(debate, 2, "bot"), said[1])
    playing.work()

    with_it, without_it = (results.panel_document(debate=one) for one in (debate, never))
    for part in ("criteria", "decided", "now", "strengths", "weaknesses"):
        renamed = str(with_it[part]).replace("Judge 4", "Judge 1")
        assert renamed == str(without_it[part])


def test_nobody_is_told_in_which_groups_whoever_replaced_a_judge_is(organiser):
    organiser.groups.add(Group.objects.create(name="Class 7b"))
    debate = organised(organiser)
    sit(debate, 1, "ida")

    replace(debate, 1, organiser)

    address = f"/debates/{debate.public_id}/moderation/"
    shown = [Client().get(at).content.decode() for at in ("/moderation/", "/moderation/feed.atom", address)]
    assert ["Class 7b" in page for page in shown] == [False] * 3
    assert all("She reviewed the author" in page for page in shown)
    assert results.panel_document(debate=debate)["replaced"][0]["by"] == "a person"


def test_everybody_who_is_awaited_has_the_whole_time_anew_and_nobody_hears_who_has_given(organiser):
    debate = organised(organiser)
    bot = sit(debate, 2, "bot")
    sit(debate, 1, "ida")
    give(debate, 2, bot, analysis(*AGREEING[1]))
    before = awaited(debate, 2).deadline

    replace(debate, 1, organiser)

    deadlines = {row.deadline for row in human_turns.untaken(thread=Thread.objects.get())}
    assert [row.participant.name for row in human_turns.untaken(thread=Thread.objects.get())] == ["Judge 2", "Judge 4"]
    assert len(deadlines) == 1
    assert deadlines.pop() > before
    told = Event.objects.filter(type="judge:replaced").get()
    assert set(told.data) == {"replaced", "participant", "successor", "byOrganiser"}
    assert not results.panel_document(debate=debate)["replaced"][0]["ballotStruck"]


def test_whoever_was_replaced_gives_no_ballot_any_more_and_hears_why(organiser):
    debate = organised(organiser)
    ida = sit(debate, 1, "ida")
    replace(debate, 1, organiser)

    with pytest.raises(NotAllowedNow, match=r"was replaced, and judges here no more\. Why: She reviewed"):
        give(debate, 1, ida, analysis(*AGREEING[0]))
    assert not Ballot.objects.exists()


def test_whoever_was_replaced_and_sends_their_ballot_once_more_hears_why(organiser):
    debate, client = organised(organiser), Client()
    ida, seat = sit(debate, 1, "ida"), seat_of(debate, 1)
    give(debate, 1, ida, analysis(*AGREEING[0]))
    replace(debate, 1, organiser)
    client.force_login(ida)

    refused = client.post(reverse("ballot", args=[debate.public_id, seat.public_id]), {"c0-score": "4"})

    assert refused.status_code == 409
    assert "was replaced, and judges here no more" in words(refused)


def test_a_seat_that_nobody_takes_again_abstains_in_time(organiser):
    debate = organised(organiser)
    bot = sit(debate, 2, "bot")
    give(debate, 1, sit(debate, 1, "ida"), analysis(*AGREEING[0]))
    replace(debate, 1, organiser)
    give(debate, 2, bot, analysis(*AGREEING[1]))

    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + timedelta(days=4))
    playing.work()

    assert JudgeReport.objects.get(participant__name="Judge 4").readable is False
    assert Consensus.objects.get().found["counted"] == 2


def test_a_judge_is_replaced_in_a_draft_and_while_it_is_paused_and_once_again(organiser):
    debate = organised(organiser)
    sit(debate, 1, "ida")
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    replace(debate, 1, organiser)
    sit(debate, 4, "jon")
    lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())

    replace(debate, 4, organiser)

    names = AwaitedTurn.objects.filter(pk__in=[row.pk for row in human_turns.untaken(thread=Thread.objects.get())])
    assert sorted(names.values_list("participant__name", flat=True)) == ["Judge 2", "Judge 5"]


def test_who_may_and_who_may_not():
    olga = factories.person("olga")
    debate = organised(olga)
    ida = sit(debate, 1, "ida")
    moderator = factories.person("mia")
    moderator.groups.add(Group.objects.get_or_create(name=groups.MODERATOR)[0])

    with pytest.raises(NotPermitted):
        replace(debate, 1, factories.person("stranger"))
    with pytest.raises(NotPermitted):
        replace(debate, 1, ida)
    ida.groups.add(Group.objects.get(name=groups.MODERATOR))
    with pytest.raises(ConflictOfInterest):
        replace(debate, 1, User.objects.get(pk=ida.pk))
    with pytest.raises(Invalid):
        ballots.replace_judge(participant_id=seat_of(debate, 1).pk, by=olga, reason="Short.", now=timezone.now())
    assert not ReplacedJudge.objects.exists()
    replace(debate, 1, moderator)
    assert ReplacedJudge.objects.get().by_organiser is False


def test_what_cannot_be_replaced_is_refused_with_the_way_that_is_left(organiser):
    debate = organised(organiser)
    with pytest.raises(NotAllowedNow, match="Nobody sits there yet"):
        replace(debate, 1, organiser)
    with pytest.raises(NotAllowedNow, match="Only a person or a program"):
        replace(debate, 3, organiser)
    give(debate, 1, sit(debate, 1, "ida"), analysis(*AGREEING[0]))
    replace(debate, 1, organiser)
    with pytest.raises(NotAllowedNow, match="Judge 1 was replaced"):
        replace(debate, 1, organiser)


def test_once_the_reports_are_there_nobody_is_replaced(organiser):
    debate = waits([answer(2, 0, analysis(*APART[1]))], sits=(PERSON, SCRIPT))
    Membership.objects.create(debate=debate, user=organiser, role=MemberRole.ORGANISER.value)
    give(debate, 1, sit(debate, 1, "ida"), analysis(*APART[0]))
    playing.work()

    with pytest.raises(NotAllowedNow, match="has become reports"):
        replace(debate, 1, organiser)


def test_by_the_api_the_free_seat_is_the_answer_and_the_same_key_replaces_once(organiser):
    debate = organised(organiser)
    sit(debate, 1, "ida")
    at = f"/participants/{seat_of(debate, 1).public_id}/replace/"
    api = Api(organiser, scopes=["read", "write"])

    done = [api.post(at, {"reason": WHY}, idempotency_key="once") for _ in range(2)]

    assert [answered.status_code for answered in done] == [201, 201]
    assert done[0].json() == done[1].json()
    assert (done[0].json()["name"], done[0].json()["seated"]) == ("Judge 4", False)
    assert ReplacedJudge.objects.count() == 1
    assert api.post(at, {"reason": WHY}).json()["code"] == "not_allowed_now"
    stranger = Api(factories.person("zoe"), scopes=["read", "write"])
    assert stranger.post(f"/participants/{seat_of(debate, 2).public_id}/replace/", {"reason": WHY}).status_code == 403


def test_an_organiser_whom_the_site_refuses_is_offered_no_replacement_and_told_who_replaces(organiser, settings):
    debate = organised(organiser)
    sit(debate, 1, "ida")
    settings.ORGANISERS_MODERATE = False

    people = client_of(organiser).get(reverse("people", args=[debate.public_id]))

    assert (
        reverse("replace-judge", args=[debate.public_id, seat_of(debate, 1).public_id]) not in people.content.decode()
    )
    assert "A judge who has to go is replaced by somebody else" in words(people)


def test_the_page_says_what_it_means_keeps_what_was_typed_and_goes_on_to_inviting(organiser):
    debate = organised(organiser)
    ida = sit(debate, 1, "ida")
    give(debate, 1, ida, analysis("1", "1"))
    client, at = client_of(organiser), reverse("replace-judge", args=[debate.public_id, seat_of(debate, 1).public_id])

    people = client.get(reverse("people", args=[debate.public_id]))
    short = client.post(at, {"reason": "No <b>."})
    done = client.post(at, {"reason": "Her <b>own</b> text is judged."}, follow=True)
    again = client.get(at)
    late = client.post(at, {"reason": "Another, as long."})

    assert at in people.content.decode()
    assert short.status_code == 422
    assert "No &lt;b&gt;." in short.content.decode()
    assert "Her &lt;b&gt;own&lt;/b&gt; text is judged." in done.content.decode()
    assert "The seat of Judge 4 is free" in words(done)
    assert "Judge 1 was replaced, and judges here no more" in words(again)
    assert late.status_code == 409
    assert ">\nAnother, as long.</textarea>" in late.content.decode()
    hers = words(client_of(ida).get(reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id])))
    assert "and judge here no more" in hers
    assert "Your ballot is struck: it stays, and does not count." in hers
    assert client_of(ida).get(at).status_code == 403


def test_whoever_is_replaced_keeps_what_they_were_writing_until_they_are_erased(organiser):
    debate = organised(organiser)
    ida = sit(debate, 1, "ida")
    client, at = client_of(ida), reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id])
    client.post(at, {"c0-reasoning": "Half a thought.", "keep": "1", "draft": "0"})

    replace(debate, 1, organiser)
    jon = sit(debate, 4, "jon")
    hers = client.get(at)
    his = client_of(jon).get(reverse("ballot", args=[debate.public_id, seat_of(debate, 4).public_id]))

    assert "You were replaced" in words(hers)
    assert "What you had written" in words(hers)
    assert ">\nHalf a thought.</textarea>" in hers.content.decode()
    assert client.post(at, {"c0-reasoning": "More of it.", "keep": "1", "draft": "0"}).status_code == 409
    assert "Half a thought." not in his.content.decode()
    lifecycle.cancel(debate_id=debate.pk, by=organiser, now=timezone.now())
    erasure.erase(order=erasure.Order(target=ida, by=factories.moderator("alice"), reason="The person has asked."))
    assert not TurnDraft.objects.exists()


def test_the_public_account_says_who_was_replaced_and_why_with_escaped_words(organiser):
    debate = organised(organiser)
    give(debate, 1, sit(debate, 1, "ida"), analysis("1", "1"))
    judge = seat_of(debate, 1)
    ballots.replace_judge(
        participant_id=judge.pk, by=organiser, reason="<i>Her</i> brother's text.", now=timezone.now()
    )
    give(debate, 2, sit(debate, 2, "bot"), analysis(*AGREEING[1]))
    give(debate, 4, sit(debate, 4, "jon"), analysis(*AGREEING[0]))
    playing.work()

    log, feed, page = (
        Client().get(reverse(name, args=[debate.public_id])).content.decode()
        for name in ("debate-moderation", "debate-moderation-feed", "debate")
    )
    paper = results_papers(debate)["final"]

    for told in (log, feed, page):
        assert "<i>Her" not in told
    assert "Judge 1, by Judge 4" in log
    assert "who organises this debate" in log
    assert "Judge replaced: Judge 1 by Judge 4" in feed
    assert ", who organises this debate." in feed
    assert results.panel_document(debate=debate)["replaced"][0]["byOrganiser"]
    assert "<bdi>Judge 1</bdi> was replaced by <bdi>Judge 4</bdi> before any report" in page
    assert "the ballot of <bdi>Judge 1</bdi> is struck" in page
    assert "Judge 1 was replaced by Judge 4 before any report, and a ballot struck:" in paper


def results_papers(debate: Debate) -> dict[str, str]:
    return reports.papers(document=results.panel_document(debate=debate))


def test_whoever_was_replaced_is_mailed_no_result_and_nothing_calls_the_seat_theirs(organiser):
    debate = organised(organiser)
    ida = sit(debate, 1, "ida")
    Membership.objects.create(debate=debate, user=ida, role=MemberRole.JUDGE.value)
    before = client_of(ida).get(reverse("my-debates")).content.decode()

    replace(debate, 1, organiser)

    own, seats = (client_of(ida).get(reverse(name)).content.decode() for name in ("my-debates", "my-seats"))
    listed = Api(organiser).get(f"/participants/?debate={debate.public_id}&role=judge").json()["results"]
    assert "judges as Judge 1" in before
    assert "judges as Judge 1" not in own
    assert "Somebody else judges in your place" in seats
    assert ida.pk not in recipients.concerned(debate_id=debate.pk)
    assert sorted((row["name"], row["replaced"]) for row in listed) == [
        ("Judge 1", True), ("Judge 2", False), ("Judge 3", False), ("Judge 4", False),
    ]  # fmt: skip


def test_the_page_that_prepares_a_draft_offers_the_place_and_not_who_left_it(organiser):
    debate = drafted([answer(3, 0, analysis(*AGREEING[2]))], seats=[PERSON, PROGRAM, SCRIPT])
    Membership.objects.create(debate=debate, user=organiser, role=MemberRole.ORGANISER.value)
    sit(debate, 1, "ida")

    replace(debate, 1, organiser)

    prepared = client_of(organiser).get(reverse("prepare-debate", args=[debate.public_id]))
    assert {seat.name for seat in prepared.context["free"]} == {"Judge 2", "Judge 4"}
