"""Pages come compressed, and no answer that may hold a secret does."""

import gzip
import random
from typing import Any

import pytest
from django.test import Client

from debates.models import Debate
from scoring import bundled
from tests import factories, playing
from tests.moderators import client_of
from tests.playing import ruling, script

MOST_BYTES = 120_000
VOCABULARY = sorted({word for file in sorted(bundled.FOLDER.parent.glob("*.md")) for word in file.read_text().split()})
ASKS = {"Accept-Encoding": "gzip"}


def spoken(luck: random.Random, *, words: int) -> str:
    """A text that compresses worse than what anybody says: words of the samples by lot."""
    return " ".join(luck.choices(VOCABULARY, k=words))


def answers_of(thread: str, luck: random.Random) -> list[dict[str, Any]]:
    """Two challenges on a criterion, and three rounds in which both are pressed, defended and ruled on."""
    verdicts = [[ruling("0.25", challenge=label) for label in ("C1", "C2")] for _ in range(3)]
    answers = script(verdicts, thread=thread)
    for answer in answers:
        for rows in answer["answer"].values():
            for row in rows:
                row |= {name: spoken(luck, words=45) for name in ("text", "reasoning") if name in row}
    return answers


@pytest.mark.slow
@pytest.mark.django_db
def test_a_page_of_a_debate_on_thirty_criteria_is_at_most_120_kilobytes_on_the_wire():
    luck = random.Random(30)
    codes = [f"{category}{number}" for category in "PSFTMR" for number in range(1, 6)]
    answers = [answer for code in codes for answer in answers_of(code, luck)]
    debate = playing.debate(answers, criteria=codes, rounds=3)
    playing.work()

    page = Client().get(f"/debates/{debate.public_id}/", headers=ASKS)
    plain = Client().get(f"/debates/{debate.public_id}/")

    assert Debate.objects.get(pk=debate.pk).status == "concluded"
    assert page.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in page.headers["Vary"]
    assert len(gzip.decompress(page.content)) == len(plain.content) > 3 * MOST_BYTES
    assert len(page.content) <= MOST_BYTES


@pytest.mark.django_db
def test_one_page_has_another_length_each_time():
    lengths = {len(Client().get("/rubrics/", headers=ASKS).content) for _ in range(20)}

    assert len(lengths) > 5


@pytest.mark.django_db
@pytest.mark.parametrize(
    "way",
    ["/accounts/login/", "/admin/", "/admin/debates/debate/", "/api/v1/", "/api/v1/docs/", "/seats/none/", "/seats/"],
)
def test_what_may_hold_a_secret_or_is_compared_by_its_etag_is_not_compressed(way):
    client = Client() if "/accounts/" in way else client_of(factories.moderator())

    answer = client.get(way, headers=ASKS)

    assert (len(answer.content) > 200, answer.has_header("Content-Encoding")) == (True, False)
    assert answer.status_code in {200, 410}


@pytest.mark.django_db
def test_the_token_of_a_form_is_another_text_each_time():
    client = client_of(factories.moderator())

    tokens = {
        client.get("/rubrics/new/").content.decode().split('name="csrfmiddlewaretoken" value="')[1][:64]
        for _ in range(2)
    }

    assert len(tokens) == 2
