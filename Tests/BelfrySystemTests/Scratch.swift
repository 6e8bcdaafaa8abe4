import BelfrySystem

/// A folder of one test's own, removed with all that is in it.
final class Scratch {
  let path: String

  init() throws {
    let name = Random.bytes(8).map { String($0, radix: 16) }.joined()
    path = "/tmp/belfry-\(name)"
    try Files.makeFolder(path, mode: 0o700)
  }

  deinit {
    try? Files.removeTree(path)
  }

  subscript(name: String) -> String { path + "/" + name }
}
