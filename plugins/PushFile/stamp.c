// A file's identity. The inode's birth keeps a copy of yesterday's file, on yesterday's inode and with
// the dates that `cp -p` gave it, from being taken for yesterday's push.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pushfile.h"

static int64_t nanoseconds(struct statx_timestamp time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int spool_stamp(int folder, const char *name, struct spool_stamp *ret_stamp) {
    struct statx status;
    // musl has no function for it before 1.2.5.
    if (syscall(SYS_statx, folder, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME,
                &status) < 0)
        return errno;
    ret_stamp->inode = status.stx_ino;
    ret_stamp->born_ns =
        nanoseconds(status.stx_mask & STATX_BTIME ? status.stx_btime : status.stx_ctime);
    ret_stamp->modified_ns = nanoseconds(status.stx_mtime);
    ret_stamp->size = (int64_t)status.stx_size;
    return 0;
}

int spool_is_same(const struct spool_stamp *one, const struct spool_stamp *other) {
    // Not by its birth, which may be its last change: of its mode alone, by a tool that copies so.
    return one->inode == other->inode && one->modified_ns == other->modified_ns &&
           one->size == other->size;
}

static uint64_t turned(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

// Two sums with odd constants of their own. They keep chance away, not somebody who wants two files of
// his own to be one.
static void add(uint64_t sums[2], uint64_t value) {
    sums[0] = turned(sums[0] ^ value * UINT64_C(0x9e3779b97f4a7c15), 29) * UINT64_C(0xbf58476d1ce4e5b9);
    sums[1] = turned(sums[1] + value * UINT64_C(0xc2b2ae3d27d4eb4f), 31) * UINT64_C(0x94d049bb133111eb);
}

static uint64_t finished(uint64_t sum) {
    sum ^= sum >> 30;
    sum *= UINT64_C(0xbf58476d1ce4e5b9);
    sum ^= sum >> 27;
    sum *= UINT64_C(0x94d049bb133111eb);
    return sum ^ sum >> 31;
}

void spool_id(const struct spool_stamp *stamp, const char *bytes, size_t size, uint8_t ret_id[16]) {
    uint64_t sums[2] = {UINT64_C(0x62656c6672792e70), UINT64_C(0x7573682f66696c65)};
    add(sums, stamp->inode);
    add(sums, (uint64_t)stamp->born_ns);
    add(sums, size);
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        add(sums, word);
    }
    for (int index = 0; index < 16; index++)
        ret_id[index] = (uint8_t)(finished(sums[index / 8] + sums[1 - index / 8] / 2) >> (index % 8 * 8));
    // A UUID of one's own making (RFC 9562, version 8).
    ret_id[6] = (uint8_t)((ret_id[6] & 0x0f) | 0x80);
    ret_id[8] = (uint8_t)((ret_id[8] & 0x3f) | 0x80);
}
