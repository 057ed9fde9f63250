"""Results on paper: a criterion debate of thirty fits on five pages, with everything that its page shows."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from scoring.models import ScoreChange
from tests import playing
from tests.browser.browser_site import Room
from tests.browser.conftest import moderate
from tests.judging.formats.open import playing as open_debates
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
MOST_PAGES = 5
PAGE = re.compile(rb"/Type\s*/Page\b")


CATEGORIES = ("problem", "solution", "market", "team", "delivery")


@pytest.fixture(scope="module")
def played(site: str) -> Any:
    """A concluded debate of thirty long-named criteria, three rounds, moderated, summed up; an open one beside it."""
    rows = [row for category in CATEGORIES for row in criteria(category)]
    rubric = {**playing.rubric(*(row["code"] for row in rows)), "criteria": rows}
    words = ["It rests on a claim that nobody has measured, and the answer to that was a promise." for _ in range(5)]
    said = {"summary": " ".join(words), "strengths": words, "weaknesses": words, "advice": words}
    synthesis = {**playing.SYNTHESIS, "answer": said}
    codes = [row["code"] for row in rows]
    spec = CriterionSpec(
        title="Wells in every village", subject=playing.SUBJECT, rubric=rubric, rounds=3, provider="scripted",
        script=[*script([[ruling("1")], [ruling("0.5")], [ruling("0.25")]]), synthesis],
        initial=dict.fromkeys(codes, ("6", "0.5")),
    )  # fmt: skip
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    playing.work()
    moderate(debate)
    open_debates.played(exchanges=1)
    return debate


def criteria(category: str) -> list[dict[str, Any]]:
    codes = [f"{category[0].upper()}{one}" for one in range(1, 7)]
    rows = playing.rubric(*codes, category=category)["criteria"]
    return [{**row, "name": "How well it is shown that this can be measured and paid for"} for row in rows]


def printed(room: Room, path: str, *, to: Path) -> int:
    """Print a page to a file, and return on how many pages."""
    page = room.sit_down(at=path)
    page.emulate_media(media="print", color_scheme="light")
    page.pdf(path=to, format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "15mm"))
    return len(PAGE.findall(to.read_bytes()))


def test_the_result_of_thirty_criteria_takes_at_most_five_pages(room, played, tmp_path):
    assert 1 < printed(room, f"/debates/{played.public_id}/result/", to=tmp_path / "result.pdf") <= MOST_PAGES


def test_the_account_of_a_moderated_score_is_one_page(room, played, tmp_path):
    evaluation = ScoreChange.objects.filter(evaluation__debate=played).exclude(actor=None).first().evaluation

    path = f"/debates/{played.public_id}/scores/{evaluation.public_id}/"

    assert evaluation.version > 5
    assert printed(room, path, to=tmp_path / "account.pdf") == 1


def test_a_page_on_paper_has_no_menu_no_bar_and_every_criterion(room, played):
    page = room.sit_down(at=f"/debates/{played.public_id}/result/")
    page.emulate_media(media="print")

    assert not page.locator("header.site").is_visible()
    assert page.locator("tr[data-criterion]:visible").count() == 30
    page = room.sit_down(at=f"/debates/{played.public_id}/")
    page.emulate_media(media="print")
    assert not page.locator(".bar").is_visible()
    assert not page.locator("[data-filter]").is_visible()
    assert page.locator(".exchange").first.is_visible()


def test_what_is_folded_on_a_page_is_open_on_paper(room):
    page = room.sit_down(at=f"/debates/{Debate.objects.get(format='open').public_id}/")

    folded = page.locator("main details")
    within = "all => all.map(each => each.lastElementChild.checkVisibility({contentVisibilityAuto: true}))"

    assert not all(folded.evaluate_all(within))
    page.emulate_media(media="print")
    assert folded.evaluate_all(within) == [True] * folded.count()
