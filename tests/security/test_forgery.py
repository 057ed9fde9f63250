"""No form of somebody else's page is taken for one of ours: each address of the site refuses a POST without a token."""

from http import HTTPStatus

import pytest
from django.test import Client

from tests import factories
from tests.addresses import addresses
from tests.moderators import client_of
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
TOKEN = "no token"
FORMS = {"take-seat", "speak", "account_login", "mfa_authenticate", "debates_webhook_make", "debates_debate_cancel"}
BY_THEIR_LINKS = {"stop-mail", "account_reset_password_from_key"}
"""Whose link is the proof: mail programs send the first by themselves, the second is not there without a good one."""
READ = ("api-schema", "api-docs", "metrics", "healthz", "readyz")


def test_every_address_refuses_the_post_of_a_session_without_a_token():
    client = client_of(factories.moderator("ruth"), enforce_csrf_checks=True)

    found = {one: why(client, one.example) for one in addresses()}

    open_to_all = {one.name: said for one, said in found.items() if said != TOKEN and one.name not in BY_THEIR_LINKS}
    assert open_to_all == dict.fromkeys(READ, "takes no POST")
    assert {one.name for one in found} > FORMS
    assert len(found) > 400


def test_every_form_refuses_the_post_of_a_visitor_without_a_token():
    visitor = Client(enforce_csrf_checks=True)

    forms = [
        one for one in addresses() if not one.route.startswith("api/") and one.name not in {*READ, *BY_THEIR_LINKS}
    ]

    assert {one for one in forms if why(visitor, one.example) != TOKEN} == set()


def why(client: Client, path: str) -> str:
    """Why a POST is refused."""
    answer = client.post(path)
    said = answer.content.decode()
    if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return "takes no POST"
    lacking = "This form was not accepted" in said or "problem:csrf_failed" in said
    return TOKEN if answer.status_code == HTTPStatus.FORBIDDEN and lacking else f"{answer.status_code}: {said[:200]}"
