"""Rows that somebody makes at the desk through a service, with a secret that is shown once and never again."""

import json
from abc import abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, TypeVar

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path

from debates.admin.action_pages import Acting, StaffRequest
from debates.errors import DomainError, NotAllowedNow
from debates.idempotent_forms import ONCE, done_once, once_field
from debates.reauthentication import ask_for_proof, proved_lately
from debates.services.idempotency import RequestRecord, in_one_transaction

M = TypeVar("M", bound=Model)


class Making(Acting[M]):
    """An admin with a page on which a row is made, by who proved lately to be there still. Then its secret is shown.

    Who makes such rows sees their own; all of them, who may see them.
    """

    change_list_template = "admin/making_list.html"
    making_title: ClassVar[str]
    making_form: ClassVar[type[forms.Form]]
    secret_is: ClassVar[str]

    @abstractmethod
    def make(self, record: RequestRecord | None, *, by: User, cleaned_data: Mapping[str, Any]) -> tuple[M, str]:
        """Call the service, once where its secret is kept anyway; return the row and its secret."""

    def may_make(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.add_{self.opts.model_name}")

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return super().has_view_permission(request, obj) or self.may_make(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        rows = super().get_queryset(request)
        return rows if super().has_view_permission(request) else rows.filter(owner=request.user.pk)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.make_view)
        return [path("make/", view, name=self._named("make")), *super().get_urls()]

    def make_view(self, request: StaffRequest) -> HttpResponse:
        if not self.may_make(request):
            raise PermissionDenied
        if not proved_lately(request):
            return ask_for_proof(request)
        words: dict[str, Any] = {
            "title": self.making_title,
            "secret_is": self.secret_is,
            "back": self.address("changelist"),
        }
        form = self.making_form(request.POST if request.method == "POST" else None)
        form.fields[ONCE] = once_field()
        if request.method == "POST" and form.is_valid():
            try:
                row, secret = self.made(request, form)
            except DomainError as refusal:
                form.add_error(None, refusal.message)
            else:
                return self.page_response(request, "admin/made.html", row=row, secret=secret, **words)
        return self.page_response(request, "admin/make.html", form=form, **words)

    def made(self, request: StaffRequest, form: forms.Form) -> tuple[M, str]:
        """Make what a form asks for: where that is done once, who sends it twice sees the same secret again."""
        about = {name: value for name, value in form.cleaned_data.items() if name != ONCE}
        make = partial(self.make, by=request.user, cleaned_data=about)
        with in_one_transaction():
            answer, just_now = done_once(request, make, answer=lambda made: json.dumps([made[0].pk, made[1]]))
            pk, secret = json.loads(answer)
            row = self.get_queryset(request).filter(pk=pk).first()
            if row is None:
                raise NotAllowedNow("What was made from this form before is gone. Fill in a new one.")
            if just_now:
                self.log_addition(request, row, "made")
        return row, secret

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        offer = self.address("make") if self.may_make(request) else ""
        more = {"make_at": offer, "making_title": self.making_title, **(extra_context or {})}
        return super().changelist_view(request, more)
