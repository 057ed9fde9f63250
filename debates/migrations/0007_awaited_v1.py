"""Install the guards of debates/sql/awaited_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("debates", "0006_awaited")]
    operations = [
        migrations.RunSQL(
            (SQL / "awaited_v1.sql").read_text(encoding="utf-8"),
            (SQL / "awaited_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
