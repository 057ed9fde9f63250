"""By what a judgement is known again: a digest of everything that it depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from judging.types import Request

VERSION = 3


def digest(
    *, request: Request, provider: str, source: Sequence[str], accountability: str = "", repetition: int = 1
) -> str:
    """Return the digest of a request: what is shown, word for word, to whom, under which prompt, and how it is asked.

    Shape: sha256 in hexadecimal; ``source`` is who answers for the provider, such as a model at its address. Which
    debate asks, and after how many failures, is not in it; ``repetition`` tells apart judgements that are wanted
    several times.
    Source: docs/explanation/judging.md#judgements-that-are-known-already
    """
    material = {
        "version": VERSION,
        "purpose": request.purpose.value,
        "prompt": [request.prompt.name, request.prompt.version, request.prompt.digest],
        "messages": [[one.role, one.text] for one in request.messages],
        "schema": request.schema,
        "provider": [provider, *source],
        "temperature": str(request.temperature),
        "max_output_tokens": request.max_output_tokens,
        "accountability": accountability,
        "repetition": repetition,
        "material": repr(request.material),
    }
    return hashlib.sha256(json.dumps(material, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()
