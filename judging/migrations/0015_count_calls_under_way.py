"""Count calls of debates with a limit while they are under way, whatever becomes of the claim they were begun in."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0008_add_strategy_of_turns"),
        ("judging", "0014_readings_v1"),
    ]

    operations = [
        migrations.CreateModel(
            name="CallUnderWay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "fence",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Of the claim that has set it aside; empty for a call outside of rounds.",
                        null=True,
                    ),
                ),
                ("lease_until", models.DateTimeField()),
                (
                    "debate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calls_under_way",
                        to="debates.debate",
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calls_under_way",
                        to="debates.thread",
                    ),
                ),
            ],
            options={"verbose_name_plural": "calls under way"},
        ),
    ]
