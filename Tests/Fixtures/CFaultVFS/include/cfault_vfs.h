// An SQLite VFS for tests: a disk that loses power, blocks, fills up or turns read-only.
//
// It stands over the "unix" VFS and needs `PRAGMA locking_mode = EXCLUSIVE` (no shared memory).
// *Forgetful*: what was written but not synced is held in memory. `cfault_power_off_at` chooses the
// step (a write, truncation, sync or removal) at which the power goes: from it on every call fails,
// and what was not synced survives as `cfault_survivors` says, the last write torn. A forgetful
// process that is killed with SIGKILL has lost its unsynced writes in the same way.
//
// One machine for the process, behind a lock; all functions may be called from any thread. A thread
// that has a machine of its own sets that one, and what it opens stays on it.
#pragma once

#include <stdint.h>

enum {
  CFAULT_NONE = 0,
  CFAULT_FULL = 1,
  CFAULT_READ_ONLY = 2,
  CFAULT_INPUT_OUTPUT = 3
};

/// What of the unsynced writes a power cut leaves on the disk.
enum {
  CFAULT_SURVIVES_NOTHING = 0,
  /// All of them, the last one torn.
  CFAULT_SURVIVES_TORN = 1,
  /// A random choice, one of them torn: a disk writes in the order it likes.
  CFAULT_SURVIVES_SOME = 2
};

/// Registers the VFS under "fault"; `is_default` 1: also for connections that name none. Returns
/// SQLite's result code. A second call does nothing but set the default.
int cfault_register(int is_default);

/// 1: from now on this thread has a machine of its own, healthy; 0: it shares the process's again. All
/// that it opened on its own has been closed by then.
void cfault_own_machine(int wanted);

/// For a program under test; belfryd-breakable calls it first of all, under `#if BELFRY_BREAKABLE`.
///
/// If the environment has BELFRY_TEST_VFS, registers the VFS as default and obeys the file that it
/// names, read before every write and sync. Words of the file: `forget` (from the first opening
/// on), `full`, `readonly`, `io`, `badread`, `block MS` (each sync waits so long, or until the word is gone);
/// no file or an empty one: a healthy disk. Returns 1 if it was set.
int cfault_start_from_environment(void);

/// A healthy disk with power, whose counters stand at 0; files opened from now on are forgetful or
/// not.
void cfault_reset(int forgetful);

/// One of CFAULT_NONE to CFAULT_INPUT_OUTPUT for every write, truncation and sync from now on.
void cfault_set_fault(int fault);

/// Not 0: every read fails as it does where the device answers EIO.
void cfault_fail_reads(int wanted);

/// Each sync waits `milliseconds`, or until this is set to 0.
void cfault_block_syncs(int64_t milliseconds);

/// 1 while a sync waits.
int cfault_is_blocked(void);

/// The power goes at this step, counted from 1 since the reset; 0: never.
void cfault_power_off_at(int64_t step, int survivors, uint32_t seed);

/// Steps since the reset.
int64_t cfault_steps(void);

/// Syncs since the reset.
int64_t cfault_syncs(void);

/// 1 once the power is gone.
int cfault_is_off(void);

/// The calling thread opens files with the rights of this user from now on (setfsuid(2)).
void cfault_act_as(uint32_t uid);
