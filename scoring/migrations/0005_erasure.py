"""Write erasures down, and let two records of one person lose their names."""

import uuid

import django.contrib.postgres.functions
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ONCE = "actor_once_per_user_name_and_role"


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0005_epoch"),
        ("scoring", "0004_desk_v1"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "scope",
                    models.CharField(
                        choices=[("debate", "debate"), ("participant", "participant"), ("user", "user")], max_length=20
                    ),
                ),
                ("counts", models.JSONField()),
                ("at", models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow())),
                (
                    "because",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.reason"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.actor"
                    ),
                ),
                (
                    "debate",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to="debates.debate",
                    ),
                ),
                (
                    "participant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="debates.participant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("scope__in", ["debate", "participant", "user"])),
                        name="erasure_scope_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("debate__isnull", False),
                                ("participant__isnull", True),
                                ("scope", "debate"),
                                ("user__isnull", True),
                            ),
                            models.Q(
                                ("debate__isnull", False),
                                ("participant__isnull", False),
                                ("scope", "participant"),
                                ("user__isnull", True),
                            ),
                            models.Q(
                                ("debate__isnull", True),
                                ("participant__isnull", True),
                                ("scope", "user"),
                                ("user__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="erasure_names_what_it_erased",
                    ),
                ],
            },
        ),
        migrations.RemoveConstraint(model_name="actor", name=ONCE),
        migrations.AddConstraint(
            model_name="actor",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name", ""), _negated=True),
                fields=("user", "name", "role"),
                name=ONCE,
                nulls_distinct=False,
            ),
        ),
    ]
