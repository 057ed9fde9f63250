"""A debate that is played inside a test's transaction is the debate that a worker plays and commits."""

import json
import re

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from debates.models import Debate, Event, Turn
from scoring import verify
from scoring.models import ScoreChange
from tests import playing
from tests.judging.formats.open import playing as open_playing
from tests.judging.formats.panel import play as panel_play
from tests.playing import ruling, script

ROUNDS = [[ruling("1.25"), ruling("-2", challenge="C2")], [ruling("-0.5")]]
OF_THE_OCCASION = re.compile(
    r"[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00:00)?|[\da-f]{32,64}|\d+ \w{3} \d{4}, [\d:]+ UTC"
)
ENTRY = (
    "evaluation__key", "sequence", "kind", "value_before", "value_after", "computed_after", "confidence_after",
    "run_number", "round__number", "rounds_after", "counted_after", "complete_after", "frozen_after",
)  # fmt: skip


def criterion() -> Debate:
    debate = playing.debate(script(ROUNDS), rounds=2)
    playing.work()
    return debate


def panel() -> Debate:
    return panel_play.played(panel_play.alone(*panel_play.APART))


def table() -> Debate:
    return open_playing.played()


def shown(text: str) -> str:
    """A text without what is of one occasion only: addresses, moments, digests."""
    return OF_THE_OCCASION.sub("*", text)


def seen(debate: Debate) -> dict[str, object]:
    """What a debate has left in the ledger and the log, and on its pages."""
    client = Client()
    entries = ScoreChange.objects.filter(evaluation__debate=debate).order_by("evaluation_id", "sequence")
    events = Event.objects.filter(debate=debate).order_by("seq")
    turns = Turn.objects.filter(thread__debate=debate).select_related("thread")
    return {
        "status": Debate.objects.get(pk=debate.pk).status,
        "ledger": list(entries.values_list(*ENTRY)),
        "turns": sorted((row.thread.key, row.slot.partition(":")[0], row.text) for row in turns),
        "events": sorted(shown(json.dumps([row.type, row.audience, row.data], sort_keys=True)) for row in events),
        "pages": [
            shown(client.get(reverse(page, args=[debate.public_id])).content.decode()) for page in ("debate", "result")
        ],
        "faults": verify.verify().faults,
    }


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("play", [criterion, panel, table])
def test_a_debate_comes_to_the_same_in_a_transaction_and_with_a_worker(play, settings):
    settings.PROVIDER_RETRIES = 0  # a second attempt comes after a pause
    outer = transaction.atomic()
    outer._from_testcase = True  # as in a test whose rows are rolled back
    with outer:
        inside = seen(play())
        transaction.set_rollback(True)
    assert not Debate.objects.exists()

    committed = seen(play())

    assert inside == committed
    assert inside["ledger"]
