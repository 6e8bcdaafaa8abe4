import BelfryCore

/// The way from a path to the file that it names, through every symbolic link: what must be watched
/// to notice that the path comes to name another file.
public struct SymlinkChain: Hashable, Sendable {
  /// A link on the way, the file itself, or the first name that is missing.
  public struct Step: Hashable, Sendable {
    public var folder: String
    public var name: String
  }

  public private(set) var steps: [Step] = []
  /// Where the way ends.
  public private(set) var file = "/"

  /// As many links as the kernel follows (path_resolution(7)).
  private static let maxLinks = 40

  /// Walks from the root along an absolute path. What is missing or too long ends the way there;
  /// opening it says why.
  @export(interface)
  public init(_ path: String) {
    var left = Array(path.split(separator: "/").reversed())
    var resolved: [Substring] = []
    var links = 0
    while let name = left.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = resolved.popLast()
        continue
      }
      let folder = "/" + resolved.joined(separator: "/")
      let here = (resolved.isEmpty ? "" : folder) + "/" + name
      file = here
      guard let status = try? Files.status(here, follow: false) else {
        steps.append(Step(folder: folder, name: String(name)))
        return
      }
      guard status.kind == .link else {
        if left.isEmpty { steps.append(Step(folder: folder, name: String(name))) }
        resolved.append(name)
        continue
      }
      steps.append(Step(folder: folder, name: String(name)))
      links += 1
      guard links <= Self.maxLinks, let target = try? Files.readLink(here) else { return }
      if target.hasPrefix("/") { resolved = [] }
      left += target.split(separator: "/").reversed()
    }
  }
}
