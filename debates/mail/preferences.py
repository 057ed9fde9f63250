"""Which mail somebody wants: all kinds, until they say otherwise in their profile or by the link in a mail."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.core import signing

from debates import sealing
from debates.errors import NotFound
from debates.models import Mail, MailStop, Profile
from debates.types import MAIL_WORDS, MailKind

SALT = "debates.mail.stop"


@dataclass(frozen=True, slots=True)
class Switch:
    """Whose mail: of one kind to somebody with an account, or all to an address of somebody without."""

    kind: MailKind
    profile: Profile | None = None
    digests: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return MAIL_WORDS[self.kind]


def digests_of(address: str) -> list[str]:
    """Return what is kept of an address that wants no mail, however it is written."""
    return sealing.digests(address.strip().lower(), salt=SALT)


def is_on(switch: Switch) -> bool:
    if switch.profile is None:
        return not MailStop.objects.filter(digest__in=switch.digests).exists()
    return Profile.objects.get(pk=switch.profile.pk).wants(switch.kind)


def is_wanted(mail: Mail) -> bool:
    kind = MailKind(mail.kind)
    if mail.person_id is None:
        return not MailStop.objects.filter(digest__in=digests_of(mail.address)).exists()
    profile = Profile.objects.filter(user=mail.person_id).first()
    return profile is None or profile.wants(kind)


def token(mail: Mail) -> str:
    """Return what the link in a mail names its switch by, without the address; it is good for ever."""
    if mail.person_id is None:
        return signing.dumps(digests_of(mail.address), salt=SALT, compress=False)
    profile, _ = Profile.objects.get_or_create(user_id=mail.person_id)
    return profile.unsubscribe_token.hex


def named(*, token: str, kind: str) -> Switch:
    """Return the switch that a link names.

    Raises: ``NotFound``.
    """
    try:
        if MailKind(kind) not in MAIL_WORDS:
            raise NotFound("Mail about an account has no switch: it goes to whoever asks for it.")
        if ":" in token:
            known = signing.loads(token, salt=SALT)
            return Switch(MailKind(kind), digests=(known,) if isinstance(known, str) else tuple(known))
        profile = Profile.objects.get(unsubscribe_token=UUID(token), user__is_active=True)
        return Switch(MailKind(kind), profile=profile)
    except (signing.BadSignature, ValueError, Profile.DoesNotExist) as error:
        raise NotFound("This link is none of ours, or its account is closed.") from error
