import BelfryCore

/// Whose hands a file is in: whoever may write to a folder above it can put another in its place
/// (A3).
public enum Trust {
  /// Links that one path may lead through.
  private static let maxLinks = 40

  /// Why something below the root is not to be trusted though it is safe itself: a folder above
  /// `path`, or a link on the way and what is above that, which others than root and `owners` could
  /// change; nil: there is none. In a sticky folder they could not. Blocks on the disk.
  ///
  /// What cannot be looked at is left to whoever opens the path.
  @export(interface)
  public static func problem(above path: String, owners: [UInt32]) -> String? {
    var rest = components(absolute(path))
    var folder = ""
    var links = 0
    while !rest.isEmpty {
      if let problem = problem(folder: folder.isEmpty ? "/" : folder, path, owners) {
        return problem
      }
      let name = rest.removeFirst()
      if name == ".." {
        folder = parent(folder)
        continue
      }
      let next = folder + "/" + name
      guard let status = try? Files.status(next, follow: false) else { return nil }
      guard status.kind == .link else {
        folder = next
        continue
      }
      links += 1
      guard links <= maxLinks, let target = try? Files.readLink(next) else { return nil }
      if let stranger = stranger(status, next, owners) {
        return stranger + ", on the way to \(path)"
      }
      rest = components(target) + rest
      if target.utf8.first == UInt8(ascii: "/") { folder = "" }
    }
    return nil
  }

  private static func problem(folder: String, _ path: String, _ owners: [UInt32]) -> String? {
    guard let status = try? Files.status(folder, follow: false) else { return nil }
    if let stranger = stranger(status, folder, owners) { return stranger + ", above \(path)" }
    let isSticky = status.mode & 0o1000 != 0
    // Root's group has nobody in it who is not root.
    let others: UInt32 = status.gid == 0 ? 0o002 : 0o022
    guard status.mode & others != 0, !isSticky else { return nil }
    return "\(folder), above \(path), can be written by others than its owner: chmod go-w it"
  }

  private static func stranger(
    _ status: Files.Status, _ path: String, _ owners: [UInt32]
  ) -> String? {
    if status.uid == 0 || owners.contains(status.uid) { return nil }
    let trusted = owners.filter { $0 != 0 }.map { " or user \($0)" }.joined()
    return "\(path) belongs to user \(status.uid), not to root\(trusted)"
  }

  private static func components(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
  }

  private static func parent(_ folder: String) -> String {
    let outer = Files.parent(of: folder)
    return outer == "/" || outer == "." ? "" : outer
  }

  private static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return ((try? Files.readLink("/proc/self/cwd")) ?? "") + "/" + path
  }
}
