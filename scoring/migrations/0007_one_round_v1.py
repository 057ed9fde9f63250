"""Install the guards of scoring/sql/one_round_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("scoring", "0006_erasure_v1")]
    operations = [
        migrations.RunSQL(
            (SQL / "one_round_v1.sql").read_text(encoding="utf-8"),
            (SQL / "one_round_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
