#!/usr/bin/env bash
# Replaces the running instances of the API by instances of the current image, without an outage: bash deploy/compose/upgrade.sh
# Build or load the image first. Options for `docker compose`, such as --env-file, are passed on.
# If the new instances do not become healthy, the script removes them, keeps the old ones and exits with 1.
set -euo pipefail
cd "$(dirname "$0")/../.."
compose() { docker compose "${options[@]}" "$@"; }
options=("$@")

mapfile -t old < <(compose ps --quiet api)
[ "${#old[@]}" -gt 0 ] || { echo 'No instance of the API runs: use docker compose up --wait' >&2; exit 1; }

# The migration is compatible with the running version.
compose run --rm --no-deps migrate
compose run --rm --no-deps geography

# Runs if the script ends before the new instances are healthy.
remove_new() {
  local logs container
  logs=$(mktemp -t profile-service-upgrade.XXXXXX)
  for container in $(compose ps --all --quiet api); do
    [[ " ${old[*]} " != *" $container "* ]] || continue
    docker logs "$container" >> "$logs" 2>&1 || true
    docker rm --force "$container" > /dev/null
  done
  tail -n 20 "$logs" >&2
  echo "The new instances did not become healthy and were removed. The old ones run. The logs of the new ones are in $logs" >&2
}
trap remove_new EXIT
# The new instances start beside the old ones, and the proxy includes them when they are ready.
compose up --detach --no-deps --no-recreate --wait --scale "api=$((2 * ${#old[@]}))" api
trap - EXIT

# A stopping instance is not ready first, so the proxy sends it no more requests. Docker waits as long as stop_grace_period.
for container in "${old[@]}"; do
  docker stop "$container" > /dev/null
  docker rm "$container" > /dev/null
done
