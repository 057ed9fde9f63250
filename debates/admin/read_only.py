"""Admin pages of what is kept for ever: they show everything and change nothing."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.contrib.admin.utils import get_fields_from_path, unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.text import capfirst

from debates.decimals import written
from debates.models import Debate

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=Model)


MOST_PAGED = 2_000
"""How many rows of a list are paged through, and counted: counting a million takes longer than finding fifty."""
OLDEST_FIRST = "oldest"


class BoundedPaginator(Paginator[M]):
    """Pages of the first ``MOST_PAGED`` rows of a list, as quick however many there are."""

    object_list: QuerySet[M, M]

    @cached_property
    def count(self) -> int:
        return min(self.counted, MOST_PAGED)

    @cached_property
    def counted(self) -> int:
        """Return how many rows there are, but no more than one too many."""
        return self.object_list.order_by().values("pk")[: MOST_PAGED + 1].count()

    @property
    def is_cut(self) -> bool:
        return self.counted > MOST_PAGED

    def page(self, number: int | str) -> Page[M]:
        """Return a page; the rows before it are passed by in an index, without what is shown beside each."""
        number = self.validate_number(number)
        bottom = (number - 1) * self.per_page
        if not bottom:
            return super().page(number)
        keys = self.object_list.values("pk")[bottom : min(bottom + self.per_page, self.count)]
        return Page(self.object_list.filter(pk__in=keys), number, self)


def by_age(rows: admin.ModelAdmin[Any]) -> bool:
    """Say whether a list shows what came last first, unless somebody sorts it."""
    return tuple(rows.ordering or rows.opts.ordering or ()) == ("-id",)


class KeptList(ChangeList):
    """A list that can be turned round, so that its oldest rows are as near as its newest."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """Leave out what no list shows and can be large: the parameters of the debate of each row."""
        rows = super().get_queryset(request, exclude_parameters)
        related = cast("Sequence[str]", self.list_select_related)
        joined = [(path, get_fields_from_path(self.model, path)[-1]) for path in related]
        unread = [f"{path}__parameters" for path, field in joined if field.related_model is Debate]
        return rows.defer(*unread, *(["parameters"] if self.model is Debate else []))

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if not self.result_count:  # to look for what is not there takes longest
            self.result_list = self.queryset.none()

    def get_filters_params(self, params: dict[str, Any] | None = None) -> dict[str, Any]:
        own: dict[str, Any] = super().get_filters_params(params)
        own.pop(OLDEST_FIRST, None)
        return own

    @property
    def turned(self) -> str:
        """Return the address of the list the other way round; nothing where it is not by age."""
        if not by_age(self.model_admin):
            return ""
        if OLDEST_FIRST in self.params:
            return str(self.get_query_string(remove=[OLDEST_FIRST]))
        return str(self.get_query_string({OLDEST_FIRST: ""}))


def as_lines(value: object) -> str:
    return format_html('<pre tabindex="0">{}</pre>', json.dumps(value, indent=2, ensure_ascii=False, default=str))


WORDS: Mapping[type[models.Field[Any, Any]], Callable[[Any], str]] = {
    models.DecimalField: partial(written, least=2),
    models.BooleanField: lambda value: "yes" if value else "no",
    models.JSONField: as_lines,
    models.BinaryField: lambda value: bytes(value).hex(),
}
"""How values are shown: Django's icon for no is a red cross where no is as it should be."""


@cache
def written_column(column: models.Field[Any, Any]) -> Callable[[Model], str]:
    @admin.display(description=column.verbose_name, ordering=column.name)
    def shown(row: Model) -> str:
        value = getattr(row, column.name)
        return "-" if value is None else WORDS[type(column)](value)

    shown.__name__ = f"{column.name}_shown"
    return shown


def in_words(name: Any, *, model: type[Model]) -> Any:
    """Return what a page shows in place of a column: numbers without needless places, yes and no as words, lines."""
    columns = {field.name: field for field in model._meta.concrete_fields}  # noqa: SLF001 -- Django's public name
    column = columns.get(name) if isinstance(name, str) else None
    return written_column(column) if type(column) in WORDS else name


class ReadOnly(admin.ModelAdmin[M]):
    """Rows that are only looked at, newest first. Whoever tries to delete one is told why it stays.

    ``about`` says above the list what its rows are, where their name does not. A list reads with its rows what its own
    columns refer to; ``list_select_related`` is what it needs besides. The page of a row leaves out ``hidden`` columns,
    and shows ``extra`` ones, or methods, last.
    """

    kept_because: ClassVar[str] = "It is part of a history that is kept; nothing of it can be deleted."
    about: ClassVar[str] = ""
    hidden: ClassVar[Sequence[str]] = ()
    extra: ClassVar[Sequence[str]] = ()
    ordering: ClassVar[tuple[str, ...]] = ("-id",)
    actions: Sequence[Any] | None = None
    show_full_result_count = False
    list_per_page = 50
    paginator = BoundedPaginator
    list_select_related: ClassVar[tuple[str, ...]] = ()

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        related = [column.name for column in self.opts.concrete_fields if column.is_relation]
        return [*self.list_select_related, *(name for name in related if name in self.list_display)]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return KeptList

    def get_ordering(self, request: HttpRequest) -> list[str] | tuple[str, ...] | tuple[()]:
        return ("id",) if OLDEST_FIRST in request.GET and by_age(self) else super().get_ordering(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Name the list by what is in it: there is more to do than to select."""
        own = {"title": capfirst(str(self.opts.verbose_name_plural)), "about": self.about}
        titled = {**own, **(extra_context or {})}
        answer: HttpResponse = super().changelist_view(request, titled)
        return answer

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Answer whoever may look at no row alike, also of one that is not theirs to find."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        answer: HttpResponse = super().history_view(request, object_id, extra_context)
        return answer

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Say why a row is kept, and go back to it."""
        row = self.get_object(request, unquote(object_id))
        if row is None or not self.has_view_permission(request, row):
            raise PermissionDenied
        self.message_user(request, f"{row} was not deleted. {self.kept_because}", messages.ERROR)
        return HttpResponseRedirect(self.address("change", object_id))

    def _named(self, view: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{view}"

    def address(self, view: str, *args: object) -> str:
        return reverse(f"{self.admin_site.name}:{self._named(view)}", args=args)

    def page_response(
        self, request: HttpRequest, template: str, *, form: forms.Form | None = None, **context: Any
    ) -> TemplateResponse:
        """Return a page of ours within the admin, with a form as Django's pages show one."""
        own: dict[str, Any] = {**self.admin_site.each_context(request), "opts": self.opts}
        if form is not None:
            fields = [field.name for field in form.visible_fields()]
            adminform = AdminForm(form, [(None, {"fields": fields})], {}, model_admin=self)  # type: ignore[arg-type]  # any form
            own |= {"form": form, "adminform": adminform}
        return TemplateResponse(request, template, own | context)

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: M | None = None) -> list[Any]:
        """Return every column, also those that no form may hold."""
        columns = [column for column in self.opts.concrete_fields if column.name not in self.hidden]
        columns.sort(key=lambda column: isinstance(column, models.JSONField))  # what takes many lines comes last
        names = [*(column.name for column in columns), *self.extra]
        return [in_words(name, model=self.model) for name in names]

    def get_readonly_fields(self, request: HttpRequest, obj: M | None = None) -> list[Any]:
        return self.get_fields(request, obj)


class MadeOnPages(ReadOnly[M]):
    """Rows that are made and shown on pages of their own, whose names in ``urls`` these are; the admin leads there."""

    made_at: ClassVar[str]
    shown_at: ClassVar[str]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.add_{self.opts.model_name}")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to where such rows are made."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(reverse(self.made_at))

    def view_on_site(self, obj: Any) -> str:
        return reverse(self.shown_at, args=[obj.public_id])


class ReadOnlyInline(admin.TabularInline[M, P]):
    """Rows that belong to another, only looked at."""

    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return list(self.fields or ())


def shortened(text: str, *, longest: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
