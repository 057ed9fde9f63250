"""Words that come too late, or from somebody who is signed in no more, or has to prove it: not taken down, and shown
again to be copied.
"""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import AccessMixin
from django.forms.utils import pretty_name
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

NOT_TEXT = {
    "csrfmiddlewaretoken", "seat", "awaited", "amends", "draft", "keep", "before", "do", "seen", "over", "next", "look",
    "edit", "import", "more", "act", "format", "preset", "ground", "once", "forget", "role", "group",
}  # fmt: skip
"""Fields and buttons of such forms in which nobody types."""
ROWS = {
    "c": "criterion", "chairs": "speaker", "criteria": "criterion", "e": "exchange", "judges": "judge", "q": "question",
}  # fmt: skip
"""How rows of such forms begin, and what one of them is called."""
FORM_VIEW = TypeVar("FORM_VIEW", bound=Callable[..., Any])


def return_unsaved_text(request: HttpRequest, *, back: str = "", prove: str = "") -> HttpResponse:
    """Answer somebody who is signed in no more with the words that came, to be copied; ``back`` leads to their form.

    Who is signed in, and has to prove it first, does so at the address ``prove``.
    """
    values = {"words": typed_in(request), "back": back, "prove": prove}
    return render(request, "debates/unsaved_text.html", values, status=HTTPStatus.FORBIDDEN)


def typed_in(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the words that came, each under what its form calls the field."""
    labels = {"text": "Your words"}
    if match := request.resolver_match:
        labels |= getattr(getattr(match.func, "view_class", match.func), "labels", dict)(**match.kwargs)
    typed = ((name, text) for name, text in request.POST.dict().items() if text.strip())
    named = ((name, text) for name, text in typed if name.rpartition(".")[2] not in NOT_TEXT)
    kept = [(name, text) for name, text in named if not name.endswith("_FORMS")]  # counts rows
    return [(label_of(name, labels=labels), text) for name, text in kept]


def label_of(name: str, *, labels: Mapping[str, str]) -> str:
    """Return what a field is called, and in which row: ``criteria-0-high`` is "A 10 means (criterion 1)"."""
    if name in labels:
        return labels[name]
    *places, last = re.split(r"[.-]", re.sub(r"^([ceq])(\d+)-", r"\1-\2-", name))
    row = (str(int(place) + 1) if re.fullmatch(r"\d{1,4}", place) else ROWS.get(place, place) for place in places)
    own = labels.get(last) or pretty_name(last)
    return f"{own} ({' '.join(row).replace('_', ' ')})" if places else own


def labels_in(form: type[forms.Form]) -> dict[str, str]:
    return {name: str(field.label or pretty_name(name)) for name, field in form.base_fields.items()}


def holds_text(view: FORM_VIEW) -> FORM_VIEW:
    """Mark a view whose form holds words, and no password or key: what is refused there is shown as a copy."""
    view.holds_text = True  # type: ignore[attr-defined]
    return view


def returns_unsaved_text(form: type[forms.Form]) -> Callable[[FORM_VIEW], FORM_VIEW]:
    """Ask for a session, and return what is sent without one to be copied; ``form`` says what its fields are called."""

    def decorate(view: FORM_VIEW) -> FORM_VIEW:
        signed_in = login_required(view)

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if not request.user.is_authenticated and typed_in(request):
                return return_unsaved_text(request, back=request.get_full_path())
            return signed_in(request, *args, **kwargs)

        guarded.labels = lambda **_address: labels_in(form)  # type: ignore[attr-defined]  # as a page has them
        return holds_text(guarded)  # type: ignore[return-value]  # it takes what the view takes

    return decorate


def unsaved_text_in(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what was typed into a form of a marked view, to be shown where it is refused; nothing for all others."""
    view = request.resolver_match.func if request.resolver_match else None
    marked = getattr(getattr(view, "view_class", view), "holds_text", False)
    return typed_in(request) if marked else []


def is_from_this_site(request: HttpRequest, *, reason: str) -> bool:
    """Tell whether a form that proves no token came from a page of ours all the same.

    The origin is looked at before the token: whoever is told that the token is wrong named this site as theirs.
    """
    return "Origin" in request.headers and reason.startswith(("CSRF token", "CSRF cookie"))


class ReturnsUnsavedText(AccessMixin):
    """A page with a form: what is sent by somebody who is signed in no more comes back to be copied."""

    holds_text = True
    request: HttpRequest

    @classmethod
    def labels(cls, **_address: Any) -> dict[str, str]:
        """Return what the fields of the form at an address are called."""
        form: type[forms.Form] | None = getattr(cls, "form_class", None)
        return labels_in(form) if form else {}

    def unsaved(self) -> list[tuple[str, str]]:
        """Return what was typed, for a page that shows no form any more."""
        return typed_in(self.request)

    def handle_no_permission(self) -> HttpResponseRedirect:
        if not self.request.user.is_authenticated and typed_in(self.request):
            return return_unsaved_text(self.request, back=self.request.get_full_path())  # type: ignore[return-value]
        return super().handle_no_permission()
