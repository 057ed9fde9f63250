"""Mail: one row for each person and occasion, written with what it is about, and what became of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models.debate import Debate
from debates.models.fields import DIGEST, known, public_id, word
from debates.sealing import SealedField, is_sealed
from debates.types import MailKind, MailState

WAITS = Q(state__in=[MailState.DUE.value, MailState.SENDING.value])


class Mail(models.Model):
    """Something that one person is written to about, once. Its words are found when it is sent, and kept nowhere.

    ``about`` names the occasion: the public id of what it is about, and where that may come again, a number.
    ``address`` is for whoever has no account yet, ``secret`` what only this mail may say, as an invitation's text; both
    go when the mail has been sent.
    """

    public_id = public_id()
    kind = word(MailKind, editable=False)
    about = models.CharField(max_length=80, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="mails", editable=False
    )
    address = models.EmailField(blank=True, default="", editable=False)
    secret = SealedField(blank=True, default="", editable=False)
    debate = models.ForeignKey(
        Debate, null=True, blank=True, on_delete=models.CASCADE, related_name="mails", editable=False
    )
    state = word(MailState, default=MailState.DUE.value, editable=False)
    due_at = models.DateTimeField(editable=False)
    next_attempt_at = models.DateTimeField(editable=False)
    attempts = models.PositiveIntegerField(default=0, editable=False)
    problem = models.CharField(max_length=200, blank=True, default="", editable=False)
    handed_over_at = models.DateTimeField(null=True, blank=True, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "mail"
        indexes = [models.Index(fields=["next_attempt_at"], condition=WAITS, name="mail_waits")]
        constraints = [
            known("kind", MailKind, "mail_kind_is_known"),
            known("state", MailState, "mail_state_is_known"),
            models.UniqueConstraint(
                fields=["kind", "about", "person"], nulls_distinct=False, name="mail_once_per_person_and_occasion"
            ),
            models.CheckConstraint(
                name="mail_is_to_a_person_or_an_address",
                condition=Q(person__isnull=False, address="") | Q(person__isnull=True) & (~WAITS | ~Q(address="")),
            ),
            models.CheckConstraint(name="mail_forgets_its_secrets", condition=WAITS | Q(address="", secret="")),
            is_sealed("secret", constraint="mail_secret_is_sealed"),
            models.CheckConstraint(
                name="mail_being_sent_says_since_when",
                condition=~Q(state=MailState.SENDING.value) | Q(handed_over_at__isnull=False),
            ),
            models.CheckConstraint(
                name="mail_waits_until_settled",
                condition=WAITS & Q(settled_at__isnull=True) | ~WAITS & Q(settled_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"mail {self.pk}: {self.get_kind_display()} ({self.state})"


class MailStop(models.Model):
    """That an address of somebody who has no account wants no mail: known again by a keyed digest of it alone."""

    digest = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(name="mail_stop_digest_is_one", condition=Q(digest__regex=DIGEST))]

    def __str__(self) -> str:
        return f"no mail to {self.digest[:12]}…"
