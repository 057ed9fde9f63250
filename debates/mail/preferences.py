"""Which mail somebody wants: all kinds, until they say otherwise in their profile or by the link in a mail."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.core import signing
from django.db.models import QuerySet

from debates import sealing
from debates.errors import NotFound
from debates.models import Invitation, Mail, MailStop, Profile
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

    @property
    def user(self) -> User | None:
        return self.profile.user if self.profile else None


def digests_of(address: str) -> list[str]:
    """Return what is kept of an address that wants no mail, however it is written."""
    return sealing.digests(address.strip().lower(), salt=SALT)


def is_on(switch: Switch) -> bool:
    if switch.profile is None:
        return not MailStop.objects.filter(digest__in=switch.digests).exists()
    return wants(Profile.objects.get(pk=switch.profile.pk), switch.kind)


def wants(profile: Profile, kind: MailKind) -> bool:
    """Say whether somebody wants mail of a kind; that they said no by their address before they had an account counts
    until they say otherwise."""
    return profile.wants(kind) and not (kind is MailKind.INVITATION and stops_of(profile.user).exists())


def stops_of(account: User) -> QuerySet[MailStop]:
    """Return that the address of an account wants no mail, where it is theirs."""
    return MailStop.objects.filter(digest__in=digests_of(account.email) if is_theirs(account) else [])


def is_theirs(account: User) -> bool:
    """Say whether the address of an account is not still to be confirmed: until then it may be somebody else's."""
    addresses = account.emailaddress_set.filter(email__iexact=account.email)  # type: ignore[attr-defined]  # allauth's
    return not addresses.filter(verified=False).exists()


def is_wanted(mail: Mail) -> bool:
    person = mail.person
    address = mail.address if person is None else "" if is_theirs(person) else person.email
    if address and MailStop.objects.filter(digest__in=digests_of(address)).exists():
        return False
    profile = Profile.objects.filter(user=account_of(mail)).first()
    return profile is None or profile.wants(MailKind(mail.kind))


def token(mail: Mail) -> str:
    """Return what the link in a mail names its switch by, without the address; it is good for ever."""
    account = account_of(mail)
    if account is None:
        return signing.dumps(digests_of(mail.address), salt=SALT, compress=False)
    profile, _ = Profile.objects.get_or_create(user_id=account)
    return profile.unsubscribe_token.hex


def account_of(mail: Mail) -> int | None:
    """Return whose profile says whether a mail is wanted: its person's, or whose address somebody was invited by."""
    if mail.person_id is not None:
        return mail.person_id
    row = Invitation.objects.select_related("addressee").filter(public_id=mail.about, addressee__is_active=True).first()
    account = row.addressee if row is not None else None
    if account is None or account.email.lower() != mail.address.lower():
        return None
    return account.pk if is_theirs(account) else None


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
