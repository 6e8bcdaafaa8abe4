import BelfryCore
import BelfrySystem

/// Where an app's texts are, and in which language they are wanted (L1).
struct TableSource: Hashable, Sendable {
  var app: String
  /// Holds `de-AT.lproj/Localizable.strings` and the like.
  var folder: String
  /// A language tag.
  var language: String
  /// Whose the app is: a file that this user may not read is not read for him; nil: anybody's.
  var owner: UInt32?

  /// The files that count, the best one first: those of the language and of what it falls back to,
  /// those of no language, and one that lies in the folder itself.
  var paths: [String] {
    let folders = LanguageTag.fallbacks(language) + ["Base"]
    return folders.map { "\(folder)/\($0).lproj/\(Self.file)" } + ["\(folder)/\(Self.file)"]
  }

  static let file = "Localizable.strings"
}

/// What the worker thread is asked to read of texts: all that apps want, but what has not changed.
struct StringsScan: Sendable {
  var sources: [TableSource]
  var uid: UInt32
  /// nil: nothing is watched.
  var watch: FolderWatch?
  /// As they were read last, by path.
  var known: [ByteString: StringsFile]

  /// Bytes of all tables in memory.
  static let most = 32 << 20

  /// Blocks on the disk.
  func run() -> StringsScanResult {
    var reading = StringsScanResult()
    for source in sources {
      var tables = AppTables()
      for path in source.paths {
        // Watched first and read then, so that no change falls between.
        follow(path, &reading)
        guard let file = read(path, source, &reading) else { continue }
        if let table = file.table { tables.tables.append(table) }
        if let problem = file.problem { tables.problems.append(problem) }
      }
      if tables.tables.isEmpty, tables.problems.isEmpty {
        tables.problems.append(
          "\(source.folder) has no \(TableSource.file) for \(source.language), none in Base.lproj,"
            + " and none of its own")
      }
      reading.apps[source.app] = tables
    }
    return reading
  }

  // MARK: Reading

  /// nil: there is none. One that cannot be read any more counts as it was when it last could (L1).
  private func read(
    _ path: String, _ source: TableSource, _ reading: inout StringsScanResult
  ) -> StringsFile? {
    guard var found = readNow(path, source, &reading) else { return nil }
    guard found.table == nil, let good = known[path]?.table, let problem = found.problem else {
      return found
    }
    found.table = good
    found.problem = problem + "; what was last good counts"
    return keep(found, path, &reading)
  }

  private func readNow(
    _ path: String, _ source: TableSource, _ reading: inout StringsScanResult
  ) -> StringsFile? {
    do throws(SystemError) {
      let file = try Files.open(path, [.read, .noFollow])
      let status = try Files.status(of: file)
      if let refusal = refusal(status, path, source) { return StringsFile(problem: refusal) }
      if let there = reading.files[path] { return there }
      var table = known[path]
      if table == nil || table?.status != status {
        table = parse(try Files.read(file, path: path, limit: StringsTable.largest), path)
        table?.status = status
      }
      return keep(table ?? StringsFile(), path, &reading)
    } catch {
      switch error.code {
      case SystemError.noEntry, SystemError.notFolder: return nil
      case SystemError.tooManyLinks:
        return StringsFile(problem: "\(path) is a symbolic link; a table is a file of its own")
      default: return StringsFile(problem: error.text)
      }
    }
  }

  /// Only what its owner alone can write (A3), and what the app could read itself.
  private func refusal(
    _ status: Files.Status, _ path: String, _ source: TableSource
  ) -> String? {
    if let owner = source.owner, owner != 0, status.uid != owner {
      guard status.uid == 0 || status.uid == uid, status.mode & 0o004 != 0 else {
        return "\(path) is not for user \(owner), whose \(source.app) is: it is not read"
      }
    }
    guard status.kind == .regular else { return "\(path) is not a file" }
    guard status.size <= Int64(StringsTable.largest) else {
      return "\(path) has \(status.size) bytes, at most \(StringsTable.largest) are read"
    }
    let trusted = status.uid == source.owner ? status.uid : uid
    return ChildProgram.distrust(status, path: path, uid: trusted).map { $0 + "; it is not read" }
  }

  private func parse(_ bytes: [UInt8], _ path: String) -> StringsFile {
    do throws(StringsError) {
      return StringsFile(table: try StringsTable(bytes))
    } catch {
      return StringsFile(problem: "\(path):\(error.text)")
    }
  }

  private func keep(
    _ file: StringsFile, _ path: String, _ reading: inout StringsScanResult
  ) -> StringsFile {
    let size = file.table?.size ?? 0
    guard reading.size + size <= Self.most else {
      return StringsFile(
        problem: "\(path): with it all tables would take more than \(Self.most) bytes;"
          + " it is not read")
    }
    reading.size += size
    reading.files[path] = file
    return file
  }

  // MARK: Watching

  private func follow(_ path: String, _ reading: inout StringsScanResult) {
    guard let watch else { return }
    var last: SymlinkChain?
    // The way may change while its folders are added.
    for _ in 0..<3 {
      let chain = SymlinkChain(path)
      guard chain != last else { return }
      for step in chain.steps {
        do throws(SystemError) {
          reading.watched[try watch.add(step.folder), default: []].insert(step.name)
        } catch {
          guard error.code != SystemError.noEntry, error.code != SystemError.notFolder else {
            continue
          }
          reading.watchFailure = error.text
        }
      }
      last = chain
    }
  }
}

/// A table's file as it was read.
struct StringsFile: Sendable {
  var status: Files.Status?
  var table: StringsTable?
  /// Why there is none: one sentence that names the file, and the line where there is one.
  var problem: String?
}

/// What an app has of tables, in order of fallback.
struct AppTables: Hashable, Sendable {
  var tables: [StringsTable] = []
  var problems: [String] = []
}

/// What came of a scan.
struct StringsScanResult: Sendable {
  var apps: [ByteString: AppTables] = [:]
  var files: [ByteString: StringsFile] = [:]
  /// The names that matter in each folder, by its number in events.
  var watched: [Int32: Set<ByteString>] = [:]
  /// Why a folder cannot be watched.
  var watchFailure: String?
  /// Bytes of all tables.
  var size = 0
}
