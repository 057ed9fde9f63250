"""Install the guards of judging/sql/guards_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0001_initial"), ("scoring", "0002_ledger_v1")]
    operations = [
        migrations.RunSQL(
            (SQL / "guards_v1.sql").read_text(encoding="utf-8"),
            (SQL / "guards_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
