import BelfryCore
import BelfrySystem
import BelfryWire

/// Rights of files that could make the daemon run somebody else's code (A3).
enum FileChecks {
  /// `status` is the daemon's; nil: there is none.
  static func configuration(
    _ path: String, _ installation: Installation, _ status: JSONObject?
  ) -> [Finding] {
    let found: Files.Status
    do throws(SystemError) {
      found = try Files.status(path)
    } catch {
      if error.code == SystemError.noAccess { return [unseen("config", path)] }
      let hadPlugins = status?["plugins"]?.array?.contains { $0["file"] != nil } ?? false
      return [
        .warn(
          "config",
          "no " + path
            + (hadPlugins
              ? ": what was read before holds until the next start"
              : ": the defaults hold, and no plugin shows alerts"),
          "write it (belfry help configuration, belfry help plugins)")
      ]
    }
    if let reason = distrust(mode: found.mode, uid: found.uid) {
      return [.fail("config", path + " " + reason, "chmod go-w " + path)]
    }
    if let problem = Trust.problem(above: path, owners: [BelfrySystem.Process.uid]) {
      return [.fail("config", problem, "mend that folder; the file is not loaded")]
    }
    guard (try? Files.require(path, 4)) != nil else { return [unseen("config", path)] }
    // Only the daemon knows what it takes.
    if let (text, end) = installation.run(
      "belfryd", ["--check", path], seconds: 30, errors: true), end == .exited(14)
    {
      let lines = text.split(separator: "\n").map { String($0) }
      return (lines.isEmpty ? [path] : lines).map {
        .fail("config", $0, "mend that line (belfryd --check " + path + ")")
      }
    }
    return [.ok("config", path)]
  }

  static func unseen(_ check: String, _ path: String) -> Finding {
    .warn(check, "no right to look at " + path, "ask again as root, or as its owner")
  }

  /// Of the folders those that exist, and the plugins in them.
  static func plugins(_ folders: [String]) -> [Finding] {
    var findings: [Finding] = []
    var seen: [String] = []
    for folder in folders where !seen.contains(folder) {
      seen.append(folder)
      guard let status = try? Files.status(folder), status.kind == .folder else { continue }
      if let reason = distrust(mode: status.mode, uid: status.uid) {
        findings.append(.fail("plugins", folder + " " + reason, "chmod go-w " + folder))
        continue
      }
      if let problem = Trust.problem(above: folder, owners: [BelfrySystem.Process.uid]) {
        findings.append(.fail("plugins", problem, "mend that folder; no plugin below is loaded"))
        continue
      }
      findings += files(folder)
    }
    if findings.isEmpty { return [.ok("plugins", "no plugin folder: none are loaded by name")] }
    return findings
  }

  private static func files(_ folder: String) -> [Finding] {
    var findings: [Finding] = []
    var count = 0
    for name in (try? Files.list(folder)) ?? [] where name.hasSuffix(".so") {
      guard let status = try? Files.status(folder + "/" + name) else { continue }
      count += 1
      if let reason = distrust(mode: status.mode, uid: status.uid) {
        let path = folder + "/" + name
        findings.append(
          .fail("plugins", path + " " + reason + " and is not loaded", "chmod go-w " + path))
      }
    }
    if findings.isEmpty {
      findings.append(
        .ok("plugins", folder + ": " + counted(count, "library", many: "libraries")))
    }
    return findings
  }

  /// nil: only its owner, who is root or us, can write it.
  static func distrust(mode: UInt32, uid: UInt32) -> String? {
    if mode & 0o022 != 0 { return "can be written by others than its owner" }
    if uid != 0 && uid != BelfrySystem.Process.uid {
      return "belongs to user \(uid)"
    }
    return nil
  }
}

/// The store's file and the room it has.
enum StoreCheck {
  /// `report`: what the daemon says; nil: none answers.
  static func run(_ path: String, _ report: JSONObject?) -> [Finding] {
    let path = Books.end(of: path)
    let folder = Files.parent(of: path)
    var findings = said(report)
    if report == nil { findings += strangers(path, folder) }
    do throws(SystemError) {
      let status = try Files.status(path)
      let log = (try? Files.status(path + "-wal"))?.size ?? 0
      let size = bytes(status.size) + (log > 0 ? " and a log of " + bytes(log) : "")
      findings.append(
        status.mode & 0o022 != 0
          ? .fail(
            "books", path + " can be written by others than its owner", "chmod go-w " + path)
          : .ok("books", path + ", " + size))
    } catch {
      findings.append(missing(path, error, daemonRuns: report != nil))
    }
    findings += DamagedFiles.beside(path).map { file in
      .warn(
        "books", file + " was set aside: it was damaged, or in the way of newer books",
        "belfry list shows what was saved of it; move it elsewhere or remove it, and this is said no more"
      )
    }
    if let room = room(folder) { findings.append(room) }
    return findings
  }

  /// Who else has a hand in the files, where no belfryd says so: it may run as their folder's owner.
  private static func strangers(_ path: String, _ folder: String) -> [Finding] {
    guard let owner = (try? Files.status(folder))?.uid else { return [] }
    if let stranger = Books.stranger(path, uid: owner) {
      return [
        .warn(
          "books", stranger + ": belfryd uses it only where it runs as that user",
          "move it away, or chown it")
      ]
    }
    return Books.openFolder(path, uid: owner).map { problem in
      [.warn("books", problem, "chmod go-w " + folder)]
    } ?? []
  }

  /// Why the file was not found.
  private static func missing(_ path: String, _ error: SystemError, daemonRuns: Bool) -> Finding {
    if error.code == SystemError.noAccess { return FileChecks.unseen("books", path) }
    guard daemonRuns else { return .ok("books", "no " + path + " yet: the daemon makes it") }
    return .fail(
      "books", "no " + path + ", though belfryd runs",
      "make its folder again: with the next request the books are written anew")
  }

  /// What the daemon knows of its store that nobody else can see.
  private static func said(_ report: JSONObject?) -> [Finding] {
    var findings: [Finding] = []
    if let refusal = report?["booksRefusal"]?.string {
      findings.append(
        .fail("books", refusal + ": nothing new can be scheduled", "mend the disk or its rights"))
    }
    for warning in report?["booksWarnings"]?.array ?? [] {
      if let words = warning.string {
        findings.append(.warn("books", words, "see belfryd's log"))
      }
    }
    return findings
  }

  private static func room(_ folder: String) -> Finding? {
    guard let free = Files.room(folder) else { return nil }
    if free == 0 {
      return .fail(
        "disk", folder + " is mounted read-only: nothing new can be scheduled",
        "mount it writable")
    }
    let finding = bytes(free) + " free in " + folder
    if free < 1 << 20 {
      return .fail("disk", finding + ": nothing new can be scheduled", "make room")
    }
    return free < 16 << 20 ? .warn("disk", finding, "make room") : .ok("disk", finding)
  }

  static func bytes(_ count: Int64) -> String {
    if count < 10 << 10 { return counted(count, "byte") }
    if count < 10 << 20 { return "\(count >> 10) KiB" }
    return count < 10 << 30 ? "\(count >> 20) MiB" : "\(count >> 30) GiB"
  }
}
