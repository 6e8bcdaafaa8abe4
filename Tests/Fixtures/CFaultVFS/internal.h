#pragma once

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>

#include "cfault_vfs.h"

/// A write or truncation that was not synced yet, in order.
struct pending {
  struct pending *next;
  int64_t offset;
  int64_t size;
  int is_truncation;
  unsigned char bytes[];
};

/// What a forgetful file looks like to SQLite while its disk lags behind.
struct image {
  struct image *next;
  char *path;
  sqlite3_file *disk;
  unsigned char *bytes;
  int64_t size;
  int64_t capacity;
  struct pending *first;
  struct pending *last;
};

/// A disk, and the power that it lives on; all under its lock.
struct machine {
  pthread_mutex_t lock;
  int fault;
  int reads_fail;
  int64_t block;
  int blocked;
  int64_t steps;
  int64_t syncs;
  int64_t off_at;
  int is_off;
  int survivors;
  uint32_t seed;
  int is_forgetful;
  /// Of open files, for the moment when the power goes.
  struct image *images;
};

/// Of what this thread opens.
struct machine *cfault_machine(void);

/// One step begins: 0 to go on, or the SQLite result code to fail with. Its lock is held.
int cfault_step(struct machine *machine, int is_sync);

/// 1: a read is to fail.
int cfault_read_fails(struct machine *machine);

int cfault_has_no_power(struct machine *machine);

int cfault_image_load(struct image *image);
int cfault_image_write(struct image *image, const void *bytes, int64_t size, int64_t offset);
int cfault_image_truncate(struct image *image, int64_t size);
/// Brings the disk up to the image.
int cfault_image_settle(struct image *image);
/// Brings to the disk what survives a power cut, and forgets the rest.
void cfault_image_cut(struct image *image, int survivors, uint32_t *seed);
void cfault_image_free(struct image *image);
