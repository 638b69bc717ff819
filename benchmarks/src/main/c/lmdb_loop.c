/*
 * What LMDB does without Java: each thread reads keys in the order of a file, for some seconds to warm
 * up and for some that count, and prints how many all of them read per second; every key has to be
 * there. A read is what the binding's is: a read transaction renewed, one get, the value copied.
 *
 *   lmdb_loop KEYS KEY-BYTES WARMUP-SECONDS SECONDS THREADS DIR MAP-BYTES
 *
 * KEYS is a file of keys, one behind the other, which is read again from its beginning when it is at
 * its end; each thread begins at its own part. Linked with the very library that lmdbjava has, which
 * comes without a header: what is called of it is declared here as lmdb.h of 0.9 has it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct { size_t size; void *data; } MDB_val;
typedef struct MDB_env MDB_env;
typedef struct MDB_txn MDB_txn;
int mdb_env_create(MDB_env **);
int mdb_env_set_mapsize(MDB_env *, size_t);
int mdb_env_set_maxreaders(MDB_env *, unsigned);
int mdb_env_open(MDB_env *, const char *, unsigned, mode_t);
void mdb_env_close(MDB_env *);
int mdb_txn_begin(MDB_env *, MDB_txn *, unsigned, MDB_txn **);
int mdb_txn_renew(MDB_txn *);
void mdb_txn_reset(MDB_txn *);
void mdb_txn_abort(MDB_txn *);
int mdb_dbi_open(MDB_txn *, const char *, unsigned, unsigned *);
int mdb_get(MDB_txn *, unsigned, MDB_val *, MDB_val *);
char *mdb_strerror(int);
enum { MDB_NOSYNC = 0x10000, MDB_RDONLY = 0x20000, MDB_NOTLS = 0x200000, MDB_NORDAHEAD = 0x800000 };

static MDB_env *env;
static char *keys;
static size_t keys_size, key_size;
static unsigned records, threads;
static double durations[2];
static pthread_barrier_t ready;

static void check(int status, const char *what) {
  if (status) {
    fprintf(stderr, "%s: %s\n", what, mdb_strerror(status));
    exit(1);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

/* Looks at the clock once in a thousand reads. */
static double reads_per_second(MDB_txn *reader, size_t at, double duration) {
  static _Thread_local char buffer[1 << 20];
  long count = 0;
  double begin = now();
  for (; now() < begin + duration; count += 1000) {
    for (int i = 0; i < 1000; i++, at += key_size) {
      if (at >= keys_size) at = 0;
      MDB_val key = {key_size, keys + at}, value;
      check(mdb_txn_renew(reader), "mdb_txn_renew");
      check(mdb_get(reader, records, &key, &value), "mdb_get");
      if (value.size > sizeof buffer) check(-1, "a value over 1 MiB");
      memcpy(buffer, value.data, value.size);
      __asm__ volatile("" : : "r"(buffer) : "memory"); /* somebody may read the copy */
      mdb_txn_reset(reader);
    }
  }
  return count / (now() - begin);
}

static void *client(void *argument) {
  double *rates = argument;
  size_t at = rates[0] * (keys_size / key_size / threads);
  MDB_txn *reader;
  check(mdb_txn_begin(env, NULL, MDB_RDONLY, &reader), "mdb_txn_begin");
  mdb_txn_reset(reader);
  for (int i = 0; i < 2; i++) {
    pthread_barrier_wait(&ready);
    rates[i] = reads_per_second(reader, at * key_size, durations[i]);
  }
  mdb_txn_abort(reader);
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 8) {
    fprintf(stderr, "usage: KEYS KEY-BYTES WARMUP-SECONDS SECONDS THREADS DIR MAP-BYTES\n");
    return 2;
  }
  FILE *file = fopen(arguments[1], "rb");
  struct stat status;
  if (!file || fstat(fileno(file), &status)) {
    perror(arguments[1]);
    return 1;
  }
  keys_size = status.st_size;
  keys = malloc(keys_size);
  if (!keys || fread(keys, 1, keys_size, file) != keys_size) {
    perror(arguments[1]);
    return 1;
  }
  fclose(file);
  key_size = strtoul(arguments[2], NULL, 10);
  durations[0] = strtod(arguments[3], NULL);
  durations[1] = strtod(arguments[4], NULL);
  threads = strtoul(arguments[5], NULL, 10);
  check(mdb_env_create(&env), "mdb_env_create");
  check(mdb_env_set_mapsize(env, strtoull(arguments[7], NULL, 10)), "mdb_env_set_mapsize");
  check(mdb_env_set_maxreaders(env, 4096), "mdb_env_set_maxreaders");
  unsigned flags = MDB_NOTLS | MDB_NOSYNC | MDB_NORDAHEAD; /* as the binding */
  check(mdb_env_open(env, arguments[6], flags, 0664), arguments[6]);
  MDB_txn *first;
  check(mdb_txn_begin(env, NULL, MDB_RDONLY, &first), "mdb_txn_begin");
  check(mdb_dbi_open(first, NULL, 0, &records), "mdb_dbi_open");
  mdb_txn_abort(first);
  pthread_barrier_init(&ready, NULL, threads);
  pthread_t all[threads];
  double rates[threads][2], sums[2] = {0, 0};
  for (unsigned i = 0; i < threads; i++) {
    rates[i][0] = i;
    if (pthread_create(&all[i], NULL, client, rates[i])) return 1;
  }
  for (unsigned i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
    for (int j = 0; j < 2; j++) sums[j] += rates[i][j];
  }
  for (int j = 0; j < 2; j++) printf("%.0f reads/s\n", sums[j]);
  mdb_env_close(env);
  return 0;
}
