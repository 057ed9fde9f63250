"""Install the guards of judging/sql/verdicts_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0015_count_calls_under_way")]
    operations = [
        migrations.RunSQL(
            (SQL / "verdicts_v1.sql").read_text(encoding="utf-8"),
            (SQL / "verdicts_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
