"""The header ``Idempotency-Key``: read into a record for the use case, and an earlier answer repeated."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from debates.api.authentication import key_in
from debates.services.idempotency import DoneBefore, RequestRecord, kept_name

HEADER = "Idempotency-Key"
REPEATED = "Idempotency-Replayed"
FORM = re.compile(r"[\x21-\x7e]{1,200}")


class BadKey(APIException):
    """The key cannot be one."""

    status_code, default_code = 400, "bad_idempotency_key"
    default_detail = "Idempotency-Key must have 1 to 200 visible ASCII characters."


class IdempotentMixin(APIView):
    """Does once what is asked under one key: ``act`` hands ``record`` to the use case, which keeps the answer."""

    record: RequestRecord | None = None
    answer: Callable[[Any], Response]

    def answer_once(self, act: Callable[[], Any]) -> Response:
        """Act and return the answer, or the one that was given before.

        Raises: ``BadKey``; as ``UseCase.once``.
        """
        key = self.request.headers.get(HEADER)
        if key is None or not isinstance(self.request.user, User):
            return self.answer(act())
        if not FORM.fullmatch(key):
            raise BadKey
        answers: list[Response] = []

        def render(result: Any) -> tuple[int, str]:
            answers.append(self.answer(result))
            return answers[0].status_code, JSONRenderer().render(answers[0].data).decode()

        self.record = RequestRecord(
            owner=self.request.user,
            api_key=key_in(self.request),
            key=key,
            digest=digest_of(self.request),
            at=timezone.now(),
            render=render,
        )
        try:
            self.record.refuse_repetition()
            act()
        except DoneBefore as done:
            return Response(json.loads(done.body), status=done.status, headers={REPEATED: "true"})
        return answers[0]

    @property
    def kept_key(self) -> str:
        return kept_name(self.request.headers.get(HEADER, ""))


def digest_of(request: Request) -> str:
    """Return what two requests must share to be the same: method, address, version seen, body."""
    seen = [request.headers.get(name) for name in ("If-Match", "If-None-Match")]
    parts = [request.method, request.get_full_path(), *seen, request.data]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
