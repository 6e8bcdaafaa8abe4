import CPlugin

/// What a withdrawal says, by delivery id: of the newest alerts, kept in the plugin's own store, so that
/// a restart of belfryd or of its worker forgets none.
struct ShownLines {
  private static let most = 128
  /// Unicode scalars of a headline that are kept.
  private static let longest = 80

  private let host: UnsafePointer<belfry_host>
  /// The newest last. Neither has a tab or a line feed in it.
  private var lines: [(id: String, headline: String)] = []

  init(_ host: UnsafePointer<belfry_host>) {
    self.host = host
    var kept = belfry_text()
    guard host.pointee.store_get(host, belfry_text("shown"), &kept) == BELFRY_OK else { return }
    for line in kept.string.utf8.split(separator: 10) {
      guard let tab = line.firstIndex(of: 9) else { continue }
      let (id, headline) = (line[..<tab], line[line.index(after: tab)...])
      lines.append(
        (String(decoding: id, as: UTF8.self), String(decoding: headline, as: UTF8.self)))
    }
  }

  mutating func note(_ id: String, _ headline: String) {
    lines.removeAll { $0.id.utf8.elementsEqual(id.utf8) }
    if lines.count == Self.most { lines.removeFirst() }
    let kept = headline.unicodeScalars.prefix(Self.longest)
    lines.append((id, String(String.UnicodeScalarView(kept))))
    keep()
  }

  /// nil: it is not known.
  func headline(of id: String) -> String? {
    lines.first { $0.id.utf8.elementsEqual(id.utf8) }?.headline
  }

  /// It is shown no longer.
  mutating func forget(_ id: String) {
    let count = lines.count
    lines.removeAll { $0.id.utf8.elementsEqual(id.utf8) }
    if lines.count < count { keep() }
  }

  /// What cannot be kept is known until this process ends.
  private func keep() {
    var text = lines.map { $0.id + "\t" + $0.headline + "\n" }.joined()
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        let value = belfry_text(bytes: characters.baseAddress, size: UInt32(characters.count))
        _ = host.pointee.store_set(host, belfry_text("shown"), value)
      }
    }
  }
}
