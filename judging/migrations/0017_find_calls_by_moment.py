"""Let the calls of the last day be found without reading all there are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0016_verdicts_v1")]

    operations = [
        migrations.AddIndex(model_name="call", index=models.Index(fields=["at"], name="call_by_moment")),
    ]
