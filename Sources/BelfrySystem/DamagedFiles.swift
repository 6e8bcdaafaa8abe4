/// Stores that were damaged or in the way, renamed and never deleted: whoever looks after the board looks
/// at them, and says that he has by moving them elsewhere or removing them.
public enum DamagedFiles {
  /// What stands in the name between the file's own and the date.
  public enum Word: String, CaseIterable, Sendable {
    case damaged, replaced
  }

  /// What belongs to a file of SQLite's; the log first, since a file without its log is whole, and a log
  /// beside a fresh file is not.
  public static let companions = ["-wal", "-journal", "-shm"]

  /// Those beside the store at `path`, in order of their names. Blocks on the disk.
  @export(interface)
  public static func beside(_ path: String) -> [String] {
    let path = Books.end(of: path)
    let folder = Files.parent(of: path)
    let own = path.split(separator: "/").last.map { String($0) } ?? ""
    let beginnings = Word.allCases.map { own + "." + $0.rawValue + "-" }
    return ((try? Files.list(folder)) ?? []).filter { name in
      beginnings.contains { name.hasPrefix($0) } && !companions.contains { name.hasSuffix($0) }
    }.sorted().map { folder + "/" + $0 }
  }
}
