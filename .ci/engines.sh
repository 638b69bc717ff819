#!/usr/bin/env bash
# Called by .ci/run: a Docker daemon, and real Redis and Ignix in images and as executables, on a
# machine that reaches package registries and no image registry. A step whose result is there
# already is left out.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive

missing=0
for command in dockerd debootstrap redis-server memcached chromium clang strace faketime srun sshd ip mkfs.ext4 mkfs.xfs /usr/bin/time; do
  command -v "$command" >/dev/null || missing=1
done
/usr/bin/python3 -c 'import scipy' 2>/dev/null || missing=1
for header in zstd lz4 snappy-c; do [ -e "/usr/include/$header.h" ] || missing=1; done # for TidesDB
if [ "$missing" = 1 ]; then
  # Tests start their own servers; a package must not start one.
  policy=/usr/sbin/policy-rc.d
  [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy"; chmod +x "$policy"; }
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends docker.io debootstrap redis-server memcached chromium clang strace faketime slurm-wlm openssh-server iproute2 e2fsprogs xfsprogs time procps python3-scipy libzstd-dev liblz4-dev libsnappy-dev >/dev/null
fi

if ! docker info >/dev/null 2>&1; then
  log=$(mktemp --suffix=.dockerd.log)
  setsid nohup dockerd >"$log" 2>&1 </dev/null &
  for _ in $(seq 60); do
    docker info >/dev/null 2>&1 && break
    sleep 1
  done
  docker info >/dev/null || { tail -20 "$log"; exit 1; }
fi

have_image() { docker image inspect "$1" >/dev/null 2>&1; }

if ! have_image debian:bookworm-slim; then
  root=$(mktemp -d)
  debootstrap --variant=minbase bookworm "$root/root" >/dev/null
  tar -C "$root/root" -c . | docker import - debian:bookworm-slim
  rm -rf "$root"
fi

have_image "$KVRANK_REDIS_IMAGE" || docker build -q --network=host -t "$KVRANK_REDIS_IMAGE" .ci/images/redis
# This machine's own certificates go along: its way to the crates may lead through a proxy.
have_image "$KVRANK_IGNIX_IMAGE" ||
  tar -c -C .ci/images/ignix Dockerfile -C /usr/local/share/ca-certificates . |
  docker build -q --network=host -t "$KVRANK_IGNIX_IMAGE" -
# The lower layers of kvrank's own image.
have_image kvrank-ci/java:17 || docker build -q --network=host -t kvrank-ci/java:17 .ci/images/java
docker build -q --network=host --build-arg RUN_IMAGE=kvrank-ci/java:17 --target base - <Dockerfile
