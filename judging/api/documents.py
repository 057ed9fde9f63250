"""The result documents in the description of the API: one component for each format, told apart by ``format``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from judging.formats.registry import FORMATS

NAMES: Mapping[str, str] = {name: f"{name.title()}Result" for name in FORMATS}
PLACES: Mapping[str, str] = {name: f"#/components/schemas/{title}" for name, title in NAMES.items()}
DOCUMENT: Mapping[str, Any] = {
    "oneOf": [{"$ref": place} for place in PLACES.values()],
    "discriminator": {"propertyName": "format", "mapping": dict(PLACES)},
}
SHARED = re.compile(r'"#/\$defs/(\w+)"')


def tell_results(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Add the schemas of the documents, and what they share within themselves, as components of their own."""
    for name, title in NAMES.items():
        written = json.dumps(FORMATS[name].result_schema())
        for part in SHARED.findall(written):
            written = written.replace(f'"#/$defs/{part}"', f'"{PLACES[name]}{part.title()}"')
        schema = {key: value for key, value in json.loads(written).items() if key not in {"$schema", "$id"}}
        schema |= {"title": title, "description": f"{schema['title']}. {schema.get('description', '')}".strip()}
        parts = {f"{title}{part.title()}": shape for part, shape in schema.pop("$defs", {}).items()}
        result["components"]["schemas"] |= {title: schema, **parts}
    return result
