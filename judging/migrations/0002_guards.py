"""Install the guards of judging/sql/guards.sql. There is no way back: history does not lose its guards by a command."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("judging", "0001_initial"), ("scoring", "0002_guards")]
    operations = [migrations.RunSQL((SQL / "guards.sql").read_text(encoding="utf-8"))]
