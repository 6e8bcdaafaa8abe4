import BelfryCore
import BelfryWire

/// A page of the manual: `belfry help TOPIC` prints it, and `belfry man` prints it as a man page.
struct HelpDocument: Sendable {
  enum Block: Sendable {
    case heading(String)
    case text(String)
    /// A word, and what it means.
    case term(String, String)
    /// The keys of a section such as `[clock]`.
    case keys(section: String, [SettingHelp])
    /// Lines as they are typed or stand in a file.
    case example([String])

    /// What a part is called that begins here; nil: none does.
    fileprivate var partName: String? {
      let name: String
      switch self {
      case .heading(let text): name = text
      case .keys(let section, _): name = section
      case .text, .term, .example: return nil
      }
      let words = name.lowercased().split { "[]: ".contains($0) }
      return words.first.map { String($0) }
    }
  }

  /// The man page's name and section, such as belfry.conf and 5.
  var page: (name: String, section: Int)
  /// One line, a sentence without its subject.
  var summary: String
  var blocks: [Block]
  /// Man pages to read next, such as belfry(1).
  var seeAlso: [(name: String, section: Int)] = []
}

extension HelpDocument {
  /// What its parts are called: `sound` of `[sound]`, `plugin` of `[plugin:NAME]`.
  var partNames: [String] { blocks.compactMap { $0.partName } }

  /// One of these parts alone, as it is called or as it stands there; nil: there is none.
  func part(_ name: String) -> HelpDocument? {
    let bare = name.lowercased().split { "[]".contains($0) }.first?.split(separator: ":").first
    guard let bare, let start = blocks.firstIndex(where: { $0.partName == String(bare) }) else {
      return nil
    }
    var part = self
    let rest = blocks[(start + 1)...]
    part.blocks = [blocks[start]] + rest.prefix { $0.partName == nil }
    return part
  }

  /// One key of this part alone; nil: it has none called so.
  func key(_ name: String) -> HelpDocument? {
    var document = self
    document.blocks = blocks.compactMap { block -> Block? in
      guard case .keys(let section, let keys) = block else { return nil }
      let meant = keys.filter { $0.name == name }
      return meant.isEmpty ? nil : .keys(section: section, meant)
    }
    return document.blocks.isEmpty ? nil : document
  }

  /// What stands beside a key: what it does, what it may be, and its default.
  static func words(of row: SettingHelp) -> String {
    let usual = row.usual.map { " Default: " + $0 + "." } ?? ""
    let restart = row.atStart ? " A change counts from the next start of belfryd." : ""
    return Sentence.whole(row.about) + " Value: " + row.values.phrase + "." + usual + restart
  }

  /// For `--json`: an object for each key and each word.
  func rows(of topic: HelpTopic) -> [JSONObject] {
    var rows: [JSONObject] = []
    func add(_ section: String?, _ name: String, _ row: SettingHelp?, _ meaning: String) {
      rows.append([
        "topic": .string(topic.rawValue), "section": section.map { .string($0) } ?? .null,
        "name": .string(name), "values": row.map { .string($0.values.phrase) } ?? .null,
        "default": row?.usual.map { .string($0) } ?? .null, "meaning": .string(meaning),
      ])
    }
    for block in blocks {
      switch block {
      case .keys(let section, let keys):
        for row in keys { add(section, row.name, row, Sentence.whole(row.about)) }
      case .term(let word, let meaning): add(nil, word, nil, meaning)
      case .heading, .text, .example: break
      }
    }
    return rows
  }
}

/// Sentences made of the tables' phrases.
enum Sentence {
  /// Begins with a capital and ends with a full stop; `values`: words that are typed as they stand.
  static func whole(_ text: String, values: [String] = []) -> String {
    guard let first = text.first else { return text }
    // A word such as no: or belfryd is no beginning to be written large.
    let word = text.prefix { $0 != " " && $0 != ":" && $0 != "," }
    let isKept =
      text.dropFirst(word.count).first == ":"
      || values.contains { ByteString($0) == ByteString(String(word)) }
    let whole =
      first.isLowercase && !isKept ? first.uppercased() + String(text.dropFirst()) : text
    return whole.hasSuffix(".") || whole.hasSuffix("…") ? whole : whole + "."
  }
}
