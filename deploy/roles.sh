#!/bin/sh
# Two roles and a database: the owner migrates, the app role serves. Run once, as a superuser of the server.
# MOOT_OWNER_PASSWORD and MOOT_APP_PASSWORD come from the environment; psql quotes them.
set -eu
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
    --set owner_password="$MOOT_OWNER_PASSWORD" --set app_password="$MOOT_APP_PASSWORD" <<'SQL'
CREATE ROLE moot_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE moot_app LOGIN PASSWORD :'app_password';
CREATE DATABASE moot OWNER moot_owner ENCODING UTF8 TEMPLATE template0;
REVOKE CONNECT, TEMPORARY ON DATABASE moot FROM PUBLIC;
GRANT CONNECT ON DATABASE moot TO moot_app;
SQL
