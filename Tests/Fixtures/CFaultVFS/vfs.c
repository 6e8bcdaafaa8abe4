#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static sqlite3_vfs *under;

/// SQLite allocates it with room for the file of the VFS below behind it.
struct file {
  sqlite3_file base;
  struct machine *machine;
  struct image *image;
  sqlite3_file *disk;
  int error;
};

static struct file *of(sqlite3_file *base) { return (struct file *)base; }

static int file_close(sqlite3_file *base) {
  struct file *file = of(base);
  pthread_mutex_lock(&file->machine->lock);
  if (file->image) {
    struct image **link = &file->machine->images;
    while (*link != file->image) link = &(*link)->next;
    *link = file->image->next;
    // The machine runs on after an orderly close, so what is written arrives some time.
    cfault_image_settle(file->image);
    cfault_image_free(file->image);
  }
  pthread_mutex_unlock(&file->machine->lock);
  return file->disk->pMethods ? file->disk->pMethods->xClose(file->disk) : SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *bytes, int size, sqlite3_int64 offset) {
  struct file *file = of(base);
  struct image *image = file->image;
  if (cfault_has_no_power(file->machine)) return SQLITE_IOERR_READ;
  if (cfault_read_fails(file->machine)) {
    // What the "unix" VFS makes of EIO; SQLite turns it into SQLITE_CORRUPT.
    file->error = EIO;
    return SQLITE_IOERR_CORRUPTFS;
  }
  if (!image) return file->disk->pMethods->xRead(file->disk, bytes, size, offset);
  int64_t there = image->size - offset;
  if (there >= size) {
    memcpy(bytes, image->bytes + offset, (size_t)size);
    return SQLITE_OK;
  }
  memset(bytes, 0, (size_t)size);
  if (there > 0) memcpy(bytes, image->bytes + offset, (size_t)there);
  return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *base, const void *bytes, int size, sqlite3_int64 offset) {
  struct file *file = of(base);
  pthread_mutex_lock(&file->machine->lock);
  int result = cfault_step(file->machine, 0);
  if (result == SQLITE_OK)
    result = file->image ? cfault_image_write(file->image, bytes, size, offset)
                         : file->disk->pMethods->xWrite(file->disk, bytes, size, offset);
  pthread_mutex_unlock(&file->machine->lock);
  return result;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct file *file = of(base);
  pthread_mutex_lock(&file->machine->lock);
  int result = cfault_step(file->machine, 0);
  if (result == SQLITE_OK)
    result = file->image ? cfault_image_truncate(file->image, size)
                         : file->disk->pMethods->xTruncate(file->disk, size);
  pthread_mutex_unlock(&file->machine->lock);
  return result;
}

static int file_sync(sqlite3_file *base, int flags) {
  struct file *file = of(base);
  pthread_mutex_lock(&file->machine->lock);
  int result = cfault_step(file->machine, 1);
  // A simulated disk keeps what it has been given; a real sync would only cost time.
  if (result == SQLITE_OK)
    result = file->image ? cfault_image_settle(file->image)
                         : file->disk->pMethods->xSync(file->disk, flags);
  pthread_mutex_unlock(&file->machine->lock);
  return result;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *ret_size) {
  struct file *file = of(base);
  if (!file->image) return file->disk->pMethods->xFileSize(file->disk, ret_size);
  *ret_size = file->image->size;
  return SQLITE_OK;
}

static int file_lock(sqlite3_file *base, int level) {
  return of(base)->disk->pMethods->xLock(of(base)->disk, level);
}

static int file_unlock(sqlite3_file *base, int level) {
  return of(base)->disk->pMethods->xUnlock(of(base)->disk, level);
}

static int file_reserved(sqlite3_file *base, int *ret_reserved) {
  return of(base)->disk->pMethods->xCheckReservedLock(of(base)->disk, ret_reserved);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  if (operation == SQLITE_FCNTL_LAST_ERRNO && of(base)->error) {
    *(int *)argument = of(base)->error;
    return SQLITE_OK;
  }
  if (of(base)->image) return SQLITE_NOTFOUND;
  return of(base)->disk->pMethods->xFileControl(of(base)->disk, operation, argument);
}

static int file_sector(sqlite3_file *base) {
  return of(base)->disk->pMethods->xSectorSize(of(base)->disk);
}

static int file_characteristics(sqlite3_file *base) {
  return of(base)->disk->pMethods->xDeviceCharacteristics(of(base)->disk);
}

// Version 1: no shared memory, no mapping.
static const sqlite3_io_methods methods = {
    1,           file_close, file_read,     file_write,    file_truncate, file_sync,    file_size,
    file_lock,   file_unlock, file_reserved, file_control, file_sector,   file_characteristics,
    0,           0,          0,             0,             0,             0};

static int imagine(struct file *file, const char *path) {
  struct image *image = calloc(1, sizeof *image);
  if (!image) return SQLITE_NOMEM;
  image->path = strdup(path);
  image->disk = file->disk;
  int result = cfault_image_load(image);
  if (result != SQLITE_OK) {
    cfault_image_free(image);
    return result;
  }
  image->next = file->machine->images;
  file->machine->images = image;
  file->image = image;
  return SQLITE_OK;
}

static int vfs_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *ret_flags) {
  struct file *file = of(base);
  (void)vfs;
  memset(file, 0, sizeof *file);
  file->machine = cfault_machine();
  file->disk = (sqlite3_file *)(file + 1);
  file->disk->pMethods = NULL;
  if (cfault_has_no_power(file->machine)) return SQLITE_IOERR;
  int result = under->xOpen(under, path, file->disk, flags, ret_flags);
  if (result != SQLITE_OK) return result;
  base->pMethods = &methods;
  pthread_mutex_lock(&file->machine->lock);
  if (path && file->machine->is_forgetful) result = imagine(file, path);
  pthread_mutex_unlock(&file->machine->lock);
  if (result != SQLITE_OK) file->disk->pMethods->xClose(file->disk), base->pMethods = NULL;
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
  struct machine *machine = cfault_machine();
  (void)vfs;
  pthread_mutex_lock(&machine->lock);
  int result = cfault_step(machine, 0);
  pthread_mutex_unlock(&machine->lock);
  return result == SQLITE_OK ? under->xDelete(under, path, sync_folder) : result;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *ret_answer) {
  struct machine *machine = cfault_machine();
  (void)vfs;
  pthread_mutex_lock(&machine->lock);
  for (struct image *each = machine->images; each; each = each->next)
    if (flags == SQLITE_ACCESS_EXISTS && strcmp(each->path, path) == 0) {
      *ret_answer = each->size > 0;
      pthread_mutex_unlock(&machine->lock);
      return SQLITE_OK;
    }
  pthread_mutex_unlock(&machine->lock);
  return under->xAccess(under, path, flags, ret_answer);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int size, char *ret_path) {
  (void)vfs;
  return under->xFullPathname(under, path, size, ret_path);
}

int cfault_register(int is_default) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static sqlite3_vfs vfs;
  pthread_mutex_lock(&lock);
  if (!under) {
    under = sqlite3_vfs_find("unix");
    vfs = *under;
    vfs.iVersion = 2;
    vfs.pNext = NULL;
    vfs.zName = "fault";
    vfs.szOsFile = (int)sizeof(struct file) + under->szOsFile;
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.xAccess = vfs_access;
    vfs.xFullPathname = vfs_full_path;
  }
  pthread_mutex_unlock(&lock);
  return sqlite3_vfs_register(&vfs, is_default);
}
