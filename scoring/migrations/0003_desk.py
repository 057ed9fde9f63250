"""Make the tables of what moderators prepare: requests for a second person, and rescore sets."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0002_ledger_v1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Approval",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("value", models.DecimalField(decimal_places=6, help_text="The score asked for.", max_digits=10)),
                (
                    "value_seen",
                    models.DecimalField(
                        decimal_places=6,
                        help_text="The score that the request would replace, as it was then.",
                        max_digits=10,
                    ),
                ),
                ("seen", models.PositiveIntegerField(help_text="The moderation version that the request was made on.")),
                (
                    "door",
                    models.CharField(
                        choices=[
                            ("engine", "engine"),
                            ("moderator", "moderator"),
                            ("api", "api"),
                            ("system", "system"),
                        ],
                        max_length=20,
                    ),
                ),
                ("reason_code", models.CharField(blank=True, default="", max_length=60)),
                ("idempotency_key", models.CharField(blank=True, default="", max_length=200)),
                ("requested_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("approved", "approved"),
                            ("refused", "refused"),
                            ("void", "void"),
                        ],
                        default="waiting",
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "because",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.reason"
                    ),
                ),
                (
                    "decided_because",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.reason",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.actor",
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approval",
                        to="scoring.scorechange",
                    ),
                ),
                (
                    "evaluation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="approvals", to="scoring.evaluation"
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.actor"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [("approve_override", "Can approve an override that somebody else asked for")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "approved", "refused", "void"])),
                        name="approval_state_is_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting")),
                        fields=("evaluation",),
                        name="approval_waits_once_per_evaluation",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("door__in", ["moderator", "api", "system"])),
                        name="approval_comes_through_a_persons_door",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("decided_at__isnull", True),
                                ("decided_because__isnull", True),
                                ("decided_by__isnull", True),
                                ("entry__isnull", True),
                                ("state", "waiting"),
                            ),
                            models.Q(
                                ("decided_at__isnull", False),
                                ("decided_because__isnull", False),
                                ("decided_by__isnull", False),
                                ("entry__isnull", False),
                                ("state", "approved"),
                            ),
                            models.Q(
                                ("decided_at__isnull", False),
                                ("decided_because__isnull", False),
                                ("decided_by__isnull", False),
                                ("entry__isnull", True),
                                ("state", "refused"),
                            ),
                            models.Q(
                                ("decided_at__isnull", False),
                                ("decided_because__isnull", True),
                                ("decided_by__isnull", True),
                                ("entry__isnull", False),
                                ("state", "void"),
                            ),
                            _connector="OR",
                        ),
                        name="approval_decided_says_who_why_and_where",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RescoreSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "action",
                    models.CharField(
                        choices=[("freeze", "freeze"), ("unfreeze", "unfreeze"), ("rollback", "rollback")],
                        max_length=20,
                    ),
                ),
                (
                    "choice",
                    models.CharField(
                        blank=True, choices=[("apply", "apply"), ("discard", "discard")], default="", max_length=10
                    ),
                ),
                ("lines", models.JSONField()),
                ("staged_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "state",
                    models.CharField(
                        choices=[("staged", "staged"), ("applied", "applied"), ("cancelled", "cancelled")],
                        default="staged",
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "because",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.reason"
                    ),
                ),
                (
                    "decided_because",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.reason",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.actor",
                    ),
                ),
                (
                    "staged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.actor"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("action__in", ["freeze", "unfreeze", "rollback"])),
                        name="rescore_action_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["staged", "applied", "cancelled"])),
                        name="rescore_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("action", "unfreeze"), ("choice__in", ["apply", "discard"])),
                            models.Q(models.Q(("action", "unfreeze"), _negated=True), ("choice", "")),
                            _connector="OR",
                        ),
                        name="rescore_chooses_only_for_an_unfreeze",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("decided_at__isnull", True),
                                ("decided_because__isnull", True),
                                ("decided_by__isnull", True),
                                ("state", "staged"),
                            ),
                            models.Q(
                                ("decided_at__isnull", False),
                                ("decided_because__isnull", True),
                                ("decided_by__isnull", False),
                                ("state", "applied"),
                            ),
                            models.Q(
                                ("decided_because__isnull", False),
                                ("decided_by__isnull", False),
                                ("state", "cancelled"),
                                ("decided_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="rescore_decided_says_who_and_when",
                    ),
                ],
            },
        ),
    ]
