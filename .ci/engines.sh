# Sourced by .ci/run: a Docker daemon, and real Redis and Ignix in images and on the PATH, on a
# machine that reaches package registries and no image registry. Each step is skipped where its
# result is there already.

as_needed() { # as_needed COMMAND PACKAGE...: installs PACKAGEs if COMMAND is missing
  local command=$1
  shift
  command -v "$command" >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

missing=0
for command in dockerd debootstrap redis-server; do
  command -v "$command" >/dev/null || missing=1
done
[ "$missing" = 0 ] || apt-get update -qq
# A package's own server is not wanted: tests start theirs.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
fi
as_needed dockerd docker.io
as_needed debootstrap debootstrap
as_needed redis-server redis-server

if ! docker info >/dev/null 2>&1; then
  setsid nohup dockerd >"${TMPDIR:-/tmp}/dockerd.log" 2>&1 </dev/null &
  for _ in $(seq 60); do
    docker info >/dev/null 2>&1 && break
    sleep 1
  done
  docker info >/dev/null || { tail -20 "${TMPDIR:-/tmp}/dockerd.log"; exit 1; }
fi

image_exists() { docker image inspect "$1" >/dev/null 2>&1; }

if ! image_exists debian:bookworm-slim; then
  root=$(mktemp -d)
  debootstrap --variant=minbase bookworm "$root/root" >/dev/null
  tar -C "$root/root" -c . | docker import - debian:bookworm-slim
  rm -rf "$root"
fi
