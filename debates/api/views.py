"""The views of the API: those of Django REST framework, with what all addresses here have in common."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, ClassVar, Never

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.http import Http404
from django.utils.cache import patch_vary_headers
from rest_framework import generics, serializers, status
from rest_framework.exceptions import (
    APIException,
    AuthenticationFailed,
    NotAcceptable,
    NotAuthenticated,
    PermissionDenied,
)
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from debates import selectors
from debates.api import etags
from debates.api.etags import ETagMixin
from debates.api.fields import any_of, filter_by
from debates.api.idempotency import IdempotentMixin
from debates.api.paging import KeysetPagination, Order, PagingSerializer, QueryFilter, ordering
from debates.api.permissions import RequiredAccess
from debates.api.unknown_fields import BadParameter, StrictMixin
from debates.errors import NotFound
from debates.models import Debate
from debates.types import Scope

V1 = "/api/v1"


class PaceMixin(APIView):
    """Counts who is refused, too, and says in each answer how many requests are left."""

    pace: Mapping[str, str] = MappingProxyType({})

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        try:
            super().initial(request, *args, **kwargs)
        except (NotAcceptable, AuthenticationFailed, NotAuthenticated, PermissionDenied):
            with suppress(APIException):
                self.perform_authentication(request)  # nobody has looked yet at who asks for another type
            self.check_throttles(request)
            raise

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        for name, value in self.pace.items():
            answer.headers[name] = value
        return answer


class ApiView(StrictMixin, ETagMixin, PaceMixin, generics.GenericAPIView[Any]):
    """What an address needs stands in attributes; the OpenAPI document is made from the same.

    Shape: ``access`` is what it takes to read, ``write_access`` to do something; ``debate_field`` leads from a row to
    its debate, so that only those of debates that the caller may read are found; ``gathers`` says that an answer holds
    rows of many debates; ``example`` and ``examples`` are of a body, ``shows`` is one of what is read; where there is
    no serializer, ``answer_schema`` stands for it; ``also`` are answers with another status.
    """

    http_method_names = ["get", "post", "delete", "head"]
    lookup_field, lookup_url_kwarg = "public_id", "id"
    filter_backends: Sequence[Any] = ()
    serializer_class: Any = None
    tag: ClassVar[str] = ""
    access: ClassVar[RequiredAccess] = RequiredAccess()
    write_access: ClassVar[RequiredAccess] = RequiredAccess(Scope.WRITE)
    debate_field: ClassVar[str] = ""
    gathers: ClassVar[bool] = False
    answers: ClassVar[int] = status.HTTP_200_OK
    answer_schema: ClassVar[Mapping[str, Any] | None] = None
    also: ClassVar[Mapping[int, type[serializers.BaseSerializer[Any]]]] = {}
    refuses: ClassVar[Sequence[int]] = ()
    media: ClassVar[Sequence[str]] = ("application/json",)
    only_new: ClassVar[bool] = False
    example: ClassVar[Any] = None
    examples: ClassVar[Mapping[str, Any]] = {}
    shows: ClassVar[Any] = None

    @property
    def caller(self) -> User | AnonymousUser:
        user: User | AnonymousUser = self.request.user
        return user

    @property
    def person(self) -> User:
        """Who asks, at an address that lets nobody else in."""
        user = self.caller
        assert isinstance(user, User)  # noqa: S101 -- MayEnter
        return user

    def access_for(self, method: str) -> RequiredAccess:
        """Return what it takes to come in; a method that the address does not know is refused to who may come in."""
        writes = method in {"POST", "DELETE"} and hasattr(self, method.lower())
        return self.write_access if writes or not hasattr(self, "get") else self.access

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at who comes, and refuse an address that no database can look for."""
        super().initial(request, *args, **kwargs)
        if any("\x00" in value for value in kwargs.values() if isinstance(value, str)):
            raise NotFound("There is nothing at this address.")
        if request.method in self.allowed_methods:
            self.query = self.read_query()
        for header, is_read in (("If-Match", self.if_match), ("If-None-Match", self.only_new)):
            if request.method not in SAFE_METHODS and not is_read and header in request.headers:
                raise etags.BadVersion(f"{header} is not looked at here: leave it out.")

    def debates(self) -> QuerySet[Debate]:
        """Return the debates that the caller may read: the one place where every resource asks.

        A list or export that names no debate shows of the unlisted ones those that are findable.
        """
        reads = self.request.method in SAFE_METHODS
        if reads and self.gathers and "debate" not in {*self.kwargs, *self.request.query_params}:
            return selectors.findable_debates(visitor=self.caller)
        return selectors.visible_debates(visitor=self.caller)

    def get_queryset(self) -> QuerySet[Any]:
        rows = super().get_queryset()
        return rows.filter(**{f"{self.debate_field}__in": self.debates()}) if self.debate_field else rows

    def respond(self, row: Any) -> Response:
        return Response(self.get_serializer(row).data, status=self.answers)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Tell caches what an answer depends on."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        return answer


class RetrieveView(ApiView, generics.RetrieveAPIView[Any]):
    """GET one row; who may not read it learns no more than that there is none."""


class ListView(ApiView, generics.ListAPIView[Any]):
    """GET a list, page by page, of one debate where its rows are of debates.

    Shape: ``filters`` are fields of what is listed; what else it is filtered by are fields of ``Query``, whose source
    says what of a row they look at. ``sorts`` are the columns by which ``ordering`` may ask for it, with whether that
    takes a filter by debate.
    """

    gathers = True
    pagination_class = KeysetPagination
    filter_backends = (QueryFilter,)
    column: ClassVar[str] = "id"
    newest_first: ClassVar[bool] = True
    filters: ClassVar[Sequence[str]] = ()
    sorts: ClassVar[Mapping[str, bool]] = MappingProxyType({})
    Query: ClassVar[Any] = PagingSerializer

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        of_debate = {"debate": any_of(serializers.UUIDField(), source=f"{cls.debate_field}__public_id")}
        listed = cls.serializer_class().fields
        fields = {
            "ordering": ordering(*cls.sorts),
            **(of_debate if cls.debate_field else {}),
            **{name: filter_by(listed[name]) for name in cls.filters},
        }
        cls.Query = type("Query", (type("Query", (PagingSerializer,), fields), cls.Query), {})

    def get_queryset(self) -> QuerySet[Any]:
        """Leave out what no list shows and what can be large: the parameters of the debate of each row."""
        rows = super().get_queryset()
        return rows.defer(f"{self.debate_field}__parameters") if self.debate_field else rows

    def order(self, ordering: str) -> Order:
        """Return the order that was asked for, or the usual one.

        Raises: ``BadParameter`` for one that takes the rows of one debate where all are asked for.
        """
        name = ordering.lstrip("-")
        if self.sorts.get(name) and "debate" not in self.request.query_params:
            raise BadParameter({"ordering": [f"By {name} only the rows of debates are ordered: add debate."]})
        descending = ordering.startswith("-") if ordering else self.newest_first
        return Order(self.column, descending=descending, first=name if name in self.sorts else "")


class WriteView(IdempotentMixin, ApiView):
    """POST: one call of one use case, once for each Idempotency-Key."""

    @abstractmethod
    def act(self, row: Any, data: dict[str, Any]) -> Any:
        """Call the use case with ``row``, and return what it returns."""

    def answer(self, result: Any) -> Response:
        return self.respond(result)

    def version_after(self, data: Any) -> str:
        """Return the version that the next action has to name, read from an answer, given now or repeated."""
        return ""

    def location(self, data: Any) -> str:
        """Return the address of what was made, read from an answer, given now or repeated."""
        return f"{V1}/{self.tag.replace(' ', '-')}/{data['id']}/"

    def write(self, row: Any) -> Response:
        if self.if_match == "required" and etags.version_in(self.request) is None:
            raise etags.VersionNeeded
        data = self.read_body()
        return self.perform(lambda: self.act(row, data))

    def perform(self, act: Callable[[], Any]) -> Response:
        """Act and answer, or repeat what was answered before, with the headers that go with it."""
        answer = self.answer_once(act)
        if version := self.version_after(answer.data):
            answer.headers["ETag"] = etags.etag(version=version, digest="")
        if answer.status_code == status.HTTP_201_CREATED:
            answer.headers["Location"] = self.request.build_absolute_uri(self.location(answer.data))
        return answer

    def post(self, request: Request, **kwargs: Any) -> Response:
        return self.write(None)


class CreateView(WriteView):
    """POST what is new."""

    answers = status.HTTP_201_CREATED


class ActionView(WriteView):
    """POST something that is done to a row. Whether the caller may is asked before an answer is repeated, too."""

    def post(self, request: Request, **kwargs: Any) -> Response:
        try:
            row = self.get_object()
        except Http404:
            return self.perform(self.refuse)
        return self.write(row)

    def refuse(self) -> Never:
        """Say that there is no such row, to who was not answered before when there was."""
        raise Http404

    def reread(self) -> Response:
        assert self.queryset is not None  # noqa: S101 -- narrows the type
        return self.respond(self.queryset.all().get(public_id=self.kwargs["id"]))
