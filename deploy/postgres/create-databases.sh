#!/usr/bin/env bash
# Runs once, on an empty volume. Creates a role and a database for the service, and another pair for Keycloak. The roles are not superusers.
# Neither can connect to the other's database.
set -euo pipefail

create() {
  psql -v ON_ERROR_STOP=1 -v name="$1" -v password="$2" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke connect on database :"name" from public;
SQL
}

create profile "$DATABASE_PASSWORD"
create keycloak "$KEYCLOAK_DATABASE_PASSWORD"
