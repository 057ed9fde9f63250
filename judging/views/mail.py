"""The page behind the link in a mail: no more mail of this kind, without signing in, and taking that back."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from debates.errors import NotFound
from debates.mail import preferences
from debates.services import mail_delivery


@csrf_exempt  # programs that read mail send this form by themselves (RFC 8058); whoever has the link may
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str, kind: str) -> HttpResponse:
    """Show which mail the link is about; sending the form stops it, or has it sent again. Opening the link does not."""
    try:
        switch = preferences.named(token=token, kind=kind)
    except NotFound as refusal:
        raise Http404(refusal.message) from refusal
    if request.method == "POST":
        (mail_delivery.resume if "again" in request.POST else mail_delivery.stop)(switch=switch)
    values = {"switch": switch, "is_on": preferences.is_on(switch), "was_sent": request.method == "POST"}
    return render(request, "mail/stop.html", values)
