"""Remove two columns that were never written."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("judging", "0017_find_calls_by_moment")]

    operations = [
        migrations.RemoveField(model_name="responseevaluation", name="digest"),
        migrations.RemoveField(model_name="cachedjudgement", name="debate"),
    ]
