"""The admin site: who may enter, how its pages are grouped, and what it says about where one is."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import get_fields_from_path
from django.core.exceptions import PermissionDenied
from django.db.models import DateField, Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse, reverse_lazy
from django.utils import timezone

from debates.reauthentication import and_back

DAILY = (
    ("Work", ("Review", "Alert", "Appeal", "Approval", "RescoreSet", "Evaluation", "ScoreChange", "Conflict")),
    ("Debates", ("Debate", "Subject")),
    ("People", ("User", "Group", "EmailAddress", "Authenticator")),
    ("Settings", ("Rubric", "ApiKey", "Webhook")),
)
"""What moderators and operators do: the sidebar, before the one page that leads to every other table."""
RECORDS = (
    ("Debates", ("Participant", "Thread", "Round", "Turn", "AwaitedTurn", "Ballot", "Synthesis", "Event", "EventHead")),
    (
        "Judging",
        (
            "Challenge", "Defence", "Verdict", "ResponseEvaluation", "Effect", "ParticipantState", "Standing",
            "JudgeReport", "JudgeScore", "Consensus",
        ),
    ),
    ("Ledger", ("Fact", "Actor", "Reason", "Erasure", "Criterion")),
    ("Engine", ("Call", "CallUnderWay", "CachedJudgement", "Claim", "Script", "ProcrastinateJob")),
    ("Interfaces", ("Delivery", "IdempotencyKey", "Mail", "MailStop", "LogEntry")),
)  # fmt: skip
"""Tables of rows that are looked up now and then."""
ELSEWHERE = "Others"
"""Where tables stand that no group names."""


class OfferedLookups(admin.ModelAdmin[Any]):
    """A list that can be asked what its filters ask, and nothing else: any other lookup would spell out hidden columns.

    An admin that has ``linked_by`` names there what links from other pages ask besides. Yes and no are words: Django's
    icons would show a red cross where no is as it should be.
    """

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        from debates.admin.read_only import in_words  # noqa: PLC0415 -- the site exists before the models do

        return [in_words(name, model=self.model) for name in super().get_list_display(request)]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        filters = () if request is None else self.get_list_filter(request)
        return lookup in getattr(self, "linked_by", ()) or lookup in set(offered(filters, model=self.model))


def offered(filters: Iterable[Any], *, model: type[Model]) -> Iterator[str]:
    """Return the parameters that the filters of a list bring, as Django's own filters name them."""
    for item in filters:
        if isinstance(item, type):
            yield item.parameter_name  # type: ignore[attr-defined]  # of a SimpleListFilter, as every class here is
            continue
        name = item[0] if isinstance(item, tuple) else item
        field: Any = get_fields_from_path(model, name)[-1]
        exact = f"{field.target_field.name}__exact" if field.is_relation else "exact"
        bounds = ("gte", "lt") if isinstance(field, DateField) else ()
        empty = ("isnull",) if field.null or field.many_to_many else ()
        yield from (f"{name}__{lookup}" for lookup in (exact, *empty, *bounds))


class ModerationSite(admin.AdminSite):
    """Django's admin with Moot's order, sign-in and dashboard. Everything that moves a score goes through services."""

    site_header = "Moot moderation"
    site_title = "Moot moderation"
    index_title = "Desk"
    index_template = "admin/desk.html"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register an admin of ours or of a library, with no lookup open but those that its list offers."""
        base = admin_class or admin.ModelAdmin
        narrow = type(base.__name__, (OfferedLookups, base), {"__module__": base.__module__, "__doc__": base.__doc__})
        super().register(model_or_iterable, narrow, **options)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the one page that signs in, or on to what was asked for; Django's own form is for nobody.

        Whoever owes the second factor is nobody here, and is led on to where it is given.

        Raises: ``PermissionDenied`` for whoever is signed in and has no business here.
        """
        target = get_next_redirect_url(request) or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect(and_back(reverse("account_login"), target))
        if not self.has_permission(request):
            raise PermissionDenied("Your account is none of the staff, which this page is for.")
        return redirect(target)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 -- Django's
        """Answer what names a character that no text in the database has as what is not there."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
                raise Http404
            return guarded(request, *args, **kwargs)

        return answered

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Lead to the page on which a wrong present password counts."""
        return redirect("account_change_password")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "environment": settings.ENVIRONMENT_LABEL}

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        # Imported here because the site exists before the models do.
        from config import dashboard  # noqa: PLC0415

        board = dashboard.board(user=request.user, now=timezone.now())
        return super().index(request, {**board, **(extra_context or {})})

    def get_urls(self) -> list[Any]:
        return [path("records/", self.admin_view(self.records), name="records"), *super().get_urls()]

    def records(self, request: HttpRequest) -> TemplateResponse:
        """Show every table of rows that the sidebar does not lead to, by what it is about."""
        groups = [_group(title, rows, {}) for title, rows in _placed(self._pages(request), RECORDS).items() if rows]
        context = {**self.each_context(request), "title": "Records", "groups": groups}
        return TemplateResponse(request, "admin/records.html", context)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return what moderators do in Moot's groups, with the number of open things, and the way to the records."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        from config import dashboard  # noqa: PLC0415 -- as above

        pages, counts = self._pages(request), dashboard.open_counts(request.user)
        daily = [_group(title, rows, counts) for title, rows in _placed(pages, DAILY).items() if rows]
        return [*daily, RECORDS_PAGE] if any(_placed(pages, RECORDS).values()) else daily

    def _pages(self, request: HttpRequest) -> dict[str, dict[str, Any]]:
        """Return the tables that somebody may open, by the names of their models."""
        return {model["object_name"]: model for app in super().get_app_list(request) for model in app["models"]}


RECORDS_PAGE = {
    "name": "Records",
    "app_label": "records",
    "app_url": reverse_lazy("admin:records"),
    "has_module_perms": True,
    "models": [
        {
            "name": "Tables of rows",
            "object_name": "Records",
            "admin_url": reverse_lazy("admin:records"),
            "add_url": None,
            "view_only": True,
            "perms": {"view": True},
        }
    ],
}
"""The one page of the sidebar that leads to all tables of rows."""


def _placed(
    pages: Mapping[str, dict[str, Any]], groups: Sequence[tuple[str, Sequence[str]]]
) -> dict[str, list[dict[str, Any]]]:
    """Return pages in these groups; what neither the daily ones nor the records name is among the records."""
    placed = {title: [pages[name] for name in names if name in pages] for title, names in groups}
    if groups is RECORDS:
        named = {name for _, names in (*DAILY, *RECORDS) for name in names}
        placed[ELSEWHERE] = [page for name, page in pages.items() if name not in named]
    return placed


def _group(title: str, rows: list[dict[str, Any]], counts: dict[str, str]) -> dict[str, Any]:
    for row in rows:
        waiting = counts.get(row["object_name"])
        row["name"] = f"{row['name']} ({waiting})" if waiting else row["name"]
    return {"name": title, "app_label": title.lower(), "app_url": "", "has_module_perms": True, "models": rows}
