#!/bin/sh
# Starts Patroni under the container's name; with the address of a new cluster (`post_init`) it makes the pool's database.
set -eu
if [ $# = 0 ]; then
  export PATRONI_NAME="$HOSTNAME" PATRONI_CITUS_DATABASE="${CITUS_DATABASE:-}"
  export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$HOSTNAME:5432" PATRONI_RESTAPI_CONNECT_ADDRESS="$HOSTNAME:8008"
  # A node of a Citus has no money: without a standby it goes on, and nobody's shares wait for it.
  strict=$([ "${PATRONI_CITUS_GROUP:-0}" = 0 ] && echo true || echo false)
  sed "s/synchronous_mode_strict: true/synchronous_mode_strict: $strict/" /deploy/patroni.yml >/tmp/patroni.yml
  exec patroni /tmp/patroni.yml
elif [ -z "${CITUS_DATABASE:-}" ]; then
  exec psql -qc 'create database pool' "$1"
else
  # Patroni makes the database of a Citus. What one node has kept another must not lose.
  exec psql -qc 'alter role pool set synchronous_commit = on' "$1"
fi
