"""Install the guards of debates/sql/access_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("debates", "0003_access")]
    operations = [
        migrations.RunSQL(
            (SQL / "access_v1.sql").read_text(encoding="utf-8"),
            (SQL / "access_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
