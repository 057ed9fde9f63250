"""The OpenAPI document, the page that shows it, and every address of the API that is none."""

from functools import cache
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import resolve, reverse
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from config.security import HEADER
from debates.api.permissions import ANYBODY
from debates.api.views import V1, ApiView, PaceMixin

RESOURCES = ("debates.api.urls", "scoring.api.urls", "judging.api.urls")
NOWHERE = "nowhere"


@cache
def document() -> dict[str, Any]:
    """Write the document, which takes a second: once a process, since it is one for everybody."""
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-any-return,no-untyped-call]


class WrittenOnce(SchemaGenerator):
    """A generator that writes the document when it is first asked for."""

    def get_schema(self, request: Request | None = None, public: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 -- drf-spectacular's signature
        return document()


class Schema(PaceMixin, SpectacularJSONAPIView):
    """The document."""

    authentication_classes = ()
    generator_class = WrittenOnce


class Docs(PaceMixin, SpectacularSwaggerSplitView):
    """Swagger UI, from local files alone. It writes styles into its page, so this page may."""

    authentication_classes = ()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Relax the policy of this one page by its styles."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        policy = {**settings.SECURE_CSP, "style-src": ["'self'", "'unsafe-inline'"]}
        answer.headers[HEADER] = "; ".join(f"{name} {' '.join(sources)}" for name, sources in policy.items())
        return answer


class Index(ApiView):
    """Show where everything is: what can be listed, the schema, and the page that shows it."""

    tag, access = "index", ANYBODY

    class Output(serializers.Serializer[Any]):
        """Addresses."""

        schema = serializers.URLField()
        documentation = serializers.URLField()
        resources = serializers.DictField(child=serializers.URLField())

    serializer_class = Output

    def get(self, request: Request) -> Response:
        here = request.build_absolute_uri
        lists = {name: here(f"{V1}/{place}") for name, place in sorted(self.lists().items())}
        return self.respond(
            {
                "schema": here(reverse("api:api-schema")),
                "documentation": here(reverse("api:api-docs")),
                "resources": lists,
            }
        )

    def lists(self) -> dict[str, str]:
        addresses = {}
        for module in RESOURCES:
            for pattern in import_module(module).urlpatterns:
                place = str(pattern.pattern)
                if hasattr(pattern.callback.cls, "get") and "<" not in place:
                    addresses[place.rstrip("/").replace("-", "_")] = place
        return addresses


@csrf_exempt
def without_slash(request: HttpRequest) -> HttpResponseBase:
    """Send who forgot the last slash of an address to it, with method and body; where there is none, say so."""
    nowhere = Nowhere.as_view()
    if resolve(f"{request.path}/").url_name == NOWHERE:
        return nowhere(request)
    path, question_mark, query = request.get_full_path().partition("?")
    return HttpResponsePermanentRedirect(f"{path}/{question_mark}{query}", preserve_request=True)


class Nowhere(ApiView):
    """What is not there says so like everything else here."""

    http_method_names = list[str]()
    access = write_access = ANYBODY
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound("There is nothing at this address.")
