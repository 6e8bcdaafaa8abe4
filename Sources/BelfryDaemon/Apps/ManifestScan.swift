import BelfryCore
import BelfrySystem

/// What the worker thread is asked to read of manifests: all of them.
struct ManifestScan: Sendable {
  /// In order: the first folder that has an id counts.
  var folders: [ManifestFolder]
  var uid: UInt32
  /// nil: nothing is watched.
  var watch: FolderWatch?

  /// Manifests in one folder.
  static let most = 1024

  /// Blocks on the disk.
  func run() -> ManifestScanResult {
    var reading = ManifestScanResult()
    // Watched first and read then, so that no change falls between.
    for folder in folders { follow(folder.path, &reading) }
    for folder in folders { read(folder, &reading) }
    return reading
  }

  // MARK: Reading

  private func read(_ folder: ManifestFolder, _ reading: inout ManifestScanResult) {
    var names: [String] = []
    do throws(SystemError) {
      let status = try Files.status(folder.path)
      if let distrust = ChildProgram.distrust(status, path: folder.path, uid: uid)
        ?? Trust.problem(above: folder.path, owners: [uid])
      {
        return reading.problems.append("\(distrust); no manifest in it is loaded")
      }
      names = try Files.list(folder.path)
    } catch {
      if error.code != SystemError.noEntry { reading.problems.append(error.text) }
      return
    }
    names.removeAll { !$0.hasSuffix(ManifestReader.suffix) || $0.hasPrefix(".") }
    if names.count > Self.most {
      reading.problems.append(
        "\(folder.path) has \(names.count) manifests: those after the first \(Self.most) are not read"
      )
    }
    for name in names.prefix(Self.most) {
      let id = String(name.dropLast(ManifestReader.suffix.count))
      let path = folder.path + "/" + name
      guard DaemonConfiguration.isAppID(id) else {
        reading.problems.append(
          "\(path): the name of a manifest is an app id, 1 to 128 of A-Z a-z 0-9 . _ -, and .app")
        continue
      }
      var owner: UInt32?
      var result = read(path, id, folder, &owner)
      if case .manifest(var manifest) = result {
        manifest.oddities += missing(manifest, &reading)
        result = .manifest(manifest)
      }
      reading.files.append(
        ManifestScanResult.File(id: id, path: path, folder: folder, result: result, owner: owner))
    }
  }

  /// `owner`: whom a file names that is wrong otherwise.
  private func read(
    _ path: String, _ id: String, _ folder: ManifestFolder, _ owner: inout UInt32?
  ) -> ManifestScanResult.Content {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = try Files.open(path, [.read, .noFollow])
      let status = try Files.status(of: file)
      // A3.
      if let distrust = ChildProgram.distrust(status, path: path, uid: uid) {
        return .problem(distrust + "; it is not loaded")
      }
      bytes = try Files.read(file, path: path, limit: ManifestReader.limit)
    } catch {
      switch error.code {
      case SystemError.noEntry: return .gone
      case SystemError.tooManyLinks:
        return .problem("\(path) is a symbolic link; a manifest is a file of its own")
      case SystemError.tooBig: return .problem("\(path) is longer than 64 KiB")
      case SystemError.invalid: return .problem("\(path) is not a file")
      default: return .problem(error.text)
      }
    }
    do throws(ConfigurationError) {
      return .manifest(try ManifestReader.read(bytes, id: id, in: folder))
    } catch {
      owner = ManifestReader.owner(in: bytes, id: id, folder)
      return .problem("\(path):\(error.line): \(error.reason)")
    }
  }

  /// What it names and is not there; no reason to refuse the rest of it, as for sounds (S3).
  private func missing(
    _ manifest: AppManifest, _ reading: inout ManifestScanResult
  ) -> [String] {
    var missing: [String] = []
    for place in manifest.named where place.problem != nil {
      // Watched first and looked for then, so that it may come; nobody may be let in there.
      let failure = reading.watchFailure
      follow(place.path, &reading)
      reading.watchFailure = failure
      guard let problem = place.problem else { continue }
      missing.append("\(manifest.path):\(place.line): [app] \(place.key): \(problem)")
    }
    return missing
  }

  // MARK: Watching

  /// The folder itself; where it is a link or missing, what would bring it.
  private func follow(_ folder: String, _ reading: inout ManifestScanResult) {
    guard watch != nil else { return }
    var last: SymlinkChain?
    for _ in 0..<3 {
      let chain = SymlinkChain(folder)
      guard chain != last else { return }
      var isThere = false
      add(folder, nil, &isThere, &reading)
      for (index, step) in chain.steps.enumerated() {
        // A folder that moves or goes tells of itself.
        if isThere, index == chain.steps.count - 1 { continue }
        var ignored = false
        add(step.folder, step.name, &ignored, &reading)
      }
      last = chain
    }
  }

  private func add(
    _ folder: String, _ name: String?, _ isThere: inout Bool, _ reading: inout ManifestScanResult
  ) {
    do throws(SystemError) {
      guard let number = try watch?.add(folder) else { return }
      isThere = true
      reading.watched[number, default: []].formUnion(name.map { [ByteString($0)] } ?? [])
      if name == nil { reading.whole.insert(number) }
    } catch {
      guard error.code != SystemError.noEntry, error.code != SystemError.notFolder else { return }
      reading.watchFailure = error.text
    }
  }
}

/// What came of a scan.
struct ManifestScanResult: Sendable {
  enum Content: Sendable {
    case manifest(AppManifest)
    /// One sentence that names the file, and the line where there is one.
    case problem(String)
    /// It went while we looked.
    case gone
  }

  struct File: Sendable {
    var id: String
    var path: String
    var folder: ManifestFolder
    var result: Content
    /// Of one with a problem: whom it names all the same.
    var owner: UInt32?
  }

  /// In the order of the folders.
  var files: [File] = []
  /// What concerns no app.
  var problems: [String] = []
  /// The names that matter in each folder, by its number in events.
  var watched: [Int32: Set<ByteString>] = [:]
  /// Folders in which every manifest matters.
  var whole: Set<Int32> = []
  /// Why a folder cannot be watched.
  var watchFailure: String?
}
