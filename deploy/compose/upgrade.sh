#!/usr/bin/env bash
# Replaces the running instances of the API by instances of the current image, without an outage: bash deploy/compose/upgrade.sh
# Build or load the new image first. Options for `docker compose`, such as --env-file, are passed on.
set -euo pipefail
cd "$(dirname "$0")/../.."
compose() { docker compose "${options[@]}" "$@"; }
options=("$@")

mapfile -t old < <(compose ps --quiet api)
[ "${#old[@]}" -gt 0 ] || { echo 'No instance of the API runs: use docker compose up --wait' >&2; exit 1; }

# The migration is compatible with the running version.
compose run --rm --no-deps migrate
compose run --rm --no-deps geography
# The new instances start beside the old ones, and the proxy includes them when they are ready.
compose up --detach --no-deps --no-recreate --wait --scale "api=$((2 * ${#old[@]}))" api
# A stopping instance is not ready first, so the proxy sends it no more requests.
for container in "${old[@]}"; do
  docker stop --time 15 "$container" > /dev/null
  docker rm "$container" > /dev/null
done
