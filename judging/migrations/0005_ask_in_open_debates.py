"""Let calls be made for what open debates ask."""

from django.db import migrations, models

PURPOSES = [
    "assess",
    "challenge",
    "press",
    "defend",
    "judge",
    "synthesise",
    "introduce",
    "open",
    "respond",
    "evaluate",
    "influence",
    "interject",
    "sum_up",
]


class Migration(migrations.Migration):
    dependencies = [("judging", "0004_review_v1")]

    operations = [
        migrations.RemoveConstraint(model_name="call", name="call_purpose_is_known"),
        migrations.AlterField(
            model_name="call",
            name="purpose",
            field=models.CharField(choices=[(one, one.replace("_", " ")) for one in PURPOSES], max_length=20),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(condition=models.Q(purpose__in=PURPOSES), name="call_purpose_is_known"),
        ),
    ]
