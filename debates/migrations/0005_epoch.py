"""Name the logs of this database, and count erasures of words that their events refer to."""

import uuid

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("debates", "0004_access_v1")]
    operations = [
        migrations.AddField(
            model_name="eventhead",
            name="erasures",
            field=models.PositiveIntegerField(
                db_default=0, editable=False, help_text="How often words were erased that events refer to."
            ),
        ),
        migrations.CreateModel(
            name="Epoch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("value", models.UUIDField(default=uuid.uuid4)),
                ("since", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="epoch_is_the_only_one")],
            },
        ),
        migrations.RunSQL(
            "INSERT INTO debates_epoch (id, value) VALUES (1, gen_random_uuid())", migrations.RunSQL.noop
        ),
    ]
