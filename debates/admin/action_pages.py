"""Actions as pages of their own: a form on GET, one call of a service on POST, refusals told on the page."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, cast

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme

from debates.admin.read_only import ReadOnly
from debates.errors import DomainError
from debates.form_fields import LinesField
from debates.reauthentication import ask_for_proof, proved_lately
from debates.services import rights
from debates.services.idempotency import in_one_transaction
from debates.types import LONGEST_REASON

M = TypeVar("M", bound=Model)
PREVIEW, PART = "_preview", "_part"
CAME_FROM = "next"
REFUSED = "refused_in"
"""Where a request keeps why whoever asks moderates nothing in a debate."""


class StaffRequest(HttpRequest):
    """A request that the admin has let in: somebody of the staff asks."""

    user: User


class ActionForm(forms.Form):
    """Nothing to fill in: the page asks only whether one is sure."""


NOTE_HELP = "For moderators alone. It is shown on no public page, and in no document, stream, export or mail."


def note_field(**options: Any) -> LinesField:
    widget = forms.Textarea(attrs={"rows": options.pop("rows", 2), "cols": 60})
    return LinesField(required=False, max_length=LONGEST_REASON, widget=widget, help_text=NOTE_HELP, **options)


class ReasonForm(ActionForm):
    """Why, in words for everybody: they stay in the ledger beside what was done; and a note that nobody else reads."""

    reason = LinesField(
        min_length=10,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text="At least 10 characters. It is kept for good, and shown to everybody who may read the debate.",
    )
    note = note_field(label="Internal note")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done: ``told`` to whoever did it, ``logged`` in Django's history, and the page to go to next."""

    told: str
    logged: str
    goes_to: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """Why an action would be refused whatever is filled in; ``instead`` names the page to go on at, where one is."""

    why: str
    instead: str = ""


class Page(Generic[M]):
    """One action on one row. What it may not do the service refuses; the page only asks, shows and tells."""

    name: str
    title: str
    button: str = ""
    says: str = ""
    form_class: type[forms.Form] = ActionForm
    template: ClassVar[str] = "admin/act.html"
    part: ClassVar[str] = ""
    """The template of what an action would change, alone, for a form that stands on another page."""
    previews: bool = False
    grave: bool = False
    proof: ClassVar[bool] = False
    """Whether who asks must have proved lately to be here still."""

    @abstractmethod
    def may(self, request: StaffRequest, row: M) -> bool:
        """Say whether somebody may do this at all."""

    def called(self, request: StaffRequest, row: M) -> str:
        """Return what the page is called to somebody: its title, unless the row is their own."""
        return self.title

    def closed(self, request: StaffRequest, row: M) -> Closed | None:
        """Say why there is nothing to do now, if so: the link to the page is not shown then, nor its form."""
        return None

    def moderates(self, request: StaffRequest, row: M) -> bool:
        """Say whether somebody does this as a moderator, so that it is refused where they are a party."""
        return False

    def form(self, request: StaffRequest, row: M, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        """Return the form as it is for whoever asks, filled in as far as the address says."""
        return self.form_class(data, initial={**initial, **self.seen(request, row)})

    def context(self, *, request: StaffRequest, row: M, form: forms.Form) -> dict[str, Any]:
        return {}

    def moved(self, row: M, *, form: forms.Form) -> str:
        """Say what was done to a row since whoever sends a form has read its page, where the action asks for that."""
        return ""

    def seen(self, request: StaffRequest, row: M) -> Mapping[str, str]:
        """Return which state of a row a form is about, as its hidden fields say it to whoever asks."""
        return {}

    def look_again(self, request: StaffRequest, row: M, *, form: forms.Form) -> forms.Form:
        """Keep what was written, now about the row as the page shows it."""
        data = form.data.copy()  # type: ignore[attr-defined]  # a QueryDict
        for name, state in self.seen(request, row).items():
            data[name] = state
        return self.form(request, row, data=data, initial={})

    @abstractmethod
    def act(self, *, request: StaffRequest, row: M, cleaned_data: Mapping[str, Any]) -> Outcome:
        """Call the service."""


@dataclass(frozen=True, slots=True)
class InlineAction:
    """An action with its form on another page than its own, and the key that opens it."""

    name: str
    title: str
    address: str
    form: forms.Form
    page: Page[Any]
    key: str = ""
    opened: bool = False


class Acting(ReadOnly[M]):
    """An admin whose rows have pages to act on. They come before Django's own addresses, outside any transaction."""

    pages: ClassVar[Sequence[Page[Any]]] = ()
    change_form_template = "admin/acted_on.html"

    def get_urls(self) -> list[Any]:
        return [*(self._address(page) for page in self.pages), *super().get_urls()]

    def _address(self, page: Page[Any]) -> Any:
        view = self.admin_site.admin_view(partial(self.act_view, page=page))
        return path(f"<path:object_id>/{page.name}/", view, name=self._named(page.name))

    def act_view(self, request: StaffRequest, object_id: str, *, page: Page[Any]) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            gone: HttpResponse = self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined]  # Django's own
            return gone
        if not page.may(request, row):
            raise PermissionDenied
        if page.proof and not proved_lately(request):
            return ask_for_proof(request)
        data = request.POST if request.method == "POST" else None
        form = page.form(request, row, data=data, initial=given_by(request))
        if data is not None and PART not in data and (moved := page.moved(row, form=form)):
            form = told_first(moved, form=page.look_again(request, row, form=form))
        elif data is not None and PREVIEW not in data and form.is_valid():
            try:
                return self._act(request, row, page=page, cleaned_data=form.cleaned_data)
            except DomainError as refusal:
                row = self.get_object(request, unquote(object_id)) or row
                form = told_first(refusal.message, form=page.look_again(request, row, form=form))
        return self._shown(request, row, page=page, form=form)

    def _act(self, request: StaffRequest, row: M, *, page: Page[Any], cleaned_data: Mapping[str, Any]) -> HttpResponse:
        with in_one_transaction():
            done = page.act(request=request, row=row, cleaned_data=cleaned_data)
            self.log_change(request, row, done.logged)
        self.message_user(request, done.told, messages.SUCCESS)
        return HttpResponseRedirect(done.goes_to or came_from(request) or self.address("change", row.pk))

    def _shown(self, request: StaffRequest, row: M, *, page: Page[Any], form: forms.Form) -> HttpResponse:
        if PREVIEW in request.POST:
            form.errors.pop("reason", None)
        closed = self.closed(request, row, page=page)
        context = {
            "original": row,
            "title": page.called(request, row),
            "subtitle": self.named(row),
            "page": page,
            "closed": None if form.is_bound else closed,
            "instead": self._instead(request, row, closed),
            "back": came_from(request) or self.address("change", row.pk),
            "came_from": came_from(request),
            **page.context(request=request, row=row, form=form),
        }
        template = page.part if PART in request.POST and page.part else page.template
        return self.page_response(request, template, form=form, **context)

    def _instead(self, request: StaffRequest, row: M, closed: Closed | None) -> tuple[str, str] | None:
        """Return the page to go on at where this one is closed: its address and what it is called."""
        named = {page.name: page for page in self.pages}
        page = named.get(closed.instead) if closed else None
        if page is None or not self.offered(request, row, page=page):
            return None
        return self.address(page.name, row.pk), page.called(request, row)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Offer, besides what Django shows, the actions that one may take and that make sense now."""
        more = extra_context or {}
        row = self.get_object(request, unquote(object_id)) if self.has_view_permission(request) else None
        if row is not None:
            staff = cast("StaffRequest", request)
            own = {"subtitle": self.named(row), "offers": list(self.offers(staff, row))}
            more = {**own, **self.desk(staff, row), **more}
        return super().change_view(request, object_id, form_url, more)

    def get_fieldsets(self, request: HttpRequest, obj: M | None = None) -> list[Any]:
        """Fold the columns away: the page above them says what they mean."""
        return [("All columns", {"fields": self.get_fields(request, obj), "classes": ["collapse"]})]

    def debate_of(self, row: M) -> int | None:
        """Return the debate to which a row belongs, where it does."""
        return getattr(row, "debate_id", None)

    def refused(self, request: StaffRequest, row: M) -> DomainError | None:
        """Return why somebody moderates nothing in the debate of a row; asked once for each debate and request."""
        debate, known = self.debate_of(row), vars(request).setdefault(REFUSED, {})
        if debate is not None and debate not in known:
            known[debate] = rights.refused(by=request.user, debates=[debate]).get(debate)
        refusal: DomainError | None = known.get(debate)
        return refusal

    def closed(self, request: StaffRequest, row: M, *, page: Page[Any]) -> Closed | None:
        """Say why an action would be refused: to a party whatever the row is like."""
        refusal = self.refused(request, row)
        return Closed(refusal.message) if refusal and page.moderates(request, row) else page.closed(request, row)

    def offered(self, request: StaffRequest, row: M, *, page: Page[Any]) -> bool:
        return page.may(request, row) and self.closed(request, row, page=page) is None

    def offers(self, request: StaffRequest, row: M) -> Iterator[tuple[str, str]]:
        for page in self.pages:
            if self.offered(request, row, page=page):
                yield self.address(page.name, row.pk), page.called(request, row)

    def inline(
        self, request: StaffRequest, row: M, *, names: Mapping[str, str], opened: Collection[str] = ()
    ) -> list[InlineAction]:
        """Return the actions that are offered now, with forms whose fields are told apart on one page.

        Shape: ``names`` is {name of a page: the key that opens its form, or nothing}; ``opened`` are names.
        """
        actions = []
        for page in self.pages:
            if page.name in names and self.offered(request, row, page=page):
                form = page.form(request, row, data=None, initial={})
                form.auto_id = f"{page.name}{row.pk}_%s"
                address, called = self.address(page.name, row.pk), page.called(request, row)
                actions.append(
                    InlineAction(page.name, called, address, form, page, names[page.name], page.name in opened)
                )
        return actions

    def named(self, row: M) -> str:
        return str(row)

    def desk(self, request: StaffRequest, row: M) -> dict[str, Any]:
        return {}


def came_from(request: HttpRequest) -> str:
    """Return the page of this site that asked for an action, to go back to; nothing where none is named."""
    asked: str = request.POST.get(CAME_FROM) or request.GET.get(CAME_FROM) or ""
    own = url_has_allowed_host_and_scheme(asked, allowed_hosts=None, require_https=request.is_secure())
    return asked if own and asked.startswith("/") else ""


def given_by(request: HttpRequest) -> dict[str, Any]:
    """Return what the address of a page fills in: one value as it is, several as a list."""
    return {name: values if len(values) > 1 else values[0] for name, values in request.GET.lists() if values}


def told_first(moved: str, *, form: forms.Form) -> forms.Form:
    """Say in place of a choice that is none any more what was done meanwhile, by which it ceased to be one."""
    form.add_error(None, moved)
    for name, field in form.fields.items():
        if isinstance(field, forms.ChoiceField):
            form.errors.pop(name, None)
    return form


def filled_in(form: forms.Form) -> dict[str, Any]:
    """Return what a form holds so far and can be read, sent or not."""
    if form.is_bound:
        form.is_valid()
        return form.cleaned_data
    values = {}
    for name, field in form.fields.items():
        try:
            values[name] = field.clean(form.get_initial_for_field(field, name))
        except ValidationError:
            continue
    return values
