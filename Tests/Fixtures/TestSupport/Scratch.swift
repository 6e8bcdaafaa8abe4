import BelfrySystem

/// A folder of one test's own, removed with all that is in it.
public final class Scratch {
  public let path: String

  public init() throws {
    let name = Random.bytes(8).map { String($0, radix: 16) }.joined()
    path = "/tmp/belfry-\(name)"
    try Files.makeFolder(path, mode: 0o700)
  }

  deinit {
    try? Files.removeTree(path)
  }

  public subscript(name: String) -> String { path + "/" + name }
}
