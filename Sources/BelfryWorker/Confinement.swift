import BelfryCore
import BelfrySystem
import CLinux

/// What a worker does to itself before it loads foreign code.
enum Confinement {
  /// Becomes the plugin's user, limits memory, gives up privileges and the system calls that no
  /// plugin needs, and sees to it that the process group ends with the clock. `warn` hears what this
  /// kernel cannot do.
  static func enter(
    _ settings: WorkerSettings, as identity: Child.Identity?, warn: (String) -> Void
  ) throws(WorkerError) {
    let us = Process.uid
    // The clock starts no thread after its first child.
    let clock = Sandbox.threads(of: Process.parent)
    do throws(SystemError) {
      try Sandbox.become(identity)
      if settings.memory > 0 {
        try check(clinux_confine_memory(settings.memory), "limit memory")
      }
      try Process.giveUpNewPrivileges()
      try check(clinux_confine_die_with_parent(), "PR_SET_PDEATHSIG")
      SignalDescriptor.ignoreBrokenPipes()
      // What is due does not wait for a busy neighbour's turn to end.
      try? Process.setSlice(BelfryCore.Nanoseconds.millisecond / 5)
    } catch {
      throw WorkerError(error)
    }
    if let missing = Sandbox.filter(sparing: clock, isAlone: Process.uid != us) { warn(missing) }
  }

  private static func check(_ result: Int32, _ operation: String) throws(SystemError) {
    if result < 0 { throw SystemError(code: -result, operation: operation) }
  }
}
