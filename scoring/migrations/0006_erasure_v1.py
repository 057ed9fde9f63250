"""Install the guards of scoring/sql/erasure_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_erasure")]
    operations = [
        migrations.RunSQL(
            (SQL / "erasure_v1.sql").read_text(encoding="utf-8"),
            (SQL / "erasure_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
