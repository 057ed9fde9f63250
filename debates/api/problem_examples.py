"""How requests are refused, by status: when, and a problem as an example."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from debates import problems


@dataclass(frozen=True, slots=True)
class Refusal:
    """When a status is answered, and what an example of it says."""

    when: str
    code: str
    detail: str
    faults: tuple[Mapping[str, str], ...] = ()


BRING_A_KEY = "Nobody is signed in here. Send the header Authorization: Bearer KEY, with an API key."
MISSING = {"pointer": "/reason", "code": "required", "detail": "This field is required."}
REFUSALS: Mapping[int, Refusal] = {
    400: Refusal(
        "What was sent cannot be read; `errors` says where.", "invalid", "/reason: This field is required.", (MISSING,)
    ),
    401: Refusal("Nobody is signed in, or the key is not good.", "not_authenticated", BRING_A_KEY),
    403: Refusal(
        "Whoever asks may not do this; `detail` names what is missing.",
        "not_permitted",
        "alice lacks the permission freeze_evaluation.",
    ),
    404: Refusal(
        "There is nothing at this address that the caller may read.",
        "not_found",
        "There is nothing at this address that you may read.",
    ),
    405: Refusal(
        "This address knows other methods; the header Allow names them.",
        "method_not_allowed",
        'Method "PUT" not allowed.',
    ),
    406: Refusal(
        "Answers are JSON, and exports of their own type.",
        "not_acceptable",
        "Could not satisfy the request Accept header.",
    ),
    409: Refusal(
        "The state of things does not allow this now; or the same request is still being done.",
        "not_allowed_now",
        "Only a draft is started; this debate is running.",
    ),
    410: Refusal(
        "The position is one in another log, or beyond this one's head: begin again at 0.",
        "resync",
        "This log reaches 41, not 58. Begin again at 0.",
    ),
    412: Refusal(
        "Somebody has changed the score since the version in If-Match.",
        "stale",
        "Nobody has seen version 5 of this score: it is at version 3. Look at it and name that one.",
    ),
    413: Refusal("The body is too large.", "too_large", "A body has at most 6291456 bytes."),
    415: Refusal("The body must be JSON.", "unsupported_media_type", 'Unsupported media type "text/plain" in request.'),
    422: Refusal(
        "A value is outside what is allowed; or the Idempotency-Key was used for another request.",
        "out_of_range",
        "value must be a number from 0 to 10 with at most 2 places; got 11.",
    ),
    428: Refusal("If-Match is missing.", "version_needed", "Send If-Match with the ETag that you saw."),
    429: Refusal(
        "Too many requests; Retry-After says when to come again.",
        "throttled",
        "Request was throttled. Expected available in 12 seconds.",
    ),
    500: Refusal(
        "Something is broken; the log has it under the request id.",
        "broken",
        "Something is broken here. Name the request id when you report it.",
    ),
    503: Refusal(
        "The database does not answer, or somebody else holds what is asked for; Retry-After says when to come again.",
        "unavailable",
        "The database does not answer now. Come again in a moment.",
    ),
}


def example(status: int) -> dict[str, Any]:
    refusal = REFUSALS[status]
    return problems.document(
        status=status,
        code=refusal.code,
        detail=refusal.detail,
        instance="/api/v1/...",
        request_id="6b0a4e0e6f3c4a529f0b0d6a1f2b3c4d",
        **({"errors": [dict(fault) for fault in refusal.faults]} if refusal.faults else {}),
    )
