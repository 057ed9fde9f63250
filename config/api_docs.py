"""The OpenAPI document, the page that shows it, and every address of the API that is none."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from config.security import HEADER
from debates.api.doors import Door


class Schema(SpectacularJSONAPIView):
    """The document."""

    authentication_classes = ()


class Docs(SpectacularSwaggerSplitView):
    """Swagger UI, from local files alone. It writes styles into its page, so this page may."""

    authentication_classes = ()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Relax the policy of this one page by its styles."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        policy = {**settings.SECURE_CSP, "style-src": ["'self'", "'unsafe-inline'"]}
        answer.headers[HEADER] = "; ".join(f"{name} {' '.join(sources)}" for name, sources in policy.items())
        return answer


class Nowhere(Door):
    """What is not there says so like everything else here, and never redirects a POST."""

    everybody = True
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse whatever was asked."""
        super().initial(request, *args, **kwargs)
        raise NotFound("There is nothing at this address.")

    def get(self, request: Request) -> Response:
        """Never reached; the initial step refuses every method."""
        raise NotFound
