import BelfryCore
import BelfrySystem

/// The start of an app, carried out on the worker thread. No shell is ever asked.
struct AppLaunch: Sendable {
  var app: String
  var attempt: Int32
  var launch: AppManifest.Launch
  /// As whom.
  var user: UInt32
  var rights: LaunchRights
  var socket: String
  /// `NAME=value` that a program of our own user inherits.
  var environment: [String]

  func run() -> AppStart {
    do throws(LaunchFailure) {
      switch launch {
      case .executable(let path): return .program(try start(path))
      case .unit(let name): return .unit(try start(unit: name))
      }
    } catch {
      return .failed(error.reason)
    }
  }

  // MARK: A program

  private func start(_ path: String) throws(LaunchFailure) -> StartedProgram {
    if let refusal = rights.programRefusal { throw LaunchFailure(refusal) }
    let isOther = user != rights.uid
    guard !isOther || rights.changesUser else {
      throw LaunchFailure(
        "belfryd runs as user \(rights.uid) and starts no programs as user \(user): name a unit")
    }
    let account = Account.find("\(user)")
    guard !isOther || account != nil else {
      throw LaunchFailure("user \(user) is not in /etc/passwd")
    }
    try judge(path)
    do throws(SystemError) {
      // Another user's program does not get the terminal or the journal that is ours.
      let nowhere = try Files.open("/dev/null", .write)
      let child = try Child.launch(
        path, environment: variables(account, isOther), folder: account?.home ?? "/",
        output: isOther ? nowhere.raw : 2, as: isOther ? account.map { Child.Identity($0) } : nil)
      return StartedProgram(child, output: nil)
    } catch {
      throw LaunchFailure(error.text)
    }
  }

  /// A3, for what runs in an app's name.
  private func judge(_ path: String) throws(LaunchFailure) {
    let status: Files.Status
    do throws(SystemError) {
      status = try Files.status(path)
    } catch {
      throw LaunchFailure(error.text)
    }
    guard status.kind == .regular else { throw LaunchFailure("\(path) is not a file") }
    guard status.mode & 0o111 != 0 else { throw LaunchFailure("\(path) is not executable") }
    if status.mode & 0o022 != 0 {
      throw LaunchFailure("\(path) can be written by others than its owner: chmod go-w it")
    }
    guard status.uid == 0 || status.uid == user || status.uid == rights.uid else {
      throw LaunchFailure("\(path) belongs to user \(status.uid), neither root nor user \(user)")
    }
    if let problem = Trust.problem(above: path, owners: [user, rights.uid]) {
      throw LaunchFailure(problem)
    }
  }

  /// Nothing of our own for another user, but what the board is like.
  private func variables(_ account: Account?, _ isOther: Bool) -> [String] {
    var variables = ["BELFRY_SOCKET=" + socket, "BELFRY_APP=" + app]
    guard isOther, let account else { return variables + environment }
    variables += [
      "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + account.home, "USER=" + account.name,
      "LOGNAME=" + account.name, "SHELL=" + (account.shell.isEmpty ? "/bin/sh" : account.shell),
    ]
    let runtime = "/run/user/\(account.uid)"
    if let status = try? Files.status(runtime), status.uid == account.uid {
      variables.append("XDG_RUNTIME_DIR=" + runtime)
    }
    return variables
      + environment.filter {
        $0.hasPrefix("LANG=") || $0.hasPrefix("LC_") || $0.hasPrefix("TZ=")
      }
  }

  // MARK: A unit

  private func start(unit: String) throws(LaunchFailure) -> StartedProgram {
    if let refusal = rights.unitRefusal { throw LaunchFailure(refusal) }
    guard let systemctl = rights.systemctl else { throw LaunchFailure("there is no systemctl") }
    var words = ["--no-ask-password", "--no-pager"]
    if rights.isUsers { words.append("--user") }
    words += ["start", "--", unit]
    // The system's manager starts units for root alone, unless polkit says otherwise.
    let isRoots = !rights.isUsers && rights.uid != 0 && rights.changesUser
    do throws(SystemError) {
      let pipe = try FileDescriptor.pipe()
      let child = try Child.launch(
        systemctl, words, environment: environment, folder: "/", output: pipe.write.raw,
        as: isRoots ? Child.Identity(uid: 0, gid: 0) : nil)
      try pipe.read.setNonBlocking(true)
      return StartedProgram(child, output: PipeEnd(pipe.read))
    } catch {
      throw LaunchFailure(error.text)
    }
  }
}

struct LaunchFailure: Error {
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// What came of it.
enum AppStart: Sendable {
  case program(StartedProgram)
  /// systemctl(1) is under way.
  case unit(StartedProgram)
  case failed(String)
}

/// A process that was started for an app, on its way from the worker thread to the clock.
final class StartedProgram: @unchecked Sendable {
  let child: Child
  /// Where systemctl(1) talks to.
  private let output: PipeEnd?

  init(_ child: consuming Child, output: PipeEnd?) {
    self.child = child
    self.output = output
  }

  /// The first line of what it has said; nothing is waited for.
  func firstLine() -> String? {
    guard let output, let bytes = try? output.descriptor.read(atMost: 1024) else { return nil }
    let line = bytes.split(whereSeparator: { $0 < 32 }).first
    return line.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Its own class, since an optional of what cannot be copied would have to be consumed.
final class PipeEnd {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}
