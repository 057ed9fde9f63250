"""A new debate, step by step: which format, what it is about, who takes part, how it is played; then it is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any, cast
from uuid import UUID

from django.contrib.auth.mixins import LoginRequiredMixin, PermissionRequiredMixin
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.generic import TemplateView, View

from debates.errors import DomainError, NotFound
from debates.idempotent_forms import done_before, done_once
from debates.services.idempotency import RequestRecord, StillRunning
from debates.unsaved_text import ReturnsUnsavedText, label_of
from judging.engine import creation
from judging.engine.creation import Fault
from judging.engine.selectors import script_is_sealed
from judging.formats.base import Format
from judging.formats.forms import FormPage, FormStep, RowsForm, RubricChoiceForm, StepForm, labels_of, without
from judging.formats.open.api import TableForm, preset_chairs
from judging.formats.registry import FORMATS, format_of
from judging.models import NewDebate, Script
from judging.rules import frameworks
from scoring import rubrics
from scoring.models import Rubric
from scoring.views.rubrics import MAY_ADD, OPEN_UP_TO, may_follow


class Organises(ReturnsUnsavedText, LoginRequiredMixin, PermissionRequiredMixin, View):
    """A page for whoever may make debates: others are sent to sign in, or told that they may not."""

    permission_required = creation.MAY_CREATE

    def handle_no_permission(self) -> HttpResponseRedirect:
        """Send who is not signed in to where one does; tell all others that they may not."""
        self.raise_exception = self.request.user.is_authenticated
        return super().handle_no_permission()

    @property
    def person(self) -> User:
        return cast("User", self.request.user)


def filled_in(request: HttpRequest, begin: Callable[[RequestRecord | None], NewDebate]) -> HttpResponse:
    """Lead to where a new debate is filled in: while it is there to one, however often its form is sent."""
    public_id, _ = done_once(request, begin, answer=lambda new: str(new.public_id))
    new = NewDebate.objects.filter(public_id=public_id).first() or begin(None)
    return redirect("new-debate-step", new.public_id, format_of(new.format).steps[0].name)


class ChooseFormat(Organises, TemplateView):
    """The formats, with what each is for; and what was begun before."""

    template_name = "new_debate/format.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        begun = [(new, format_of(new.format)) for new in NewDebate.objects.filter(owner=self.person)]
        offered = [format_ for format_ in FORMATS.values() if format_.steps]
        return super().get_context_data(formats=offered, begun=begun, once=token_urlsafe(), **kwargs)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Begin a debate of the format that was chosen."""
        name = request.POST.get("format", "")
        if name not in FORMATS or not FORMATS[name].steps:
            page = self.get_context_data(refused="Choose one of these formats.")
            return self.render_to_response(page, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        try:
            return filled_in(request, partial(creation.begin_new_debate.once, format_name=name, by=self.person))
        except StillRunning as refusal:
            return self.render_to_response(self.get_context_data(refused=refusal.message), status=HTTPStatus.CONFLICT)


@dataclass(frozen=True, slots=True)
class StepLink:
    """A line of the list of steps, or of what is to be mended in them: then with what the field at fault is called."""

    step: FormStep
    address: str
    is_current: bool
    label: str = ""


class InProgress(Organises):
    """A page of a debate that somebody is filling in."""

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.address: UUID = kwargs["new"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Look for it, once it is known who asks; it may be gone at any moment, by another tab."""
        try:
            if self.has_permission():
                self.new = creation.own_new_debate(by=self.person, public_id=self.address)
            return super().dispatch(request, *args, **kwargs)
        except NotFound as refusal:
            if request.method == "POST":
                raise Http404(refusal.message) from refusal
            page = ChooseFormat()
            page.setup(request)
            return page.render_to_response(page.get_context_data(refused=refusal.message), status=HTTPStatus.NOT_FOUND)

    @property
    def format(self) -> Format[Any]:
        return format_of(self.new.format)

    def places(self, current: str) -> list[StepLink]:
        return [StepLink(step, self.address_of(step), step.name == current) for step in self.format.steps]

    def address_of(self, step: FormStep) -> str:
        return reverse("new-debate-step", args=[self.new.public_id, step.name])

    def address_of_check(self) -> str:
        return reverse("new-debate-check", args=[self.new.public_id])

    def form_of(self, step: FormStep, post: Any = None, **options: Any) -> StepForm:
        files = self.request.FILES if post is not None else None
        return step.form(post, files, step=step, serializer=self.format.serializer(), body=self.new.body, **options)

    def faults(self, body: Mapping[str, Any]) -> Sequence[Fault]:
        return creation.faults(format_=self.format, body=body, by=self.person, now=timezone.now())


@dataclass(frozen=True, slots=True)
class CopyDifferences:
    """In what a copy differs from the debate that it was made of, although nobody asked for that.

    Shape: ``newest`` is the version of its rubric that it takes, ``same`` the one that the debate was made with, where
    that is stored; neither where they are the same.
    """

    newest: Rubric | None
    same: Rubric | None
    without_initial: bool
    without_script: bool

    @classmethod
    def of(cls, new: NewDebate) -> "CopyDifferences":
        parameters = new.copied_from.parameters if new.copied_from else {}
        rubric, newest, same = parameters.get("rubric"), None, None
        if rubric and new.body.get("rubric") == rubric["slug"]:
            versions = list(
                Rubric.objects.filter(slug=rubric["slug"]).order_by("-version").prefetch_related("criteria")
            )
            same = next((row for row in versions if rubrics.snapshot_of(row) == rubric), None)
            newest = versions[0] if versions and versions[0] != same else None
        had_initial = parameters.get("initial") and not parameters.get("initial_from")
        has_initial = new.body.get("initial") or new.body.get("panel")
        without_initial = bool(had_initial and not has_initial)
        return cls(newest, same if newest else None, without_initial, without_script(new))


def without_script(new: NewDebate) -> bool:
    """Say whether a copy lacks a script because that is sealed."""
    debate = new.copied_from
    if debate is None or new.body.get("script") or not script_is_sealed(debate, copied_by=new.owner_id):
        return False
    return Script.objects.filter(debate=debate).exists()


class FillInStep(InProgress, FormPage[StepForm]):
    """One step. What is typed is kept, right or wrong; what is wrong is said next to its field."""

    template_name = "new_debate/step.html"

    @classmethod
    def labels(cls, **address: Any) -> dict[str, str]:
        """Return what fields of the steps of this name are called: of which format it is may not be known any more."""
        called: dict[str, str] = {}
        for format_ in FORMATS.values():
            for step in format_.steps:
                called |= labels_of(step, format_.serializer()) if step.name == address["step"] else {}
        return called

    def get_form(self, form_class: type[StepForm] | None = None) -> StepForm:
        if self.request.method == "POST":
            return self.form_of(self.step, self.request.POST)
        slug = self.request.GET.get("rubric", "")
        if slug and issubclass(self.step.form, RubricChoiceForm):  # somebody comes from editing it
            self.new.body = self.step.form.with_rubric(self.new.body, slug)
        form = self.form_of(self.step)
        if "mend" in self.request.GET:  # somebody comes from the last page
            form.cleaned_data = {}
            self.mark_faults(form, body=self.new.body)
        return form

    @property
    def step(self) -> FormStep:
        name = self.kwargs["step"]
        step = next((step for step in self.format.steps if step.name == name), None)
        if step is None:
            raise Http404("There is no such step.")
        return step

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Keep what was typed, whatever is refused of it."""
        form = self.get_form()
        is_valid = form.is_valid()
        if form.is_bound:
            self.keep(form.written)
        return self.form_valid(form) if is_valid else self.form_invalid(form)

    def form_valid(self, form: StepForm) -> HttpResponse:
        """Go on if nothing in this step is wrong."""
        if "more" in self.request.POST or "preset" in self.request.POST:
            return self.with_rows(form)
        if isinstance(form, RubricChoiceForm) and "look" in self.request.POST:
            if form.chosen() is not None:
                return self.render_to_response(self.get_context_data(form=self.form_of(self.step), looks=True))
            why = "There is nothing to look at yet. Choose criteria, or mend those that you typed."
            form.add_error(form.choice, ValidationError(why, code="no_criteria"))
            return self.form_invalid(form)
        if isinstance(form, RubricChoiceForm) and "edit" in self.request.POST:
            return self.to_editor(form)
        if isinstance(form, RubricChoiceForm) and "import" in self.request.POST:
            return redirect(reverse("import-rubric", query={"next": self.address_of(self.step)}))
        self.mark_faults(form, body=creation.completed(format_=self.format, body=self.new.body, step=self.step))
        return self.form_invalid(form) if form.errors else HttpResponseRedirect(self.next_address())

    def mark_faults(self, form: StepForm, *, body: Mapping[str, Any]) -> None:
        """Say at the fields of this step what is wrong with a body."""
        for fault in self.faults(body):
            name = form.field_of(fault.field) if fault.field and self.step.holds(fault.field) else None
            if name is not None:
                form.add_error(name, ValidationError(fault.message, code=fault.code))

    def keep(self, written: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self.new.body = creation.write_new_debate(new_id=self.new.pk, by=self.person, written=written)

    def with_rows(self, form: StepForm) -> HttpResponse:
        """Show the step again, with one row more, or with the chairs of a preset."""
        preset = self.request.POST.get("preset", "")
        if isinstance(form, TableForm) and preset in frameworks.presets():
            self.keep(lambda body: {**body, "chairs": preset_chairs(preset)})
        rows = 1 if isinstance(form, RowsForm) and "more" in self.request.POST else 0
        return self.render_to_response(self.get_context_data(form=self.form_of(self.step, rows=rows)))

    def to_editor(self, form: RubricChoiceForm) -> HttpResponse:
        """Lead to where the chosen rubric is edited, and from there back: somebody else's as a copy."""
        rubric = form.stored()
        if rubric is None:
            why = "Only a stored rubric can be copied and edited. Choose one of them."
            form.add_error(form.choice, ValidationError(why, code="no_rubric"))
            return self.form_invalid(form)
        back = {"next": self.address_of(self.step)}
        if may_follow(rubric, by=self.person):
            return redirect(reverse("next-rubric", args=[rubric.public_id], query=back))
        return redirect(reverse("new-rubric", query={"from": str(rubric.public_id), **back}))

    def next_address(self) -> str:
        steps = self.format.steps
        after = steps[steps.index(self.step) + 1 :]
        return self.address_of(after[0]) if after else self.address_of_check()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        places = self.places(self.step.name)
        number = next(number for number, place in enumerate(places, start=1) if place.is_current)
        before = places[number - 2].address if number > 1 else reverse("new-debate")
        values = super().get_context_data(**kwargs)
        form = values["form"]
        chosen = form.chosen() if isinstance(form, RubricChoiceForm) else None
        shows_differences = isinstance(form, RubricChoiceForm) or self.step.holds("script")
        own = {
            "differences": CopyDifferences.of(self.new) if shows_differences else None,
            "chosen": chosen,
            "categories": rubrics.by_category(chosen) if chosen else None,
            "whole": "looks" in kwargs and chosen and len(chosen["criteria"]) <= OPEN_UP_TO,
            "may_edit": isinstance(form, RubricChoiceForm) and self.person.has_perm(MAY_ADD),
            "new": self.new,
            "format": self.format,
            "step": self.step,
            "places": places,
            "number": number,
            "before": before,
            "check": self.address_of_check(),
        }
        return {**values, **own}


class CheckNewDebate(InProgress, TemplateView):
    """What will happen, and what is wrong; from here the debate is made."""

    template_name = "new_debate/check.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Lead to the debate whoever made it by this very form."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except Http404:
            made = done_before(request)
            if made is None:
                raise
            return redirect("prepare-debate", made)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        now, own = timezone.now(), {"new": self.new, "format": self.format, "places": self.places("check")}
        own |= {"once": token_urlsafe(), "differences": CopyDifferences.of(self.new)}
        own["seen"] = creation.digest_of(self.new.body)
        faults = self.faults(self.new.body)
        if faults:
            kwargs["faults"] = [(fault, self.step_of(fault)) for fault in faults]
        else:
            try:
                kwargs["forecast"] = creation.forecast(format_=self.format, body=self.new.body, by=self.person, now=now)
            except DomainError as refusal:
                kwargs["faults"] = [(refusal, None)]
        return super().get_context_data(**{**kwargs, **own})

    def step_of(self, fault: Fault) -> StepLink | None:
        """Return where a fault can be mended: at which field, where one of the step shows it."""
        places, key = self.places("check"), fault.field.partition(".")[0]
        place = next((at for at in places if at.step.holds(fault.field) or key in at.step.settles), None)
        form = self.form_of(place.step) if place and place.step.holds(fault.field) else None
        name = form.field_of(fault.field) if form else None
        if place is None or form is None or name is None:
            return place
        is_of_row = isinstance(form, RowsForm) and name.startswith(f"{form.key}.")
        label = label_of(name, labels={name.rpartition(".")[2] if is_of_row else name: str(form.fields[name].label)})
        return replace(place, address=f"{place.address}?mend#{form[name].auto_id}", label=label)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Make the debate; what is refused is shown as the page shows it anyway.

        Which earlier debate is held again no step says, so it is forgotten here.
        """
        if request.POST.get("forget") == "repeat_of":
            forgotten = partial(without, path="repeat_of")
            creation.write_new_debate(new_id=self.new.pk, by=self.person, written=forgotten)
            return redirect("new-debate-check", self.new.public_id)
        seen = request.POST.get("seen", "")
        draft = partial(
            creation.draft_new_debate.once, new_id=self.new.pk, by=self.person, now=timezone.now(), seen=seen
        )
        try:
            address, _ = done_once(request, draft, answer=lambda debate: str(debate.public_id))
        except creation.ChangedSince as refusal:
            self.new = creation.own_new_debate(by=self.person, public_id=self.address)
            page = self.get_context_data(changed=refusal.message)
            return self.render_to_response(page, status=HTTPStatus.CONFLICT)
        except DomainError as refusal:
            page = self.get_context_data()
            page.setdefault("faults", [(refusal, None)])  # what was wrong then may be well now
            return self.render_to_response(page, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return redirect("prepare-debate", address)


class DiscardNewDebate(InProgress):
    """Throw away what was filled in; whoever had to sign in again first comes by GET, and is back at the button."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return redirect("new-debate")

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        creation.discard_new_debate(new_id=self.new.pk, by=self.person)
        return redirect("new-debate")
