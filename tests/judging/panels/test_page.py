"""The page of a panel: what it came to, who gave what in which round, and what each judge reported."""

import pytest
from django.test import Client
from django.urls import reverse

from judging.rules.consensus import Policy
from tests.judging.panels.play import THERE, alone, moves, panel, played, stays
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


@pytest.fixture(autouse=True)
def no_pauses(settings):
    settings.PROVIDER_RETRIES = 0


def page(debate):
    answer = Client().get(reverse("debate", args=[debate.public_id]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_panel_shows_every_round_of_every_judge():
    debate = played(
        [
            *alone(("5", "4"), ("3", "4"), None),
            moves(1, 1, THERE, design="4", accepts=True), stays(2, 1, design="3", accepts=True),
            stays(1, 2, design="4", accepts=True), moves(2, 2, THERE, design="4"),
        ]
    )  # fmt: skip

    words = page(debate)

    assert '<td class="n">5.00 → 4.00 → 4.00</td>' in words
    assert "<strong>Consensus</strong> after 2 debate rounds: 4.00 of 5, pass." in words
    assert "Before any debate: 4.00 of 5, 1.20 apart." in words
    assert f'<blockquote class="words">{THERE}</blockquote>' in words


def test_what_is_too_far_apart_and_what_was_invented_is_marked():
    others = [stays(judge, 1, design="5") for judge in (1, 3)]
    answers = [
        *alone(("5", "4"), ("2", "4"), ("5", "4")),
        moves(2, 1, "Everybody has measured it", design="5"),
        *others,
    ]

    words = page(played(answers, policy=Policy(debate_rounds=1)))

    assert '<span class="badge badge-held">3.00</span>' in words
    assert 'Everybody has measured it <span class="badge badge-held">not in the subject</span>' in words
    assert '<span class="badge badge-held">revision to 5 not taken</span>' in words


def test_a_panel_that_has_not_been_judged_shows_that_nothing_has():
    words = page(panel(alone(("5", "4"), ("3", "4"), None)))

    assert "No round has been judged yet." in words
