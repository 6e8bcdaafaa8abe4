#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

// What the disk is told to do; everything below is under the VFS's lock but `control`.
static int fault;
static int reads_fail;
static int64_t block;
static int blocked;
static int64_t steps;
static int64_t syncs;
static int64_t off_at;
static int is_off;
static int survivors;
static uint32_t seed;
int cfault_is_forgetful;
struct image *cfault_images;

// The control file of a program under test; set once at its start.
static const char *control;

pthread_mutex_t cfault_lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED for (int once = (pthread_mutex_lock(&cfault_lock), 1); once; \
                    once = (pthread_mutex_unlock(&cfault_lock), 0))

static void obey_control(void) {
  if (!control) return;
  char words[128] = "";
  int file = open(control, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t count = read(file, words, sizeof words - 1);
    words[count > 0 ? count : 0] = 0;
    close(file);
  }
  const char *wait = strstr(words, "block ");
  block = wait ? atoll(wait + 6) : 0;
  fault = strstr(words, "full")       ? CFAULT_FULL
          : strstr(words, "readonly") ? CFAULT_READ_ONLY
          : strstr(words, "io")       ? CFAULT_INPUT_OUTPUT
                                      : CFAULT_NONE;
  reads_fail = strstr(words, "badread") != NULL;
  if (strstr(words, "forget")) cfault_is_forgetful = 1;
}

static void nap(void) {
  struct timespec slice = {0, 5000000};
  pthread_mutex_unlock(&cfault_lock);
  nanosleep(&slice, NULL);
  pthread_mutex_lock(&cfault_lock);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_while_blocked(void) {
  int64_t start = milliseconds();
  while (block > 0 && milliseconds() - start < block) {
    blocked = 1;
    nap();
    obey_control();
  }
  blocked = 0;
}

static void power_off(void) {
  is_off = 1;
  for (struct image *each = cfault_images; each; each = each->next)
    cfault_image_cut(each, survivors, &seed);
}

int cfault_step(int is_sync) {
  obey_control();
  if (is_off) return SQLITE_IOERR;
  steps += 1;
  syncs += is_sync;
  if (off_at && steps >= off_at) {
    power_off();
    return SQLITE_IOERR;
  }
  if (is_sync) wait_while_blocked();
  // What the "unix" VFS answers to ENOSPC, EROFS and EIO; a full disk still syncs.
  switch (fault) {
    case CFAULT_FULL: return is_sync ? SQLITE_OK : SQLITE_FULL;
    case CFAULT_READ_ONLY: return SQLITE_READONLY;
    case CFAULT_INPUT_OUTPUT: return is_sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE;
    default: return SQLITE_OK;
  }
}

int cfault_start_from_environment(void) {
  control = getenv("BELFRY_TEST_VFS");
  if (!control) return 0;
  LOCKED obey_control();
  return cfault_register(1) == SQLITE_OK;
}

void cfault_reset(int forgetful) {
  LOCKED {
    fault = CFAULT_NONE;
    reads_fail = 0;
    block = steps = syncs = off_at = 0;
    is_off = 0;
    cfault_is_forgetful = forgetful;
  }
}

void cfault_set_fault(int wanted) { LOCKED fault = wanted; }

void cfault_fail_reads(int wanted) { LOCKED reads_fail = wanted; }

int cfault_read_fails(void) {
  int result = 0;
  LOCKED {
    obey_control();
    result = reads_fail;
  }
  return result;
}

void cfault_block_syncs(int64_t wanted) { LOCKED block = wanted; }

int cfault_is_blocked(void) {
  int result = 0;
  LOCKED result = blocked;
  return result;
}

void cfault_power_off_at(int64_t step, int wanted_survivors, uint32_t wanted_seed) {
  LOCKED {
    off_at = step;
    survivors = wanted_survivors;
    seed = wanted_seed;
  }
}

int64_t cfault_steps(void) {
  int64_t result = 0;
  LOCKED result = steps;
  return result;
}

int64_t cfault_syncs(void) {
  int64_t result = 0;
  LOCKED result = syncs;
  return result;
}

int cfault_is_off(void) {
  int result = 0;
  LOCKED result = is_off;
  return result;
}

void cfault_act_as(uint32_t uid) { setfsuid(uid); }
