"""The table of the shared cache: sign-in limits must hold across processes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = []
    operations = [
        migrations.RunSQL(
            """
            CREATE TABLE moot_cache (
              cache_key varchar(255) PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL
            );
            CREATE INDEX moot_cache_expires ON moot_cache (expires);
            """,
            "DROP TABLE moot_cache",
        )
    ]
