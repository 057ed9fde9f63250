"""Reading the public pages as a visitor does."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from debates.models import Debate
from tests import playing
from tests.playing import ruling, script

PLAIN = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{RIGHT SINGLE QUOTATION MARK}": "'"})
WITHOUT_COLLECTED_FILES = pytest.mark.filterwarnings("ignore:No directory at")
"""Where nobody has collected static files there is no directory of them, and WhiteNoise uses Django's finders."""


def address(debate: Debate, page: str = "") -> str:
    return f"/debates/{debate.public_id}/{page}"


def html(path: str, client: Client | None = None) -> str:
    response = (client or Client()).get(path)
    assert response.status_code == 200
    return response.content.decode()


def words(path: str) -> str:
    """What a reader reads: the page without its markup, on one line, with plain dashes and quotes."""
    main = html(path).split("<main", 1)[1]
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub("</?bdi>", "", "<main" + main)).translate(PLAIN).split())


def played(*criteria: str, **options: object) -> Debate:
    """A concluded debate: two rounds, one challenge, from 6 to 7.50."""
    answers = script([[ruling("1", "0.1")], [ruling("0.5")]])
    debate = playing.debate(answers, criteria=criteria or ("P1",), rounds=2, **options)
    playing.work()
    debate.refresh_from_db()
    return debate


def queries(path: str) -> int:
    with CaptureQueriesContext(connection) as caught:
        html(path)
    return len(caught)
