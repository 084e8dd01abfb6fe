#!/usr/bin/env bash
# Runs once, on the empty volume: a role and a database each for this service and for Keycloak, neither with the superuser's rights nor
# with a way into the other's database.
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
