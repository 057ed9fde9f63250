"""Every problem that programs meet as one document: refusals, bad requests, addresses that are none."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from math import ceil
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.urls import Resolver404, resolve
from psycopg.errors import IdleInTransactionSessionTimeout
from rest_framework import exceptions
from rest_framework.response import Response

from config.security import is_embed
from debates import problems
from debates.api.problem_examples import BRING_A_KEY
from debates.api.unknown_fields import BadParameter
from debates.errors import DomainError, Invalid, NotAllowedNow, NotFound
from debates.unsaved_text import is_from_this_site, unsaved_text_in
from judging.errors import AnswerRejected
from scoring.errors import BulkRefused, NeedsSecondPerson, NotPermitted, Stale

MEDIA_TYPE = problems.MEDIA_TYPE
AWAY = (InterfaceError, OperationalError)
AGAIN_SECONDS = 5
FAULT = HTTPStatus.INTERNAL_SERVER_ERROR
LOCKED_OUT_SECONDS = 300  # allauth's longest: five failures within five minutes for a name
TOO_MANY_SECONDS = 60  # all others that end in this page are by the minute
PROGRAMS = frozenset({"api", "stream", "metrics", "healthz", "readyz"})
STATUSES: Sequence[tuple[type[DomainError], int]] = (
    (NotFound, 404), (NotPermitted, 403), (Stale, 412), (NotAllowedNow, 409), (BulkRefused, 409),
    (NeedsSecondPerson, 409), (Invalid, 422), (AnswerRejected, 422), (DomainError, 409),
)  # fmt: skip


def problem(
    request: HttpRequest, *, status: int, code: str, detail: str, errors: Sequence[Mapping[str, str]] = (), **more: Any
) -> dict[str, Any]:
    """Return a problem as a document.

    Source: docs/reference/api.md, "Problems".
    """
    faulty = {"errors": list(errors)} if errors else {}
    number = number_of(request)
    return problems.document(
        status=status, code=code, detail=detail, instance=request.path, request_id=number, **faulty, **more
    )


def answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an exception of a view with a problem; what is neither refusal nor bad request is a bug, and goes on."""
    request: HttpRequest = context["request"]._request  # noqa: SLF001 -- Django's request under that of the framework
    if isinstance(error, DomainError):
        status = next(status for kind, status in STATUSES if isinstance(error, kind))
        more: dict[str, Any] = {"refused": outside(error)} if isinstance(error, BulkRefused) else {}
        document = problem(
            request, status=status, code=error.code, detail=error.message, errors=fields_of(error), **more
        )
        return Response(document, status=status, content_type=MEDIA_TYPE)
    if isinstance(error, Http404):
        error = exceptions.NotFound("There is nothing at this address that you may read.")
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(str(error) or None)
    if not isinstance(error, exceptions.APIException):
        return None
    return of_framework(request, error)


def fields_of(error: DomainError) -> list[dict[str, str]]:
    """Return the fault of a refusal as the framework's are told, where it names a field of the body."""
    place = error.details.get("pointer")
    if place is None and not error.path:
        return []
    pointer = str(place) if place is not None else "".join(map(step, error.path))
    return [{"pointer": pointer, "code": error.code, "detail": error.message}]


def of_framework(request: HttpRequest, error: exceptions.APIException) -> Response:
    headers = {}
    if hint := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = hint
    if isinstance(error, exceptions.Throttled):
        headers["Retry-After"] = str(ceil(getattr(error, "wait", None) or 1))
    if isinstance(error, exceptions.ValidationError):
        errors = list(faults_of(error))
        code = (
            errors[0]["code"]
            if len(errors) == 1 and errors[0]["code"].startswith(("bad_", "unknown_", "repeated_"))
            else "invalid"
        )
        detail = "; ".join(": ".join(filter(None, (fault["pointer"], fault["detail"]))) for fault in errors[:5])
    else:
        errors = []
        detail = BRING_A_KEY if isinstance(error, exceptions.NotAuthenticated) else str(error.detail)
        code = str(getattr(error.detail, "code", None) or error.default_code)
    document = problem(request, status=error.status_code, code=code, detail=detail, errors=errors)
    return Response(document, status=error.status_code, headers=headers, content_type=MEDIA_TYPE)


def faults_of(error: exceptions.ValidationError) -> Iterator[dict[str, str]]:
    """Return every single fault of a body with a pointer to its place, and of parameters with the name of its own."""
    detail: Any = error.detail
    if not isinstance(error, BadParameter):
        yield from faults(detail)
        return
    for name, inner in detail.items():
        yield from ({**fault, "pointer": name} for fault in faults(inner))


def faults(detail: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """Return every single fault in what the framework found, with a pointer to its place."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            place = "" if name == "non_field_errors" else step(name)
            yield from faults(inner, f"{pointer}{place}")
    elif isinstance(detail, list | tuple):
        for number, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list | tuple)
            yield from faults(inner, f"{pointer}/{number}" if nested else pointer)
    else:
        yield {"pointer": pointer, "code": str(getattr(detail, "code", "invalid")), "detail": str(detail)}


def step(name: object) -> str:
    """Return a name as a part of a JSON pointer, in which ``~`` and ``/`` stand for something else."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


def outside(error: BulkRefused) -> list[dict[str, str | None]]:
    """Return which scores refuse, without the numbers that stay inside."""
    rows: Any = error.details.get("refused", [])
    return [{name: row[name] for name in ("evaluation", "name", "code", "why")} for row in rows]


def is_of_program(request: HttpRequest) -> bool:
    """Say whether a request came to where programs ask: the API, a stream, figures, or whether all is well."""
    return request.path.split("/")[1] in PROGRAMS


def refused(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    document = problem(request, status=status, code=code, detail=detail)
    return JsonResponse(document, status=status, content_type=MEDIA_TYPE)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_of_program(request):
        return refused(request, 404, "not_found", "There is nothing at this address that you may read.")
    return render(request, "404.html", {"words": unsaved_text_in(request)}, status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, and 413 to what is larger than it may be: Django tells both in one way."""
    if isinstance(exception, RequestDataTooBig):
        if is_of_program(request):
            return refused(
                request, 413, "too_large", f"A body has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes."
            )
        return render(request, "413.html", {"most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE}, status=413)
    if is_of_program(request):
        return refused(request, 400, "bad_request", "This request cannot be read.")
    return page_alone(request, "400.html", status=400)


def denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_of_program(request):
        return refused(request, 403, "not_permitted", "You may not do this.")
    return render(request, "403.html", {"exception": str(exception), "words": unsaved_text_in(request)}, status=403)


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer 429 and how long that lasts at most: to who gave too many wrong passwords or codes, or sent many forms."""
    failed = getattr(request, "has_failed_too_often", False)
    seconds = LOCKED_OUT_SECONDS if failed else TOO_MANY_SECONDS
    response = render(request, "429.html", {"minutes": seconds // 60, "failed": failed}, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def broken(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 while the database is away. What happened is in the log, under the same request id."""
    error = sys.exc_info()[1]
    if isinstance(error, AWAY) or isinstance(getattr(error, "__cause__", None), IdleInTransactionSessionTimeout):
        return away(request)
    if is_of_program(request):
        return refused(request, 500, "broken", "Something is broken here. Name the request id when you report it.")
    return page_alone(request, "500.html", status=500)


def away(request: HttpRequest) -> HttpResponse:
    """Answer 503 and when to come again: the database cannot be reached, or had to end what was asked of it."""
    if is_of_program(request):
        response = refused(request, 503, "unavailable", "The database does not answer now. Come again in a moment.")
    else:
        response = page_alone(request, "503.html", status=503)
    response.headers["Retry-After"] = str(AGAIN_SECONDS)
    return response


def no_csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form or a request of a session that does not prove where it comes from."""
    if is_of_program(request):
        return refused(request, 403, "csrf_failed", "A session needs the header X-CSRFToken for this.")
    words = unsaved_text_in(request) if is_from_this_site(request, reason=reason) else []
    return render(request, "403_csrf.html", {"number": number_of(request), "words": words}, status=403)


def page_alone(request: HttpRequest, template: str, *, status: int) -> HttpResponse:
    """Answer with a page that asks nothing of the database, with the number under which the log has the request."""
    values = {"number": number_of(request), "words": words_in(request) if status >= FAULT else []}
    response = HttpResponse(loader.get_template(template).render(values), status=status)
    if status >= FAULT and is_embed(request):
        response.headers["Refresh"] = str(settings.EMBED_REFRESH_SECONDS)
    return response


def words_in(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what was typed into a form of a page of ours, also where the fault came before its view was known."""
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        return []
    with suppress(Resolver404):
        request.resolver_match = request.resolver_match or resolve(request.path_info)
    return unsaved_text_in(request)


def number_of(request: HttpRequest) -> str:
    name: str = getattr(request, "request_id", "")
    return name
