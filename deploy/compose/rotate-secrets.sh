#!/usr/bin/env bash
# Gives existing volumes the secrets of a new .env: bash deploy/compose/rotate-secrets.sh OLD_ENV_FILE
# PostgreSQL and Keycloak keep their passwords in the volumes, so a new .env alone does not change them. Redis and the storage read theirs at each start.
# Options for `docker compose`, such as --env-file, follow the file.
set -euo pipefail
old_file=${1:?usage: rotate-secrets.sh OLD_ENV_FILE}
KC_CLI_PASSWORD=$(sed -n 's/^KC_BOOTSTRAP_ADMIN_PASSWORD=//p' "$old_file")
[ -n "$KC_CLI_PASSWORD" ] || { echo "$old_file has no KC_BOOTSTRAP_ADMIN_PASSWORD" >&2; exit 1; }
export KC_CLI_PASSWORD
options=("${@:2}")
cd "$(dirname "$0")/../.."
compose() { docker compose "${options[@]}" "$@"; }

compose down
compose up --detach --wait postgres
# The server trusts its own socket, so the old passwords are not needed. The new ones are in the environment of the container.
compose exec -T postgres sh -c 'psql --quiet --username postgres --set ON_ERROR_STOP=1 \
  --set superuser="$POSTGRES_PASSWORD" --set profile="$DATABASE_PASSWORD" --set keycloak="$KEYCLOAK_DATABASE_PASSWORD"' << 'SQL'
alter role postgres password :'superuser';
alter role profile password :'profile';
alter role keycloak password :'keycloak';
SQL

compose up --detach --wait keycloak
# Keycloak does not import a realm that exists.
compose exec -T -e KC_CLI_PASSWORD keycloak bash -euo pipefail << 'KEYCLOAK'
admin() { /opt/keycloak/bin/kcadm.sh "$@" --config /tmp/kcadm.config; }
id_of() { admin get clients --target-realm profile --query "clientId=$1" --fields id --format csv --noquotes; }
admin config credentials --server http://localhost:8080 --realm master --user admin
admin update "clients/$(id_of profile-service)" --target-realm profile --set "secret=$IDENTITY_CLIENT_SECRET"
admin update "clients/$(id_of portal-app)" --target-realm profile --set "secret=$PORTAL_APP_CLIENT_SECRET"
admin update "clients/$(id_of reports-app)" --target-realm profile --set "secret=$REPORTS_APP_CLIENT_SECRET"
admin set-password --target-realm profile --username "$BOOTSTRAP_GLOBAL_EMAIL" --new-password "$BOOTSTRAP_GLOBAL_PASSWORD"
# Last, because a repeated run needs the old password.
admin set-password --target-realm master --username admin --new-password "$KC_BOOTSTRAP_ADMIN_PASSWORD"
rm /tmp/kcadm.config
KEYCLOAK

compose up --detach --wait
