import BelfryCore
import BelfrySystem

/// Where the store is, looked at before anything of it is used.
struct StorePlace {
  /// The path that was asked for, and where a link there leads.
  let origin: String
  let path: String
  /// What the operator must hear of.
  private(set) var warnings: [String] = []
  private let uid = Process.uid

  /// Throws `foreign` where another user's file lies, who could read what is written to it.
  ///
  /// A folder in which others could replace files is refused for a store that is not there yet, and
  /// else only told of: what is scheduled there rings.
  init(_ origin: String, now: Instant) throws(StoreError) {
    self.origin = origin
    path = Books.end(of: origin)
    if try !requireOurs() {
      warnings.append("the disk with the books gives all files to one user, who may read them")
    }
    takeLinkedLog()
    for suffix in Books.companions { try setAside(path + suffix, now) }
    for suffix in [""] + Books.companions { closeToOthers(path + suffix) }
    if let problem = Books.openFolder(origin, uid: uid) ?? Books.openFolder(path, uid: uid) {
      guard DamagedFile.isThere(path) || !Books.keepsOwners(beside: path, uid: uid) else {
        throw StoreError(.foreign, problem)
      }
      warnings.append("the books are not safe from others: \(problem)")
    }
  }

  mutating func warn(_ sentence: String) { warnings.append(sentence) }

  /// A file without a byte that was a store, and becomes one that holds nothing.
  static func isEmpty(_ path: String) -> Bool {
    (try? Files.status(path))?.size == 0 && !IntegrityMark.hasLog(path)
      && !DamagedFile.isThere(IntegrityMark.begun(path))
  }

  /// Also right after the opening: what came in between was not written to yet. False: nobody can
  /// tell whose they are.
  @discardableResult
  func requireOurs() throws(StoreError) -> Bool {
    guard let stranger = Books.stranger(origin, uid: uid) ?? Books.stranger(path, uid: uid) else {
      return true
    }
    if Books.keepsOwners(beside: path, uid: uid) { throw StoreError(.foreign, stranger) }
    // A board with its books on such a disk rings as ever. So it does from one that takes no file.
    return false
  }

  /// A log that was moved and linked to has what was acknowledged, and SQLite follows no link.
  private mutating func takeLinkedLog() {
    let log = path + "-wal"
    guard (try? Files.status(log, follow: false))?.kind == .link,
      let bytes = try? Files.read(log, limit: Self.mostLog),
      (try? Files.write(bytes, to: log)) != nil
    else { return }
    warnings.append("\(log) was a link: what it led to was put in its place")
  }

  /// Until nobody waits it grows beyond `journal_size_limit`.
  private static let mostLog = 256 << 20

  /// SQLite cannot open what is no file, such as a folder where the log belongs, and says little.
  private mutating func setAside(_ path: String, _ now: Instant) throws(StoreError) {
    guard let status = try? Files.status(path, follow: false), status.kind != .regular
    else { return }
    let what =
      switch status.kind {
      case .folder: "a folder"
      case .link: "a link"
      default: "no file"
      }
    do throws(StoreError) {
      let aside = try DamagedFile.move(one: path, of: self.path, now: now)
      warnings.append("\(path) was \(what): it was set aside as \(aside)")
    } catch {
      throw StoreError(
        .cannotOpen, "\(path) is \(what), and stays where it is", systemError: error.systemError)
    }
  }

  /// Nobody but belfryd writes the store.
  private mutating func closeToOthers(_ path: String) {
    guard let status = try? Files.status(path), status.mode & 0o022 != 0 else { return }
    let closed = (try? Files.setMode(status.mode & ~0o022, of: path)) != nil
    warnings.append(
      "\(path) could be written by others than its owner: "
        + (closed ? "that was changed" : "chmod go-w it"))
  }
}
