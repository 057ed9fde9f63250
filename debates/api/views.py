"""What every resource is made of: one class for each action, several classes at one address, one way in and out."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from debates import selectors
from debates.api import etags, unknown_fields
from debates.api.idempotency import IdempotentMixin
from debates.api.paging import Order, Paging, page_of
from debates.errors import NotFound
from debates.models import Debate
from debates.types import Scope

V1 = "/api/v1"
R = TypeVar("R", bound=Model)
Shape = type[serializers.BaseSerializer[Any]]


class Nothing(serializers.Serializer[Any]):
    """Nothing: no parameters, no body."""


class Door(APIView):
    """One action. What it needs stands in its attributes; the schema is made from the same.

    Shape: ``everybody`` lets in who is not signed in; ``permission`` is Django's, for whoever comes through at all;
    ``proof`` asks whoever comes in a session to have proved lately to be here still, as a secret is shown;
    ``gathers`` says that one answer holds rows of many debates, ``many`` that it is a list page by page; ``example``
    and ``examples`` are of a body, ``shows`` is one of the answer.
    """

    tag: ClassVar[str] = ""
    scope: ClassVar[Scope] = Scope.READ
    permission: ClassVar[str] = ""
    everybody: ClassVar[bool] = False
    proof: ClassVar[bool] = False
    answers: ClassVar[int] = status.HTTP_200_OK
    also: ClassVar[Mapping[int, Shape]] = {}
    refuses: ClassVar[Sequence[int]] = ()
    media: ClassVar[Sequence[str]] = ("application/json",)
    many: ClassVar[bool] = False
    gathers: ClassVar[bool] = False
    versioned: ClassVar[str] = ""
    only_new: ClassVar[bool] = False
    example: ClassVar[Any] = None
    examples: ClassVar[Mapping[str, Any]] = {}
    shows: ClassVar[Any] = None
    methods: Sequence[str] = ()
    pace: Mapping[str, str] = MappingProxyType({})
    Query: ClassVar[Any] = Nothing
    Input: ClassVar[Any] = Nothing
    Output: ClassVar[Any] = Nothing

    @property
    def allowed_methods(self) -> list[str]:
        """Return every method of the address, not of this class alone."""
        return list(self.methods) or super().allowed_methods

    @property
    def caller(self) -> User | AnonymousUser:
        found: User | AnonymousUser = self.request.user
        return found

    @property
    def person(self) -> User:
        """Return who asks, at a door that lets nobody else in."""
        found = self.caller
        assert isinstance(found, User)  # noqa: S101 -- MayEnter
        return found

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at who comes, and refuse an address that no database can look for. Who is refused is counted, too."""
        try:
            super().initial(request, *args, **kwargs)
        except (AuthenticationFailed, NotAuthenticated, PermissionDenied):
            self.check_throttles(request)
            raise
        if any("\x00" in one for one in kwargs.values() if isinstance(one, str)):
            raise NotFound("There is nothing at this address.")

    def asked(self) -> dict[str, Any]:
        """Return the parameters of the address, checked; one that is not known is refused rather than ignored.

        Only a list may come more than once: of anything else nobody could say which value counts.
        """
        query = self.Query(data=self.written())
        unknown_fields.refuse_other_spellings(query, query.initial_data)
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)

    def written(self) -> dict[str, str | list[str]]:
        """Return the parameters as they came: lists where the shape has lists.

        Raises: ``ValidationError``.
        """
        known = self.Query().fields
        written: dict[str, str | list[str]] = {}
        for name, values in self.request.query_params.lists():  # not a QueryDict, which the framework takes for a form
            if name not in known:
                raise ValidationError({name: ["There is no such parameter."]}, code="unknown_parameter")
            if isinstance(known[name], serializers.ListField):
                written[name] = values
            elif len(values) > 1:
                raise ValidationError({name: ["It may be given once only."]}, code="repeated_parameter")
            else:
                written[name] = values[0]
        return written

    def given(self) -> dict[str, Any]:
        """Return the body, checked; a field that is not known is refused at any depth."""
        data = self.request.data
        if not isinstance(data, dict):
            raise ValidationError({"": ["The body must be a JSON object."]})
        body = self.shape_of(data)(data=data, context={"request": self.request})
        unknown_fields.refuse(body, data)
        unknown_fields.refuse_other_types(body, data)
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def shape_of(self, data: Mapping[str, Any]) -> Any:
        return self.Input

    def debates(self) -> QuerySet[Debate]:
        """Return the debates that the caller may read: the one place where every resource asks.

        A list or export that names no debate shows none that is unlisted.
        """
        if self.gathers and "debate" not in {*self.kwargs, *self.request.query_params}:
            return selectors.findable_debates(visitor=self.caller)
        return selectors.visible_debates(visitor=self.caller)

    def one(self, rows: QuerySet[R], **at: object) -> R:
        """Return the row at an address; who may not read it learns no more than that there is none."""
        found = rows.filter(**(at or {"public_id": self.kwargs["id"]})).first()
        if found is None:
            raise NotFound("There is nothing at this address that you may read.")
        return found

    def shown(self, row: Any, *, shape: Shape | None = None, code: int | None = None) -> Response:
        return Response(
            (shape or self.Output)(row, context={"request": self.request}).data, status=code or self.answers
        )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Tell caches what an answer depends on, and answer 304 to who has it already."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        for name, value in self.pace.items():
            answer.headers[name] = value
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        if request.method in {"GET", "HEAD"} and isinstance(answer, Response) and answer.status_code == 200:
            answer.add_post_render_callback(tagged(request, version=self.version_of(answer.data)))
        return answer

    def version_of(self, data: Any) -> str:
        """Return what the entity tag begins with: the version that an action has to name, where there is one."""
        return str(data[self.versioned]) if self.versioned else ""


def tagged(request: Request, *, version: str) -> Callable[[Any], Any]:
    """Return what gives a rendered answer its entity tag, or makes it a 304. To read, only If-None-Match counts."""
    asked = HttpRequest()
    asked.method, asked.META = request.method, {"HTTP_IF_NONE_MATCH": request.headers.get("If-None-Match", "")}

    def tag(answer: Any) -> Any:
        etag = etags.etag(version=version, digest=hashlib.sha256(answer.content).hexdigest())
        answer.headers["ETag"] = etag
        return get_conditional_response(asked, etag=etag, response=answer)

    return tag


class One(Door):
    """GET one row."""

    @abstractmethod
    def row(self) -> Any:
        """Return the row."""

    def get(self, request: Request, **at: Any) -> Response:
        self.asked()
        return self.shown(self.row())


class Many(Door):
    """GET a list, page by page. The fields of ``Query`` are filters: their source says what of a row they look at.

    Shape: ``sorts`` are the columns by which ``ordering`` may ask for it, with whether that takes a filter by debate.
    """

    many = gathers = True
    column: ClassVar[str] = "id"
    newest_first: ClassVar[bool] = True
    sorts: ClassVar[Mapping[str, bool]] = MappingProxyType({})
    Query: ClassVar[Any] = Paging

    @abstractmethod
    def rows(self) -> QuerySet[Any]:
        """Return everything that the caller may read."""

    def chosen(self, rows: QuerySet[Any], asked: Mapping[str, Any]) -> QuerySet[Any]:
        """Return what the filters leave; of a filter with several values, what has any of them."""
        return rows.filter(**{f"{name}__in" if isinstance(to, list) else name: to for name, to in asked.items()})

    def dressed(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Return the rows of a page with what they need besides their columns, read for all of them at once."""
        return rows

    def order(self, ordering: str) -> Order:
        """Return the order that was asked for, or the usual one.

        Raises: ``ValidationError`` for one that takes the rows of one debate where all are asked for.
        """
        name = ordering.lstrip("-")
        if self.sorts.get(name) and "debate" not in self.request.query_params:
            raise ValidationError({"ordering": [f"By {name} only the rows of debates are ordered: add debate."]})
        descending = ordering.startswith("-") if ordering else self.newest_first
        return Order(self.column, descending=descending, first=name if name in self.sorts else "")

    def get(self, request: Request, **at: Any) -> Response:
        asked = self.asked()
        cursor, size = asked.pop("cursor", None), asked.pop("page_size")
        order = self.order(asked.pop("ordering", ""))
        page = page_of(self.chosen(self.rows(), asked), cursor=cursor, size=size, order=order)
        shown = self.Output(self.dressed(page.rows), many=True, context={"request": request}).data
        here = request.build_absolute_uri()
        following = replace_query_param(here, "cursor", page.after) if page.after else None
        return Response({"results": shown, "next": following})


class Act(IdempotentMixin, Door):
    """POST: find what it is about, say whether the caller may, call one service; once for each Idempotency-Key."""

    scope = Scope.WRITE

    def row(self) -> Any:
        """Return what the action is about; nothing where it makes something new."""
        return None

    def may(self, row: Any) -> None:
        """Refuse whoever may not. It is asked before an earlier answer is repeated, too.

        Raises: ``DomainError``.
        """

    @abstractmethod
    def act(self, row: Any, given: dict[str, Any]) -> Any:
        """Call the use case with ``record``, and return what it returns."""

    def answer(self, done: Any) -> Response:
        return self.shown(done)

    def version_after(self, data: Any) -> str:
        """Return the version that the next action has to name, read from an answer, done now or repeated."""
        return ""

    def location(self, data: Any) -> str:
        """Return the address of what was made, read from an answer, done now or repeated."""
        return f"{V1}/{self.tag.replace(' ', '-')}/{data['id']}/"

    def post(self, request: Request, **at: Any) -> Response:
        """Do it, or repeat what was answered when it was done."""
        self.asked()
        row = self.row()
        self.may(row)
        given = self.given()
        answer = self.answer_once(lambda: self.act(row, given))
        if version := self.version_after(answer.data):
            answer.headers["ETag"] = etags.etag(version=version, digest="")
        if answer.status_code == status.HTTP_201_CREATED:
            answer.headers["Location"] = request.build_absolute_uri(self.location(answer.data))
        return answer


class Remove(Door):
    """DELETE one row by one call of a service; whoever asks again is told that there is nothing."""

    scope = Scope.WRITE
    answers = status.HTTP_204_NO_CONTENT

    @abstractmethod
    def row(self) -> Any:
        """Return the row."""

    @abstractmethod
    def act(self, row: Any) -> None:
        """Call the service."""

    def delete(self, request: Request, **at: Any) -> Response:
        self.asked()
        self.act(self.row())
        return Response(status=self.answers)


def at(**doors: type[Door]) -> Callable[..., HttpResponseBase]:
    """Return the view of an address at which each method has a class of its own: ``at(GET=..., POST=...)``."""
    methods = (*doors, *(["HEAD"] if "GET" in doors else []))
    views = {method: door.as_view(methods=methods) for method, door in doors.items()}
    views["HEAD"] = views.get("GET", next(iter(views.values())))
    others = next(iter(views.values()))

    def view(request: HttpRequest, **where: Any) -> HttpResponseBase:
        found: HttpResponseBase = views.get(str(request.method), others)(request, **where)
        return found

    view.csrf_exempt = True  # type: ignore[attr-defined]  # sessions are checked by their authentication
    view.cls = type("Address", (Door,), {"methods": methods})  # type: ignore[attr-defined]  # the schema looks for it
    view.doors = doors  # type: ignore[attr-defined]  # as above
    view.initkwargs = {}  # type: ignore[attr-defined]  # as above
    return view
