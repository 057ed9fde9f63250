"""Who looks at pages finds every fault, though no text is judged twice that looks the same."""

from __future__ import annotations

import pytest

from tests.browser.page_checks import EYES, PASSED, faults, faults_to_all_eyes

pytestmark = pytest.mark.browser
PAGE = """<!doctype html><html lang="en"><head><title>A page</title><style>
body {{ background: white; color: black; }} .night {{ background: #222; }} .pale {{ color: #ccc; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #111; }} }}
</style></head><body><main><h1>A page</h1>{}</main></body></html>"""


@pytest.fixture
def page(chromium):
    context = chromium.new_context(**EYES["light"])
    yield context.new_page()
    context.close()


def contrast(page, text):
    page.set_content(PAGE.format(text))
    return [fault.partition(": ")[2] for fault in faults(page) if fault.startswith("color-contrast: ")]


def test_a_text_is_judged_where_it_lies_though_one_like_it_has_passed(page):
    assert contrast(page, "<div><p>Words</p></div>") == []
    passed = set(PASSED)

    assert contrast(page, "<div><p>Other words</p></div>") == []
    assert passed == PASSED
    assert contrast(page, '<div class="night"><p>Words</p></div>') == ["<p>Words</p>"]
    assert contrast(page, '<div><p>Words <a href="/" class="pale">lead on</a></p></div>') == [
        '<a href="/" class="pale">lead on</a>'
    ]


def test_a_text_that_was_not_to_be_seen_has_not_passed(page):
    pale = "<details{}><summary>More</summary><p class='pale'>Words</p></details>"

    assert contrast(page, pale.format("")) == []
    assert len(contrast(page, pale.format(" open"))) == 1
    assert len(contrast(page, pale.format(" open"))) == 1


def test_dark_eyes_find_what_light_ones_do_not(page):
    page.set_content(PAGE.format("<p>Words</p>"))

    assert set(faults_to_all_eyes(page)) == {"dark phone"}
    assert set(faults_to_all_eyes(page, whole=True)) == {"dark", "dark phone"}


def test_what_is_wrong_otherwise_is_found_and_what_is_mild_is_not(page):
    page.set_content(PAGE.format("<button></button><h6>Deep</h6>"))

    assert [fault.partition(":")[0] for fault in faults(page)] == ["button-name"]
