"""Install the guards of judging/sql/review_v1.sql."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0003_review")]
    operations = [
        migrations.RunSQL(
            (SQL / "review_v1.sql").read_text(encoding="utf-8"),
            (SQL / "review_v1_undo.sql").read_text(encoding="utf-8"),
        )
    ]
