import BelfryCore
import BelfrySystem

/// The start of a child, carried out on the worker thread: files are looked at and processes made
/// there, never on the clock's thread.
struct ChildLaunch: Sendable {
  var index: Int
  var attempt: UInt64
  var isSpeaker: Bool
  /// What stands after `file =`; empty for the speaker.
  var file: String
  /// Where programs are looked for.
  var programs: [String]
  /// Where plugins are looked for.
  var plugins: [String]
  var environment: [String]
  var uid: UInt32
  /// Its own folder's name in the run directory.
  var name: String
  var runDirectory: String
  /// Counts all starts of this daemon.
  var life: Int32
  /// Whom it is to become; nil: it stays who we are.
  var identity: Child.Identity?

  func run() -> DaemonMessage {
    let wanted = isSpeaker ? ChildProgram.speaker : ChildProgram.worker
    guard let program = ChildProgram.find(wanted, in: programs) else {
      return failure("\(wanted) is in none of \(programs.joined(separator: ", "))")
    }
    var found = ""
    if !isSpeaker {
      guard let path = ChildProgram.findPlugin(file, in: plugins) else {
        let paths = file.contains("/") ? "" : " in \(plugins.joined(separator: ", "))"
        return failure("there is no plugin \(file)\(paths)", for: true)
      }
      // A3. The worker looks again at what it opens.
      if let status = try? Files.status(path),
        let distrust = ChildProgram.distrust(status, path: path, uid: uid)
          ?? Trust.problem(above: path, owners: [uid])
      {
        return failure(distrust + "; it is not loaded", for: true)
      }
      found = path
    }
    do throws(SystemError) {
      let (folder, warning) = runFolder()
      let start = try ChildStart.start(
        program, environment: environment, file: found, as: identity, folder: folder,
        warning: warning, life: life)
      return .started(child: index, attempt: attempt, start)
    } catch {
      return failure(error.text)
    }
  }

  /// Another user could not make it; without one it shows what it is told all the same.
  private func runFolder() -> (RunFolder?, warning: String?) {
    guard let identity, identity.uid != uid else { return (nil, nil) }
    do throws(SystemError) {
      return (
        try RunFolder(name, in: runDirectory, owner: (identity.uid, identity.gid)), nil
      )
    } catch {
      return (nil, error.text + ": after a crash a delivery may be shown again")
    }
  }

  /// `good`: another try will fail too, until somebody does something about it.
  private func failure(_ reason: String, for good: Bool = false) -> DaemonMessage {
    .notStarted(child: index, attempt: attempt, reason: reason, isRefusal: good)
  }
}
