import BelfryCore

/// The files of the store, and whose hands they are in: for belfryd, which uses them, and for
/// `doctor`, which looks at them without it.
public enum Books {
  /// What may lie beside the store's file and is used, put in its place or written over.
  public static let companions = [
    "-wal", "-journal", "-shm", "-whole", "-saved", "-partial", "-suspect", "-begun",
  ]

  /// Where the file at `path`, which is absolute, is: there itself, or where a link there leads.
  public static func end(of path: String) -> String {
    guard (try? Files.status(path, follow: false))?.kind == .link else { return path }
    return SymlinkChain(path).file
  }

  /// Why one of the files at `path` is not to be used: a user who is neither root nor `uid` owns it,
  /// or the link that leads to it, and could read all that is written there; nil: there is none.
  @export(interface)
  public static func stranger(_ path: String, uid: UInt32) -> String? {
    for name in [path] + companions.map({ path + $0 }) {
      for follow in [false, true] {
        guard let status = try? Files.status(name, follow: follow), status.uid != 0,
          status.uid != uid
        else { continue }
        let owner = uid == 0 ? "root" : "root or user \(uid)"
        return "\(name) belongs to user \(status.uid), not to \(owner)"
      }
    }
    return nil
  }

  /// Whether the disk keeps whose a file is: FAT does not, nor does a share over the network for a root
  /// who is none there, and our own files there are another's, too. True where it takes no file at all.
  @export(interface)
  public static func keepsOwners(beside path: String, uid: UInt32) -> Bool {
    let probe = path + "-owner"
    do throws(SystemError) {
      let file = try Files.open(probe, [.write, .create, .exclusive])
      try? Files.remove(probe)
      return try Files.status(of: file).uid == uid
    } catch {
      return error.code != SystemError.readOnly
    }
  }

  /// Why others could put files of theirs into the folder of `path`, or take ours out of it; nil:
  /// only root and `uid` can, or it is sticky.
  @export(interface)
  public static func openFolder(_ path: String, uid: UInt32) -> String? {
    let folder = Files.parent(of: path)
    guard let status = try? Files.status(folder) else { return nil }
    if status.uid != 0, status.uid != uid {
      return "its folder \(folder) belongs to user \(status.uid)"
    }
    // Our own group is a person's own on many systems, and root's has only root in it.
    let isOurs = status.gid == 0 || status.gid == Process.gid
    let others: UInt32 = isOurs ? 0o002 : 0o022
    guard status.mode & others != 0, status.mode & 0o1000 == 0 else { return nil }
    return "its folder \(folder) can be written by others than its owner"
  }
}
