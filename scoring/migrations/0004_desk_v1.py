"""Install the guards of scoring/sql/desk_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_desk")]
    operations = [
        migrations.RunSQL(
            (SQL / "desk_v1.sql").read_text(encoding="utf-8"),
            (SQL / "desk_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
