"""Sessions at the API: signed in with the browser, with the token against forged requests, and with a second factor."""

from typing import Any

from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from config import accounts


class SignedIn(SessionAuthentication):
    """Whoever is signed in. Who owes the second factor gets no further here than in the admin."""

    def authenticate(self, request: Request) -> Any:
        if accounts.lacks_second_factor(request._request):  # noqa: SLF001 -- Django's request
            raise PermissionDenied("Give your second factor first.", code="second_factor_needed")
        return super().authenticate(request)

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise PermissionDenied("A session needs the header X-CSRFToken for this.", code="csrf_failed") from error
