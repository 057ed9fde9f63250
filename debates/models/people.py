"""Who may come, and as what: invitations and who came by them, roles of people in a debate, and their profiles."""

import uuid
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from debates.models.debate import Debate, Participant
from debates.models.fields import DIGEST, known, public_id, word
from debates.types import MAIL_WORDS, MailKind, MemberRole

MOST_PLACES = 500
WANTED_OR_NOT = [(kind.value, words) for kind, words in MAIL_WORDS.items()]


class Invitation(models.Model):
    """A link that was given to somebody: to the site, or to a role or a seat of a debate. Only its digest is kept."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations")
    role = word(MemberRole, blank=True, default="", help_text="In the debate; empty for the site, or a seat.")
    seat = models.ForeignKey(Participant, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations")
    group = models.ForeignKey(
        Group, null=True, blank=True, on_delete=models.SET_NULL, related_name="+",
        help_text="Of the site; superusers alone invite to one.",
    )  # fmt: skip
    email = models.EmailField(blank=True, default="", help_text="Whom it is for, where that is known.")
    addressee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", editable=False,
        help_text="Whose address it was when the invitation was made; the database writes it.",
    )  # fmt: skip
    digest = models.CharField(max_length=64, editable=False)
    places = models.PositiveSmallIntegerField(default=1, help_text="How many people may come by it.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="invitations_made",
        help_text="Nobody where it was the operator of the machine.",
    )  # fmt: skip
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", editable=False
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["digest"], name="invitation_digest_once"),
            models.CheckConstraint(name="invitation_digest_is_one", condition=Q(digest__regex=DIGEST)),
            known("role", MemberRole, "invitation_role_is_known", empty=True),
            models.CheckConstraint(
                name="invitation_is_to_the_site_a_role_or_a_seat",
                condition=Q(debate__isnull=True, role="", seat__isnull=True)
                | Q(debate__isnull=False, seat__isnull=True) & ~Q(role="")
                | Q(debate__isnull=False, seat__isnull=False, role=""),
            ),
            models.CheckConstraint(
                name="invitation_to_a_group_is_to_the_site", condition=Q(group__isnull=True) | Q(debate__isnull=True)
            ),
            models.CheckConstraint(
                name="invitation_places_inside_limits",
                condition=Q(places__range=(1, MOST_PLACES))
                & (Q(places=1) | Q(seat__isnull=True, group__isnull=True, email="")),
            ),
            models.CheckConstraint(
                name="invitation_expires_after_it_begins", condition=Q(expires_at__gt=F("created_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"Invitation {self.pk}"


class Acceptance(models.Model):
    """Somebody came by an invitation."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="acceptances")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="acceptances")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["invitation", "user"], name="invitation_accepted_once_by_a_person")
        ]

    def __str__(self) -> str:
        return f"Acceptance {self.pk} of invitation {self.invitation_id}"


class Membership(models.Model):
    """A role that a person has in a debate, beside its seats, until it is revoked."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = word(MemberRole)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            known("role", MemberRole, "membership_role_is_known"),
            models.UniqueConstraint(
                fields=["debate", "user", "role"], condition=Q(revoked_at__isnull=True),
                name="membership_once_while_it_stands",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"Membership {self.pk} ({self.role})"


def time_zones() -> set[str]:
    """Return the names of the time zones of the world, as browsers know them too."""
    return available_timezones() - {"Factory", "localtime"}


def is_time_zone(name: str) -> None:
    """Refuse what is no time zone.

    Raises: ``ValidationError``.
    """
    if name not in time_zones():
        raise ValidationError(f"{name[:80]!r} is no time zone; Europe/Vienna is one.")


class Profile(models.Model):
    """What somebody wants of the site. Whoever has none wants what a new one says."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="profile")
    time_zone = models.CharField(
        max_length=64, blank=True, default="", validators=[is_time_zone], help_text="Of times on pages; empty: UTC."
    )
    unwanted_mail = ArrayField(models.CharField(max_length=20, choices=WANTED_OR_NOT), blank=True, default=list)
    unsubscribe_token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="profile_unwanted_mail_is_known",
                condition=Q(unwanted_mail__contained_by=[kind for kind, _ in WANTED_OR_NOT]),
            ),
            models.CheckConstraint(
                name="profile_time_zone_is_a_name", condition=Q(time_zone__regex=r"^[A-Za-z0-9_+/-]*$")
            ),
        ]

    def __str__(self) -> str:
        return f"Profile of user {self.user_id}"

    def wants(self, kind: MailKind) -> bool:
        return kind.value not in self.unwanted_mail
