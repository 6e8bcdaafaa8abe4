import BelfryCore
import BelfrySystem
import BelfryWire

/// A folder with calendars of days (E3).
struct DaysFolder: Hashable, Sendable {
  var path: String
  /// For whose notifications alone its calendars are; nil: for all.
  var app: String?
  /// Whose that app is: a file that this user may not read is not read for them; nil: anybody's.
  var owner: UInt32?

  /// Calendars in it that are read (A2).
  var most: Int { app == nil ? 64 : 16 }
}

/// What the worker thread is asked to read of calendars: all of them, but what has not changed.
struct DaysScan: Sendable {
  var folders: [DaysFolder]
  var uid: UInt32
  var reader: DaysReader
  /// nil: nothing is watched.
  var watch: FolderWatch?
  /// As they were read last, by path.
  var known: [ByteString: KnownFile]

  /// A file as it was read.
  struct KnownFile: Sendable {
    var status: Files.Status
    var content: DaysFile.Content
  }

  /// Calendars of all apps together (A2).
  static let mostOfApps = 512

  /// Blocks on the disk.
  func run() -> DaysScanResult {
    var result = DaysScanResult()
    // Watched first and read then, so that no change falls between.
    for folder in folders { follow(folder.path, &result) }
    for folder in folders { read(folder, &result) }
    return result
  }

  // MARK: Reading

  private func read(_ folder: DaysFolder, _ result: inout DaysScanResult) {
    var names: [String] = []
    var distrust: String?
    do throws(SystemError) {
      distrust = problem(of: folder, try Files.status(folder.path))
      names = try Files.list(folder.path)
    } catch {
      if error.code != SystemError.noEntry { result.problems.append(error.text) }
      return
    }
    names.removeAll { $0.hasPrefix(".") || DaysReader.Kind.of($0) == nil }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let ofApps = result.files.count { $0.app != nil }
    let most = folder.app == nil ? folder.most : min(folder.most, Self.mostOfApps - ofApps)
    if names.count > most {
      result.problems.append(
        "\(folder.path) has \(names.count) calendars: those after the first \(most) are not read")
    }
    var seen: Set<ByteString> = []
    for file in names.prefix(max(0, most)) {
      guard let (kind, name) = DaysReader.Kind.of(file) else { continue }
      let path = folder.path + "/" + file
      guard DayCalendar.isName(name) else {
        result.problems.append(
          "\(path): a calendar's name has 1 to \(DayCalendar.Limit.name) bytes and no control"
            + " characters")
        continue
      }
      guard seen.insert(name).inserted else {
        result.refuse(
          name, of: folder.app,
          "\(folder.path) has both \(name).days and \(name).ics: remove one of them")
        continue
      }
      let content = distrust.map { .problem($0) } ?? read(path, kind, folder, &result)
      guard let content else { continue }
      result.files.append(
        DaysFile(app: folder.app, name: name, path: path, content: content))
    }
  }

  /// A3: the folder decides which files are in it.
  private func problem(of folder: DaysFolder, _ status: Files.Status) -> String? {
    let trusted = status.uid == folder.owner ? status.uid : uid
    let above = folder.app == nil ? Trust.problem(above: folder.path, owners: [uid]) : nil
    return (ChildProgram.distrust(status, path: folder.path, uid: trusted) ?? above).map {
      $0 + "; no calendar in it is read"
    }
  }

  /// nil: it went while we looked.
  private func read(
    _ path: String, _ kind: DaysReader.Kind, _ folder: DaysFolder, _ result: inout DaysScanResult
  ) -> DaysFile.Content? {
    do throws(SystemError) {
      let file = try Files.open(path, [.read, .noFollow])
      let status = try Files.status(of: file)
      if let refusal = refusal(status, path, folder) { return .problem(refusal) }
      if let same = known[path], same.status == status {
        result.known[path] = same
        return same.content
      }
      let content = parse(try Files.read(file, path: path, limit: DaysReader.limit), path, kind)
      result.known[path] = KnownFile(status: status, content: content)
      return content
    } catch {
      switch error.code {
      case SystemError.noEntry: return nil
      case SystemError.tooManyLinks:
        return .problem("\(path) is a symbolic link; a calendar is a file of its own")
      case SystemError.tooBig: return .problem(path + ":" + DaysReader.tooLong.text)
      case SystemError.invalid: return .problem("\(path) is not a file")
      default: return .problem(error.text)
      }
    }
  }

  /// A3, and what the app could read itself.
  private func refusal(
    _ status: Files.Status, _ path: String, _ folder: DaysFolder
  ) -> String? {
    guard status.kind == .regular else { return "\(path) is not a file" }
    if let owner = folder.owner, owner != 0, status.uid != owner {
      guard status.uid == 0 || status.uid == uid, status.mode & 0o004 != 0 else {
        return "\(path) is not for user \(owner), whose \(folder.app ?? "app") is: it is not read"
      }
    }
    let trusted = status.uid == folder.owner ? status.uid : uid
    return ChildProgram.distrust(status, path: path, uid: trusted).map { $0 + "; it is not read" }
  }

  private func parse(
    _ bytes: [UInt8], _ path: String, _ kind: DaysReader.Kind
  ) -> DaysFile.Content {
    do throws(DaysError) {
      return .days(DayCalendar(try reader.read(bytes, kind)))
    } catch {
      return .problem(path + ":" + error.text)
    }
  }

  // MARK: Watching

  private func follow(_ folder: String, _ result: inout DaysScanResult) {
    guard let watch else { return }
    let (way, number) = watch.follow(folder: folder)
    result.way.add(way)
    if let number { result.whole.insert(number) }
  }
}

/// What came of a scan.
struct DaysScanResult: Sendable {
  var files: [DaysFile] = []
  var known: [ByteString: DaysScan.KnownFile] = [:]
  /// What concerns no calendar.
  var problems: [String] = []
  /// What is watched.
  var way = FolderWatch.Way()
  /// Folders in which every calendar matters, by their numbers in events.
  var whole: Set<Int32> = []

  /// Of two files of one name neither counts.
  fileprivate mutating func refuse(_ name: String, of app: String?, _ reason: String) {
    for index in files.indices where files[index].name == name && files[index].app == app {
      files[index].content = .problem(reason)
    }
  }
}
