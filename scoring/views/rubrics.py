"""Pages of rubrics: read, compared, taken away as files, and written as new versions through the service of the API."""

import difflib
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from itertools import groupby
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.contrib.auth.mixins import PermissionRequiredMixin
from django.contrib.auth.views import RedirectURLMixin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.generic import DetailView, FormView, ListView, View

from debates.errors import NotPermitted
from debates.idempotent_forms import done_once
from debates.models import Debate
from debates.selectors import findable_debates
from debates.services.idempotency import StillRunning
from debates.unsaved_text import ReturnsUnsavedText, labels_in
from scoring import rubrics
from scoring.errors import Stale
from scoring.models import Rubric
from scoring.services import rubric_store
from scoring.views.rubric_form import CriterionFields, ImportForm, RubricFields, RubricForms, rearranged, typed

MAY_ADD = "scoring.add_rubric"
MAY_SEE_MAKERS = "scoring.view_rubric"
OPEN_UP_TO = 12
"""So many criteria are shown whole; of more, each opens by itself, or all of them do."""
MOST_DEBATES = 20
MOST_COMPARED = 1_000_000
"""Words of a text times words of the other, of all texts on a page together: what is above that is shown whole."""
TAKEN = "This slug is taken. Choose another, or look at what has it."
FILES = {"json": (rubrics.as_json, "application/json"), "yaml": (rubrics.as_yaml, "application/yaml; charset=utf-8")}


class RubricList(ListView[Rubric]):
    """Every rubric in its newest version, by name."""

    template_name = "rubrics/list.html"
    context_object_name = "rubrics"
    paginate_by = 50

    def get_queryset(self) -> QuerySet[Rubric]:
        query = self.query
        named = rubrics.newest().order_by("name", "slug").prefetch_related("criteria")
        return named.filter(name__icontains=query) | named.filter(slug__icontains=query) if query else named

    def paginate_queryset(self, queryset: Any, page_size: int) -> Any:
        """Show the nearest page, as other lists do."""
        paginator = self.get_paginator(queryset, page_size)
        page = paginator.get_page(self.request.GET.get(self.page_kwarg))
        return paginator, page, page.object_list, page.has_other_pages()

    @property
    def query(self) -> str:
        return self.request.GET.get("q", "").replace("\x00", "").strip()[:100]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        values = super().get_context_data(**kwargs)
        listed = [
            (rubric, list(rubrics.category_weights(criteria=rubrics.snapshot_of(rubric)["criteria"])))
            for rubric in values["rubrics"]
        ]
        return {**values, "listed": listed, "query": self.query, "may_add": self.request.user.has_perm(MAY_ADD)}


class OneVersion(DetailView[Rubric]):
    """One version of a rubric, by its public id."""

    slug_field, slug_url_kwarg = "public_id", "id"
    context_object_name = "rubric"
    queryset = Rubric.objects.select_related("created_by").prefetch_related("criteria")


class RubricPage(OneVersion):
    """A version with its criteria by category, its other versions, and the debates that were made with it."""

    template_name = "rubrics/rubric.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rubric, user = self.object, self.request.user
        versions = list(versions_of(rubric))
        snapshot, same_slug = rubrics.snapshot_of(rubric), made_with(rubric, visitor=user)
        debates = same_slug.filter(parameters__rubric=snapshot)
        whole = rubric.criteria_count <= OPEN_UP_TO or self.request.GET.get("open") == "all"
        return {
            **super().get_context_data(**kwargs),
            "categories": rubrics.by_category(snapshot),
            "whole": whole,
            "versions": versions,
            "newest": versions[0],
            "earlier": next((other for other in versions if other.version < rubric.version), None),
            "debates": debates.order_by("-id")[:MOST_DEBATES],
            "debates_count": debates.count(),
            "others_count": same_slug.count(),
            "may_add": user.has_perm(MAY_ADD),
            "may_follow": may_follow(versions[0], by=user),
            "sees_makers": user.has_perm(MAY_SEE_MAKERS),
        }


class ComparedVersions(OneVersion):
    """A version beside another one of the same rubric, or of any: what is otherwise, text by text."""

    template_name = "rubrics/compare.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rubric = self.object
        versions = list(versions_of(rubric))
        chosen = self.request.GET.get("with", "")
        if chosen:
            before = get_object_or_404(self.get_queryset(), public_id=uuid_of(chosen))
        else:
            before = next((row for row in versions if row.version < rubric.version), rubric)
        differences = rubrics.differences(before=rubrics.snapshot_of(before), after=rubrics.snapshot_of(rubric))
        left, rows = MOST_COMPARED, []
        for row in differences:
            fields = []
            for name, texts in row.fields.items():
                old, new = (pieces(text) for text in texts)
                left -= len(old) * len(new)
                whole = not old or not new or left < 0
                shown_whole = ([(row.kind == "changed", text)] if text else [] for text in texts)
                fields.append((name, *(shown_whole if whole else marked(old, new))))
            rows.append((row, fields))
        kinds: list[str] = [row.kind for row in differences if row.code]
        counts = {kind: kinds.count(kind) for kind in ("changed", "added", "removed")}
        first = not chosen and before == rubric
        values = {"before": before, "first": first, "versions": versions, "differences": rows, "counts": counts}
        return {**super().get_context_data(**kwargs), **values}


class RubricFile(OneVersion):
    """A version as the file that makes it again, here or elsewhere."""

    def render_to_response(self, context: Mapping[str, Any], **_options: Any) -> HttpResponse:
        rubric, kind = self.object, self.kwargs["kind"]
        if kind not in FILES:
            raise Http404("Rubrics are files of JSON and YAML.")
        write, media_type = FILES[kind]
        name = f"{rubric.slug}.v{rubric.version}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(write(rubrics.snapshot_of(rubric)), content_type=media_type, headers=headers)


def versions_of(rubric: Rubric) -> QuerySet[Rubric]:
    return Rubric.objects.select_related("created_by").filter(slug=rubric.slug).order_by("-version")


def made_with(rubric: Rubric, *, visitor: Any) -> QuerySet[Debate]:
    """Return the debates that were made with a rubric of this slug: in any version, or from a file."""
    return findable_debates(visitor=visitor).filter(parameters__rubric__slug=rubric.slug)


def may_follow(newest: Rubric, *, by: Any) -> bool:
    try:
        rubric_store.may_store(by=by, newest=newest)
    except NotPermitted:
        return False
    return True


def uuid_of(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404("There is no such version.") from error


Segments = Sequence[tuple[bool, str]]


def pieces(text: str) -> Sequence[str]:
    return ["".join(letters) for _, letters in groupby(text, str.isspace)]


def marked(old: Sequence[str], new: Sequence[str]) -> tuple[Segments, Segments]:
    """Return the words of two texts, each run of them with whether the other text lacks it."""
    left, right = [], []
    for kind, start, end, new_start, new_end in difflib.SequenceMatcher(str.isspace, old, new).get_opcodes():
        left.append((kind != "equal", "".join(old[start:end])))
        right.append((kind != "equal", "".join(new[new_start:new_end])))
    return [pair for pair in left if pair[1]], [pair for pair in right if pair[1]]


# Writing.


class Writing(ReturnsUnsavedText, RedirectURLMixin, PermissionRequiredMixin):
    """What leads to a rubric in a form. Whoever came with an address of ours in ``next`` is sent back there."""

    permission_required = MAY_ADD

    def page(self, forms: RubricForms, *, seen: int | None, status: int = HTTPStatus.OK, **values: Any) -> HttpResponse:
        values |= {"forms": forms, "seen": seen, "next": self.get_redirect_url(), "once": token_urlsafe()}
        return render(self.request, "rubrics/form.html", values, status=status)


class Editor(Writing, View):
    """A rubric in a form. Rows are added, removed and moved by buttons of the form; nothing typed is lost by any.

    Whoever is sent back to an address of ours comes with the slug of what was stored.
    """

    @classmethod
    def labels(cls, **_address: Any) -> dict[str, str]:
        return {**labels_in(RubricFields), **labels_in(CriterionFields)}

    def answer(self, request: HttpRequest, *, of: Rubric | None) -> HttpResponseBase:
        """Store what was sent, or send it back with a row more or less, or with what is wrong with it."""
        how = request.POST.get("do", "")
        seen = number_in(request.POST.get("over") or request.POST.get("seen", "")) if of else None
        fixed = {"slug": of.slug} if of else {}
        if how not in {"", "save"}:
            sent = typed(request.POST) | fixed
            sent["criteria"] = rearranged(sent["criteria"], how=how)
            return self.page(RubricForms(initial=sent, fixed=fixed), seen=seen, of=of, opened=opened(how, sent))
        forms = RubricForms(data=request.POST, fixed=fixed)
        snapshot = forms.snapshot()
        values: dict[str, Any] = {"of": of}
        if snapshot is not None:
            try:
                store = partial(rubric_store.store.once, snapshot=snapshot, by=request.user, seen=seen)
                address, _ = done_once(request, store, answer=self.address_onward)
            except (NotPermitted, Stale, StillRunning) as refused:
                values |= {"newest": rubric_store.newest_of(slug=snapshot["slug"]), "refusal": refused}
                if of is None and values["newest"] and not isinstance(refused, StillRunning):
                    forms.rubric.add_error("slug", ValidationError(TAKEN, code=refused.code))
                elif of is None:
                    forms.rubric.add_error("slug", ValidationError(refused.message, code=refused.code))
            else:
                return HttpResponseRedirect(address)
        return self.page(forms, seen=seen, status=HTTPStatus.UNPROCESSABLE_ENTITY, **values)

    def address_onward(self, stored: Rubric) -> str:
        back = urlsplit(self.get_redirect_url())
        if back.path:
            return back._replace(query=urlencode({"rubric": stored.slug}), fragment="rubric").geturl()
        return reverse("rubric", args=[stored.public_id])


class NewRubric(Editor):
    """A rubric under a slug that is free, from nothing or from another one."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        start = request.GET.get("from", "")
        if not start:
            return self.page(RubricForms(), seen=None, opened=1)
        model = get_object_or_404(Rubric.objects.prefetch_related("criteria"), public_id=uuid_of(start))
        initial = rubrics.snapshot_of(model) | {"slug": "", "name": f"{model.name} (copy)"[:120]}
        return self.page(RubricForms(initial=initial), seen=None, model=model)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        return self.answer(request, of=None)


class NextVersion(Editor):
    """The version after the newest one, which is what the form begins with."""

    def of(self) -> Rubric:
        version = get_object_or_404(Rubric, public_id=self.kwargs["id"])
        newest = rubric_store.newest_of(slug=version.slug)
        assert newest is not None  # noqa: S101 -- there is at least the version that was asked for
        try:
            rubric_store.may_store(by=self.request.user, newest=newest)
        except NotPermitted as refused:
            raise PermissionDenied(refused.message) from refused
        return newest

    def get(self, request: HttpRequest, id: UUID) -> HttpResponseBase:
        newest = self.of()
        initial = rubrics.snapshot_of(newest)
        return self.page(RubricForms(initial=initial, fixed={"slug": newest.slug}), seen=newest.version, of=newest)

    def post(self, request: HttpRequest, id: UUID) -> HttpResponseBase:
        return self.answer(request, of=self.of())


class ImportRubric(Writing, FormView[ImportForm]):
    """A rubric from a file: read, and put into the form, where it is looked at and saved."""

    template_name = "rubrics/import.html"
    form_class = ImportForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"label_suffix": ""}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"next": self.get_redirect_url()}

    def form_valid(self, form: ImportForm) -> HttpResponse:
        snapshot = form.cleaned_data["rubric"]
        newest = rubric_store.newest_of(slug=snapshot["slug"])
        if newest is not None and not may_follow(newest, by=self.request.user):
            why = f"There is a rubric {newest.slug!r} of somebody else. Give yours another slug."
            form.add_error("text", ValidationError(why, code=NotPermitted.code))
            return self.form_invalid(form)
        forms = RubricForms(initial=snapshot, fixed={"slug": newest.slug} if newest else {})
        return self.page(forms, seen=newest.version if newest else None, of=newest, imported=True)

    def form_invalid(self, form: ImportForm) -> HttpResponse:
        """Answer with everything that was sent, as text, also what came as a file."""
        form.data = {**form.data.dict(), "text": form.content} if isinstance(form.data, QueryDict) else form.data
        values = self.get_context_data(form=form)
        return self.render_to_response(values, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def number_in(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 6 else None


def opened(how: str, rubric: Mapping[str, Any]) -> int:
    """Return which criterion is open after a row was added or moved, counted from 1; 0 for none."""
    what, _, number = how.partition("-")
    if what == "add":
        return len(rubric["criteria"])
    return (number_in(number) or 0) + {"up": -1, "down": 1}.get(what, 0) if what in {"up", "down"} else 0
