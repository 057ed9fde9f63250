"""What people and models wrote, as pages show it: Markdown, rendered, and cleaned of everything that could do harm."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from importlib import import_module
from typing import Any

import nh3
from django import template
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

register = template.Library()
LONGEST_KEPT = 20_000
"""Longer texts are rendered anew each time, so that what is kept stays small."""
LOWEST_HEADING = 6
TAGS = frozenset(
    {"a", "blockquote", "br", "code", "div", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong"}
    | {"table", "tbody", "td", "th", "thead", "tr", "ul"}
)  # images are left out: a page asks no other host for anything
SCROLLS = {"role", "tabindex", "aria-label"}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "div": {"class", *SCROLLS}, "pre": SCROLLS}
SCHEMES = frozenset({"http", "https", "mailto"})
REL = "nofollow noopener noreferrer"
PLAIN_NAMES = frozenset({"md", "markdown", "txt", "text"})
FILE = re.compile(r"^# File: (.+)$", flags=re.MULTILINE)
SUFFIX = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,9})$")


MOST_ADDED_CELLS = 64
"""So many cells are added to short rows of one table; the library's own limit lets a page grow without end."""
table_rules = import_module("markdown_it.rules_block.table")  # the package has a function of this name
table_rules.MAX_AUTOCOMPLETED_CELLS = MOST_ADDED_CELLS  # type: ignore[attr-defined]


class Scrolling(RendererHTML):
    """HTML in which tables and code, which may be wider than the page, can be scrolled by keyboard."""

    def table_open(self, *_: object) -> str:
        return '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>\n'

    def table_close(self, *_: object) -> str:
        return "</table></div>\n"

    def fence(self, *args: Any, **named: Any) -> str:
        return '<pre tabindex="0" role="group" aria-label="Code">' + super().fence(*args, **named).removeprefix("<pre>")


class Markdown(MarkdownIt):
    """CommonMark with tables, without HTML, images, indented code and underlined headings.

    Links go to the web or to a mail address only, never to a page of this site, where a click may mean something.
    """

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "breaks": True}, renderer_cls=Scrolling)
        self.enable(["table", "strikethrough"])
        self.disable(["image", "code", "lheading"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 -- the library's name
        return url.split(":", 1)[0].lower() in SCHEMES and super().validateLink(url)


MARKDOWN = Markdown()
clean = partial(nh3.clean, tags=set(TAGS), attributes=ATTRIBUTES, url_schemes=set(SCHEMES), link_rel=REL)


@register.filter
def rendered(text: str, heading: int = 3) -> SafeString:
    """Return a text as HTML; its highest headings are of the level ``heading``, below those of the page."""
    html = (kept if len(text) <= LONGEST_KEPT else kept_long)(text, heading)
    return mark_safe(html)  # noqa: S308 -- cleaned


def unmarked(text: str) -> str:
    """Return a text as whoever looks at the page reads it: without the signs of Markdown."""
    return unescape(strip_tags(rendered(text)))


@register.filter
def rendered_line(text: str) -> SafeString:
    """Return a text without paragraphs as HTML: quotes, lines of lists."""
    return mark_safe(line(text))  # noqa: S308 -- cleaned


def blocks(text: str, heading: int) -> str:
    tokens = MARKDOWN.parse(text)
    lower_headings(tokens, heading)
    return str(clean(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})))


kept, kept_long = lru_cache(maxsize=2048)(blocks), lru_cache(maxsize=16)(blocks)


@lru_cache(maxsize=2048)
def line(text: str) -> str:
    return str(clean(MARKDOWN.renderInline(text)))


def lower_headings(tokens: Sequence[Token], heading: int) -> None:
    highest = min((int(token.tag[1]) for token in tokens if token.type == "heading_open"), default=1)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(LOWEST_HEADING, heading + int(token.tag[1]) - highest)}"


# A subject of several files is shown file by file, and code as it was written.


@dataclass(frozen=True, slots=True)
class SubjectFile:
    """One file of a subject; a subject that is no collection of files is one without a name."""

    name: str
    text: str
    verbatim: bool


@register.filter
def files(text: str, title: str) -> list[SubjectFile]:
    """Return the files that a subject was put together from, or the subject as a whole, called ``title``."""
    before, *rest = FILE.split(text)
    if not rest:
        return [SubjectFile("", text, is_code(title))]
    named = [
        SubjectFile(name, part.strip("\n"), is_code(name)) for name, part in zip(rest[::2], rest[1::2], strict=True)
    ]
    return [SubjectFile("", before, verbatim=False), *named] if before.strip() else named


def is_code(name: str) -> bool:
    """Say whether a name is that of a file whose lines and signs mean something: of code, of data."""
    suffix = SUFFIX.search(name.strip())
    return suffix is not None and suffix.group(1).lower() not in PLAIN_NAMES
