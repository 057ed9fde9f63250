"""Install the guards of scoring/sql/ledger_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial"), ("debates", "0002_guards_v1")]
    operations = [
        migrations.RunSQL(
            (SQL / "ledger_v1.sql").read_text(encoding="utf-8"),
            (SQL / "ledger_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
