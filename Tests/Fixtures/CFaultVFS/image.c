#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int grow(struct image *image, int64_t size) {
  if (size > image->capacity) {
    int64_t capacity = size * 2 + 4096;
    unsigned char *bytes = realloc(image->bytes, (size_t)capacity);
    if (!bytes) return SQLITE_NOMEM;
    image->bytes = bytes;
    image->capacity = capacity;
  }
  if (size > image->size) {
    memset(image->bytes + image->size, 0, (size_t)(size - image->size));
    image->size = size;
  }
  return SQLITE_OK;
}

static int remember(struct image *image, const void *bytes, int64_t size, int64_t offset,
                    int is_truncation) {
  struct pending *pending = malloc(sizeof *pending + (size_t)(bytes ? size : 0));
  if (!pending) return SQLITE_NOMEM;
  pending->next = NULL;
  pending->offset = offset;
  pending->size = size;
  pending->is_truncation = is_truncation;
  if (bytes) memcpy(pending->bytes, bytes, (size_t)size);
  if (image->last)
    image->last->next = pending;
  else
    image->first = pending;
  image->last = pending;
  return SQLITE_OK;
}

static void forget(struct image *image) {
  while (image->first) {
    struct pending *next = image->first->next;
    free(image->first);
    image->first = next;
  }
  image->last = NULL;
}

int cfault_image_load(struct image *image) {
  sqlite3_int64 size = 0;
  int result = image->disk->pMethods->xFileSize(image->disk, &size);
  if (result == SQLITE_OK && size > 0) result = grow(image, size);
  if (result == SQLITE_OK && size > 0)
    result = image->disk->pMethods->xRead(image->disk, image->bytes, (int)size, 0);
  return result;
}

int cfault_image_write(struct image *image, const void *bytes, int64_t size, int64_t offset) {
  int result = grow(image, offset + size);
  if (result == SQLITE_OK) result = remember(image, bytes, size, offset, 0);
  if (result == SQLITE_OK) memcpy(image->bytes + offset, bytes, (size_t)size);
  return result;
}

int cfault_image_truncate(struct image *image, int64_t size) {
  int result = remember(image, NULL, size, 0, 1);
  if (result == SQLITE_OK && size < image->size) image->size = size;
  return result;
}

static int apply(struct image *image, const struct pending *pending, int64_t size) {
  const sqlite3_io_methods *disk = image->disk->pMethods;
  if (pending->is_truncation) return disk->xTruncate(image->disk, pending->size);
  return disk->xWrite(image->disk, pending->bytes, (int)size, pending->offset);
}

int cfault_image_settle(struct image *image) {
  int result = SQLITE_OK;
  for (struct pending *each = image->first; each && result == SQLITE_OK; each = each->next)
    result = apply(image, each, each->size);
  forget(image);
  return result;
}

static uint32_t roll(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

void cfault_image_cut(struct image *image, int survivors, uint32_t *seed) {
  for (struct pending *each = image->first; each; each = each->next) {
    int is_last = each->next == NULL;
    int survives = survivors == CFAULT_SURVIVES_TORN ||
                   (survivors == CFAULT_SURVIVES_SOME && roll(seed) % 2);
    int is_torn = survivors == CFAULT_SURVIVES_TORN ? is_last : roll(seed) % 8 == 0;
    if (!survives) continue;
    int64_t size = each->size;
    if (is_torn && !each->is_truncation) size = roll(seed) % (uint32_t)(size + 1);
    if (size > 0 || each->is_truncation) apply(image, each, size);
  }
  forget(image);
}

void cfault_image_free(struct image *image) {
  forget(image);
  free(image->bytes);
  free(image->path);
  free(image);
}
