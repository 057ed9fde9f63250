"""What somebody wants of the site: their time zone, and which mail."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from config import accounts
from debates.mail import preferences
from debates.models import Profile
from debates.models.people import time_zones
from debates.types import MAIL_WORDS, MailKind


class ProfileForm(forms.Form):
    """A time zone, and the kinds of mail that are wanted."""

    time_zone = forms.ChoiceField(required=False, help_text="Of the times on pages and in mail.")
    wanted_mail = forms.MultipleChoiceField(
        required=False,
        label="Write to me when",
        choices=[(kind.value, words) for kind, words in MAIL_WORDS.items()],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None, *, profile: Profile) -> None:
        wanted_kinds = [kind.value for kind in MAIL_WORDS if preferences.wants(profile, kind)]
        super().__init__(data, initial={"time_zone": profile.time_zone, "wanted_mail": wanted_kinds})
        zones = [(name, name.replace("_", " ")) for name in sorted(time_zones())]
        self.fields["time_zone"].choices = [("", "That of your browser; forms and mail in UTC"), *zones]  # type: ignore[attr-defined]  # of a ChoiceField
        self.profile = profile

    def save(self) -> None:
        wanted_kinds = self.cleaned_data["wanted_mail"]
        unwanted = [kind.value for kind in MAIL_WORDS if kind.value not in wanted_kinds]
        values = {"time_zone": self.cleaned_data["time_zone"], "unwanted_mail": unwanted}
        with accounts.while_open(self.profile.user):
            Profile.objects.update_or_create(user=self.profile.user, defaults=values)
            if MailKind.INVITATION.value in wanted_kinds:
                preferences.stops_of(self.profile.user).delete()


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show what somebody wants, and take what they change."""
    assert isinstance(request.user, User)  # noqa: S101 -- whoever is signed in
    kept = Profile.objects.filter(user=request.user).first() or Profile(user=request.user)
    form = ProfileForm(request.POST or None, profile=kept)
    onward = get_next_redirect_url(request)  # of who comes from signing up, and was sent no link
    if request.method == "POST" and form.is_valid():
        form.save()
        again = f"&{urlencode({'next': onward})}" if onward else ""
        return redirect(f"{request.path}?saved{again}")
    values = {
        "form": form,
        "saved": "saved" in request.GET,
        "confirmed": preferences.is_theirs(request.user),
        "onward": onward,
        "not_sent": accounts.SENT_LATELY if onward and not accounts.gets_link(request, request.user.email) else "",
    }
    return render(request, "account/profile.html", values)
