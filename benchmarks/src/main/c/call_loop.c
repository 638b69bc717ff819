/*
 * What a call into a library in Go costs without Java: five times five million calls, in nanoseconds
 * of CPU time each; see docs/maintainers/performance.md.
 *
 *   call_loop LIBRARY
 *
 * Of a library that has it, `nothing` is called, a bare export; of one of kvrank's bindings the read
 * of a key, as Java calls it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define CALLS 5000000
#define SERIES 5

typedef int (*nothing_t)(long, long, long, long, int);
typedef int (*open_t)(void *, void *, void *, int, void *, int);
typedef int (*get_t)(void *, void *, int, void *, int, void *, int);

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int count, char **words) {
  void *library = count == 2 ? dlopen(words[1], RTLD_NOW) : NULL;
  if (!library) {
    fprintf(stderr, "call_loop: %s\n", count == 2 ? dlerror() : "call_loop LIBRARY");
    return 2;
  }
  nothing_t nothing = (nothing_t) dlsym(library, "nothing");
  open_t open = (open_t) dlsym(library, "Java_kvrank_go_GoLibrary_open");
  get_t get = (get_t) dlsym(library, "Java_kvrank_go_GoLibrary_get");
  char out[4096];
  char key[16] = "key";
  int handle = 0;
  if (!nothing && (!open || !get)) {
    fprintf(stderr, "call_loop: %s has nothing to call\n", words[1]);
    return 2;
  }
  if (!nothing) {
    /* The properties of an engine: each name and value behind its length. */
    char properties[17];
    int name = 5, value = 4;
    memcpy(properties, &name, 4);
    memcpy(properties + 4, "fault", 5);
    memcpy(properties + 9, &value, 4);
    memcpy(properties + 13, "none", 4);
    handle = open(NULL, NULL, properties, sizeof properties, out, sizeof out);
    if (handle < 0) {
      fprintf(stderr, "call_loop: %s cannot be opened\n", words[1]);
      return 1;
    }
  }
  for (int series = 0; series < SERIES; series++) {
    double begin = cpu_seconds();
    for (int i = 0; i < CALLS; i++) {
      if (nothing) {
        nothing(1, 2, 3, 4, 5);
      } else {
        get(NULL, NULL, handle, key, sizeof key, out, sizeof out);
      }
    }
    printf("%.1f\n", (cpu_seconds() - begin) / CALLS * 1e9);
  }
}
