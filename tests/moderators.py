"""Working at the desk as somebody does: open a page, fill in its form, send it."""

import html
import re
import time
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.reauthentication import AUTHENTICATED_AT, proof_of
from scoring.models import Evaluation, ScoreChange
from tests import acts, factories

TOTP_PERIOD = 30


def member(group: str, name: str = "") -> User:
    """Somebody of the staff who belongs to one group and has no right besides."""
    user = factories.person(name or group.lower().replace(" ", "_"))
    user.groups.add(Group.objects.get(name=group))
    return User.objects.get(pk=user.pk)


def client_of(user: User, **options: Any) -> Client:
    client = Client(**options)
    client.force_login(user)
    return client


def factor_code(secret: str) -> str:
    """The code of now. Near its end the next is waited for: what is sent then would come too late."""
    left = TOTP_PERIOD - time.time() % TOTP_PERIOD
    time.sleep(left if left < 3 else 0)
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // TOTP_PERIOD))


def factor_of(user: User) -> dict[str, Any]:
    """What a session of somebody holds in which they gave their second factor, which they have from now on."""
    factor, _ = Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": {"secret": "of nobody's app"}}
    )
    return {"method": "mfa", "id": factor.pk}


def proved(client: Client, *, lasting: int = 0) -> Client:
    """Somebody who has proved just now to be here still, or will have for some seconds more than that counts."""
    session = client.session
    person = User.objects.get(pk=session["_auth_user_id"])
    given = factor_of(person) if proof_of(person) == "mfa" else {"method": proof_of(person)}
    proof = {**given, "at": time.time() + lasting, "reauthenticated": True}
    session["account_authentication_methods"] = [*session.get("account_authentication_methods", ()), proof]
    session["account_authentication_methods_user"] = session["_auth_user_id"]
    session[AUTHENTICATED_AT] = proof["at"]
    session.save()
    return client


def address(model: str, page: str, *args: object) -> str:
    return reverse(f"admin:{model}_{page}", args=args)


def of_score(page: str, evaluation: Evaluation) -> str:
    return address("scoring_evaluation", page, evaluation.pk)


def words(response: Any) -> str:
    """What a reader reads of a page, on one line."""
    main = response.content.decode().split("<main", 1)[1]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", re.sub("</?bdi>", "", "<main" + main))).split())


def send(client: Client, page: str, evaluation: Evaluation, **given: Any) -> str:
    """Send the form of an action on a score as it is now, and return what the page then says."""
    evaluation.refresh_from_db()
    form = {"seen": evaluation.moderation_version, "reason": factories.REASON, **given}
    return words(client.post(of_score(page, evaluation), form, follow=True))


def state(evaluation: Evaluation) -> tuple[object, ...]:
    """What must not change when an action is refused."""
    now = Evaluation.objects.get(pk=evaluation.pk)
    entries = ScoreChange.objects.filter(evaluation=evaluation).count()
    return now.value, now.computed_score, now.override_score, now.frozen_at, now.basis, now.held, now.version, entries


def frozen(evaluation, by):
    acts.freeze(order=factories.order(evaluation, by), now=timezone.now())
    evaluation.refresh_from_db()


def overridden(evaluation, by, value="8"):
    acts.override(order=factories.order(evaluation, by), value=value, now=timezone.now())
    evaluation.refresh_from_db()


ACTIONS = {
    "freeze": {},
    "unfreeze": {"choice": "apply"},
    "unfreeze_override": {"choice": "apply", "value": "8"},
    "unfreeze_strike": {"choice": "apply", "facts": "basis"},
    "unfreeze_roll_back": {"choice": "apply", "target": 1},
    "override": {"value": "8"},
    "lift": {},
    "strike": {"facts": "basis"},
    "reinstate": {"facts": "left out"},
    "roll_back": {"target": 1},
}


def ready_for(name, evaluation, by):
    """Bring a score to where an action makes sense, and return what its form takes."""
    facts = list(evaluation.basis[:1])
    if name.startswith("unfreeze"):
        frozen(evaluation, by)
    if name == "lift":
        overridden(evaluation, by)
    if name == "reinstate":
        acts.strike(order=factories.order(evaluation, by), facts=facts, now=timezone.now())
    evaluation.refresh_from_db()
    return {**ACTIONS[name], **({"facts": facts} if "facts" in ACTIONS[name] else {})}
