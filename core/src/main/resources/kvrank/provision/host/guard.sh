# Ends and removes what a kvrank that was killed left behind.
#
# Input, a line each: "+pid N", "+folder PATH" and "+container RUN" register,
# the same with "-" release. The end of the input is the end of kvrank: what is
# registered then goes. After "closed" kvrank still runs, and so may other
# children of it. Ctrl-C on the terminal is for kvrank, not for this.
trap '' INT TERM HUP QUIT

newline='
'
live=''

# When a process started, so that one that was given the same pid later is spared.
started() {
  if [ -r "/proc/$1/stat" ]; then
    IFS= read -r stat <"/proc/$1/stat"
    set -- ${stat##*) }
    [ "$1" = Z ] || echo "${20}"
  else
    ps -o lstart= -p "$1"
  fi
}

release() {
  kept=''
  while IFS= read -r entry; do
    case $entry in
      '' | "$1" | "$1 since "*) ;;
      *) kept=$kept$entry$newline ;;
    esac
  done <<END
$live
END
  live=$kept
}

still_there() {
  [ -n "$2" ] && [ "$(started "$1")" = "$2" ]
}

end_process() {
  pid=${1%% since *}
  since=${1#* since }
  still_there "$pid" "$since" || return 0
  kill -KILL "$pid"
  tries=0
  while still_there "$pid" "$since" && [ "$tries" -lt 50 ]; do
    sleep 0.1 || sleep 1
    tries=$((tries + 1))
  done
}

# Those of the given /proc/PID/status whose process this user started: another
# user can give a setuid program any environment.
own() {
  grep -ls "^Uid:[[:space:]]*$(id -ru)[[:space:]]" "$@"
}

# Daemons, which left their parents: their environments still name the owner, $1.
end_marked() {
  tries=0
  while [ "$tries" -lt 50 ]; do
    killed=''
    for environment in $(grep -lasF "KVRANK_OWNER=$1:" $(own /proc/[0-9]*/status | sed 's/status$/environ/')); do
      process=${environment%/environ}
      pid=${process#/proc/}
      since=$(started "$pid")
      # Another process may have got its pid since the search.
      if own "$process/status" && grep -qasF "KVRANK_OWNER=$1:" "$environment" &&
        still_there "$pid" "$since"; then
        kill -KILL "$pid"
        killed=yes
      fi
    done
    [ -n "$killed" ] || break
    tries=$((tries + 1))
    sleep 0.1 || sleep 1
  done
}

end_containers() {
  command -v docker >/dev/null || return 0
  for container in $(docker ps -aq --filter "label=kvrank.run=$1"); do
    docker rm -f -v "$container"
  done
}

end_all() {
  while IFS= read -r entry; do
    case $entry in
      "$1 "*) "$2" "${entry#"$1 "}" </dev/null ;;
    esac
  done <<END
$live
END
}

remove_folder() {
  rm -rf -- "$1"
}

while IFS= read -r line; do
  case $line in
    "+pid "*) live=$live${line#+}" since $(started "${line#+pid }")"$newline ;;
    +*) live=$live${line#+}$newline ;;
    -*) release "${line#-}" ;;
    closed) closed=yes ;;
  esac
done
end_all pid end_process
[ "${closed-}" = yes ] || end_marked "$1"
end_all container end_containers
end_all folder remove_folder
