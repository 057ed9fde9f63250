"""Install the guards of judging/sql/erasure_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0011_tell_known_answers"), ("scoring", "0006_erasure_v1")]
    operations = [
        migrations.RunSQL(
            (SQL / "erasure_v1.sql").read_text(encoding="utf-8"),
            (SQL / "erasure_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
