import BelfryCore

extension Files {
  /// What lies in one of `folders` and may be meant by a name that does not: the same with an extension, or
  /// one nearly written so. Blocks on the disk.
  public static func nearest(to name: String, in folders: [String]) -> String? {
    let names = folders.flatMap { ((try? list($0)) ?? []).prefix(1024) }.sorted()
    return names.first { $0.hasPrefix(name + ".") }
      ?? NameSuggestion.nearest(to: name, among: names)
  }
}
