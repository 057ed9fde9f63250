"""Install the guards of judging/sql/tables_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0009_add_tables")]
    operations = [
        migrations.RunSQL(
            (SQL / "tables_v1.sql").read_text(encoding="utf-8"),
            (SQL / "tables_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
