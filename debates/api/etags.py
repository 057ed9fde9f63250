"""Entity tags: which state of a row an action was decided on, sent back as If-Match; and what a reader has already."""

import hashlib
import re
from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpRequest
from django.utils.cache import get_conditional_response
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

TAG = re.compile(r'(?:W/)?"([0-9]{1,9})(?:-[0-9a-f]*)?"')
PACE = frozenset({"RateLimit", "RateLimit-Policy"})
"""Headers that a 304 has, too, where Django leaves them out."""


class VersionNeeded(APIException):
    """An action on a score names the version it was decided on."""

    status_code = 428
    default_code = "version_needed"
    default_detail = "Send If-Match with the ETag that you saw."


class BadVersion(APIException):
    """What was sent as If-Match is no entity tag of ours."""

    status_code = 400
    default_code = "bad_version"
    default_detail = 'If-Match must be one ETag as it was given, such as "3-5f1c"; or the version alone, "3".'


def etag(*, version: str, digest: str) -> str:
    """Return the entity tag of an answer: the version that actions name, and what stands for every byte."""
    return f'"{version}-{digest[:20]}"' if version else f'"{digest[:20]}"'


def must_be_new(request: Request) -> bool:
    """Say whether a request is to be done only where nothing is there yet.

    Raises: ``BadVersion``.
    """
    header = request.headers.get("If-None-Match")
    if header is not None and header.strip() != "*":
        raise BadVersion("To write, If-None-Match is *: only where there is nothing yet.")
    return header is not None


def version_in(request: Request) -> int | None:
    """Return the version that a request was decided on, or nothing where it names none. A weak tag is as good.

    Raises: ``BadVersion``.
    """
    header = request.headers.get("If-Match")
    if header is None:
        return None
    match = TAG.fullmatch(header.strip())
    if match is None:
        raise BadVersion
    return int(match.group(1))


class ETagMixin(APIView):
    """Gives what is read its entity tag, and answers 304 to who has it already.

    Shape: ``version_field`` is what of the answer the tag begins with: the version that an action has to name;
    ``if_match`` is "required" or "optional" where an action takes one.
    """

    version_field: ClassVar[str] = ""
    if_match: ClassVar[str] = ""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if request.method in {"GET", "HEAD"} and isinstance(answer, Response) and answer.status_code == 200:
            version = str(answer.data[self.version_field]) if self.version_field else ""
            answer.add_post_render_callback(tagged(request, version=version))
        return answer


def tagged(request: Request, *, version: str) -> Callable[[Any], Any]:
    """Return what gives a rendered answer its entity tag, or makes it a 304. To read, only If-None-Match counts."""
    conditional = HttpRequest()
    conditional.method = request.method
    conditional.META = {"HTTP_IF_NONE_MATCH": request.headers.get("If-None-Match", "")}

    def tag(answer: Any) -> Any:
        answer.headers["ETag"] = etag(version=version, digest=hashlib.sha256(answer.content).hexdigest())
        reply: Any = get_conditional_response(conditional, etag=answer.headers["ETag"], response=answer)
        for name in PACE & set(answer.headers):
            reply.headers[name] = answer.headers[name]
        return reply

    return tag
