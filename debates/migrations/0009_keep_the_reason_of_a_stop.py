"""Keep why a debate was stopped apart from what went wrong with it, so that neither takes the other's place."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("debates", "0008_add_strategy_of_turns")]
    operations = [
        migrations.AddField(
            model_name="debate",
            name="stop_reason",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=500),
        ),
    ]
