import BelfryCore
import BelfrySystem
import CLinux

/// What a worker does to itself before it loads foreign code.
enum Confinement {
  /// Gives the run folder to the plugin's user and becomes that user, limits memory, gives up new
  /// privileges, and sees to it that the process group ends with the clock.
  static func enter(_ settings: WorkerSettings, folder: String) throws(WorkerError) {
    do throws(SystemError) {
      if let uid = settings.uid, uid != Process.uid {
        let gid = settings.gid ?? uid
        for path in try [folder] + Files.list(folder).map({ folder + "/" + $0 }) {
          try check(clinux_confine_give(path, uid, gid), "chown \(path)")
        }
        try check(clinux_confine_become(uid, gid), "become user \(uid)")
      }
      if settings.memory > 0 {
        try check(clinux_confine_memory(settings.memory), "limit memory")
      }
      try Process.giveUpNewPrivileges()
      try check(clinux_confine_die_with_parent(), "PR_SET_PDEATHSIG")
      SignalDescriptor.ignoreBrokenPipes()
      // What is due does not wait for a busy neighbour's turn to end.
      try? Process.setSlice(BelfryCore.Duration.millisecond / 5)
    } catch {
      throw WorkerError(error)
    }
  }

  private static func check(_ result: Int32, _ operation: String) throws(SystemError) {
    if result < 0 { throw SystemError(code: -result, operation: operation) }
  }
}
