#pragma once

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

/// One step begins: 0 to go on, or the SQLite result code to fail with. Takes no lock.
int cfault_step(int is_sync);

/// 1: a read is to fail.
int cfault_read_fails(void);

/// The images of open files, for the moment when the power goes.
extern struct image *cfault_images;

int cfault_image_load(struct image *image);
int cfault_image_write(struct image *image, const void *bytes, int64_t size, int64_t offset);
int cfault_image_truncate(struct image *image, int64_t size);
/// Brings the disk up to the image.
int cfault_image_settle(struct image *image);
/// Brings to the disk what survives a power cut, and forgets the rest.
void cfault_image_cut(struct image *image, int survivors, uint32_t *seed);
void cfault_image_free(struct image *image);
