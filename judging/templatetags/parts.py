"""How a template marks the root element of a part, so that the page's module finds it."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.pages.fragments import Part

register = template.Library()


@register.simple_tag
def marks(part: Part | None) -> SafeString | str:
    """Return the attributes of a part's root element; nothing on pages that do not move."""
    if not part:
        return ""
    return format_html(
        ' data-part="{}" data-stirred-by="{}" data-about="{}" data-about-round="{}"{}',
        part.name,
        " ".join(part.stirred_by),
        part.about,
        "" if part.round is None else part.round,
        " data-when-open" if part.when_open else "",
    )
