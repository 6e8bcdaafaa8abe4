import BelfryCore
import CLinux

/// What this process says of itself and asks for itself.
public enum Process {
  public static var pid: Int32 { clinux_process_pid() }
  public static var parent: Int32 { clinux_process_parent() }
  /// The effective user id.
  public static var uid: UInt32 { clinux_process_uid() }
  public static var gid: UInt32 { clinux_process_gid() }

  /// Where this program's file lies: the folder of `/proc/self/exe`.
  public static func folder() throws(SystemError) -> String {
    Files.parent(of: try Files.readLink("/proc/self/exe"))
  }

  /// Ends at once; nothing is flushed, no handler runs.
  public static func exit(_ status: Int32) -> Never {
    clinux_process_exit(status)
  }

  /// SIGKILL to itself, for failpoints.
  public static func killSelf() -> Never {
    clinux_process_kill_self()
  }

  /// Sends a signal to one process.
  public static func signal(_ pid: Int32, _ signal: Signal) throws(SystemError) {
    try check(clinux_spawn_kill(pid, signal.rawValue), "kill \(pid)")
  }

  /// No exec gains rights from here on (PR_SET_NO_NEW_PRIVS).
  public static func giveUpNewPrivileges() throws(SystemError) {
    try check(clinux_process_no_new_privileges(), "PR_SET_NO_NEW_PRIVS")
  }

  /// Ends when the thread that started this process does; ESRCH: `parent` is
  /// gone already.
  public static func dieWithParent(
    _ parent: Int32, signal: Signal = .kill
  ) throws(SystemError) {
    try check(clinux_process_die_with_parent(signal.rawValue, parent), "PR_SET_PDEATHSIG")
  }

  /// Sleeps for so many nanoseconds; for tests and programs without a loop.
  public static func sleep(_ nanoseconds: Int64) {
    clinux_process_sleep(nanoseconds)
  }

  /// SCHED_FIFO for this thread at a priority of 1 to 99, not inherited by children
  /// (SCHED_RESET_ON_FORK) but by threads started afterwards.
  public static func setRealtime(priority: Int32) throws(SystemError) {
    try check(clinux_process_set_realtime(priority), "sched_setscheduler")
  }

  /// Asks for turns of so many nanoseconds on the CPU for this thread, 0.1 to 100 ms; neither its
  /// threads nor its children inherit that.
  ///
  /// A thread with shorter turns than another gets the CPU from it as soon as it wakes, though no
  /// more of it in all: without this a busy neighbour delays what is due by up to a turn of its own,
  /// some 1 to 3 ms. Needs no privileges (sched_setattr(2), Linux 6.12; before that nothing happens).
  public static func setSlice(_ nanoseconds: Int64) throws(SystemError) {
    try check(clinux_process_set_slice(nanoseconds), "sched_setattr")
  }

  /// On how many CPUs that are online this thread may run, at least 1 (sched_getaffinity(2)).
  public static var usableCPUs: Int32 { clinux_process_cpus() }

  /// Gives memory that is free, but still the process's, back to the system (malloc_trim(3)).
  public static func trimMemory() {
    clinux_process_trim_memory()
  }

  /// Keeps all of this process in memory, now and later (mlockall(2)).
  public static func lockMemory() throws(SystemError) {
    try check(clinux_process_lock_memory(), "mlockall")
  }
}

extension Process {
  /// What setrlimit(2) bounds.
  public enum Limit: Int32, Sendable {
    case addressSpace = 1
    case core, cpuSeconds, fileSize, descriptors, processes, lockedMemory
  }

  /// The soft limit; `hard`: the hard one too, for good. `UInt64.max` is no limit.
  public static func setLimit(
    _ limit: Limit, _ value: UInt64, hard: Bool = false
  ) throws(SystemError) {
    try check(clinux_process_set_limit(limit.rawValue, value, hard ? 1 : 0), "setrlimit")
  }

  /// The soft and the hard limit.
  public static func limit(
    _ limit: Limit
  ) throws(SystemError) -> (soft: UInt64, hard: UInt64) {
    var soft: UInt64 = 0
    var hard: UInt64 = 0
    try check(clinux_process_limit(limit.rawValue, &soft, &hard), "getrlimit")
    return (soft, hard)
  }
}
