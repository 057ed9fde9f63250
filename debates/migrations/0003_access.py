"""Make the tables of API keys, idempotency keys, webhooks and deliveries; give participants a seat."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0002_guards_v1"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("name", models.CharField(help_text="What the key is for.", max_length=80)),
                (
                    "prefix",
                    models.CharField(
                        editable=False, help_text="How the key begins, to recognise it by.", max_length=12
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("read", "read"),
                                ("write", "write"),
                                ("moderate", "moderate"),
                                ("export", "export"),
                                ("webhooks", "webhooks"),
                                ("metrics", "metrics"),
                            ],
                            max_length=20,
                        ),
                        size=None,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "last_used_at",
                    models.DateTimeField(blank=True, editable=False, help_text="To the minute.", null=True),
                ),
            ],
            options={
                "verbose_name": "API key",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("delivered", "delivered"),
                            ("dead", "dead"),
                            ("withheld", "withheld"),
                        ],
                        default="waiting",
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("log", models.JSONField(blank=True, default=list, editable=False)),
                ("settled_at", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200)),
                ("digest", models.CharField(help_text="Of method, address and body.", max_length=64)),
                (
                    "status",
                    models.PositiveSmallIntegerField(default=0, help_text="Of the answer; 0 while it is being found."),
                ),
                ("body", models.TextField(blank=True, default="")),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("url", models.URLField(max_length=500)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        blank=True,
                        default=list,
                        help_text="Empty for every type.",
                        size=None,
                    ),
                ),
                ("secret", models.CharField(editable=False, max_length=80)),
                ("former_secret", models.CharField(blank=True, default="", editable=False, max_length=80)),
                ("former_until", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "active"), ("disabled", "disabled")],
                        default="active",
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("disabled_because", models.CharField(blank=True, default="", editable=False, max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.AddField(
            model_name="participant",
            name="invitation",
            field=models.PositiveIntegerField(
                default=0, editable=False, help_text="The number of the newest invitation; each can be taken once."
            ),
        ),
        migrations.AddField(
            model_name="participant",
            name="user",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seats",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="participant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "engine"), _negated=True), ("user__isnull", True), _connector="OR"
                ),
                name="engine_participant_has_no_seat",
            ),
        ),
        migrations.AddField(
            model_name="apikey",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="api_keys", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="deliveries", to="debates.event"
            ),
        ),
        migrations.AddField(
            model_name="idempotencykey",
            name="api_key",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="debates.apikey",
            ),
        ),
        migrations.AddField(
            model_name="idempotencykey",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="debate",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="webhooks",
                to="debates.debate",
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="webhooks", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="webhook",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deliveries",
                to="debates.webhook",
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.UniqueConstraint(fields=("prefix",), name="api_key_prefix_once"),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")), name="api_key_digest_is_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("scopes__contained_by", ["read", "write", "moderate", "export", "webhooks", "metrics"]),
                    ("scopes__len__gt", 0),
                ),
                name="api_key_scopes_are_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("expires_at__isnull", True), ("expires_at__gt", models.F("created_at")), _connector="OR"
                ),
                name="api_key_expires_after_it_begins",
            ),
        ),
        migrations.AddIndex(
            model_name="idempotencykey",
            index=models.Index(fields=["at"], name="idempotency_key_by_time"),
        ),
        migrations.AddConstraint(
            model_name="idempotencykey",
            constraint=models.UniqueConstraint(
                fields=("owner", "api_key", "key"), name="idempotency_key_once_per_caller", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="idempotencykey",
            constraint=models.CheckConstraint(
                condition=models.Q(("status", 0), ("status__range", (200, 299)), _connector="OR"),
                name="idempotency_key_keeps_successes",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["active", "disabled"])), name="webhook_state_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("secret__regex", "^whsec_")), name="webhook_secret_is_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("former_secret", ""), ("former_until__isnull", True)),
                    models.Q(models.Q(("former_secret", ""), _negated=True), ("former_until__isnull", False)),
                    _connector="OR",
                ),
                name="webhook_former_secret_ends",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(models.Q(("state", "disabled"), _negated=True), ("disabled_because", "")),
                    models.Q(("state", "disabled"), models.Q(("disabled_because", ""), _negated=True)),
                    _connector="OR",
                ),
                name="webhook_disabled_says_why",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(condition=models.Q(("state", "waiting")), fields=["due_at"], name="delivery_due"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "delivered", "dead", "withheld"])),
                name="delivery_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("webhook", "event"), name="delivery_once_per_webhook_and_event"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("due_at__isnull", False), ("settled_at__isnull", True), ("state", "waiting")),
                    models.Q(
                        models.Q(("state", "waiting"), _negated=True),
                        ("due_at__isnull", True),
                        ("settled_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="delivery_waits_until_settled",
            ),
        ),
    ]
