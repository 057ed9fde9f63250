"""The page of a debate: every score with its state, everything that was said."""

import asyncio
import re
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Participant, Profile, Subject, Turn
from debates.types import Conduct
from judging.engine import conductor, external_play, lifecycle, play, selectors
from judging.engine.creation import create_draft
from judging.engine.external_play import Posted
from judging.formats.criterion import results
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.spec import Limits
from judging.models import Verdict
from judging.rules.fairness import Fairness
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.judging.formats.open.test_verify import unguarded
from tests.moderators import client_of
from tests.one_connection import one_connection
from tests.playing import one_pressed, ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html, played, queries, words

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


# -- scores ----------------------------------------------------------------------------------------------------------


def test_the_scoreboard_shows_how_every_score_went():
    shown = words(address(played()))

    assert "P1 Name of P1 6.00 7.00 7.50 7.50 +1.50" in shown
    assert "Before 6.00 → After 7.50 Pursue strong" in shown
    assert "100 % of the weight lies in categories with a score" in shown


def test_a_debate_that_was_not_started_has_no_number_for_any_score():
    debate = factories.debate(status="draft", parameters={"rubric": playing.rubric("P1")})
    factories.thread(debate)

    shown = words(address(debate))

    assert "not evaluated No criterion has been assessed yet." in shown
    assert "P1 Name of P1 not evaluated - not assessed" in shown


def test_a_score_without_a_counted_round_is_not_evaluated():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})
    factories.criterion(debate)

    shown = words(address(debate))

    assert "not evaluated The criteria start at 6.00 overall; no round has been counted yet." in shown
    assert "6.00 - nothing counted - nothing counted - nothing counted - not evaluated" in shown
    assert "not evaluated" in words(address(debate, "result/"))


def test_a_criterion_that_could_not_be_assessed_is_not_evaluated_beside_one_that_was():
    debate = playing.half_assessed()
    playing.work()

    shown = words(address(debate))

    assert "P1 Name of P1 7.50 8.50 8.50 +1.00" in shown
    assert "P2 Name of P2 not evaluated - not assessed" in shown
    assert "It ended before everything was played: not assessed." in shown


@pytest.mark.parametrize("calls", [2, 3], ids=["short of a round", "short of closing words alone"])
def test_a_debate_that_lacks_closing_words_alone_says_that_all_rounds_count(calls):
    limits = Limits(calls=[3, 6][calls - 2])
    debate = playing.debate(script([[ruling("1")]] * 2), rounds=2, limits=limits)
    playing.work()
    early = "It ended before everything was played: budget spent. The rounds that were played count."
    wordless = "Everything was played, and counts; it ended before its closing words: budget spent."

    for shown in (words(address(debate)), words(address(debate, "result/"))):
        assert (early in shown, wordless in shown) == (calls == 2, calls == 3)


def test_a_debate_whose_closing_words_failed_says_so_and_that_they_can_be_written_again():
    answers = script([[ruling("1")]])
    debate = playing.debate([*answers, {"purpose": "synthesise", "error": "gone", "permanent": True}], rounds=1)
    playing.work()
    debate.refresh_from_db()

    shown = words(address(debate))

    assert (debate.status, "Now: It failed" in shown) == ("failed", True)
    assert (
        "Its closing words failed: who conducts it can have them written again. Scores that were counted stand" in shown
    )
    assert "Play failed" not in shown


def test_a_debate_that_is_stopped_while_it_concludes_says_that_everything_was_played():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))

    lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=NOW)

    said = "Everything was played, and counts; it ended before its closing words: stopped."
    assert said in words(address(debate))


def test_frozen_held_and_overridden_scores_say_so():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})
    evaluation = factories.criterion(debate)
    alice = factories.moderator()
    factories.count(evaluation, "1")
    acts.override(order=factories.order(evaluation, alice), value="9", now=NOW)
    acts.freeze(order=factories.order(evaluation, alice), now=NOW)
    factories.count(evaluation, "1")

    shown = words(address(debate))

    assert "overridden frozen held 6.00 7.00 held - nothing counted 9.00 +3.00 computed 7.00" in shown
    for name in ("title", "aria-description"):
        assert f'{name}="A moderator stopped this score from moving."' in html(address(debate))
    assert "1 verdicts arrived while frozen" not in shown
    assert "1 verdict arrived while frozen and does not count for now." in shown


def test_a_score_that_fell_back_says_so():
    debate = playing.debate(script([[]]), rounds=1)
    playing.work()

    shown = words(address(debate))

    assert "no verdicts 6.00 - nothing counted 6.00 initial score kept" in shown
    assert "The initial scores are kept, 6.00 overall. That is where the debate began, and no result of it." in shown
    assert "Refine" not in shown


def test_a_rolled_back_round_no_longer_shows_in_the_scoreboard():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})
    evaluation = factories.criterion(debate)
    factories.count(evaluation, "1")
    factories.count(evaluation, "1")
    acts.roll_back(order=factories.order(evaluation, factories.moderator()), target=2, now=NOW)

    assert "6.00 7.00 - nothing counted - nothing counted 7.00 +1.00" in words(address(debate))


def test_the_synthesis_says_when_scores_have_changed_since():
    debate = played()
    assert "Scores have changed since" not in words(address(debate))
    evaluation = Evaluation.objects.get(debate=debate)

    acts.override(order=factories.order(evaluation, factories.moderator()), value="3", now=NOW)

    assert "Scores have changed since: it was written about an overall of 7.50." in words(address(debate))


def test_the_judge_is_named_for_what_it_is():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})
    Participant.objects.create(debate=debate, role="arbiter", name="Arbiter", provider="heuristic")
    Participant.objects.create(debate=debate, role="evaluator", name="Eva", provider="openai", model="some-model")
    Participant.objects.create(debate=debate, role="challenger", name="Bob", kind="human")

    shown = words(address(debate))

    assert "Arbiter heuristic fixed rules, no language model" in shown
    assert "Eva evaluator openai model some-model" in shown
    assert "Bob challenger a person" in shown


def test_every_criterion_is_drawn_with_a_dash_of_its_own():
    page = html(address(played("P1", "P2")))

    assert page.count('class="curve curve-0"') == page.count('class="curve curve-1"') == 2
    assert "P1 from 6.00 to 7.50, P2 from 6.00 to 7.50. The same numbers are in the scoreboard." in page


# -- the transcript --------------------------------------------------------------------------------------------------


def test_the_transcript_shows_challenge_answer_and_verdict_of_every_round():
    shown = words(address(played()))

    assert "C1 significant skeptic Red team challenges Why, 1? Evaluator defends Because, 1." in shown
    assert "Evaluator prevails score +1.00 confidence +0.10 scripted Because." in shown
    assert "Round 2 verdicts +0.50 C1 significant skeptic Red team presses Still why, 2? Evaluator defends" in shown


def test_a_challenge_without_an_answer_is_said_to_be_unanswered():
    answers = script([[ruling("1", challenge="C1"), ruling("1", challenge="C2")], [ruling("1", challenge="C2")]])
    debate = playing.debate(answers, rounds=2)
    playing.work()

    shown = words(address(debate))

    assert shown.count("Unanswered. The evaluator gave no answer in this round, so there is no verdict.") == 1


def test_a_challenge_that_is_pressed_no_further_is_said_to_be_open_and_not_unanswered():
    answers = one_pressed([ruling("1", challenge="C1"), ruling("1", challenge="C2")], [ruling("1", challenge="C2")])
    debate = playing.debate(answers, rounds=2)
    playing.work()

    shown = words(address(debate))

    assert shown.count("Not pressed further in this round.") == 1
    assert "Unanswered" not in shown


def test_a_round_in_which_the_red_team_was_not_asked_yet_waits_for_it_and_lets_nothing_lie():
    debate = playing.debate(script([[ruling("1")]]))
    play.claim(thread_id=debate.threads.get().pk, now=NOW)
    waits = words(address(debate))

    lifecycle.stop(debate_id=debate.pk, by=None, reason=factories.REASON, now=NOW)

    assert "Round 1 in play Waiting for the red team." in waits
    assert "Round 1 No challenge was put: play ended before." in words(address(debate))


def test_a_later_round_in_which_the_red_team_was_not_asked_yet_waits_for_it_and_lets_nothing_lie():
    challenge = {"persona": "skeptic", "severity": "minor", "text": "Why?"}
    defence = {"challenge": "C1", "reply": "defend", "text": "So."}
    posted = Posted(1, challenges=[challenge], defences=[defence], verdicts=[ruling("1")])
    spec = CriterionSpec(
        title="Wells", subject=playing.SUBJECT, rubric=playing.rubric("P1"), rounds=2, initial={"P1": ("6", "0.5")},
        conducted_by=Conduct.EXTERNAL,
    )  # fmt: skip
    debate = create_draft(spec=spec, by=None, now=NOW)
    external_play.start(debate_id=debate.pk, by=None, now=NOW)
    external_play.post_round(debate_id=debate.pk, key="P1", by=None, posted=posted, now=NOW)
    waits = words(address(debate))

    lifecycle.stop(debate_id=debate.pk, by=None, reason=factories.REASON, now=NOW)

    assert "Round 2 in play C1 minor skeptic Waiting for the red team." in waits
    assert "Round 2 C1 minor skeptic Not pressed further: play ended before." in words(address(debate))


def test_a_concession_is_shown_and_the_challenge_is_gone_from_the_next_round():
    answers = one_pressed(
        [ruling("-2", challenge="C1"), ruling("1", challenge="C2")], [ruling("1", challenge="C2")], conceded=True
    )
    debate = playing.debate(answers, rounds=2)
    playing.work()

    shown = words(address(debate))

    assert shown.count("Evaluator concedes") == 1
    assert "C1" not in shown.split("Round 2")[-1]
    assert "Red team prevails score -2.00" in shown


def test_a_struck_verdict_is_said_not_to_count():
    debate = played()
    evaluation = Evaluation.objects.get(debate=debate)

    acts.strike(order=factories.order(evaluation, factories.moderator()), facts=evaluation.basis[:1], now=NOW)

    assert words(address(debate)).count("not counted Because.") == 1


def test_an_earlier_run_stays_readable_and_is_said_not_to_count():
    debate = played()
    lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=factories.REASON, now=NOW)
    playing.work()

    shown = words(address(debate))

    assert "Run 1, played before a moderator had it played again; it does not count" in shown
    assert shown.count("earlier run Because.") == 2


def test_a_run_from_which_the_score_was_rolled_back_is_said_not_to_count_and_the_earlier_one_counts():
    debate, alice = played(fairness=Fairness(swap=True)), factories.moderator()
    first = Evaluation.objects.get(debate=debate)
    with unguarded(Verdict):
        Verdict.objects.filter(fact__in=first.basis).update(spread=9)
    lifecycle.rerun(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW)
    playing.work()
    second = Evaluation.objects.get(debate=debate)

    acts.roll_back(order=factories.order(second, alice), target=first.version, now=timezone.now())

    [judged] = results.document(debate=debate)["fairness"]["judged"]
    assert (judged["judged"], judged["meanSpread"]) == (2, "9.00")
    shown = words(address(debate))
    assert "Run 2, from which the score was rolled back to an earlier run; it does not count" in shown
    assert (shown.count("later run Because."), shown.count("earlier run Because.")) == (2, 0)


def test_a_verdict_that_waits_for_the_end_is_told_from_one_that_is_struck():
    debate = playing.debate(script([[ruling("1")]] * 2), rounds=2, score_updates="at_end")
    board = play.claim(thread_id=debate.threads.get().pk, now=NOW)
    with one_connection():
        for _ in range(3):
            board = asyncio.run(conductor.take_step(brief=selectors.brief(debate.pk), board=board))
    waits = words(address(debate))
    playing.work()

    assert ("counts at the end" in waits, "counts at the end" in words(address(debate))) == (True, False)


def test_an_erased_turn_says_so():
    debate = played()
    factories.rewrite(Turn.objects.filter(debate=debate), text="")
    factories.rewrite(Subject.objects.filter(debates=debate), text="")

    assert words(address(debate)).count("This text was erased.") == 2 * 2 + 1 + 1


@pytest.mark.slow
def test_the_pages_ask_the_same_number_of_queries_for_one_criterion_and_for_thirty():
    one, many = played(), played(*[f"P{number}" for number in range(1, 31)])
    queries(address(one))  # the first page after the tables were emptied gives the database its epoch

    assert queries(address(one)) == queries(address(many)) <= 16
    assert queries(address(one, "result/")) == queries(address(many, "result/")) <= 11


def test_numbers_of_a_page_keep_two_places():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})
    factories.count(factories.criterion(debate, initial="6.005"), "0.1")

    assert Evaluation.objects.get(debate=debate).final_score == Decimal("6.11")
    assert "6.01 6.11" in words(address(debate))


def test_times_are_of_the_zone_in_the_profile_of_whoever_looks_and_parts_are_in_utc_for_all():
    debate = factories.debate(status="draft", parameters={"rubric": playing.rubric("P1")})
    somebody = factories.person("bob")
    Profile.objects.create(user=somebody, time_zone="Asia/Tokyo")
    client = client_of(somebody)

    page, alone = html(address(debate), client), html(address(debate, "parts/?of=heading"), client)

    assert 'data-zone="Asia/Tokyo"' in page
    assert re.search(r"Created <time [^>]+>[^<]+ JST</time>", page)
    assert re.search(r"Created <time [^>]+>[^<]+ UTC</time>", alone)
    assert re.search(r"<time [^>]+>[^<]+ JST</time>", html("/", client))
    assert "data-zone" not in html(address(debate))
