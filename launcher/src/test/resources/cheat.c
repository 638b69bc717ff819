/*
 * Preloaded into a server that syncs its log, a file named *.aof*, with fdatasync. The variable CHEAT
 * says what it does instead:
 *   other    overwrites a block of another file and syncs that
 *   growing  appends to another file and syncs that
 *   before   syncs the log before it writes to it
 *   sleep    sleeps
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int cheats(const char *mode) {
  const char *cheat = getenv("CHEAT");
  return cheat && !strcmp(cheat, mode);
}

static int is_log(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, ".aof") && !strstr(path, "manifest");
}

static int real_fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  return real(fd);
}

static int sync_decoy(int grows) {
  static int decoy = -1;
  static off_t end;
  static const char block[256];
  if (decoy < 0) decoy = open("decoy", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (pwrite(decoy, block, sizeof block, end) < 0) return -1;
  if (grows) end += sizeof block;
  return real_fdatasync(decoy);
}

int fdatasync(int fd) {
  if (!is_log(fd)) return real_fdatasync(fd);
  if (cheats("other")) return sync_decoy(0);
  if (cheats("growing")) return sync_decoy(1);
  if (cheats("before")) return 0;
  if (cheats("sleep")) return usleep(1500);
  return real_fdatasync(fd);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  if (cheats("before") && is_log(fd)) real_fdatasync(fd);
  return real(fd, bytes, count);
}
