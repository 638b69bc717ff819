# The first step of a process in mount, IPC and pid namespaces of its own, whose end ends them. It
# finds what a reboot leaves.
#
#   DISK DATA TEMPORARY HIDDEN COMMAND…  runs the command with the folder DISK at DATA, whose empty
#                                        folder fuse is free for use; TEMPORARY remains visible; a
#                                        command to which the folder HIDDEN is empty starts in DATA
set -eu
disk=$1
data=$2
temporary=$3
hidden=$4
shift 4
mount -t proc proc /proc
spare=$data/fuse
mount -t tmpfs tmpfs "$spare"
cat /proc/sys/kernel/random/uuid >"$spare/boot-id"
mount --bind "$spare/boot-id" /proc/sys/kernel/random/boot_id
case $data:$temporary in
  /dev/shm/* | *:/dev/shm | *:/dev/shm/*) ;;
  *) mount -t tmpfs -o mode=1777 tmpfs /dev/shm ;;
esac
mount --bind "$disk" "$data"
if [ -n "$hidden" ]; then
  mount -t tmpfs tmpfs "$hidden"
  cd "$data"
fi
exec "$@"
