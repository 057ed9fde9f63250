"""The page of a panel: what it came to, who gave what in which round, and what each judge reported."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from judging.formats.panel import reports, results
from judging.formats.spec import Limits
from judging.rules.consensus import Policy
from tests.judging.formats.panel.play import AGREEING, APART, MUTE, THERE, alone, moves, panel, played, stays
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES, pytest.mark.usefixtures("no_pauses")]


def page(debate):
    answer = Client().get(reverse("debate", args=[debate.public_id]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def told(words):
    words = words.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(strip_tags(words.replace("<", " <")).split())


def test_a_panel_shows_every_round_of_every_judge():
    debate = played(
        [
            *alone(("5", "4"), ("3", "4"), None),
            moves(1, 1, THERE, design="4", accepts=True), stays(2, 1, design="3", accepts=True),
            stays(1, 2, design="4", accepts=True), moves(2, 2, THERE, design="4"),
        ]
    )  # fmt: skip

    words = page(debate)

    plain = told(words)
    assert "5.00 ▲ → 4.00 → 4.00 3.00 ▼ → 3.00 → 4.00 unread → unread → unread" in plain
    assert "Consensus after 2 debate rounds. Recommendation: pass" in plain
    assert "Before the debate 4.00 → Now, of 5 4.00" in plain
    assert "Independent analysis 4.00 1.20 2 no Debate round 1 3.70 0.60 2 no Debate round 2 4.00 0.00 2 yes" in plain
    assert "2.00 apart between <bdi>Judge 2</bdi> and <bdi>Judge 1</bdi>; closed to 0.00." in words
    assert "alpha \N{MINUS SIGN}0.50 - Fleiss&#x27; kappa +0.20 - Intraclass" in plain
    assert (
        "one judge \N{MINUS SIGN}1.00 - Intraclass correlation, their mean - - Judge 1 against the others +1.00"
        in plain
    )
    assert f'<blockquote class="words" dir="auto" data-spoken>{THERE}</blockquote>' in words


def test_a_number_just_below_a_mark_stays_below_it_wherever_the_page_has_it():
    debate = played(alone(("4", "4"), ("4", "4"), ("3.99", "4")))

    plain = told(page(debate))

    assert "Recommendation: needs revision" in plain
    assert "Independent analysis 3.998 0.01 3 yes" in plain
    assert "Design 60 % 4.00 4.00 3.99 0.01 3.9967 3.9967" in plain
    assert "Overall 4.00 4.00 3.99 0.01 3.998 3.998" in plain


def test_a_panel_without_debate_rounds_promises_none():
    plain = told(page(played(alone(*AGREEING), policy=Policy(debate_rounds=0))))

    assert "Consensus without a debate." in plain
    assert "Debate round 1" not in plain


def test_what_is_in_dispute_within_the_limits_is_marked_too():
    debate = played(alone(("4", "4"), ("3.3", "3.4"), ("4", "4")), policy=Policy(debate_rounds=0))

    plain = told(page(debate))

    assert "Design 60 % in dispute 4.00 3.30 4.00" in plain
    assert "A person must decide." in plain


def test_closing_words_wait_for_a_person_who_has_to_decide():
    reading = page(panel(alone(*AGREEING)))
    waiting = page(played(alone(("4", "4"), ("3.3", "3.4"), ("4", "4")), policy=Policy(debate_rounds=0)))

    assert "They are written when the last round has been judged." in reading
    assert "They are written when a person has decided." in waiting
    assert re.search(r'<section class="synthesis"[^>]*\breview:', waiting)


def test_what_is_too_far_apart_and_what_was_invented_is_marked():
    others = [stays(judge, 1, design="5") for judge in (1, 3)]
    answers = [
        *alone(("5", "4"), ("2", "4"), ("5", "4")),
        moves(2, 1, "Everybody has measured it", design="5"),
        *others,
    ]

    words = page(played(answers, policy=Policy(debate_rounds=1)))

    assert '<span class="badge badge-held">3.00 apart</span>' in words
    assert 'Everybody has measured it</blockquote><span class="badge badge-held">not in the subject</span>' in words
    assert (
        '<span class="badge badge-held">revision to 5.00 not taken</span> The subject does not say what was quoted.'
        in words
    )
    assert '<span class="end" title="lowest" aria-label="lowest" role="img">▼</span>' in words


def test_what_all_judges_share_is_headed_by_both_grounds():
    words = told(page(played(alone(*AGREEING))))

    assert "Strengths 4 and above with every judge, or named by every judge" in words
    assert "Weaknesses 2.5 and below with every judge, or named by every judge" in words


def test_a_panel_that_has_not_been_judged_shows_that_nothing_has():
    words = page(panel(alone(("5", "4"), ("3", "4"), None)))

    assert "No round has been judged yet." in words


def test_where_the_budget_ends_a_round_the_scores_of_the_round_before_stand_and_it_is_said():
    apart = alone(*APART)
    dear = [{**stays(judge, 1, design=score), "tokens_in": 600} for judge, score in ((1, "5"), (2, "2"))]
    unread = [{"thread": "Judge 3", "round": 1, **MUTE, "tokens_in": 600}]

    debate = played([*apart, *dear, *unread], limits=Limits(tokens=1500))

    words = told(page(debate))
    assert (debate.status, debate.partial_reason) == ("concluded", "budget_spent")
    assert (
        "It ended in debate round 1: the budget was spent. Judge 1, Judge 2 had answered by then; that is kept, and "
        "not counted. The scores are those of the independent analysis." in words
    )
    assert "Overall 4.60 ▲ 2.80 ▼ 4.00" in words


def test_the_mean_is_corrected_where_a_harsh_judge_has_fallen_silent():
    answers = [
        *alone(("4", "4"), ("2", "2"), ("4", "4")),
        stays(1, 1, design="4", tests="4", accepts=True),
        {"thread": "Judge 2", "round": 1, **MUTE},
        stays(3, 1, design="4", tests="4", accepts=True),
    ]

    told = results.panel_document(debate=(debate := played(answers)))

    assert [(one["mean"], one["corrected"]) for one in told["criteria"]] == [("4.00", "3.8519")] * 2
    assert "Corrected" in page(debate)


def test_reports_are_taken_away_as_files():
    debate = played(alone(*AGREEING))
    client = Client()

    final, second, none = (client.get(reverse("paper", args=[debate.public_id, part])) for part in ("final", "2", "7"))

    document = results.panel_document(debate=debate)
    assert final.content.decode() == reports.final_report(document=document)
    assert second.content.decode().startswith("Done by Judge 2\n")
    assert final.headers["Content-Disposition"] == f'attachment; filename="a-cache-{document["date"]}.final.md"'
    assert none.status_code == 404
    assert client.get(f"/debates/{debate.public_id}/result.json").json() == document


def test_the_result_of_a_panel_is_a_page_that_its_page_leads_to_and_that_leads_back():
    debate = played(alone(*AGREEING))
    result = reverse("result", args=[debate.public_id])

    shown, plain = Client().get(result).content.decode(), told(page(debate))

    assert f'href="{result}"' in page(debate)
    assert f'<a href="{reverse("debate", args=[debate.public_id])}">To the debate' in shown
    document = Client().get(reverse("result-document", args=[debate.public_id])).json()
    overall = f"Overall, of 5 {Decimal(document['decided']['overall']):.2f} Consensus without a debate."
    assert [overall in one for one in (told(shown), plain)] == [True, True]
    assert [line["name"] in told(shown) for line in document["criteria"]] == [True, True]
    assert f'<a href="{reverse("paper", args=[debate.public_id, "3"])}">Judge 3</a>' in shown


def test_the_result_of_a_panel_that_has_not_been_judged_says_so_and_offers_no_paper():
    debate = panel(alone(*AGREEING))

    shown = told(Client().get(reverse("result", args=[debate.public_id])).content.decode())

    assert "This debate has not concluded." in shown
    assert "not evaluated No round has been judged yet." in shown
    assert "final report" not in shown
