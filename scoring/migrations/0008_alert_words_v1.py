"""Install the guards of scoring/sql/alert_words_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("scoring", "0007_one_round_v1")]
    operations = [
        migrations.RunSQL(
            (SQL / "alert_words_v1.sql").read_text(encoding="utf-8"),
            (SQL / "alert_words_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
