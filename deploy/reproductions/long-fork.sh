#!/usr/bin/env bash
# Shows a long fork of PostgreSQL without isotail: a primary and its physical standby show two
# committed transactions in opposite orders. Makes both servers in a temporary folder, and removes
# them. Needs PostgreSQL 14 or later.
#
#   deploy/reproductions/long-fork.sh [FOLDER OF initdb AND postgres]
#
# Exit status: 0 the anomaly is there, 1 it is not, 2 the servers could not be made.
set -euo pipefail

if [[ "${1:-}" == -h || "${1:-}" == --help ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit 0
fi
bin=${1:-$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -1 || true)}
if [[ ! -x "$bin/initdb" ]]; then
  echo "found no initdb in '$bin'; expected the folder of PostgreSQL's programs as the argument" >&2
  exit 2
fi
if [[ $(id -u) == 0 ]]; then
  # A server does not run as root.
  exec setpriv --reuid=postgres --regid=postgres --init-groups bash "$0" "$bin"
fi

work=$(mktemp -d)
cd "$work"
stop() {
  for server in standby primary; do
    "$bin/pg_ctl" -D "$work/$server" -m immediate stop > /dev/null 2>&1 || true
  done
  wait || true
  rm -rf "$work"
}
trap stop EXIT

on() { # primary|standby SQL: one answer
  "$bin/psql" -XAtq -h "$work" -p "$([[ $1 == primary ]] && echo 54321 || echo 54322)" \
    -v ON_ERROR_STOP=1 postgres -c "$2"
}
await() { # SERVER CONDITION
  for _ in $(seq 300); do
    [[ $(on "$1" "SELECT $2") == t ]] && return
    sleep 0.1
  done
  echo "waited in vain on the $1 for: $2" >&2
  exit 2
}

"$bin/initdb" -D primary -A trust -N > log
cat >> primary/postgresql.conf << END
port = 54321
listen_addresses = ''
unix_socket_directories = '$work'
END
"$bin/pg_ctl" -D primary -l log -w start > /dev/null
on primary "CREATE TABLE r (k int PRIMARY KEY, v int)" > /dev/null
on primary "INSERT INTO r VALUES (1, 0), (2, 0)" > /dev/null
on primary "CREATE TABLE scratch (i int)" > /dev/null
"$bin/pg_basebackup" -h "$work" -p 54321 -D standby -R
echo "port = 54322" >> standby/postgresql.conf
"$bin/pg_ctl" -D standby -l log -w start > /dev/null
await standby "count(*) = 2 FROM r"

# A cluster of three, of which one is away: a commit waits until two standbys have it.
on primary "ALTER SYSTEM SET synchronous_standby_names = '2 (walreceiver, away)'" > /dev/null
on primary "SELECT pg_reload_conf()" > /dev/null
# Until one does, commits do not wait yet.
waiting="FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
until [[ $(on primary "SELECT count(*) > 0 $waiting") == t ]]; do
  on primary "INSERT INTO scratch VALUES (1)" 2> /dev/null &
  sleep 0.3
done
on primary "SELECT pg_cancel_backend(pid) $waiting" > /dev/null
await primary "count(*) = 0 $waiting"

on primary "UPDATE r SET v = 1 WHERE k = 1" &
first=$!
await standby "v = 1 FROM r WHERE k = 1"
on standby "SELECT pg_wal_replay_pause()" > /dev/null
await standby "pg_get_wal_replay_pause_state() = 'paused'"
on primary "SET synchronous_commit = local; UPDATE r SET v = 1 WHERE k = 2"

primary=$(on primary "SELECT string_agg(v::text, ' ' ORDER BY k) FROM r")
standby=$(on standby "SELECT string_agg(v::text, ' ' ORDER BY k) FROM r")

on primary "ALTER SYSTEM RESET synchronous_standby_names" > /dev/null
on primary "SELECT pg_reload_conf()" > /dev/null
wait "$first"
echo "$("$bin/postgres" --version): two transactions write 1 to a row each, and both are committed"
echo "the primary shows rows 1 and 2 as: $primary"
echo "the standby shows rows 1 and 2 as: $standby"
if [[ "$primary" == "0 1" && "$standby" == "1 0" ]]; then
  echo "long fork: each shows one of them without the other"
else
  echo "no long fork"
  exit 1
fi
