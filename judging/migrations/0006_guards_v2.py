"""Let the reason why an answer was not used be erased with it: the guards of judging/sql/guards_v2.sql."""

from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0005_ask_in_open_debates")]
    operations = [
        migrations.RemoveConstraint(model_name="call", name="call_that_was_not_used_says_why"),
        migrations.AlterField(
            model_name="call",
            name="problem",
            field=models.TextField(
                blank=True, default="", help_text="Why the answer was not used; erased together with it."
            ),
        ),
        migrations.RunSQL(
            (SQL / "guards_v2.sql").read_text(encoding="utf-8"),
            (SQL / "guards_v2_undo.sql").read_text(encoding="utf-8"),
        ),
    ]
