"""By what a judgement is known again: a digest of everything that it depends on."""

from __future__ import annotations

import hashlib
import json

from judging import heuristics
from judging.types import Request

VERSION = 2


def digest(*, request: Request, provider: str, accountability: str = "", repetition: int = 1) -> str:
    """Return the digest of a request: what is shown, word for word, to whom, under which prompt, and how it is asked.

    Shape: sha256 in hexadecimal. Which debate asks, and after how many failures, is not in it; ``repetition`` tells
    apart judgements that are wanted several times.
    Source: docs/explanation/judging.md#judgements-that-are-known-already
    """
    material = {
        "version": VERSION,
        "purpose": request.purpose.value,
        "prompt": [request.prompt.name, request.prompt.version, request.prompt.digest],
        "messages": [[one.role, one.text] for one in request.messages],
        "schema": request.schema,
        "provider": [provider, heuristics.VERSION if provider == "heuristic" else ""],
        "model": request.model,
        "temperature": str(request.temperature),
        "max_output_tokens": request.max_output_tokens,
        "accountability": accountability,
        "repetition": repetition,
        "material": repr(request.material),
        "script": list(request.script) if provider == "scripted" else [],
    }
    return hashlib.sha256(json.dumps(material, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()
