"""``manage.py reseal``: seal every kept secret with the site's present key, after which the former one may go."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import CommandError
from django.db import transaction

from debates import sealing
from debates.management.base import BaseCommand
from debates.models import Mail, Webhook
from debates.sealing import NotSealed, Purpose

OF_FACTORS = ("secret", "seed")
UNOPENED = "{} does not open: name the former key in SECRET_KEY_FALLBACKS; if it is lost, {}."


class Command(BaseCommand):
    """Seal anew the secrets of webhooks, second factors and mail that waits; sessions are over before long anyway."""

    help = (
        "Seal every kept secret with the present SECRET_KEY. Leave the former one among the fallbacks for three days"
        " more: until then a request that is repeated is known by it."
    )

    @transaction.atomic
    def handle(self, *_args: Any, **_options: Any) -> None:
        """Open and seal each; nothing is written where one does not open.

        Raises: ``CommandError``.
        """
        hooks = Webhook.objects.select_for_update(no_key=True).order_by("pk")
        for hook in hooks:
            if not hook.secret:
                way_out = "give the webhook a new one by `rotate/` or in the admin, or delete it"
                raise CommandError(UNOPENED.format(f"The secret of {hook}", way_out))
            hook.save(update_fields=["secret", "former_secret"])
        factors = Authenticator.objects.select_for_update(no_key=True).order_by("pk")
        for factor in factors:
            factor.data = {name: self.anew(factor, name, value) for name, value in factor.data.items()}
            factor.save(update_fields=["data"])
        mails = [
            mail
            for mail in Mail.objects.select_for_update(no_key=True).exclude(secret="").order_by("pk")
            if mail.secret
        ]
        for mail in mails:
            mail.save(update_fields=["secret"])
        told = f"{len(hooks)} webhooks, {len(factors)} second factors, {len(mails)} mails that wait"
        self.stdout.write(f"Sealed anew: {told}.")

    def anew(self, factor: Authenticator, name: str, value: Any) -> Any:
        """Return a part of a second factor, sealed anew where it is sealed."""
        if name not in OF_FACTORS:
            return value
        try:
            text = sealing.unseal(value, purpose=Purpose.SECOND_FACTOR)
        except NotSealed as error:
            way_out = "take the factor away in the admin, under Authenticators"
            raise CommandError(UNOPENED.format(f"The factor of {factor.user}", way_out)) from error
        return sealing.seal(text, purpose=Purpose.SECOND_FACTOR)
