"""Seals: digests of rows as they were written, chained in blocks. The database alone writes them."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

SITE = 0
"""The chain of what belongs to no debate: subjects, reasons, actors, rescore sets, erasures."""


class Seal(models.Model):
    """One row of another table as it was after one change: sha256(salt || row), the row as PostgreSQL prints ``jsonb``.

    A row is proved by its newest seal. Seals before it have lost their salt, so that nobody can try what the row once
    said. ``chain`` is the id of the debate, or ``SITE``; ``batch`` is the number of the transaction.
    """

    chain = models.BigIntegerField()
    batch = models.BigIntegerField(db_index=True)
    relation = models.CharField(max_length=60)
    key = models.BigIntegerField(help_text="The primary key of the row.")
    act = models.CharField(max_length=6, choices=[(act, act.lower()) for act in ("INSERT", "UPDATE", "DELETE")])
    salt = models.UUIDField(null=True)
    digest = models.BinaryField()
    altered = ArrayField(models.TextField(), null=True, help_text="The columns that an UPDATE changed.")
    guards_off = ArrayField(models.TextField(), null=True, help_text="Triggers of the table that were switched off.")

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["relation", "key", "-id"], name="seal_by_row"),
            models.Index(fields=["chain", "id"], name="seal_by_chain"),
        ]

    def __str__(self) -> str:
        return f"seal {self.pk}: {self.act.lower()} of {self.relation} {self.key}"


class Block(models.Model):
    """What one transaction wrote of one debate: its seals and events, and the hash over them and the block before.

    ``events`` are the digests of the events after those of the block before, up to ``seq``.
    """

    chain = models.BigIntegerField()
    number = models.PositiveBigIntegerField()
    batch = models.BigIntegerField(db_index=True)
    first_seal = models.BigIntegerField(help_text="0 where there are events alone, as is last_seal.")
    last_seal = models.BigIntegerField()
    seq = models.PositiveBigIntegerField(help_text="How far the log of the debate reaches.")
    events = ArrayField(models.BinaryField(), default=list)
    at = models.DateTimeField(db_default=Now())
    hash = models.BinaryField()

    class Meta:
        ordering = ["chain", "number"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="block_number_once_per_chain"),
            models.CheckConstraint(name="block_number_starts_at_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"block {self.number} of chain {self.chain}"
