"""Work on a score's case: who has it, and what moderators say to each other about it."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from scoring.models.evaluation import Evaluation
from scoring.models.ledger import Actor, InternalNote


class Remark(models.Model):
    """What one moderator tells the others about a score. Never public; its words are a note, and may be erased."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="remarks")
    by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    note = models.OneToOneField(InternalNote, on_delete=models.PROTECT, related_name="remark")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"remark {self.pk} on evaluation {self.evaluation_id}"


class Assignment(models.Model):
    """Who has the case of a score. It says who looks at it, and forbids nobody anything."""

    evaluation = models.OneToOneField(Evaluation, on_delete=models.PROTECT, related_name="assignment")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments")
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"the case of evaluation {self.evaluation_id} with person {self.person_id}"
