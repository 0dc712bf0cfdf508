# What campaigns share that start PostgreSQL, a broker and proxies. Sourced, after these are set:
# campaign (its name, for messages), work (its folder, which is there).

pids=()
server=

stop_servers() {
  local pid
  for pid in "${pids[@]}"; do
    kill "$pid" 2>/dev/null || true
  done
  [ -z "$server" ] || as_postgres "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
}
trap stop_servers EXIT

as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    runuser -u postgres -- "$@"
  else
    "$@"
  fi
}

# Waits until a command succeeds; says what it was waiting for if it never does.
await() {
  local what=$1 tries=0
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    if [ $tries -gt 240 ]; then
      echo "$campaign: $what did not start within 60 s; its log is in $work" >&2
      exit 2
    fi
    sleep 0.25
  done
}

free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Installs Debian packages, if it may.
install_packages() {
  [ $# -eq 0 ] && return
  echo "$campaign: installing $*" >&2
  if ! { apt-get -q update && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y install --no-install-recommends "$@"; } >"$work/apt.log" 2>&1; then
    tail -n 5 "$work/apt.log" >&2
    echo "$campaign: missing: $*; as root on Debian: apt-get install $*" >&2
    exit 2
  fi
}

# Makes the folder of a database of the newest server that is installed; sets bin.
init_server() {
  bin=$(dirname "$(find /usr/lib/postgresql -name initdb | sort -V | tail -n 1)")
  mkdir "$work/data"
  [ "$(id -u)" != 0 ] || chown -R postgres "$work/data"
  # The folders above may be closed to the server's user.
  [ "$(id -u)" != 0 ] || as_postgres test -x "$work/data" || {
    echo "$campaign: the user postgres may not enter $work; run it in a checkout that others may read" >&2
    exit 2
  }
  as_postgres "$bin/initdb" -D "$work/data" -A trust -U postgres -E UTF8 --locale=C.UTF-8 >"$work/initdb.log"
}

# start_server OPTION…: starts it on a free port, which is in server then.
start_server() {
  server=$(free_port)
  as_postgres "$bin/pg_ctl" -D "$work/data" -l "$work/data/log" -w start \
    -o "-p $server -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c lc_messages=C $*" >/dev/null
}

# Builds isotail and starts a broker on a free port, which is in broker then.
start_broker() {
  local java_bin=${JAVA_HOME:+$JAVA_HOME/bin/}java
  deploy/isotail --version >&2
  broker=$(free_port)
  "$java_bin" -cp "$(sed -n 2p target/launcher/classpath)" io.isotail.ingest.sandbox.BrokerMain \
    "127.0.0.1:$broker" "$work/broker" >"$work/broker.log" 2>&1 &
  pids+=($!)
  await "the broker" grep -q "broker ready" "$work/broker.log"
}

# start_proxy NAME PORT HTTP-PORT OPTION…: starts a proxy before the server; its process is in proxy_pid then.
start_proxy() {
  local name=$1 port=$2 http=$3
  shift 3
  deploy/isotail proxy --listen "127.0.0.1:$port" --upstream "127.0.0.1:$server" --kafka "127.0.0.1:$broker" \
    --history "$campaign" --http-port "$http" "$@" >"$work/$name.log" 2>&1 &
  proxy_pid=$!
  pids+=($!)
  await "the proxy $name" curl -sf "http://127.0.0.1:$http/readyz"
}

# The commit that is measured, and whether its sources were changed since.
commit_name() {
  local commit
  commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
  [ -z "$(git status --porcelain -- incremental ingest monitor 2>/dev/null)" ] || commit="$commit, changed"
  echo "$commit"
}
