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

static struct machine shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local struct machine own = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local int has_own;

// The control file of a program under test, for the machine that all share; set once at its start.
static const char *control;

#define LOCKED(machine) for (int once = (pthread_mutex_lock(&(machine)->lock), 1); once; \
                             once = (pthread_mutex_unlock(&(machine)->lock), 0))

struct machine *cfault_machine(void) { return has_own ? &own : &shared; }

void cfault_own_machine(int wanted) {
  has_own = wanted;
  if (wanted) cfault_reset(0);
}

static void obey_control(struct machine *machine) {
  if (!control || machine != &shared) return;
  char words[128] = "";
  int file = open(control, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t count = read(file, words, sizeof words - 1);
    words[count > 0 ? count : 0] = 0;
    close(file);
  }
  const char *wait = strstr(words, "block ");
  shared.block = wait ? atoll(wait + 6) : 0;
  shared.fault = strstr(words, "full")       ? CFAULT_FULL
                 : strstr(words, "readonly") ? CFAULT_READ_ONLY
                 : strstr(words, "io")       ? CFAULT_INPUT_OUTPUT
                                             : CFAULT_NONE;
  shared.reads_fail = strstr(words, "badread") != NULL;
  if (strstr(words, "forget")) shared.is_forgetful = 1;
}

static void nap(struct machine *machine) {
  struct timespec slice = {0, 5000000};
  pthread_mutex_unlock(&machine->lock);
  nanosleep(&slice, NULL);
  pthread_mutex_lock(&machine->lock);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_while_blocked(struct machine *machine) {
  int64_t start = milliseconds();
  while (machine->block > 0 && milliseconds() - start < machine->block) {
    machine->blocked = 1;
    nap(machine);
    obey_control(machine);
  }
  machine->blocked = 0;
}

static void power_off(struct machine *machine) {
  machine->is_off = 1;
  for (struct image *each = machine->images; each; each = each->next)
    cfault_image_cut(each, machine->survivors, &machine->seed);
}

int cfault_step(struct machine *machine, int is_sync) {
  obey_control(machine);
  if (machine->is_off) return SQLITE_IOERR;
  machine->steps += 1;
  machine->syncs += is_sync;
  if (machine->off_at && machine->steps >= machine->off_at) {
    power_off(machine);
    return SQLITE_IOERR;
  }
  if (is_sync) wait_while_blocked(machine);
  // What the "unix" VFS answers to ENOSPC, EROFS and EIO; a full disk still syncs.
  switch (machine->fault) {
    case CFAULT_FULL: return is_sync ? SQLITE_OK : SQLITE_FULL;
    case CFAULT_READ_ONLY: return SQLITE_READONLY;
    case CFAULT_INPUT_OUTPUT: return is_sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE;
    default: return SQLITE_OK;
  }
}

int cfault_start_from_environment(void) {
  control = getenv("BELFRY_TEST_VFS");
  if (!control) return 0;
  LOCKED(&shared) obey_control(&shared);
  return cfault_register(1) == SQLITE_OK;
}

void cfault_reset(int forgetful) {
  struct machine *machine = cfault_machine();
  LOCKED(machine) {
    machine->fault = CFAULT_NONE;
    machine->reads_fail = machine->is_off = 0;
    machine->block = machine->steps = machine->syncs = machine->off_at = 0;
    machine->is_forgetful = forgetful;
  }
}

void cfault_set_fault(int wanted) {
  struct machine *machine = cfault_machine();
  LOCKED(machine) machine->fault = wanted;
}

void cfault_fail_reads(int wanted) {
  struct machine *machine = cfault_machine();
  LOCKED(machine) machine->reads_fail = wanted;
}

int cfault_read_fails(struct machine *machine) {
  int result = 0;
  LOCKED(machine) {
    obey_control(machine);
    result = machine->reads_fail;
  }
  return result;
}

void cfault_block_syncs(int64_t wanted) {
  struct machine *machine = cfault_machine();
  LOCKED(machine) machine->block = wanted;
}

int cfault_is_blocked(void) {
  struct machine *machine = cfault_machine();
  int result = 0;
  LOCKED(machine) result = machine->blocked;
  return result;
}

void cfault_power_off_at(int64_t step, int survivors, uint32_t seed) {
  struct machine *machine = cfault_machine();
  LOCKED(machine) {
    machine->off_at = step;
    machine->survivors = survivors;
    machine->seed = seed;
  }
}

int64_t cfault_steps(void) {
  struct machine *machine = cfault_machine();
  int64_t result = 0;
  LOCKED(machine) result = machine->steps;
  return result;
}

int64_t cfault_syncs(void) {
  struct machine *machine = cfault_machine();
  int64_t result = 0;
  LOCKED(machine) result = machine->syncs;
  return result;
}

int cfault_has_no_power(struct machine *machine) {
  int result = 0;
  LOCKED(machine) result = machine->is_off;
  return result;
}

int cfault_is_off(void) { return cfault_has_no_power(cfault_machine()); }

void cfault_act_as(uint32_t uid) { setfsuid(uid); }
