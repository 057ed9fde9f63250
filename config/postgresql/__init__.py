"""The backend of Django for PostgreSQL, patient with a pool that is busy."""
