"""Keep with each turn of a chair how it chose to argue."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("debates", "0007_awaited_v1")]
    operations = [
        migrations.AddField(
            model_name="turn",
            name="strategy",
            field=models.CharField(
                blank=True, db_default="", default="", help_text="How a chair argued here, as it chose.", max_length=20
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(("strategy", ""), ("kind__in", ["opening", "response"]), _connector="OR"),
                name="turn_strategy_only_of_chairs",
            ),
        ),
    ]
