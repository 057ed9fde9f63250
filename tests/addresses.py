"""Every address of the site as the resolver knows it, so that a walk forgets none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

EXAMPLES = {
    "uuid": "6b0a4e0e-6f3c-4a52-9f0b-0d6a1f2b3c4d",
    "int": "1",
    "slug": "one",
    "str": "one",
    "path": "1",
    "code": "P1",
}
PART = re.compile(r"<(?:(\w+):)?\w+>")
CHOICE = re.compile(r"\(\?P<\w+>([^|)]+)[^)]*\)")


@dataclass(frozen=True, slots=True)
class Address:
    """A pattern with its name."""

    route: str
    name: str

    @property
    def example(self) -> str:
        """The path of some page at this address, whether there is a row for it or not."""
        first = CHOICE.sub(r"\1", self.route).replace("^", "").replace("$", "").replace(".*", "nowhere")
        return "/" + PART.sub(lambda part: EXAMPLES[part[1] or "str"], first)


def addresses(resolver: URLResolver | None = None, before: str = "") -> Iterator[Address]:
    """Yield every address of the site."""
    for one in (resolver or get_resolver()).url_patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from addresses(one, route)
        elif isinstance(one, URLPattern):
            yield Address(route, one.name or "")
