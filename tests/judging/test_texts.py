"""Markdown of participants on pages: it is rendered, does no harm, and is found as text."""

from html.parser import HTMLParser

import pytest
from django.test import Client

from judging.templatetags import markdown
from tests import playing
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html

LINK = '<a href="https://example.org" rel="nofollow noopener noreferrer">here</a>'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        pytest.param("It is **so**.", "<p>It is <strong>so</strong>.</p>", id="emphasis"),
        pytest.param("One\ntwo", "<p>One<br>\ntwo</p>", id="lines stay lines"),
        pytest.param("# Big\n\n## Small", "<h4>Big</h4>\n<h5>Small</h5>", id="headings go below those of the page"),
        pytest.param("[here](https://example.org)", f"<p>{LINK}</p>", id="links lend no weight and tell nobody"),
        pytest.param("[out](/accounts/logout/)", "<p>[out](/accounts/logout/)</p>", id="no link into the site"),
        pytest.param("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>", id="no script in a link"),
        pytest.param("![i](https://example.org)", f"<p>!{LINK.replace('here', 'i')}</p>", id="no image"),
        pytest.param("<b onclick=x>hi</b>", "<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>", id="markup stays text"),
        pytest.param("    indented", "<p>indented</p>", id="indented words are words"),
        pytest.param("`<i>`", "<p><code>&lt;i&gt;</code></p>", id="code stays code"),
        pytest.param(
            "```\nx\n```",
            '<pre tabindex="0" role="group" aria-label="Code"><code>x\n</code></pre>',
            id="code that is wider than the page is scrolled by keyboard",
        ),
        pytest.param("`<table>`", "<p><code>&lt;table&gt;</code></p>", id="a tag in words is no table"),
        pytest.param("مرحبا **به**", "<p>مرحبا <strong>به</strong></p>", id="other scripts"),
    ],
)
def test_markdown_is_rendered_and_does_no_harm(written, shown):
    assert markdown.rendered(written, 4).strip() == shown


def test_a_table_stays_a_table_and_is_scrolled_by_keyboard():
    shown = markdown.rendered("| a |\n|---|\n| b |", 4).strip()

    assert shown.startswith('<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>')
    assert shown.endswith("</table></div>")


class Tags(HTMLParser):
    """Every tag of a text with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "[a]\n\n[a]: javascript:alert(1)",
        "<http://a\"onx='1'>",
        "![](https://a.b/c.png)",
        '[a](http://a.b "<table><pre> onx=1")',
    ],
)
def test_no_tag_and_no_attribute_comes_out_that_is_not_ours(attack):
    made = markdown.rendered(f"> {attack}\n\n- {attack}\n\n| {attack} |\n|:--|\n| {attack} |\n\n{attack}")

    tags = Tags(made).tags
    assert [tag for tag, _ in tags if tag in {"div", "table", "pre"}] == ["div", "table"]
    for tag, attributes in tags:
        assert tag in markdown.TAGS
        assert set(attributes) <= ({"class", *markdown.SCROLLS} if tag == "div" else {"href", "rel", "title", "start"})
        assert (attributes.get("href") or "https:").split(":")[0] in markdown.SCHEMES


def test_a_quote_and_the_text_it_is_taken_from_read_alike():
    text = "The town needs **three** wells, and `two` pumps."

    quote = markdown.rendered_line("**three** wells, and `two` pumps")

    assert quote in markdown.rendered(text)


@pytest.mark.parametrize(
    ("title", "text", "shown"),
    [
        ("Wells", "# Why", [("", "# Why", False)]),
        ("main.py", "# why", [("", "# why", True)]),
        ("Plan 2.0", "# why", [("", "# why", False)]),
        ("A", "# File: a.md\n\nOne\n\n# File: b/c.py\n\nx = 1\n", [("a.md", "One", False), ("b/c.py", "x = 1", True)]),
    ],
)
def test_a_subject_is_shown_file_by_file_and_code_as_it_was_written(title, text, shown):
    assert [(one.name, one.text, one.verbatim) for one in markdown.files(text, title)] == shown


@pytest.mark.django_db
@WITHOUT_COLLECTED_FILES
def test_the_page_renders_what_documents_keep_as_it_was_written():
    answers = script([[ruling("1", reasoning="It is **so**.")]])
    debate = playing.debate(answers, rounds=1)
    playing.work()

    assert "<p>It is <strong>so</strong>.</p>" in html(address(debate))
    document = Client().get(f"/api/v1/debates/{debate.public_id}/turns").json()
    assert "<p>" not in str(document)
