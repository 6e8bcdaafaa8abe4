import BelfryCore
import BelfrySystem

/// What the launcher needs of the daemon.
protocol LaunchOwner: AnyObject {
  var loop: Loop { get }
  /// Has it carried out by the worker thread; `AppLauncher.take` follows.
  func start(_ launch: AppLaunch)
  /// For the scheduler; `failure` nil: it was started.
  func launched(_ app: String, failure: String?)
  func log(_ level: LogLevel, _ text: String)
}

/// Starts apps, and reaps what it started (pidfd_open(2)). The clock's thread alone.
///
/// An app outlives the daemon, as it would have without it.
final class AppLauncher {
  private final class Running {
    let app: String
    let program: StartedProgram
    let isUnit: Bool
    var watch: Loop.Watch?
    /// Another attempt has taken its place.
    var isStale = false

    init(_ app: String, _ program: StartedProgram, isUnit: Bool) {
      self.app = app
      self.program = program
      self.isUnit = isUnit
    }
  }

  unowned(unsafe) let owner: any LaunchOwner
  private var running: [Running] = []

  init(owner: any LaunchOwner) {
    self.owner = owner
  }

  /// A second attempt for a program that was started and never came: the first is told to end.
  func launch(_ launch: AppLaunch) {
    if launch.attempt > 1 {
      for other in running where other.app == launch.app {
        other.isStale = true
        other.program.child.killGroup(.terminate)
      }
    }
    owner.start(launch)
  }

  /// The worker thread's answer.
  func take(_ start: AppStart, of app: String) {
    switch start {
    case .failed(let reason): owner.launched(app, failure: reason)
    case .program(let program):
      follow(Running(app, program, isUnit: false))
      owner.log(.info, "\(app) was started as process \(program.child.pid)")
      owner.launched(app, failure: nil)
    case .unit(let program): follow(Running(app, program, isUnit: true))
    }
  }

  private func follow(_ one: Running) {
    running.append(one)
    do throws(SystemError) {
      one.watch = try owner.loop.watch(one.program.child.descriptor.raw, .readable) {
        [unowned(unsafe) self, unowned(unsafe) one] _ in self.reap(one)
      }
    } catch {
      owner.log(.error, "the end of \(one.app)'s program will not be noticed: \(error.text)")
    }
  }

  private func reap(_ one: Running) {
    guard let end = try? one.program.child.reap() else { return }
    if let watch = one.watch { owner.loop.unwatch(watch, one.program.child.descriptor.raw) }
    if one.isStale {
      owner.log(.notice, "\(one.app)'s program of the attempt before ended: \(end.text)")
    } else if one.isUnit {
      let reason = one.program.firstLine() ?? "systemctl: \(end.text)"
      owner.launched(one.app, failure: end == .exited(0) ? nil : reason)
    } else if end != .exited(0) {
      owner.log(.notice, "\(one.app)'s program ended: \(end.text)")
    }
    running.removeAll { $0 === one }
  }
}
