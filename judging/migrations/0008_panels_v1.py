"""Install the guards of judging/sql/panels_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0007_add_panels")]
    operations = [
        migrations.RunSQL(
            (SQL / "panels_v1.sql").read_text(encoding="utf-8"),
            (SQL / "panels_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
