"""Make the table of reviews."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0002_guards_v1"),
        ("judging", "0002_guards_v1"),
        ("scoring", "0003_desk"),
    ]

    operations = [
        migrations.CreateModel(
            name="Review",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("run_number", models.PositiveIntegerField(default=1)),
                (
                    "round_number",
                    models.PositiveSmallIntegerField(help_text="The round after which there was no consensus."),
                ),
                (
                    "reason_code",
                    models.CharField(
                        choices=[
                            ("spread", "spread"),
                            ("criterion_spread", "criterion spread"),
                            ("not_accepted", "not accepted"),
                            ("quorum_lost", "quorum lost"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "disputed",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        help_text="Codes of the criteria to decide.",
                        size=None,
                    ),
                ),
                (
                    "policy",
                    models.JSONField(
                        help_text="Thresholds, weights, quorum, pass mark and prompt versions as they were."
                    ),
                ),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("claimed", "claimed"), ("settled", "settled")],
                        default="open",
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("decisions", models.JSONField(default=dict, editable=False)),
                (
                    "claimed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.actor",
                    ),
                ),
                (
                    "debate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reviews", to="debates.debate"
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.actor",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [("resolve_review", "Can claim and settle reviews")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reason_code__in", ["spread", "criterion_spread", "not_accepted", "quorum_lost"])
                        ),
                        name="review_reason_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "claimed", "settled"])), name="review_state_is_known"
                    ),
                    models.UniqueConstraint(
                        fields=("debate", "run_number", "round_number"), name="review_once_per_debate_run_and_round"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("disputed__len__gt", 0)), name="review_disputes_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("claimed_by__isnull", False), ("lease_until__isnull", False), ("state", "claimed")
                            ),
                            models.Q(
                                models.Q(("state", "claimed"), _negated=True),
                                ("claimed_by__isnull", True),
                                ("lease_until__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="review_claimed_has_holder_and_lease",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("settled_at__isnull", False),
                                ("settled_by__isnull", False),
                                ("state", "settled"),
                                models.Q(("decisions", {}), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state", "settled"), _negated=True),
                                ("decisions", {}),
                                ("settled_at__isnull", True),
                                ("settled_by__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="review_settled_says_who_when_and_what",
                    ),
                ],
            },
        ),
    ]
