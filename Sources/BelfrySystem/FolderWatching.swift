import BelfryCore

extension FolderWatch {
  /// What is watched on the way to a path: the names that matter in each folder, by its number in
  /// events.
  public struct Way: Sendable {
    public var names: [Int32: Set<ByteString>] = [:]
    /// Why a folder cannot be watched.
    public var failure: String?

    public init() {}

    public mutating func add(_ other: Way) {
      for (folder, added) in other.names { names[folder, default: []].formUnion(added) }
      failure = other.failure ?? failure
    }
  }

  /// Watches every folder on the way to a file, through symbolic links: whoever reads the file after
  /// this misses no change. Blocks on the disk.
  ///
  /// The way may change while its folders are added, so it is gone along again; nil: there is no way.
  public func follow(_ chain: () -> SymlinkChain?) -> Way {
    var way = Way()
    var last: SymlinkChain?
    for _ in 0..<3 {
      guard let chain = chain(), chain != last else { break }
      for step in chain.steps { add(step.folder, step.name, to: &way) }
      last = chain
    }
    return way
  }

  /// The same for a single file whose folder has others: while it is there, what happens to those
  /// wakes nobody.
  @export(interface)
  public func follow(file path: String) -> Way {
    var way = Way()
    var last: SymlinkChain?
    for _ in 0..<3 {
      let chain = SymlinkChain(path)
      guard chain != last else { break }
      let links = chain.steps.dropLast()
      for step in links { add(step.folder, step.name, to: &way) }
      if let end = chain.steps.last { add(end, chain.file, besides: Array(links), to: &way) }
      last = chain
    }
    return way
  }

  /// The same for a folder, all of whose names matter; its number, which is nil while it is missing.
  @export(interface)
  public func follow(folder path: String) -> (way: Way, folder: Int32?) {
    var way = Way()
    var found: Int32?
    var last: SymlinkChain?
    for _ in 0..<3 {
      let chain = SymlinkChain(path)
      guard chain != last else { break }
      for step in chain.steps.dropLast() { add(step.folder, step.name, to: &way) }
      found = nil
      if let end = chain.steps.last {
        do throws(SystemError) {
          let number = try add(chain.file)
          way.names[number, default: []].formUnion([])
          found = number
        } catch {
          add(end.folder, end.name, to: &way)
        }
      }
      last = chain
    }
    return (way, found)
  }

  /// Watches the end of the way: the file, or, while it is missing, its folder.
  private func add(
    _ end: SymlinkChain.Step, _ file: String, besides links: [SymlinkChain.Step],
    to way: inout Way
  ) {
    guard let number = try? add(file: file) else { return add(end.folder, end.name, to: &way) }
    way.names[number] = [""]
    // A watch of its names tells of the folder, too, and is not to be lost.
    guard !links.contains(where: { $0.folder == end.folder }),
      let folder = try? add(onlyFolder: end.folder)
    else { return }
    way.names[folder, default: []].formUnion([])
  }

  /// Watches a folder; `name` nil: whether it is moved or removed.
  public func add(_ folder: String, _ name: String?, to way: inout Way) {
    do throws(SystemError) {
      way.names[try add(folder), default: []].formUnion(name.map { [ByteString($0)] } ?? [])
    } catch {
      // A folder that is not there is told of by the one that it is missing from.
      guard error.code != SystemError.noEntry, error.code != SystemError.notFolder else { return }
      way.failure = error.text
    }
  }
}
