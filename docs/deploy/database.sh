#!/bin/sh
# Starts one of the two PostgreSQL of the scaled profile. Without data it becomes a copy of the primary, which it waits
# for. A new database is made once: by the one that is told its PEER, has made none before, and hears nothing from there.
# Takes PGDATA, POSTGRES_PASSWORD, PRIMARY (the balancer that leads to the primary), LISTEN (own address).
set -eu
umask 077
cd "$(dirname "$0")"
here=$(pwd)
export PGPASSWORD="$POSTGRES_PASSWORD" PGCONNECT_TIMEOUT=3
has_primary() { pg_isready -q -h "$PRIMARY" && psql -Atq -h "$PRIMARY" -U pool -d postgres -c 'select 1' >/dev/null 2>&1; }
is_first() {
  [ -n "${PEER:-}" ] && [ ! -e "$PGDATA.made" ] || return 1
  answer=0
  pg_isready -q -h "$PEER" || answer=$?
  # 2: nobody is there; 1: one that starts or stops.
  [ "$answer" = 2 ]
}

if [ ! -e "$PGDATA" ]; then
  # One that is cut off is no database.
  new="$PGDATA.new"
  rm -rf "$new"
  if ! has_primary && is_first; then
    mkdir -m 700 "$new"
    printf %s "$POSTGRES_PASSWORD" >"$PGDATA.password"
    initdb -D "$new" -U pool --pwfile="$PGDATA.password" -A scram-sha-256 -E UTF8 --no-locale >/dev/null
    rm "$PGDATA.password"
    printf 'create database pool\ncreate role probe login connection limit 10\n' |
      postgres --single -D "$new" postgres >/dev/null
  else
    until has_primary; do sleep 1; done
    pg_basebackup -D "$new" -h "$PRIMARY" -U pool -R -X stream -c fast
  fi
  touch "$PGDATA.made"
  mv "$new" "$PGDATA"
elif [ ! -e "$PGDATA/standby.signal" ] && has_primary; then
  echo "Another one is the primary now, and has commits that are not here: remove $PGDATA, and it is copied anew." >&2
  exit 1
fi
exec postgres -D "$PGDATA" -c listen_addresses="${LISTEN:-*}" \
  -c config_file="$here/postgresql.conf" -c hba_file="$here/pg_hba.conf"
