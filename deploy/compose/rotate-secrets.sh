#!/usr/bin/env bash
# Gives existing volumes the secrets of a new .env: bash deploy/compose/rotate-secrets.sh OLD_ENV_FILE
# PostgreSQL and Keycloak keep their passwords in the volumes, so a new .env alone does not change them. Redis and the storage read theirs at each start.
# The password of the Global user stays. Options for `docker compose`, such as --env-file, follow the file.
set -euo pipefail
old_file=$(realpath "${1:?usage: rotate-secrets.sh OLD_ENV_FILE}")
options=("${@:2}")
cd "$(dirname "$0")/../.."
compose() { docker compose "${options[@]}" "$@"; }
# The last file decides.
old() { compose --env-file "$old_file" "$@"; }

# Starts Keycloak with the old secrets, unless it runs with them.
old up --detach --wait keycloak
OLD_ADMIN_PASSWORD=$(old run --rm --no-deps -T --entrypoint printenv keycloak KC_BOOTSTRAP_ADMIN_PASSWORD)
export OLD_ADMIN_PASSWORD

# A container with the new secrets changes Keycloak, which does not import a realm that exists. Nothing is changed if the login fails or a client is missing.
# The new password works if the script has been interrupted after it had changed the old one.
compose run --rm --no-deps -T -e OLD_ADMIN_PASSWORD --entrypoint bash keycloak -euo pipefail << 'KEYCLOAK'
admin() { /opt/keycloak/bin/kcadm.sh "$@" --config /tmp/kcadm.config; }
log_in() { KC_CLI_PASSWORD=$1 admin config credentials --server http://keycloak:8080 --realm master --user admin; }
log_in "$OLD_ADMIN_PASSWORD" || log_in "$KC_BOOTSTRAP_ADMIN_PASSWORD" || {
  echo 'Nothing was changed: the user "admin" of Keycloak does not exist, or has another password than KC_BOOTSTRAP_ADMIN_PASSWORD in the old file.' >&2
  exit 1
}
declare -A ids secrets=([profile-service]=$IDENTITY_CLIENT_SECRET [portal-app]=$PORTAL_APP_CLIENT_SECRET [reports-app]=$REPORTS_APP_CLIENT_SECRET)
for client in "${!secrets[@]}"; do
  ids[$client]=$(admin get clients --target-realm profile --query "clientId=$client" --fields id --format csv --noquotes)
done
[ -n "${ids[profile-service]}" ] || { echo 'Nothing was changed: the realm has no client "profile-service".' >&2; exit 1; }
for client in "${!secrets[@]}"; do
  # The example applications may have been deleted.
  [ -z "${ids[$client]}" ] || admin update "clients/${ids[$client]}" --target-realm profile --set "secret=${secrets[$client]}"
done
admin set-password --target-realm master --username admin --new-password "$KC_BOOTSTRAP_ADMIN_PASSWORD"
KEYCLOAK

compose down
compose up --detach --wait postgres
# The server trusts its own socket, so the old passwords are not needed. The new ones are in the environment of the container.
compose exec -T postgres sh -c 'psql --quiet --username postgres --set ON_ERROR_STOP=1 \
  --set superuser="$POSTGRES_PASSWORD" --set profile="$DATABASE_PASSWORD" --set keycloak="$KEYCLOAK_DATABASE_PASSWORD"' << 'SQL'
begin;
alter role postgres password :'superuser';
alter role profile password :'profile';
alter role keycloak password :'keycloak';
commit;
SQL
echo 'All secrets are changed. If the start fails, use docker compose up --wait: do not run this script again.'
compose up --detach --wait
