"""Let a call say that its answer was known already, so that it costs no budget."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0010_tables_v1")]

    operations = [
        migrations.AddField(
            model_name="call",
            name="known",
            field=models.BooleanField(
                default=False, help_text="The answer was known already: nobody was asked, nothing paid."
            ),
        ),
    ]
