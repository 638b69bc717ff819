# Runs a command as after a reboot, in mount, IPC and pid namespaces of its own, which end with it.
#
#   DISK DATA TEMPORARY HIDDEN COMMAND…  The command finds the folder DISK at DATA, whose empty folder
#                                        fuse holds the boot id. TEMPORARY remains visible. If HIDDEN
#                                        is not empty, that folder is, and the command starts in DATA.
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
