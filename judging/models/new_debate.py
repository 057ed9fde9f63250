"""Debates that somebody is still filling in."""

from django.conf import settings
from django.db import models

from debates.models import Debate
from debates.models.fields import known, public_id, word
from debates.types import Format


class NewDebate(models.Model):
    """What somebody has filled in so far of a debate that is not made yet; it goes when the debate is made.

    One that is a copy holds words of the debate that it was copied from, and goes when they are erased.
    """

    public_id = public_id()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="new_debates")
    format = word(Format)
    copied_from = models.ForeignKey(Debate, null=True, blank=True, on_delete=models.CASCADE, related_name="copies")
    body = models.JSONField(default=dict, blank=True, help_text="As a request to the API would have it.")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-id"]
        constraints = [known("format", Format, "new_debate_format_is_known")]

    def __str__(self) -> str:
        return str(self.body.get("title") or self.body.get("motion") or f"New debate {self.pk}")[:200]
