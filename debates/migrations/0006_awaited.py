"""Keep which turns are awaited of people and programs, and until when; a turn is taken or forfeited, once."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    "opening",
    "challenge",
    "defence",
    "response",
    "interjection",
    "report",
    "synthesis",
]
TAKEN_IN_TURN = ["opening", "response"]


class Migration(migrations.Migration):
    dependencies = [("debates", "0005_epoch")]
    operations = [
        migrations.CreateModel(
            name="AwaitedTurn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("kind", models.CharField(choices=[(one, one) for one in KINDS], max_length=20)),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("at", models.DateTimeField()),
                ("deadline", models.DateTimeField()),
                (
                    "participant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="awaited",
                        to="debates.participant",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="awaited", to="debates.round"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", TAKEN_IN_TURN)), name="awaited_turn_is_one_that_is_taken"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("deadline__gt", models.F("at"))), name="awaited_turn_has_time"
                    ),
                    models.UniqueConstraint(fields=("round", "participant", "number"), name="awaited_turn_number_once"),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", TAKEN_IN_TURN), ("round__isnull", False)),
                fields=("round", "participant"),
                name="turn_is_taken_or_forfeited_once",
            ),
        ),
        migrations.AddIndex(
            model_name="thread",
            index=models.Index(
                condition=models.Q(("status", "awaiting_turn")), fields=["id"], name="thread_that_waits"
            ),
        ),
    ]
