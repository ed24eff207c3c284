#!/bin/sh
# Starts pgbouncer, with the pool's password in the file of users that it wants. A quote in a password is doubled there.
set -eu
umask 077
printf '"pool" "%s"\n' "$(printf %s "$PGPASSWORD" | sed 's/"/""/g')" >/tmp/users
exec pgbouncer /deploy/pgbouncer.ini
