# A disk's mounts are in a mount namespace of their own. They end with its processes: this one, and
# those of the engine. FOLDER has the empty folders fuse, mnt and idle.
#
#   run FOLDER COMMAND…    runs the process that is the disk in the namespace that is file 5; the
#                          file that aborts its connection to the kernel is added to the command
#   idle FOLDER            mounts a file system without users, and prints its device
#   make FOLDER DISK TYPE  makes a file system
#   mount FOLDER DISK TYPE mounts it; the loop device goes with the mount
#   sync FOLDER            makes everything durable
#   unmount FOLDER         also if a process still has files open
set -eu

# Ends the disk $1 if its process stands still, since every sync of the machine waits for it: at two
# looks it was stopped, or between seven none of its threads ran, one of which wakes every 50 ms. A
# busy machine delays the looks, too.
watch() {
  stopped=0
  still=0
  before=
  while { read -r stat <"/proc/$1/stat"; } 2>/dev/null; do
    case ${stat##*) } in
      [ZX]*) return ;;
      T*) stopped=$((stopped + 1)) ;;
      *) stopped=0 ;;
    esac
    ran=
    for task in "/proc/$1/task"/*/schedstat; do
      { read -r time rest <"$task"; } 2>/dev/null && ran=$ran/$time || :
    done
    [ -n "$ran" ] && [ "$ran" = "$before" ] && still=$((still + 1)) || still=0
    before=$ran
    if [ "$stopped" -ge 2 ] || [ "$still" -ge 6 ]; then
      echo 1 >"$abort" || :
      kill -KILL "$1"
      echo "? its process stood still: it was stopped, or got no CPU"
      return
    fi
    sleep 0.2
  done
}

step=$1
folder=$2
shift 2
case $step in
  run)
    exec 4<&0 3<>/dev/fuse
    source=kvrank-disk-$$
    mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 "$source" "$folder/fuse"
    connection=$(grep " - fuse $source " /proc/self/mountinfo)
    connection=${connection%% /*}
    abort=/sys/fs/fuse/connections/${connection##*:}/abort
    [ -e "$abort" ] || mount -t fusectl fusectl /sys/fs/fuse/connections 2>/dev/null || :
    # The disk is outside of the namespace, and nothing inside has its connection open: the last
    # process of a namespace unmounts at its end, before the kernel closes its files, so the disk
    # would wait for itself. In a session of its own, no signal stops it together with this one.
    setsid nsenter --mount=/proc/self/fd/5 "$@" "/proc/$$/root$abort" <&3 3>&- &
    exec 3>&- 4>&- 5>&- </dev/null
    watch $!
    wait $!
    ;;
  idle)
    # Without a journal, only a sync of the whole machine flushes it. That reaches it before the disk,
    # which is mounted later.
    truncate -s 1M "$folder/idle.image"
    mkfs.ext4 -q -F -m 0 -O ^has_journal "$folder/idle.image"
    mount -t ext4 -o loop,noatime,noinit_itable "$folder/idle.image" "$folder/idle"
    losetup -n -O NAME -j "$folder/idle.image"
    rm "$folder/idle.image"
    ;;
  make)
    case $2 in
      ext4) mkfs.ext4 -q -F -m 0 -J size=64 -E nodiscard,lazy_itable_init=1,lazy_journal_init=1 "$folder/fuse/$1" ;;
      xfs) mkfs.xfs -q -f -K -l size=64m "$folder/fuse/$1" ;;
    esac
    ;;
  mount)
    options=noatime,noinit_itable
    # The disk before a cut has the same id.
    [ "$2" = ext4 ] || options=noatime,nouuid
    mount -t "$2" -o "loop,$options" "$folder/fuse/$1" "$folder/mnt"
    # Without it, the disk is slower.
    losetup --direct-io=on "$(losetup -n -O NAME -j "$folder/fuse/$1")" || :
    ;;
  sync)
    sync -f "$folder/mnt"
    ;;
  unmount)
    umount "$folder/mnt" || umount -l "$folder/mnt"
    ;;
esac
