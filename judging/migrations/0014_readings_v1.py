"""Install the guards of judging/sql/readings_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0013_add_readings")]
    operations = [
        migrations.RunSQL(
            (SQL / "readings_v1.sql").read_text(encoding="utf-8"),
            (SQL / "readings_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
